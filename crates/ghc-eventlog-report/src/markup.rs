//! A report as HTML without scripts and styles, for text browsers and for pages where those are blocked.

use crate::{EVIDENCE, Picture, further, lacking, like_rts, origin, rows, where_to_look, words};
use ghc_eventlog::Nanos;
use ghc_eventlog_model::{Level, LogText, Model, Section, TableInfo, TablePage, Unit, Value};
use maud::{Markup, html};
use std::collections::HashMap;

/// The most rows that a table shows.
const ROWS: usize = 30;

/// The page's colours by role, for a light background: `#rrggbb`.
#[derive(Debug, Default)]
pub struct Palette(pub HashMap<String, String>);

impl Palette {
    /// A role's colour.
    pub(crate) fn colour(&self, role: &str) -> String {
        self.0.get(role).cloned().unwrap_or_else(|| "#808080".to_string())
    }
}

/// The report on one log.
#[derive(Debug)]
pub struct Article<'a> {
    /// The file's name.
    pub name: &'a LogText<'a>,
    /// The model of the log, read to its end.
    pub model: &'a Model,
    /// The pictures of its tracks.
    pub picture: &'a Picture,
    /// Whether the article includes the program's environment.
    pub env: bool,
    /// Whether the log is a file beside the page, not in it.
    pub beside: bool,
}

impl Article<'_> {
    /// The report as HTML: an `<article>`.
    #[must_use]
    pub fn html(&self, palette: &Palette) -> String {
        self.markup(palette).into_string()
    }

    fn markup(&self, palette: &Palette) -> Markup {
        let Self { name, model, picture, env, beside } = self;
        let origin = origin(model);
        let facts = model.facts(None);
        html! {
            article class="report" {
                h1 { (name.for_html()) }
                @for said in model.foremost() { p { strong { (said.to_string()) "." } } }
                @if *beside {
                    p {
                        "The log itself is too large for this page. To look closer, choose “Viewer” and drop " code { (name.for_html()) } " there."
                    }
                }
                (findings_of(model))
                (picture.markup(palette))
                pre class="wide" tabindex="0" { (like_rts(model, None)) }
                @for section in &facts.sections {
                    (section_of(section, origin))
                    @for table in &section.tables {
                        (table_of(table, &rows(model, None, table.query_for(ROWS), ROWS), origin))
                    }
                }
                @if *env {
                    h2 { "Environment" }
                    ul { @for variable in model.process().environment() { li { code { (variable.for_html()) } } } }
                }
            }
        }
    }
}

/// What is worth knowing of the program; what does not apply is left out.
fn findings_of(model: &Model) -> Markup {
    let origin = origin(model);
    let findings = model.findings();
    let found = || findings.list.iter().filter(|finding| finding.level.is_found());
    let fine: Vec<&str> =
        findings.list.iter().filter(|finding| finding.level == Level::Fine).map(|finding| finding.title).collect();
    html! {
        h2 { "Findings" }
        p { (findings.verdict.text(origin)) }
        @for finding in found() {
            h3 { @if finding.level == Level::Warning { "Warning: " } (finding.title) }
            p { (finding.text.text(origin)) }
            @if !finding.evidence.is_empty() {
                ul { @for evidence in finding.evidence.iter().take(EVIDENCE) { li { (where_to_look(evidence, origin)) } } }
            }
            @if let Some(stake) = finding.stake.sentence() { p { "At stake: " (stake.text(origin)) "." } }
            @if !finding.remedy.is_empty() {
                p {
                    "Try: "
                    // Every second piece is code.
                    @for (at, piece) in finding.remedy.split('`').enumerate() { @if at % 2 == 1 { code { (piece) } } @else { (piece) } }
                    "."
                }
            }
        }
        @if !fine.is_empty() { p { "As it should be: " (fine.join(", ")) "." } }
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
                            @if let Some(time) = figure.moment() { ", at " (words(&time, origin)) }
                            @if let Some(share) = section.share(figure) { " (" (words(&Value::Share(share), origin)) ")" }
                        }
                    }
                }
            }
        }
        @if let Some(remark) = section.remark_text() { p { (remark) } }
        @if let Some(lacking) = lacking(section) { p { (lacking) } }
    }
}

fn table_of(table: &TableInfo, page: &TablePage, origin: Nanos) -> Markup {
    if page.of == 0 {
        return html! {};
    }
    // Columns of pictures are only for the viewer.
    let columns = || table.columns.iter().filter(|column| column.unit.has_words());
    let class = |unit: Unit| (!matches!(unit, Unit::Text | Unit::Capability)).then_some("number");
    html! {
        h3 { (table.name) }
        div class="wide" tabindex="0" {
            table {
                thead { tr { @for column in columns() { th scope="col" class=[class(column.unit)] { (column.name) } } } }
                tbody {
                    @for row in &page.rows {
                        tr { @for (column, value) in table.columns.iter().zip(row).filter(|(column, _)| column.unit.has_words()) { td class=[class(column.unit)] { (words(value, origin)) } } }
                    }
                }
            }
        }
        @if let Some(further) = further(table, page, page.rows.len()) { p { (further) } }
    }
}
