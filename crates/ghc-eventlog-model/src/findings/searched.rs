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
            let mut text = finding.text.text(origin);
            // Of what is wrong, the title says that.
            if finding.level == Level::Fine {
                text.insert_str(0, "Fine: ");
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::testing::{MS, Play, model};
    use alloc::format;

    #[test]
    fn what_is_fine_says_so() {
        let found = |play: Play, text: &str| {
            let hits = model(play).find_findings(&Query::parse(text).unwrap()).unwrap();
            format!("{:?}", hits.names[0].detail)
        };
        let detail = found(Play::caps(2).each(20, |play| play.run_all(&[7, 8], 9 * MS)), "Parallelism");
        assert!(detail.contains("Fine: "), "{detail}");
        let detail = found(Play::caps(2).each(20, |play| play.run(0, 7, 9 * MS).run(1, 8, MS)), "\"No parallelism\"");
        assert!(!detail.contains("Fine: "), "{detail}");
    }
}
