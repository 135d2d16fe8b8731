//! Call trees, for any log and any damage: what is a row's own and what is below it are its total, whatever is unfolded and left out;
//! all rows together have what the flame graph has; and the samples that go through a row are as many as it says.

use conformance::{Mutants, files, model_in_steps, project, shared_logs, whole_range};
use ghc_eventlog::Nanos;
use ghc_eventlog_model::{
    CallOf, CallOrder, CallPath, CallQuery, CallRow, CallTree, Direction, EVERY_CALL, FlameProfile, FlameQuery,
    FlameView, Model, OpenCall, Range, View,
};
use std::{fs, path::PathBuf};

/// Damaged forms of each log.
const DAMAGED: usize = 3;

/// How deep trees are unfolded.
const DEEP: u32 = 40;

/// Rows in one question: few, so that trees have several pages.
const PAGE: usize = 37;

const PROFILES: [FlameProfile; 2] = [FlameProfile::Time, FlameProfile::Heap];

fn paths() -> Vec<PathBuf> {
    files(&project().join("tests/corpus"), "log.eventlog").into_iter().chain(shared_logs()).collect()
}

/// A tree with all rows unfolded, and a row for those that come after the first `shown`.
fn unfolded(profile: FlameProfile, view: FlameView, shown: u32) -> CallQuery {
    let open = (0..DEEP).map(|depth| OpenCall { depth, frame: EVERY_CALL, shown }).collect();
    CallQuery { profile, view, shown, open, down: true, ..CallQuery::default() }
}

/// All rows, page by page, each with the frame that it is asked for by; and the tree's head.
fn rows<'m>(model: &'m Model, range: Option<&Range>, query: &CallQuery) -> (Vec<(CallRow, Option<u32>)>, CallTree<'m>) {
    let mut all: Vec<(CallRow, Option<u32>)> = Vec::new();
    let mut way = Vec::new();
    loop {
        let page = model.calls(range, &CallQuery { from: all.len() as u64, count: PAGE, ..query.clone() });
        let depth = page.rows.first().map_or(0, |row| row.depth as usize);
        assert_eq!(page.above, way.get(..depth).unwrap_or_default());
        let frame = |row: &CallRow| match row.what {
            CallOf::Frame(name) => page.names[name as usize].frame,
            CallOf::Rest(_) => None,
        };
        all.extend(page.rows.iter().map(|row| (*row, frame(row))));
        for (row, frame) in all.iter().skip(all.len() - page.rows.len()) {
            way.truncate(row.depth as usize);
            way.push(frame.unwrap_or(u32::MAX));
        }
        if all.len() as u64 >= page.all_rows {
            assert_eq!(all.len() as u64, page.all_rows);
            return (all, page);
        }
        assert!(!page.rows.is_empty());
    }
}

/// Checks that each row's own and the totals directly below it are its total.
fn check_sums(rows: &[(CallRow, Option<u32>)], width: u64, context: &str) {
    let sum_below = |from: usize, depth: u32| -> u64 {
        let below = rows[from..].iter().take_while(|(row, _)| row.depth >= depth);
        below.filter(|(row, _)| row.depth == depth).map(|(row, _)| row.total).sum()
    };
    assert_eq!(sum_below(0, 0), width, "{context}");
    for (at, (row, _)) in rows.iter().enumerate() {
        assert!(row.total > 0 && row.own <= row.total, "{context}: {row:?}");
        let is_rest = matches!(row.what, CallOf::Rest(_));
        assert!(!(row.is_open && (is_rest || !row.can_open)), "{context}: {row:?}");
        let below = sum_below(at + 1, row.depth + 1);
        if row.is_open {
            assert_eq!(row.own + below, row.total, "{context}: {row:?}");
        } else {
            assert_eq!(below, 0, "{context}: {row:?}");
            assert!(is_rest || row.can_open || row.own == row.total, "{context}: {row:?}");
        }
        assert!(row.place.0 >= 1 && row.place.0 <= row.place.1, "{context}: {row:?}");
    }
}

