//! `report`: what is in the file, and what is not.

#![allow(clippy::unwrap_used, reason = "that is how tests fail")]

use base64::{Engine, engine::general_purpose::STANDARD};
use conformance::Secrets;
use flate2::read::GzDecoder;
use ghc_eventlog::{
    Block, CapNo, CapsetId, CreateThread, LogWriter, Nanos, ProgramArgs, ProgramEnv, RunThread, StopStatus, StopThread,
    Text, TextList, ThreadId, ThreadLabel, UserMarker, UserMsg,
};
use ghc_eventlog_strip::Strip;
use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// A one-file viewer with everything that the report needs.
const VIEWER: &str = "<!doctype html><meta content=\"default-src 'none'; script-src 'none'\">\
<title><!--title-->viewer<!--/title--></title><main><!--report-->none<!--/report--></main><!--logs--><!--/logs-->\
<script type=\"application/json\" id=\"viewer-palette\">{\"running\":\"#123456\"}</script>";

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("viewer.html"), VIEWER).unwrap();
        Self { folder }
    }

    fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    fn run(&self, arguments: &[&str], logs: &[&Path]) -> Output {
        let mut program = Command::new(env!("CARGO_BIN_EXE_ghc-eventlog"));
        program.arg("report").args(["--viewer", "viewer.html"]).args(arguments).args(logs);
        program.current_dir(self.folder.path()).output().unwrap()
    }

    /// The report of some logs, once it has been written.
    fn report(&self, arguments: &[&str], logs: &[&Path]) -> String {
        let output = self.run(arguments, logs);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        fs::read_to_string(self.folder.path().join("report.html")).unwrap()
    }
}

/// The logs that a report holds.
fn held(report: &str) -> Vec<Vec<u8>> {
    let elements = report.split("<script type=\"text/plain\" data-log=\"").skip(1);
    let texts = elements.map(|element| element.split_once('>').unwrap().1.split_once("</script>").unwrap().0);
    let unpack = |text: &str| {
        let mut log = Vec::new();
        GzDecoder::new(STANDARD.decode(text).unwrap().as_slice()).read_to_end(&mut log).unwrap();
        log
    };
    texts.map(unpack).collect()
}

/// Texts that are nowhere else in a test's log.
const SECRETS: [&str; 4] = ["PASSWORD=hunter2", "argument-17", "message-23", "marker-42"];

fn secretive() -> Vec<u8> {
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |block| {
        let capset = CapsetId(0);
        block.event(Nanos(1), ProgramArgs { capset, args: TextList(b"program\0argument-17\0") });
        block.event(Nanos(2), ProgramEnv { capset, env: TextList(b"HOME=/\0PASSWORD=hunter2\0") });
        block.event(Nanos(3), CreateThread { thread: ThreadId(1) });
        block.event(Nanos(4), RunThread { thread: ThreadId(1) });
        block.event(Nanos(5), UserMsg { text: Text(b"message-23") });
        block.event(Nanos(6), UserMarker { text: Text(b"marker-42") });
        block.event(Nanos(9), StopThread { thread: ThreadId(1), status: StopStatus(5), info: None });
    });
    log.end();
    log.finish()
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

/// Which of the secrets a report contains, in its text or in its logs.
fn secrets_in(report: &str) -> [bool; 4] {
    let logs = held(report);
    SECRETS.map(|secret| report.contains(secret) || logs.iter().any(|log| holds(log, secret)))
}

#[test]
fn what_is_left_out_is_not_in_the_report_in_any_form() {
    let place = Place::new();
    let log = secretive();
    let file = place.file("run.eventlog", &log);
    assert_eq!(secrets_in(&place.report(&[], &[&file])), [false, true, true, true]);
    assert_eq!(secrets_in(&place.report(&["--env"], &[&file])), [true; 4]);
    assert_eq!(secrets_in(&place.report(&["--strip-args"], &[&file])), [false, false, true, true]);
    assert_eq!(secrets_in(&place.report(&["--env", "--strip-messages"], &[&file])), [true, true, false, false]);
    assert_eq!(secrets_in(&place.report(&["--strip-args", "--strip-messages"], &[&file])), [false; 4]);
}

