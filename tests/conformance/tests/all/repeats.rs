//! Messages that a program writes twice, as a marker and as a message, count once: in the replay of the whole log, and in any stretch of
//! it that is read again.

use crate::spans::{by_label, number};
use conformance::{model_in_steps, part_of, replay, replay_within, whole_range};
use ghc_eventlog::{Block, CapNo, LogWriter, Nanos, RunThread, Text, ThreadId, UserMarker, UserMsg};
use ghc_eventlog_model::{FindOrder, FindWishes, HitKind, Model, Query, RequestsQuery, limits, work};
use std::collections::BTreeMap;

/// Begin, end, label, and thread, 0 for none.
type Written = (u64, u64, String, u32);

#[derive(Debug, Clone, PartialEq)]
struct Said {
    time: u64,
    text: String,
    is_marker: bool,
}

const LABELS: [&str; 4] = ["a", "b", "GHC parses", "Main"];

/// What a capability writes: spans within spans, also of the same label, and between them other messages. Most are written twice.
fn said(spans: usize, random: &mut fastrand::Rng) -> Vec<Said> {
    let (mut time, mut said, mut open, mut begun) = (1000, Vec::new(), Vec::new(), 0);
    while begun < spans || !open.is_empty() {
        let text = if begun < spans && open.len() < 6 && (open.is_empty() || random.bool()) {
            begun += 1;
            // Often the same label again.
            let label = open.last().copied().filter(|_| random.bool()).or_else(|| random.choice(LABELS)).unwrap();
            open.push(label);
            format!("START {label}")
        } else {
            format!("STOP {}", open.pop().unwrap())
        };
        let kinds: &[bool] = match random.u8(..20) {
            0 => &[false],
            1 => &[false, true],
            _ => &[true, false],
        };
        for is_marker in kinds {
            said.push(Said { time, text: text.clone(), is_marker: *is_marker });
            time += random.u64(..5);
        }
        if random.u8(..30) == 0 {
            // It is a value, as far as the viewer knows, and comes between two that are the same.
            said.push(Said { time, text: format!("queue {}", random.u8(..9)), is_marker: false });
        }
        time += random.u64(1..60);
    }
    said
}

/// The spans of a capability, by the definition: a message repeats the one before it if that is not repeated, and says the same in the
/// other kind of event; an end ends the span of its label that began last.
fn spans_of(said: &[Said], thread: u32) -> Vec<Written> {
    let mut last: Option<&Said> = None;
    let (mut open, mut spans) = (BTreeMap::<&str, Vec<u64>>::new(), Vec::new());
    for one in said {
        if last.take().is_some_and(|last| last.text == one.text && last.is_marker != one.is_marker) {
            continue;
        }
        last = Some(one);
        if let Some(label) = one.text.strip_prefix("START ") {
            open.entry(label).or_default().push(one.time);
        } else if let Some(label) = one.text.strip_prefix("STOP ") {
            let start = open.get_mut(label).and_then(Vec::pop).expect("it has begun");
            spans.push((start, one.time, label.to_string(), thread));
        }
    }
    assert!(open.values().all(Vec::is_empty));
    spans
}

/// A log, and its spans. Blocks end anywhere.
fn log(caps: u16, with_threads: bool, random: &mut fastrand::Rng) -> (Vec<u8>, Vec<Written>) {
    let spans = limits::MAX_USER_SPANS * 5 / 4 / usize::from(caps);
    let (mut blocks, mut written) = (Vec::new(), Vec::new());
    let all: Vec<Vec<Said>> = (0..caps).map(|_| said(spans, random)).collect();
    for (cap, mut rest) in (0..caps).zip(all.iter().map(Vec::as_slice)) {
        let thread = if with_threads { u32::from(cap) + 1 } else { 0 };
        written.extend(spans_of(rest, thread));
        while !rest.is_empty() {
            let (block, behind) = rest.split_at(rest.len().min(random.usize(1..1000)));
            blocks.push((block[0].time, cap, thread, block));
            rest = behind;
        }
    }
    blocks.sort_by_key(|(time, cap, ..)| (*time, *cap));
    let mut log = LogWriter::new();
    let mut runs = vec![!with_threads; caps.into()];
    for (time, cap, thread, said) in blocks {
        log.block(Block::of(CapNo(cap)), |block| {
            if !std::mem::replace(&mut runs[usize::from(cap)], true) {
                block.event(Nanos(time), RunThread { thread: ThreadId(thread) });
            }
            for Said { time, text, is_marker } in said {
                let text = Text(text.as_bytes());
                if *is_marker {
                    block.event(Nanos(*time), UserMarker { text });
                } else {
                    block.event(Nanos(*time), UserMsg { text });
                }
            }
        });
    }
    log.end();
    (log.finish(), written)
}

