//! Facts as Markdown: for an issue, a comment on a pull request, the summary of a job. What matters most stands on top, all else
//! unfolds. Nothing that the log says becomes markup, a link, a mention or a command of the site that shows it.

use super::Figure;
use crate::{
    asking::range::Range,
    reading::model::Model,
    terms::{
        table::TableInfo,
        value::{Unit, Value},
    },
};
use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use ghc_eventlog::Nanos;

impl Model {
    /// What there is to say of the log, or of a range of it that has been [summed up](Model::range), as Markdown: a table of what
    /// matters most; then each section to be unfolded, with a table for its figures, and its tables with `top` rows each at
    /// most. What the log does not tell is left out.
    #[must_use]
    pub fn markdown(&self, range: Option<&Range>, top: usize) -> String {
        let origin = self.extent().map_or(Nanos(0), |(first, _)| first);
        let facts = self.facts(range);
        let of = |(section, figure): &(&str, &str)| {
            let section = facts.sections.iter().find(|known| known.key == *section)?;
            section.figures.iter().find(|known| known.key == *figure)
        };
        let mut out: String = self.foremost().iter().map(|said| format!("**{said}.**\n\n")).collect();
        out += &figures(HEADLINES.iter().filter_map(of), origin, &|_| None);
        for section in &facts.sections {
            let figures = figures(section.figures.iter(), origin, &|figure| section.share(figure));
            let tables: Vec<String> =
                section.tables.iter().filter_map(|info| self.table_in_markdown(info, range, top, origin)).collect();
            if figures.is_empty() && tables.is_empty() {
                continue;
            }
            // What is between is Markdown again after an empty line.
            out += &format!("\n<details><summary>{}</summary>\n\n", section.name);
            let remark =
                section.remark_text().filter(|_| !figures.is_empty()).map(|remark| format!("{}\n", escaped(&remark)));
            for part in [figures].into_iter().chain(remark).chain(tables).filter(|part| !part.is_empty()) {
                out += &part;
                out.push('\n');
            }
            out += "</details>\n";
        }
        out
    }

    fn table_in_markdown(&self, info: &TableInfo, range: Option<&Range>, top: usize, origin: Nanos) -> Option<String> {
        let order = self.order_for(info.query_for(top), top, range);
        let page = self.page(&order, range, 0, top);
        if page.rows.is_empty() {
            return None;
        }
        let columns = || info.columns.iter().filter(|column| column.unit.has_words());
        let heads = columns().map(|column| escaped(column.name));
        let rules = columns().map(|column| rule(column.unit).to_string());
        let mut out = format!("**{}**\n\n", info.name) + &row(heads) + &row(rules);
        for values in &page.rows {
            let values = values.iter().filter(|value| !matches!(value, Value::Levels(_)));
            out += &row(values.map(|value| words(value, origin)));
        }
        let left = page.of.saturating_sub(page.rows.len() as u64);
        if left > 0 {
            out += &format!("\nand {left} more{}\n", info.among(page.rows.len()));
        }
        Some(out)
    }
}

/// What matters most, by section and figure.
const HEADLINES: &[(&str, &str)] = &[
    ("range", "length_ns"),
    ("log", "extent_ns"),
    ("log", "complete"),
    ("caps", "count"),
    ("caps", "utilisation"),
    ("gc", "count"),
    ("gc", "elapsed_ns"),
    ("gc", "share"),
    ("gc", "pause_ns.max"),
    ("heap", "max_live_bytes"),
    ("heap", "max_size_bytes"),
    ("heap", "allocated_bytes"),
];

/// Those figures that are known, as a table, each with its share of what it is a part of; nothing if none is known.
fn figures<'f>(
    figures: impl Iterator<Item = &'f Figure>,
    origin: Nanos,
    share: &dyn Fn(&Figure) -> Option<f64>,
) -> String {
    let line = |figure: &Figure| {
        let moment = figure.moment().map(|time| format!(", at {}", words(&time, origin)));
        let share = share(figure).map(|share| format!(" ({})", words(&Value::Share(share), origin)));
        let beside = moment.or(share).unwrap_or_default();
        row([escaped(figure.name), words(&figure.value, origin) + &beside].into_iter())
    };
    let mut known = figures.filter(|figure| figure.value != Value::Unknown).peekable();
    if known.peek().is_none() {
        return String::new();
    }
    let head =
        row(["Figure", "Value"].map(String::from).into_iter()) + &row(["---", "---:"].map(String::from).into_iter());
    known.map(line).fold(head, |out, line| out + &line)
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

pub(crate) fn words(value: &Value, origin: Nanos) -> String {
    match value.log_text() {
        Some(text) => text.for_markdown(),
        None => escaped(&value.text(origin)),
    }
}

/// A text of ours that is nothing but text in a cell of a table.
pub(crate) fn escaped(text: &str) -> String {
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
    fn numbers_stand_on_the_right() {
        assert_eq!(row([rule(Unit::Text), rule(Unit::Bytes)].map(String::from).into_iter()), "| --- | ---: |\n");
    }
}
