//! Facts as text: first the output of `+RTS -s`, in its words; then the sections, with aligned figures and the first
//! rows of tables.

use super::Summary;
use crate::say::shown;
use anstyle::Style;
use ghc_eventlog::Nanos;
use ghc_eventlog_model::{Column, Finding, Level, Section, TableInfo, TableOrder, TablePage, Unit, Value};
use ghc_eventlog_report::{EVIDENCE, each_page, further, lacking, like_rts, where_to_look, words};
use ghc_eventlog_text::shortened;
use std::io::{self, Write};

/// The most letters of a text from the log in a table.
const WIDEST: usize = 60;

/// The indentation of figures and tables.
const INDENT: usize = 2;

/// The style of headings.
#[derive(Debug, Clone, Copy, Default)]
struct Headings {
    section: Style,
    table: Style,
}

impl Headings {
    fn new(colours: bool) -> Self {
        let table = Style::new().bold();
        if colours { Self { section: table.underline(), table } } else { Self::default() }
    }
}

/// Writes the summary, with at most `top` rows of each table.
pub(super) fn write(summary: &Summary, top: usize, colours: bool, out: &mut impl Write) -> io::Result<()> {
    let headings = Headings::new(colours);
    let Headings { section: heading, .. } = headings;
    let origin = summary.origin();
    let facts = summary.facts();
    writeln!(out, "{heading}{}{heading:#}", shown(&summary.file))?;
    for said in summary.model.foremost() {
        writeln!(out, "\n{heading}{said}.{heading:#}")?;
    }
    if summary.model.extent().is_some() {
        let first = words(&Value::Time(origin), Nanos(0));
        writeln!(out, "Times count from the first event, at {first} of the runtime's clock (which `show` prints).")?;
    }
    let like_rts = like_rts(&summary.model, summary.range.as_ref());
    if !like_rts.is_empty() {
        write!(out, "\n{like_rts}")?;
    }
    if summary.range.is_none() {
        write_findings(summary, headings, out)?;
    }
    for section in &facts.sections {
        write_section(section, origin, headings, out)?;
        for table in &section.tables {
            let order = summary.model.order_for(table.query_for(top), top, summary.range.as_ref());
            let rows = Rows { summary, order, top };
            write_table(table, &rows, origin, headings, out)?;
        }
    }
    if summary.env {
        writeln!(out, "\n{heading}Environment{heading:#}")?;
        summary.variables().try_for_each(|variable| writeln!(out, "{:INDENT$}{}", "", variable.for_terminal()))?;
    }
    Ok(())
}

/// Writes what is worth knowing of the program. What does not apply is left out.
fn write_findings(summary: &Summary, headings: Headings, out: &mut impl Write) -> io::Result<()> {
    let Headings { section: heading, table } = headings;
    let (origin, findings) = (summary.origin(), summary.model.findings());
    writeln!(out, "\n{heading}Findings{heading:#}\n{:INDENT$}{}", "", findings.verdict.text(origin))?;
    for finding in findings.list.iter().filter(|finding| finding.level.is_found()) {
        let Finding { id, title, level, text, evidence, stake, remedy, .. } = finding;
        let level = if *level == Level::Warning { "Warning: " } else { "" };
        writeln!(out, "\n{:INDENT$}{table}{level}{title}{table:#} ({id})", "")?;
        let mut line = |text: String| writeln!(out, "{:1$}{text}", "", 2 * INDENT);
        line(text.text(origin))?;
        for evidence in evidence.iter().take(EVIDENCE) {
            line(format!("see {}", where_to_look(evidence, origin)))?;
        }
        if let Some(stake) = stake.sentence() {
            line(format!("at stake: {}", stake.text(origin)))?;
        }
        if !remedy.is_empty() {
            line(format!("try: {remedy}"))?;
        }
    }
    Ok(())
}

fn write_section(section: &Section, origin: Nanos, headings: Headings, out: &mut impl Write) -> io::Result<()> {
    let Headings { section: heading, .. } = headings;
    writeln!(out, "\n{heading}{}{heading:#}", section.name)?;
    let known: Vec<_> = section.figures.iter().filter(|figure| figure.value != Value::Unknown).collect();
    // If there is nothing, the reason is shown instead of empty figures.
    let is_missing = section.flag.is_some() || section.none.is_some();
    let said = if is_missing { known } else { section.figures.iter().collect() };
    let mut lines: Vec<[Cell; 2]> = Vec::new();
    for figure in said {
        let text = words(&figure.value, origin);
        let moment = figure.moment().map(|time| format!(", at {}", words(&time, origin)));
        let text = if text.is_empty() { "not known".to_string() } else { text };
        let share = section.share(figure).map(|share| format!(" ({})", words(&Value::Share(share), origin)));
        let beside = moment.or(share).unwrap_or_default();
        lines.push([Cell::left(figure.name.to_string()), Cell::left(text + &beside)]);
    }
    write_aligned(&lines, INDENT, out)?;
    if let Some(remark) = section.remark_text() {
        writeln!(out, "{:INDENT$}{remark}", "")?;
    }
    if let Some(lacking) = lacking(section) {
        writeln!(out, "{:INDENT$}{lacking}", "")?;
    }
    Ok(())
}

/// The first rows of a table.
struct Rows<'s> {
    summary: &'s Summary,
    order: TableOrder,
    top: usize,
}

