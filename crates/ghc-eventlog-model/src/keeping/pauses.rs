//! When the program had switched a class of events off and on again (`setTraceFlag`, GHC 10). No event tells: but something has no
//! end, or an end has no begin, although no bytes were lost. So nothing is known of the class for some time in between, and that
//! time is where no capability has any event of it.
//!
//! ```text
//! cap 0    RUN 1  STOP 1   RUN 2                       RUN 3  STOP 3       the run of 2 has no end: evidence
//! cap 1       RUN 4   STOP 4    RUN 5  STOP 5             RUN 6
//! evidence                 |---------------------------|                   between two events of one capability
//! pause                                |---------------|                   where there are none of any other, before and after it, too
//! ```

use super::{
    rests::Rests,
    ring::{RingId, Rings},
};
use crate::{
    keeping::{
        diagnostics::DiagnosticKind,
        store::{Purpose, Store, Streams},
    },
    limits,
    sorting::sort_by_number,
    terms::machine::Watched,
};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

/// A time in which a class of events was not logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pause {
    pub(crate) class: Watched,
    pub(crate) from: Nanos,
    pub(crate) to: Nanos,
}

/// What shows pauses; and once the log has been read, the pauses themselves.
#[derive(Debug)]
pub(crate) struct ClassPauses {
    /// Each class was off for some time within each of these.
    evidence: Vec<Pause>,
    /// When there are events of each class, of all capabilities.
    seen: Rings<u32>,
    rings: [RingId; WATCHED],
    /// The bucket of each class that was filled last: most events are in it.
    last: [(u64, u64); WATCHED],
    /// By stream.
    streams: Vec<StreamCounts>,
    /// In order of time, those of one class without overlap.
    found: Vec<Pause>,
    /// When each stream's events were not logged at all, since the log was stopped and started again.
    pub(crate) off: Rests,
    /// Runs that may go on through a pause, by stream.
    runs: Rests,
    /// Whether the program can switch classes off and on: otherwise nothing shows that it did.
    pub(crate) can_be: bool,
}

/// How many classes are watched: collections, and threads.
const WATCHED: usize = 2;

/// What comes once for each collection on the capability that leads it, and a class that counts something then.
#[derive(Debug, Clone, Copy, Default)]
struct StreamCounts {
    /// When it last took part in a collection.
    collected: Nanos,
    /// How many it has led since its sparks were counted last.
    led: u32,
    /// Whether its sparks have been counted before, with nothing lost since then.
    is_known: bool,
    /// When they were counted for the last collection, if they have been counted again since then.
    counted_for: Option<Nanos>,
}

impl ClassPauses {
    /// There is an event of a class.
    #[inline(always)]
    pub(crate) fn seen(&mut self, class: Watched, time: Nanos) {
        let at = class as usize;
        if let Some((from, width)) = self.last.get(at)
            && time.0.wrapping_sub(*from) < *width
        {
            return;
        }
        self.see(at, time);
    }

    /// A stream's capability has run a thread.
    #[inline(always)]
    pub(crate) fn ran(&mut self, stream: usize, from: Nanos, to: Nanos) {
        let (begin, width) = self.last[Watched::Threads as usize];
        if from.0.wrapping_sub(begin) >= width || to.0.wrapping_sub(begin) >= width {
            self.see_run(stream, from, to);
        }
    }

    #[cold]
    fn see_run(&mut self, stream: usize, from: Nanos, to: Nanos) {
        self.seen(Watched::Threads, from);
        self.seen(Watched::Threads, to);
        // A pause has whole buckets.
        if self.can_be && to.since(from) >= self.seen.bucket() {
            self.runs.add(stream, from, to);
        }
    }

    /// When a stream's capability seems to run a thread since a pause began: from there on, that is not known. In order of time.
    pub(crate) fn runs_through(&self, stream: usize) -> impl Iterator<Item = (Nanos, Nanos)> {
        let mut over = Nanos(0);
        self.of_class(Watched::Threads).filter_map(move |(pause, _)| {
            let (_, end) = self.runs.within(stream, pause, pause.plus(Nanos(1))).next()?;
            let is_new = core::mem::replace(&mut over, end) < end;
            is_new.then_some((pause, end))
        })
    }

    #[cold]
    fn see(&mut self, at: usize, time: Nanos) {
        let Some(ring) = self.rings.get(at).copied() else { return };
        self.seen.add(ring, time, 1);
        let width = self.seen.bucket().0;
        if let Some(last) = self.last.get_mut(at) {
            *last = (time.0 & !(width - 1), width);
        }
    }

    /// A class was off for some time in `from..to`.
    #[cold]
    pub(crate) fn add(&mut self, class: Watched, from: Nanos, to: Nanos) {
        if !self.can_be {
            return;
        }
        if self.evidence.len() >= limits::MAX_PAUSES {
            // The longest ones say most.
            let shortest = self.evidence.iter_mut().min_by_key(|of| of.to.since(of.from));
            if let Some(shortest) = shortest.filter(|shortest| shortest.to.since(shortest.from) < to.since(from)) {
                *shortest = Pause { class, from, to };
            }
            return;
        }
        self.evidence.push(Pause { class, from, to });
    }

