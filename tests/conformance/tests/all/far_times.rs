//! Times at the end of what 64 bits hold, and near it: nothing overflows, and it is said that a time must be wrong.

use conformance::{agree, arranged, exact_plan, model_in_steps, replay, spans, whole_range};
use ghc_eventlog::{
    Block, CapNo, CapsetId, CreateThread, GcEnd, GcGlobalSync, GcStart, HeapAllocated, HeapProfSampleBegin, HeapSize,
    LogWriter, Nanos, RunThread, SparkCounters, StopStatus, StopThread, Text, ThreadId, ThreadWakeup, UserMarker,
    UserMsg,
};
use ghc_eventlog_model::{DiagnosticKind, Facts, TrackId, View};

const US: u64 = 1000;

/// A short program, and events of every sort of track at a time; the block's end says so too, or does not.
fn log(far: u64, is_in_marker: bool) -> Vec<u8> {
    let mut log = LogWriter::new();
    let (thread, capset) = (ThreadId(1), CapsetId(0));
    let stop = StopThread { thread, status: StopStatus(8), info: Some(0) };
    let end_time = (!is_in_marker).then_some(Nanos(60 * US));
    log.block(Block { end_time, ..Block::of(CapNo(0)) }, |block| {
        block.event(Nanos(US), CreateThread { thread }).event(Nanos(2 * US), RunThread { thread });
        block.event(Nanos(10 * US), stop).event(Nanos(11 * US), GcStart {}).event(Nanos(12 * US), GcGlobalSync {});
        block.event(Nanos(13 * US), HeapAllocated { capset, bytes: 1000 }).event(Nanos(14 * US), GcEnd {});
        block.event(Nanos(15 * US), ThreadWakeup { thread, cap: CapNo(0) });
        for time in [Nanos(50 * US), Nanos(far)] {
            let text = Text(b"START a");
            block.event(time, UserMsg { text }).event(time, UserMarker { text: Text(b"queue 7") });
            block.event(time, RunThread { thread }).event(time, stop);
            block.event(time, GcStart {}).event(time, GcGlobalSync {});
            block.event(time, HeapAllocated { capset, bytes: u64::MAX }).event(time, GcEnd {});
            block.event(time, HeapSize { capset, bytes: u64::MAX });
            let most = u64::MAX;
            let counters = SparkCounters {
                created: most,
                dud: 1,
                overflowed: 2,
                converted: most,
                gcd: 3,
                fizzled: 4,
                remaining: 5,
            };
            block.event(time, counters).event(time, HeapProfSampleBegin { number: 0 });
        }
    });
    log.end();
    log.finish()
}

#[test]
fn times_at_the_end_of_all_times_overflow_nothing() {
    for far in [u64::MAX, u64::MAX - 1, u64::MAX - 2, u64::MAX - 5000, u64::MAX / 2, u64::MAX / 2 + 1, 1 << 63] {
        for is_in_marker in [true, false] {
            let log = log(far, is_in_marker);
            for step in [log.len(), 50] {
                let mut model = model_in_steps(&log, step);
                replay(&mut model, &log);
                let (first, last) = model.extent().unwrap();
                assert_eq!(first, Nanos(US), "{far}");
                let said = model.foremost();
                let is_far = |kind: &DiagnosticKind| matches!(kind, DiagnosticKind::FarApart(_));
                // Or the decoder has found that the record cannot be one.
                assert!(last < Nanos(1 << 32) || said.iter().any(is_far), "{far}: {said:?}");
                let told: Facts = model.facts(None);
                assert!(told.section("caps").is_some() && !model.markdown(None, 100).is_empty(), "{far}");
                let view = View { from: first, to: last.plus(Nanos(1)), width: 100 };
                let plan = exact_plan(&mut model, &log, view);
                let arrangement = arranged(&model);
                for track in model.tracks(&arrangement) {
                    assert!(model.window(&arrangement, &plan, track.id).values.len() <= 400 * 21, "{far}");
                }
                // What the program did before is there, in full.
                let runs = spans(&mut model, &log, TrackId::capability(CapNo(0)));
                assert!(
                    runs.iter().any(|run| (run.start, run.end) == (Nanos(2 * US), Nanos(10 * US))),
                    "{far}: {runs:?}"
                );
                whole_range(&mut model, &log, Nanos(0), Nanos(60 * US)).unwrap();
            }
            agree(&log, &mut fastrand::Rng::with_seed(far)).unwrap_or_else(|error| panic!("{far}: {error}"));
        }
    }
}

#[test]
fn a_log_of_years_is_not_believed() {
    let said = |last: u64| {
        model_in_steps(&log(last, true), 1 << 20).foremost().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(said(24 * 3600 * 1_000_000_000), [""; 0]);
    let far = said(u64::MAX);
    assert!(far.len() == 1 && far[0].starts_with("This log goes over 584 years"), "{far:?}");
}
