//! Stretches in which few capabilities run Haskell, for several thresholds at once.
//!
//! ```text
//! cap 0        |1111111|  |1|  |111111111|
//! cap 1        |22|    |22222|      |3333|
//! under 100 %     -----  --  --------         stretches in which not all run
//! under 60 %      -----  --  ----------       stretches in which fewer than 60 % run: here, fewer than two
//! ```
//!
//! A short interruption does not end a stretch, as long as few capabilities ran on average: between two long waits, a capability often
//! runs for some microseconds.

use super::account::IDLE_REASONS;
use crate::limits;
use alloc::vec::Vec;
use core::array;
use ghc_eventlog::Nanos;

/// How many thresholds there are: 10 %, 20 % and so on.
pub(crate) const THRESHOLDS: usize = 10;

/// The time of all capabilities together, by what they did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct CapTime {
    pub(crate) running: Nanos,
    /// In collections, or waiting for one to begin.
    pub(crate) collecting: Nanos,
    /// Nobody knows: events are lost.
    pub(crate) not_known: Nanos,
    pub(crate) idle: [Nanos; IDLE_REASONS],
}

impl CapTime {
    fn since(&self, before: &Self) -> Self {
        let mut since = Self {
            running: self.running.since(before.running),
            collecting: self.collecting.since(before.collecting),
            not_known: self.not_known.since(before.not_known),
            idle: self.idle,
        };
        // Not `array::from_fn` or `map`: where code is made small rather than fast, these call a function for each element.
        for (time, before) in since.idle.iter_mut().zip(&before.idle) {
            *time = time.since(*before);
        }
        since
    }

    /// What they did besides running.
    pub(crate) fn unused(&self) -> Nanos {
        self.idle.iter().fold(self.collecting.plus(self.not_known), |sum, time| sum.plus(*time))
    }
}

/// How long capabilities ran, and how long they existed: the sum of a [`CapTime`]. It is counted on its own, since it is compared often
/// and the rest is needed rarely.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Use {
    pub(crate) running: Nanos,
    pub(crate) all: Nanos,
}

impl Use {
    /// Whether fewer ran since a moment than a threshold, by its place.
    #[inline(always)]
    fn is_below(&self, threshold: usize, before: Self) -> bool {
        let (running, all) = (self.running.since(before.running).0, self.all.since(before.all).0);
        let [parts, most] = [THRESHOLDS as u64, threshold as u64 + 1];
        // 64 bits are enough for half a year of 100 capabilities. In wasm, numbers of 128 bits are multiplied by a function.
        if all.max(running) < u64::MAX / parts {
            return running * parts < all * most;
        }
        is_part_below((running, parts), (all, most))
    }
}

#[cold]
fn is_part_below((running, parts): (u64, u64), (all, most): (u64, u64)) -> bool {
    u128::from(running) * u128::from(parts) < u128::from(all) * u128::from(most)
}

/// A stretch of low use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LowStretch {
    pub(crate) from: Nanos,
    pub(crate) to: Nanos,
    pub(crate) spent: CapTime,
}

impl LowStretch {
    pub(crate) fn length(&self) -> Nanos {
        self.to.since(self.from)
    }
}

/// A stretch that may go on. It stays where it is and is written over: most stretches are short, and copying takes longer than the rest.
#[derive(Debug, Clone, Default)]
struct OpenStretch {
    /// Otherwise there is none.
    is_open: bool,
    since: Nanos,
    before: CapTime,
    /// The sums of `before`.
    used: Use,
    /// When it ended, if it is not interrupted only.
    ended: Option<Nanos>,
    /// Where [`LowUses`] has what had been spent by then.
    spent: usize,
}

/// The stretches of one threshold.
#[derive(Debug, Clone, Default)]
pub(crate) struct LowUse {
    open: OpenStretch,
    /// The longest ones, the longest first once all are known.
    pub(crate) longest: Vec<LowStretch>,
    /// How many there are, and how long all of them take.
    pub(crate) count: u64,
    pub(crate) total: Nanos,
}

