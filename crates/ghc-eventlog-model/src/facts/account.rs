//! The account: where the capabilities' time went. Its parts add up to the number of capabilities times the time, to the nanosecond.

use super::{scope::Scope, tables::caps};
use crate::{
    keeping::crossing::{
        Replayed,
        account::{
            BLOCKED, COLLECTION, FOREIGN, IDLE_REASONS, IdleAccount, NO_THREAD, NOT_KNOWN, RUNNABLE_ELSEWHERE,
            RUNNABLE_HERE,
        },
        stretches::CapStretch,
    },
    terms::{evidence::Evidence, op::Occupied, span::Span, track::TrackId},
    tracks::capability::{CENSUS, DISABLED, GC_SYNC, GC_WAIT, GC_WORKING, IDLE, LOST, RUNNING},
};
use alloc::{vec, vec::Vec};
use ghc_eventlog::{CapNo, Nanos};

/// Where the capabilities' time went.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Account {
    /// How many capabilities there are.
    pub caps: u64,
    /// The time that is accounted for.
    pub time: Nanos,
    /// Both multiplied: the sum of all parts.
    pub all: Nanos,
    /// The parts, in the order in which they are shown. Those of no time are among them.
    pub parts: Vec<AccountPart>,
    /// By how much the reasons to be idle differ from all idle time: 0 unless events are lost, or times are false.
    pub differs: Nanos,
}

/// What a part of the time went to.
#[derive(Debug, Clone, PartialEq)]
pub struct AccountPart {
    /// What programs call it, as in `summary --json`: never changed. A dot parts "idle_ns" from the reason.
    pub key: &'static str,
    /// What people call it.
    pub name: &'static str,
    /// Its role in the palette.
    pub role: &'static str,
    /// How long it is, of all capabilities together.
    pub time: Nanos,
    /// Its longest stretch: where to look for it.
    pub longest: Option<Evidence>,
}

/// Whether a capability was idle in a part.
const IDLE_KEYS: &str = "idle_ns.";

impl AccountPart {
    /// Whether they were idle because of a collection in which they took no part.
    #[must_use]
    pub fn is_pending(&self) -> bool {
        self.key == REASONS[COLLECTION].0
    }

    /// Whether capabilities were idle.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.key.starts_with(IDLE_KEYS)
    }
}

