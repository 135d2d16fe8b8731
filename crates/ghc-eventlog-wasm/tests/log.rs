//! Tests the binding as the worker uses it.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::expect_used)]
#![cfg(target_arch = "wasm32")]

use ghc_eventlog_wasm::{Arrangement, Log};
use js_sys::{Array, Float64Array, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;

fn get(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).unwrap()
}

fn number(object: &JsValue, name: &str) -> f64 {
    get(object, name).as_f64().unwrap()
}

/// A small real log.
static EXAMPLE: &[u8] = include_bytes!("../../../tests/corpus/threaded/log.eventlog");

/// The example log after reading all of it, with its first and last time.
fn example_log() -> (Log, Vec<u8>, f64, f64) {
    let bytes = EXAMPLE.to_vec();
    let mut log = Log::new(None);
    bytes.chunks(5000).for_each(|chunk| log.feed(chunk));
    log.finish(false);
    let extent = Array::from(&get(&log.status().unwrap(), "extent"));
    (log, bytes, extent.get(0).as_f64().unwrap(), extent.get(1).as_f64().unwrap())
}

/// The track number of the first capability's lane: the kind's number, and the index in the kind.
const CAP0: f64 = 2.0 * (1u64 << 32) as f64;

#[wasm_bindgen_test]
fn a_log_has_a_status_and_a_process() {
    let (log, bytes, from, to) = example_log();
    let status = log.status().unwrap();
    assert_eq!(number(&status, "offset"), bytes.len() as f64);
    assert!(number(&status, "events") > 1000.0 && from < to);
    assert!(get(&status, "error").is_undefined());
    let process = log.process().unwrap();
    assert_eq!(Array::from(&get(&process, "args")).get(0), JsValue::from("./threaded"));
    let first = Array::from(&Array::from(&get(&process, "clocks")).get(0));
    assert!(first.get(1).as_f64().unwrap() > 1.6e12, "ms since the Unix epoch");
    let first = [
        "Activity",
        "Capability 0",
        "Capability 1",
        "Capability 2",
        "Collections",
        "GC sync",
        "GC requests",
        "Live data",
    ];
    assert_eq!(tracks(&log)[..first.len()], first);
    assert_eq!(Array::from(&log.notices().unwrap()).length(), 0);
}

#[wasm_bindgen_test]
fn unknown_words_and_numbers_are_errors() {
    let (mut log, ..) = example_log();
    let mut plan = |order| log.plan(0.0, 1.0, 1, &[], order, 5);
    assert!(plan("max_bytes").is_ok() && plan("min_bytes").is_err());
    let mut arrange = |order, presence| Arrangement::new().threads(order, "", None, presence, false, false, &[]);
    assert!(arrange("label", "ran").is_ok() && arrange("name", "ran").is_err());
    let error = arrange("label", "gone").unwrap_err();
    let message = error.unchecked_into::<js_sys::Error>().message().as_string().unwrap();
    assert_eq!(message, "there is no presence of threads \"gone\"");
    assert!(log.flame("time_profile", false, 5, 0, 0.0, 0.0, "", 100).is_err());
}

/// The names of all tracks, group by group, page by page.
fn tracks(log: &Log) -> Vec<String> {
    let mut names = Vec::new();
    for group in Array::from(&get(&log.tree(&mut Arrangement::new()).unwrap(), "groups")).iter() {
        let key = get(&group, "key").as_string().unwrap();
        for from in (0..number(&group, "tracks") as usize).step_by(2) {
            let page = Array::from(&log.tracks_of(&mut Arrangement::new(), &key, from, 2).unwrap());
            names.extend(page.iter().map(|track| get(&track, "name").as_string().unwrap()));
        }
    }
    names
}

