//! What the program did between two of its messages.

use crate::{
    facts::{Section, scope::Scope, typed::facts},
    keeping::crossing::spans::{Tally, UserSpans},
    terms::{absence::Absence, track::State, value::Unit},
    tracks::capability::RUNNING,
};
use alloc::format;
use ghc_eventlog::Nanos;

/// The histogram of the label that the reader has chosen.
const CHOSEN: &str = "durations.chosen";

/// Those labels whose spans took longest have a histogram each, called this.
const OF_LABELS: [&str; 6] = ["durations.1", "durations.2", "durations.3", "durations.4", "durations.5", "durations.6"];

facts! {
    /// The program's own spans, each between two messages that it writes by traceEvent or traceMarker: START and STOP or END
    /// with a label, the words of hperf, GHC, trace-foreign-calls and haddock, and the spans of opentelemetry-haskell. You can
    /// add words of your own. Common words, which are started and ended after a label, count only if the log has both for that
    /// label. Spans are known once threads have been followed.
    SpansFacts("spans", "User spans") {
        /// Why the log has none; if a flag is missing, nothing else is known.
        pub lacks: Option<Absence>,
        /// How many spans have both a begin and an end.
        pub count: Option<u64> = ("count", "Spans that ended", Count, Repeatable),
        /// How many different labels the spans have; those that are not told apart count as one. A number before the label tells spans apart,
        /// and is no part of it.
        pub labels: Option<u64> = ("labels", "Labels", Count, Repeatable),
        /// How many spans were begun and never ended. Not known if some were not followed, and it is not known whether they ended.
        pub unfinished: Option<u64> = ("unfinished", "Unfinished", Count, Repeatable),
        /// The time in which no thread was in a span: what the program did then has no label. Of the whole log only.
        pub none_open: Option<Nanos> = ("none_open_ns", "Time in which no span is open", Duration, Timed)
            .only_if(|spans| spans.count > Some(0) && spans.none_open.is_some()),
        /// How many messages end a span that none began. There should be none; if there are, the labels of begin and
        /// end may differ. Known of the whole log only.
        pub unmatched: Option<u64> = ("unmatched", "Ends without a begin", Count, Repeatable),
        /// How many spans ended that were not followed until then, because too many others were open. Those of which it is not known whether
        /// they ended are among them. Known of the whole log only.
        pub not_followed: Option<u64> = ("not_followed", "Not followed", Count, Repeatable)
            .only_if(|spans| spans.not_followed > Some(0)),
        /// How many messages look like those of spans, but are cut off or have no number. Known of the whole log only.
        pub malformed: Option<u64> = ("malformed", "Messages that are cut, or have no number", Count, Repeatable)
            .only_if(|spans| spans.malformed > Some(0)),
        /// How many messages of opentelemetry-haskell are of a type, or about a kind of instrument, that is not known. Known of
        /// the whole log only.
        pub unknown: Option<u64> = ("unknown", "Messages of opentelemetry of unknown types", Count, Repeatable)
            .only_if(|spans| spans.unknown > Some(0)),
        /// How many tags and instants name a span that was not open when they came. Known of the whole log only.
        pub unattached: Option<u64> = ("unattached", "Tags and instants without a span", Count, Repeatable)
            .only_if(|spans| spans.unattached > Some(0)),
    }
}

impl SpansFacts {
    pub(super) fn gather(scope: &Scope<'_>) -> Self {
        let lacks = scope.lacks_messages();
        if lacks.is_some_and(Absence::is_unlogged) {
            return Self { lacks, ..Self::default() };
        }
        let tally = scope.spans();
        let all = scope.all_spans().filter(|_| scope.is_whole());
        Self {
            lacks,
            count: tally.map(|tally| tally.sum(|of| of.count)),
            labels: tally.map(|_| scope.span_labels().len() as u64),
            unfinished: tally.and_then(Tally::unfinished),
            none_open: all
                .filter(|_| scope.replayed_to_end())
                .and_then(|spans| Some(scope.length()?.since(spans.any_open()))),
            unmatched: all.map(|spans| spans.unmatched),
            not_followed: all.map(UserSpans::not_followed),
            malformed: scope.of_whole(scope.known().stores.messages.malformed),
            unknown: scope.of_whole(scope.known().stores.messages.unknown),
            unattached: all.map(|spans| spans.notes.unattached),
        }
    }

