//! The instances of one label of user spans, which are found by reading the log again in order of time.

use super::in_order::{Follower, Replay};
use crate::{
    keeping::{
        crossing::requests::{Requests, Wanted},
        messages::{Labels, OTHERS},
        places::{Places, hash},
        store::Store,
    },
    known::Known,
    limits,
    reading::model::Model,
    tracks::capability::GC_WORKING,
};
use alloc::{string::String, vec::Vec};
use ghc_eventlog::{HeapAllocated, Nanos};
use ghc_eventlog_text::LogText;

/// Which instances of a label of user spans are wanted: see [`Model::requests`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestsQuery {
    /// The label, as [`Model::span_labels`] has it, or a family of labels, as [`Model::span_families`] has it.
    pub label: LogText<'static>,
    /// Instances that begin from this time on, and before `to`, on the log's clock.
    pub from: Nanos,
    /// See `from`.
    pub to: Nanos,
    /// Of these, the rows have those that take at least this long, and less than `most`.
    pub least: Nanos,
    /// See `least`.
    pub most: Nanos,
}

impl RequestsQuery {
    /// All instances of a label.
    #[must_use]
    pub fn of(label: impl Into<LogText<'static>>) -> Self {
        let (least, most) = (Nanos(0), Nanos::MAX);
        Self { label: label.into(), from: least, to: most, least, most }
    }
}

impl Model {
    /// The labels of user spans, once the log has been [replayed](Self::replay): those with the first spans first.
    #[must_use]
    pub fn span_labels(&self) -> Vec<LogText<'_>> {
        self.known.span_labels().map(|(_, text)| LogText::from(text)).collect()
    }

    /// Families of labels: those that differ only in numbers, as programs write them that number what they do. Each has `#` in place of
    /// each number: `job #` for `job 1` and `job 17`. Those with the first spans come first.
    ///
    /// ```text
    /// labels      job 1    job 17    total    step 1 of 3
    /// families    job #
    /// ```
    #[must_use]
    pub fn span_families(&self) -> Vec<LogText<'static>> {
        let groups = self.known.span_groups().into_iter();
        groups.filter(|group| group.is_family && group.labels.len() > 1).map(|family| family.name.into()).collect()
    }

    /// Whether the log has more labels than are told apart: spans of the others have one label.
    #[must_use]
    pub fn are_span_labels_too_many(&self) -> bool {
        self.known.stores.messages.labels.are_too_many()
    }

    /// How many spans were not followed until they ended, because too many others were open: no search finds them. 0 as long as the log
    /// has not been [replayed](Self::replay).
    #[must_use]
    pub fn spans_not_followed(&self) -> u64 {
        self.known.replayed.as_ref().map_or(0, |replayed| replayed.spans.given_up)
    }

    /// Begins to look at each instance of a label of user spans: what its thread did meanwhile. It is a [`Job`](crate::Job);
    /// once it is done, the facts have a section and tables of it. Earlier results are dropped. `None` as long as the log has
    /// not been [replayed](Self::replay), and if it has no such label.
    #[must_use]
    pub fn requests(&mut self, query: &RequestsQuery) -> Option<Replay> {
        let beside = self.known.stores.profiles.bytes_held();
        self.requests_within(query, limits::REPLAY_BYTES.saturating_sub(beside).max(limits::REPLAY_LEAST))
    }

    /// The same within `most_bytes`, for tests. The limit only affects how often parts of the log are read.
    #[doc(hidden)]
    #[must_use]
    pub fn requests_within(&mut self, query: &RequestsQuery, most_bytes: usize) -> Option<Replay> {
        let known = &mut self.known;
        let group = known.span_groups().into_iter().find(|group| query.label == group.name.as_str())?;
        let RequestsQuery { from, to, least, most, .. } = *query;
        let knows_pauses = known.logged_classes().lacks(GC_WORKING).is_none();
        let tells_allocation = known.counts.has_any(&[HeapAllocated::TAG]);
        let wanted = Wanted::of(
            (&group.labels, group.are_all(&known.stores.messages.labels)),
            query.label.clone(),
            (from, to),
            (least, most),
        );
        known.at_hand.clear();
        known.spans_at_hand.clear();
        known.revision += 1;
        let number = known.revision;
        known.requests = Some(Requests::new(number, wanted, knows_pauses, tells_allocation));
        known.details.leave_room(known.beside_details());
        Some(Replay::of(known, Follower::Requests(number), most_bytes))
    }
}

/// Labels of user spans with one name: those of that text, or those that differ only in numbers.
pub(crate) struct SpanGroup {
    pub(crate) name: String,
    pub(crate) labels: Vec<u16>,
    /// Whether it is a family: some of them have numbers where the name has `#`.
    pub(crate) is_family: bool,
}

impl SpanGroup {
    /// Whether no other labels are called so. Of a label that is kept, all is known; of a family, some may have no room.
    pub(crate) fn are_all(&self, labels: &Labels) -> bool {
        !self.is_family || labels.are_all_of(&self.name)
    }
}

impl Known {
    /// The labels of user spans, with their numbers: those with the first spans first. None before the log has been replayed.
    fn span_labels(&self) -> impl Iterator<Item = (u16, &str)> {
        let order = self.replayed.as_ref().filter(|replayed| replayed.is_done).map(|replayed| &replayed.spans.order);
        order.into_iter().flatten().map(|label| (*label, self.stores.messages.labels.text(*label)))
    }

    /// The labels by their texts and by their families, those with the first spans first. What is shown of different labels may be the
    /// same, and a label may be called as a family is.
    pub(crate) fn span_groups(&self) -> Vec<SpanGroup> {
        let mut groups: Vec<SpanGroup> = Vec::new();
        let mut places = Places::new();
        let mut add = |name: String, label: u16, is_family: bool| {
            let hash = hash(name.as_bytes());
            let place = places.find(hash, |place| groups.get(place as usize).is_some_and(|group| group.name == name));
            if let Some(group) = place.and_then(|place| groups.get_mut(place as usize)) {
                group.labels.push(label);
                group.is_family |= is_family;
            } else {
                places.insert(hash, groups.len() as u32);
                groups.push(SpanGroup { name, labels: Vec::from([label]), is_family });
            }
        };
        for (label, text) in self.span_labels().filter(|(label, _)| *label != OTHERS) {
            let family = self.stores.messages.labels.family(label);
            let is_its_text = family == text;
            add(text.into(), label, false);
            if !is_its_text {
                add(family, label, true);
            }
        }
        // The program may have a label that is called so, too.
        let others = self.span_labels().find(|(label, _)| *label == OTHERS);
        if let Some((label, text)) = others.filter(|(_, text)| groups.iter().all(|group| group.name != *text)) {
            groups.push(SpanGroup { name: text.into(), labels: Vec::from([label]), is_family: false });
        }
        groups
    }

    /// All instances that were asked for are known.
    pub(super) fn finish_requests(&mut self, number: u64) {
        let its = |requests: &&mut Requests| requests.number == number && !requests.is_done;
        if let Some(requests) = self.requests.as_mut().filter(its) {
            requests.finish();
        }
        self.revision += 1;
        self.details.leave_room(self.beside_details());
    }
}
