//! The instances of one label of user spans.

use crate::{
    facts::{
        Section,
        scope::Scope,
        typed::{Dated, facts},
    },
    terms::{track::State, value::Unit},
};
use ghc_eventlog::Nanos;
use ghc_eventlog_text::LogText;

facts! {
    /// The spans of one label, which you choose, or of all labels that differ only in numbers: how long they took, and what the
    /// thread of each did meanwhile. A range has those that begin in it, with all of their time.
    RequestsFacts("requests", "Requests") {
        /// Whether instances have been asked for.
        pub is_asked: bool,
        /// The label of the spans; # stands for any number.
        pub label: Option<LogText<'static>> = ("label", "Label", Text, Repeatable),
        /// How many labels there are that differ only in a number; not known if there are too many to tell all apart.
        pub labels: Option<u64> = ("labels", "Labels", Count, Repeatable).only_if(|requests| requests.labels > Some(1)),
        /// How many spans have both a begin and an end.
        pub count: Option<u64> = ("count", "Spans that ended", Count, Repeatable),
        /// How many were begun and never ended. All other figures leave them out.
        pub unfinished: Option<u64> = ("unfinished", "Unfinished", Count, Repeatable),
        /// The time of all spans, summed.
        pub total: Option<Nanos> = ("total_ns", "Total", Duration, Timed),
        /// Half of the spans took no longer than this, within 0.4 %.
        pub median: Option<Nanos> = ("duration_ns.p50", "Median", Duration, Timed),
        /// 95 % of the spans took no longer than this, within 0.4 %; one in twenty took longer.
        pub p95: Option<Nanos> = ("duration_ns.p95", "95th percentile", Duration, Timed),
        /// 99 % of the spans took no longer than this, within 0.4 %; one in a hundred took longer.
        pub p99: Option<Nanos> = ("duration_ns.p99", "99th percentile", Duration, Timed),
        /// How long the slowest span took, and when it began.
        pub max: Option<Dated<Nanos>> = ("duration_ns.max", "Slowest", Duration, Timed),
        /// What the slowest span did for longer than the spans near the median, on average.
        pub slowest: Option<LogText<'static>> = ("slowest", "Slowest against median", Text, Timed)
            .only_if(|requests| requests.slowest.is_some()),
        /// How many spans took as long as you have chosen.
        pub chosen: Option<u64> = ("chosen.count", "As long as chosen", Count, Timed).only_if(|requests| requests.chosen_from.is_some()),
        /// The shortest duration that you have chosen.
        pub chosen_from: Option<Nanos> = ("chosen.from_ns", "Chosen: from", Duration, Timed)
            .only_if(|requests| requests.chosen_from.is_some()),
        /// The duration up to which you have chosen, which is not included.
        pub chosen_to: Option<Nanos> = ("chosen.to_ns", "Chosen: to", Duration, Timed)
            .only_if(|requests| requests.chosen_from.is_some()),
    }
}

impl RequestsFacts {
    pub(super) fn gather(scope: &Scope<'_>) -> Self {
        let Some(asked) = scope.asked_requests() else { return Self::default() };
        let done = scope.requests();
        let percentile = |percent| done.and_then(|requests| requests.fine.at(percent)).map(Nanos);
        let slowest = done.and_then(|requests| Some((requests, requests.rows.first()?)));
        let is_all = asked.wanted.least == Nanos(0) && asked.wanted.most == Nanos::MAX;
        Self {
            is_asked: true,
            label: Some(asked.wanted.name.clone()),
            labels: Some(asked.wanted.labels as u64).filter(|_| asked.wanted.are_all && !asked.wanted.has_others()),
            count: done.map(|requests| requests.count),
            unfinished: done.map(|requests| requests.unfinished),
            total: done.map(|requests| requests.total),
            median: percentile(50),
            p95: percentile(95),
            p99: percentile(99),
            max: done.filter(|requests| requests.count > 0).map(|requests| {
                let value = Nanos(requests.fine.most());
                let row = slowest.map(|(_, row)| row).filter(|row| row.length() == value);
                Dated { value, at: row.map(|row| row.start) }
            }),
            slowest: scope.compared_requests().map(|compared| compared.sentence().into()),
            chosen: done.filter(|_| !is_all).map(|requests| requests.chosen),
            chosen_from: (!is_all).then_some(asked.wanted.least),
            chosen_to: (!is_all).then_some(asked.wanted.most),
        }
    }

    pub(super) fn section(&self, scope: &Scope<'_>) -> Option<Section> {
        if !self.is_asked {
            return None;
        }
        let mut section = Section::of(self).stacked().count(self.count, "spans");
        if let Some(requests) = scope.requests() {
            let state = State { name: "spans", role: "accent" };
            let rows = Some(("requests", "duration_ns"));
            section.histogram("durations", "Durations", Unit::Duration, &[(state, requests.lengths)], rows);
        }
        remark(scope, &mut section);
        Some(section)
    }
}

/// Adds what a reader of the figures should know.
fn remark(scope: &Scope<'_>, section: &mut Section) {
    let Some(requests) = scope.requests() else {
        return section.remark("Threads are being followed for these spans.");
    };
    if requests.wanted.has_others() {
        section.remark("There are too many labels to tell all apart: those that took little time count as one.");
    }
    if !requests.wanted.are_all {
        section.remark("There are too many labels to tell all apart: these took most time.");
    }
    if requests.beyond > 0 {
        section.remark("Too many spans are open at the same time: some of these were not followed.");
    }
    let is_kept = requests.chosen as usize == requests.rows.len();
    let has_threads = requests.rows.iter().any(|row| row.thread.0 > 0);
    if !is_kept {
        section.remark("The table has the slowest spans.");
    }
    if requests.rows.is_empty() {
        return;
    }
    if !has_threads {
        section.remark("The log does not say which threads ran, so it is not known what they did.");
    } else if !requests.knows_pauses {
        section.remark(
            "The log does not have all collections: the time that spans waited for them is part of the other times.",
        );
    }
}
