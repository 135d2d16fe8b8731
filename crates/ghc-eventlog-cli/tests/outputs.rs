//! `-o` writes to the file that a shell's `>` would write to, and never to an input.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "that is how tests fail")]

#[allow(dead_code, reason = "other tests use more of it")]
mod outputs_in;
#[allow(dead_code, reason = "other tests use more of it")]
mod pack;

use outputs_in::{Folder, PROGRAM, case, export, export_to, exported, identity, lossy, report};
use std::{
    fs::{self, File, OpenOptions, Permissions},
    io::Read,
    os::unix::{
        fs::{MetadataExt, PermissionsExt, chown, symlink},
        net::{UnixListener, UnixStream},
    },
    path::Path,
    process::{Command, Output, Stdio},
    thread,
};

const LOG: &str = "heap-type";

fn succeeded(output: &Output) {
    assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty(), "{output:?}");
}

/// Checks that the output could not be written, and that one line reports it.
fn refused(output: &Output, words: &str) {
    let errors = lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.starts_with("ghc-eventlog: cannot write ") && errors.contains(words), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
}

#[test]
fn links_stay_and_what_they_lead_to_is_written() {
    let folder = Folder::new();
    let expected = exported(&case(LOG));
    fs::create_dir(folder.at("deep")).unwrap();
    let old = folder.file("deep/old", b"old");
    symlink(&old, folder.at("absolute")).unwrap();
    symlink("deep/old", folder.at("relative")).unwrap();
    symlink("relative", folder.at("chain")).unwrap();
    symlink("deep/new", folder.at("dangling")).unwrap();
    for (link, target) in [("absolute", "old"), ("relative", "old"), ("chain", "old"), ("dangling", "new")] {
        let before = identity(&folder.at(link));
        let target = folder.at("deep").join(target);
        succeeded(&export_to(&case(LOG), &folder.at(link)));
        assert_eq!(identity(&folder.at(link)), before, "{link}");
        assert!(fs::read(&target).unwrap() == expected, "{link}");
        succeeded(&report(&folder, &case(LOG)).arg("-o").arg(folder.at(link)).output().unwrap());
        assert_eq!(identity(&folder.at(link)), before, "{link}");
        assert!(lossy(&fs::read(&target).unwrap()).contains("log.eventlog"), "{link}");
    }
    assert_eq!(fs::read_dir(folder.at("deep")).unwrap().count(), 2, "nothing else is left");
}

#[test]
fn places_that_are_no_files_are_refused() {
    let folder = Folder::new();
    fs::create_dir(folder.at("folder")).unwrap();
    symlink("two", folder.at("one")).unwrap();
    symlink("one", folder.at("two")).unwrap();
    symlink("folder", folder.at("to-folder")).unwrap();
    symlink("nowhere/out", folder.at("to-nowhere")).unwrap();
    folder.file("file", b"old");
    let before = folder.names();
    for (name, words) in [
        ("folder", "folder"),
        ("folder/", "folder"),
        ("to-folder", "folder"),
        ("new/", "folder does not exist"),
        ("new/.", "folder does not exist"),
        ("nowhere/out", "folder does not exist"),
        ("to-nowhere", "folder does not exist"),
        ("file/out", "Not a directory"),
        ("one", "symbolic links"),
    ] {
        refused(&export_to(&case(LOG), &folder.at(name)), words);
        assert_eq!(folder.names(), before, "{name}");
    }
    assert_eq!(fs::read(folder.at("file")).unwrap(), b"old");
}

#[test]
fn devices_are_written_to_and_stay() {
    let folder = Folder::new();
    let (Some(null), Some(full)) = (folder.device("null", "3"), folder.device("full", "7")) else { return };
    symlink("null", folder.at("link")).unwrap();
    let before = (identity(&null), identity(&full));
    succeeded(&export_to(&case(LOG), &null));
    succeeded(&export_to(&case(LOG), &folder.at("link")));
    succeeded(&report(&folder, &case(LOG)).arg("-o").arg(&null).output().unwrap());
    refused(&export_to(&case(LOG), &full), "No space left on device");
    assert_eq!((identity(&null), identity(&full)), before);
    assert_eq!(folder.names(), ["full", "link", "null", "viewer.html"]);
}

