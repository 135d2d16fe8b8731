//! Flame graphs, for any log and any damage: the outermost frames add up to all samples (or bytes), no frame has more
//! than its parent, frames have what the tables have, and parts of a log add up to the whole.

use conformance::arranged;
use conformance::{Mutants, files, model_in_steps, project, shared_logs, whole_range};
use ghc_eventlog::Nanos;
use ghc_eventlog_model::{
    Flame, FlameFrame, FlameName, FlameProfile, FlameQuery, FlameView, LogText, Model, Range, Shape, TablePage,
    TableQuery, Value,
};
use std::{collections::BTreeMap, fs, path::PathBuf};

/// Damaged forms of each log.
const DAMAGED: usize = 3;

const VIEWS: [FlameView; 3] = [FlameView::LeftHeavy, FlameView::TimeOrder, FlameView::Inverted];

fn paths() -> Vec<PathBuf> {
    files(&project().join("tests/corpus"), "log.eventlog").into_iter().chain(shared_logs()).collect()
}

/// A graph so wide that no frame is too narrow to be shown.
fn flame<'m>(model: &'m Model, range: Option<&Range>, view: FlameView) -> Flame<'m> {
    model.flame(range, &FlameQuery { view, width: u32::MAX, ..FlameQuery::default() })
}

fn rows(model: &Model, table: &str, range: Option<&Range>) -> TablePage {
    let query = TableQuery { table: table.into(), ..TableQuery::default() };
    model.page(&model.order(query, range), range, 0, usize::MAX)
}

/// Numbers by name; those with the same name are added up.
fn by_name(numbers: impl Iterator<Item = (String, u64)>) -> BTreeMap<String, u64> {
    let mut sums = BTreeMap::new();
    numbers.filter(|(_, number)| *number > 0).for_each(|(name, number)| *sums.entry(name).or_default() += number);
    sums
}

/// A column of a table, by the values of its first column.
fn column(page: &TablePage, at: usize) -> BTreeMap<String, u64> {
    by_name(page.rows.iter().map(|row| match (&row[0], &row[at]) {
        (Value::Text(name), Value::Count(number) | Value::Bytes(number)) => (name.for_json(), *number),
        other => panic!("{other:?}"),
    }))
}

/// What frames have, by their names.
fn named(flame: &Flame<'_>, of: impl Fn(&FlameFrame) -> u64) -> BTreeMap<String, u64> {
    by_name(flame.frames.iter().map(|frame| (plain(&flame.names[frame.name as usize]), of(frame))))
}

/// A name as the tables have it: they have columns for what tells equal names apart.
fn plain(name: &FlameName<'_>) -> String {
    let (text, module, source) = (name.name.for_json(), name.module.for_json(), name.source.for_json());
    let text = text.strip_prefix(&format!("{module}.")).unwrap_or(&text);
    text.strip_suffix(&format!(" ({source})")).unwrap_or(text).to_string()
}

/// Checks that frames of one depth are side by side, each within its parent, and that the outermost have all samples.
fn check_shape(flame: &Flame<'_>, context: &str) {
    let of_depth = |depth| flame.frames.iter().filter(move |frame| frame.depth == depth);
    assert_eq!(of_depth(0).map(|frame| frame.width).sum::<u64>(), flame.width, "{context}");
    assert_eq!(flame.left_out, 0, "{context}");
    let deepest = flame.frames.iter().map(|frame| frame.depth).max().unwrap_or(0);
    for depth in 0..=deepest {
        let mut end = 0;
        let mut above = if depth == 0 { None } else { Some(of_depth(depth - 1).peekable()) };
        for frame in of_depth(depth) {
            assert!(end <= frame.x && frame.width > 0 && frame.own <= frame.width, "{context}: {frame:?}");
            end = frame.x + frame.width;
            let Some(above) = &mut above else { continue };
            while above.next_if(|above| above.x + above.width <= frame.x).is_some() {}
            assert!(above.peek().is_some_and(|above| above.x <= frame.x && end <= above.x + above.width), "{context}");
        }
    }
}

