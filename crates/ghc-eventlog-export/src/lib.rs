//! Writes profiles in the formats of other tools: speedscope's format, folded stacks, `.hp`, and tables of bands over
//! time.
//!
//! First a [`Model`] must have read the whole log, for the names and the totals. Folded stacks come from the model. The
//! other formats are written while the log is read again, so that a long profile takes no memory.
//!
//! ```
//! use ghc_eventlog::{Block, CostCentreId, LogWriter, Nanos};
//! use ghc_eventlog_export::{Export, Format};
//! use ghc_eventlog_model::Model;
//!
//! let log = LogWriter::new().finish();
//! let mut model = Model::of_figures();
//! model.feed(&log);
//! model.finish();
//! // It has no time profile, and the error has the flag that would add one.
//! let missing = Export::of(&model, Format::Folded, "a log".into()).err().unwrap();
//! assert_eq!(missing.flag, "-l -p");
//! ```

mod bands;
mod folded;
mod hp;
mod speedscope;
mod table;

use bands::Census;
use core::fmt;
use ghc_eventlog::{
    HeapBioProfSampleBegin, HeapProfSampleBegin, HeapProfSampleCostCentre, HeapProfSampleEnd, HeapProfSampleString,
    Record,
};
use ghc_eventlog_model::{LogText, Model};
use speedscope::Speedscope;

/// The format of an exported profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// The time profile in the format of <https://www.speedscope.app>: one profile for each capability, or for each
    /// thread if threads were sampled.
    Speedscope,
    /// The time profile as stacks with their numbers of samples, one on each line, for flamegraph.pl and inferno.
    Folded,
    /// The heap profile in the format of GHC's `+RTS -h` without an eventlog, for hp2ps, hp2pretty and others.
    Hp,
    /// The heap profile as comma-separated values: a line for each band of each census.
    Csv,
    /// The same, separated by tabs.
    Tsv,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 5] = [Self::Speedscope, Self::Folded, Self::Hp, Self::Csv, Self::Tsv];

    /// The format's name, as the command line and the page use it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Speedscope => "speedscope",
            Self::Folded => "folded",
            Self::Hp => "hp",
            Self::Csv => "csv",
            Self::Tsv => "tsv",
        }
    }

    /// The format with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The file extension of the format.
    #[must_use]
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Speedscope => "speedscope.json",
            Self::Folded => "folded.txt",
            Self::Hp => "hp",
            Self::Csv => "csv",
            Self::Tsv => "tsv",
        }
    }

    fn is_of_time(self) -> bool {
        matches!(self, Self::Speedscope | Self::Folded)
    }
}

/// The error for a log that does not have the profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Missing {
    /// What it lacks.
    pub profile: &'static str,
    /// The flag of the runtime that would supply it.
    pub flag: &'static str,
}

impl fmt::Display for Missing {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "the log has no {}: run the program with +RTS {}", self.profile, self.flag)
    }
}

impl core::error::Error for Missing {}

/// An export in progress. For each of its [passes](Self::passes), call [`Self::begin`], then [`Self::record`] for every
/// event of the log in file order, and [`Self::end_stream`] for every header after the first. After all passes call
/// [`Self::finish`]. Each function appends its output to `out`.
pub struct Export<'m> {
    model: &'m Model,
    writing: Writing<'m>,
}

enum Writing<'m> {
    Speedscope(Box<Speedscope<'m>>),
    Folded,
    Bands(Box<Census<'m>>),
}

impl<'m> Export<'m> {
    /// An export of the log that `model` has read to its end. `title` is the log's name for people.
    ///
    /// # Errors
    /// When the log has no such profile.
    pub fn of(model: &'m Model, format: Format, title: LogText<'m>) -> Result<Self, Missing> {
        let profiled = model.profiled();
        if format.is_of_time() && profiled.samples() == 0 {
            return Err(Missing { profile: "time profile", flag: "-l -p" });
        }
        if !format.is_of_time() && profiled.censuses() == 0 {
            return Err(Missing { profile: "heap profile", flag: "-l -hT" });
        }
        let writing = match format {
            Format::Speedscope => Writing::Speedscope(Box::new(Speedscope::of(model, title))),
            Format::Folded => Writing::Folded,
            Format::Hp => Writing::Bands(Box::new(Census::of(model, hp::FORM, title))),
            Format::Csv => Writing::Bands(Box::new(Census::of(model, table::CSV, title))),
            Format::Tsv => Writing::Bands(Box::new(Census::of(model, table::TSV, title))),
        };
        Ok(Self { model, writing })
    }

    /// What is not exact in it, because the log has more than is kept: a clause.
    #[must_use]
    pub fn remark(&self) -> Option<&'static str> {
        let shortened = matches!(self.writing, Writing::Folded) && self.model.profiled().are_stacks_shortened();
        shortened.then_some(
            "there are too many stacks to keep them all: the samples of the lightest count for their outer part (the format speedscope has all)",
        )
    }

    /// How often the log must be read again: for speedscope once for each capability or thread that has a profile, for
    /// bands once, and for folded stacks not at all (the model has them, and [`Self::finish`] writes them).
    #[must_use]
    pub fn passes(&self) -> usize {
        match &self.writing {
            Writing::Speedscope(speedscope) => speedscope.passes(),
            Writing::Folded => 0,
            Writing::Bands(_) => 1,
        }
    }

    /// Begins a pass. Passes are numbered from 0 and come in order.
    pub fn begin(&mut self, pass: usize, out: &mut String) {
        match &mut self.writing {
            Writing::Speedscope(speedscope) => speedscope.begin(pass, out),
            Writing::Folded => {}
            Writing::Bands(census) => census.head(out),
        }
    }

    /// Takes an event.
    pub fn record(&mut self, record: &Record<'_>, out: &mut String) {
        let Record { tag, time, payload, known: true, .. } = *record else { return };
        match &mut self.writing {
            Writing::Speedscope(speedscope) => speedscope.record(record, out),
            Writing::Bands(census) => match tag {
                HeapProfSampleBegin::TAG => census.begin(time, out),
                HeapBioProfSampleBegin::TAG => census.begin(HeapBioProfSampleBegin::read(payload).time, out),
                HeapProfSampleEnd::TAG => census.end(out),
                HeapProfSampleString::TAG => {
                    let sample = HeapProfSampleString::read(payload);
                    census.label(time, sample.label.0, sample.bytes);
                }
                HeapProfSampleCostCentre::TAG => {
                    let sample = HeapProfSampleCostCentre::read(payload);
                    census.stack(time, sample.stack, sample.bytes);
                }
                _ => {}
            },
            Writing::Folded => {}
        }
    }

    /// Ends a stream: call it when another stream of the log begins, after its own header.
    pub fn end_stream(&mut self) {
        if let Writing::Speedscope(speedscope) = &mut self.writing {
            speedscope.end_stream();
        }
    }

    /// Writes the rest, after all passes.
    pub fn finish(self, out: &mut String) {
        match self.writing {
            Writing::Speedscope(speedscope) => speedscope.finish(out),
            Writing::Folded => folded::write(self.model, out),
            Writing::Bands(census) => census.finish(out),
        }
    }
}
