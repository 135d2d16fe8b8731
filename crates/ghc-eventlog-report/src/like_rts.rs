//! What the runtime itself prints when a program ends (`+RTS -s`), in its order and words, as far as the log tells. Processor
//! times are not in a log: its times are those of the clock.

use crate::{grouped, rows};
use ghc_eventlog::Nanos;
use ghc_eventlog_model::{Facts, Model, Range, TablePage, TableQuery, Value};

/// Lines of a whole log, or of a range; empty if the log tells nothing of it.
#[must_use]
pub fn like_rts(model: &Model, range: Option<&Range>) -> String {
    let facts = model.facts(range);
    let told = Told { facts: &facts };
    let mut text = String::new();
    heap(&told, &mut text);
    generations(&told, |query| rows(model, range, query, usize::MAX), &mut text);
    sparks(&told, &mut text);
    times(&told, &mut text);
    text
}

/// The facts by section and key.
struct Told<'f> {
    facts: &'f Facts,
}

impl Told<'_> {
    fn value(&self, section: &str, key: &str) -> Option<&Value> {
        self.facts.section(section)?.get(key).map(|figure| &figure.value)
    }

    fn number(&self, section: &str, key: &str) -> Option<u64> {
        match self.value(section, key)? {
            Value::Count(number) | Value::Bytes(number) => Some(*number),
            Value::Duration(time) => Some(time.0),
            _ => None,
        }
    }

    fn share(&self, section: &str, key: &str) -> Option<f64> {
        match self.value(section, key)? {
            Value::Share(share) => Some(*share),
            _ => None,
        }
    }
}

fn heap(told: &Told<'_>, text: &mut String) {
    let lines = [
        ("heap", "allocated_bytes", "bytes allocated in the heap"),
        ("gc", "copied_bytes", "bytes copied during GC"),
        ("heap", "max_live_bytes", "bytes maximum residency"),
    ];
    for (section, key, words) in lines {
        if let Some(bytes) = told.number(section, key) {
            *text += &format!("{:>16} {words}\n", grouped(bytes));
        }
    }
    if let Some(bytes) = told.number("heap", "max_size_bytes") {
        *text += &format!("{:>16} MiB total memory in use\n", grouped(bytes.div_ceil(1 << 20)));
    }
}

fn generations(told: &Told<'_>, rows: impl Fn(TableQuery) -> TablePage, text: &mut String) {
    let table = told.facts.section("gc").and_then(|gc| gc.tables.iter().find(|table| table.key == "generations"));
    if let Some(table) = table {
        let page = rows(TableQuery { table: table.key.to_string(), ..TableQuery::default() });
        let cell = |row: &[Value], key: &str| {
            let at = table.columns.iter().position(|column| column.key == key)?;
            row.get(at).cloned()
        };
        let seconds = |value: Option<Value>, digits: usize| match value {
            Some(Value::Duration(time)) => format!("{:.digits$}s", time.0 as f64 / Nanos::SECOND.0 as f64),
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
    if let Some(balance) = told.share("gc", "balance") {
        *text += &format!("\n  Parallel GC work balance: {:.2}% (serial 0%, perfect 100%)\n", 100.0 * balance);
    }
}

fn sparks(told: &Told<'_>, text: &mut String) {
    if let Some(tasks) = told.number("tasks", "created").filter(|tasks| *tasks > 0) {
        let using = told.number("caps", "count").map(|caps| format!(" (using -N{caps})")).unwrap_or_default();
        *text += &format!("\n  TASKS: {}{using}\n", grouped(tasks));
    }
    let number = |key| told.number("sparks", key);
    let numbers = ["count", "converted", "overflowed", "dud", "gcd", "fizzled"].map(number);
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

fn times(told: &Told<'_>, text: &mut String) {
    let total = told.number("range", "length_ns").or(told.number("log", "extent_ns"));
    let gc = told.number("gc", "elapsed_ns");
    let line =
        |words: &str, ns: u64| format!("  {words:<7} time  {:>9.3}s elapsed\n", ns as f64 / Nanos::SECOND.0 as f64);
    let Some(total) = total else { return };
    text.push('\n');
    if let Some(gc) = gc {
        let mutator = total.saturating_sub(gc);
        *text += &line("MUT", mutator);
        *text += &line("GC", gc);
        *text += &line("Total", total);
        *text +=
            "\n  (MUT has INIT and EXIT in it here, and is elapsed time: the log tells neither them nor CPU time)\n";
        if let Some(remark) = told.facts.section("gc").and_then(|gc| gc.remark) {
            *text += &format!("\n  {remark}\n");
        }
        if let Some(allocated) = told.number("heap", "allocated_bytes").filter(|_| mutator > 0) {
            let rate = u128::from(allocated) * u128::from(Nanos::SECOND.0) / u128::from(mutator);
            let rate = u64::try_from(rate).unwrap_or(u64::MAX);
            *text += &format!("\n  Alloc rate    {} bytes per MUT second\n", grouped(rate));
        }
    } else {
        *text += &line("Total", total);
    }
    if let Some(productivity) = told.share("gc", "productivity") {
        *text += &format!("\n  Productivity {:.1}% of total elapsed\n", 100.0 * productivity);
    }
}
