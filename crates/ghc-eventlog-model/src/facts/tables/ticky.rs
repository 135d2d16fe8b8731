//! Ticky counters, those that count most first.

use crate::{
    facts::{
        scope::Scope,
        table::{Cells, Listed, columns},
    },
    keeping::texts::TextId,
    profiles::ticky::{Counter, Counts, Definition},
    terms::{
        table::Column,
        value::{Unit, Value},
    },
    tracks::allocation,
};
use alloc::string::ToString;
use core::ops;

pub(super) struct Ticky;

/// A counter, and what it counted; `None` if the log has no sample.
pub(super) struct TickyRow {
    counter: Counter,
    counts: Option<Counts>,
}

impl TickyRow {
    fn counted(&self, value: impl Fn(&Counts) -> Value) -> Value {
        self.counts.as_ref().map_or(Value::Unknown, value)
    }
}

impl Listed for Ticky {
    type Row = TickyRow;
    const SECTION: &'static str = "ticky";
    const KEY: &'static str = "ticky";
    const NAME: &'static str = "Ticky counters";
    const ABOUT: &'static str =
        "The ticky counters: one for each function, thunk or the like of a program built with -ticky.";
    columns! {
        /// The number that the log calls the counter by.
        Cells::new("id", "Number", Unit::Count, |_, row| Value::Count(row.counter.id)),
        /// The name of the function, thunk or the like, as the compiler has it.
        Cells::new("name", "Name", Unit::Text, |scope, row| text(scope, row, |defined| defined.name)),
        /// How many arguments it takes.
        Cells::new("arity", "Arity", Unit::Count, |_, row| {
            row.counter.defined.map_or(Value::Unknown, |defined| Value::Count(defined.arity.into()))
        }),
        /// How often it was entered, that is, begun to run.
        Cells::new("entries", "Entries", Unit::Count, |_, row| row.counted(|counts| Value::Count(counts.entries))),
        /// How many bytes it allocated while it ran.
        Cells::new("allocs", "Allocated by it", Unit::Bytes, |_, row| row.counted(|counts| Value::Bytes(counts.allocs))),
        /// What it allocated as a share of all that the program allocated.
        Cells::new("allocs_share", "Share of all", Unit::Share, |scope, row| match allocated(scope) {
            None | Some(0) => Value::Unknown,
            Some(all) => row.counted(|counts| Value::Share(counts.allocs as f64 / all as f64)),
        }),
        /// How many bytes were allocated to create it: its own closures in memory.
        Cells::new("allocd", "Allocated of it", Unit::Bytes, |_, row| row.counted(|counts| Value::Bytes(counts.allocd))),
        /// What kind of counter it is, as GHC calls it.
        Cells::new("kind", "Kind", Unit::Text, |scope, row| of_json(scope, row, "type")),
        /// What is counted, as GHC calls it: a function, a thunk, a constructor or the like.
        Cells::new("sub_kind", "Which", Unit::Text, |scope, row| of_json(scope, row, "subTy")),
        /// What its arguments are, a letter each, as GHC writes them.
        Cells::new("arguments", "Arguments", Unit::Text, |scope, row| match of_json(scope, row, "args") {
            Value::Unknown => text(scope, row, |defined| defined.arguments),
            arguments => arguments,
        }),
        /// What its free variables are, a letter each, as GHC writes them. These are the values that it keeps from its
        /// surroundings.
        Cells::new("free_variables", "Free variables", Unit::Text, |scope, row| of_json(scope, row, "fvs")),
        /// The address of its info table, which describes this kind of value in memory. A heap profile by info table
        /// (-hi) uses it, too.
        Cells::new("info_table", "Info table", Unit::Text, |_, row| {
            let table = row.counter.defined.and_then(|defined| defined.info_table);
            table.map_or(Value::Unknown, |table| Value::words(table.to_string()))
        }),
    }

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..scope.known().stores.profiles.ticky.counters().len()
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<TickyRow> {
        let counts = scope.counters().and_then(|counters| counters.get(place)).copied();
        Some(TickyRow { counter: *scope.known().stores.profiles.ticky.counters().get(place)?, counts })
    }

    /// In a range without samples, the table of the whole log tells more.
    fn is_shown(scope: &Scope<'_>) -> bool {
        scope.is_whole() && !Self::places(scope).is_empty()
            || scope.counters().is_some_and(|counters| !counters.is_empty())
    }

    /// Older runtimes tell less of a counter.
    fn shows(scope: &Scope<'_>, column: &Column) -> bool {
        let any = |has: fn(&Definition) -> bool| {
            scope
                .known()
                .stores
                .profiles
                .ticky
                .counters()
                .iter()
                .filter_map(|counter| counter.defined.as_ref())
                .any(has)
        };
        match column.key {
            "kind" | "sub_kind" | "free_variables" => any(|defined| defined.json != TextId::default()),
            "info_table" => any(|defined| defined.info_table.is_some()),
            _ => true,
        }
    }
}

fn text(scope: &Scope<'_>, row: &TickyRow, text: fn(&Definition) -> TextId) -> Value {
    let names = &scope.known().stores.profiles.names;
    row.counter.defined.map_or(Value::Unknown, |defined| Value::words(names.text(text(&defined)).to_string()))
}

/// What the JSON of a counter's definition has under a key, if that is a text or a number.
fn of_json(scope: &Scope<'_>, row: &TickyRow, key: &str) -> Value {
    let Some(defined) = row.counter.defined else { return Value::Unknown };
    let json = scope.known().stores.profiles.names.text(defined.json);
    member(json, key).map_or(Value::Unknown, |value| Value::words(value.to_string()))
}

/// A member of an object that the runtime writes: flat, and without escapes.
fn member<'j>(json: &'j str, key: &str) -> Option<&'j str> {
    let quoted = alloc::format!("\"{key}\"");
    let after = json.get(json.find(&quoted)? + quoted.len()..)?;
    let value = after.trim_start().strip_prefix(':')?.trim_start();
    match value.strip_prefix('"') {
        Some(text) => text.split('"').next(),
        None => value.split([',', '}']).next().map(str::trim),
    }
}

/// All that the program allocated.
fn allocated(scope: &Scope<'_>) -> Option<u64> {
    scope.sums().filter(allocation::is_logged).map(|sums| allocation::allocated(&sums))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_texts_or_numbers() {
        let json = r#"{"type": "entCntr", "subTy":"fun","fvs_c":2,"fvs":"ii", "args":""}"#;
        let members = ["type", "subTy", "fvs_c", "fvs", "args", "none"].map(|key| member(json, key));
        assert_eq!(members, [Some("entCntr"), Some("fun"), Some("2"), Some("ii"), Some(""), None]);
        assert_eq!([member("", "a"), member("\"a\"", "a"), member("{\"a\":\"b", "a")], [None, None, Some("b")]);
    }
}
