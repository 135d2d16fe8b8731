//! Segments of a log, decoded again. They may begin anywhere: within a block, or where nothing shows the capability of
//! the events that follow.

use conformance::arranged;
use conformance::{add_idle, answered, exact_plan, exact_window, files, model_in_steps, project, spans, whole_range};
use ghc_eventlog::{
    Block, BlockMarker, CapNo, Chunk, CreateThread, Decoder, LogWriter, Nanos, PartDecoder, RunThread, Step,
    StopStatus, StopThread, Text, ThreadId, UserMsg,
};
use ghc_eventlog_model::{Model, Piece, Place, TrackId, View, limits};
use std::{collections::BTreeSet, fs};

/// Runs in a long block: three segments, and a piece so small that the next block shares its segment.
const LONG: u64 = 24_000;

/// Writes `count` runs of 10 ns, one each 20 ns. The capability decides their threads.
fn runs(log: &mut LogWriter, cap: u16, from: u64, count: u64) {
    for run in 0..count {
        let (thread, at) = (ThreadId(u32::from(cap) + 1), from + run * 20);
        log.event(Nanos(at), RunThread { thread });
        log.event(Nanos(at + 10), StopThread { thread, status: StopStatus(3), info: Some(0) });
    }
}

/// Every lane shows its own runs and no others, each once.
fn assert_own_runs(log: &[u8], runs_of: &[(u16, usize)]) {
    let mut model = model_in_steps(log, 1 << 16);
    let (from, to) = model.extent().unwrap();
    for &(cap, count) in runs_of {
        let mut seen = Vec::new();
        for part in (from.0..to.0).step_by(2000) {
            let view = View { from: Nanos(part), to: Nanos(part + 2000), width: 1000 };
            let window = exact_window(&mut model, log, view, TrackId::capability(CapNo(cap)));
            assert!(window.exact);
            seen.extend(window.spans.iter().map(|span| (span.start, span.end, span.thread)));
        }
        seen.dedup();
        let own = |span: &(Nanos, Nanos, Option<ThreadId>)| span.2 == Some(ThreadId(u32::from(cap) + 1));
        assert!(seen.iter().all(own), "capability {cap}");
        assert!(seen.iter().all(|(start, end, _)| end.since(*start) == Nanos(10)), "capability {cap}");
        assert_eq!(seen.len(), count, "capability {cap}");
    }
}

#[test]
fn a_segment_may_begin_within_a_block() {
    let mut log = LogWriter::new();
    for cap in [0, 1, 2] {
        log.block(Block::of(CapNo(cap)), |block| runs(block, cap, 0, 10));
    }
    // In the other order: what comes first in a segment is not what came first in the log.
    for cap in [2, 1, 0] {
        log.block(Block::of(CapNo(cap)), |block| runs(block, cap, 200, LONG));
    }
    log.end();
    assert_own_runs(&log.finish(), &[0, 1, 2].map(|cap| (cap, 10 + LONG as usize)));
}

/// The size of the block is false, so most of its events are outside of it.
#[test]
fn a_segment_may_begin_where_no_block_is_open() {
    let mut log = LogWriter::new();
    let size = Some(24 + 34);
    log.block(Block::of(CapNo(0)), |block| runs(block, 0, 0, 10));
    log.block(Block { size, ..Block::of(CapNo(1)) }, |block| runs(block, 1, 0, LONG));
    log.block(Block::of(CapNo(0)), |block| runs(block, 0, 10_000, 10));
    log.end();
    assert_own_runs(&log.finish(), &[(0, 20), (1, LONG as usize)]);
}

/// For any damage, the segments of a log, decoded again, add up to the totals of the first pass.
#[test]
fn segments_add_up_to_the_totals() {
    for path in files(&project().join("tests/corpus"), "log.eventlog") {
        let log = fs::read(&path).unwrap();
        let mut model = model_in_steps(&log, log.len().max(1));
        if model.extent().is_none() {
            continue;
        }
        let tracks = model.tracks(&arranged(&model)).into_iter().filter(|track| track.group == "Capabilities");
        for track in tracks.take(20) {
            let mut totals = vec![Nanos(0); track.states.len()];
            for span in spans(&mut model, &log, track.id) {
                let total = &mut totals[usize::from(span.state)];
                *total = total.plus(span.end.since(span.start));
            }
            add_idle(&mut totals, &track);
            assert_eq!(
                totals,
                model.totals(&arranged(&model), track.id),
                "{}, {}",
                path.display(),
                track.name.for_comparing()
            );
        }
    }
}

