//! Generated logs are as described, and undamaged.

use conformance::{Decoded, SHAPES, Threads, Tile, decode_in_steps, files, project, shape, shared_logs, tiled};
use ghc_eventlog::{
    BlockMarker, CapNo, CreateThread, Event, GcStats, HeapProfSampleBegin, HeapProfSampleString, Ipe, Nanos,
    ProfSampleCostCentre, Record, RunThread, StopThread, ThreadId, ThreadWakeup, Value,
};
use std::{collections::BTreeSet, fs};

/// An event as the tests compare it: time, number, capability, and the threads that its fields name.
#[derive(Debug, Clone, PartialEq)]
struct Seen {
    time: u64,
    tag: u16,
    cap: Option<CapNo>,
    threads: Vec<u32>,
}

fn seen(record: &Record<'_>) -> Seen {
    let mut threads = Vec::new();
    record.visit(|_, value| {
        if let Value::Thread(ThreadId(thread)) = value {
            threads.push(thread);
        }
    });
    Seen { time: record.time.0, tag: record.tag, cap: record.cap, threads }
}

/// A log's events, including block markers. There must be no notices.
fn sound<T>(log: &[u8], mut event: impl FnMut(Record<'_>) -> T) -> Vec<T> {
    let Decoded { events, notices, error } = decode_in_steps(log, log.len(), |_, record| event(record));
    assert!(notices.is_empty() && error.is_none(), "{notices:?} {error:?}");
    events
}

fn threaded() -> Vec<u8> {
    fs::read(project().join("tests/corpus/threaded/log.eventlog")).unwrap()
}

fn repeated(log: &[u8], times: u64, threads: Threads) -> Vec<u8> {
    let mut to = Vec::new();
    Tile::of(log).unwrap().write(times, threads, &mut to).unwrap();
    to
}

#[test]
fn repetitions_are_the_same_events_later() {
    let once = sound(&threaded(), |record| seen(&record));
    let all = sound(&repeated(&threaded(), 5, Threads::Keep), |record| seen(&record));
    assert_eq!(all.len(), 5 * once.len());
    let rounds: Vec<_> = all.chunks(once.len()).collect();
    let period = rounds[1][0].time - rounds[0][0].time;
    let (first, last) = (once.iter().map(|event| event.time).min(), once.iter().map(|event| event.time).max());
    assert!(period > last.unwrap() - first.unwrap(), "repetitions do not overlap");
    for (round, events) in rounds.into_iter().enumerate() {
        let later = |event: &Seen| Seen { time: event.time + round as u64 * period, ..event.clone() };
        assert!(events.iter().eq(&once.iter().map(later).collect::<Vec<_>>()), "repetition {round}");
    }
}

#[test]
fn growing_repetitions_have_threads_of_their_own() {
    let threads = |log: &[u8]| -> Vec<Vec<u32>> { sound(log, |record| seen(&record).threads) };
    let once = threads(&threaded());
    let largest = *once.iter().flatten().max().unwrap();
    let all = threads(&repeated(&threaded(), 4, Threads::Grow));
    for (round, events) in all.chunks(once.len()).enumerate() {
        let grown = |thread: &u32| thread + round as u32 * largest;
        let expected: Vec<Vec<_>> = once.iter().map(|event| event.iter().map(grown).collect()).collect();
        assert!(events == expected, "repetition {round}");
    }
    let different = |events: &[Vec<u32>]| events.iter().flatten().collect::<BTreeSet<_>>().len();
    assert_eq!(different(&all), 4 * different(&once));
}

/// For logs of any runtime: undamaged ones stay so, and damaged ones are refused.
#[test]
fn every_sound_log_can_be_repeated() {
    let mut repeated_logs = 0;
    for path in files(&project().join("tests/corpus"), "log.eventlog").into_iter().chain(shared_logs()) {
        let log = fs::read(&path).unwrap();
        let Ok(tile) = Tile::of(&log) else { continue };
        let once = sound(&log, |_| ()).len();
        for threads in [Threads::Keep, Threads::Grow] {
            let mut to = Vec::new();
            // One log has times near the largest possible one, so it cannot be repeated later.
            if tile.write(3, threads, &mut to).is_ok() {
                assert_eq!(sound(&to, |_| ()).len(), 3 * once, "{}", path.display());
                repeated_logs += 1;
            }
        }
    }
    assert!(repeated_logs > 40, "{repeated_logs}");
}

#[test]
fn what_is_damaged_is_not_repeated() {
    let log = threaded();
    let refused = |log: &[u8]| Tile::of(log).map(drop).unwrap_err().to_string();
    assert!(refused(&log[..log.len() - 2]).contains("no end mark"));
    assert!(refused(&[&log[..], b"junk"].concat()).contains("4 bytes after the end mark"));
    assert!(refused(b"no log").contains("cannot be read"));
}

#[test]
fn repetitions_reach_the_size_that_is_asked_for() {
    let log = threaded();
    let tile = Tile::of(&log).unwrap();
    for bytes in [0, 1, log.len(), log.len() + 1, 1 << 20] {
        let times = tile.times_for(bytes as u64);
        assert!(tiled(&log, times).len() >= bytes.min(tiled(&log, 1).len()));
        assert!(tiled(&log, times).len() >= bytes, "{bytes}");
        assert!(times == 1 || tiled(&log, times - 1).len() < bytes, "{bytes}");
    }
}

/// A small log of a shape.
fn small(name: &str, count: u64) -> Vec<u8> {
    let mut log = Vec::new();
    (shape(name).unwrap().write)(count, &mut log).unwrap();
    log
}

#[test]
fn shapes_are_sound_and_always_the_same() {
    for shape in SHAPES {
        let count = shape.count / 1000 + 10;
        let log = small(shape.name, count);
        let times = sound(&log, |record| record.time);
        assert!(times.len() > 50, "{}", shape.name);
        assert!(log == small(shape.name, count), "{}", shape.name);
    }
}

#[test]
fn threads_are_as_many_as_asked_for() {
    let log = small("threads", 1234);
    let created = sound(&log, |record| (record.tag == CreateThread::TAG).then(|| seen(&record).threads));
    let created: Vec<_> = created.into_iter().flatten().flatten().collect();
    assert_eq!((created.len(), created.iter().collect::<BTreeSet<_>>().len()), (1234, 1234));
    let run = sound(&log, |record| (record.tag == RunThread::TAG).then(|| seen(&record).threads));
    assert!(run.into_iter().flatten().flatten().collect::<BTreeSet<_>>() == created.into_iter().collect());
}

#[test]
fn all_64_capabilities_run_and_collect() {
    let events = sound(&small("caps", 50), |record| seen(&record));
    let caps = |tag| events.iter().filter(|event| event.tag == tag).filter_map(|event| event.cap).collect::<Vec<_>>();
    let all: BTreeSet<_> = (0..64).map(CapNo).collect();
    assert_eq!(caps(RunThread::TAG).into_iter().collect::<BTreeSet<_>>(), all);
    assert_eq!(caps(GcStats::TAG).len(), 50);
}

#[test]
fn ten_hours_have_an_hour_of_nothing() {
    let hour = 3_600 * Nanos::SECOND.0;
    let events = sound(&small("long", 100), |record| (record.tag != BlockMarker::TAG).then_some(record.time.0));
    let times: Vec<_> = events.into_iter().flatten().collect();
    assert_eq!(times.iter().max().unwrap() / Nanos::MILLISECOND.0, 10 * hour / Nanos::MILLISECOND.0);
    assert!(!times.iter().any(|time| (4 * hour + hour / 100..5 * hour).contains(time)));
    assert!(times.iter().any(|time| (3 * hour..4 * hour).contains(time)));
}

#[test]
fn a_burst_is_10_ms_long() {
    let log = small("burst", 80_000);
    let events = sound(&log, |record| seen(&record));
    let within = Nanos::SECOND.0 * 5..=Nanos::SECOND.0 * 5 + 10 * Nanos::MILLISECOND.0;
    let runs = |event: &&Seen| matches!(event.tag, RunThread::TAG | StopThread::TAG) && within.contains(&event.time);
    let burst = events.iter().filter(runs).count();
    assert!((80_000..80_100).contains(&burst), "{burst}");
    assert!(events.len() - burst < burst);
}

#[test]
fn long_texts_are_60_kb_long() {
    let lengths = sound(&small("labels", 30), |record| match record.event() {
        Event::ThreadLabel(event) => event.label.0.len(),
        Event::UserMsg(event) => event.text.0.len(),
        Event::UserMarker(event) => event.text.0.len(),
        _ => 0,
    });
    assert_eq!(lengths.into_iter().filter(|length| *length == 60_000).count(), 30);
}

/// The shares are those of a real server's log.
#[test]
fn wake_ups_are_two_in_five_events() {
    let events = sound(&small("wake-ups", 20_000), |record| seen(&record));
    let share = |tags: &[u16]| events.iter().filter(|event| tags.contains(&event.tag)).count() * 100 / events.len();
    let (runs, wake_ups) = (share(&[RunThread::TAG, StopThread::TAG]), share(&[ThreadWakeup::TAG]));
    assert!(
        (46..=52).contains(&runs) && (39..=45).contains(&wake_ups),
        "{runs} % runs and stops, {wake_ups} % wake-ups"
    );
}

#[test]
fn one_message_of_very_many_says_that_a_request_failed() {
    let texts = sound(&small("messages", 100_000), |record| match record.event() {
        Event::UserMsg(event) => String::from_utf8_lossy(event.text.0).into_owned(),
        _ => String::new(),
    });
    let messages = texts.iter().filter(|text| !text.is_empty());
    assert!((100_000..110_000).contains(&messages.count()));
    let failed: Vec<_> = texts.iter().filter(|text| text.contains("failed")).collect();
    assert!(failed.len() == 1 && failed[0].starts_with("request 100000 of client "), "{failed:?}");
}

#[test]
fn spans_are_in_one_another_and_one_user_takes_long() {
    let log = small("spans", 800_000);
    let marks = sound(&log, |record| match record.event() {
        Event::UserMarker(event) => {
            Some((record.cap, record.time.0, String::from_utf8_lossy(event.text.0).into_owned()))
        }
        _ => None,
    });
    let mut open: [Vec<(u64, String)>; 4] = Default::default();
    let (mut deepest, mut ended, mut users, mut slow) = (0, 0, BTreeSet::new(), BTreeSet::new());
    for (cap, time, text) in marks.into_iter().flatten() {
        let open = &mut open[usize::from(cap.unwrap().0)];
        if let Some(label) = text.strip_prefix("START ") {
            open.push((time, label.to_owned()));
            deepest = deepest.max(open.len());
            continue;
        }
        let (begin, label) = open.pop().unwrap();
        assert_eq!(text, format!("STOP {label}"));
        ended += 1;
        if label.starts_with("user ") {
            slow.extend((time - begin > 10 * Nanos::MILLISECOND.0).then(|| label.clone()));
            users.insert(label);
        }
    }
    assert!(open.iter().all(Vec::is_empty) && (800_000..810_000).contains(&ended), "{ended}");
    assert_eq!((deepest, users.len(), slow), (3, 100_000, ["user 77777".to_owned()].into()));
}

#[test]
fn of_many_threads_only_the_last_is_blocked() {
    let log = small("many-threads", 2000);
    let created = sound(&log, |record| (record.tag == CreateThread::TAG).then(|| seen(&record).threads));
    let created: Vec<_> = created.into_iter().flatten().flatten().collect();
    let last = *created.iter().max().unwrap();
    assert!((2000..2300).contains(&created.len()) && created.last() == Some(&last), "{}", created.len());
    let stops = sound(&log, |record| match record.event() {
        Event::StopThread(event) => Some((record.time.0, event.thread.0, event.status)),
        _ => None,
    });
    let blocked: Vec<_> = stops.into_iter().flatten().filter(|(.., status)| status.0 == 7).collect();
    let [(from, thread, _)] = blocked[..] else { panic!("{blocked:?}") };
    let woken = sound(&log, |record| (record.tag == ThreadWakeup::TAG).then_some(record.time.0));
    assert_eq!((thread, woken.into_iter().flatten().next()), (last, Some(from + 2 * Nanos::SECOND.0)));
}

#[test]
fn info_tables_are_many_and_those_of_the_profile_few() {
    let tags = sound(&small("ipe", 20), |record| record.tag);
    let count = |of| tags.iter().filter(|tag| **tag == of).count();
    assert_eq!([Ipe::TAG, HeapProfSampleBegin::TAG].map(count), [20 * 150, 20]);
    // One of them comes and goes.
    assert!((20 * 14..=20 * 15).contains(&count(HeapProfSampleString::TAG)), "{}", count(HeapProfSampleString::TAG));
}

#[test]
fn tiny_blocks_have_one_event_each() {
    let tags = sound(&small("tiny-blocks", 2_000), |record| record.tag);
    assert!(tags.len() >= 4_000 && tags.len() < 5_000);
    assert!(tags.chunks(2).all(|pair| pair[0] == BlockMarker::TAG && pair[1] != BlockMarker::TAG));
}

#[test]
fn profiles_have_as_many_censuses_and_ticks_as_asked_for() {
    let tags = |name, count| sound(&small(name, count), |record| record.tag);
    let count = |tags: &[u16], of| tags.iter().filter(|tag| **tag == of).count();
    let heap = tags("heap-profile", 12);
    assert_eq!(count(&heap, HeapProfSampleBegin::TAG), 12);
    // A band that holds nothing is left out of a census.
    assert!((22_000..=24_000).contains(&count(&heap, HeapProfSampleString::TAG)));
    assert_eq!(count(&tags("time-profile", 250), ProfSampleCostCentre::TAG), 250 * 16);
}

#[test]
fn a_late_capability_comes_last() {
    let blocks = sound(&small("late-cap", 2_000), |record| (record.tag == BlockMarker::TAG).then_some(record.cap));
    let caps: Vec<_> = blocks.into_iter().flatten().collect();
    let late = caps.iter().position(|cap| *cap == Some(CapNo(2))).unwrap();
    assert!(caps[late..].iter().all(|cap| *cap == Some(CapNo(2))));
    assert!(late > 3);
}