#[wasm_bindgen_test]
fn the_tree_of_tracks_has_groups_and_no_tracks() {
    let (log, ..) = example_log();
    let tree = log.tree(&mut Arrangement::new()).unwrap();
    let groups = Array::from(&get(&tree, "groups"));
    let caps = groups.get(1);
    assert_eq!((get(&caps, "key"), number(&caps, "tracks")), (JsValue::from("caps"), 3.0));
    assert_eq!((get(&caps, "headed"), get(&caps, "open")), (JsValue::TRUE, JsValue::TRUE));
    assert!(number(&get(&caps, "note"), "share") > 0.0);
    assert_eq!(number(&get(&caps, "picture"), "id"), number(&get(&tree, "whole"), "id"));
    let parts = Array::from(&get(&groups.get(2), "parts"));
    let shapes: Vec<JsValue> = parts.iter().map(|part| get(&part, "shape")).collect();
    assert_eq!(shapes, ["states", "states", "points"].map(JsValue::from));
    assert_eq!(Array::from(&log.tracks_of(&mut Arrangement::new(), "caps", 2, usize::MAX).unwrap()).length(), 1);
    assert_eq!(Array::from(&log.tracks_of(&mut Arrangement::new(), "no such group", 0, 9).unwrap()).length(), 0);
}

#[wasm_bindgen_test]
fn a_window_is_coarse_until_its_bytes_are_supplied() {
    let (mut log, bytes, from, to) = example_log();
    let (cap0, states) = (CAP0, 8);
    let job = planned(&mut log, from, to, 100);
    let coarse = log.window(&mut Arrangement::new(), job, cap0).unwrap().unwrap();
    assert_eq!(get(&coarse, "exact"), JsValue::FALSE);
    assert_eq!(get(&coarse, "shares").unchecked_into::<Uint8Array>().length(), 100 * states);
    while let Some((offset, length)) = wanted(&mut log, job) {
        assert!(log.give(job, offset, &bytes[offset as usize..(offset + length) as usize]));
    }
    let exact = log.window(&mut Arrangement::new(), job, cap0).unwrap().unwrap();
    assert_eq!(get(&exact, "exact"), JsValue::TRUE);
    let starts = get(&exact, "starts").unchecked_into::<Float64Array>().to_vec();
    assert!(!starts.is_empty() && starts.is_sorted());
    let answer =
        found(&mut log, |log| log.look_up(&mut Arrangement::new(), cap0, starts[0] + 1.0, starts[0] + 2.0, None));
    assert_eq!(get(&answer, "kind"), JsValue::from("span"));
    let span = get(&answer, "span");
    assert_eq!(number(&span, "start"), starts[0]);
    assert_eq!((get(&span, "on"), get(&span, "group")), (JsValue::from("Capability 0"), JsValue::from("caps")));
    assert_eq!(number(&span, "at"), 0.0);
    let next = found(&mut log, |log| log.neighbour(&mut Arrangement::new(), cap0, starts[0], true));
    assert!(number(&get(&next, "span"), "start") > starts[0]);
    let all = found(&mut log, |log| log.look_up(&mut Arrangement::new(), cap0, from, to, None));
    assert_eq!(get(&all, "kind"), JsValue::from("many"));
    assert!(number(&all, "count") >= starts.len() as f64);
}

/// Plans a window; returns its job.
fn planned(log: &mut Log, from: f64, to: f64, width: u32) -> u32 {
    number(&log.plan(from, to, width, &[CAP0], "max_bytes", 5).unwrap(), "job") as u32
}

/// The answer of a job that needs to read nothing.
fn found(log: &mut Log, begin: impl FnOnce(&mut Log) -> u32) -> JsValue {
    let job = begin(log);
    log.found(job).unwrap()
}

/// The next part that a job needs, as offset and length.
fn wanted(log: &mut Log, job: u32) -> Option<(f64, f64)> {
    let reads = Array::from(&get(&log.job(job).unwrap(), "reads"));
    let read = Array::from(&reads.iter().next()?);
    Some((read.get(0).as_f64().unwrap(), read.get(1).as_f64().unwrap()))
}

#[wasm_bindgen_test]
fn several_jobs_run_side_by_side() {
    let (mut log, bytes, from, to) = example_log();
    let middle = (from + to) / 2.0;
    let jobs = [
        log.look_up(&mut Arrangement::new(), CAP0, middle, middle + 1e5, None),
        log.neighbour(&mut Arrangement::new(), CAP0 + 1.0, from, true),
    ];
    let range = log.range(middle, middle + 1e5).unwrap();
    assert!(!log.take_range(range), "its edges have not been read");
    for job in jobs.into_iter().chain([range]) {
        while let Some((offset, length)) = wanted(&mut log, job) {
            log.give(job, offset, &bytes[offset as usize..(offset + length) as usize]);
        }
        let info = log.job(job).unwrap();
        assert_eq!(number(&info, "done"), number(&info, "of"));
    }
    let track = |place: JsValue| number(&get(&place, "span"), "track");
    assert_eq!(jobs.map(|job| track(log.found(job).unwrap())), [CAP0, CAP0 + 1.0]);
    assert!(log.take_range(range));
}