#[test]
fn frames_are_what_the_tables_say() {
    let mut compared = 0;
    for (seed, path) in paths().iter().enumerate() {
        let log = fs::read(path).unwrap();
        let damaged: Vec<Vec<u8>> = Mutants::new(&log, seed as u64).take(DAMAGED).collect();
        for log in [log].iter().chain(&damaged) {
            let model = model_in_steps(log, 1 << 16);
            compared += u32::from(check_frames(&model, &path.display().to_string()));
        }
    }
    assert!(compared > 4, "{compared}");
}

/// Whether there were any.
fn check_frames(model: &Model, context: &str) -> bool {
    let samples = model.profiled().samples();
    let [heavy, timed, inverted] = VIEWS.map(|view| flame(model, None, view));
    for flame in [&heavy, &timed, &inverted] {
        assert_eq!((flame.width, flame.of, flame.one_of), (samples, samples, 1), "{context}");
        check_shape(flame, context);
    }
    let table = rows(model, "cost_centres", None);
    let (own, total) = (column(&table, 3), column(&table, 5));
    assert_eq!(named(&heavy, |frame| frame.own), own, "{context}");
    assert_eq!(named(&timed, |frame| frame.own), own, "{context}");
    assert_eq!(named(&inverted, |frame| if frame.depth == 0 { frame.width } else { 0 }), own, "{context}");
    let in_all = heavy.names.iter().filter_map(|name| {
        let frame = name.frame?;
        let [callers, callees] = [FlameView::Callers, FlameView::Callees].map(|of| flame(model, None, of(frame)));
        check_shape(&callers, context);
        check_shape(&callees, context);
        assert_eq!(callers.width, callees.width, "{context}");
        Some((plain(name), callers.width))
    });
    assert_eq!(by_name(in_all), total, "{context}");
    let modules = rows(model, "modules", None);
    assert_eq!(modules.rows.iter().map(|row| count(&row[1])).sum::<u64>(), samples, "{context}");
    samples > 0
}

fn count(value: &Value) -> u64 {
    match value {
        Value::Count(number) => *number,
        other => panic!("{other:?}"),
    }
}

#[test]
fn parts_of_a_log_add_up() {
    let mut compared = 0;
    for path in paths() {
        let log = fs::read(&path).unwrap();
        let mut model = model_in_steps(&log, 1 << 20);
        let Some((first, last)) = model.extent().filter(|_| model.profiled().samples() > 0) else { continue };
        let half = first.plus(Nanos(last.since(first).0 / 2));
        let [one, other] = [(Nanos(0), half), (half, Nanos::MAX)]
            .map(|(from, to)| whole_range(&mut model, &log, from, to).expect("all has been read").0);
        for view in VIEWS {
            let [whole, one, other] = [None, Some(&one), Some(&other)].map(|range| flame(&model, range, view));
            assert_eq!(one.width + other.width, whole.width, "{}", path.display());
            let own = |flame: &Flame<'_>| {
                named(
                    flame,
                    |frame| if view == FlameView::Inverted && frame.depth == 0 { frame.width } else { frame.own },
                )
            };
            let mut sum = own(&one);
            own(&other).into_iter().for_each(|(name, more)| *sum.entry(name).or_default() += more);
            assert_eq!(sum, own(&whole), "{view:?} of {}", path.display());
            check_shape(&one, "the first half");
        }
        compared += 1;
    }
    assert!(compared > 1, "{compared}");
}

fn flame_of_heap<'m>(model: &'m Model, range: Option<&Range>, view: FlameView) -> Flame<'m> {
    model.flame(range, &FlameQuery { profile: FlameProfile::Heap, view, width: u32::MAX, ..FlameQuery::default() })
}

/// What bands held on average over `length` nanoseconds, each rounded down by itself, and all together; with a single census, what that held.
fn mean_bytes(model: &Model, range: Option<&Range>, length: u64) -> [u64; 2] {
    let bands = rows(model, "bands", range).rows;
    let (mut each, mut all) = (0u64, 0u128);
    for row in &bands {
        match (&row[2], &row[6]) {
            (Value::Bytes(most), Value::ByteTime(_)) if length == 0 => {
                (each, all) = (each + most, all + u128::from(*most))
            }
            (_, Value::ByteTime(area)) => (each, all) = (each + (area / u128::from(length)) as u64, all + area),
            other => panic!("{other:?}"),
        }
    }
    [each, (all / u128::from(length.max(1))) as u64]
}

