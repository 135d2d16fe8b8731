//! What must be said of a log before anything is shown of it; and numbers that are known although little else is.

use conformance::{model_in_steps, replay};
use ghc_eventlog::{
    Block, CapNo, CapsetId, CreateThread, LogWriter, Nanos, ProgramArgs, RunThread, StopStatus, StopThread, TextList,
    ThreadId,
};
use ghc_eventlog_model::{DiagnosticKind, Model};

fn log_of(args: &[u8], runs: u64) -> Vec<u8> {
    let mut log = LogWriter::new();
    log.block(Block::GLOBAL, |block| {
        block.event(Nanos(1), ProgramArgs { capset: CapsetId(0), args: TextList(args) });
    });
    log.block(Block::of(CapNo(0)), |block| {
        for run in 1..=runs {
            let thread = ThreadId(1);
            block.event(Nanos(run * 1_000_000), RunThread { thread });
            block.event(Nanos(run * 1_000_000 + 500), StopThread { thread, status: StopStatus(3), info: Some(0) });
        }
    });
    log.end();
    log.finish()
}

fn said(log: &[u8]) -> Vec<String> {
    let model = model_in_steps(log, 1000);
    assert!(model.markdown(None, 1).starts_with("**") != model.foremost().is_empty());
    model.foremost().iter().map(ToString::to_string).collect()
}

#[test]
fn a_log_of_the_wrong_program_says_so() {
    let stack = "This log is of `stack` itself. To record your program: `stack exec prog -- +RTS -l`";
    assert_eq!(said(&log_of(b"stack\0exec\0prog\0+RTS\0-l\0", 20)), [stack]);
    assert_eq!(said(&log_of(b"stack\0exec\0prog\0+RTS\0-l\0", 5000)), [stack]);
    // Who works on a launcher records long runs of it; on the compiler, also short ones.
    assert_eq!(said(&log_of(b"stack\0build\0+RTS\0-l\0", 20)), [stack]);
    assert_eq!(said(&log_of(b"stack\0build\0+RTS\0-l\0", 5000)), [""; 0]);
    assert_eq!(said(&log_of(b"/lib/bin/ghc-9.10\0Main.hs\0+RTS\0-l\0", 20)), [""; 0]);
    assert_eq!(said(&log_of(b"prog\0exec\0+RTS\0-l\0", 20)), [""; 0]);
}

#[test]
fn it_is_said_first_that_most_of_a_file_is_lost() {
    let sound = log_of(b"prog\0", 200);
    let of = |junk: usize| [&sound[..], &vec![0x5a; junk]].concat();
    assert_eq!(said(&of(0)), [""; 0]);
    assert_eq!(said(&of(sound.len() - 10)), [""; 0]);
    let lost = sound.len() + 10;
    let text = format!(
        "Most of this file could not be read: {lost} of its {} bytes. What is shown is of the rest",
        lost + sound.len()
    );
    assert_eq!(said(&of(lost)), [text]);
    // While it is read, too.
    let mut model = Model::new();
    model.feed(&of(lost));
    model.feed(&vec![0x5a; lost]);
    model.stop();
    let all = || model.diagnostics().list().iter().map(|diagnostic| diagnostic.kind);
    assert!(all().any(|kind| matches!(kind, DiagnosticKind::Stopped { .. })));
}

#[test]
fn a_log_that_only_creates_threads_has_their_number() {
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |block| {
        for thread in 1..=20_000 {
            block.event(Nanos(100 * u64::from(thread)), CreateThread { thread: ThreadId(thread) });
        }
    });
    log.end();
    let log = log.finish();
    let mut model = model_in_steps(&log, 1000);
    replay(&mut model, &log);
    let facts = model.typed_facts(None).threads;
    assert_eq!((facts.count, facts.created), (Some(20_000), Some(20_000)));
    // Events of threads are logged, and none is of a run.
    assert_eq!((facts.lacks.is_some(), facts.running), (false, Some(Nanos(0))));
    // Without any thread, nothing is known of them.
    let none = log_of(b"prog\0", 0);
    let facts = model_in_steps(&none, 1000).typed_facts(None).threads;
    assert_eq!((facts.count, facts.created), (None, None));
}