#[wasm_bindgen_test]
fn dropped_jobs_read_nothing_and_find_nothing() {
    let (mut log, _, from, to) = example_log();
    let [dropped, ended, range] = [
        log.look_up(&mut Arrangement::new(), CAP0, from, to, None),
        log.look_up(&mut Arrangement::new(), CAP0, from, to, None),
        log.range(from, to).unwrap(),
    ];
    log.drop_job(dropped);
    log.found(ended).unwrap();
    log.drop_job(range);
    for job in [dropped, ended, range, 77] {
        assert_eq!(wanted(&mut log, job), None);
        log.give(job, 0.0, b"GHC");
        assert!(log.event_rows_read(job).unwrap().is_undefined());
        assert!(log.found(job).unwrap().is_undefined());
        assert!(!log.take_range(job));
    }
    let first = log.look_up(&mut Arrangement::new(), CAP0, from, to, None);
    for _ in 0..1000 {
        let _ = log.look_up(&mut Arrangement::new(), CAP0, from, to, None);
    }
    assert!(log.found(first).unwrap().is_undefined(), "what nobody drops is forgotten some time");
}

#[wasm_bindgen_test]
fn events_are_read_again_some_at_a_time() {
    let (mut log, bytes, begin, end) = example_log();
    let listing = get(&section(&log.facts(&mut Arrangement::new(), false).unwrap(), "events"), "listing");
    let table = get(&listing, "table");
    assert_eq!(log.event_rows(false, "", "longer:soon", false, 0, 10, false), None);
    let give_all = |log: &mut Log, job: u32| {
        while let Some((offset, length)) = wanted(log, job) {
            log.give(job, offset, &bytes[offset as usize..(offset + length) as usize]);
        }
    };
    let read = |log: &mut Log, range: bool, filter: &str, from: usize| {
        let job = log.event_rows(false, filter, "", range, from, 10, false).unwrap();
        give_all(log, job);
        log.event_rows_read(job).unwrap()
    };
    let page = read(&mut log, false, "", 1000);
    assert_eq!(number(&page, "found"), number(&table, "rows"));
    assert_eq!((number(&page, "from"), Array::from(&get(&page, "rows")).length()), (1000.0, 10));
    let choices = Array::from(&get(&listing, "choices"));
    let named = |choice: &JsValue| get(choice, "name") == JsValue::from("GC_START");
    let choice = choices.iter().find(named).unwrap();
    let page = read(&mut log, false, &get(&choice, "key").as_string().unwrap(), 0);
    assert_eq!(number(&page, "found"), number(&choice, "count"));
    let row = Array::from(&Array::from(&get(&page, "rows")).get(0));
    assert_eq!((row.get(4), row.get(5)), (JsValue::from("GC_START"), JsValue::from("starting GC")));
    assert_eq!(row.get(0), Array::from(&get(&page, "times")).get(0));
    assert_eq!(log.event_rows(false, "", "", true, 0, 10, false), None, "no range has been summed up");
    let (from, to) = (begin + 5e6, end - 5e6);
    let range = log.range(from, to).unwrap();
    give_all(&mut log, range);
    assert!(log.take_range(range));
    let page = read(&mut log, true, "", 0);
    assert!(number(&page, "found") < number(&table, "rows"));
    let times = Array::from(&get(&page, "times"));
    assert!(times.length() == 10 && times.iter().all(|time| (from..to).contains(&time.as_f64().unwrap())));
}

#[wasm_bindgen_test]
fn a_file_that_is_no_log_gives_an_error_that_says_what_it_is() {
    let mut log = Log::new(None);
    log.feed(b"<!doctype html><title>no log</title>");
    log.finish(false);
    let error = get(&log.status().unwrap(), "error").as_string().unwrap();
    assert_eq!(error, "this is an HTML page, not a GHC eventlog");
}

