use super::*;
use alloc::{format, string::ToString};
use ghc_eventlog::{
    Block, CStr, CapNo, CostCentre, CostCentreId, CostCentreStack, HeapProfSampleBegin, HeapProfSampleCostCentre,
    HeapProfSampleEnd, LogWriter, ProfBegin, ProfSampleCostCentre, Text,
};

/// A log of samples, each of a capability and a stack: letters, the outermost first, one for each frame. `mod X` has the letters in
/// capitals, `mod x` the small ones.
fn model(samples: &[(u32, &str)]) -> Model {
    let stacks: Vec<(u32, Vec<[u8; 4]>)> = samples
        .iter()
        .map(|(cap, stack)| (*cap, stack.bytes().rev().map(|letter| u32::from(letter).to_be_bytes()).collect()))
        .collect();
    let mut writer = LogWriter::new();
    writer.block(Block::of(CapNo::GLOBAL), |block| {
        block.event(Nanos(1), ProfBegin { interval: Nanos(10) });
        for letter in (b'a'..=b'z').chain(b'A'..=b'Z') {
            let name = [letter];
            let module: &[u8] = if letter.is_ascii_uppercase() { b"X" } else { b"x" };
            let [label, module, location] = [&name, module, b"X.hs:1:2"].map(|text| CStr(Text(text)));
            block.event(Nanos(1), CostCentre { id: CostCentreId(letter.into()), label, module, location, flags: 0 });
        }
        for (tick, (cap, stack)) in (1..).zip(&stacks) {
            let sample = ProfSampleCostCentre { cap: *cap, tick, stack: CostCentreStack(stack) };
            block.event(Nanos(10 * tick), sample);
        }
    });
    let mut model = Model::new();
    model.feed(&writer.finish());
    model.finish();
    model
}

/// A line for each depth: frames by their letters, as wide as they have samples.
fn drawn(flame: &Flame<'_>) -> Vec<String> {
    let deepest = flame.frames.iter().map(|frame| frame.depth + 1).max().unwrap_or(0);
    let line = |depth| {
        let mut line = String::new();
        for frame in flame.frames.iter().filter(|frame| frame.depth == depth) {
            let gap = frame.x as usize - line.chars().count();
            let name = flame.names[frame.name as usize].name.for_comparing().replace("cap ", "");
            line += &(".".repeat(gap) + &name.repeat(frame.width as usize));
        }
        line
    };
    (0..deepest).map(line).collect()
}

fn flame(model: &Model, view: FlameView) -> Flame<'_> {
    model.flame(None, &FlameQuery { view, width: 100, ..FlameQuery::default() })
}

const SAMPLES: &[(u32, &str)] =
    &[(0, "mp"), (0, "mw"), (0, "mwt"), (0, "mp"), (0, "mw"), (0, "m"), (0, "mw"), (0, "mw")];

#[test]
fn equal_stacks_are_one_and_the_most_comes_first() {
    let model = model(SAMPLES);
    let flame = flame(&model, FlameView::LeftHeavy);
    assert_eq!(drawn(&flame), ["mmmmmmmm", "wwwwwpp", "t"]);
    let own: Vec<u64> = flame.frames.iter().map(|frame| frame.own).collect();
    assert_eq!(own, [1, 4, 2, 1]);
    assert_eq!((flame.width, flame.of, flame.matched, flame.one_of, flame.left_out), (8, 8, 0, 1, 0));
    assert_eq!(flame.tick, Some(Nanos(10)));
    assert_eq!((flame.names[0].module.for_comparing(), flame.names[0].source.for_comparing()), ("x", "X.hs:1:2"));
}

#[test]
fn in_order_of_time_neighbours_of_equal_stack_are_one() {
    let model = model(SAMPLES);
    let flame = flame(&model, FlameView::TimeOrder);
    assert_eq!(drawn(&flame), ["mmmmmmmm", "pwwpw.ww", "..t"]);
    let widest = flame.frames.iter().filter(|frame| frame.depth == 1).map(|frame| (frame.width, frame.own));
    assert_eq!(widest.collect::<Vec<_>>(), [(1, 1), (2, 1), (1, 1), (1, 1), (2, 2)]);
}

#[test]
fn capabilities_come_one_after_the_other() {
    let model = model(&[(0, "a"), (1, "a"), (0, "ab"), (1, "c"), (1, "c")]);
    let flame = flame(&model, FlameView::TimeOrder);
    assert_eq!(drawn(&flame), ["00111", "aaacc", ".b"]);
    assert_eq!(flame.names.iter().filter(|name| name.frame.is_none()).count(), 2);
}

