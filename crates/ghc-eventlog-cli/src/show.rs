//! `show`: prints a log in order of time (SHOW 1 to 4, 11), in bounded memory.
//!
//! The first pass cuts the log into pieces and notes the times of each. The second pass reads the pieces again in order
//! of their times, sorts each, and merges those that overlap. Events with the same time stay in file order, so the
//! result is that of a stable sort of the whole log.

mod grouped;
mod merge;
mod pieces;
mod run;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "that is how tests fail")]
mod tests;

use crate::{
    input::{Source, TOO_LONG},
    loss::Losses,
    progress,
};
use ghc_eventlog::{Header, VARIABLE};
use ghc_eventlog_text::{self as text, Style};
use pieces::Pieces;
use run::Item;
use std::io::{self, IsTerminal, Write};

/// How events are grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grouping {
    None,
    Threads,
    Caps,
}

/// The bounds of the sort.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// A piece of the log ends with the first record that ends at this many bytes or later.
    pub(crate) piece_bytes: u64,
    /// The most bytes of pieces in memory. A piece of the usual size takes up to 700 KB.
    pub(crate) held_bytes: usize,
    /// The most bytes of records in memory that are sorted into groups.
    pub(crate) sorted_bytes: usize,
    /// This many temporary files are merged into one. Each takes a buffer of 128 KiB, and an open file, of which some
    /// systems allow 256 for each process.
    pub(crate) runs_per_level: usize,
}

/// Together under 200 MB for any log.
const BOUNDS: Bounds =
    Bounds { piece_bytes: 128 << 10, held_bytes: 96 << 20, sorted_bytes: 32 << 20, runs_per_level: 96 };

/// Prints a log.
///
/// Texts are written unchanged, byte for byte as the reference prints them. On a terminal, hidden characters are made
/// visible.
pub(crate) fn show(source: Source, grouping: Grouping, style: Style, out: &mut impl Write) -> io::Result<Losses> {
    let style = Style { visible: io::stdout().is_terminal(), ..style };
    show_within(BOUNDS, source, grouping, style, out)
}

fn show_within(
    bounds: Bounds,
    mut source: Source,
    grouping: Grouping,
    style: Style,
    out: &mut impl Write,
) -> io::Result<Losses> {
    let mut losses = Losses::new(&source.name);
    losses.unpacking(source.broken());
    if source.is_too_long() {
        losses.loss(TOO_LONG);
    }
    let Some(pieces) = Pieces::of(&mut source, bounds.piece_bytes, &mut losses)? else { return Ok(losses) };
    progress::begin("sorting", source.length());
    let mut printer = Printer { headers: &pieces.headers, style, losses: &mut losses, text: Vec::new() };
    event_types(&pieces.headers, style, out)?;
    match grouping {
        Grouping::None => {
            out.write_all(b"Events:\n")?;
            merge::in_order(&mut source, &pieces, bounds, |item| out.write_all(printer.line(item)))?;
            out.write_all(b"\n")?;
        }
        Grouping::Threads => grouped::threads(&mut source, &pieces, bounds, &mut printer, out)?,
        Grouping::Caps => grouped::caps(&mut source, &pieces, bounds, &mut printer, out)?,
    }
    Ok(losses)
}

fn event_types(headers: &[Header], style: Style, out: &mut impl Write) -> io::Result<()> {
    out.write_all(b"Event Types:\n")?;
    for declared in headers.first().into_iter().flat_map(Header::types) {
        let description = style.description(declared);
        match declared.size {
            VARIABLE => writeln!(out, "{}: {description} (size variable)", declared.tag)?,
            size => writeln!(out, "{}: {description} (size {size})", declared.tag)?,
        }
    }
    out.write_all(b"\n")
}

/// Formats records as lines, and reports records with flaws.
struct Printer<'a> {
    headers: &'a [Header],
    style: Style,
    losses: &'a mut Losses,
    text: Vec<u8>,
}

impl Printer<'_> {
    /// The record's line with its line end; empty if this style does not show the record.
    #[inline]
    fn line(&mut self, item: &Item<'_>) -> &[u8] {
        self.text.clear();
        let Some(header) = self.headers.get(usize::from(item.header)) else { return &[] };
        if let Some(loss) = text::line(&mut self.text, &item.record, header, self.style) {
            self.losses.event(&loss, item.record.offset);
        }
        &self.text
    }
}
