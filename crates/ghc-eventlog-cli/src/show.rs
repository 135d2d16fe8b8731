//! `show`: a log in order of time (SHOW 1 to 4, 11), in bounded memory.
//!
//! The first pass cuts the log into pieces and notes the times of each; the second reads the pieces again in order of
//! their times, sorts each by itself and merges those that overlap. Ties go by place in the file, so that the order is
//! that of a stable sort of the whole.

mod grouped;
mod merge;
mod pieces;

use crate::{
    input::Source,
    loss::Losses,
    text::{self, Style},
};
use ghc_eventlog::{Header, VARIABLE};
use pieces::Pieces;
use std::io::{self, Write};

/// How events are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grouping {
    None,
    Threads,
    Caps,
}

/// Prints a log.
pub(crate) fn show(mut source: Source, grouping: Grouping, style: Style, out: &mut impl Write) -> io::Result<Losses> {
    let mut losses = Losses::new(&source.name);
    losses.unpacking(source.broken());
    let pieces = match Pieces::of(&mut source, &mut losses)? {
        Ok(pieces) => pieces,
        Err(error) => {
            losses.unreadable(error);
            return Ok(losses);
        }
    };
    event_types(pieces.header(), out)?;
    match grouping {
        Grouping::None => {
            out.write_all(b"Events:\n")?;
            let mut text = Vec::new();
            merge::in_order(
                &mut source,
                &pieces,
                |_| true,
                |record, header| {
                    text.clear();
                    if let Some(loss) = text::line(&mut text, record, header, style) {
                        losses.event(&loss, record.offset);
                    }
                    out.write_all(&text)?;
                    Ok(true)
                },
            )?;
            out.write_all(b"\n")?;
        }
        Grouping::Threads => grouped::threads(&mut source, &pieces, style, &mut losses, out)?,
        Grouping::Caps => grouped::caps(&mut source, &pieces, style, &mut losses, out)?,
    }
    Ok(losses)
}

fn event_types(header: &Header, out: &mut impl Write) -> io::Result<()> {
    out.write_all(b"Event Types:\n")?;
    for declared in header.types() {
        match declared.size {
            VARIABLE => writeln!(out, "{}: {} (size variable)", declared.tag, declared.description)?,
            size => writeln!(out, "{}: {} (size {size})", declared.tag, declared.description)?,
        }
    }
    out.write_all(b"\n")
}
