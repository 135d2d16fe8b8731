//! A capability's lane: the thread that runs, the phase of its collector, or idle (STATISTICS, "Capability states").
//!
//! ```text
//! RUN_THREAD 1   STOP_THREAD   REQUEST  GC_START  GC_WORK  GC_DONE  GC_END
//!      |111111111111|             |oooooooooooooooooo|wwwwwwww|iiiiiii|
//! ```
//!
//! Only the capability that requests a collection has a request: on the others, sync begins with GC_START.
//!
//! It is made in file order. The states divide the known time of the capability: time between spans is idle, so the machine
//! finds no idle spans. It does not know either when the capability was disabled: those events are in other streams, so the
//! answers for the lane ask [`CapLives`](crate::keeping::lives::CapLives).
//!
//! ```text
//! CAP_CREATE       CAP_DISABLE      CAP_ENABLE      CAP_DELETE
//!      |111..11.oww....|////////////////|..11..11...|
//! ```
//!
//! A disabled capability usually does nothing: that time counts neither as idle nor as time in which it could have worked. If
//! it works nevertheless, for a bound thread or when the program ends, that counts as work; it is disabled in between, where
//! it does nothing for some time.

mod columns;
mod lane;
mod times;

pub(crate) use lane::Lane;

use super::{
    groups::{self, Heading},
    kind::{Kind, Tracks},
};
use crate::{
    known::arrangement::Arranged,
    known::{Known, summed::SummedRange},
    terms::{
        machine::Placed,
        place::{Direction, Found, Item, Pixel, Place, Source, SpanInfo},
        range::RangeTotals,
        span::{Ending, Span},
        track::{Note, Shape, State, Track, TrackId},
        value::Value,
        window::{Plan, WideSpans, Window},
    },
};
use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use ghc_eventlog::{CapNo, Nanos, StopReason};

/// The lane's states, by number.
pub(crate) const STATES: &[State] = &[
    State { name: "running", role: "running" },
    State { name: "GC working", role: "gc-working" },
    // GC_IDLE and GC_DONE: a helper without work, until the collection is over for it.
    State { name: "GC wait", role: "gc-wait" },
    State { name: "GC sync", role: "gc-sync" },
    // Events were lost, and the events before them say nothing about that time.
    State { name: "not known", role: "hatch" },
    // It led a collection, and counts the live data for the heap profile.
    State { name: "census", role: "census" },
    // `setNumCapabilities` has taken it out of use.
    State { name: "disabled", role: "hatch" },
    State { name: "idle", role: "idle" },
];

/// The number of states that its machine finds spans for: all but the last three. Censuses are found as GC wait, and told
/// apart once the stream is known that has them.
pub(crate) const FOUND: usize = STATES.len() - 3;

/// The number of the state in which a thread runs.
pub(crate) const RUNNING: u8 = 0;
/// The number of the state in which a collector works.
pub(crate) const GC_WORKING: u8 = 1;
/// The number of the state in which a collector waits for the others.
pub(crate) const GC_WAIT: u8 = 2;
/// The number of the state in which a capability waits for a collection to begin.
pub(crate) const GC_SYNC: u8 = 3;
/// The number of the state whose events were lost.
pub(crate) const LOST: u8 = 4;
/// The number of the state in which it takes a census of the heap.
pub(crate) const CENSUS: u8 = FOUND as u8;
/// The number of the state in which the capability is not in use.
pub(crate) const DISABLED: u8 = CENSUS + 1;
/// The number of the state in which nothing happens: the time left by all others.
pub(crate) const IDLE: u8 = DISABLED + 1;

/// Which states the log can show, by the classes of events that it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LoggedClasses {
    /// Whether threads are logged.
    pub(crate) threads: bool,
    /// Whether collections are logged.
    pub(crate) collections: bool,
}

impl LoggedClasses {
    /// The flag that the log lacks to show a state. Idle time needs both classes: it is neither a run nor a collection.
    pub(crate) fn lacks(self, state: u8) -> Option<&'static str> {
        match state {
            RUNNING => (!self.threads).then_some("-ls"),
            LOST | DISABLED => None,
            IDLE => self.lacks(RUNNING).or(self.lacks(GC_WORKING)),
            _ => (!self.collections).then_some("-lg"),
        }
    }

    /// Whether time without spans is idle.
    pub(crate) fn idle(self) -> bool {
        self.lacks(IDLE).is_none()
    }
}

/// Its sums: the time in each state that the machine finds spans for.
pub(crate) const LANE: usize = CapabilityTracks::SUMS_FROM;