    /// A capability has taken part in a collection, or has led it.
    pub(crate) fn collected(&mut self, stream: usize, time: Nanos, led: bool) {
        let of = self.of_stream(stream);
        (of.collected, of.led) = (of.collected.max(time), of.led.saturating_add(u32::from(led)));
    }

    /// Its sparks were counted: the runtime does so at the end of each collection, and where a capability begins and ends. It did so
    /// at `since` before.
    #[inline]
    pub(crate) fn sparks_counted(&mut self, stream: usize, since: Nanos, time: Nanos) {
        let of = self.of_stream(stream);
        let StreamCounts { collected, led, is_known, counted_for } = *of;
        let is_for_none = is_known && since < time && collected < since;
        let next = is_for_none.then_some(counted_for.unwrap_or(since));
        *of = StreamCounts { collected, led: 0, is_known: true, counted_for: next };
        if since < time && is_known {
            // Once is where the capability ends.
            if let Some(from) = counted_for.filter(|_| is_for_none) {
                self.add(Watched::Collections, from, time);
            }
            if led > 1 {
                self.add(Watched::Sparks, since, time);
            }
        }
    }

    /// Events were lost, or another stream of the file begins: what is missing now does not show that a class was off.
    pub(crate) fn lost(&mut self) {
        self.streams.clear();
    }

    #[inline]
    fn of_stream(&mut self, stream: usize) -> &mut StreamCounts {
        if self.streams.len() <= stream {
            self.streams.resize(stream + 1, StreamCounts::default());
        }
        &mut self.streams[stream]
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.found.len()
    }

    /// Whether anything shows that a class was off, even if not when.
    pub(crate) fn has_evidence(&self) -> bool {
        !self.evidence.is_empty()
    }

    /// Whether there may be more than are kept.
    pub(crate) fn is_full(&self) -> bool {
        self.evidence.len() >= limits::MAX_PAUSES
    }

    /// The pauses of a class, in order of time.
    pub(crate) fn of_class(&self, class: Watched) -> impl Iterator<Item = (Nanos, Nanos)> {
        self.found.iter().filter(move |pause| pause.class == class).map(|pause| (pause.from, pause.to))
    }

    /// The longest time in `from..to` without an event of a class, to the width of a bucket; and the time without any before and
    /// after it. [`Nanos::MAX`] if there are none any more.
    fn emptiest(&self, Pause { class, from, to }: Pause) -> Option<Pause> {
        let Some(ring) = self.rings.get(class as usize) else { return Some(Pause { class, from, to }) };
        let width = self.seen.bucket().0;
        let (first, end) = (from.0.div_ceil(width), to.0 / width);
        let at = |bucket: u64| Nanos(bucket.saturating_mul(width));
        // Beyond the buckets in use there are none.
        let cells = self.seen.between(*ring, at(first), at(end));
        let (mut best, mut since) = ((0, 0), first);
        for (bucket, count) in (first..end).zip(cells.chain(core::iter::repeat(0)).take(limits::PAUSE_BUCKETS)) {
            if count > 0 {
                since = bucket + 1;
            } else if bucket + 1 - since > best.1 - best.0 {
                best = (since, bucket + 1);
            }
        }
        if best.0 == best.1 {
            return None;
        }
        if best.0 == first {
            let before = self.seen.between(*ring, Nanos(0), at(first)).rev();
            best.0 -= before.take_while(|count| *count == 0).count() as u64;
        }
        let mut to = at(best.1);
        if best.1 == end {
            let mut after = self.seen.between(*ring, to, Nanos::MAX);
            to = after.position(|count| count > 0).map_or(Nanos::MAX, |empty| at(end + empty as u64));
        }
        Some(Pause { class, from: at(best.0), to })
    }
}

impl Store for ClassPauses {
    fn of(_: Purpose) -> Self {
        let mut seen = Rings::new(limits::PAUSES_LOG2, limits::PAUSES_BYTES);
        let rings = core::array::from_fn(|_| seen.add_ring());
        let last = [(0, 0); WATCHED];
        let off = Rests::longer_than(limits::REST, limits::MAX_LOG_OFF);
        let runs = Rests::longer_than(limits::REST, limits::MAX_PAUSED_RUNS);
        Self {
            evidence: Vec::new(),
            seen,
            rings,
            last,
            streams: Vec::new(),
            found: Vec::new(),
            off,
            runs,
            can_be: false,
        }
    }

    fn end_stream(&mut self, _: Nanos) {
        self.lost();
    }

