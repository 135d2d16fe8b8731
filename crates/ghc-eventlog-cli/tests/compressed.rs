//! The program with compressed logs.

#![allow(clippy::unwrap_used, reason = "that is how tests fail")]

mod pack;

use pack::{gzip, zip, zip_stored, zstd};
use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// A whole log, one that is cut off, a torn one, one of two streams, and one with profiles.
const CASES: [&str; 5] = ["threaded", "cut-in-event", "torn", "restarted", "heap-cost-centre"];

/// A skippable zstd frame of three bytes.
const SKIPPED: &[u8] = b"\x53\x2a\x4d\x18\x03\0\0\0\xff\xff\xff";

fn corpus(case: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus").join(case).join("log.eventlog")).unwrap()
}

/// The program's output.
#[derive(Debug, PartialEq)]
struct Said {
    out: String,
    errors: String,
    code: Option<i32>,
}

/// The log in two frames of the same size.
fn zstd_in_two(bytes: &[u8]) -> Vec<u8> {
    let (front, back) = bytes.split_at(bytes.len() / 2);
    [zstd(front), zstd(back)].concat()
}

/// Runs the program on a file whose name does not show what it is. The output names the file LOG.
fn run(arguments: &[&str], bytes: &[u8]) -> Said {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    fs::write(&path, bytes).unwrap();
    said(Command::new(env!("CARGO_BIN_EXE_ghc-eventlog")).args(arguments).arg(&path), &path)
}

/// Runs the program on standard input. Small: a pipe holds it.
fn piped(arguments: &[&str], bytes: &[u8]) -> Said {
    let mut program = Command::new(env!("CARGO_BIN_EXE_ghc-eventlog"));
    program.args(arguments).arg("-").stdin(pipe(bytes));
    said(&mut program, Path::new("standard input"))
}

fn pipe(bytes: &[u8]) -> Stdio {
    let (reader, mut writer) = std::io::pipe().unwrap();
    let bytes = bytes.to_vec();
    std::thread::spawn(move || std::io::Write::write_all(&mut writer, &bytes));
    reader.into()
}

fn said(program: &mut Command, log: &Path) -> Said {
    let output = program.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(&log.display().to_string(), "LOG");
    Said { out: text(&output.stdout), errors: text(&output.stderr), code: output.status.code() }
}

#[test]
fn compressed_logs_are_as_good_as_plain_ones() {
    for case in CASES {
        let plain = corpus(case);
        let forms = [
            ("gzip", gzip(&plain)),
            ("zstd", zstd(&plain)),
            ("zip", zip(&[("notes.txt", b"hello"), ("a.eventlog", &plain)])),
            ("stored", zip_stored(&[("a.eventlog", &plain)])),
            ("gzip in zip", zip_stored(&[("folder/a.eventlog.gz", &gzip(&plain))])),
            ("zstd in zip", zip(&[("a.eventlog.zst", &zstd(&plain))])),
        ];
        for arguments in [&["show"][..], &["show", "threads"], &["show", "caps"], &["inc"], &["check"], &["summary"]] {
            let (file, pipe) = (run(arguments, &plain), piped(arguments, &plain));
            for (form, bytes) in &forms {
                assert_eq!(run(arguments, bytes), file, "{case} by {form} as {arguments:?}");
                assert_eq!(piped(arguments, bytes), pipe, "{case} by {form} piped as {arguments:?}");
            }
        }
    }
}

#[test]
fn members_and_frames_follow_one_another() {
    let plain = corpus("threaded");
    let (front, back) = plain.split_at(10_000);
    let gzip = [gzip(front), gzip(b""), gzip(back)].concat();
    let zstd = [SKIPPED, &zstd(front), SKIPPED, &zstd(back), SKIPPED].concat();
    for bytes in [gzip, zstd] {
        assert_eq!(run(&["inc"], &bytes), run(&["inc"], &plain));
    }
}

