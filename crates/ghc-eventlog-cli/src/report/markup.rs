//! What a log says, as HTML without scripts and styles: for where those are blocked, and for text browsers.

use super::{Reported, template::Palette};
use crate::summary::words;
use ghc_eventlog::Nanos;
use ghc_eventlog_model::{Section, TableInfo, TablePage, TableQuery, Unit, Value};
use maud::{Markup, html};

/// The most rows of a table.
const ROWS: usize = 30;

/// All that is said of one log.
pub(super) fn article(log: &Reported, palette: &Palette) -> Markup {
    let Reported { name, summary, picture, packed } = log;
    let origin = summary.origin();
    let facts = summary.facts();
    html! {
        article class="report" {
            h1 { (name) }
            @if packed.is_none() {
                p { "This page has what the log says, but not the log itself, which is larger than what was to be put in: to see it closely, choose “Viewer” and drop " code { (name) } " there." }
            }
            (picture.markup(palette))
            pre class="wide" { (summary.like_rts()) }
            @for section in &facts.sections {
                (section_of(section, origin))
                @for table in &section.tables {
                    @let query = TableQuery { table: table.key.to_string(), ..TableQuery::default() };
                    (table_of(table, &summary.rows(query, ROWS), origin))
                }
            }
            @if summary.env {
                h2 { "Environment" }
                ul { @for variable in summary.variables() { li { code { (variable) } } } }
            }
        }
    }
}

fn section_of(section: &Section, origin: Nanos) -> Markup {
    let known: Vec<_> = section.figures.iter().filter(|figure| figure.value != Value::Unknown).collect();
    html! {
        h2 { (section.name) }
        @if !known.is_empty() {
            table {
                @for figure in &known {
                    tr {
                        th scope="row" { (figure.name) }
                        td {
                            (words(&figure.value, origin))
                            @if let Some(time) = figure.time { ", at " (words(&Value::Time(time), origin)) }
                        }
                    }
                }
            }
        }
        @if let Some(remark) = section.remark { p { (remark) } }
        @if let Some(flag) = section.flag {
            p { @if known.is_empty() { "Not in this log" } @else { "The rest is not in this log" } ": run the program with " code { "+RTS " (flag) } }
        }
    }
}

fn table_of(table: &TableInfo, page: &TablePage, origin: Nanos) -> Markup {
    if page.of == 0 {
        return html! {};
    }
    let more = page.of.saturating_sub(page.rows.len() as u64);
    let class = |unit: Unit| (!matches!(unit, Unit::Text | Unit::Capability)).then_some("number");
    html! {
        h3 { (table.name) }
        div class="wide" {
            table {
                thead { tr { @for column in &table.columns { th scope="col" class=[class(column.unit)] { (column.name) } } } }
                tbody {
                    @for row in &page.rows {
                        tr { @for (column, value) in table.columns.iter().zip(row) { td class=[class(column.unit)] { (words(value, origin)) } } }
                    }
                }
            }
        }
        @if more > 0 { p { "and " (crate::summary::grouped(more)) " more" } }
    }
}
