//! What is left out of a copy is not in it, whatever the log's bytes are. `MUTANTS=200` tries 200 mutants of each log.

use conformance::{
    Mutants, Secrets, all_strips, check_copy, check_events, check_strip, copy_in_steps, decode_in_steps, files,
    gives_away, planted, project, shared_logs,
};
use ghc_eventlog::NoticeKind;
use ghc_eventlog_strip::Strip;
use std::{env, fs, path::PathBuf};

const ALL: Strip = Strip { env: true, args: true, messages: true };
const DEFAULT: Strip = Strip { env: true, args: false, messages: false };

/// Larger logs take too long for this.
const LARGE: u64 = 400_000;

fn logs() -> Vec<PathBuf> {
    let beside = ["hostile", "unsafe"].map(|name| files(&project().join("../shared").join(name), ".eventlog"));
    let mut logs = files(&project().join("tests/corpus"), "log.eventlog");
    assert!(logs.len() > 100, "the corpus is there");
    logs.extend(shared_logs().into_iter().chain(beside.into_iter().flatten()));
    logs.retain(|path| fs::metadata(path).is_ok_and(|data| data.len() < LARGE));
    logs
}

fn has_notice(log: &[u8], is_one: impl Fn(NoticeKind) -> bool) -> bool {
    let decoded = decode_in_steps(log, log.len().max(1), |_, _| ());
    decoded.error.is_some() || decoded.notices.iter().any(|notice| is_one(notice.kind))
}

/// Whether a log has a proper end, so that what follows it cannot become a part of its last event, or be taken for more
/// events.
fn is_whole(log: &[u8]) -> bool {
    !has_notice(log, |kind| kind.is_loss() || kind == NoticeKind::NoEndMark)
}

/// Whether bytes were skipped to find the next event. Then that event may have been accepted because of what the bytes
/// look like.
fn is_damaged(log: &[u8]) -> bool {
    has_notice(log, |kind| matches!(kind, NoticeKind::Lost { .. }))
}

fn number(name: &str, usual: usize) -> usize {
    env::var(name).ok().and_then(|count| count.parse().ok()).unwrap_or(usual)
}

/// Panics with the names of some failures, if there are any.
fn none_fails(failures: &[String], of: usize) {
    assert!(failures.is_empty(), "{} of {of}: {:#?}", failures.len(), &failures[..failures.len().min(20)]);
}

#[test]
fn each_log_has_the_same_events_in_its_copy() {
    let (mut events, mut kept, mut failures) = (0, 0, Vec::new());
    let mut logs = logs();
    // This log has nothing but damage, with false events that confirm each other.
    logs.retain(|path| !path.ends_with("model-mismatch-2.eventlog"));
    for path in &logs {
        let log = fs::read(path).unwrap();
        for strip in all_strips() {
            match check_events(&log, strip).and_then(|count| Ok((count, check_copy(&log, strip)?))) {
                Ok((count, bytes)) => {
                    events += count;
                    kept += bytes;
                }
                Err(why) => failures.push(format!("{} {strip:?}: {why}", path.display())),
            }
        }
    }
    println!("{} logs, {events} events, {kept} bytes kept", logs.len());
    none_fails(&failures, logs.len() * 8);
    assert!(events > 100_000 && kept > 1_000_000, "{events} {kept}");
}

#[test]
fn mutants_give_nothing_away_that_is_no_event() {
    let (count, seed) = (number("MUTANTS", 6), number("SEED", 1) as u64);
    let mut random = fastrand::Rng::with_seed(seed);
    let (mut tried, mut failures, mut other_events) = (0, Vec::new(), Vec::new());
    for path in logs() {
        let secrets = Secrets::new(&mut random);
        let log = fs::read(&path).unwrap();
        let sources =
            [log.clone()].into_iter().chain(planted(&log, &secrets, &mut random, 1).into_iter().map(|one| one.log));
        for (number, source) in sources.enumerate() {
            for mutant in
                Mutants::new(&source, random.u64(..)).take(if number == 0 { count } else { count.div_ceil(6) })
            {
                let choice = random.usize(..256);
                let strip = all_strips()[choice % 8];
                tried += 1;
                let place = || format!("{}, seed {seed}, source {number}, {strip:?}", path.display());
                if let Err(why) = check_strip(&mutant, choice) {
                    failures.push(format!("{}: {why}", place()));
                }
                match check_events(&mutant, strip) {
                    Err(why) if is_damaged(&mutant) => other_events.push(format!("{}: {why}", place())),
                    Err(why) => failures.push(format!("{}: {why}", place())),
                    Ok(_) => {}
                }
            }
        }
    }
    println!("{tried} mutants; {} have other events", other_events.len());
    none_fails(&failures, tried);
    assert!(other_events.len() < tried / 30, "{:#?}", &other_events[..other_events.len().min(20)]);
    assert!(tried > 1000);
}