/// The lanes of all capabilities, identified by their numbers.
pub(crate) struct CapabilityTracks;

impl Kind for CapabilityTracks {
    const NAME: &'static str = "Capabilities";
    const ABOUT: &'static str = "What each capability does: it runs a thread, works in a collection, waits for one, or is idle. A \
        capability is also called HEC (Haskell execution context). A thread in an unsafe foreign call looks like running Haskell.";
    type Machine = Lane;
    type Tracks = Self;
    const TRACKS: Self = Self;
}

impl Tracks for CapabilityTracks {
    fn of_span(&self, known: &Arranged<'_>, of: u32, info: &SpanInfo) -> (Option<TrackId>, Option<TrackId>) {
        let run = info.span.thread.filter(|_| info.span.state == RUNNING);
        let place = run.and_then(|thread| known.stores.threads.known_place(thread));
        (place.map(TrackId::thread), place.map(|_| TrackId::of::<Self>(of)))
    }

    fn heading(&self) -> &'static Heading {
        &groups::CAPABILITIES
    }

    fn count(&self, known: &Arranged<'_>) -> usize {
        known.caps.count()
    }

    fn nth(&self, known: &Arranged<'_>, place: usize) -> Option<u32> {
        known.caps.nth(place).map(|cap| cap.0.into())
    }

    fn place(&self, known: &Arranged<'_>, of: u32) -> Option<usize> {
        known.caps.place(CapNo(u16::try_from(of).ok()?))
    }

    fn figure(&self, known: &Arranged<'_>) -> Option<Note> {
        Some(known.share_running(known.caps.lanes().map(|(_, events)| events)))
    }

    fn describe(&self, known: &Arranged<'_>, of: u32) -> Track {
        let logged = known.logged_classes();
        let cap = cap_no(of);
        let events = known.caps.stream(Some(cap)).and_then(|at| known.caps.streams.get(at));
        Track {
            id: TrackId::of::<Self>(of),
            name: format!("Capability {cap}").into(),
            group: groups::CAPABILITIES.name(),
            shape: Shape::States,
            states: STATES,
            lacks: (0..STATES.len()).map(|state| logged.lacks(state as u8)).collect(),
            note: known.share_running(events.into_iter()),
            known: Some(events.and_then(|events| known.lane_times(events)).unwrap_or_default()),
        }
    }

    fn window(&self, known: &Arranged<'_>, of: u32, plan: &Plan, exact: bool) -> Window {
        let cap = cap_no(of);
        let Some(at) = known.caps.stream(Some(cap)) else { return Window::default() };
        let mut spans = WideSpans::new(plan.view);
        let mut columns = known.lane_columns(at, plan, exact, &mut spans);
        let read = known.caps.streams.get(at).map_or(Nanos(0), |events| events.last);
        known.preview.columns(cap, read, plan.view, &mut columns);
        let text = |span: &Span| span.thread.map_or(String::new(), |thread| known.thread_text(thread));
        let window = spans.into_window(exact && known.is_idle_for_good(plan.view.to), &columns, STATES.len(), text);
        Window { hatched: known.log_writes_in(at, plan.view), ..window }
    }

    fn totals(&self, known: &Arranged<'_>, of: u32) -> Vec<Nanos> {
        let events = known.caps.stream(Some(cap_no(of))).and_then(|at| known.caps.streams.get(at));
        events.map_or(Vec::new(), |events| known.lane_totals(events, &events.sums, Nanos(0), Nanos::MAX))
    }

    fn in_range(&self, known: &Arranged<'_>, of: u32, range: &SummedRange) -> RangeTotals {
        let at = known.caps.stream(Some(cap_no(of)));
        let lane = at.and_then(|at| Some((known.caps.streams.get(at)?, range.of_stream(at)?)));
        let totals = |(events, sums)| known.lane_totals(events, sums, range.from, range.to);
        RangeTotals { states: lane.map_or(Vec::new(), totals), count: None }
    }

    fn at(&self, known: &Arranged<'_>, of: u32, pixel: Pixel) -> Found {
        let at = known.caps.stream(Some(cap_no(of)));
        let Some((at, events)) = at.and_then(|at| Some((at, known.caps.streams.get(at)?))) else {
            return Found::Place(Place::Unknown(None));
        };
        known.unknown_at(at, events, pixel).map_or(Found::In(Source::Lane(at)), Found::Place)
    }

    fn beside(&self, known: &Arranged<'_>, of: u32, _: Nanos, _: Direction) -> Found {
        let at = known.caps.stream(Some(cap_no(of)));
        at.map_or(Found::Place(Place::Empty), |at| Found::In(Source::Lane(at)))
    }

    /// When it was disabled, or events of a class were switched off.
    fn beside_source(&self, known: &Arranged<'_>, of: u32) -> Vec<Span> {
        let events = known.caps.stream(Some(cap_no(of))).and_then(|at| known.caps.streams.get(at));
        events.map_or(Vec::new(), |events| known.set_aside(events))
    }

    /// Between its spans, a lane is disabled, or idle, or that is not known.
    fn between(&self, known: &Arranged<'_>, of: u32, pixel: Pixel, since: Nanos, until: Option<Nanos>) -> Place {
        let aside = self.beside_source(known, of);
        let inside = |span: &&Span| span.end.min(pixel.to).since(span.start.max(pixel.from));
        if let Some(span) = aside.iter().max_by_key(inside).filter(|span| inside(span) > Nanos(0)) {
            return Place::Span(self.info(known, &Item { span: *span, row: None }));
        }
        if !known.logged_classes().idle() {
            return Place::Unknown(known.logged_classes().lacks(IDLE));
        }
        let (before, after): (Vec<Span>, Vec<Span>) = aside.into_iter().partition(|span| span.end <= pixel.at);
        let since = before.last().map_or(since, |span| span.end.max(since));
        let until = until.into_iter().chain(after.first().map(|span| span.start)).min();
        let events = known.caps.stream(Some(cap_no(of))).and_then(|at| known.caps.streams.get(at));
        let (first, last) = events.and_then(|events| known.lane_times(events)).unwrap_or_default();
        let (end, ending) = until.map_or((last, Ending::Open), |until| (until, Ending::Next));
        // It was also idle before its first event, if that time is known.
        let is_first = events.is_some_and(|events| since <= events.first);
        let span = Span {
            start: if is_first { first } else { since },
            end,
            thread: None,
            state: IDLE,
            ending,
            open_start: false,
        };
        Place::Span(self.info(known, &Item { span, row: None }))
    }

    fn info(&self, known: &Arranged<'_>, &Item { span, .. }: &Item) -> SpanInfo {
        let state = STATES.get(usize::from(span.state)).copied().unwrap_or(State::UNKNOWN);
        let mut fields = Vec::new();
        let mut title = state.name.to_string();
        if let Some(thread) = span.thread {
            title = known.thread_text(thread);
            fields.push(("Thread", Value::Thread(thread)));
            fields.extend(
                known.stores.threads.label_text(thread).map(|label| ("Label", Value::words(label.to_string()))),
            );
        }
        fields.push(("Start", Value::Time(span.start)));
        fields.push(("Duration", Value::Duration(span.end.since(span.start))));
        fields.extend(known.waited_on(span).map(|time| ("After the collection", Value::Duration(time))));
        fields.extend(ending_text(span.ending).map(|text| ("Ended", Value::words(text.to_string()))));
        if span.open_start {
            fields.push(("Began", Value::words("before the log".to_string())));
        }
        SpanInfo::of(span, state, title, fields)
    }
}

