//! `summary`: what a log says, in figures and tables, as the model makes them.

mod text;

use crate::{
    input::Log,
    loss::Losses,
    reading::{Pause, Reading, Visitor},
    say::shown,
};
use ghc_eventlog::{Decoder, Record, Step};
use ghc_eventlog_model::Model;
use ghc_eventlog_text::flaw;
use std::io::{self, Read, Write};

/// Reads a log and prints what it says; no more than `top` rows of each table. What could not be read is told as `show` does.
pub(crate) fn summary(log: Log, top: usize, out: &mut impl Write) -> io::Result<Losses> {
    let name = shown(&log.file);
    let mut losses = Losses::new(&log.name);
    let model = Model::of_size(log.length());
    let mut reading = Reading::new(Fed { log, model });
    let end = reading.visit(&mut Judge { losses: &mut losses })?;
    let Fed { log, mut model } = reading.input;
    losses.unpacking(log.broken());
    losses.end(&end);
    model.finish();
    if !matches!(end, Pause::Unreadable(_)) {
        text::write(&model, &name, top, out)?;
    }
    Ok(losses)
}

/// A log whose bytes are given to a model, too, as they are read.
struct Fed {
    log: Log,
    model: Model,
}

impl Read for Fed {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.log.read(out)?;
        self.model.feed(out.get(..read).unwrap_or_default());
        Ok(read)
    }
}

/// Tells what could not be read.
struct Judge<'l> {
    losses: &'l mut Losses,
}

impl Visitor for Judge<'_> {
    #[inline]
    fn plain(&mut self, record: &Record<'_>) {
        if let Some(flaw) = flaw(record) {
            self.losses.event(&flaw, record.offset);
        }
    }

    fn step(&mut self, _: &Decoder, step: Step<'_>) -> io::Result<()> {
        match step {
            Step::Event(record) => self.plain(&record),
            Step::Notice(notice) => self.losses.notice(notice),
            Step::Header | Step::Need(_) | Step::End => {}
        }
        Ok(())
    }
}
