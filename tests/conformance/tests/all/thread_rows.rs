//! Which rows threads have on the timeline: sorted, chosen, and grouped by label.

use conformance::{model_in_steps, project, replay, whole_range};
use ghc_eventlog::Nanos;
use ghc_eventlog_model::{
    Arrangement, Model, Note, Presence, Range, ThreadOrder, ThreadRows, Track, TrackId, View, Wishes,
};
use std::{collections::BTreeMap, fs};

const RUNNING: usize = 0;
const BLOCKED: usize = 2;

fn opened(case: &str) -> (Model, Vec<u8>) {
    let log = fs::read(project().join("tests/corpus").join(case).join("log.eventlog")).unwrap();
    let mut model = model_in_steps(&log, 1 << 20);
    assert!(replay(&mut model, &log));
    (model, log)
}

/// The rows of threads, with what they did.
fn rows(model: &Model, by: &Arrangement) -> Vec<(Track, Vec<u64>)> {
    let with_totals = |track: Track| {
        let totals = model.totals(by, track.id).into_iter().map(|time| time.0).collect();
        (track, totals)
    };
    let rows: Vec<_> = model.tracks_of(by, "threads", 0, 1 << 20).into_iter().map(with_totals).collect();
    let group = model.groups(by).into_iter().find(|group| group.key == "threads").unwrap();
    assert_eq!(group.tracks, rows.len());
    for (at, (track, _)) in rows.iter().enumerate() {
        assert_eq!(model.place(by, track.id), Some(("threads", at)), "{}", track.name.for_comparing());
    }
    rows
}

fn shown(model: &Model, by: &Arrangement) -> (usize, usize) {
    model.groups(by).into_iter().find(|group| group.key == "threads").unwrap().shown.unwrap()
}

fn by(model: &Model, threads: ThreadRows, range: Option<&Range>) -> Arrangement {
    model.arrange(Wishes { threads, ..Wishes::default() }, range)
}

/// The arrangement with these rows.
fn arranged(model: &Model, threads: ThreadRows, range: Option<&Range>) -> Vec<(Track, Vec<u64>)> {
    rows(model, &by(model, threads, range))
}

fn at_first(model: &Model) -> Arrangement {
    conformance::arranged(model)
}

/// The row's name without the thread's number; empty if it has only that.
fn label(track: &Track) -> &str {
    if track.name.for_comparing().starts_with("thread ") {
        ""
    } else {
        track.name.for_comparing().split_once(' ').map_or("", |(_, label)| label)
    }
}

#[test]
fn rows_are_sorted_by_what_is_asked_for() {
    let (model, _) = opened("threaded");
    let first_rows = rows(&model, &at_first(&model));
    assert!(first_rows.len() > 5);
    assert_eq!(shown(&model, &at_first(&model)), (first_rows.len(), first_rows.len()));
    let by = |order| ThreadRows { order, ..ThreadRows::default() };
    for (order, state) in [(ThreadOrder::Running, RUNNING), (ThreadOrder::Blocked, BLOCKED)] {
        let sorted = arranged(&model, by(order), None);
        assert_eq!(sorted.len(), first_rows.len());
        assert!(sorted.is_sorted_by_key(|(_, totals)| u64::MAX - totals[state]), "{order:?}");
        assert!(sorted.first().unwrap().1[state] > 0);
    }
    let by_life = arranged(&model, by(ThreadOrder::Lifetime), None);
    assert!(by_life.is_sorted_by_key(|(_, totals)| u64::MAX - totals.iter().sum::<u64>()));
    let by_label = arranged(&model, by(ThreadOrder::Label), None);
    let labels: Vec<(bool, &str)> = by_label.iter().map(|(track, _)| (label(track).is_empty(), label(track))).collect();
    assert!(labels.is_sorted(), "{labels:?}");
    assert!(labels.iter().any(|(none, _)| !none));
    assert_eq!(arranged(&model, by(ThreadOrder::First), None), first_rows);
}