    pub(super) fn section(&self, scope: &Scope<'_>) -> Option<Section> {
        let mut section = Section::of(self).stacked().rows_of("spans").needs(self.lacks);
        histograms(scope, &mut section);
        match why_not_all(scope) {
            Some(remark) => section.remark(remark),
            None => remark(scope, &mut section),
        }
        Some(section)
    }
}

/// How long spans are: all together, and those of the labels that took longest.
fn histograms(scope: &Scope<'_>, section: &mut Section) {
    let Some(tally) = scope.spans() else { return };
    let lengths = tally.lengths;
    let state = State { name: "spans", role: "accent" };
    let rows = Some(("span_list", "duration_ns"));
    if !tally.are_some_only_summed {
        section.histogram("durations", "Durations", Unit::Duration, &[(state, lengths)], rows);
    }
    let labels = scope.span_labels();
    let chosen = scope.chosen_label().map(|label| (CHOSEN, label));
    let of_labels = OF_LABELS.into_iter().zip(labels.iter().copied()).filter(|(_, label)| {
        // One time is enough.
        chosen.is_none_or(|(_, chosen)| chosen != *label)
    });
    for (key, label) in chosen.into_iter().chain(of_labels).filter(|_| labels.len() > 1) {
        let Some(lengths) = tally.lengths_of(label) else { continue };
        if let Some(its) = section.histogram(key, "", Unit::Duration, &[(state, lengths)], None) {
            its.name = format!("Durations of {}", scope.known().stores.messages.labels.text(label)).into();
        }
    }
}

/// Why the figures are not known, or not all of them.
fn why_not_all(scope: &Scope<'_>) -> Option<&'static str> {
    let is_done = scope.known().replayed.as_ref().is_some_and(|replayed| replayed.is_done);
    let messages = &scope.known().stores.messages;
    match scope.all_spans() {
        _ if scope.known().is_finished() && messages.labels.count() == 0 && !messages.lacks_labels => Some(
            "No message begins a span: none has any of the words that are looked for. You can add words of your own.",
        ),
        None if scope.known().is_finished() => {
            Some("Spans are known once threads have been followed: unfold the group Spans on the timeline for that.")
        }
        None => None,
        Some(_) if !is_done => {
            Some("These are the figures so far: threads have not been followed to the end of the log.")
        }
        Some(_) => None,
    }
}

/// Adds what a reader of the figures should know, once all spans are known.
fn remark(scope: &Scope<'_>, section: &mut Section) {
    let Some(spans) = scope.all_spans() else { return };
    if scope.known().logged_classes().lacks(RUNNING).is_some() {
        section.remark("Threads were not logged (-ls): spans of several threads are mixed up, and seem longer or shorter than they are.");
    }
    if spans.given_up > 0 {
        section.remark("Too many spans are open at the same time: some were not followed until they ended.");
    }
    if spans.tally.unfinished().is_none() {
        section.remark("Far too many spans are open at the same time: of some labels, it is not known how many of those that were not followed never ended.");
    }
    match scope.spans() {
        None => section.remark(
            "There are too many spans to keep them all, and too much to read again: of this range, nothing is known.",
        ),
        Some(tally) if tally.are_some_only_summed => section.remark(
            "There are too many spans to keep them all: of a range as long as this, it is not known how many are of each length. \
             The list has the longest, and some of the others.",
        ),
        Some(_) if spans.rows.stride() > 1 && !scope.has_read_spans() => {
            section.remark("There are too many spans to keep them all: the list has the longest, and some of the others.");
        }
        Some(_) => {}
    }
    if scope.spans().is_some() && !scope.is_whole() && scope.known().stores.collections.is_capped() {
        section.remark("There are too many collections to keep them all: of a range, it is not known how long spans took without them.");
    }
    if spans.notes.are_too_many() {
        section.remark("There are too many tags and instants to keep them all: the longer spans have theirs.");
    }
    if scope.known().stores.messages.labels.are_too_many() {
        section.remark("There are too many labels to tell all apart: the others count as “All others” or, for example, “job # (others)”.");
    }
    if scope.known().stores.messages.labels.are_cut() {
        section.remark("There is no room for long labels: those with … are cut in the middle, so different ones may look alike. The events have all of their texts.");
    }
    if scope.spans().is_some_and(|tally| !tally.are_some_only_summed && tally.lacks_some_lengths()) {
        section.remark("There are too many different lengths to keep them for all labels: those without a percentile had taken little time when room ran out.");
    }
    // Where nothing is known of the range, this would be said of nothing.
    if !scope.is_whole() && scope.spans().is_some() {
        section.remark("Spans that lie across an edge of the range count, with the part that is inside.");
    }
}
