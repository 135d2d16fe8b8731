//! What the facts need of the instances of a label.

use crate::{
    asking::range::Range,
    facts::{scope::Scope, text::rounded},
    keeping::crossing::requests::{
        BLOCKED, COLLECTING, FOREIGN, NOT_KNOWN, PARTS, PartSums, RUNNABLE, RUNNING, Request, Requests,
    },
    known::Known,
    reading::model::Model,
    sorting::sort_by_number,
    terms::value::Value,
};
use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use ghc_eventlog::Nanos;
use ghc_eventlog_text::LogText;

/// What the parts of an instance's time are called, by their numbers.
pub(crate) const PART_NAMES: [&str; PARTS] = [
    "running",
    "waiting for collections",
    "runnable",
    "in foreign calls",
    "not known",
    "blocked on an MVar",
    "blocked reading an MVar",
    "blocked in STM",
    "blocked on a black hole",
    "blocked in throwTo",
    "blocked in threadDelay",
    "blocked on reading",
    "blocked on writing",
    "blocked on asynchronous I/O",
    "blocked on I/O completion",
    "blocked, no reason given",
];

/// The parts in the order in which they are listed.
const ORDER: [usize; 5] = [RUNNING, COLLECTING, RUNNABLE, FOREIGN, NOT_KNOWN];

/// The slowest instance, and those near the median.
pub(crate) struct SlowestAgainstMedian<'r> {
    pub(crate) slowest: &'r Request,
    pub(crate) typical: &'r PartSums,
    /// Exactly, as far as it is known: within 0.4 %.
    pub(crate) median: Nanos,
}

impl SlowestAgainstMedian<'_> {
    /// Each part that either has: its number, the mean time of those near the median, and the slowest one's time.
    pub(crate) fn parts(&self) -> Vec<(usize, Nanos, Nanos)> {
        let blocked = BLOCKED..PARTS;
        let all =
            ORDER.into_iter().chain(blocked).map(|part| (part, self.typical.mean(part), self.slowest.parts.get(part)));
        all.filter(|(_, typical, slowest)| typical.max(slowest) > &Nanos(0)).collect()
    }

    /// In a sentence or two.
    pub(crate) fn sentence(&self) -> String {
        let (length, median) = (self.slowest.length(), self.median);
        let text = |time: Nanos| Value::Duration(time).text(Nanos(0));
        let times = length.0 as f64 / median.0.max(1) as f64;
        let tenths = rounded(times, 10);
        let times =
            if times >= 10.0 { rounded(times, 1).to_string() } else { format!("{}.{}", tenths / 10, tenths % 10) };
        let all = format!("The slowest took {}, {times} times the median of {}", text(length), text(median));
        let more = length.since(self.typical.mean_length());
        let mut parts: Vec<(usize, Nanos)> =
            self.parts().into_iter().map(|(part, typical, slowest)| (part, slowest.since(typical))).collect();
        // What makes less than a twentieth of the difference explains nothing.
        parts.retain(|(_, more_of_it)| *more_of_it > Nanos(0) && more_of_it.0 >= more.0 / 20);
        sort_by_number(&mut parts, |(_, more)| !more.0);
        let said: Vec<String> =
            parts.iter().take(3).map(|(part, more)| format!("{} {} longer", name_of(*part), text(*more))).collect();
        if said.is_empty() { format!("{all}.") } else { format!("{all}: it was {}.", said.join(", ")) }
    }
}

/// A part's name.
pub(crate) fn name_of(part: usize) -> &'static str {
    PART_NAMES.get(part).copied().unwrap_or_default()
}

impl Scope<'_> {
    /// The instances of a label that were asked for, if it was for this range, or for the whole log.
    pub(crate) fn asked_requests(&self) -> Option<&Requests> {
        let times = self.range.map_or((Nanos(0), Nanos::MAX), Range::times);
        self.known().requests.as_ref().filter(|requests| (requests.wanted.from, requests.wanted.to) == times)
    }

    /// The same, once they are known.
    pub(crate) fn requests(&self) -> Option<&Requests> {
        self.asked_requests().filter(|requests| requests.is_done)
    }

    /// The slowest instance against those near the median; `None` if there is only one, or if those that are kept do not include the
    /// slowest one.
    pub(crate) fn compared_requests(&self) -> Option<SlowestAgainstMedian<'_>> {
        let requests = self.requests().filter(|requests| requests.count > 1)?;
        let slowest = requests.rows.first().filter(|row| row.length().0 == requests.fine.most())?;
        let median = Nanos(requests.fine.at(50)?);
        Some(SlowestAgainstMedian { slowest, typical: requests.typical()?, median })
    }

    /// The spans directly within an instance in words; `None` if they are not known.
    pub(crate) fn nested_text(&self, request: &Request) -> Option<String> {
        request.nested.as_ref()?;
        let each = nested_in(self.known(), request);
        let each = each.map(|(label, time)| format!("{label} {}", Value::Duration(time).text(Nanos(0))));
        Some(each.collect::<Vec<_>>().join(", "))
    }

    /// The capabilities of an instance in words.
    pub(crate) fn caps_text(request: &Request) -> String {
        let mut caps: Vec<String> = request.caps.iter().map(|cap| cap.0.to_string()).collect();
        caps.extend(request.has_more_caps.then(|| "…".to_string()));
        caps.join(", ")
    }
}

/// The labels of the spans directly within an instance, with their times.
fn nested_in<'k>(known: &'k Known, request: &'k Request) -> impl Iterator<Item = (&'k str, Nanos)> {
    let labels = &known.stores.messages.labels;
    let each = request.nested.iter().flatten();
    each.map(|nested| (nested.label.map_or("other labels", |label| labels.text(label)), nested.time))
}

impl Model {
    /// The labels of the spans directly within an [instance](Model::requests), with their times, the longest first: for the row at a
    /// place of the table `requests` in its own order. `None` if they are not known.
    #[must_use]
    pub fn nested_in_request(&self, place: usize) -> Option<Vec<(LogText<'static>, Nanos)>> {
        let request = self.known.requests.as_ref().filter(|requests| requests.is_done)?.rows.get(place)?;
        request.nested.as_ref()?;
        Some(nested_in(&self.known, request).map(|(label, time)| (LogText::from(label).into_owned(), time)).collect())
    }
}
