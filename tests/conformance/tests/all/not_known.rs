//! What is not known is neither idle nor empty: of times without events, of what was lost, of classes that are not logged, and of what has
//! not been read yet. Totals, pictures, ranges and look-ups say the same of it.

use crate::lookup::look_up;
use conformance::{arranged, exact_window, model_in_steps, whole_range};
use ghc_eventlog::{
    Block, CapNo, CreateThread, GcEnd, GcGlobalSync, GcStart, LogWriter, Nanos, RunThread, StopStatus, StopThread,
    ThreadId,
};
use ghc_eventlog_model::{Model, Note, Place, TrackId, View};

const LANE: TrackId = TrackId::capability(CapNo(1));

/// Two capabilities; one comes and goes later than the other.
fn lanes(threads: bool, collections: bool) -> Vec<u8> {
    let mut log = LogWriter::new();
    for (cap, from, to) in [(0, 1000, 9000), (1, 3000, 5000)] {
        log.block(Block::of(CapNo(cap)), |block| {
            let thread = ThreadId(1);
            block.event(Nanos(from), GcGlobalSync {});
            if threads {
                block.event(Nanos(from + 200), RunThread { thread });
                block.event(Nanos(from + 700), StopThread { thread, status: StopStatus(3), info: Some(0) });
            }
            if collections {
                block.event(Nanos(from + 1000), GcStart {});
                block.event(Nanos(from + 1500), GcEnd {});
            }
            block.event(Nanos(to), GcGlobalSync {});
        });
    }
    log.end();
    log.finish()
}

/// The time in each state of a track; `None` for states of which the log does not tell.
fn states(model: &Model, track: TrackId) -> Vec<Option<u64>> {
    let track = model.tracks(&arranged(model)).into_iter().find(|other| other.id == track).unwrap();
    let totals = model.totals(&arranged(model), track.id);
    totals.iter().zip(track.lacks).map(|(total, lacks)| lacks.is_none().then_some(total.0)).collect()
}

/// All of the time that is known of a lane is in one of its states.
#[test]
fn a_lanes_states_are_all_of_what_is_known_of_it() {
    let log = lanes(true, true);
    let mut model = model_in_steps(&log, log.len());
    assert_eq!(states(&model, LANE), [500, 0, 0, 500, 0, 0, 0, 1000].map(Some));
    let (range, _) = whole_range(&mut model, &log, Nanos(3500), Nanos(6000)).unwrap();
    assert_eq!(
        model.range_totals(&arranged(&model), &range, LANE).unwrap().states,
        [200, 0, 0, 500, 0, 0, 0, 800].map(Nanos)
    );
    let view = View { from: Nanos(2000), to: Nanos(6000), width: 4 };
    let window = exact_window(&mut model, &log, view, LANE);
    let sums: Vec<u32> =
        window.shares.chunks(window.states).map(|shares| shares.iter().map(|share| u32::from(*share)).sum()).collect();
    assert!(sums[0] == 0 && sums[1] > 250 && sums[2] > 250 && sums[3] == 0, "{sums:?}");
    for (at, expected) in [(2500, Place::Unknown(None)), (6000, Place::Unknown(None))] {
        assert_eq!(look_up(&mut model, &log, LANE, Nanos(at), Nanos(at + 9)).0, expected);
    }
}

/// Two capabilities that run now and then, a block each time; of the first one the second block is destroyed from its first
/// byte on, as far as `bytes`.
fn destroyed(bytes: usize) -> Vec<u8> {
    let mut log = LogWriter::new();
    let mut second = 0;
    let thread = ThreadId(1);
    for start in [1000, 3000, 5000] {
        for cap in 0..2 {
            if (start, cap) == (3000, 0) {
                second = log.offset();
            }
            log.block(Block::of(CapNo(cap)), |block| {
                block.event(Nanos(start), RunThread { thread });
                block.event(Nanos(start + 500), StopThread { thread, status: StopStatus(3), info: Some(0) });
                block.event(Nanos(start + 600), GcStart {}).event(Nanos(start + 700), GcEnd {});
            });
        }
    }
    log.end();
    let mut log = log.finish();
    log[second..second + bytes].fill(0x77);
    log
}

/// A block that was lost with its marker may belong to any capability, so none is known to be idle meanwhile.
#[test]
fn a_lost_block_is_not_known_of_any_capability() {
    let log = destroyed(24 + 14 + 20 + 10 + 10);
    let mut model = model_in_steps(&log, log.len());
    assert_eq!(model.diagnostics().count(), 1, "{:?}", model.diagnostics());
    let one = TrackId::capability(CapNo(0));
    assert_eq!(states(&model, one), [1000, 0, 0, 200, 3300, 0, 0, 200].map(Some));
    assert_eq!(states(&model, LANE), [1500, 0, 0, 300, 1300, 0, 0, 1600].map(Some));
    for (track, at, state, start, end) in
        [(one, 3100, "not known", 1700, 5000), (LANE, 2000, "not known", 1700, 3000), (LANE, 4000, "idle", 3700, 5000)]
    {
        let Place::Span(found) = look_up(&mut model, &log, track, Nanos(at), Nanos(at + 1)).0 else { panic!("{at}") };
        assert_eq!((found.state, found.span.start, found.span.end), (state, Nanos(start), Nanos(end)));
    }
}