#[test]
fn inverted_callers_stand_below_what_they_call() {
    let model = model(&[(0, "ab"), (0, "cb"), (0, "cb"), (0, "c")]);
    let flame = flame(&model, FlameView::Inverted);
    assert_eq!(drawn(&flame), ["bbbc", "cca"]);
}

#[test]
fn a_sandwich_counts_a_stack_once_however_often_the_frame_stands_in_it() {
    let model = model(&[(0, "mwmw"), (0, "mw"), (0, "m"), (0, "pwt"), (0, "pwt"), (0, "p")]);
    let all = flame(&model, FlameView::LeftHeavy);
    let w = all.names.iter().find(|name| name.name == "w").and_then(|name| name.frame).unwrap();
    let (callers, callees) = (flame(&model, FlameView::Callers(w)), flame(&model, FlameView::Callees(w)));
    assert_eq!(drawn(&callers), ["wwww", "mmpp"]);
    assert_eq!(drawn(&callees), ["wwww", "ttm", "..w"]);
    assert_eq!((callers.width, callers.of), (4, 6));
    assert_eq!(flame(&model, FlameView::Callees(77)).frames, []);
}

#[test]
fn what_is_too_narrow_is_counted_and_seen_when_it_is_zoomed_to() {
    let model = model(SAMPLES);
    let query = |within| FlameQuery { within, width: 2, ..FlameQuery::default() };
    let flame = model.flame(None, &query(None));
    assert_eq!((drawn(&flame), flame.left_out), (["mmmmmmmm".to_string(), "wwwwwpp".to_string()].to_vec(), 1));
    let zoomed = model.flame(None, &query(Some((5, 7))));
    assert_eq!((drawn(&zoomed), zoomed.left_out), (["mmmmmmmm".to_string(), ".....pp".to_string()].to_vec(), 0));
    let timed = |within| model.flame(None, &FlameQuery { view: FlameView::TimeOrder, ..query(within) });
    assert_eq!(
        (drawn(&timed(None)), timed(None).left_out),
        (["mmmmmmmm".to_string(), ".ww...ww".to_string()].to_vec(), 4)
    );
}

#[test]
fn a_search_finds_names_and_modules_and_counts_samples() {
    let model = model(&[(0, "aB"), (0, "aB"), (0, "c"), (0, "aBd")]);
    let matched = |search: &str, view| {
        let query = FlameQuery { search: search.into(), view, width: 100, ..FlameQuery::default() };
        let flame = model.flame(None, &query);
        let names: Vec<String> = flame
            .names
            .iter()
            .filter(|name| name.matches)
            .map(|name| format!("{}.{}", name.module.for_comparing(), name.name.for_comparing()))
            .collect();
        (flame.matched, names.join(" "))
    };
    assert_eq!(matched("b", FlameView::LeftHeavy), (3, "X.B".to_string()));
    assert_eq!(matched("D", FlameView::Inverted), (1, "x.d".to_string()));
    assert_eq!(matched("x", FlameView::TimeOrder).0, 4);
    assert_eq!(matched("", FlameView::LeftHeavy).0, 0);
}

/// Numbers of samples stay exact; what is drawn of the samples that are kept says of how many they are.
#[test]
fn of_thinned_samples_it_says_so() {
    let count = limits::MAX_TIME_SAMPLES as u64 + 10;
    let samples: Vec<(u32, &str)> = (0..count).map(|at| (0, if at % 3 == 0 { "ab" } else { "ac" })).collect();
    let mut model = model(&samples);
    let heavy = flame(&model, FlameView::LeftHeavy);
    assert_eq!((heavy.width, heavy.one_of), (count, 1));
    let timed = flame(&model, FlameView::TimeOrder);
    assert_eq!(timed.one_of, 2);
    assert!(timed.width.abs_diff(count / 2) < 10 && timed.left_out > 1000, "{}", timed.width);
    let range = model.range(Nanos(0), Nanos(10_000)).unwrap();
    let ranged = model.flame(Some(&range), &FlameQuery { width: 100, ..FlameQuery::default() });
    assert!(ranged.one_of == 2 && ranged.width.abs_diff(500) < 10, "{}", ranged.width);
}

#[test]
fn nothing_is_drawn_of_nothing() {
    let model = model(&[]);
    for view in [FlameView::LeftHeavy, FlameView::TimeOrder, FlameView::Inverted, FlameView::Callers(0)] {
        let flame = flame(&model, view);
        assert_eq!((flame.frames.len(), flame.width, flame.matched), (0, 0, 0));
    }
}

