//! What the model keeps is bounded. It reports what is left out, and totals include what is left out.

use conformance::arranged;
use conformance::{answered, exact_window, model_in_steps};
use ghc_eventlog::{
    Block, CapNo, CapsetId, CreateThread, Event, EventType, GcEnd, GcGlobalSync, GcStart, LogWriter, Nanos,
    ProgramArgs, RtsIdentifier, RunThread, StopStatus, StopThread, Text, TextList, ThreadId, ThreadLabel, known_types,
};
use ghc_eventlog_model::{
    Collection, DiagnosticKind, LogText, Model, Place, TableQuery, Thread, TrackId, Value, View, limits,
};

/// The model of a log of one block, and its diagnostics without those that every such log has.
fn model_of(write: impl FnOnce(&mut LogWriter)) -> (Model, Vec<DiagnosticKind>) {
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), write);
    model(log)
}

fn model(mut log: LogWriter) -> (Model, Vec<DiagnosticKind>) {
    log.end();
    let log = log.finish();
    let model = model_in_steps(&log, 1 << 20);
    assert_eq!(model.error(), None);
    let said = model.diagnostics().list().iter().map(|diagnostic| diagnostic.kind).collect();
    (model, said)
}

#[test]
fn the_number_of_lanes_is_bounded() {
    for (count, said) in [(limits::MAX_CAPS, vec![]), (limits::MAX_CAPS + 1, vec![DiagnosticKind::TooManyCaps])] {
        let mut log = LogWriter::new();
        for cap in 0..count as u16 {
            log.block(Block::of(CapNo(cap)), |block| {
                let (time, thread) = (10 + u64::from(cap), ThreadId(1));
                block.event(Nanos(time), RunThread { thread });
                block.event(Nanos(time + 10), StopThread { thread, status: StopStatus(5), info: Some(0) });
            });
        }
        let (model, found) = model(log);
        // No figure counts the others: that is said before all else.
        assert_eq!((found, model.foremost()), (vec![], said), "{count}");
        assert_eq!(model.events(), 2 * count as u64);
        let lanes: Vec<TrackId> = model.tracks(&arranged(&model)).iter().map(|track| track.id).collect();
        // In addition to activity, collections and one thread.
        assert_eq!(lanes.len(), limits::MAX_CAPS + 3);
        assert!(lanes[1..=limits::MAX_CAPS].iter().all(|lane| model.totals(&arranged(&model), *lane)[0] == Nanos(10)));
        // Capabilities without a lane are in no total, either.
        let thread = model.threads().get(ThreadId(1)).unwrap();
        assert_eq!((thread.runs, thread.ran), (limits::MAX_CAPS as u64, Nanos(10 * limits::MAX_CAPS as u64)));
    }
}

#[test]
fn the_number_of_thread_rows_is_bounded() {
    let threads = limits::MAX_THREADS as u32;
    for (count, rows) in [(threads, limits::MAX_THREADS), (threads + 1, limits::MAX_THREADS / 2)] {
        let (model, found) = model_of(|block| {
            // Numbers that are kept in a table, and larger ones that are not.
            for number in 0..count {
                let thread = ThreadId(number * 9);
                block.event(Nanos(u64::from(number)), CreateThread { thread });
            }
            let (end, thread) = (Nanos(count.into()), ThreadId(0));
            block.event(end, RunThread { thread });
            block.event(end, StopThread { thread, status: StopStatus(3), info: Some(0) });
        });
        // None of them has finished.
        let without = model.threads().without_row();
        assert_eq!(found, without.into_iter().map(DiagnosticKind::TooManyThreads).collect::<Vec<_>>());
        let missing = u64::from(count) - rows as u64;
        assert_eq!(without.map_or((0, 0), |without| (without.count, without.open)), (missing, missing));
        assert_eq!(model.threads().rows().len(), rows);
        // Including the index by thread number: an array for small ones, a tree for the others.
        let table = rows * size_of::<Thread>() + limits::DENSE_THREADS as usize * 4;
        let places = 32 * rows + (1 << 20);
        assert!((table..3 * table + places).contains(&model.bytes_held()), "{}", model.bytes_held());
        // Those that came first may have lived longest.
        for number in [0, 1, limits::DENSE_THREADS / 9, limits::DENSE_THREADS / 9 + 1, rows as u32 - 1] {
            let thread = model.threads().get(ThreadId(number * 9)).unwrap();
            assert_eq!((thread.id, thread.created()), (ThreadId(number * 9), Some(Nanos(number.into()))));
        }
        assert_eq!(model.threads().get(ThreadId(threads * 9)), None);
        assert_eq!(model.threads().get(ThreadId(1)), None);
        // The table knows that rows are missing, and how many.
        let order = model.order(TableQuery { table: "threads".into(), ..TableQuery::default() }, None);
        let page = model.page(&order, None, 0, 1);
        assert_eq!((page.kept, page.of), (rows, count.into()));
        let facts = model.facts(None);
        let remark = facts.section("threads").unwrap().remark_text().unwrap_or_default();
        assert_eq!(remark.contains("more threads than there is room for"), count > threads);
        assert_eq!(model.typed_facts(None).threads.count, Some(count.into()));
    }
}