/// If the marker of a damaged block can be read, other capabilities lost nothing.
#[test]
fn what_is_lost_within_a_block_is_its_own_capabilitys() {
    let mut log = destroyed(0);
    let second = destroyed(1).iter().zip(&log).position(|(one, other)| one != other).unwrap();
    log[second + 24..second + 24 + 14 + 20].fill(0x77);
    let model = model_in_steps(&log, log.len());
    assert_eq!(states(&model, LANE)[4], Some(0));
    assert!(states(&model, TrackId::capability(CapNo(0)))[4] > Some(1000));
}

/// What the logged classes of events do not include is unknown, not 0.
#[test]
fn states_that_are_not_logged_are_unknown() {
    let log = lanes(false, true);
    let mut model = model_in_steps(&log, log.len());
    assert_eq!(states(&model, LANE), [None, Some(0), Some(0), Some(500), Some(0), Some(0), Some(0), None]);
    let notes: Vec<Note> = model.tracks(&arranged(&model)).into_iter().map(|track| track.note).collect();
    assert_eq!(notes[..3], [Note::Lacks("-ls"); 3]);
    let view = View { from: Nanos(1000), to: Nanos(9000), width: 8 };
    assert!(exact_window(&mut model, &log, view, TrackId::ACTIVITY).shares.iter().all(|share| *share == 0));
    let (idle, _) = look_up(&mut model, &log, LANE, Nanos(4800), Nanos(4810));
    assert_eq!(idle, Place::Unknown(Some("-ls")));
    let (collecting, _) = look_up(&mut model, &log, LANE, Nanos(4200), Nanos(4210));
    assert!(matches!(collecting, Place::Span(_)), "{collecting:?}");

    let log = lanes(true, false);
    let mut model = model_in_steps(&log, log.len());
    assert_eq!(states(&model, LANE), [Some(500), None, None, None, Some(0), None, Some(0), None]);
    assert_eq!(model.track(&arranged(&model), TrackId::COLLECTIONS).map(|track| track.note), Some(Note::Lacks("-lg")));
    assert_eq!(look_up(&mut model, &log, LANE, Nanos(4800), Nanos(4810)).0, Place::Unknown(Some("-lg")));
    assert_eq!(look_up(&mut model, &log, TrackId::COLLECTIONS, Nanos(1), Nanos(2)).0, Place::Unknown(Some("-lg")));
}

/// A capability about which nothing is known is not idle.
#[test]
fn activity_is_the_mean_of_the_lanes_that_are_known() {
    let log = lanes(true, true);
    let mut model = model_in_steps(&log, log.len());
    // From 3200 to 3700 capability 1 runs; capability 0 does not, but is known.
    for (from, to, expected) in [(1200, 1700, 255), (3200, 3700, 127), (3000, 4000, 63), (8000, 9000, 0)] {
        let view = View { from: Nanos(from), to: Nanos(to), width: 1 };
        let window = exact_window(&mut model, &log, view, TrackId::ACTIVITY);
        assert!(window.shares[0].abs_diff(expected) <= 1, "{from}: {:?}", window.shares);
        assert!(window.shares[0] as u32 + u32::from(window.shares[1]) >= 254, "all is known: {:?}", window.shares);
        let (place, _) = look_up(&mut model, &log, TrackId::ACTIVITY, Nanos(from), Nanos(to));
        let Place::Level { running, of, .. } = place else { panic!("{place:?}") };
        let known = if (3000..5000).contains(&from) { 2 } else { 1 };
        assert_eq!(of, known);
        assert!((running - f64::from(expected) / 255.0 * known as f64).abs() < 0.01, "{running}");
    }
    for (from, to) in [(0, 500), (9001, 9002), (20_000, 30_000)] {
        let (place, _) = look_up(&mut model, &log, TrackId::ACTIVITY, Nanos(from), Nanos(to));
        assert_eq!(place, Place::Unknown(None), "{from}");
    }
    let ran = 500.0 + 500.0;
    let Note::Share(share) = model.tracks(&arranged(&model))[0].note else { panic!() };
    assert!((share - ran / 10_000.0).abs() < 1e-9, "{share}");
}

/// While the log is read, open spans are drawn, and times that have not come yet differ from unknown times.
#[test]
fn unread_time_differs_from_unknown_time() {
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |block| {
        let thread = ThreadId(1);
        block.event(Nanos(1000), RunThread { thread });
        // Segments can be read again once they are closed.
        for _ in 0..40_000 {
            block.event(Nanos(2000), CreateThread { thread });
        }
        block.event(Nanos(3000), StopThread { thread, status: StopStatus(3), info: Some(0) });
    });
    let log = log.finish();
    let lane = TrackId::capability(CapNo(0));
    let mut model = Model::of_size(Some(log.len() as u64));
    model.feed(&log[..log.len() - 100]);
    for track in [lane, TrackId::ACTIVITY] {
        for (from, to, expected) in [(0, 900, Place::Unknown(None)), (2500, 2600, Place::Unread)] {
            let (place, _) = look_up(&mut model, &log, track, Nanos(from), Nanos(to));
            assert_eq!(place, expected, "{track:?}, {from}");
        }
    }
    let (place, _) = look_up(&mut model, &log, lane, Nanos(1500), Nanos(1600));
    assert!(matches!(place, Place::Span(found) if found.span.start == Nanos(1000)));
    let (place, _) = look_up(&mut model, &log, TrackId::ACTIVITY, Nanos(1500), Nanos(1600));
    assert_eq!(place, Place::Level { running: 1.0, of: 1, what: "capabilities" });
    model.feed(&log[log.len() - 100..]);
    model.finish();
    for track in [lane, TrackId::ACTIVITY] {
        let (place, _) = look_up(&mut model, &log, track, Nanos(3500), Nanos(3600));
        assert_eq!(place, Place::Unknown(None), "{track:?}");
    }
}