/// A kind of part: key, name, role.
type PartKind = (&'static str, &'static str, &'static str);

/// The parts that the log tells without an order of time over all capabilities, each with its state's number.
const STATES: [(u8, PartKind); 7] = [
    (RUNNING, ("running_ns", "Running Haskell", "running")),
    (GC_WORKING, ("gc_ns", "Collecting", "gc-working")),
    (GC_SYNC, ("gc_sync_ns", "Waiting for a collection to begin", "gc-sync")),
    (GC_WAIT, ("gc_wait_ns", "Waiting in a collection", "gc-wait")),
    (CENSUS, ("census_ns", "Taking a census", "census")),
    (DISABLED, ("disabled_ns", "Disabled or not there", "hatch")),
    (LOST, ("not_known_ns", "Not in the log", "hatch")),
];

const LOG_WRITING: PartKind = ("log_writing_ns", "Held up by writing the log", "muted");

/// Idle time, by the numbers of its reasons.
pub(crate) const REASONS: [PartKind; IDLE_REASONS] = [
    ("idle_ns.collection pending", "A collection is pending", "gc-sync"),
    ("idle_ns.runnable here", "Idle: a thread can run that last ran there", "runnable"),
    ("idle_ns.runnable elsewhere", "Idle: threads can run that last ran elsewhere", "runnable"),
    ("idle_ns.blocked on an MVar", "Idle: threads are blocked on an MVar", "blocked"),
    ("idle_ns.blocked reading an MVar", "Idle: threads are blocked reading an MVar", "blocked"),
    ("idle_ns.blocked in STM retry", "Idle: threads are blocked in STM retry", "blocked"),
    ("idle_ns.blocked on black hole", "Idle: threads are blocked on black holes", "blocked"),
    ("idle_ns.blocked in throwTo", "Idle: threads are blocked in throwTo", "blocked"),
    ("idle_ns.blocked on threadDelay", "Idle: threads are blocked in threadDelay", "blocked"),
    ("idle_ns.blocked on I/O read", "Idle: threads are blocked on reading", "blocked"),
    ("idle_ns.blocked on I/O write", "Idle: threads are blocked on writing", "blocked"),
    ("idle_ns.blocked on asyncDoProc", "Idle: threads are blocked on asynchronous I/O", "blocked"),
    ("idle_ns.blocked on I/O completion", "Idle: threads are blocked on I/O completion", "blocked"),
    ("idle_ns.blocked", "Idle: threads are blocked", "blocked"),
    ("idle_ns.foreign call", "Idle: threads are in foreign calls", "foreign"),
    ("idle_ns.no thread", "Idle: there is no other thread", "idle"),
    (REASON_NOT_KNOWN, "Idle: why is not known", "idle"),
];

pub(crate) const REASON_NOT_KNOWN: &str = "idle_ns.reason not known";

const _: () = assert!(
    COLLECTION == 0 && RUNNABLE_HERE == 1 && RUNNABLE_ELSEWHERE == 2 && BLOCKED == 3 && NO_THREAD == FOREIGN + 1
);

impl Scope<'_> {
    /// Where the capabilities' time went; `None` if the log does not tell when they ran and collected.
    pub(crate) fn account(&self) -> Option<Account> {
        let known = self.known();
        let (count, time) = (known.caps.count() as u64, self.length()?);
        let idle = caps::all(self, IDLE).filter(|_| count > 0)?;
        let all = Nanos(time.0.checked_mul(count)?);
        let (from, to) = self.times()?;
        // What is before a capability's begin and after its end: it does not exist, or its events are missing.
        let (mut gone, mut lacking) = (Nanos(0), Nanos(0));
        for (_, events) in known.caps.lanes() {
            let (gone_here, lacking_here) = known.beyond(events, from, to);
            (gone, lacking) = (gone.plus(gone_here), lacking.plus(lacking_here));
        }
        let replayed = known.replayed.as_ref().filter(|replayed| replayed.is_done && self.is_whole());
        let account = replayed.map(|replayed| &replayed.account);
        let written = account.map_or(Nanos(0), |_| known.stores.log_writes.held_up);
        let mut parts: Vec<AccountPart> = Vec::new();
        let mut add = |(key, name, role): PartKind, time: Nanos, longest: Option<Evidence>| {
            // What lies in another part, as a census in a wait or the writing of the log in idle time, is not this part's.
            let longest = longest.filter(|longest| longest.length() > Nanos(0) && longest.length() <= time);
            parts.push(AccountPart { key, name, role, time, longest });
        };
        // Of which censuses too many are there to keep their times, that looks like waiting in collections.
        let heap = &known.stores.profiles.heap;
        let missed = Some(heap.taken).filter(|_| heap.misses_takings() && self.is_whole());
        let missed = missed.map_or(Nanos(0), |taken| taken.since(caps::all(self, CENSUS).unwrap_or_default()));
        for (state, kind) in STATES {
            let time = caps::all(self, state).unwrap_or_default();
            let longest = account.and_then(|account| self.longest_in(state, account));
            match state {
                GC_WAIT => add(kind, time.since(missed), longest),
                CENSUS => add(kind, time.plus(missed), longest),
                RUNNING => add(kind, time.since(written), longest),
                DISABLED => add(kind, time.plus(gone), longest),
                LOST => {
                    add(LOG_WRITING, written, account.and_then(|_| self.longest_write()));
                    add(kind, time.plus(lacking), longest);
                }
                _ => add(kind, time, longest),
            }
        }
        let by_reason = account.map_or(vec![Nanos(0); IDLE_REASONS], |account| account.spent.idle.to_vec());
        let told = by_reason.iter().copied().fold(Nanos(0), Nanos::plus);
        let differs = account.map_or(Nanos(0), |_| Nanos(told.0.abs_diff(idle.0)));
        for ((reason, (key, name, role)), time) in REASONS.into_iter().enumerate().zip(explained(by_reason, idle)) {
            let kind = (key, if key == REASON_NOT_KNOWN { self.why_not_known() } else { name }, role);
            let longest = account.and_then(|account| account.longest_idle.get(reason).copied());
            add(kind, time, longest.map(|stretch| self.evidence(stretch, kind.1)));
        }
        fit(&mut parts, all);
        Some(Account { caps: count, time, all, parts, differs })
    }

    /// How long it is, without the time of which the log does not say what capabilities did: that of the capability of which most is
    /// known.
    pub(crate) fn known_length(&self) -> Option<Nanos> {
        let ((from, to), known) = (self.times()?, self.known());
        let not_known = known.caps.lanes().map(|(cap, events)| {
            let states = self.states(TrackId::capability(cap));
            let lost = states.get(usize::from(LOST)).copied().unwrap_or_default();
            let here = known.lane_lasts(events, from, to).since(lost);
            // Old logs do not tell when capabilities begin and end.
            let beyond = if known.stores.lives.created() > 0 { known.beyond(events, from, to).1 } else { Nanos(0) };
            (here, lost.plus(beyond))
        });
        let (_, not_known) = not_known.max_by_key(|(here, _)| *here).unwrap_or_default();
        Some(to.since(from).since(not_known))
    }

    /// What idle time is called of which the reason is not known: it may be known elsewhere, or later.
    pub(crate) fn why_not_known(&self) -> &'static str {
        match &self.known().replayed {
            _ if !self.is_whole() => "Idle: why is told of the whole log only",
            Some(replayed) if replayed.is_done => "Idle: why is not known",
            _ => "Idle: why is known once threads have been followed",
        }
    }

    /// The longest stretch in which a capability was in a state.
    fn longest_in(&self, state: u8, account: &IdleAccount) -> Option<Evidence> {
        let (_, (_, name, _)) = STATES.into_iter().find(|(other, _)| *other == state)?;
        let of_else = |what: Occupied| account.longest_else.get(what as usize).copied();
        let stretch = match state {
            RUNNING => Some(account.longest_run),
            GC_WORKING => of_else(Occupied::Working),
            GC_SYNC => of_else(Occupied::Syncing),
            GC_WAIT => of_else(Occupied::Waiting),
            LOST => of_else(Occupied::NotKnown),
            _ => {
                let known = self.known();
                let all = known.caps.lanes().flat_map(|(cap, events)| {
                    let spans: Vec<Span> = match state {
                        CENSUS => known.censuses_of(events, Nanos(0), Nanos::MAX).collect(),
                        _ => known.disabled(events),
                    };
                    spans.into_iter().map(move |span| Evidence::of(span.start, span.end, name).on(cap))
                });
                let longest = all.max_by_key(Evidence::length)?;
                let cap = longest.cap;
                return Some(longest.track(cap.map(TrackId::capability)));
            }
        };
        stretch.map(|stretch| self.evidence(stretch, name))
    }

    /// The longest time in which the runtime wrote the log.
    pub(crate) fn longest_write(&self) -> Option<Evidence> {
        let known = self.known();
        let all = known.caps.lanes().filter_map(|(cap, _)| {
            let stream = known.caps.stream(Some(cap))?;
            let writes = known.stores.log_writes.within(stream, Nanos(0), Nanos::MAX);
            let (from, to) = writes.max_by_key(|(from, to)| to.since(*from))?;
            Some(Evidence::of(from, to, LOG_WRITING.1).on(cap).track(TrackId::capability(cap)))
        });
        all.max_by_key(Evidence::length)
    }

    /// A stretch as evidence.
    pub(crate) fn evidence(&self, CapStretch { from, to, cap, thread }: CapStretch, label: &'static str) -> Evidence {
        let cap = Some(cap).filter(|cap| *cap != CapNo::GLOBAL);
        let thread = Some(thread).filter(|thread| thread.0 > 0);
        Evidence::of(from, to, label).on(cap).by(thread).track(cap.map(TrackId::capability))
    }

    /// What the replay has found, once it is complete.
    pub(crate) fn replayed(&self) -> Option<&Replayed> {
        self.known().replayed.as_ref().filter(|replayed| replayed.is_done)
    }
}

/// Makes parts add up to all of the time. They do already, unless the log is damaged so that a capability does two things at once.
fn fit(parts: &mut [AccountPart], all: Nanos) {
    let mut left = all;
    for part in parts.iter_mut() {
        part.time = part.time.min(left);
        left = left.since(part.time);
    }
    let (_, (not_known, ..)) = STATES[STATES.len() - 1];
    if let Some(part) = parts.iter_mut().find(|part| part.key == not_known) {
        part.time = part.time.plus(left);
    }
}

/// The times by reason, so that they add up to all idle time. Where events are lost, what was idle may be more or less than what the
/// order of time says.
fn explained(mut by_reason: Vec<Nanos>, idle: Nanos) -> Vec<Nanos> {
    let mut left = idle;
    for time in &mut by_reason {
        *time = (*time).min(left);
        left = left.since(*time);
    }
    if let Some(not_known) = by_reason.get_mut(NOT_KNOWN) {
        *not_known = not_known.plus(left);
    }
    by_reason
}

#[cfg(test)]
mod tests;
