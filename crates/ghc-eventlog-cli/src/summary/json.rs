//! Facts as JSON: a stable interface. No key changes its meaning or is removed. What is not in the log, or is not known
//! for a range, is null.
//!
//! The keys in [`PARTS`] are always there. Everything else that the model has for a section comes after them.

mod keys;
mod lists;
mod parts;
mod values;

use super::Summary;
use ghc_eventlog_model::{Section, Value, doors::safe_json};
use keys::{MOST_ALSO, PARTS, Part, REQUESTS};
use lists::{Filled, Lists, items, items_by, table};
use parts::{account, diagnostics, findings, log, missing, process, remarks, rts};
use serde_json::{Map, Value as Json, json};
use std::io::{self, Write};
use values::{figures, put};

/// The version of the interface. It rises when the meaning of a key changes.
const SCHEMA: u32 = 1;

/// Writes the summary, with at most `top` items of each list.
pub(super) fn write(summary: &Summary, top: usize, out: &mut impl Write) -> io::Result<()> {
    let whole = summary.model.facts(None);
    let facts = summary.facts();
    let mut lists = Lists::default();
    let mut all = Map::new();
    all.insert("schema".into(), SCHEMA.into());
    all.insert("log".into(), log(summary, &whole));
    all.insert("range".into(), facts.section("range").map_or(Json::Null, |range| figures(range, &[], summary).into()));
    all.insert("rts".into(), rts(&summary.model.typed_facts(summary.range.as_ref())));
    all.insert("process".into(), process(summary, &whole));
    for (key, part) in PARTS {
        let section = facts.section(if let Part::RowsOf(section, _) = part { section } else { key });
        all.insert((*key).into(), section.map_or(Json::Null, |section| said(section, part, summary, top, &mut lists)));
    }
    // Only if it is asked for.
    if let Some(section) = facts.section("requests") {
        all.insert("requests".into(), said(section, &REQUESTS, summary, top, &mut lists));
    }
    all.insert("account".into(), account(summary));
    all.insert("findings".into(), findings(summary));
    all.insert("missing".into(), missing(&whole));
    all.insert("remarks".into(), remarks(&facts));
    all.insert("diagnostics".into(), diagnostics(summary, top));
    let (all, lists) = (Json::from(all), lists.0);
    serde_json::to_writer_pretty(Safe(&mut *out), &Filled { json: &all, lists: &lists, summary })?;
    writeln!(out)
}

/// A section; null if the log has nothing of it.
fn said(section: &Section, part: &Part, summary: &Summary, top: usize, lists: &mut Lists) -> Json {
    match part {
        // Of a range, nothing is known of it.
        Part::RowsOf(_, list)
            if table(section, list).is_none() && section.flag.is_none() && summary.range.is_none() =>
        {
            json!([])
        }
        Part::Rows(list) | Part::RowsOf(_, list) => {
            let Some(table) = table(section, list) else { return Json::Null };
            let (mut items, left) = items(table, list, summary, top);
            items.truncated = Some(left).filter(|left| *left > 0);
            lists.add(items)
        }
        Part::Section(keys, of_section) => {
            let is_known = section.figures.iter().any(|figure| figure.value != Value::Unknown);
            if (section.flag.is_some() || section.none.is_some()) && !is_known {
                return Json::Null;
            }
            let mut object = figures(section, keys, summary);
            // Where it is not known how long threads were runnable, it is not known either what they were blocked on.
            if let Some(Json::Object(states)) = object.get_mut("states_ns")
                && states.get("runnable").is_some_and(Json::is_null)
            {
                put(states, "blocked", Json::Null);
            }
            let several = of_section.iter().filter(|(_, list)| table(section, list).is_some()).count() > 1;
            for (key, list) in *of_section {
                let Some(table) = table(section, list) else {
                    put(&mut object, key, Json::Null);
                    continue;
                };
                let (items, left) = items(table, list, summary, top);
                put(&mut object, key, lists.add(items));
                if left > 0 {
                    // With several lists, each has its own number of left out items.
                    let of = if several { format!("truncated.{key}") } else { "truncated".to_string() };
                    put(&mut object, &of, left.into());
                    // What stands out by another column may not be among them.
                    for (key, most) in list.also {
                        let items = items_by(most, table, list, summary, top.min(MOST_ALSO));
                        put(&mut object, key, lists.add(items.only_above_zero(most, summary)));
                    }
                }
            }
            object.into()
        }
    }
}

/// Writes JSON [safely](safe_json). Each piece that the serializer writes is whole text.
struct Safe<W>(W);

impl<W: Write> Write for Safe<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = str::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        self.0.write_all(safe_json(text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