/// A log of a heap profile by cost centres: each census with its time, and its stacks as above with what they held.
fn held(censuses: &[(u64, &[(&str, u64)])]) -> Model {
    let mut writer = LogWriter::new();
    writer.block(Block::of(CapNo::GLOBAL), |block| {
        block.event(Nanos(1), ProfBegin { interval: Nanos(10) });
        for letter in b'a'..=b'z' {
            let name = [letter];
            let [label, module, location] = [&name[..], b"x", b"X.hs:1:2"].map(|text| CStr(Text(text)));
            block.event(Nanos(1), CostCentre { id: CostCentreId(letter.into()), label, module, location, flags: 0 });
        }
        for (time, stacks) in censuses {
            block.event(Nanos(*time), HeapProfSampleBegin { number: 0 });
            for (stack, bytes) in *stacks {
                let ids: Vec<[u8; 4]> = stack.bytes().rev().map(|letter| u32::from(letter).to_be_bytes()).collect();
                let stack = CostCentreStack(&ids);
                block.event(Nanos(*time), HeapProfSampleCostCentre { profile: 0, bytes: *bytes, stack });
            }
            block.event(Nanos(*time), HeapProfSampleEnd { number: 0 });
        }
    });
    let mut model = Model::new();
    model.feed(&writer.finish());
    model.finish();
    model
}

fn of_heap<'m>(model: &'m Model, range: Option<&Range>, view: FlameView) -> Flame<'m> {
    model.flame(range, &FlameQuery { profile: FlameProfile::Heap, view, width: 1 << 14, ..FlameQuery::default() })
}

/// Between censuses bytes go in straight lines: those of `mw` are as many at any time, those of `mp` come and go.
///
/// ```text
/// mw  4 ──── 4 ──── 4
/// mp  0 ──── 4 ──── 0
/// m   2 ──── 2 ──── 2
/// ```
#[test]
fn bytes_are_as_wide_as_they_are_on_average() {
    let stacks: [&[(&str, u64)]; 3] =
        [&[("mw", 4), ("m", 2)], &[("mp", 4), ("mw", 4), ("m", 2)], &[("m", 2), ("mw", 4)]];
    let model = held(&[(100, stacks[0]), (200, stacks[1]), (300, stacks[2])]);
    let heavy = of_heap(&model, None, FlameView::LeftHeavy);
    assert_eq!(drawn(&heavy), ["mmmmmmmm", "wwwwpp"]);
    assert_eq!(heavy.frames.iter().map(|frame| frame.own).collect::<Vec<_>>(), [2, 4, 2]);
    assert_eq!((heavy.width, heavy.of, heavy.tick, heavy.one_of), (8, 8, None, 1));
    assert_eq!(drawn(&of_heap(&model, None, FlameView::TimeOrder)), drawn(&heavy));
    assert_eq!(drawn(&of_heap(&model, None, FlameView::Inverted)), ["wwwwmmpp", "mmmm..mm"]);
    let p = heavy.names.iter().find(|name| name.name == "p").and_then(|name| name.frame).unwrap();
    assert_eq!(drawn(&of_heap(&model, None, FlameView::Callers(p))), ["pp", "mm"]);
}

#[test]
fn a_range_has_the_mean_of_its_own_time_and_a_single_census_what_it_held() {
    let mut model = held(&[(100, &[("a", 0)]), (200, &[("ab", 8), ("a", 4)])]);
    // Before the first census nothing is known: what counts is from 100 to 150, and from 150 on.
    let parts =
        [(0, 150, ["aaa", "bb"]), (150, 200, ["aaaaaaaaa", "bbbbbb"]), (200, 201, ["aaaaaaaaaaaa", "bbbbbbbb"])];
    for (from, to, expected) in parts {
        let range = model.range(Nanos(from), Nanos(to)).unwrap();
        let flame = of_heap(&model, Some(&range), FlameView::LeftHeavy);
        assert_eq!(drawn(&flame), expected, "{from}");
    }
    let single = held(&[(100, &[("ab", 3), ("a", 1)])]);
    assert_eq!(drawn(&of_heap(&single, None, FlameView::LeftHeavy)), ["aaaa", "bbb"]);
    assert_eq!(of_heap(&self::model(SAMPLES), None, FlameView::LeftHeavy).frames, []);
}

/// What is no stack has no callers: one frame together, after all that have names.
#[test]
fn what_is_no_stack_is_one_frame() {
    let many: Vec<(String, u64)> = (0..limits::MAX_BANDS as u32 + 3)
        .map(|at| ((0..4).map(|place| char::from(b'a' + (at >> (4 * place) & 15) as u8)).collect(), 1))
        .collect();
    let many: Vec<(&str, u64)> = many.iter().map(|(stack, bytes)| (stack.as_str(), *bytes)).collect();
    let model = held(&[(100, &many)]);
    let flame = of_heap(&model, None, FlameView::LeftHeavy);
    assert_eq!(flame.width, many.len() as u64);
    let others = flame.names.iter().find(|name| name.frame.is_none()).unwrap();
    assert_eq!(others.name, "(all others)");
}
