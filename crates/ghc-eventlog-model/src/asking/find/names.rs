//! What a query finds without reading the log again: names of threads, labels, types, bands, cost centres and info tables.

use super::{
    event::is_among,
    finder::{Finder, Prepared},
};
use crate::{
    asking::query::{
        Condition, Query, Test,
        complete::events,
        pattern::{Pattern, quoted},
    },
    known::{Known, band_names},
    limits,
    reading::model::Model,
    terms::track::TrackId,
};
use alloc::{format, string::ToString, vec::Vec};
use ghc_eventlog_text::LogText;

/// What a name is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameKind {
    /// A thread, by its number and its label.
    Thread,
    /// A label of the program's spans.
    Label,
    /// A type of events.
    Type,
    /// A band of the heap profile.
    Band,
    /// A cost centre that the log defines.
    CostCentre,
    /// An info table that the log defines.
    InfoTable,
    /// A finding.
    Finding,
}

impl NameKind {
    /// Those that [`Model::find_names`] finds, in the order in which they are listed.
    const OF_LOG: [Self; 6] = [Self::Thread, Self::Label, Self::Type, Self::Band, Self::CostCentre, Self::InfoTable];

    /// What programs call it: never changed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Thread => "thread",
            Self::Label => "label",
            Self::Type => "type",
            Self::Band => "band",
            Self::CostCentre => "cost_centre",
            Self::InfoTable => "info_table",
            Self::Finding => "finding",
        }
    }

    /// The heading of such names.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Thread => "Threads",
            Self::Label => "Labels of spans",
            Self::Type => "Event types",
            Self::Band => "Bands of the heap profile",
            Self::CostCentre => "Cost centres",
            Self::InfoTable => "Info tables",
            Self::Finding => "Findings",
        }
    }
}

/// The names of one kind that a query finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameHits {
    /// What they are of.
    pub kind: NameKind,
    /// How many there are.
    pub count: u64,
    /// The first of them: at most [`limits::MAX_NAME_HITS`].
    pub names: Vec<NameHit>,
}

/// A name that a query finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameHit {
    /// The name.
    pub name: LogText<'static>,
    /// Where it is defined or what it says, if that is known.
    pub detail: LogText<'static>,
    /// For a thread, a label or a type: the query that finds its events and spans.
    pub query: Option<LogText<'static>>,
    /// The track that shows it, if there is one.
    pub track: Option<TrackId>,
}

impl NameHits {
    /// No names of a kind yet.
    #[must_use]
    pub fn none(kind: NameKind) -> Self {
        Self { kind, count: 0, names: Vec::new() }
    }

    /// Counts a name, and keeps it if there is room.
    pub fn add(&mut self, hit: impl FnOnce() -> NameHit) {
        self.count += 1;
        if self.names.len() < limits::MAX_NAME_HITS {
            self.names.push(hit());
        }
    }
}

impl Model {
    /// The names that a query finds, for each kind of which it finds any. Only conditions about names find them: texts, labels,
    /// types, and threads.
    #[must_use]
    pub fn find_names(&self, query: &Query) -> Vec<NameHits> {
        let finder = Finder::new(query, true, self);
        let found = NameKind::OF_LOG.map(|kind| self.known.names_found(&finder, kind));
        found.into_iter().filter(|hits| hits.count > 0).collect()
    }

    /// Whether a text has everything that a query searches for, and the query has no other conditions.
    #[must_use]
    pub fn finds_text(&self, query: &Query, text: &str) -> bool {
        let test = |condition: &Condition| match &condition.test {
            Test::Text(pattern) => pattern.matches(text.as_bytes()) == condition.holds,
            _ => false,
        };
        query.conditions.iter().any(|condition| condition.holds) && query.conditions.iter().all(test)
    }
}