/// Whether no frame is left out as too narrow. There may be so many bytes that a frame is narrower than half a pixel.
fn is_wide(flame: &Flame<'_>) -> bool {
    flame.width > 1 << 15
}

/// Whether the heap profile has stacks.
fn check_heap(model: &Model, range: Option<&Range>, length: Option<u64>, context: &str) -> bool {
    let facts = model.facts(range);
    let section = facts.section("heap_profile");
    let table = rows(model, "heap_cost_centres", range);
    let [heavy, inverted] = [FlameView::LeftHeavy, FlameView::Inverted].map(|view| flame_of_heap(model, range, view));
    let is_told = section.is_some_and(|section| section.flame.is_some());
    assert_eq!(heavy.width > 0, !table.rows.is_empty(), "{context}");
    assert!(is_told || heavy.width == 0, "{context}");
    let (own, total) = (column(&table, 3), column(&table, 5));
    assert_eq!(own.values().sum::<u64>(), heavy.width, "{context}");
    for row in &table.rows {
        assert!(matches!((&row[3], &row[5]), (Value::Bytes(own), Value::Bytes(all)) if own <= all), "{context}");
    }
    for flame in [&heavy, &inverted] {
        assert_eq!((flame.width, flame.of, flame.one_of, flame.tick), (heavy.width, heavy.width, 1, None), "{context}");
        let outermost: u64 = flame.frames.iter().filter(|frame| frame.depth == 0).map(|frame| frame.width).sum();
        assert!(outermost == flame.width || flame.left_out > 0, "{context}");
        if !is_wide(flame) {
            check_shape(flame, context);
        }
    }
    if !is_wide(&heavy) {
        assert_eq!(named(&heavy, |frame| frame.own), own, "{context}");
        assert_eq!(named(&inverted, |frame| if frame.depth == 0 { frame.width } else { 0 }), own, "{context}");
    }
    let in_all = heavy.names.iter().map(|name| {
        let Some(frame) = name.frame else { return (plain(name), total[&plain(name)]) };
        let [callers, callees] =
            [FlameView::Callers, FlameView::Callees].map(|of| flame_of_heap(model, range, of(frame)));
        assert_eq!((callers.width, callers.of), (callees.width, heavy.width), "{context}");
        (plain(name), callers.width)
    });
    let in_all = by_name(in_all);
    assert!(in_all.iter().all(|(name, bytes)| *bytes <= total[name]), "{context}");
    assert!(in_all == total || heavy.left_out > 0, "{context}");
    if let Some(length) = length.filter(|_| is_told) {
        let [each, all] = mean_bytes(model, range, length);
        // What is rounded off one stack counts for the next one with the same innermost cost centre.
        assert!(heavy.width >= each && all.abs_diff(heavy.width) <= table.rows.len() as u64, "{context}");
    }
    heavy.width > 0
}

#[test]
fn bytes_of_cost_centres_are_what_the_bands_hold() {
    let (mut compared, mut of_ranges) = (0, 0);
    for (seed, path) in paths().iter().enumerate() {
        let log = fs::read(path).unwrap();
        let context = path.display().to_string();
        for damaged in Mutants::new(&log, seed as u64).take(DAMAGED) {
            check_heap(&model_in_steps(&damaged, 1 << 16), None, None, &context);
        }
        let mut model = model_in_steps(&log, 1 << 16);
        let track =
            model.tracks(&arranged(&model)).into_iter().find(|track| matches!(track.shape, Shape::Bands { .. }));
        let Some((first, last)) = track.and_then(|track| track.known) else { continue };
        let is_of_stacks = check_heap(&model, None, Some(last.since(first).0), &context);
        if !is_of_stacks {
            continue;
        }
        compared += 1;
        let step = last.since(first).0 / 3 + 1;
        for part in 0..3 {
            let from = first.plus(Nanos(part * step));
            let to = from.plus(Nanos(step));
            let (range, _) = whole_range(&mut model, &log, from, to).expect("all has been read");
            let length = to.min(last).since(from).0;
            of_ranges += u32::from(check_heap(&model, Some(&range), Some(length), &context));
        }
    }
    assert!(compared > 1 && of_ranges > 3, "{compared} {of_ranges}");
}