#[test]
fn a_pipe_gets_the_bytes_and_stays() {
    let folder = Folder::new();
    let fifo = folder.fifo("fifo");
    let before = identity(&fifo);
    let reader = thread::spawn({
        let fifo = fifo.clone();
        move || fs::read(fifo).unwrap()
    });
    succeeded(&export_to(&case(LOG), &fifo));
    assert!(reader.join().unwrap() == exported(&case(LOG)));
    assert_eq!((identity(&fifo), folder.names()), (before, vec!["fifo".to_string()]));
}

/// As with standard output: the reader has stopped reading.
#[test]
fn a_pipe_whose_reader_leaves_ends_the_program_silently() {
    let folder = Folder::new();
    let fifo = folder.fifo("fifo");
    let long = folder.file("long", &conformance::tiled(&fs::read(case(LOG)).unwrap(), 400));
    assert!(exported(&long).len() > 1 << 18, "more than a pipe holds");
    let reader = thread::spawn({
        let fifo = fifo.clone();
        move || File::open(fifo).unwrap().read_exact(&mut [0]).unwrap()
    });
    succeeded(&export_to(&long, &fifo));
    reader.join().unwrap();
}

#[test]
fn a_socket_with_a_listener_gets_the_bytes() {
    let folder = Folder::new();
    let path = folder.at("socket");
    let listener = UnixListener::bind(&path).unwrap();
    let before = identity(&path);
    let reader = thread::spawn(move || {
        let mut bytes = Vec::new();
        listener.accept().unwrap().0.read_to_end(&mut bytes).unwrap();
        bytes
    });
    succeeded(&export_to(&case(LOG), &path));
    assert!(reader.join().unwrap() == exported(&case(LOG)));
    // No program listens any more.
    refused(&export_to(&case(LOG), &path), "refused");
    assert_eq!(identity(&path), before);
}

/// Standard output through its names: a pipe, a socket, a file that is written from its start or its end.
#[test]
fn standard_output_by_name_is_standard_output() {
    let folder = Folder::new();
    let expected = exported(&case(LOG));
    symlink("/dev/stdout", folder.at("link")).unwrap();
    let link = folder.at("link");
    for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", link.to_str().unwrap()] {
        if !Path::new(name).exists() {
            eprintln!("SKIPPED: there is no {name}");
            continue;
        }
        let output = export_to(&case(LOG), Path::new(name));
        assert!(output.status.success() && output.stdout == expected, "{name}: {}", lossy(&output.stderr));
        let (mut mine, its) = UnixStream::pair().unwrap();
        let mut child = export(&case(LOG)).arg("-o").arg(name).stdout(std::os::fd::OwnedFd::from(its)).spawn().unwrap();
        let mut bytes = Vec::new();
        mine.read_to_end(&mut bytes).unwrap();
        assert!(child.wait().unwrap().success() && bytes == expected, "{name}");
        for how in [">", ">>"] {
            let file = folder.file("file", b"before\n");
            let before = identity(&file);
            let line = format!("{{ echo head; \"$0\" export --format hp \"$1\" -o \"$2\"; echo tail; }} {how} \"$3\"");
            let mut shell = Command::new("sh");
            shell.arg("-c").arg(line).arg(PROGRAM).arg(case(LOG)).arg(name).arg(&file);
            succeeded(&shell.output().unwrap());
            let first = if how == ">" { "" } else { "before\n" };
            let all = [format!("{first}head\n").as_bytes(), &expected, b"tail\n"].concat();
            assert!(fs::read(&file).unwrap() == all && identity(&file) == before, "{name} {how}");
        }
    }
    assert_eq!(fs::read_link("/dev/stdout").unwrap(), Path::new("/proc/self/fd/1"));
}

