//! Facts: what is said of a log in figures and tables. The page's panels, the command line and reports write them each in
//! their own way; what they say is made here.
//!
//! ```text
//! Facts ── Section "gc" ─┬─ Figure "count"       Collections    39
//!       │                ├─ Figure "elapsed_ns"  GC time        12.3 ms
//!       │                ├─ Histogram "pauses"   how many were how long
//!       │                └─ table  "collections": its columns, and how many rows; the rows come page by page
//!       └─ Section "threads" …
//! ```
//!
//! A section is a file in `sections/`. Its facts are gathered in a plain struct first, which programs read; a figure is how a field of
//! that struct is shown (`typed.rs`). A table is a file in `tables/`, which names the section that it belongs to, and its place in the
//! list of tables.

pub(crate) mod account;
pub(crate) mod explained;
pub(crate) mod flame;
pub(crate) mod histogram;
pub(crate) mod idle;
pub(crate) mod markdown;
mod marked;
pub(crate) mod profiled;
pub(crate) mod profiles;
pub(crate) mod requests;
pub(crate) mod scope;
pub(crate) mod sections;
pub(crate) mod spans;
pub(crate) mod stops;
pub(crate) mod table;
mod tables;
pub(crate) mod text;
pub(crate) mod threads;
pub(crate) mod typed;

use crate::{
    asking::events::Listing,
    facts::scope::About,
    reading::model::Model,
    terms::{
        absence::Absence,
        table::TableInfo,
        value::{Unit, Value},
    },
};
use alloc::{string::String, vec::Vec};
use ghc_eventlog::Nanos;
use histogram::Histogram;
use scope::Scope;
use sections::TypedFacts;
use typed::Class;

/// All that is said of a log, or of a range of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Facts {
    /// In the order in which they are shown.
    pub sections: Vec<Section>,
}

/// What is said of one subject.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// What programs call it: never changed.
    pub key: &'static str,
    /// What people call it.
    pub name: &'static str,
    /// How many things it is about in its time, of the kind that people count there; `None` if that is not known.
    pub count: Option<u64>,
    /// What people call these things.
    pub things: &'static str,
    /// Its figures.
    pub figures: Vec<Figure>,
    /// Its histograms.
    pub histograms: Vec<Histogram>,
    /// Its tables; the rows come by [`Model::page`].
    pub tables: Vec<TableInfo>,
    /// What can only be read from the log again, row by row.
    pub listing: Option<Listing>,
    /// Tables that are to be shown to those only who ask for them, since they may tell secrets: each with the words to ask by.
    pub on_request: Vec<(String, TableInfo)>,
    /// The key of the figure that the other figures add up to, if they do.
    pub parts_of: Option<&'static str>,
    /// Whether its tables stand one below the other, as those do that are too wide to stand beside its figures.
    pub stacked: bool,
    /// The key of the group of tracks whose rows it is about, if the reader may want others.
    pub rows_of: Option<&'static str>,
    /// What it can be written as for other tools, and what people call that: formats of the crate `ghc-eventlog-export`.
    pub exports: &'static [(&'static str, &'static str)],
    /// Its flame graph, which comes by [`Model::flame`].
    pub flame: Option<FlameInfo>,
    /// The flag of the runtime without which the log cannot tell what it is about; `None` where it does tell.
    pub flag: Option<&'static str>,
    /// Why there is nothing, if nothing happened, or perhaps so: a sentence. See [`Absence::none`].
    pub none: Option<&'static str>,
    /// What whoever reads the figures should know of them: a sentence or two each, first what is not exact.
    pub remarks: Vec<&'static str>,
}

/// What a section's flame graph is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlameInfo {
    /// The table that has the same numbers, by its key.
    pub table: &'static str,
    /// What its frames are as wide as: counted samples, which have an order of time, or bytes, which have none.
    pub unit: Unit,
}

/// A number with a name.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// What programs call it, within its section: never changed. A dot parts what belongs together.
    pub key: &'static str,
    /// What people call it.
    pub name: &'static str,
    /// What the value is, known or not.
    pub unit: Unit,
    /// What to expect of it when the same program runs again.
    pub class: Class,
    /// The number.
    pub value: Value,
    /// The moment that it is about, if it is about one.
    pub time: Option<Nanos>,
}

impl Figure {
    /// The moment that it is about, unless it is that moment: nobody needs to read it twice.
    #[must_use]
    pub fn moment(&self) -> Option<Value> {
        self.time.map(Value::Time).filter(|time| *time != self.value)
    }
}

