//! Facts as Markdown: for an issue, a pull request, a page of a wiki.

use super::{Figure, Section, table::TableInfo, value::Unit, value::Value};
use crate::{asking::range::Range, facts::table::TableQuery, model::Model};
use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use ghc_eventlog::Nanos;

impl Model {
    /// What there is to say of the log, or of a range of it that has been [summed up](Model::range), as Markdown: a heading for
    /// each section, a table for its figures, and its tables with `top` rows each at most. What the log does not tell is
    /// left out.
    #[must_use]
    pub fn markdown(&self, range: Option<&Range>, top: usize) -> String {
        let origin = self.extent().map_or(Nanos(0), |(first, _)| first);
        let mut out = String::new();
        for section in &self.facts(range).sections {
            let figures = figures(section, origin);
            let tables: Vec<String> =
                section.tables.iter().filter_map(|info| self.table_in_markdown(info, range, top, origin)).collect();
            if figures.is_empty() && tables.is_empty() {
                continue;
            }
            out += &format!("## {}\n\n", section.name);
            let remark = section.remark.filter(|_| !figures.is_empty()).map(|remark| format!("{}\n", escaped(remark)));
            for part in [figures].into_iter().chain(remark).chain(tables).filter(|part| !part.is_empty()) {
                out += &part;
                out.push('\n');
            }
        }
        out
    }

    fn table_in_markdown(&self, info: &TableInfo, range: Option<&Range>, top: usize, origin: Nanos) -> Option<String> {
        let order = self.order(TableQuery { table: info.key.to_string(), ..TableQuery::default() }, range);
        let page = self.page(&order, range, 0, top);
        if page.rows.is_empty() {
            return None;
        }
        let heads = info.columns.iter().map(|column| escaped(column.name));
        let rules = info.columns.iter().map(|column| rule(column.unit).to_string());
        let mut out = format!("### {}\n\n", info.name) + &row(heads) + &row(rules);
        for values in &page.rows {
            out += &row(values.iter().map(|value| words(value, origin)));
        }
        let left = page.of.saturating_sub(page.rows.len() as u64);
        if left > 0 {
            out += &format!("\nand {left} more\n");
        }
        Some(out)
    }
}

/// The figures that are known, as a table.
fn figures(section: &Section, origin: Nanos) -> String {
    let known: Vec<&Figure> = section.figures.iter().filter(|figure| figure.value != Value::Unknown).collect();
    if known.is_empty() {
        return String::new();
    }
    let line = |figure: &&Figure| {
        let moment = figure.time.map(|time| format!(", at {}", words(&Value::Time(time), origin)));
        row([escaped(figure.name), words(&figure.value, origin) + &moment.unwrap_or_default()].into_iter())
    };
    let head =
        row(["Figure", "Value"].map(String::from).into_iter()) + &row(["---", "---:"].map(String::from).into_iter());
    known.iter().map(line).fold(head, |out, line| out + &line)
}

fn row(cells: impl Iterator<Item = String>) -> String {
    let mut out = String::from("|");
    for cell in cells {
        out += &format!(" {cell} |");
    }
    out.push('\n');
    out
}

/// What aligns a column: numbers stand on the right.
fn rule(unit: Unit) -> &'static str {
    if matches!(unit, Unit::Text | Unit::Capability) { "---" } else { "---:" }
}

fn words(value: &Value, origin: Nanos) -> String {
    escaped(&value.text(origin))
}

/// A text that is nothing but text in a cell of a table.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' | '!' | '@' => {
                out.push('\\');
                out.push(letter);
            }
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' => out += "&amp;",
            letter if letter.is_control() => out.extend(letter.escape_default()),
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_a_log_is_never_markup() {
        let text = "<b>|`x`*[a](b)\n";
        assert_eq!(escaped(text), "&lt;b&gt;\\|\\`x\\`\\*\\[a\\](b)\\n");
    }

    #[test]
    fn numbers_stand_on_the_right() {
        assert_eq!(row([rule(Unit::Text), rule(Unit::Bytes)].map(String::from).into_iter()), "| --- | ---: |\n");
    }
}