#[test]
fn rows_are_those_of_threads_that_are_asked_for() {
    let (mut model, log) = opened("threaded");
    let all = rows(&model, &at_first(&model));
    let of_workers = by(&model, ThreadRows { text: "WORKER".into(), ..ThreadRows::default() }, None);
    let workers = rows(&model, &of_workers);
    let named: Vec<_> =
        all.iter().filter(|(track, _)| track.name.for_comparing().contains("worker")).cloned().collect();
    assert!(!named.is_empty() && named.len() < all.len());
    assert_eq!(workers, named);
    assert_eq!(shown(&model, &of_workers), (named.len(), all.len()));
    let of_nobody = by(&model, ThreadRows { text: "nobody".into(), ..ThreadRows::default() }, None);
    assert!(rows(&model, &of_nobody).is_empty());
    // A thread without a row is known nevertheless; and it has a row for readers with another arrangement.
    let (one, _) = &all[0];
    assert_eq!(model.place(&of_nobody, one.id), None);
    assert_eq!(model.track(&of_nobody, one.id).unwrap().name, one.name);
    assert_eq!(model.place(&at_first(&model), one.id), Some(("threads", 0)));
    for state in 0..4 {
        let those = arranged(&model, ThreadRows { state: Some(state), ..ThreadRows::default() }, None);
        let wanted: Vec<_> = all.iter().filter(|(_, totals)| totals[state] > 0).cloned().collect();
        assert_eq!(those, wanted, "state {state}");
    }
    // In a range: by what each thread did in the range.
    let (first, last) = model.extent().unwrap();
    let third = last.since(first).0 / 3;
    let (from, to) = (first.plus(Nanos(third)), first.plus(Nanos(2 * third)));
    let (range, _) = whole_range(&mut model, &log, from, to).unwrap();
    for presence in [Presence::Alive, Presence::Ran] {
        let those = arranged(&model, ThreadRows { presence, ..ThreadRows::default() }, Some(&range));
        let in_range = |track: &Track| model.range_totals(&at_first(&model), &range, track.id).unwrap().states;
        let wanted: Vec<TrackId> = all
            .iter()
            .filter(|(track, _)| match presence {
                Presence::Ran => in_range(track)[RUNNING] > Nanos(0),
                _ => in_range(track).iter().any(|time| *time > Nanos(0)),
            })
            .map(|(track, _)| track.id)
            .collect();
        assert!(!wanted.is_empty() && wanted.len() < all.len(), "{presence:?}: {} of {}", wanted.len(), all.len());
        assert_eq!(those.iter().map(|(track, _)| track.id).collect::<Vec<_>>(), wanted, "{presence:?}");
    }
}

#[test]
fn a_label_s_row_is_the_sum_of_its_threads() {
    let (mut model, _) = opened("threaded");
    let all = rows(&model, &at_first(&model));
    let mut members = BTreeMap::<&str, Vec<&(Track, Vec<u64>)>>::new();
    for row in &all {
        members.entry(label(&row.0)).or_default().push(row);
    }
    let by_label = by(&model, ThreadRows { by_label: true, ..ThreadRows::default() }, None);
    let grouped = rows(&model, &by_label);
    assert_eq!(grouped.len(), members.len());
    assert_eq!(shown(&model, &by_label), (all.len(), all.len()));
    let (first, last) = model.extent().unwrap();
    let view = View { from: first, to: last, width: 1 };
    let (mut labels, mut unfolded) = (0, Vec::new());
    for (track, totals) in &grouped {
        assert_eq!(by_label.unfolds(track.id).is_some(), track.name.for_comparing().ends_with(')'));
        if by_label.unfolds(track.id).is_none() {
            continue;
        }
        labels += 1;
        unfolded.push(track.id);
        let (name, count) = track.name.for_comparing().rsplit_once(" (").unwrap();
        let those = &members[if name == "no label" { "" } else { name }];
        assert_eq!(count, format!("{})", those.len()));
        for (state, total) in totals.iter().enumerate() {
            assert_eq!(
                *total,
                those.iter().map(|(_, totals)| totals[state]).sum::<u64>(),
                "{}",
                track.name.for_comparing()
            );
        }
        // In one pixel for the whole log: their mean.
        let plan = model.plan_with(view, true);
        let drawn = model.window(&by_label, &plan, track.id).shares;
        for (state, share) in drawn.iter().enumerate() {
            let mean = totals[state] as f64 / those.len() as f64 / last.since(first).0 as f64 * 255.0;
            assert!((f64::from(*share) - mean).abs() <= 2.0, "{}: {share} is not {mean}", track.name.for_comparing());
        }
        assert!(matches!(track.note, Note::Time(time) if time.0 == totals[RUNNING]), "{:?}", track.note);
    }
    assert!(labels > 0);
    // Unfolded, each has its threads below it.
    let wish = ThreadRows { by_label: true, unfolded: unfolded.clone(), ..ThreadRows::default() };
    let all_unfolded = by(&model, wish, None);
    let unfolded_rows = rows(&model, &all_unfolded);
    assert_eq!(unfolded_rows.len(), all.len() + labels);
    let mut below: Option<String> = None;
    for (track, _) in &unfolded_rows {
        match all_unfolded.unfolds(track.id) {
            Some(is_unfolded) => {
                assert!(is_unfolded);
                below = track.name.for_comparing().rsplit_once(" (").map(|(name, _)| name.replace("no label", ""));
            }
            None => {
                let count = members[label(track)].len();
                assert!(
                    count == 1 || below.as_deref() == Some(label(track)),
                    "{} below {below:?}",
                    track.name.for_comparing()
                );
            }
        }
    }
}