impl Facts {
    /// A section by its key.
    #[must_use]
    pub fn section(&self, key: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.key == key)
    }
}

impl Section {
    /// A section of which nothing is said yet.
    fn new(key: &'static str, name: &'static str) -> Self {
        Self {
            key,
            name,
            count: None,
            things: "",
            figures: Vec::new(),
            histograms: Vec::new(),
            tables: Vec::new(),
            listing: None,
            on_request: Vec::new(),
            parts_of: None,
            stacked: false,
            rows_of: None,
            exports: &[],
            flame: None,
            flag: None,
            none: None,
            remarks: Vec::new(),
        }
    }

    /// Says why the log has nothing of what it is about, if it has nothing.
    fn needs(self, absence: Option<Absence>) -> Self {
        let Absence { flag, none } = absence.unwrap_or_default();
        Self { flag, none, ..self }
    }

    /// Its tables stand one below the other.
    fn stacked(self) -> Self {
        Self { stacked: true, ..self }
    }

    /// Says whose rows on the timeline it is about.
    fn rows_of(self, group: &'static str) -> Self {
        Self { rows_of: Some(group), ..self }
    }

    /// With a number of things, and what they are called. All that count in a range are in it.
    fn count(self, count: Option<u64>, things: &'static str) -> Self {
        Self { count, things, ..self }
    }

    /// Adds a sentence that whoever reads the figures should know, if they are known.
    fn remark(&mut self, sentence: &'static str) {
        if self.flag.is_none() && self.none.is_none() {
            self.remarks.push(sentence);
        }
    }

    /// Its remarks as one text, if it has any.
    #[must_use]
    pub fn remark_text(&self) -> Option<String> {
        (!self.remarks.is_empty()).then(|| self.remarks.join(" "))
    }

    /// The share that a figure has of the figure that it is a part of, if it is one and both are known.
    #[must_use]
    pub fn share(&self, figure: &Figure) -> Option<f64> {
        let whole = self.get(self.parts_of.filter(|whole| *whole != figure.key)?)?;
        match (&figure.value, &whole.value) {
            (Value::Duration(part), Value::Duration(whole)) if whole.0 > 0 => Some(part.0 as f64 / whole.0 as f64),
            _ => None,
        }
    }

    /// A figure by its key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Figure> {
        self.figures.iter().find(|figure| figure.key == key)
    }
}

impl Model {
    /// What is known of the log, as far as it has been read, or of a range of it that has been [summed up](Model::range): each
    /// subject's facts in a struct of its own, for programs. What a range, or the log, does not say is `None`.
    ///
    /// ```
    /// use ghc_eventlog::{Block, CapNo, LogWriter, Nanos, RunThread, StopStatus, StopThread, ThreadId};
    /// use ghc_eventlog_model::Model;
    ///
    /// let mut writer = LogWriter::new();
    /// writer.block(Block::of(CapNo(0)), |block| {
    ///     block.event(Nanos(1000), RunThread { thread: ThreadId(7) });
    ///     block.event(Nanos(5000), StopThread { thread: ThreadId(7), status: StopStatus(5), info: None });
    /// });
    /// let mut model = Model::of_figures();
    /// model.feed(&writer.finish());
    /// model.finish();
    /// let facts = model.typed_facts(None);
    /// assert_eq!(facts.caps.running, Some(Nanos(4000)));
    /// // The log has no event of the heap: that is not 0 bytes.
    /// assert_eq!(facts.heap.allocated, None);
    /// ```
    #[must_use]
    pub fn typed_facts<'a>(&'a self, about: impl Into<About<'a>>) -> TypedFacts {
        TypedFacts::gather(&Scope::of(self, about))
    }

    /// What there is to say of the log, as far as it has been read, or of a range of it that has been
    /// [summed up](Model::range). What a range cannot tell is [`Value::Unknown`], and so is what the log does not tell; a
    /// section that can say nothing of any range is left out there.
    #[must_use]
    pub fn facts<'a>(&'a self, about: impl Into<About<'a>>) -> Facts {
        let scope = Scope::of(self, about);
        let sections = TypedFacts::gather(&scope).sections(&scope);
        let with_tables = |mut section: Section| {
            if ["log", "range", "caps", "gc", "threads"].contains(&section.key) {
                scope.about_disorder().for_each(|sentence| section.remark(sentence));
            }
            Section {
                tables: tables::of_section(section.key, &scope),
                on_request: tables::on_request(section.key, &scope),
                ..section
            }
        };
        Facts { sections: sections.into_iter().map(with_tables).collect() }
    }
}
