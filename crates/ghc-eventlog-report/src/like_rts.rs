//! The output of the runtime when a program ends (`+RTS -s`), in its order and words, as far as the log has it. A log
//! has no processor times: all times here are elapsed times.

use crate::{grouped, rows};
use ghc_eventlog::Nanos;
use ghc_eventlog_model::{Model, Range, SparksFacts, TableQuery, TypedFacts, Value};

/// The lines for a whole log, or for a range; empty if the log has none of it.
#[must_use]
pub fn like_rts(model: &Model, range: Option<&Range>) -> String {
    let facts = model.typed_facts(range);
    let mut text = String::new();
    heap(&facts, &mut text);
    generations(model, range, &mut text);
    if let Some(balance) = facts.gc.balance {
        text += &format!("\n  Parallel GC work balance: {:.2}% (serial 0%, perfect 100%)\n", 100.0 * balance);
    }
    sparks(&facts, &mut text);
    times(&facts, &mut text);
    text
}

fn heap(facts: &TypedFacts, text: &mut String) {
    let lines = [
        (facts.heap.allocated, "bytes allocated in the heap"),
        (facts.gc.copied, "bytes copied during GC"),
        (facts.heap.max_live.map(|most| most.value), "bytes maximum residency"),
    ];
    for (bytes, words) in lines {
        if let Some(bytes) = bytes {
            *text += &format!("{:>16} {words}\n", grouped(bytes));
        }
    }
    if let Some(most) = facts.heap.max_size {
        // Without what was given back, the log has the sizes after that only.
        let more = if facts.heap.returned_mblocks.is_none() { " or more" } else { "" };
        *text += &format!("{:>16} MiB{more} total memory in use\n", grouped(most.value.div_ceil(1 << 20)));
    }
}

fn generations(model: &Model, range: Option<&Range>, text: &mut String) {
    let facts = model.facts(range);
    let table = facts.section("gc").and_then(|gc| gc.tables.iter().find(|table| table.key == "generations"));
    if let Some(table) = table {
        let query = TableQuery { table: table.key.to_string(), ..TableQuery::default() };
        let page = rows(model, range, query, usize::MAX);
        let cell = |row: &[Value], key: &str| {
            let at = table.columns.iter().position(|column| column.key == key)?;
            row.get(at).cloned()
        };
        let seconds = |value: Option<Value>, digits: usize| match value {
            Some(Value::Duration(time)) => format!("{:.digits$}s", self::seconds(time)),
            _ => "-".to_string(),
        };
        let count = |value: Option<Value>| match value {
            Some(Value::Count(count)) => grouped(count),
            _ => "-".to_string(),
        };
        if !page.rows.is_empty() {
            *text += &format!("\n{:<42}{:>10}{:>12}{:>12}\n", "", "elapsed", "Avg pause", "Max pause");
        }
        for row in &page.rows {
            let generation = match cell(row, "generation") {
                Some(Value::Count(generation)) => generation.to_string(),
                Some(Value::Text(generation)) => generation.for_terminal(),
                _ => String::new(),
            };
            let collections = format!("{} colls,", count(cell(row, "count")));
            let parallel = format!("{} par", count(cell(row, "parallel")));
            *text += &format!(
                "  Gen {generation:>2} {collections:>16} {parallel:>12}   {:>10}{:>12}{:>12}\n",
                seconds(cell(row, "elapsed_ns"), 3),
                seconds(cell(row, "mean_ns"), 4),
                seconds(cell(row, "max_ns"), 4),
            );
        }
    }
}

fn sparks(facts: &TypedFacts, text: &mut String) {
    if let Some(tasks) = facts.tasks.created.filter(|tasks| *tasks > 0) {
        *text += &format!("\n  TASKS: {} (using -N{})\n", grouped(tasks), facts.caps.count);
    }
    let SparksFacts { count, converted, overflowed, dud, gcd, fizzled, .. } = facts.sparks;
    let numbers = [count, converted, overflowed, dud, gcd, fizzled];
    if let [Some(count), Some(converted), Some(overflowed), Some(dud), Some(gcd), Some(fizzled)] = numbers {
        *text += &format!(
            "\n  SPARKS: {} ({} converted, {} overflowed, {} dud, {} GC'd, {} fizzled)\n",
            grouped(count),
            grouped(converted),
            grouped(overflowed),
            grouped(dud),
            grouped(gcd),
            grouped(fizzled),
        );
    }
}

fn times(facts: &TypedFacts, text: &mut String) {
    let line = |words: &str, time: Nanos| format!("  {words:<7} time  {:>9.3}s elapsed\n", seconds(time));
    let Some(total) = facts.range.length else { return };
    text.push('\n');
    if let Some(gc) = facts.gc.elapsed {
        let mutator = total.since(gc);
        *text += &line("MUT", mutator);
        *text += &line("GC", gc);
        *text += &line("Total", total);
        *text +=
            "\n  (MUT has INIT and EXIT in it here, and is elapsed time: the log tells neither them nor CPU time)\n";
        if let Some(remark) = facts.gc.remark() {
            *text += &format!("\n  {remark}\n");
        }
        if let Some(allocated) = facts.heap.allocated.filter(|_| mutator > Nanos(0)) {
            let rate = u128::from(allocated) * u128::from(Nanos::SECOND.0) / u128::from(mutator.0);
            let rate = u64::try_from(rate).unwrap_or(u64::MAX);
            *text += &format!("\n  Alloc rate    {} bytes per second of MUT (elapsed)\n", grouped(rate));
        }
    } else {
        *text += &line("Total", total);
    }
    if let Some(productivity) = facts.gc.productivity {
        *text += &format!("\n  Productivity {:.1}% of total elapsed\n", 100.0 * productivity);
    }
}

fn seconds(time: Nanos) -> f64 {
    time.0 as f64 / Nanos::SECOND.0 as f64
}