#[test]
fn the_number_of_collection_rows_is_bounded() {
    let rows = limits::MAX_COLLECTIONS as u64;
    for (count, said) in [(rows, vec![]), (rows + 1, vec![DiagnosticKind::TooManyCollections])] {
        let (model, found) = model_of(|block| {
            for start in (0..count).map(|number| number * 100) {
                block.event(Nanos(start), GcStart {}).event(Nanos(start + 10), GcGlobalSync {});
                block.event(Nanos(start + 20 + start % 7), GcEnd {});
            }
        });
        assert_eq!(found, said, "{count}");
        assert_eq!(model.collections().is_capped(), count > rows);
        // When there are more, they thin out: the longest stay.
        let kept = model.collections().rows();
        assert_eq!(kept.len() as u64, if count > rows { rows / 2 + 1 } else { rows });
        assert!(kept.iter().any(|row| row.elapsed() == Nanos(26)));
        assert!(model.bytes_held() >= limits::MAX_COLLECTIONS / 2 * size_of::<Collection>());
        let total = model.collections().total();
        let elapsed = (0..count).map(|number| 20 + number * 100 % 7).sum();
        assert_eq!((total.count, total.elapsed, total.longest), (count, Nanos(elapsed), Nanos(26)));
    }
}

#[test]
fn the_memory_of_labels_is_bounded() {
    let (model, found) = model_of(|block| {
        for number in 0..100_000 {
            let label = format!("{number:00$}", limits::MAX_TEXT);
            block.event(Nanos(number), ThreadLabel { thread: ThreadId(number as u32), label: Text(label.as_bytes()) });
        }
    });
    let dropped = model.threads().labels_dropped();
    assert_eq!(found, [DiagnosticKind::TooManyLabels(dropped)]);
    let label = |number: u32| {
        model.threads().label(ThreadId(number)).map(|label| label.for_json().trim_start_matches('0').to_string())
    };
    // Nothing else is known of these threads, so they are equal: the first ones stay, and there is always room for the next.
    assert_eq!([1, 99_999].map(label), [1, 99_999].map(|number| Some(number.to_string())));
    let kept = (0..100_000).filter(|number| label(*number).is_some()).count();
    assert_eq!(kept as u64 + dropped, 100_000);
    let used = kept * limits::MAX_TEXT;
    assert!((limits::TEXT_BYTES / 2 - limits::MAX_TEXT * 4..=limits::TEXT_BYTES).contains(&used), "{used}");
    let held = model.bytes_held() - 100_000 * size_of::<Thread>();
    assert!((used..2 * limits::TEXT_BYTES + 10_000_000).contains(&held), "{held}");
}

/// The memory of buckets, for a capability that has run for long and one that has not.
#[test]
fn buckets_are_counted() {
    let (model, _) = model_of(|block| {
        let thread = ThreadId(1);
        // More than the buckets of a log of this size, however small it is.
        for time in (0..10_000).map(|at| at * 1_000_000) {
            block.event(Nanos(time), RunThread { thread });
            block.event(Nanos(time + 10), StopThread { thread, status: StopStatus(5), info: Some(0) });
        }
    });
    let (from, to) = model.extent().unwrap();
    let buckets = to.since(from).0 / model.bucket().0;
    assert!(buckets > 1 << (limits::OVERVIEW_MIN_LOG2 - 1), "{buckets}");
    // 4 bytes for each state that is not idle.
    let lane = buckets as usize * 4 * 4;
    // The lane's short idle times are kept, too, in a list that may have grown by doubling.
    let rests = 2 * 10_000 * size_of::<(Nanos, Nanos)>();
    let held = model.bytes_held();
    assert!((lane..8 * lane + rests + 100_000).contains(&held), "{held} and {lane}");
}