/// A frame of a graph by what a reader sees: where it is, and its name, module and place in the source.
fn seen(flame: &Flame<'_>) -> Vec<(u64, u64, u32, String)> {
    let name = |frame: &FlameFrame| flame.names[frame.name as usize].clone();
    let said = |frame| {
        let FlameName { name, module, source, .. } = name(frame);
        format!("{} {} {}", name.for_json(), module.for_json(), source.for_json())
    };
    flame.frames.iter().map(|frame| (frame.x, frame.width, frame.depth, said(frame))).collect()
}

fn corpus(case: &str) -> Vec<u8> {
    fs::read(project().join("tests/corpus").join(case).join("log.eventlog")).unwrap()
}

/// The same stacks, written by three versions of ghc-stack-profiler.
#[test]
fn versions_of_ghc_stack_profiler_have_equal_graphs() {
    let logs = ["written-stacks-0.1", "written-stacks-0.3", "written-stacks-0.5"].map(corpus);
    let models = logs.each_ref().map(|log| model_in_steps(log, 1 << 16));
    for view in VIEWS {
        let graphs = models.each_ref().map(|model| seen(&flame(model, None, view)));
        assert!(graphs[0].len() > 20, "{view:?}");
        assert_eq!(graphs[0], graphs[1], "{view:?}");
        assert_eq!(graphs[1], graphs[2], "{view:?}");
    }
    let outermost = |model| seen(&flame(model, None, FlameView::LeftHeavy))[0].3.clone();
    assert_eq!(outermost(&models[0]), "main Main app/Main.hs:30:1-12");
    // Files of two versions, appended, and messages of them mixed with one another: each is read in its own layout.
    let mixed = model_in_steps(&logs.concat(), 1 << 16);
    let widths = |model: &Model| named(&flame(model, None, FlameView::LeftHeavy), |frame| frame.own);
    let thrice = widths(&models[0]).into_iter().map(|(name, own)| (name, own * 3)).collect();
    assert_eq!(widths(&mixed), thrice);
}

/// Without any place in the source, stacks of one thread agree at their outermost ends.
#[test]
fn the_outermost_end_is_found_without_any_other_sign() {
    let model = model_in_steps(&corpus("written-stacks-tables-only"), 1 << 16);
    let graph = flame(&model, None, FlameView::LeftHeavy);
    let outermost = graph.frames.iter().filter(|frame| frame.depth == 0).map(|frame| &graph.names[frame.name as usize]);
    let names: Vec<String> = outermost.map(|name| name.name.for_json()).collect();
    assert_eq!(names, ["main", "0x7f0020"]);
}

/// A number that has another text after a restart has it from there on; the stacks before keep the older one.
#[test]
fn numbers_of_stacks_mean_what_they_meant_at_the_time() {
    let model = model_in_steps(&corpus("written-stacks-restarted"), 1 << 16);
    let page = rows(&model, "stacks", None);
    let stack = |value: &Value| match value {
        Value::Stack(names) => names.iter().map(LogText::for_json).collect::<Vec<_>>().join(" "),
        other => panic!("{other:?}"),
    };
    let stacks: Vec<(String, u64)> = page.rows.iter().map(|row| (stack(&row[0]), count(&row[1]))).collect();
    let expected = [("main writing checking", 10), ("main parsing checking", 5), ("main string #9 checking", 5)];
    assert_eq!(stacks, expected.map(|(stack, samples)| (stack.to_string(), samples)));
    let facts = model.facts(None);
    let profile = facts.section("time_profile").unwrap();
    assert_eq!(count(&profile.get("unread").unwrap().value), 1);
}