/// With very many small blocks of very many capabilities, the index would exceed its limit, so it merges segments.
/// Look-ups find the same as before, while the log is read and afterwards.
#[test]
fn merged_segments_give_the_same_answers() {
    const CAPS: u64 = 1000;
    const ROUNDS: u64 = 300;
    const APART: u64 = 2000;
    let mut log = LogWriter::new();
    for round in 0..ROUNDS {
        for cap in 0..CAPS as u16 {
            log.block(Block::of(CapNo(cap)), |block| runs(block, cap, round * APART + u64::from(cap), 1));
        }
    }
    log.end();
    let log = log.finish();
    let mut model = Model::of_size(Some(log.len() as u64));
    let lane = |cap: u16| TrackId::capability(CapNo(cap));
    let start = |round: u64, cap: u16| Nanos(round * APART + u64::from(cap));
    for (at, bytes) in log.chunks(log.len() / 7 + 1).enumerate() {
        model.feed(bytes);
        // Found by what is there of the index, whatever it has been merged to.
        let search = model.look_up(&arranged(&model), lane(7), start(3, 7), start(3, 7).plus(Nanos(1)));
        let (place, reads) = answered(&mut model, &log, search);
        assert!(matches!(place, Place::Span(found) if found.span.start == start(3, 7)), "part {at}");
        assert!(reads.len() <= 2, "{reads:?}");
    }
    model.finish();
    assert!(model.bytes_held() < limits::INDEX_BYTES + limits::OVERVIEW_BYTES, "{}", model.bytes_held());
    for cap in [0, 1, 500, CAPS as u16 - 1] {
        let found: Vec<_> = spans(&mut model, &log, lane(cap)).iter().map(|span| (span.start, span.end)).collect();
        let expected = |round| (start(round, cap), start(round, cap).plus(Nanos(10)));
        assert_eq!(found, (0..ROUNDS).map(expected).collect::<Vec<_>>(), "capability {cap}");
        for (first, last) in [(0, 1), (3, 200), (149, 151), (299, 300)] {
            // From within one run to within another one.
            let (from, to) = (start(first, cap).plus(Nanos(4)), start(last, cap).plus(Nanos(1)));
            let (range, _) = whole_range(&mut model, &log, from, to).unwrap();
            let ran = (last - first) * 10 - 4 + u64::from(last < ROUNDS);
            assert_eq!(
                model.range_totals(&arranged(&model), &range, lane(cap)).unwrap().states[0],
                Nanos(ran),
                "{first} to {last}"
            );
        }
        let view = View { from: start(150, cap), to: start(152, cap), width: 2000 };
        let window = exact_window(&mut model, &log, view, lane(cap));
        assert_eq!(window.spans.iter().map(|span| span.start).collect::<Vec<_>>(), [150, 151].map(|at| start(at, cap)));
    }
}

/// The lengths of what is read of a segment until it can be drawn, one after the other. The time of its last record
/// must be confirmed by the records after it: messages of this length.
fn lengths_read(message: usize) -> Vec<u64> {
    const START: u64 = 1_000_000_000;
    let mut log = LogWriter::new();
    let end = log.offset() + limits::SEGMENT_HARD as usize;
    log.block(Block::of(CapNo(0)), |block| {
        runs(block, 0, START, 1000);
        let create = CreateThread { thread: ThreadId(1) };
        while block.offset() + 14 < end {
            block.event(Nanos(START + 20_000), create);
        }
        block.event(Nanos(START - 20_000_000), create);
        let message = vec![b'x'; message];
        for _ in 0..5 {
            block.event(Nanos(START + 20_000), UserMsg { text: Text(&message) });
        }
        for _ in 0..50_000 {
            block.event(Nanos(START + 20_000), create);
        }
    });
    log.end();
    let log = log.finish();
    let mut model = model_in_steps(&log, 1 << 16);
    let view = View { from: Nanos(START), to: Nanos(START + 200), width: 100 };
    let mut lengths = Vec::new();
    loop {
        let plan = model.plan(view);
        let Some(&(offset, length)) = plan.reads.first() else {
            let window = model.window(&arranged(&model), &plan, TrackId::capability(CapNo(0)));
            assert!(window.exact && window.spans.len() == 10, "{window:?}");
            return lengths;
        };
        assert_eq!(plan.reads.len(), 1);
        lengths.push(length - limits::SEGMENT_HARD);
        model.supply(offset, &log[offset as usize..][..length as usize]).unwrap();
    }
}

/// First a little, which is enough for nearly all segments; then so much more that few reads are needed, but never more
/// than the most that can be needed.
#[test]
fn bytes_after_a_segment_are_read_as_far_as_needed() {
    let few = limits::SEGMENT_AHEAD;
    for (message, expected) in
        [(100, vec![few]), (3000, vec![few, 16 * few]), (15_000, vec![few, 16 * few, PartDecoder::LOOK_AHEAD])]
    {
        let found = lengths_read(message);
        assert_eq!(found.len(), expected.len(), "{message}: {found:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!((expected..expected + 100).contains(found), "{message}: {found} of {expected}");
        }
    }
}

