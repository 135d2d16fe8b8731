//! No text that crosses to the page has a character that hides or reverses the text around it, even if every text of
//! the log has all of them.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::expect_used)]
#![cfg(target_arch = "wasm32")]

use conformance::hostile_texts::{hostile, log};
use ghc_eventlog_wasm::{Arrangement, Log};
use js_sys::{Array, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;

fn get(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).unwrap()
}

fn text(object: &JsValue, name: &str) -> String {
    get(object, name).as_string().unwrap()
}

/// All texts in a value, at any depth.
fn texts(value: &JsValue, found: &mut Vec<String>) {
    if let Some(text) = value.as_string() {
        found.push(text);
    } else if value.is_object() {
        let of_numbers = js_sys::ArrayBuffer::is_view(value);
        let parts = value.dyn_ref::<Object>().filter(|_| !of_numbers).map(Object::values);
        parts.iter().flat_map(|parts| parts.iter()).for_each(|part| texts(&part, found));
    }
}

/// Reads the bytes that a job needs.
fn give(log: &mut Log, bytes: &[u8], job: u32) {
    loop {
        let reads = Array::from(&get(&log.job(job).unwrap(), "reads"));
        let Some(read) = reads.iter().next().map(|read| Array::from(&read)) else { return };
        let (offset, length) = (read.get(0).as_f64().unwrap(), read.get(1).as_f64().unwrap());
        log.give(job, offset, &bytes[offset as usize..(offset + length) as usize]);
    }
}

/// The log after reading all of it and after its replay.
fn read_whole() -> (Log, Vec<u8>, f64, f64) {
    let bytes = log(hostile);
    let mut log = Log::new(Some(bytes.len() as f64));
    log.feed(&bytes);
    log.finish(false);
    if let Some(job) = log.replay() {
        give(&mut log, &bytes, job);
    }
    let extent = Array::from(&get(&log.status().unwrap(), "extent"));
    (log, bytes, extent.get(0).as_f64().unwrap(), extent.get(1).as_f64().unwrap())
}

#[wasm_bindgen_test]
fn no_text_that_crosses_has_hidden_characters() {
    let (mut log, bytes, from, to) = read_whole();
    let facts = log.facts(&mut Arrangement::new(), false).unwrap();
    let tree = log.tree(&mut Arrangement::new()).unwrap();
    let mut found = Vec::new();
    let fixed = [facts.clone(), tree.clone(), log.process().unwrap(), log.notices().unwrap(), log.status().unwrap()];
    fixed.iter().for_each(|value| texts(value, &mut found));
    for section in Array::from(&get(&facts, "sections")).iter() {
        let on_request = Array::from(&get(&section, "requests"));
        let on_request = on_request.iter().map(|request| get(&request, "table"));
        for table in Array::from(&get(&section, "tables")).iter().chain(on_request) {
            let page = log
                .table(&mut Arrangement::new(), &text(&table, "key"), false, "", false, "", "", 0.0, 0.0, 0, 50)
                .unwrap();
            texts(&page, &mut found);
        }
        let listing = get(&section, "listing");
        if listing.is_object() {
            let job = log.event_rows(true, "", "", false, 0, 60, false).unwrap();
            give(&mut log, &bytes, job);
            texts(&log.event_rows_read(job).unwrap(), &mut found);
        }
        let key = text(&section, "key");
        if get(&section, "flame").is_object() {
            texts(log.flame(&key, false, 0, 0, 0.0, 0.0, "", 1000).unwrap().unwrap().as_ref(), &mut found);
            let every = [0, u32::MAX - 1, 100, 1, u32::MAX - 1, 100];
            let calls = log.calls(&key, false, 0, 0, "total", true, "", 100, &every, &[], 0.0, 1000);
            texts(&calls.unwrap(), &mut found);
        }
    }
    for group in Array::from(&get(&tree, "groups")).iter() {
        let tracks = log.tracks_of(&mut Arrangement::new(), &text(&group, "key"), 0, 100).unwrap();
        texts(&tracks, &mut found);
        for track in Array::from(&tracks).iter() {
            let id = get(&track, "id").as_f64().unwrap();
            let plan = log.plan(from, to, 100, &[id], "max_bytes", 5).unwrap();
            let job = get(&plan, "job").as_f64().unwrap() as u32;
            texts(log.window(&mut Arrangement::new(), job, id).unwrap().unwrap().as_ref(), &mut found);
            log.drop_job(job);
            let job = log.neighbour(&mut Arrangement::new(), id, from, true);
            give(&mut log, &bytes, job);
            texts(&log.found(job).unwrap(), &mut found);
        }
    }
    assert!(found.iter().filter(|text| text.contains("word") && text.contains('␛')).count() > 100, "{}", found.len());
    let hides = |letter: char| letter.is_control() || "\u{202e}\u{2066}\u{200b}\u{2028}\u{e0041}".contains(letter);
    assert_eq!(found.iter().find(|text| text.contains(hides)), None);
}
