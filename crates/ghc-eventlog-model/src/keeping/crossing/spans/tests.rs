//! Which spans messages begin and end.

use super::*;
use crate::{
    View,
    keeping::store::Store,
    keeping::{
        crossing::chains::Chains,
        messages::{Messages, OTHERS},
        store::Event,
    },
    limits,
    terms::op::What,
};
use alloc::{
    format,
    string::{String, ToString},
};
use ghc_eventlog::CapNo;
use ghc_eventlog::{UserBinaryMsg, UserMsg};

fn collections() -> Collections {
    Collections::default()
}

/// Messages, 10 ns apart: the thread (0 for none), the capability, and the text.
fn play(messages: &[(u32, u16, &[u8])]) -> UserSpans {
    play_labelled(messages).0
}

fn play_labelled(messages: &[(u32, u16, &[u8])]) -> (UserSpans, Messages) {
    play_with(messages, Messages::default())
}

fn play_with(messages: &[(u32, u16, &[u8])], kept: Messages) -> (UserSpans, Messages) {
    let (mut spans, kept) = play_but_the_end(messages, kept);
    at_end(messages, |ends| spans.finish(ends, &collections(), &kept.labels));
    (spans, kept)
}

/// What is open when the messages are over is open to the end.
fn at_end<T>(messages: &[(u32, u16, &[u8])], then: impl FnOnce(Ends<'_>) -> T) -> T {
    let log = Nanos(messages.len() as u64 * 10);
    let lives = ThreadLives::new(Nanos(0), log, Chains::default());
    then(Ends { log, processes: &[], threads: &Threads::default(), lives: &lives })
}

fn play_but_the_end(messages: &[(u32, u16, &[u8])], mut kept: Messages) -> (UserSpans, Messages) {
    let collections = collections();
    let mut spans = UserSpans::new(&collections, Nanos(0), Nanos(messages.len() as u64 * 10));
    for (at, &(thread, cap, message)) in messages.iter().enumerate() {
        let tag = if message.starts_with(b"OT") { UserBinaryMsg::TAG } else { UserMsg::TAG };
        kept.step(Event::of(tag, Nanos(0), message));
        let [Some(mark), _] = Mark::read(tag, message, 0, &kept) else { continue };
        let (time, thread, cap) = (Nanos(at as u64 * 10), ThreadId(thread), CapNo(cap));
        spans.step(&Op { time, thread, cap, what: What::Mark(0) }, mark, (&collections, &kept.labels), |_| Now::GONE);
    }
    (spans, kept)
}

/// Each span as "label number: from-to", unfinished ones with "…"; and the number of ends without a begin.
fn told(messages: &[(u32, u16, &[u8])]) -> (Vec<String>, u64) {
    let (spans, kept) = play_labelled(messages);
    let tell = |span: &UserSpan| {
        let label = kept.labels.text(span.label);
        let number = span.number().map_or(String::new(), |number| format!(" {number}"));
        let open = if span.unfinished { "…" } else { "" };
        format!("{label}{number}: {}-{}{open}", span.start.0, span.end.0)
    };
    (spans.rows.kept().iter().map(tell).collect(), spans.unmatched)
}

/// Messages of one thread.
fn of_one(messages: &[&str]) -> (Vec<String>, u64) {
    told(&messages.iter().map(|message| (1, 0, message.as_bytes())).collect::<Vec<_>>())
}

fn found(spans: &[&str], unmatched: u64) -> (Vec<String>, u64) {
    (spans.iter().map(ToString::to_string).collect(), unmatched)
}

#[test]
fn an_end_closes_the_innermost_of_its_label() {
    let nested = ["START a", "START b", "STOP b", "START a", "STOP a", "STOP a"];
    assert_eq!(of_one(&nested), found(&["a: 0-50", "b: 10-20", "a: 30-40"], 0));
    let crossed = ["START a", "START b", "STOP a", "STOP b"];
    assert_eq!(of_one(&crossed), found(&["a: 0-20", "b: 10-30"], 0));
}

#[test]
fn instances_are_kept_apart() {
    let messages = ["START 1 r", "START 2 r", "START r", "STOP 1 r", "STOP 02 r", "STOP 3 r", "STOP r"];
    assert_eq!(of_one(&messages), found(&["r 1: 0-30", "r 2: 10-40", "r: 20-60"], 1));
}

#[test]
fn begins_and_ends_without_a_match_are_unfinished_or_counted() {
    let messages = ["STOP a", "START a", "START b", "STOP b", "STOP b"];
    assert_eq!(of_one(&messages), found(&["a: 10-50…", "b: 20-30"], 2));
    let spans = play(&[(1, 0, b"START a"), (1, 0, b"START a"), (1, 0, b"STOP a")]);
    let of = spans.tally.by_label[0];
    assert_eq!((of.count, of.unfinished(), of.total, of.longest), (1, Some(1), Nanos(10), Nanos(10)));
}

/// Threads have their own spans, on any capability; where no thread runs, the capability has them.
#[test]
fn spans_move_with_their_threads() {
    let messages: &[(u32, u16, &[u8])] = &[
        (1, 0, b"START a"),
        (2, 1, b"START a"),
        (2, 0, b"STOP a"),
        (1, 1, b"STOP a"),
        (0, 0, b"START a"),
        (0, 1, b"STOP a"),
        (1, 0, b"STOP a"),
        (0, 0, b"STOP a"),
    ];
    assert_eq!(told(messages), found(&["a: 0-30", "a: 10-20", "a: 40-70"], 2));
}

#[test]
fn any_thread_can_end_a_span_of_the_process() {
    let messages: &[(u32, u16, &[u8])] = &[
        (1, 0, b"ot2 begin span 7 GET /"),
        (2, 1, b"OT\x03\x01\x08\0\0\0\0\0\0\0query"),
        (3, 0, b"ot2 end span 7"),
        (0, 1, b"OT\x03\x02\x08\0\0\0\0\0\0\0"),
        (0, 1, b"OT\x03\x02\x08\0\0"),
        (1, 1, b"ot2 end span 9"),
    ];
    assert_eq!(told(messages), found(&["GET / 7: 0-20", "query 8: 10-30"], 1));
    assert_eq!(play_labelled(messages).1.malformed, 1);
}

#[test]
fn a_range_has_the_parts_that_are_inside() {
    let collections = collections();
    let spans =
        play(&[(1, 0, b"START a"), (1, 0, b"START b"), (1, 0, b"STOP b"), (1, 0, b"STOP a"), (1, 0, b"START a")]);
    let of = |from, to| {
        let tally = spans.within(&collections, Nanos(from), Nanos(to)).unwrap();
        let of = |label: usize| {
            tally.by_label.get(label).map_or((0, 0, 0), |of| (of.count, of.total.0, of.unfinished().unwrap()))
        };
        (of(0), of(1))
    };
    assert_eq!(of(0, 51), ((1, 30, 1), (1, 10, 0)));
    assert_eq!(of(5, 15), ((1, 10, 0), (1, 5, 0)));
    assert_eq!(of(20, 45), ((1, 10, 1), (0, 0, 0)));
}

#[test]
fn labels_and_open_spans_are_bounded_and_nothing_is_lost() {
    let count = limits::MAX_SPAN_LABELS + 10;
    let texts: Vec<[String; 2]> = (0..count).map(|at| [format!("START l{at}"), format!("STOP l{at}")]).collect();
    let messages: Vec<(u32, u16, &[u8])> = texts.iter().flatten().map(|text| (1, 0, text.as_bytes())).collect();
    let spans = play(&messages);
    assert_eq!((spans.tally.sum(|of| of.count), spans.unmatched), (count as u64, 0));
    // Those of their family.
    assert_eq!(spans.tally.by_label[usize::from(OTHERS) + 1].count, 10);
    let mut many = alloc::vec![(1, 0, &b"START a"[..]); limits::MAX_OPEN_SPANS + 3];
    let spans = play(&many);
    assert_eq!(spans.tally.by_label[0].unfinished(), Some(limits::MAX_OPEN_SPANS as u64 + 3));
    assert_eq!((spans.given_up, spans.not_followed()), (3, 0));
    assert!(spans.bytes_held() > limits::MAX_OPEN_SPANS * size_of::<UserSpan>());
    many.extend(alloc::vec![(1, 0, &b"STOP a"[..]); limits::MAX_OPEN_SPANS + 5]);
    let spans = play(&many);
    let of = spans.tally.by_label[0];
    assert_eq!((of.count, of.unfinished(), spans.unmatched), (limits::MAX_OPEN_SPANS as u64, Some(0), 2));
    assert_eq!((spans.given_up, spans.not_followed()), (3, 3));
}

/// With a number of their own or without, of a thread or of the process.
#[test]
fn spans_that_never_end_leave_room_for_those_that_do() {
    let words: [fn(usize) -> String; 3] =
        [|at| format!("START {at} lost"), |_| "START lost".into(), |at| format!("ot2 begin span {at} lost")];
    for lost in words {
        let mut texts = alloc::vec![String::from("START main")];
        texts.extend((0..limits::MAX_OPEN_SPANS * 2).map(lost));
        texts.extend((0..4000).flat_map(|_| ["START late", "START late", "STOP late", "STOP late"].map(String::from)));
        texts.push(String::from("STOP main"));
        let messages: Vec<(u32, u16, &[u8])> = texts.iter().map(|text| (1, 0, text.as_bytes())).collect();
        let (spans, kept) = play_labelled(&messages);
        let of = |label: &str| {
            let found = spans.tally.by_label.iter().zip(0..).find(|(_, at)| kept.labels.text(*at) == label);
            found.map(|(of, _)| (of.count, of.total.0, of.unfinished().unwrap())).unwrap()
        };
        assert_eq!(of("late"), (8000, 4000 * (30 + 10), 0));
        assert_eq!(of("main"), (1, (messages.len() as u64 - 1) * 10, 0));
        let never_ended = limits::MAX_OPEN_SPANS as u64 * 2;
        assert_eq!((of("lost").2, of("late").2, spans.unmatched), (never_ended, 0, 0));
        assert_eq!(
            spans.given_up,
            never_ended + 3 - limits::MAX_OPEN_SPANS as u64,
            "of all but main, and the late ones"
        );
    }
}

/// However many are open at the same time: a label's unfinished spans are counted, or it is said that they are not known. What ended, what
/// was not followed and what never ended is what began.
#[test]
fn unfinished_spans_are_exact_by_label_or_not_known() {
    let exact = limits::MAX_OPEN_SPANS + limits::MAX_UNFOLLOWED_KEYS;
    for (begun, is_exact) in [(exact, true), (exact + 500, false)] {
        let label = |at: usize| if at.is_multiple_of(100) { "rare" } else { "request" };
        let begins = (0..begun).map(|at| format!("ot2 begin span {at} {}", label(at)));
        let ends = (0..begun).filter(|at| label(*at) == "request").map(|at| format!("ot2 end span {at}"));
        let texts: Vec<String> = begins.chain(ends).collect();
        let messages: Vec<(u32, u16, &[u8])> = texts.iter().map(|text| (1, 0, text.as_bytes())).collect();
        let (spans, kept) = play_labelled(&messages);
        let of = |label: &str| spans.tally.by_label[usize::from(kept.labels.find(label.as_bytes()))];
        let rare = begun.div_ceil(100) as u64;
        let expected = if is_exact { [Some(rare), Some(0)] } else { [None, None] };
        assert_eq!(["rare", "request"].map(|label| of(label).unfinished()), expected);
        assert_eq!(["rare", "request"].map(|label| of(label).begun()), [rare, begun as u64 - rare]);
        assert_eq!((spans.given_up, spans.unmatched), ((begun - limits::MAX_OPEN_SPANS) as u64, 0));
        // As long as no end can be that of one that is not remembered, all of them are unfinished.
        let (spans, _) = play_labelled(&messages[..begun]);
        assert_eq!((spans.tally.unfinished(), spans.not_followed()), (Some(begun as u64), 0));
    }
}

/// Many requests at the same time, which end in the order in which they began.
#[test]
fn tens_of_thousands_may_be_open_at_the_same_time() {
    let count = 20_000;
    let texts: Vec<[String; 2]> = (0..count).map(|at| [format!("START {at} r"), format!("STOP {at} r")]).collect();
    let begins = texts.iter().map(|[begin, _]| begin);
    let messages = begins.chain(texts.iter().map(|[_, end]| end)).map(|text| (1, 0, text.as_bytes()));
    let spans = play(&messages.collect::<Vec<_>>());
    let of = spans.tally.by_label[0];
    assert_eq!((of.count, of.total.0 / of.count, of.longest.0, spans.unmatched), (count, 10 * count, 10 * count, 0));
}

/// Whenever a label comes, and however many there are: if its spans took long, it is among those that are kept from then on. One that hangs
/// never ends.
#[test]
fn the_heaviest_labels_are_found() {
    let count = limits::MAX_SPAN_LABELS * 3;
    let heavy = [count / 2, count - 1, limits::MAX_SPAN_LABELS + 1];
    let hangs = limits::MAX_SPAN_LABELS * 2;
    let texts: Vec<[String; 2]> = (0..count).map(|at| [format!("START l{at}"), format!("STOP l{at}")]).collect();
    let mut messages: Vec<(u32, u16, &[u8])> = Vec::new();
    for (at, [begin, end]) in texts.iter().enumerate() {
        messages.push((1, 0, begin.as_bytes()));
        messages.extend(alloc::vec![(1, 0, &b""[..]); if heavy.contains(&at) { 5 } else { 0 }]);
        messages.push((1, 0, if at == hangs { b"" } else { end.as_bytes() }));
    }
    let (mut spans, mut kept) = play_but_the_end(&messages, Messages::default());
    assert!(at_end(&messages, |ends| spans.choose_labels(&mut kept.labels, Some(ends))));
    let (spans, kept) = play_with(&messages, kept);
    let of = |at: usize| spans.tally.by_label[usize::from(kept.labels.find(format!("l{at}").as_bytes()))];
    assert!(heavy.iter().all(|at| (of(*at).count, of(*at).total) == (1, Nanos(60))));
    assert_eq!((of(hangs).count, of(hangs).unfinished()), (0, Some(1)));
    assert_eq!(spans.tally.sum(|of| of.count), count as u64 - 1);
    assert_eq!(spans.tally.sum(|of| of.total.0), ((count - 1) * 10 + heavy.len() * 50) as u64);
}

#[test]
fn too_many_spans_have_a_picture_and_are_all_counted() {
    let count = limits::MAX_USER_SPANS + 100;
    let messages: Vec<(u32, u16, &[u8])> = [(1, 0, &b"START a"[..]), (1, 0, b"STOP a"), (1, 0, b"")].repeat(count);
    let (spans, end) = (play(&messages), Nanos(count as u64 * 30));
    assert_eq!(spans.tally.sum(|of| of.count), count as u64);
    assert!(spans.rows.kept().len() <= limits::MAX_USER_SPANS && spans.rows.stride() > 1);
    assert!(spans.within(&collections(), Nanos(0), Nanos(100)).is_none());
    assert_eq!(spans.open_times.time(0), Nanos(count as u64 * 10));
    let (overview, series) = spans.coarse(0).unwrap();
    let mut columns = alloc::vec![0.0; 10];
    overview.columns(series, View { from: Nanos(0), to: end, width: 10 }, &mut columns);
    assert!(columns.iter().all(|time| (time * 30.0 / end.0 as f64 - 1.0).abs() < 0.02), "{columns:?}");
}

/// The ended spans, and the number of ends without a begin, found by comparing each end with all open spans.
fn obviously(messages: &[(u32, u16, &[u8])]) -> (Vec<(u64, u64, u64)>, u64) {
    let mut kept = Messages::default();
    let (mut open, mut spans, mut unmatched) = (Vec::<(Owner, Mark, u64)>::new(), Vec::new(), 0);
    for (at, &(thread, cap, message)) in messages.iter().enumerate() {
        let time = at as u64 * 10;
        kept.step(Event::of(UserMsg::TAG, Nanos(0), message));
        let [Some(mark), _] = Mark::read(UserMsg::TAG, message, 0, &kept) else { continue };
        let owner = match thread {
            _ if matches!(mark.what, MarkKind::BeginOfProcess | MarkKind::EndOfProcess) => Owner::Process(0),
            0 => Owner::Cap(CapNo(cap), 0),
            thread => Owner::Thread(ThreadId(thread)),
        };
        let fits =
            |(its, begin, _): &(Owner, Mark, u64)| (*its, begin.key, begin.number) == (owner, mark.key, mark.number);
        if matches!(mark.what, MarkKind::Begin | MarkKind::BeginOfProcess) {
            open.push((owner, mark, time));
        } else if let Some(found) = open.iter().rposition(fits) {
            let (_, mark, start) = open.remove(found);
            spans.push((start, time, mark.number));
        } else {
            unmatched += 1;
        }
    }
    let end = messages.len() as u64 * 10;
    spans.extend(open.into_iter().map(|(_, mark, start)| (start, end, mark.number)));
    spans.sort_unstable();
    (spans, unmatched)
}

/// Random messages of a few threads and capabilities, with few labels and numbers: the result is the same as by comparing with
/// all open spans.
#[test]
fn an_end_matches_the_last_fitting_begin() {
    let mut below = crate::random::numbers(1);
    for round in 0..300 {
        let texts: Vec<(u32, u16, String)> = (0..200)
            .map(|_| {
                let label = ["a", "b", "c"][below(3) as usize];
                let text = match below(5) {
                    0 => format!("START {label}"),
                    1 => format!("STOP {label}"),
                    2 => format!("{} {} {label}", if below(2) == 0 { "START" } else { "STOP" }, below(4)),
                    3 => format!("ot2 begin span {} {label}", below(4)),
                    _ => format!("ot2 end span {}", below(4)),
                };
                (below(3) as u32, below(2) as u16, text)
            })
            .collect();
        let messages: Vec<_> = texts.iter().map(|(thread, cap, text)| (*thread, *cap, text.as_bytes())).collect();
        let spans = play(&messages);
        let mut found: Vec<_> = spans.rows.kept().iter().map(|span| (span.start.0, span.end.0, span.number)).collect();
        found.sort_unstable();
        assert_eq!((found, spans.unmatched), obviously(&messages), "round {round}");
    }
}