/// The zstd program's frames have more in them than those of the encoder that these tests use. If the log changes,
/// `zstd -19 -o tests/single.eventlog.zst ../../tests/corpus/single/log.eventlog` makes the file again.
#[test]
fn frames_of_the_zstd_program_are_read() {
    let packed = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/single.eventlog.zst")).unwrap();
    assert_eq!(run(&["show"], &packed), run(&["show"], &corpus("single")));
}

#[test]
fn everything_that_can_be_unpacked_of_a_cut_off_file_is_shown() {
    let plain = corpus("threaded");
    let all = run(&["inc"], &plain).out;
    // zstd unpacks a block as a whole or not at all.
    for packed in [gzip(&plain), zstd_in_two(&plain)] {
        let cut = &packed[..packed.len() * 2 / 3];
        let (inc, show) = (run(&["inc"], cut), run(&["show"], cut));
        assert!(all.starts_with(&inc.out) && inc.out.len() > all.len() / 3, "{inc:?}");
        let place =
            format!("LOG: warning: the compressed file is cut off at byte {}; the log is missing from byte", cut.len());
        assert!(inc.errors.contains(&place) && show.errors.contains(&place), "{inc:?}");
        assert_eq!((inc.code, show.code, run(&["check"], cut).code), (Some(1), Some(1), Some(1)));
        assert_eq!(run(&["inc", "--lenient"], cut).code, Some(0));
    }
}

#[test]
fn nothing_is_shown_of_what_cannot_be_unpacked() {
    let cut = &gzip(&corpus("threaded"))[..12];
    let errors = "LOG: warning: the compressed file is cut off at byte 12; the log is missing from byte 0 on\n";
    assert_eq!(run(&["show"], cut), Said { out: String::new(), errors: errors.to_string(), code: Some(2) });
    assert_eq!(run(&["check"], cut).code, Some(2));
}

#[test]
fn damage_is_reported_with_its_offset() {
    let plain = corpus("threaded");
    let all = run(&["inc"], &plain).out;
    let spoilt = |mut bytes: Vec<u8>, at: usize| {
        bytes[at] ^= 0xff;
        bytes
    };
    let gzip = gzip(&plain);
    let length = gzip.len();
    // The checksum of a gzip member is eight bytes before its end.
    let inc = run(&["inc"], &spoilt(gzip.clone(), length - 8));
    assert_eq!((&inc.out, inc.code), (&all, Some(1)));
    let place = format!("LOG: the compressed file is damaged at byte {length} (corrupt gzip stream");
    assert!(inc.errors.starts_with(&place), "{inc:?}");
    for packed in [gzip, zstd_in_two(&plain), zip(&[("a.eventlog", &plain)])] {
        for at in [packed.len() * 2 / 3, packed.len() * 3 / 4] {
            let bytes = spoilt(packed.clone(), at);
            for arguments in [["show", "--lenient"], ["inc", "--lenient"], ["check", "--json"]] {
                let said = run(&arguments, &bytes);
                assert_eq!(said.code, Some(1), "{said:?}");
                let told = said.errors + &said.out;
                assert!(
                    told.contains("the compressed file is damaged at byte") && told.contains("missing from byte"),
                    "{told}"
                );
            }
        }
    }
    let behind = run(&["inc"], &[&pack::gzip(&plain)[..], b"junk"].concat());
    assert_eq!((&behind.out, behind.code), (&all, Some(1)));
    assert!(behind.errors.contains("something else after the log, at byte"), "{behind:?}");
    let padded = run(&["inc"], &[&pack::gzip(&plain)[..], &[0; 600]].concat());
    assert_eq!((&padded.out, &*padded.errors, padded.code), (&all, "", Some(0)));
}