/// A window of events that are at both ends of the log, but not in its middle. It is exact once both have been read.
#[test]
fn what_is_between_two_segments_is_not_read() {
    let mut log = LogWriter::new();
    let far = 1_000_000_000;
    for (cap, from) in [(0, 0), (1, far), (2, 0)] {
        log.block(Block::of(CapNo(cap)), |block| runs(block, cap, from, LONG));
    }
    log.end();
    let log = log.finish();
    let lane = TrackId::capability(CapNo(2));
    let view = View { from: Nanos(0), to: Nanos(2 * LONG * 20), width: 1000 };
    let mut model = Model::of_size(Some(log.len() as u64));
    model.feed(&log);
    let plan = exact_plan(&mut model, &log, view);
    assert!(plan.exact && !model.window(&arranged(&model), &plan, lane).exact, "there may be more to come");
    model.finish();
    let plan = model.plan(view);
    let [(first, length), (second, _)] = plan.reads[..] else { panic!("{:?}", plan.reads) };
    let between = second - (first + length);
    // But for a segment of each neighbour.
    assert!(between > log.len() as u64 / 3 - 4 * limits::SEGMENT_HARD, "{between}");
    assert!(!model.window(&arranged(&model), &plan, lane).exact, "nothing has been read");
    for (offset, length) in plan.reads {
        model.supply(offset, &log[offset as usize..][..length as usize]).unwrap();
    }
    let plan = exact_plan(&mut model, &log, view);
    assert!(model.window(&arranged(&model), &plan, lane).exact);
}

/// Offset and number of each event but block markers, and the thread that runs from there on.
fn events(log: &[u8]) -> Vec<(u64, u16, Option<ThreadId>)> {
    let chunk = Chunk { bytes: log, offset: 0, last: true };
    let mut decoder = Decoder::new();
    let mut events = Vec::new();
    while let Ok(step) = decoder.next(chunk) {
        match step {
            Step::Event(record) if record.tag == BlockMarker::TAG && record.known => {}
            Step::Event(record) => {
                let runs = record.known && record.cap.is_some() && record.tag == RunThread::TAG;
                let thread = runs.then(|| RunThread::read(record.payload).thread);
                events.push((record.offset, record.tag, thread));
            }
            Step::Header | Step::Notice(_) => {}
            Step::Need(_) | Step::End => break,
        }
    }
    events
}

/// Checks that pieces that are left out have no matching events, and that each piece knows how many events come before
/// it. Returns how many pieces there are, and how many are left out.
fn assert_pieces(name: &str, log: &[u8]) -> (usize, usize) {
    let model = model_in_steps(log, 10_000);
    let events = events(log);
    let all: Vec<Piece> = model.pieces_with(&[], None).collect();
    for piece in &all {
        let before = events.partition_point(|(offset, ..)| *offset < piece.offset) as u64;
        assert_eq!(piece.events_before, before, "{name}: {piece:?}");
    }
    let mut left_out = 0;
    let tags: BTreeSet<(u16, Option<ThreadId>)> =
        events.iter().flat_map(|(_, tag, thread)| [(*tag, None), (*tag, *thread)]).take(4000).collect();
    for (tag, thread) in tags {
        let pieces: Vec<Piece> = model.pieces_with(&[tag], thread).collect();
        left_out += all.len() - pieces.len();
        for (offset, ..) in events.iter().filter(|event| event.1 == tag && (thread.is_none() || event.2 == thread)) {
            let within = |piece: &Piece| piece.offset <= *offset && *offset < piece.offset + piece.length;
            assert!(pieces.iter().any(within), "{name}: {tag} of {thread:?} at {offset}");
        }
    }
    (all.len(), left_out)
}

#[test]
fn pieces_that_are_left_out_hold_nothing_of_what_is_looked_for() {
    let mut pieces = 0;
    for path in files(&project().join("tests/corpus"), ".eventlog") {
        pieces += assert_pieces(&path.display().to_string(), &fs::read(&path).unwrap()).0;
    }
    assert!(pieces > 100, "{pieces}");
}

#[test]
fn pieces_without_a_type_or_a_thread_are_left_out() {
    let mut log = LogWriter::new();
    for thread in 0..40 {
        log.block(Block::of(CapNo(0)), |block| {
            for run in 0..3000 {
                let at = u64::from(thread) * 100_000 + run * 20;
                block.event(Nanos(at), RunThread { thread: ThreadId(thread) });
                block.event(
                    Nanos(at + 10),
                    StopThread { thread: ThreadId(thread), status: StopStatus(3), info: Some(0) },
                );
            }
            if thread == 20 {
                block.event(Nanos(2_099_000), UserMsg { text: Text(b"here") });
            }
        });
    }
    log.end();
    let log = log.finish();
    assert_pieces("blocks", &log);
    let model = model_in_steps(&log, 10_000);
    let count = |tags: &[u16], thread: Option<u32>| model.pieces_with(tags, thread.map(ThreadId)).count();
    let all = count(&[], None);
    assert!(all >= 40, "{all}");
    assert!((1..=2).contains(&count(&[UserMsg::TAG], None)));
    assert!((1..all / 4).contains(&count(&[RunThread::TAG], Some(7))), "{}", count(&[RunThread::TAG], Some(7)));
    assert_eq!(count(&[CreateThread::TAG], None), 0);
}