impl LowUse {
    /// `ends`: what had been spent when stretches ended.
    #[inline(always)]
    fn begin(&mut self, threshold: usize, now: Nanos, (used, spent): (Use, &CapTime), ends: &[CapTime]) {
        let open = &mut self.open;
        let is_short = open.ended.is_none_or(|ended| now.since(ended) < limits::LOW_USE_GAP);
        if open.is_open && is_short && used.is_below(threshold, open.used) {
            open.ended = None;
        } else {
            self.begin_anew(now, (used, spent), ends);
        }
    }

    #[cold]
    fn begin_anew(&mut self, now: Nanos, (used, spent): (Use, &CapTime), ends: &[CapTime]) {
        self.close(ends);
        let open = &mut self.open;
        (open.is_open, open.since, open.used, open.ended) = (true, now, used, None);
        open.before = *spent;
    }

    #[inline(always)]
    fn end(&mut self, now: Nanos, spent: usize) {
        let open = &mut self.open;
        if open.is_open && open.ended.is_none() {
            (open.ended, open.spent) = (Some(now), spent);
        }
    }

    /// Keeps the stretch that has ended, if it is among the longest.
    fn close(&mut self, ends: &[CapTime]) {
        let OpenStretch { is_open, since, before, ended, spent, .. } = &self.open;
        let Some(to) = ended.filter(|_| *is_open) else { return };
        let length = to.since(*since);
        if length > Nanos(0) {
            self.count += 1;
            self.total = self.total.plus(length);
            let is_full = self.longest.len() >= limits::MAX_LOW_USE;
            let shortest = self.longest.last().filter(|_| is_full).map_or(Nanos(0), LowStretch::length);
            if length > shortest
                && let Some(spent) = ends.get(*spent)
            {
                let stretch = LowStretch { from: *since, to, spent: spent.since(before) };
                let place = self.longest.partition_point(|other| other.length() >= length);
                self.longest.truncate(limits::MAX_LOW_USE - 1);
                self.longest.insert(place, stretch);
            }
        }
        self.open.is_open = false;
    }
}

/// The stretches of all thresholds.
#[derive(Debug)]
pub(crate) struct LowUses {
    thresholds: [LowUse; THRESHOLDS],
    /// The first threshold that is not reached.
    first: usize,
    /// What had been spent when stretches ended. Those of several thresholds often end at once: they share the place of the lowest of
    /// these thresholds. That place is written again only when the lowest one ends again. By then it has begun again, and so have all above
    /// it, so none needs what stood there.
    ends: [CapTime; THRESHOLDS],
}

impl Default for LowUses {
    fn default() -> Self {
        let ends = [CapTime::default(); THRESHOLDS];
        Self { thresholds: array::from_fn(|_| LowUse::default()), first: THRESHOLDS, ends }
    }
}

impl LowUses {
    /// From now on, `running` of `existing` capabilities run; with what they have done so far.
    #[inline]
    pub(crate) fn turn(&mut self, (running, existing): (u64, u64), now: Nanos, used: Use, spent: &CapTime) {
        let reached = (running * THRESHOLDS as u64).checked_div(existing).unwrap_or(u64::MAX);
        let first = usize::try_from(reached).unwrap_or(THRESHOLDS).min(THRESHOLDS);
        if first != self.first {
            self.change(first, now, used, spent);
        }
    }

    fn change(&mut self, first: usize, now: Nanos, used: Use, spent: &CapTime) {
        let before = core::mem::replace(&mut self.first, first);
        if let Some(below) = self.thresholds.get_mut(first..before) {
            for (threshold, low) in (first..).zip(below) {
                low.begin(threshold, now, (used, spent), &self.ends);
            }
        } else if let Some(over) = self.thresholds.get_mut(before..first) {
            if let Some(end) = self.ends.get_mut(before) {
                *end = *spent;
            }
            for low in over {
                low.end(now, before);
            }
        }
    }

    /// The log is over: so is what is open.
    pub(crate) fn finish(&mut self, now: Nanos, spent: &CapTime) {
        self.change(THRESHOLDS, now, Use::default(), spent);
        self.thresholds.iter_mut().for_each(|low| low.close(&self.ends));
    }