#[test]
fn if_nothing_is_left_out_the_report_holds_the_log_unchanged() {
    let place = Place::new();
    let log = secretive();
    let file = place.file("run.eventlog", &log);
    assert_eq!(held(&place.report(&["--env"], &[&file])), [log]);
}

/// Damaged bytes may hold anything, so they are left out; everything else is at its old offset.
#[test]
fn only_the_readable_parts_of_a_damaged_log_are_held() {
    let place = Place::new();
    let whole = secretive();
    let at = whole.windows(8).position(|window| window == b"PASSWORD").unwrap();
    // Number, time, length and set come before the first variable.
    let tag = whole.windows(7).position(|window| window == b"HOME=/\0").unwrap() - 16;
    let mut damaged = 0;
    // Changes some bytes of the header, and all bytes from the event with the secret on. (An event before it may become
    // so long that it contains the secret, which then is no longer an environment.)
    for byte in (0..tag - 200).step_by(501).chain(tag..whole.len()) {
        for bit in [0, 6] {
            let mut log = whole.clone();
            log[byte] ^= 1 << bit;
            // The secret itself is not changed; and bytes that become another kind of event count as that event.
            let stays = (at..at + SECRETS[0].len()).contains(&byte) || (tag..tag + 2).contains(&byte);
            if stays {
                continue;
            }
            let file = place.file("run.eventlog", &log);
            let output = place.run(&[], &[&file]);
            if output.status.code() == Some(2) {
                continue;
            }
            damaged += u32::from(output.status.code() == Some(1));
            let report = fs::read_to_string(place.folder.path().join("report.html")).unwrap();
            assert!(!secrets_in(&report)[0], "bit {bit} of byte {byte}");
            assert_eq!(held(&report)[0].len(), log.len(), "bit {bit} of byte {byte}");
        }
    }
    assert!(damaged > 10, "only {damaged} were damaged");
}

/// The conformance tests check what such a copy holds.
#[test]
fn a_report_holds_the_copy_without_the_environment() {
    let place = Place::new();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus");
    let mut count = 0;
    for case in fs::read_dir(corpus).unwrap() {
        let log = case.unwrap().path().join("log.eventlog");
        let Ok(bytes) = fs::read(&log) else { continue };
        let output = place.run(&[], &[&log]);
        if output.status.code() == Some(2) {
            continue;
        }
        let report = fs::read_to_string(place.folder.path().join("report.html")).unwrap();
        let strip = Strip { env: true, ..Strip::default() };
        assert!(held(&report) == [conformance::copy_in_steps(&bytes, strip, bytes.len())], "{}", log.display());
        count += 1;
    }
    assert!(count > 10);
}

/// Secrets at every place: in events, headers, junk, between streams, after the end.
#[test]
fn no_report_has_a_secret_that_is_left_out() {
    let place = Place::new();
    let mut random = fastrand::Rng::with_seed(11);
    let secrets = Secrets::new(&mut random);
    let threaded = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/threaded/log.eventlog");
    let logs = [Vec::new(), fs::read(threaded).unwrap()];
    let mut written = 0;
    for one in logs.iter().flat_map(|log| conformance::planted(log, &secrets, &mut random, 3)) {
        let file = place.file("run.eventlog", &one.log);
        let strips: [(&[&str], Strip); 3] = [
            (&[], Strip { env: true, args: false, messages: false }),
            (&["--strip-args", "--strip-messages"], Strip { env: true, args: true, messages: true }),
            (&["--embed-limit", "1", "--strip-args"], Strip { env: true, args: true, messages: false }),
        ];
        for (arguments, strip) in strips {
            let _ = fs::remove_file(place.folder.path().join("report.html"));
            let output = place.run(arguments, &[&file]);
            if output.status.code() == Some(2) {
                continue;
            }
            let report = fs::read(place.folder.path().join("report.html")).unwrap();
            let text = String::from_utf8(report).unwrap();
            for bytes in [text.clone().into_bytes(), output.stderr].iter().chain(&held(&text)) {
                let given = secrets.given_away(bytes, strip);
                assert!(given.is_empty(), "{given:?} in {} with {arguments:?}", one.place);
            }
            written += 1;
        }
    }
    assert!(written > 100, "{written}");
}