/// The spans that a search in a short time finds.
fn found(model: &mut Model, log: &[u8], from: u64, to: u64) -> Vec<Written> {
    let query = Query::parse(&format!("type:span from:@{from} to:@{to}")).unwrap();
    let order = FindOrder::Nearest(Nanos(from), usize::MAX / 4);
    let mut find = model.find(&query, FindWishes { order, ..FindWishes::default() }).unwrap();
    assert_eq!(work(&mut find, model, part_of(log)), Ok(true));
    assert_eq!(find.remarks(model), Vec::<String>::new(), "all spans are read");
    let hits = find.hits(HitKind::Span).into_iter();
    let mut spans: Vec<Written> = hits
        .map(|hit| {
            let end = hit.time.plus(hit.length.unwrap());
            (hit.time.0, end.0, hit.text.for_comparing().to_string(), hit.thread.map_or(0, |thread| thread.0))
        })
        .collect();
    spans.sort();
    spans
}

/// How many spans each label has in a range, their time in it, and the longest.
fn summed(spans: &[Written], from: u64, to: u64) -> BTreeMap<String, [u64; 3]> {
    let mut sums = BTreeMap::<String, [u64; 3]>::new();
    for (start, end, label, _) in spans.iter().filter(|span| meets(span, from, to)) {
        let length = end.min(&to) - start.max(&from);
        let [count, total, longest] = sums.entry(label.clone()).or_default();
        (*count, *total, *longest) = (*count + 1, *total + length, length.max(*longest));
    }
    sums
}

fn meets((start, end, ..): &Written, from: u64, to: u64) -> bool {
    *start < to && (*end > from || *start >= from)
}

fn check(what: &str, model: &mut Model, (log, written): (&[u8], &[Written]), random: &mut fastrand::Rng) {
    let end = written.iter().map(|(_, end, ..)| *end).max().unwrap() + 1;
    let of_table = |rows: BTreeMap<String, _>| -> BTreeMap<String, [u64; 3]> {
        let row = |(label, row)| (label, ["count", "total_ns", "max_ns"].map(|key| number(&row, key)));
        rows.into_iter().map(row).filter(|(_, [count, ..])| *count > 0).collect()
    };
    assert_eq!(of_table(by_label(model, None)), summed(written, 0, end), "{what}: the whole log");
    // Windows that follow each other meet all places where segments meet; others begin or end anywhere, also within a pair.
    let step = end / 40;
    let windows = (0..40).map(|at| (at * step, (at + 1) * step));
    let others: Vec<(u64, u64)> = (0..40)
        .map(|_| {
            let from = random.u64(..end);
            (from, from + random.u64(1..step))
        })
        .collect();
    for (from, to) in windows.chain(others) {
        let mut expected: Vec<Written> = written.iter().filter(|span| meets(span, from, to)).cloned().collect();
        expected.sort();
        let found = found(model, log, from, to);
        let differs = found.iter().zip(&expected).find(|(one, other)| one != other);
        assert_eq!((differs, found.len()), (None, expected.len()), "{what}: {from} to {to}");
    }
    for _ in 0..20 {
        let (one, other) = (random.u64(..end), random.u64(..end));
        let (from, to) = (one.min(other), one.max(other) + 1);
        let (range, _) = whole_range(model, log, Nanos(from), Nanos(to)).unwrap();
        assert_eq!(of_table(by_label(model, Some(&range))), summed(written, from, to), "{what}: {from} to {to}");
    }
}

/// What is read again of any stretch has the same spans as the replay of the whole log has there.
#[test]
fn messages_written_twice_count_once_in_any_stretch() {
    let mut random = fastrand::Rng::with_seed(31);
    for (caps, with_threads) in [(1, true), (1, false), (3, true)] {
        let (log, written) = log(caps, with_threads, &mut random);
        let what = format!("{caps} capabilities, threads: {with_threads}");
        let mut model = model_in_steps(&log, 1 << 20);
        assert!(replay(&mut model, &log));
        check(&what, &mut model, (&log, &written), &mut random);
        // The instances of a label are those spans, too.
        for label in LABELS {
            let mut job = model.requests(&RequestsQuery::of(label)).unwrap();
            assert_eq!(work(&mut job, &mut model, part_of(&log)), Ok(true));
            let count = written.iter().filter(|(_, _, of, _)| of == label).count() as u64;
            assert_eq!(model.typed_facts(None).requests.count, Some(count), "{what}: {label}");
        }
        // A replay with little memory reads segments several times.
        let mut model = model_in_steps(&log, 1 << 20);
        assert!(replay_within(&mut model, &log, 20_000));
        check(&format!("{what}, little memory"), &mut model, (&log, &written), &mut random);
    }
}