impl Known {
    fn names_found(&self, finder: &Finder, kind: NameKind) -> NameHits {
        let mut hits = NameHits::none(kind);
        let plain = |name: &str, detail: &str| NameHit {
            name: LogText::from(name).into_owned(),
            detail: LogText::from(detail).into_owned(),
            query: None,
            track: None,
        };
        let finds = |name: &str| {
            finder.finds_name(|test| match test {
                Prepared::Text(pattern) => Some(pattern.matches(name.as_bytes())),
                _ => None,
            })
        };
        let profiles = &self.stores.profiles;
        match kind {
            NameKind::Thread => self.threads_found(finder, &mut hits),
            NameKind::Label => {
                let labels = self.stores.messages.labels.all_texts();
                for label in labels.filter(|label| finder.finds_label(label)) {
                    hits.add(|| NameHit { query: Some(query_of("label", label)), ..plain(label, "") });
                }
            }
            NameKind::Type => {
                for (tag, count) in self.counts.iter() {
                    let name = self.type_name(tag);
                    let finds = finder.finds_name(|test| match test {
                        Prepared::Text(pattern) => Some(pattern.matches(name.for_comparing().as_bytes())),
                        Prepared::Types(types) => Some(types.has(tag)),
                        _ => None,
                    });
                    if finds {
                        let query = Some(query_of("type", name.for_comparing()));
                        hits.add(|| NameHit { query, name, ..plain("", &events(count)) });
                    }
                }
            }
            NameKind::Band => {
                let names = band_names::names_of(self);
                names.iter().filter(|name| finds(name)).for_each(|name| hits.add(|| plain(name, "")));
            }
            NameKind::CostCentre => {
                let text = |id| profiles.names.text(id);
                for centre in profiles.names.centres().iter().filter(|centre| finds(text(centre.label))) {
                    hits.add(|| plain(text(centre.label), &format!("{} {}", text(centre.module), text(centre.source))));
                }
            }
            NameKind::InfoTable => {
                let text = |id| profiles.names.text(id);
                let tables = profiles.names.tables().iter();
                for table in tables.filter(|table| finds(text(table.name)) || finds(text(table.label))) {
                    hits.add(|| plain(text(table.name), &format!("{} {}", text(table.module), text(table.source))));
                }
            }
            NameKind::Finding => {}
        }
        hits
    }

    fn threads_found(&self, finder: &Finder, hits: &mut NameHits) {
        let threads = &self.stores.threads;
        for thread in threads.rows() {
            let label = threads.label_text(thread.id).unwrap_or_default();
            let number = thread.id.0.to_string();
            let is_number = |pattern: &Pattern| pattern.clone().whole().matches(number.as_bytes());
            let has_label = |pattern: &Pattern| !label.is_empty() && pattern.matches(label.as_bytes());
            let finds = finder.finds_name(|test| match test {
                Prepared::Text(pattern) => Some(has_label(pattern) || is_number(pattern)),
                Prepared::Label(pattern) => Some(has_label(pattern)),
                Prepared::Thread(wanted) => Some(*wanted == thread.id),
                Prepared::Threads(places) => Some(is_among(places, Some(thread.id), threads)),
                _ => None,
            });
            if finds {
                hits.add(|| NameHit {
                    name: format!("thread {number}").into(),
                    detail: LogText::from(label).into_owned(),
                    query: Some(format!("thread:{number}").into()),
                    track: self.track_of_thread(thread.id),
                });
            }
        }
    }
}

impl Finder {
    /// Whether it finds a name. `test` says whether a test succeeds; `None` for a test that is not about such names.
    fn finds_name(&self, test: impl Fn(&Prepared) -> Option<bool>) -> bool {
        // A query of negated conditions only would find almost every name.
        self.tests.iter().any(|(holds, _)| *holds) && self.tests.iter().all(|(holds, of)| test(of) == Some(*holds))
    }

    fn finds_label(&self, label: &str) -> bool {
        self.finds_name(|test| match test {
            Prepared::Text(pattern) | Prepared::Label(pattern) => Some(pattern.matches(label.as_bytes())),
            _ => None,
        })
    }
}

/// A query with one condition.
fn query_of(name: &str, value: &str) -> LogText<'static> {
    format!("{name}:{}", quoted(value)).into()
}