/// Small logs that once gave a secret away. Developers have them beside the project.
#[test]
fn logs_that_gave_a_secret_away_do_not() {
    let place = Place::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/unsafe");
    for name in ["header2-cut", "header-junk", "invocation24", "profbegin-filter"] {
        let Ok(log) = fs::read(folder.join(format!("leak-{name}.eventlog"))) else {
            eprintln!("SKIPPED: no leak-{name}.eventlog");
            continue;
        };
        for log in [[b"S3CR3Tt0ken".as_slice(), &log].concat(), log] {
            let file = place.file("run.eventlog", &log);
            place.run(&["--strip-args"], &[&file]);
            let report = fs::read_to_string(place.folder.path().join("report.html")).unwrap();
            let logs = held(&report);
            assert_eq!(logs.len(), 1, "{name}");
            assert!(!conformance::gives_away(report.as_bytes(), "S3CR3Tt0ken"), "{name}");
            assert!(!conformance::gives_away(&logs[0], "S3CR3Tt0ken"), "{name}");
        }
    }
}

#[test]
fn what_a_log_says_never_becomes_markup() {
    let place = Place::new();
    const EVIL: &str = "<img src=x onerror=alert(1)></script><!--\"'&";
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |block| {
        block.event(Nanos(1), ProgramArgs { capset: CapsetId(0), args: TextList(EVIL.as_bytes()) });
        block.event(Nanos(2), ProgramEnv { capset: CapsetId(0), env: TextList(EVIL.as_bytes()) });
        block.event(Nanos(3), ThreadLabel { thread: ThreadId(1), label: Text(EVIL.as_bytes()) });
        block.event(Nanos(4), RunThread { thread: ThreadId(1) });
        block.event(Nanos(5), UserMsg { text: Text(EVIL.as_bytes()) });
    });
    log.end();
    let name = "\"><b onclick=x>.eventlog";
    let file = place.file(name, &log.finish());
    let report = place.report(&["--env"], &[&file]);
    assert!(report.contains("&lt;img src=x"), "it is there, as text");
    for markup in ["<img", "<b ", "onclick=x>.", "</script><!--"] {
        assert!(!report.contains(markup), "{markup}");
    }
    assert_eq!(report.matches("</script>").count(), 2, "one for the log, one for the viewer's palette");
}

#[test]
fn a_long_log_stays_beside_the_report() {
    let place = Place::new();
    let file = place.file("run.eventlog", &secretive());
    let report = place.report(&["--embed-limit", "10"], &[&file]);
    assert!(held(&report).is_empty());
    assert!(report.contains("data-beside=\"run.eventlog\""));
    assert!(report.contains("connect-src 'self'"), "it may be asked of the page's own server");
    assert!(report.contains("<svg") && report.contains("#123456"), "what it looks like is there");
    let report = place.report(&["--embed-limit", "1MB"], &[&file]);
    assert!(!report.contains("connect-src"), "a page that holds all asks nobody");
}

/// The value at the top of a line is written there; the lines of all capabilities have one scale.
#[test]
fn the_lines_of_a_report_have_scales() {
    let log = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/threaded/log.eventlog");
    let report = Place::new().report(&[], &[&log]);
    let written = |scale: &str| report.matches(&format!(">{scale}</text>")).count();
    assert_eq!(["1.57 MiB", "6.00 MiB", "4.30 GiB/s", "2.87 GiB/s"].map(written), [1, 1, 1, 3]);
}

