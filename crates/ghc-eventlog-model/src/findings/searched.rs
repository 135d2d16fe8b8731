//! Findings that a query finds.

use super::Level;
use crate::{
    asking::{
        find::{NameHit, NameHits, NameKind},
        query::Query,
    },
    reading::model::Model,
};
use ghc_eventlog::Nanos;

impl Model {
    /// The findings that a query finds by their titles and sentences; `None` if it finds none.
    #[must_use]
    pub fn find_findings(&self, query: &Query) -> Option<NameHits> {
        let origin = self.extent().map_or(Nanos(0), |(first, _)| first);
        let mut hits = NameHits::none(NameKind::Finding);
        for finding in self.findings().list {
            let text = finding.text.text(origin);
            let is_there = finding.level >= Level::Fine;
            if is_there && (self.finds_text(query, finding.title) || self.finds_text(query, &text)) {
                hits.add(|| NameHit {
                    name: finding.title.into(),
                    detail: text.into(),
                    query: None,
                    track: finding.evidence.first().and_then(|evidence| evidence.track),
                });
            }
        }
        Some(hits).filter(|hits| hits.count > 0)
    }
}