#[wasm_bindgen_test]
fn senseless_questions_have_empty_answers() {
    let (mut log, ..) = example_log();
    let job = planned(&mut log, f64::NAN, f64::NEG_INFINITY, 0);
    let window = log.window(&mut Arrangement::new(), job, 4e18).unwrap().unwrap();
    assert_eq!(get(&window, "shares").unchecked_into::<Uint8Array>().length(), 0);
    let nothing = found(&mut log, |log| log.look_up(&mut Arrangement::new(), 77e10, 0.0, f64::NAN, None));
    assert_eq!(get(&nothing, "kind"), JsValue::from("unknown"));
    assert!(log.give(job, 1e18, b"no such bytes"));
    log.drop_job(job);
    assert!(log.window(&mut Arrangement::new(), job, CAP0).unwrap().is_none());
}

#[wasm_bindgen_test]
fn a_log_can_be_left_half_read() {
    let bytes = EXAMPLE.to_vec();
    let mut log = Log::new(None);
    log.feed(&bytes[..bytes.len() / 2]);
    log.finish(true);
    log.feed(&bytes[bytes.len() / 2..]);
    let notices = Array::from(&log.notices().unwrap());
    assert!(get(&notices.get(0), "text").as_string().unwrap().starts_with("stopped at byte "));
    assert_eq!(get(&notices.get(0), "stopped"), JsValue::TRUE);
}

/// The section of some facts that has a key.
fn section(facts: &JsValue, key: &str) -> JsValue {
    let sections = Array::from(&get(facts, "sections"));
    sections.iter().find(|section| get(section, "key") == JsValue::from(key)).unwrap()
}

fn figure(facts: &JsValue, key: &str, name: &str) -> JsValue {
    let figures = Array::from(&get(&section(facts, key), "figures"));
    figures.iter().find(|figure| get(figure, "key") == JsValue::from(name)).unwrap()
}

#[wasm_bindgen_test]
fn facts_have_figures_tables_and_what_is_missing() {
    let (log, ..) = example_log();
    let facts = log.facts(&mut Arrangement::new(), false).unwrap();
    let gc = section(&facts, "gc");
    assert_eq!(number(&gc, "count"), 40.0);
    assert!(get(&gc, "flag").is_undefined());
    let longest = figure(&facts, "gc", "pause_ns.max");
    assert_eq!(get(&longest, "unit"), JsValue::from("duration"));
    assert!(number(&longest, "value") > 1e6 && number(&longest, "time") > 0.0);
    let tables = Array::from(&get(&gc, "tables"));
    let keys: Vec<String> = tables.iter().map(|table| get(&table, "key").as_string().unwrap()).collect();
    assert_eq!(keys, ["generations", "collections"]);
    let column = Array::from(&get(&tables.get(1), "columns")).get(1);
    assert_eq!((get(&column, "key"), get(&column, "part")), (JsValue::from("pause_ns"), JsValue::FALSE));
    assert_eq!(get(&section(&facts, "nonmoving"), "flag"), JsValue::from("-xn"));
    // Ticky counters are logged, and there are none: no flag would add them.
    assert!(get(&section(&facts, "ticky"), "flag").is_undefined());
    assert!(get(&section(&facts, "ticky"), "none").is_string());
    assert_eq!(get(&figure(&facts, "nonmoving", "marks"), "value"), JsValue::NULL);
    assert_eq!(number(&figure(&facts, "ticky", "counters"), "value"), 0.0);
}

#[wasm_bindgen_test]
fn a_range_has_facts_once_it_is_summed_up() {
    let (mut log, bytes, from, to) = example_log();
    assert_eq!(Array::from(&get(&log.facts(&mut Arrangement::new(), true).unwrap(), "sections")).length(), 0);
    let job = log.range(from + 5e6, to - 5e6).unwrap();
    assert_eq!(Array::from(&get(&log.facts(&mut Arrangement::new(), true).unwrap(), "sections")).length(), 0);
    assert_eq!(
        number(
            &log.table(&mut Arrangement::new(), "collections", true, "", false, "", "", 0.0, 0.0, 0, 100).unwrap(),
            "kept"
        ),
        0.0
    );
    for read in Array::from(&get(&log.job(job).unwrap(), "reads")).iter() {
        let read = Array::from(&read);
        let (offset, length) = (read.get(0).as_f64().unwrap(), read.get(1).as_f64().unwrap());
        log.give(job, offset, &bytes[offset as usize..(offset + length) as usize]);
    }
    assert!(log.take_range(job));
    log.drop_job(job);
    let (whole, range) =
        (log.facts(&mut Arrangement::new(), false).unwrap(), log.facts(&mut Arrangement::new(), true).unwrap());
    let running = |facts: &JsValue| number(&figure(facts, "caps", "running_ns"), "value");
    assert!(running(&range) > 0.0 && running(&range) < running(&whole));
    let page = log.table(&mut Arrangement::new(), "collections", true, "", false, "", "", 0.0, 0.0, 0, 100).unwrap();
    assert_eq!(number(&page, "of"), number(&section(&range, "gc"), "count"));
    assert!(Array::from(&get(&page, "times")).iter().all(|time| time.as_f64().unwrap() >= from + 5e6));
}