/// Any number of small blocks do not make small segments: all blocks within the size of a segment are read as one.
#[test]
fn small_blocks_share_segments() {
    let mut log = LogWriter::new();
    let thread = ThreadId(1);
    while log.offset() < 3_000_000 {
        let time = log.offset() as u64;
        log.block(Block::of(CapNo(0)), |block| {
            block.event(Nanos(time), RunThread { thread });
            block.event(Nanos(time + 10), StopThread { thread, status: StopStatus(5), info: Some(0) });
        });
    }
    let (mut model, _) = model(log);
    for from in [20_000, 500_000, 1_000_000] {
        let view = View { from: Nanos(from), to: Nanos(from + 10), width: 1 };
        let lengths: Vec<u64> = model.plan(view).reads.iter().map(|(_, length)| *length).collect();
        let segment = limits::SEGMENT_SOFT..limits::SEGMENT_SOFT + 100 + limits::SEGMENT_AHEAD;
        assert!(lengths.len() == 1 && segment.contains(&lengths[0]), "{lengths:?}");
    }
}

/// Runs of 10 ns, one each 20 ns.
fn runs(count: u64) -> Vec<u8> {
    let (mut log, thread) = (LogWriter::new(), ThreadId(1));
    log.block(Block::of(CapNo(0)), |block| {
        for time in (0..count).map(|run| run * 20) {
            block.event(Nanos(time), RunThread { thread });
            block.event(Nanos(time + 10), StopThread { thread, status: StopStatus(5), info: Some(0) });
        }
    });
    log.end();
    log.finish()
}

const LANE: TrackId = TrackId::capability(CapNo(0));

/// Spans beyond the limit are in the window's columns.
#[test]
fn the_number_of_single_spans_is_bounded() {
    for count in [limits::MAX_SPANS, limits::MAX_SPANS + 1, limits::MAX_SPANS + 1000] {
        let log = runs(count as u64);
        let mut model = model_in_steps(&log, 1 << 20);
        let view = View { from: Nanos(0), to: Nanos(count as u64 * 20), width: count * 10 };
        let window = exact_window(&mut model, &log, view, LANE);
        assert_eq!(window.spans.len(), limits::MAX_SPANS);
        let ran = window.shares.chunks(window.states).filter(|shares| shares[0] == 255).count();
        assert_eq!(ran, count * 5);
    }
}

/// If a pixel covers more than can be read in a moment, only a part is read, and the answer says so.
#[test]
fn no_more_is_read_for_a_pixel_than_in_a_moment() {
    let log = runs(400_000);
    assert!(log.len() as u64 > 3 * limits::LOOKUP_READ);
    let mut model = model_in_steps(&log, 1 << 20);
    for (part, all) in [(400_000, false), (50_000, true)] {
        let search = model.look_up(&arranged(&model), LANE, Nanos(0), Nanos(part * 20));
        let (place, reads) = answered(&mut model, &log, search);
        let Place::Many { count, more, what: "spans", .. } = place else { panic!("{place:?}") };
        assert_eq!(more, !all);
        let read: u64 = reads.iter().map(|(_, length)| length - limits::SEGMENT_AHEAD).sum();
        assert!(read <= limits::LOOKUP_READ && count >= read / 40, "{count} in {read} bytes");
        assert!(!all || count == part, "{count}");
    }
}

/// However long they are, as long as there is room; of very many arguments, the first and the last.
#[test]
fn texts_are_whole() {
    let long = "x".repeat(limits::MAX_TEXT);
    let longer = long.clone() + "y";
    let args = [&*longer].into_iter().chain((1..limits::MAX_ARGS).map(|_| "arg")).chain(["last"]);
    let args = args.collect::<Vec<_>>().join("\0");
    let (model, said) = model_of(|block| {
        block.event(Nanos(1), ProgramArgs { capset: CapsetId(0), args: TextList(args.as_bytes()) });
        block.event(Nanos(2), RtsIdentifier { capset: CapsetId(0), text: Text(longer.as_bytes()) });
        block.event(Nanos(3), ThreadLabel { thread: ThreadId(1), label: Text(long.as_bytes()) });
        block.event(Nanos(3), ThreadLabel { thread: ThreadId(2), label: Text(longer.as_bytes()) });
    });
    assert_eq!(said, []);
    assert_eq!(model.process().args.len(), limits::MAX_ARGS);
    let [first, .., last] = &*model.process().args else { panic!() };
    assert_eq!([first, last, &model.process().runtime].map(LogText::for_json), [&*longer, "last", &*longer]);
    assert!(model.process().args.contains(&LogText::from("… (2 more) …")));
    assert_eq!(model.threads().label(ThreadId(1)), Some(LogText::from(&*long)));
    assert_eq!(model.threads().label(ThreadId(2)), Some(LogText::from(&*longer)));
}

