//! The facts of a range.

use super::{all, logs, models, query, tables, value};
use conformance::{model_in_steps, project, whole_range};
use ghc_eventlog::Nanos;
use ghc_eventlog_model::{Job, Value};
use std::fs;

#[test]
fn a_range_of_all_of_the_log_tells_the_same() {
    let mut compared = 0;
    for (name, model, range) in models() {
        let Some(range) = range else { continue };
        // A damaged census that carries its own time may have a time outside of the log, so it is in no range.
        if name.contains("biography") && !name.ends_with("form 0") {
            continue;
        }
        let (whole, ranged) = (model.facts(None), model.facts(Some(&range)));
        assert!(ranged.section("range").is_some() && whole.section("range").is_none());
        for section in ranged.sections.iter().filter(|section| section.key != "range") {
            let same = whole.section(section.key).unwrap_or_else(|| panic!("{name}, {}", section.key));
            assert_eq!((section.name, section.flag), (same.name, same.flag), "{name}");
            for (figure, same) in section.figures.iter().zip(&same.figures) {
                assert_eq!((figure.key, figure.unit), (same.key, same.unit), "{name}");
                if figure.value != Value::Unknown {
                    assert_eq!((&figure.value, figure.time), (&same.value, same.time), "{name}, {}", figure.key);
                    compared += 1;
                }
            }
        }
        // The whole log is not compared with anything.
        for table in tables(&ranged).filter(|table| table.key != "compared") {
            let (in_range, in_all) = (all(&model, query(table.key), Some(&range)), all(&model, query(table.key), None));
            assert_eq!(in_range, in_all, "{name}, {}", table.key);
        }
    }
    assert!(compared > 1000, "{compared}");
}

/// The parts of a log have its collections between them, each once.
#[test]
fn parts_of_a_log_have_its_collections_between_them() {
    for (name, log) in logs() {
        let mut model = model_in_steps(&log, 1 << 20);
        let Some((first, last)) = model.extent() else { continue };
        let middle = Nanos(first.0 + last.since(first).0 / 3);
        let mut rows = Vec::new();
        let mut count = 0;
        for (from, to) in [(first, middle), (middle, last.plus(Nanos(1)))] {
            let Some((range, _)) = whole_range(&mut model, &log, from, to) else { continue };
            let page = all(&model, query("collections"), Some(&range));
            assert_eq!((page.found, page.of), (page.rows.len(), page.kept as u64), "{name}");
            assert!(page.times.iter().all(|time| time.is_some_and(|time| from <= time && time < to)), "{name}");
            if let Value::Count(found) = value(&model.facts(Some(&range)), "gc", "count") {
                assert_eq!(found, page.of, "{name}");
                count += found;
            }
            rows.extend(page.rows);
        }
        assert_eq!(rows, all(&model, query("collections"), None).rows, "{name}");
        let logged = model.facts(None).section("gc").is_some_and(|gc| gc.flag.is_none());
        assert_eq!(count, if logged { model.collections().total().count } else { 0 }, "{name}");
    }
}

/// A range for which something must still be read has no facts yet, and no wrong ones.
#[test]
fn a_range_that_is_not_summed_up_yet_is_not_known() {
    let log = fs::read(project().join("tests/corpus/threaded/log.eventlog")).unwrap();
    let mut model = model_in_steps(&log, 1 << 20);
    let (first, last) = model.extent().unwrap();
    let mut range = model.range(Nanos(first.0 + 1_000_000), Nanos(last.0 - 1_000_000)).unwrap();
    assert!(!range.reads(&mut model).is_empty());
    assert_eq!(value(&model.facts(Some(&range)), "caps", "running_ns"), Value::Unknown);
    let row = all(&model, query("caps"), Some(&range)).rows.swap_remove(0);
    assert_eq!(row[1], Value::Unknown);
}
