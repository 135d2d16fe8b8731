//! What there is to say of the user's spans in a scope: made once, when the first of its figures or rows is asked for.

use super::scope::Scope;
use crate::{
    keeping::crossing::{
        marks::NoteKind,
        spans::{Tally, UserSpan, UserSpans},
    },
    sorting::{by_most, sort_by_key},
    tracks::capability::GC_WORKING,
};
use alloc::vec::Vec;
use core::cell::OnceCell;
use ghc_eventlog_text::LogText;

/// What has been made so far.
#[derive(Default)]
pub(crate) struct SpansIn {
    /// Of a range; `None` in it if that is not known.
    tally: OnceCell<Option<Tally>>,
    /// The labels of which there are any spans, those first that took longest; of one time, by their texts.
    labels: OnceCell<Vec<u16>>,
    /// The places of the spans that are kept, the longest first.
    longest: OnceCell<Vec<u32>>,
}

impl Scope<'_> {
    /// All spans of the log; `None` if it has not been gone through in order of time.
    pub(crate) fn all_spans(&self) -> Option<&UserSpans> {
        self.known().replayed.as_ref().map(|replayed| &replayed.spans)
    }

    /// Whether all of the log has been gone through in order of time.
    pub(crate) fn replayed_to_end(&self) -> bool {
        self.known().replayed.as_ref().is_some_and(|replayed| replayed.is_done)
    }

    /// Those in scope, added up; `None` if that is not known.
    pub(crate) fn spans(&self) -> Option<&Tally> {
        let spans = self.all_spans()?;
        let Some(range) = self.range else { return Some(&spans.tally) };
        let is_done = self.replayed_to_end();
        let kept = || spans.within(&self.known().stores.collections, range.summed.from, range.summed.to);
        let read = || range.summed.spans.as_ref().map(|spans| spans.tally.clone());
        // With many labels, the pieces that have sums are long, and too much lies at the edges: but none of it if the range is all of the log.
        let is_all =
            self.known().extent().is_some_and(|(first, last)| range.summed.from <= first && range.summed.to >= last);
        let all = || is_all.then(|| spans.tally.clone());
        let make = || read().or_else(kept).or_else(all).filter(|_| is_done);
        self.in_spans().tally.get_or_init(make).as_ref()
    }

    /// Their labels.
    pub(crate) fn span_labels(&self) -> &[u16] {
        let make = || {
            let Some(tally) = self.spans() else { return Vec::new() };
            let of = |label: u32| tally.by_label.get(label as usize).copied().unwrap_or_default();
            let texts = &self.known().stores.messages.labels;
            let mut in_order: Vec<u32> = (0..tally.by_label.len() as u32).collect();
            sort_by_key(&mut in_order, |label| texts.text(*label as u16));
            let at = |place: u32| in_order.get(place as usize).copied().unwrap_or_default();
            let labels = by_most(in_order.len(), |place| of(at(place)).total.0).into_iter().map(at);
            labels.filter(|label| of(*label).begun() > 0).map(|label| label as u16).collect()
        };
        self.in_spans().labels.get_or_init(make)
    }

    /// The label that was [chosen](crate::Wishes), if it has any spans.
    pub(crate) fn chosen_label(&self) -> Option<u16> {
        let messages = &self.known().stores.messages;
        let chosen = self.arrangement.wishes().histogram_of.as_deref()?;
        // The page has its labels from the door for it.
        let is_it = |label: &u16| LogText::from(messages.labels.text(*label)).for_page() == chosen;
        self.span_labels().iter().copied().find(is_it)
    }

    /// The spans among which those in scope are: those that are kept, or those that have been read for a range.
    pub(crate) fn spans_here(&self) -> &[UserSpan] {
        let read = self.range.and_then(|range| range.summed.spans.as_ref()?.all.as_deref());
        read.or_else(|| Some(self.all_spans()?.rows.kept())).unwrap_or_default()
    }

    /// Whether all spans of a range have been read, since not all are kept.
    pub(crate) fn has_read_spans(&self) -> bool {
        self.range.and_then(|range| range.summed.spans.as_ref()?.all.as_ref()).is_some()
    }

    /// The places of the spans in scope among [these](Self::spans_here), the longest first.
    pub(crate) fn longest_spans(&self) -> &[u32] {
        let make = || {
            let rows = self.spans_here();
            let of = |place: u32| rows.get(place as usize);
            let is_in = |span: &UserSpan| self.range.is_none_or(|range| span.meets(range.summed.from, range.summed.to));
            let longest = by_most(rows.len(), |place| of(place).map_or(0, |span| span.length().0));
            longest.into_iter().filter(|place| of(*place).is_some_and(is_in)).collect()
        };
        self.in_spans().longest.get_or_init(make)
    }

    /// Whether anything of a kind is said of any span.
    pub(crate) fn has_notes(&self, kind: NoteKind) -> bool {
        self.all_spans().is_some_and(|spans| spans.notes.has(kind))
    }

    /// Whether it is known how long collections took here: in the whole log that of all is, in a range that of those that are kept.
    pub(crate) fn knows_pauses(&self) -> bool {
        (self.is_whole() || !self.known().stores.collections.is_capped())
            && self.known().logged_classes().lacks(GC_WORKING).is_none()
    }
}