fn cap_no(of: u32) -> CapNo {
    CapNo(u16::try_from(of).unwrap_or(u16::MAX))
}

impl Known {
    /// A thread's number, and its label if it has one.
    pub(crate) fn thread_text(&self, thread: ghc_eventlog::ThreadId) -> String {
        match self.stores.threads.label_text(thread) {
            // The number first: it still identifies the thread if the text is cut.
            Some(label) => format!("{thread} {label}"),
            None => format!("thread {thread}"),
        }
    }
}

fn ending_text(ending: Ending) -> Option<&'static str> {
    match ending {
        Ending::Next => None,
        Ending::Stopped(reason) => Some(reason.map_or("reason not known", StopReason::text)),
        Ending::Lost => Some("missing: something else began"),
        Ending::Unlogged => Some("not logged"),
        Ending::Open => Some("still running when the log ends"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_known_if_its_events_are_logged() {
        let lacks = |threads, collections| {
            [RUNNING, GC_WAIT, IDLE].map(|state| LoggedClasses { threads, collections }.lacks(state))
        };
        assert_eq!(lacks(true, true), [None; 3]);
        assert_eq!(lacks(false, true), [Some("-ls"), None, Some("-ls")]);
        assert_eq!(lacks(true, false), [None, Some("-lg"), Some("-lg")]);
    }
}