#[test]
fn a_report_without_the_log_has_every_track() {
    let log = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/threaded/log.eventlog");
    let report = Place::new().report(&["--embed-limit", "10"], &[&log]);
    let mut folded = report.split("<details><summary>").skip(1);
    assert!(
        folded.clone().any(|group| group.starts_with("Other events (")),
        "what the page has folded can be unfolded"
    );
    assert!(folded.all(|group| group.split("</details>").next().unwrap().contains("<svg")));
    for track in ["Capability 0", "Collections", "Live data", "Cap 1 alloc", "Task ", "RUN_THREAD"] {
        assert!(report.contains(&format!(">{track}")), "{track}");
    }
    assert!(!report.contains("more tracks"));
}

#[test]
fn the_words_of_spans_go_with_the_log() {
    let place = Place::new();
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |block| {
        block.event(Nanos(1), UserMsg { text: Text(b"<i> request") });
        block.event(Nanos(5), UserMsg { text: Text(b"</i> request") });
    });
    log.end();
    let file = place.file("run.eventlog", &log.finish());
    let report = place.report(&["--span-words", "<i>,</i>"], &[&file]);
    assert!(report.contains("data-log=\"run.eventlog\" data-span-words=\"&lt;i&gt;,&lt;/i&gt;\""));
    assert!(report.contains("Spans by label"), "what they tell is in the report");
    let report = place.report(&[], &[&file]);
    assert!(!report.contains("data-span-words") && !report.contains("Spans by label"));
}

#[test]
fn the_link_to_the_sources_goes_with_the_log() {
    let place = Place::new();
    let file = place.file("run.eventlog", &secretive());
    let url = "https://example.org/{commit}/{file}?a&b#L{line}";
    let report = place.report(&["--source-url", url, "--commit", "1\""], &[&file]);
    let expected = "data-source-url=\"https://example.org/{commit}/{file}?a&amp;b#L{line}\" data-commit=\"1&quot;\"";
    assert!(report.contains(expected));
    assert!(!place.report(&[], &[&file]).contains("data-source-url"));
}

#[test]
fn several_logs_are_one_page_and_have_names_of_their_own() {
    let place = Place::new();
    let file = place.file("run.eventlog", &secretive());
    let report = place.report(&[], &[&file, &file]);
    assert_eq!(held(&report).len(), 2);
    assert!(report.contains("data-log=\"run.eventlog\"") && report.contains("data-log=\"run.eventlog (2)\""));
    assert_eq!(report.matches("<article").count(), 2);
}

#[test]
fn what_cannot_be_read_leaves_no_report() {
    let place = Place::new();
    let file = place.file("no.eventlog", b"this is no log");
    let output = place.run(&[], &[&file]);
    assert_eq!(output.status.code(), Some(2));
    assert!(!place.folder.path().join("report.html").exists());
    assert_eq!(fs::read_dir(place.folder.path()).unwrap().count(), 2, "nothing else is left, either");
    let log = place.file("run.eventlog", &secretive());
    // Of several logs, the readable ones are in the report.
    let output = place.run(&[], &[&log, &file]);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(held(&fs::read_to_string(place.folder.path().join("report.html")).unwrap()).len(), 1);
    let output = place.run(&["-o", "nowhere/report.html"], &[&log]);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stderr).contains("nowhere/report.html"));
    let output = place.run(&["--viewer", "no.eventlog"], &[&log]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("viewer"), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The user's umask decides who may read a report, as for any file.
#[cfg(unix)]
#[test]
fn a_report_has_the_rights_of_other_files() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    let log = place.file("run.eventlog", &secretive());
    place.report(&[], &[&log]);
    let rights = |name: &str| fs::metadata(place.folder.path().join(name)).unwrap().permissions().mode();
    assert_eq!(rights("report.html"), rights("run.eventlog"));
}