#[wasm_bindgen_test]
fn tables_come_by_pages_in_any_order() {
    let (mut log, ..) = example_log();
    let pauses = |page: &JsValue| -> Vec<f64> {
        Array::from(&get(page, "rows")).iter().map(|row| Array::from(&row).get(1).as_f64().unwrap()).collect()
    };
    let first =
        log.table(&mut Arrangement::new(), "collections", false, "pause_ns", true, "", "", 0.0, 0.0, 0, 25).unwrap();
    let second =
        log.table(&mut Arrangement::new(), "collections", false, "pause_ns", true, "", "", 0.0, 0.0, 25, 25).unwrap();
    let all = [pauses(&first), pauses(&second)].concat();
    assert!(all.len() == 40 && all.is_sorted_by(|one, other| one >= other));
    assert_eq!((number(&second, "from"), number(&second, "found"), number(&second, "of")), (25.0, 40.0, 40.0));
    let major =
        log.table(&mut Arrangement::new(), "collections", false, "", false, "MAJOR", "", 0.0, 0.0, 0, 100).unwrap();
    assert_eq!((number(&major, "found"), number(&major, "kept")), (5.0, 40.0));
    // Unknown values and missing times are null.
    let threads =
        log.table(&mut Arrangement::new(), "threads", false, "label", false, "", "", 0.0, 0.0, 0, 100).unwrap();
    let last = Array::from(&get(&threads, "rows")).pop();
    assert_eq!(Array::from(&last).get(1), JsValue::NULL);
    let caps = log.table(&mut Arrangement::new(), "caps", false, "", false, "", "", 0.0, 0.0, 0, 100).unwrap();
    assert_eq!(Array::from(&get(&caps, "times")).get(0), JsValue::NULL);
    let nothing = log
        .table(&mut Arrangement::new(), "no such table", false, "x", true, "y", "", 0.0, 0.0, usize::MAX, usize::MAX)
        .unwrap();
    assert_eq!(number(&nothing, "found"), 0.0);
}

/// An order is kept for the following pages, but only until the log grows.
#[wasm_bindgen_test]
fn while_a_log_is_read_its_tables_grow() {
    let bytes = EXAMPLE.to_vec();
    let mut log = Log::new(None);
    let mut found = Vec::new();
    for half in bytes.chunks(bytes.len() / 2 + 1) {
        log.feed(half);
        found.push(number(
            &log.table(&mut Arrangement::new(), "collections", false, "pause_ns", true, "", "", 0.0, 0.0, 0, 5)
                .unwrap(),
            "found",
        ));
    }
    log.finish(false);
    found.push(number(
        &log.table(&mut Arrangement::new(), "collections", false, "pause_ns", true, "", "", 0.0, 0.0, 0, 5).unwrap(),
        "found",
    ));
    assert!(found[0] > 0.0 && found[0] < found[1] && found[2] == 40.0, "{found:?}");
}

/// Before a range is taken, it has no facts; in particular not those of the whole log.
#[wasm_bindgen_test]
fn a_range_that_was_not_taken_has_no_facts() {
    let (mut log, bytes, from, to) = example_log();
    assert!(log.markdown(false, 3).is_string() && log.markdown(true, 3).is_null());
    let job = log.range(from, (from + to) / 2.0).unwrap();
    assert!(!log.take_range(job), "its edges have not been read");
    assert!(log.markdown(true, 3).is_null());
    while let Some((offset, length)) = wanted(&mut log, job) {
        log.give(job, offset, &bytes[offset as usize..(offset + length) as usize]);
    }
    assert!(log.take_range(job) && log.markdown(true, 3).is_string());
}