#[test]
fn other_descriptors_are_written_at_their_current_offset() {
    if !Path::new("/dev/fd").exists() {
        eprintln!("SKIPPED: there is no /dev/fd");
        return;
    }
    let folder = Folder::new();
    let expected = exported(&case(LOG));
    for how in [">", ">>"] {
        let file = folder.file("file", b"before\n");
        let line = format!("exec 5{how} \"$2\"; echo head >&5; \"$0\" export --format hp \"$1\" -o /dev/fd/5");
        let output = Command::new("sh").arg("-c").arg(line).arg(PROGRAM).arg(case(LOG)).arg(&file).output().unwrap();
        succeeded(&output);
        let first = if how == ">" { "" } else { "before\n" };
        assert!(fs::read(&file).unwrap() == [format!("{first}head\n").as_bytes(), &expected].concat(), "{how}");
    }
    let line = "{ \"$0\" export --format hp \"$1\" -o /dev/fd/5 5>&1 >\"$2\"; } | cat";
    let mut shell = Command::new("sh");
    let output = shell.arg("-c").arg(line).arg(PROGRAM).arg(case(LOG)).arg(folder.at("file")).output().unwrap();
    assert!(output.stdout == expected && output.stderr.is_empty(), "{output:?}");
    if cfg!(target_os = "linux") {
        let read = folder.file("read", b"only read");
        let line = "\"$0\" export --format hp \"$1\" -o /dev/fd/5 5<\"$2\"";
        let output = Command::new("sh").args(["-c", line, PROGRAM]).arg(case(LOG)).arg(&read).output().unwrap();
        refused(&output, "reading only");
        assert_eq!(fs::read(&read).unwrap(), b"only read");
    }
    refused(&export_to(&case(LOG), Path::new("/dev/fd/77")), "nothing is open");
    let errors = export_to(&case(LOG), Path::new("/dev/stderr"));
    assert!(errors.status.success() && errors.stderr == expected);
}

#[test]
fn no_input_is_written_over() {
    let folder = Folder::new();
    let bytes = fs::read(case(LOG)).unwrap();
    let log = folder.file("log", &bytes);
    symlink("log", folder.at("link")).unwrap();
    fs::hard_link(&log, folder.at("hard")).unwrap();
    let same = |output: &Output| {
        refused(output, "the same file as the input");
        assert!(fs::read(&log).unwrap() == bytes);
    };
    for (input, output) in [("log", "log"), ("log", "link"), ("link", "log"), ("log", "hard"), ("hard", "link")] {
        same(&export_to(&folder.at(input), &folder.at(output)));
        same(&report(&folder, &folder.at(input)).arg("-o").arg(folder.at(output)).output().unwrap());
        let mut redirected = export(Path::new("-"));
        redirected.stdin(File::open(folder.at(input)).unwrap()).arg("-o").arg(folder.at(output));
        same(&redirected.output().unwrap());
    }
    // Through the name of standard output, which appends to the input.
    let mut appended = export(&log);
    appended.arg("-o").arg("/dev/stdout").stdout(OpenOptions::new().append(true).open(&log).unwrap());
    same(&appended.output().unwrap());
    // Also the second of several logs, and the page that the report is put into.
    same(&report(&folder, &case("threaded")).arg(&log).arg("-o").arg(folder.at("hard")).output().unwrap());
    let page = report(&folder, &log).arg("-o").arg(folder.at("viewer.html")).output().unwrap();
    refused(&page, "the same file as the input");
    for (name, packed) in [("log.gz", pack::gzip(&bytes)), ("log.zip", pack::zip(&[("a.eventlog", &bytes)]))] {
        let log = folder.file(name, &packed);
        refused(&export_to(&log, &log), "the same file as the input");
        assert!(fs::read(&log).unwrap() == packed);
    }
    assert_eq!(folder.names(), ["hard", "link", "log", "log.gz", "log.zip", "viewer.html"]);
    // A copy is another file.
    fs::copy(&log, folder.at("copy")).unwrap();
    succeeded(&export_to(&log, &folder.at("copy")));
}