    fn finish(&mut self, _: Streams<'_>) {
        let mut found: Vec<Pause> = self.evidence.iter().filter_map(|of| self.emptiest(*of)).collect();
        sort_by_number(&mut found, |pause| pause.to.0);
        sort_by_number(&mut found, |pause| pause.from.0);
        sort_by_number(&mut found, |pause| pause.class as u64);
        found.dedup_by(|next, before| {
            let joined = next.class == before.class && next.from <= before.to;
            if joined {
                before.to = before.to.max(next.to);
            }
            joined
        });
        sort_by_number(&mut found, |pause| pause.from.0);
        self.found = found;
    }

    fn remarks(&self) -> Vec<DiagnosticKind> {
        let classes = [
            (Watched::Threads, "what threads do"),
            (Watched::Collections, "what collections do"),
            (Watched::Sparks, "what becomes of sparks"),
        ];
        let said = classes.map(|(class, what)| (what, self.of_class(class).count() as u64));
        let paused = said.into_iter().filter(|(_, count)| *count > 0);
        paused.map(|(what, count)| DiagnosticKind::Paused { what, count }).collect()
    }

    fn bytes_held(&self) -> usize {
        self.seen.bytes_held()
            + self.off.bytes_held()
            + self.runs.bytes_held()
            + (self.evidence.capacity() + self.found.capacity()) * size_of::<Pause>()
            + self.streams.capacity() * size_of::<StreamCounts>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    fn pauses() -> ClassPauses {
        ClassPauses { can_be: true, ..ClassPauses::of(Purpose { log_bytes: None, is_drawn: true }) }
    }

    #[test]
    fn a_pause_is_where_no_capability_has_an_event() {
        const US: u64 = 1 << 10;
        let mut pauses = pauses();
        for at in [0, 10, 20, 21, 22, 23, 50, 60] {
            pauses.seen(Watched::Threads, Nanos(at * US));
        }
        pauses.add(Watched::Threads, Nanos(10 * US), Nanos(60 * US));
        pauses.add(Watched::Threads, Nanos(20 * US), Nanos(50 * US + 1));
        // Of what is not seen elsewhere, the whole time is one.
        pauses.add(Watched::Sparks, Nanos(5), Nanos(7));
        // There is no pause if another capability has events all the time.
        pauses.add(Watched::Threads, Nanos(20 * US), Nanos(23 * US));
        pauses.finish(&[]);
        let of = |class| pauses.of_class(class).map(|(from, to)| (from.0, to.0)).collect::<Vec<_>>();
        assert_eq!(of(Watched::Threads), [(24 * US, 50 * US)]);
        assert_eq!(of(Watched::Sparks), [(5, 7)]);
        let end = |of: &mut ClassPauses| {
            of.emptiest(Pause { class: Watched::Threads, from: Nanos(61 * US), to: Nanos(65 * US) })
        };
        assert_eq!(end(&mut pauses).map(|pause| (pause.from, pause.to)), Some((Nanos(61 * US), Nanos::MAX)));
        pauses.seen(Watched::Threads, Nanos(80 * US));
        assert_eq!(end(&mut pauses).map(|pause| pause.to), Some(Nanos(80 * US)));
    }

    #[test]
    fn sparks_are_counted_once_for_each_collection() {
        let mut pauses = pauses();
        let mut play = |events: &[(u64, char)]| {
            let mut since = Nanos::MAX;
            for (time, event) in events.iter().map(|(time, event)| (Nanos(*time), *event)) {
                match event {
                    'c' => pauses.collected(1, time, true),
                    'h' => pauses.collected(1, time, false),
                    _ => {
                        pauses.sparks_counted(1, since, time);
                        since = time;
                    }
                }
            }
            core::mem::take(&mut pauses.evidence)
        };
        assert_eq!(play(&[(1, 'c'), (2, 's'), (5, 'c'), (6, 's'), (8, 'h'), (9, 's')]), []);
        let said = |class, from, to| Pause { class, from: Nanos(from), to: Nanos(to) };
        assert_eq!(play(&[(11, 'c'), (12, 's'), (15, 's')]), [], "the capability ends");
        let twice = [(11, 'c'), (12, 's'), (15, 's'), (16, 's'), (18, 'c'), (19, 's')];
        assert_eq!(play(&twice), [said(Watched::Collections, 12, 16)]);
        assert_eq!(play(&[(21, 'c'), (22, 's'), (25, 'c'), (28, 'c'), (29, 's')]), [said(Watched::Sparks, 22, 29)]);
    }

    #[test]
    fn evidence_is_bounded() {
        let mut pauses = pauses();
        (0..1000).for_each(|at| pauses.add(Watched::Sparks, Nanos(at * 1000), Nanos(at * 1000 + at)));
        pauses.finish(&[]);
        let lengths: Vec<u64> = pauses.of_class(Watched::Sparks).map(|(from, to)| to.since(from).0).collect();
        assert_eq!(lengths.len(), limits::MAX_PAUSES);
        assert!(lengths.iter().all(|length| *length >= 1000 - limits::MAX_PAUSES as u64));
    }
}
