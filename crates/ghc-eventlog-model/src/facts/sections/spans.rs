//! What the program did between two of its messages.

use crate::{
    facts::{Section, scope::Scope},
    keeping::bins::Bins,
    terms::{track::State, value::Unit},
};
use alloc::format;
use ghc_eventlog::{UserBinaryMsg, UserMarker, UserMsg};

/// What is logged by the same flag as spans: who has any of it has no flag to add.
const TAGS: &[u16] = &[UserMsg::TAG, UserBinaryMsg::TAG, UserMarker::TAG];

/// The histogram of the label that the reader has chosen.
const CHOSEN: &str = "durations.chosen";

/// Those labels whose spans took longest have a histogram each, called this.
const OF_LABELS: [&str; 6] = ["durations.1", "durations.2", "durations.3", "durations.4", "durations.5", "durations.6"];

pub(super) fn section(scope: &Scope<'_>) -> Option<Section> {
    let tally = scope.spans();
    let count = tally.map(|tally| tally.sum(|of| of.count));
    let mut section = Section::new("spans", "User spans").stacked().rows_of("spans").needs(scope.lacks(TAGS, "-lu"));
    section.number("count", "Spans that ended", count);
    section.number("labels", "Labels", tally.map(|_| scope.span_labels().len() as u64));
    section.number("unfinished", "Unfinished", tally.map(|tally| tally.sum(|of| of.unfinished)));
    let all = scope.all_spans();
    let unmatched = all.filter(|_| scope.is_whole()).map(|spans| spans.unmatched);
    section.number("unmatched", "Ends without a begin", unmatched);
    if let Some(malformed) = scope.of_whole(scope.known().stores.messages.malformed).filter(|malformed| *malformed > 0)
    {
        section.number("malformed", "Messages that are cut, or have no number", malformed);
    }
    if let Some(tally) = tally {
        let lengths = tally.by_label.iter().fold(Bins::default(), |all, of| all.with(&of.lengths));
        let state = State { name: "spans", role: "accent" };
        let rows = Some(("span_list", "duration_ns"));
        section.histogram("durations", "Durations", Unit::Duration, &[(state, lengths)], rows);
        let labels = scope.span_labels();
        let chosen = scope.chosen_label().map(|label| (CHOSEN, label));
        let of_labels = OF_LABELS.into_iter().zip(labels.iter().copied()).filter(|(_, label)| {
            // One time is enough.
            chosen.is_none_or(|(_, chosen)| chosen != *label)
        });
        for (key, label) in chosen.into_iter().chain(of_labels).filter(|_| labels.len() > 1) {
            let lengths = tally.by_label.get(usize::from(label)).map_or(Bins::default(), |of| of.lengths);
            if let Some(its) = section.histogram(key, "", Unit::Duration, &[(state, lengths)], None) {
                its.name = format!("Durations of {}", scope.known().stores.messages.labels.text(label)).into();
            }
        }
    }
    let is_done = scope.known().replayed.as_ref().is_some_and(|replayed| replayed.is_done);
    let messages = &scope.known().stores.messages;
    match all {
        _ if scope.known().is_finished() && messages.labels.count() == 0 && !messages.lacks_labels => {
            section.remark("No message begins a span: none has the word that is looked for, START unless another was chosen.");
        }
        None if scope.known().is_finished() => section.remark(
            "Spans are told once the group Spans is unfolded on the timeline: the log is gone through once more for that.",
        ),
        None => {}
        Some(_) if !is_done => {
            section.remark("These are the figures so far: the log has not been gone through to its end for spans.");
        }
        Some(spans) if spans.beyond > 0 => {
            section.remark("Too many spans are open at the same time: some are missing.");
        }
        Some(_) if tally.is_none() => {
            section.remark("There are too many spans to keep them all: of a range, nothing is known.");
        }
        Some(spans) if spans.rows.stride() > 1 => {
            section.remark("There are too many spans to keep them all: the list has the longest, and some of the others.");
        }
        Some(_) if !scope.is_whole() => {
            section.remark("Spans that lie across an edge of the range count, with the part that is inside.");
        }
        Some(_) => {}
    }
    Some(section)
}