#[test]
fn a_compressed_file_that_is_no_log_is_reported_like_a_plain_one() {
    for plain in [&b"some text"[..], b"", &[0; 200_000]] {
        for arguments in [["show"], ["inc"], ["check"], ["summary"]] {
            let expected = run(&arguments, plain);
            for packed in [gzip(plain), zstd(plain), zip(&[("a.eventlog", plain)])] {
                assert_eq!(run(&arguments, &packed), expected);
            }
        }
    }
}

#[test]
fn one_of_several_logs_in_an_archive_can_be_chosen() {
    let (one, two) = (corpus("single"), corpus("threaded"));
    let zip = zip(&[("one.eventlog", &one), ("readme", b"hello"), ("d/Two.EVENTLOG.GZ", &gzip(&two)), ("three", &one)]);
    let refused = run(&["show"], &zip);
    let errors = "ghc-eventlog: LOG: 3 entries are logs; choose one with --entry NAME:\
                  \n  one.eventlog\n  d/Two.EVENTLOG.GZ\n  three\n";
    assert_eq!(refused, Said { out: String::new(), errors: errors.to_string(), code: Some(2) });
    for (name, plain) in [("one.eventlog", &one), ("d/Two.EVENTLOG.GZ", &two), ("three", &one)] {
        for command in ["show", "inc", "check", "summary"] {
            assert_eq!(run(&[command, "--entry", name], &zip), run(&[command], plain), "{name}");
        }
        assert_eq!(piped(&["show", "threads", "--entry", name], &zip), piped(&["show", "threads"], plain), "{name}");
    }
    let unknown = run(&["check", "--entry", "four"], &zip);
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.errors.contains("no entry four among these:\n  one.eventlog\n  readme\n"), "{unknown:?}");
}

#[test]
fn a_log_in_an_archive_is_also_recognised_by_its_first_bytes() {
    let plain = corpus("single");
    let mac = ("__MACOSX/._out.bin", &b"attributes"[..]);
    let zip = zip(&[("readme", b"hello"), mac, ("out.bin", &gzip(&plain)), ("__MACOSX/._a.eventlog", b"attributes")]);
    assert_eq!(run(&["show"], &zip), run(&["show"], &plain));
}

#[test]
fn what_cannot_be_done_gives_an_error() {
    let plain = corpus("single");
    let refused = |arguments: &[&str], bytes: &[u8], words: &str| {
        let said = run(arguments, bytes);
        assert!(said.out.is_empty() && said.code == Some(2) && said.errors.contains(words), "{said:?}");
    };
    refused(&["inc", "--follow"], &gzip(&plain), "LOG: a compressed log cannot be followed");
    refused(&["inc", "--follow"], &zip(&[("a.eventlog", &plain)]), "LOG: a compressed log cannot be followed");
    refused(&["show", "--entry", "a"], &plain, "LOG: no zip archive");
    refused(&["show", "--entry", "a"], &gzip(&plain), "LOG: no zip archive");
    refused(&["show"], &zip(&[("readme", b"hello")]), "LOG: no entry of the zip archive is an eventlog");
    refused(&["show"], &zip(&[]), "LOG: no entry of the zip archive is an eventlog");
    let cut = &zip(&[("a.eventlog", &plain)])[..2000];
    refused(&["show"], cut, "LOG: the zip archive is damaged or cut off");
}

/// A shell's `<(command)` has a name, but cannot be read from the start again.
#[cfg(unix)]
#[test]
fn pipes_with_a_name_are_read() {
    let plain = corpus("single");
    let path = PathBuf::from("/dev/stdin");
    if File::open(&path).is_err() {
        eprintln!("SKIPPED: there is no /dev/stdin");
        return;
    }
    for bytes in [&plain, &gzip(&plain), &zip(&[("a.eventlog", &plain)])] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_ghc-eventlog"));
        let said = said(program.arg("show").arg(&path).stdin(pipe(bytes)), &path);
        assert_eq!(said, run(&["show"], &plain));
    }
}