#[test]
fn no_secret_is_in_a_copy_wherever_it_was() {
    let (each, seed) = (number("MUTANTS", 2), number("SEED", 1) as u64);
    let mut random = fastrand::Rng::with_seed(seed);
    let (mut tried, mut failures, mut misread, mut before) = (0, Vec::new(), Vec::new(), 0);
    for path in logs() {
        let log = Some(fs::read(&path).unwrap()).filter(|log| is_whole(log)).unwrap_or_default();
        let secrets = Secrets::new(&mut random);
        for one in planted(&log, &secrets, &mut random, each) {
            for strip in [DEFAULT, ALL, Strip::default()] {
                tried += 1;
                let copy = copy_in_steps(&one.log, strip, random.usize(1..5000));
                let given = secrets.given_away(&copy, strip);
                // A few zeros before a text, and the text's own letters: CREATE_THREAD.
                let may_be_misread = is_damaged(&one.log);
                before += usize::from(!secrets.given_away(&one.log, strip).is_empty());
                if !given.is_empty() {
                    let failures = if may_be_misread { &mut misread } else { &mut failures };
                    failures.push(format!("{} in {}, {strip:?}: {given:?}", path.display(), one.place));
                }
                if let Err(why) = check_copy(&one.log, strip) {
                    failures.push(format!("{} in {}, {strip:?}: {why}", path.display(), one.place));
                }
            }
        }
    }
    println!("{tried} copies, {before} of logs with secrets that are to be left out; {} misread", misread.len());
    none_fails(&failures, tried);
    assert!(misread.len() * 1000 < tried, "{} of {tried}: {misread:#?}", misread.len());
    assert!(tried > 5000 && before > tried * 9 / 10, "{before} of {tried}");
}

/// Junk may be longer than everything that is kept in memory.
#[test]
fn megabytes_of_junk_are_left_out() {
    let mut random = fastrand::Rng::with_seed(5);
    let secrets = Secrets::new(&mut random);
    let (stream, data) = conformance::secretive(&secrets, ghc_eventlog::VARIABLE);
    let long: Vec<u8> = secrets.junk.bytes().cycle().take(5 << 20).collect();
    // After the end, within a block, and where a header is damaged: longer than is searched for its next event type.
    for at in [stream.len(), stream.len() - 2, data, data - 12, data / 2] {
        let log = [&stream, &stream[..at], &long, &stream[at..]].concat();
        for piece in [log.len(), 70_001] {
            let copy = copy_in_steps(&log, ALL, piece);
            assert_eq!(copy.len(), log.len());
            assert!(secrets.given_away(&copy, ALL).is_empty(), "at {at}, by {piece}");
        }
    }
}

/// What is not left out stays in the copy.
#[test]
fn a_secret_that_may_stay_stays() {
    let secrets = Secrets::new(&mut fastrand::Rng::with_seed(3));
    let (log, _) = conformance::secretive(&secrets, ghc_eventlog::VARIABLE);
    for strip in all_strips() {
        let copy = copy_in_steps(&log, strip, 100);
        let there =
            [&secrets.junk, &secrets.env, &secrets.args, &secrets.messages].map(|secret| gives_away(&copy, secret));
        assert_eq!(there, [false, !strip.env, !strip.args, !strip.messages], "{strip:?}");
    }
}

/// Small logs that once gave a secret away. Developers have them beside the project.
#[test]
fn logs_that_gave_a_secret_away_do_not() {
    let folder = project().join("../shared/unsafe");
    let leaks: Vec<PathBuf> =
        files(&folder, ".eventlog").into_iter().filter(|path| path.to_string_lossy().contains("/leak-")).collect();
    if leaks.is_empty() {
        eprintln!("SKIPPED: no logs in {}, this test read nothing", folder.display());
    }
    for path in leaks {
        let log = fs::read(&path).unwrap();
        assert!(gives_away(&log, "S3CR3Tt0ken"), "{}", path.display());
        assert!(!gives_away(&copy_in_steps(&log, ALL, 50), "S3CR3Tt0ken"), "{}", path.display());
        let by_default = gives_away(&copy_in_steps(&log, DEFAULT, 50), "S3CR3Tt0ken");
        let in_args = ["invocation24", "profbegin"].iter().any(|name| path.to_string_lossy().contains(name));
        assert_eq!(by_default, in_args, "{}", path.display());
    }
}
