//! Facts and tables have what the model knows, for the whole log and for a range of it. A table has the same rows
//! however it is paged, sorted and filtered.

mod figures;
mod logged;
mod ranges;
mod sections;
mod tables;
mod unknown;

use conformance::{Mutants, files, model_in_steps, project, whole_range};
use ghc_eventlog::Nanos;
use ghc_eventlog_model::{Facts, Model, Range, Section, TablePage, TableQuery, Value};
use std::{fs, path::PathBuf};

/// Damaged forms of each log.
const DAMAGED: usize = 2;

/// The logs of the corpus with their names, and damaged forms of them.
fn logs() -> Vec<(String, Vec<u8>)> {
    let paths = files(&project().join("tests/corpus"), "log.eventlog");
    assert!(paths.len() > 80);
    let with_mutants = |(seed, path): (usize, &PathBuf)| {
        let log = fs::read(path).unwrap();
        let mut forms: Vec<Vec<u8>> = Mutants::new(&log, seed as u64).take(DAMAGED).collect();
        forms.insert(0, log);
        let name = |at| format!("{}, form {at}", path.display());
        forms.into_iter().enumerate().map(|(at, log)| (name(at), log)).collect::<Vec<_>>()
    };
    paths.iter().enumerate().flat_map(with_mutants).collect()
}

/// The models of these logs, each with the range of the whole log if that has a length.
fn models() -> impl Iterator<Item = (String, Model, Option<Range>)> {
    logs().into_iter().map(|(name, log)| {
        let mut model = model_in_steps(&log, 1 << 20);
        let range = model.extent().and_then(|(first, last)| whole_range(&mut model, &log, first, last.plus(Nanos(1))));
        (name, model, range.map(|(range, _)| range))
    })
}

fn query(table: &str) -> TableQuery {
    TableQuery { table: table.into(), ..TableQuery::default() }
}

/// All rows that a query finds.
fn all(model: &Model, query: TableQuery, range: Option<&Range>) -> TablePage {
    model.page(&model.order(query, range), range, 0, usize::MAX)
}

fn tables(facts: &Facts) -> impl Iterator<Item = &ghc_eventlog_model::TableInfo> {
    facts.sections.iter().flat_map(|section| &section.tables)
}

fn value(facts: &Facts, section: &str, key: &str) -> Value {
    let figure = facts.section(section).and_then(|section| section.get(key));
    figure.unwrap_or_else(|| panic!("{section}, {key}")).value.clone()
}

/// A number, unless the log lacks what it takes.
fn told(section: Option<&Section>, value: Value) -> Value {
    if section.is_some_and(|section| section.flag.is_none()) { value } else { Value::Unknown }
}