#[test]
fn a_file_that_is_replaced_keeps_its_mode_and_owner() {
    let folder = Folder::new();
    let log = case(LOG);
    let expected = exported(&log);
    for mode in [0o600, 0o640, 0o664, 0o755, 0o777] {
        let file = folder.file("file", b"old");
        fs::set_permissions(&file, Permissions::from_mode(mode)).unwrap();
        let is_root = chown(&file, Some(65534), Some(65534)).is_ok();
        let before = fs::metadata(&file).unwrap();
        succeeded(&export_to(&log, &file));
        let after = fs::metadata(&file).unwrap();
        assert_eq!((after.mode(), after.uid(), after.gid()), (before.mode(), before.uid(), before.gid()));
        assert!(fs::read(&file).unwrap() == expected);
        if is_root {
            fs::remove_file(&file).unwrap();
        }
    }
}

#[test]
fn all_names_of_a_file_have_what_was_written() {
    let folder = Folder::new();
    let file = folder.file("file", &vec![b'x'; 1 << 20]);
    fs::hard_link(&file, folder.at("other")).unwrap();
    succeeded(&export_to(&case(LOG), &file));
    assert!(fs::read(folder.at("other")).unwrap() == exported(&case(LOG)));
    assert_eq!(folder.names(), ["file", "other"]);
}

/// The program without root's rights, if the tests have those.
fn unprivileged(arguments: &[&Path]) -> Option<Output> {
    let is_root = fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0);
    let mut command = Command::new(if is_root { "setpriv" } else { PROGRAM });
    if is_root {
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(PROGRAM);
    }
    let output = command.args(["export", "--format", "hp"]).args(arguments).output().ok();
    let output = output.filter(|output| !lossy(&output.stderr).contains("setpriv:"));
    if output.is_none() {
        eprintln!("SKIPPED: rights cannot be given up here");
    }
    output
}

#[test]
fn a_folder_that_must_not_be_written_to_may_have_a_file_that_may_be() {
    let folder = Folder::new();
    let log = folder.file("log", &fs::read(case(LOG)).unwrap());
    let (open, closed) = (folder.file("open", &vec![b'x'; 1 << 20]), folder.file("closed", b"old"));
    fs::set_permissions(&open, Permissions::from_mode(0o666)).unwrap();
    fs::set_permissions(&closed, Permissions::from_mode(0o444)).unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o555)).unwrap();
    let before = identity(&open);
    let to = |path: &Path| unprivileged(&[&log, Path::new("-o"), path]);
    let (Some(written), Some(denied), Some(new)) = (to(&open), to(&closed), to(&folder.at("new"))) else { return };
    succeeded(&written);
    assert!(fs::read(&open).unwrap() == exported(&log) && identity(&open) == before);
    refused(&denied, "no permission");
    refused(&new, "no permission");
    assert_eq!((fs::read(&closed).unwrap(), folder.names().len()), (b"old".to_vec(), 3));
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
}

/// It is not enough that the folder allows it to be replaced.
#[test]
fn a_file_that_must_not_be_written_is_not_replaced() {
    let folder = Folder::new();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).unwrap();
    let log = folder.file("log", &fs::read(case(LOG)).unwrap());
    let closed = folder.file("closed", b"old");
    fs::set_permissions(&closed, Permissions::from_mode(0o444)).unwrap();
    let Some(denied) = unprivileged(&[&log, Path::new("-o"), &closed]) else { return };
    refused(&denied, "no permission");
    assert_eq!((fs::read(&closed).unwrap(), folder.names().len()), (b"old".to_vec(), 2));
}

#[test]
fn the_old_file_stays_if_the_log_cannot_be_read() {
    let folder = Folder::new();
    let (file, no_log) = (folder.file("file", b"old"), folder.file("no-log", b"this is no log"));
    for mut command in [export(&no_log), report(&folder, &no_log)] {
        let output = command.arg("-o").arg(&file).stdin(Stdio::null()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert_eq!(fs::read(&file).unwrap(), b"old");
    }
    assert_eq!(folder.names(), ["file", "no-log", "viewer.html"]);
}