impl Rows<'_> {
    fn each_page(&self, take: impl FnMut(&TablePage) -> io::Result<()>) -> io::Result<()> {
        each_page(&self.summary.model, self.summary.range.as_ref(), &self.order, self.top, take)
    }

    /// A page without rows: how many the table has, whatever number of them is wanted.
    fn none(&self) -> TablePage {
        self.summary.model.page(&self.order, self.summary.range.as_ref(), 0, 0)
    }
}

/// Goes through the rows twice, to find the widths of the columns and to write: there may be very many.
fn write_table(
    table: &TableInfo,
    rows: &Rows<'_>,
    origin: Nanos,
    headings: Headings,
    out: &mut impl Write,
) -> io::Result<()> {
    let none = rows.none();
    if none.of == 0 {
        return Ok(());
    }
    let Headings { table: heading, .. } = headings;
    writeln!(out, "\n{:INDENT$}{heading}{}{heading:#}", "", table.name)?;
    let known = table.columns.iter().position(|column| column.key == "known_ns");
    let has_words = |column: &&Column| column.unit.has_words();
    let head: Vec<Cell> =
        table.columns.iter().filter(has_words).map(|column| Cell::of(column.name.to_string(), column.unit)).collect();
    let line = |row: &Vec<Value>| -> Vec<Cell> {
        let all = known.and_then(|known| row.get(known));
        let cells = table.columns.iter().zip(row).filter(|(column, _)| has_words(column)).map(|(column, value)| {
            let share = if column.part { all.and_then(|all| share(value, all)) } else { None };
            let share = share.map(|share| format!(" {:>8}", words(&share, origin))).unwrap_or_default();
            Cell::of(words(value, origin) + &share, column.unit)
        });
        cells.collect()
    };
    let mut widths = Widths::default();
    widths.add(&head);
    let mut written = 0;
    rows.each_page(|page| {
        written += page.rows.len();
        page.rows.iter().for_each(|row| widths.add(&line(row)));
        Ok(())
    })?;
    widths.write(&head, 2 * INDENT, out)?;
    rows.each_page(|page| page.rows.iter().try_for_each(|row| widths.write(&line(row), 2 * INDENT, out)))?;
    if let Some(further) = further(table, &none, written) {
        writeln!(out, "{:1$}{further}", "", 2 * INDENT)?;
    }
    Ok(())
}

/// The share that one duration is of another.
fn share(part: &Value, all: &Value) -> Option<Value> {
    match (part, all) {
        (Value::Duration(part), Value::Duration(all)) if all.0 > 0 => Some(Value::Share(part.0 as f64 / all.0 as f64)),
        _ => None,
    }
}

/// A cell of a line.
struct Cell {
    text: String,
    /// Whether it is aligned on the right, as numbers are.
    right: bool,
}

impl Cell {
    fn left(text: String) -> Self {
        Self { text, right: false }
    }

    /// A cell in a column with this unit.
    fn of(text: String, unit: Unit) -> Self {
        if text.chars().count() > WIDEST {
            return Self { text: shortened(&text, WIDEST), right: false };
        }
        Self { text, right: !matches!(unit, Unit::Text | Unit::Capability) }
    }

    fn width(&self) -> usize {
        self.text.chars().count()
    }
}

/// Writes lines with aligned cells.
fn write_aligned(lines: &[impl AsRef<[Cell]>], indent: usize, out: &mut impl Write) -> io::Result<()> {
    let mut widths = Widths::default();
    lines.iter().for_each(|line| widths.add(line.as_ref()));
    lines.iter().try_for_each(|line| widths.write(line.as_ref(), indent, out))
}

/// How wide columns are.
#[derive(Default)]
struct Widths(Vec<usize>);

impl Widths {
    /// Makes room for a line.
    fn add(&mut self, line: &[Cell]) {
        self.0.resize(self.0.len().max(line.len()), 0);
        self.0.iter_mut().zip(line).for_each(|(width, cell)| *width = (*width).max(cell.width()));
    }

    fn write(&self, line: &[Cell], indent: usize, out: &mut impl Write) -> io::Result<()> {
        let mut text = " ".repeat(indent);
        for (at, (cell, &width)) in line.iter().zip(&self.0).enumerate() {
            let gap = if at == 0 { "" } else { "  " };
            let Cell { text: cell, right } = cell;
            text += &if *right { format!("{gap}{cell:>width$}") } else { format!("{gap}{cell:<width$}") };
        }
        writeln!(out, "{}", text.trim_end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_from_the_log_are_cut_and_safe_on_a_terminal() {
        let text = words(&Value::words("\u{1b}[31m".to_string() + &"ä".repeat(100) + "end"), Nanos(0));
        let cell = Cell::of(text, Unit::Text);
        assert!(cell.text.starts_with("\\u{1b}[31m") && cell.text.ends_with("äend"), "{}", cell.text);
        assert_eq!(cell.width(), WIDEST);
    }

    #[test]
    fn cells_are_aligned() {
        let line = |texts: [&str; 2]| texts.map(str::to_string);
        let lines = [["Name", "Count"], ["a", "1,000"], ["long name", "2"]].map(line);
        let lines = lines.map(|[name, count]| [Cell::of(name, Unit::Text), Cell::of(count, Unit::Count)]);
        let mut out = Vec::new();
        write_aligned(&lines, 2, &mut out).unwrap();
        let expected = "  Name       Count\n  a          1,000\n  long name      2\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