/// Whether there is anything.
fn check(model: &Model, range: Option<&Range>, profile: FlameProfile, context: &str) -> bool {
    let flame = |view| model.flame(range, &FlameQuery { profile, view, width: u32::MAX, ..FlameQuery::default() });
    for view in [FlameView::LeftHeavy, FlameView::Inverted] {
        let graph = flame(view);
        for shown in [2, u32::MAX] {
            let (rows, tree) = rows(model, range, &unfolded(profile, view, shown));
            assert_eq!((tree.width, tree.of, tree.one_of), (graph.width, graph.of, graph.one_of), "{context}");
            check_sums(&rows, graph.width, context);
            if shown == u32::MAX && graph.left_out == 0 && rows.iter().all(|(row, _)| row.depth < DEEP) {
                let mut widths: Vec<_> = graph.frames.iter().map(|frame| (frame.depth, frame.width)).collect();
                let mut totals: Vec<_> = rows.iter().map(|(row, _)| (row.depth, row.total)).collect();
                widths.sort_unstable();
                totals.sort_unstable();
                assert_eq!(totals, widths, "{view:?} {context}");
            }
            if profile == FlameProfile::Time {
                check_samples(model, range, view, &rows, context);
            }
        }
        for frame in graph.names.iter().filter_map(|name| name.frame).take(3) {
            for view in [FlameView::Callers(frame), FlameView::Callees(frame)] {
                let (rows, tree) = rows(model, range, &unfolded(profile, view, 2));
                assert_eq!(tree.width, flame(view).width, "{context}");
                check_sums(&rows, tree.width, context);
            }
        }
        check_filter(model, range, profile, view, context);
    }
    flame(FlameView::LeftHeavy).width > 0
}

/// The samples that go through each of some rows are as many as its total, and stepping meets all of their times.
fn check_samples(
    model: &Model,
    range: Option<&Range>,
    view: FlameView,
    rows: &[(CallRow, Option<u32>)],
    context: &str,
) {
    let mut way = Vec::new();
    for (at, (row, frame)) in rows.iter().enumerate().take(60) {
        way.truncate(row.depth as usize);
        way.push(frame.unwrap_or(u32::MAX));
        if frame.is_none() || at % 7 > 1 {
            continue;
        }
        let path = CallPath { view, frames: way.clone(), ..CallPath::default() };
        let whole = View { from: Nanos(0), to: Nanos::MAX, width: 3 };
        let found = model.call_samples(range, &path, whole, &[]);
        assert_eq!(found.total, row.total, "{view:?} {way:?} {context}");
        assert_eq!(found.columns.iter().map(|count| u64::from(*count)).sum::<u64>(), row.total, "{context}");
        let (mut time, mut before) = (None, 0);
        for _ in 0..10 {
            let from = time.unwrap_or(Nanos(0));
            let Some(next) = model.call_sample_beside(range, &path, from, Direction::Next) else { break };
            assert!(next.time > from && next.before >= before && next.before < row.total, "{context}");
            if let Some(time) = time {
                let back = model.call_sample_beside(range, &path, next.time, Direction::Previous);
                assert_eq!(back.map(|back| back.time), Some(time), "{context}");
            }
            (time, before) = (Some(next.time), next.before);
        }
    }
}

/// With a filter, the tree has what the flame graph says that matches; whatever it is sorted by, its sums are the same.
fn check_filter(model: &Model, range: Option<&Range>, profile: FlameProfile, view: FlameView, context: &str) {
    for text in ["main", "a", "no such name"] {
        let search = FlameQuery { profile, view, width: 1, search: text.into(), ..FlameQuery::default() };
        let graph = model.flame(range, &search);
        for sort in [CallOrder::Total, CallOrder::Own, CallOrder::Name, CallOrder::Module, CallOrder::Source] {
            let query = CallQuery { filter: text.into(), sort, ..unfolded(profile, view, 2) };
            let (rows, tree) = rows(model, range, &query);
            assert_eq!((tree.width, tree.of), (graph.matched, graph.of), "{text} {context}");
            check_sums(&rows, tree.width, context);
        }
    }
}

#[test]
fn own_and_what_is_below_are_the_total() {
    let mut compared = [0, 0];
    for (seed, path) in paths().iter().enumerate() {
        let log = fs::read(path).unwrap();
        let damaged: Vec<Vec<u8>> = Mutants::new(&log, seed as u64).take(DAMAGED).collect();
        for log in [log].iter().chain(&damaged) {
            let model = model_in_steps(log, 1 << 16);
            for (profile, compared) in PROFILES.into_iter().zip(&mut compared) {
                *compared += u32::from(check(&model, None, profile, &path.display().to_string()));
            }
        }
    }
    assert!(compared.iter().all(|count| *count > 4), "{compared:?}");
}

#[test]
fn in_any_range_own_and_what_is_below_are_the_total() {
    let mut compared = [0, 0];
    for path in paths() {
        let log = fs::read(&path).unwrap();
        let mut model = model_in_steps(&log, 1 << 20);
        let Some((first, last)) = model.extent() else { continue };
        let at = |part: u64| first.plus(Nanos(last.since(first).0 / 5 * part));
        for (from, to) in [(at(0), at(2)), (at(2), at(3)), (at(3), Nanos::MAX)] {
            let Some((range, _)) = whole_range(&mut model, &log, from, to) else { continue };
            for (profile, compared) in PROFILES.into_iter().zip(&mut compared) {
                *compared += u32::from(check(&model, Some(&range), profile, &path.display().to_string()));
            }
        }
    }
    assert!(compared.iter().all(|count| *count > 2), "{compared:?}");
}