    /// The stretches in which fewer than this many percent of the capabilities run, rounded to tens.
    pub(crate) fn below(&self, percent: u64) -> Option<&LowUse> {
        let place = usize::try_from(percent.div_ceil(10)).ok()?.checked_sub(1)?;
        self.thresholds.get(place.min(THRESHOLDS - 1))
    }

    pub(crate) fn bytes_held(&self) -> usize {
        let kept: usize = self.thresholds.iter().map(|low| low.longest.capacity()).sum();
        kept * size_of::<LowStretch>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{format, string::String};

    /// The stretches of a threshold, given for each piece of 10 µs how many of four capabilities run: a digit.
    fn below(percent: u64, running: &str) -> String {
        let mut low = LowUses::default();
        let mut spent = CapTime::default();
        for (place, letter) in (0..).zip(running.chars()) {
            let running = u64::from(letter.to_digit(10).unwrap());
            let used = Use { running: spent.running, all: spent.running.plus(spent.unused()) };
            low.turn((running, 4), Nanos(place * 10_000), used, &spent);
            spent.running = spent.running.plus(Nanos(running * 10_000));
            spent.idle[0] = spent.idle[0].plus(Nanos((4 - running) * 10_000));
        }
        low.finish(Nanos(running.len() as u64 * 10_000), &spent);
        let of = low.below(percent).unwrap();
        let mut told: Vec<LowStretch> = of.longest.clone();
        assert_eq!(told.iter().map(|low| low.length().0).sum::<u64>(), of.total.0);
        for low in &told {
            assert_eq!(low.spent.running.plus(low.spent.unused()).0, 4 * low.length().0);
        }
        told.sort_by_key(|low| low.from);
        told.iter().map(|low| format!("{}-{} ", low.from.0 / 10_000, low.to.0 / 10_000)).collect()
    }

    #[test]
    fn stretches_are_below_a_threshold() {
        let running = "444444444444110000000000443333333333333333333334444444444444";
        assert_eq!(below(50, running), "12-24 ");
        assert_eq!(below(30, running), "12-24 ");
        assert_eq!(below(20, running), "14-24 ");
        // The gap of two pieces, in which all run, is too short.
        assert_eq!(below(100, running), "12-47 ");
        assert_eq!(below(70, running), "12-24 ");
        assert_eq!(below(80, running), "12-47 ");
    }

    /// If capabilities run most of the time, short collections are no low use.
    #[test]
    fn few_run_on_average() {
        assert_eq!(below(50, "4440444044404440"), "3-4 7-8 11-12 15-16 ");
        assert_eq!(below(80, "4440444044404440"), "3-16 ");
        assert_eq!(below(50, "00000444404444444000"), "0-10 17-20 ");
    }

    #[test]
    fn long_interruptions_end_a_stretch() {
        assert_eq!(below(50, "0000044440000044444444444444000"), "0-14 28-31 ");
        assert_eq!(below(50, "4444"), "");
        assert_eq!(below(50, "1111"), "0-4 ");
        assert_eq!(below(50, "2222"), "");
    }

    #[test]
    fn the_longest_are_kept() {
        let mut low = LowUses::default();
        let mut now = 0;
        for length in 0..2 * limits::MAX_LOW_USE as u64 {
            let length = (length * 7919 % (2 * limits::MAX_LOW_USE as u64) + 1) * 1000;
            low.turn((0, 1), Nanos(now), Use::default(), &CapTime::default());
            low.turn((1, 1), Nanos(now + length), Use::default(), &CapTime::default());
            now += length + limits::LOW_USE_GAP.0;
        }
        low.finish(Nanos(now), &CapTime::default());
        let of = low.below(50).unwrap();
        let lengths: Vec<u64> = of.longest.iter().map(|low| low.length().0 / 1000).collect();
        let most = limits::MAX_LOW_USE as u64;
        assert_eq!(lengths, (most + 1..=2 * most).rev().collect::<Vec<_>>());
        assert_eq!(of.count, 2 * most);
    }
}
