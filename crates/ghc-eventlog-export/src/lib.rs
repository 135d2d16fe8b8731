//! Profiles as other tools read them: speedscope's format, folded stacks, `.hp`, and tables of bands over time.
//!
//! What things are called, and what there is, a [`Model`] knows that has read all of the log. Folded stacks come from there; the
//! other formats are written while the log is read again, so that their length needs no memory.
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
//! // It has no time profile: whoever wants one is told how to get it.
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

/// What a profile is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// The time profile in the format of <https://www.speedscope.app>, each capability for itself; samples of threads, each thread.
    Speedscope,
    /// The time profile as stacks with their samples, a line each, as flamegraph.pl and inferno read them.
    Folded,
    /// The heap profile as GHC's `+RTS -h` writes it without an eventlog: for hp2ps, hp2pretty and others.
    Hp,
    /// The heap profile as comma-separated values: a line for each band of each census.
    Csv,
    /// The same, separated by tabs.
    Tsv,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Speedscope, Self::Folded, Self::Hp, Self::Csv, Self::Tsv];

    /// What it is called.
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

    /// The one of some name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// How the names of its files end.
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

/// The log has no such profile.
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

/// A profile being written. [Begin](Self::begin) each of its [passes](Self::passes), [give](Self::record) it all events of the log
/// in order of the file, [tell](Self::end_stream) it of headers, and [finish](Self::finish) it. What is written is added to `out`.
pub struct Export<'m> {
    model: &'m Model,
    writing: Writing<'m>,
}

enum Writing<'m> {
    Speedscope(Speedscope<'m>),
    Folded,
    Bands(Census<'m>),
}

impl<'m> Export<'m> {
    /// Of a log that a model has read to its end; `title` is what people call it.
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
            Format::Speedscope => Writing::Speedscope(Speedscope::of(model, title)),
            Format::Folded => Writing::Folded,
            Format::Hp => Writing::Bands(Census::of(model, hp::FORM, title)),
            Format::Csv => Writing::Bands(Census::of(model, table::CSV, title)),
            Format::Tsv => Writing::Bands(Census::of(model, table::TSV, title)),
        };
        Ok(Self { model, writing })
    }

    /// How often the log must be read: once for each capability and each thread that has a profile of its own; once for bands; not at all
    /// for what the model keeps as a whole, which [`Self::finish`] writes.
    #[must_use]
    pub fn passes(&self) -> usize {
        match &self.writing {
            Writing::Speedscope(speedscope) => speedscope.passes(),
            Writing::Folded => 0,
            Writing::Bands(_) => 1,
        }
    }

    /// A pass begins: they are counted from 0, and come in order.
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

    /// Another stream of the log begins, after a header of its own.
    pub fn end_stream(&mut self) {
        if let Writing::Speedscope(speedscope) = &mut self.writing {
            speedscope.end_stream();
        }
    }

    /// All passes are over.
    pub fn finish(self, out: &mut String) {
        match self.writing {
            Writing::Speedscope(speedscope) => speedscope.finish(out),
            Writing::Folded => folded::write(self.model, out),
            Writing::Bands(census) => census.finish(out),
        }
    }
}