/// The commands that make temporary files, for which kinds of logs, as the help says. Without room for one, only these
/// fail.
#[test]
fn temporary_files_are_made_where_the_help_says_so() {
    let log = corpus("heap-type");
    let logs = [log.clone(), gzip(&log), zstd(&log), zip(&[("a.eventlog", &log)])];
    let once: [&[&str]; 3] = [&["inc"], &["check"], &["check", "--json"]];
    let again: [&[&str]; 6] = [
        &["show"],
        &["show", "caps"],
        &["summary"],
        &["summary", "--json", "--range", "..1s"],
        &["summary", "--markdown"],
        &["export", "--format", "hp"],
    ];
    let stripping: [&[&str]; 2] = [&["summary", "--strip-args"], &["summary", "--strip-messages"]];
    for (form, bytes) in logs.iter().enumerate() {
        let (is_plain, is_zip) = (form == 0, form == 3);
        let all = [(&once[..], false, is_zip), (&again, !is_plain, true), (&stripping, true, true)];
        for (commands, of_a_file, of_a_pipe) in all {
            for command in commands {
                assert_eq!(needs_temporary_file(command, bytes, false), of_a_file, "{command:?} of form {form}");
                assert_eq!(
                    needs_temporary_file(command, bytes, true),
                    of_a_pipe,
                    "{command:?} of form {form} by a pipe"
                );
            }
        }
    }
    let help = Command::new(env!("CARGO_BIN_EXE_ghc-eventlog")).args(["summary", "--help"]).output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    for sentence in [
        "`inc` and `check` unpack it while they read.",
        "`show`, `find`, `summary`, `report` and `export` read a log more than once: they unpack it, and copy a pipe, into a temporary file",
        "A zip archive from a pipe is itself copied there, by every command.",
        "Leave out the program's arguments, and the filters of a heap profile. This makes a temporary copy, also of a plain log",
    ] {
        assert!(help.contains(sentence), "{sentence}: {help}");
    }
}

/// Whether a command fails if no temporary file can be made, and succeeds if one can.
fn needs_temporary_file(command: &[&str], bytes: &[u8], by_pipe: bool) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    fs::write(&path, bytes).unwrap();
    let run = |temporary: &Path| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_ghc-eventlog"));
        program.args(command).env("TMPDIR", temporary);
        if by_pipe {
            program.arg("-").stdin(pipe(bytes))
        } else {
            program.arg(&path)
        };
        program.output().unwrap()
    };
    let (with, without) = (run(folder.path()), run(&folder.path().join("none")));
    assert!(with.status.success() && !with.stdout.is_empty(), "{command:?}: {with:?}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{command:?} leaves something");
    let errors = String::from_utf8(without.stderr).unwrap();
    assert_eq!(errors.contains("cannot write a temporary file"), !without.status.success(), "{command:?}: {errors}");
    assert!(without.status.success() == (without.stdout == with.stdout), "{command:?}");
    !without.status.success()
}

/// A copy is as long as the log, so it fits where a file of that length does.
#[cfg(unix)]
#[test]
fn a_temporary_copy_is_as_long_as_the_log() {
    let log = corpus("threaded");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    fs::write(&path, gzip(&log)).unwrap();
    // The unit is 512 bytes.
    let blocks = log.len().div_ceil(512);
    for command in ["show", "summary", "summary --range ..1s", "summary --strip-args --strip-messages"] {
        for (most, code) in [(blocks, 0), (blocks - 1, 1)] {
            let line = format!("ulimit -f {most}; exec \"$0\" {command} \"$1\" | cat > /dev/null");
            let line = format!("set -o pipefail; {line}");
            let mut shell = Command::new("bash");
            shell.args(["--posix", "-c", &line]).arg(env!("CARGO_BIN_EXE_ghc-eventlog")).arg(&path);
            let output = shell.env("TMPDIR", folder.path()).output().unwrap();
            assert_eq!(output.status.code(), Some(code), "{command} with {most} blocks: {output:?}");
        }
    }
}