/// The row stays the same if only some of its threads are shown, in particular without the first one. Otherwise it
/// would fold, and lose its selection.
#[test]
fn a_label_s_row_is_the_same_row_whichever_of_its_threads_are_shown() {
    let (mut checked, mut without_first) = (0, 0);
    for case in ["threaded", "chat", "blocked-threads", "spans-user"] {
        let (more, of_those) = same_rows(case);
        (checked, without_first) = (checked + more, without_first + of_those);
    }
    assert!(checked > 3 && without_first > 0, "{checked}, {without_first} of them without the label's first thread");
}

/// How many rows of labels were checked, and how many of them without the label's first thread.
fn same_rows(case: &str) -> (usize, usize) {
    let (model, _) = opened(case);
    let by_label = ThreadRows { by_label: true, ..ThreadRows::default() };
    let label_rows = |wish: ThreadRows| -> BTreeMap<String, TrackId> {
        let by = by(&model, wish, None);
        let rows = rows(&model, &by);
        let of_labels = rows.iter().filter(|(track, _)| by.unfolds(track.id).is_some());
        of_labels
            .map(|(track, _)| (track.name.for_comparing().rsplit_once(" (").unwrap().0.to_string(), track.id))
            .collect()
    };
    let of_all = label_rows(by_label.clone());
    let (mut checked, mut without_first) = (0, 0);
    // Threads of one state, or with a digit in their numbers: of most labels that leaves some.
    let texts = (0..10).map(|digit| ThreadRows { text: digit.to_string(), ..by_label.clone() });
    let states = (0..4).map(|state| ThreadRows { state: Some(state), ..by_label.clone() });
    for wish in texts.chain(states) {
        for (label, id) in label_rows(wish.clone()) {
            assert_eq!(of_all[&label], id, "{label}: {wish:?}");
            let by_unfolded = by(&model, ThreadRows { unfolded: vec![id], ..wish.clone() }, None);
            let unfolded = rows(&model, &by_unfolded);
            assert_eq!(by_unfolded.unfolds(id), Some(true));
            // All shown threads of the label are below its row, and the row has what they did.
            let at = unfolded.iter().position(|(track, _)| track.id == id).unwrap();
            let below: Vec<_> =
                unfolded[at + 1..].iter().take_while(|(track, _)| by_unfolded.unfolds(track.id).is_none()).collect();
            let those: Vec<_> =
                below.iter().filter(|(track, _)| self::label(track) == label.replace("no label", "")).collect();
            assert!(those.len() > 1);
            let (track, totals) = &unfolded[at];
            assert!(
                track.name.for_comparing().ends_with(&format!(" ({})", those.len())),
                "{}: {}",
                track.name.for_comparing(),
                those.len()
            );
            for (state, total) in totals.iter().enumerate() {
                assert_eq!(*total, those.iter().map(|(_, totals)| totals[state]).sum::<u64>(), "{label}");
            }
            checked += 1;
            let first = arranged(&model, ThreadRows { unfolded: vec![id], ..by_label.clone() }, None);
            let place = first.iter().position(|(track, _)| track.id == id).unwrap() + 1;
            without_first += usize::from(!those.iter().any(|(track, _)| track.id == first[place].0.id));
        }
    }
    (checked, without_first)
}