/// Event numbers that only a newer runtime has, or none.
#[test]
fn the_number_of_separately_counted_numbers_is_bounded() {
    let numbers = limits::MAX_COUNTED_TAGS as u16 + 10;
    let of = |tag| EventType { tag, size: 0, description: "Unknown".into() };
    let types: Vec<EventType> = known_types().into_iter().chain((1000..1000 + numbers).map(of)).collect();
    let mut log = LogWriter::with_types(&types);
    log.block(Block::of(CapNo(0)), |block| {
        for tag in (1000..1000 + numbers).chain([1000, 1000 + numbers - 1]) {
            block.record(Nanos(tag.into()), tag, Event::Unknown(&[]));
        }
        block.event(Nanos(100_000), CreateThread { thread: ThreadId(1) });
    });
    let (model, said) = model(log);
    assert_eq!(said, []);
    assert_eq!(model.events(), u64::from(numbers) + 3);
    let counts: Vec<(u16, u64)> = model.counts().collect();
    assert_eq!(counts.len(), limits::MAX_COUNTED_TAGS + 1);
    assert_eq!(counts[..3], [(0, 1), (1000, 2), (1001, 1)]);
    // All others are a row.
    let order = model.order(TableQuery { table: "events".into(), ..TableQuery::default() }, None);
    let page = model.page(&order, None, 1000, 1000);
    let [.., last] = &page.rows[..] else { panic!() };
    assert_eq!(last[..3], [Value::Unknown, Value::words("(all others)"), Value::Count(11)]);
    assert_eq!(page.of, counts.len() as u64 + 1);
    let facts = model.facts(None);
    let remarks = &facts.section("events").unwrap().remarks;
    assert!(remarks.iter().any(|remark| remark.contains("too many types of events")), "{remarks:?}");
    assert_eq!((model.description(1000), model.description(999)), (Some(LogText::from("Unknown")), None));
}

/// Descriptions of unknown numbers are cut, in any script, and their memory is counted.
#[test]
fn descriptions_are_cut_and_counted() {
    let held = |description: &str| {
        let of = |tag| EventType { tag, size: 0, description: description.into() };
        let types: Vec<EventType> = known_types().into_iter().chain((1000..2000).map(of)).collect();
        let mut log = LogWriter::with_types(&types);
        log.block(Block::of(CapNo(0)), |block| {
            block.record(Nanos(1), 1000, Event::Unknown(&[]));
        });
        let (model, said) = model(log);
        assert_eq!(said, []);
        let name = model.tracks_of(&arranged(&model), "other", 0, 1)[0].name.clone();
        (model.bytes_held(), name)
    };
    let (few, short) = held("x");
    let description = "語".repeat(300);
    let (many, long) = held(&description);
    assert_eq!((short.for_json().as_str(), long.for_json()), ("x", "語".repeat(limits::MAX_TEXT / "語".len())));
    // The header has them in full.
    let more = 1000 * (limits::MAX_TEXT + description.len());
    assert!((few + more - 10_000..=few + more).contains(&many), "{few} and {many}");
}

#[test]
fn the_number_of_diagnostics_is_bounded() {
    let mut log = LogWriter::new();
    for time in 1..1000 {
        // A block cannot be smaller than its marker.
        log.block(Block { size: Some(3), ..Block::of(CapNo(0)) }, |block| {
            block.event(Nanos(time), CreateThread { thread: ThreadId(1) });
        });
    }
    let (model, said) = model(log);
    assert_eq!((said.len(), model.diagnostics().count()), (limits::MAX_DIAGNOSTICS, 999));
    // Each has the time of the event before it.
    let times: Vec<_> = model.diagnostics().list().iter().map(|diagnostic| diagnostic.time).collect();
    assert_eq!(times[..3], [None, Some(Nanos(1)), Some(Nanos(2))]);
}
