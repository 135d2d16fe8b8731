//! The samples of a capability or of a thread around a time, as runs in which one frame was innermost. They are made from the
//! kept samples or, if that is not too much to read, from all samples, read again.
//!
//! ```text
//! samples   a   a   a   b   b       a   a        one for each tick; for some time none
//! runs     |a          |b      |    |a      |    each sample lasts until the next one, or for a tick
//! ```

use crate::{
    known::Known,
    known::details::SegmentDetail,
    limits,
    profiles::stacks::{Innermost, Sampled, TimeProfile},
};
use alloc::vec::Vec;
use ghc_eventlog::{CapNo, Nanos};

/// The capability or thread that was sampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SampleSource {
    Cap(CapNo),
    /// A thread, by its place among those that were sampled.
    Thread(u16),
}

/// A stretch of time in which one frame was innermost in all samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) start: Nanos,
    pub(crate) end: Nanos,
    /// The frame's place.
    pub(crate) frame: u32,
    pub(crate) samples: u64,
}

/// Kept samples are random ones: two of them are in one run if they are at most this many times as far apart as on average.
const OFTEN: u64 = 8;

impl SampleSource {
    pub(crate) fn has(self, row: &Sampled) -> bool {
        match self {
            Self::Cap(cap) => row.cap == cap.0 && !row.is_of_thread(),
            Self::Thread(thread) => row.thread == thread,
        }
    }
}

impl Known {
    /// The segments that must be at hand for all samples around a time; none if all samples are kept, or it is too much to read.
    pub(crate) fn sample_segments(&self, from: Nanos, to: Nanos) -> Vec<u32> {
        let time = &self.stores.profiles.time;
        if time.rows.stride() == 1 || time.caps().is_empty() {
            return Vec::new();
        }
        let apart = Nanos(time.tick().unwrap_or_default().0.saturating_mul(limits::TICKS_APART));
        let (from, to) = (Nanos(from.0.saturating_sub(apart.0)), to.plus(apart));
        let Some(global) = self.caps.stream(None) else { return Vec::new() };
        let (mut segments, mut bytes) = (Vec::new(), 0);
        for entry in self.index.stream(global).iter().filter(|entry| entry.earliest <= to && from <= entry.to) {
            segments.push(entry.segment);
            bytes += self.index.segment(entry.segment).map_or(0, |segment| segment.end - segment.at.offset);
            if bytes > limits::DETAIL_READ {
                return Vec::new();
            }
        }
        segments
    }

    /// The runs that overlap `from..to`, in order; and whether these are all.
    pub(crate) fn runs(&self, whose: SampleSource, from: Nanos, to: Nanos) -> (Vec<Run>, bool) {
        let time = &self.stores.profiles.time;
        let tick = time.tick();
        if let SampleSource::Cap(cap) = whose
            && let Some(samples) = self.samples_again(cap, from, to)
        {
            return (runs_of(samples.into_iter(), tick, limits::TICKS_APART, from, to), true);
        }
        let stride = time.rows.stride();
        let ticks = if stride == 1 { limits::TICKS_APART } else { OFTEN.saturating_mul(stride) };
        let apart = Nanos(tick.map_or(u64::MAX, |tick| tick.0.saturating_mul(ticks)));
        let rows = time.rows.kept();
        let first = rows.partition_point(|row| row.time.plus(apart) < from);
        let end = rows.partition_point(|row| row.time <= to.plus(apart));
        let (before, rows) = rows.split_at(first);
        let (here, after) = rows.split_at(end.saturating_sub(first));
        let of = |row: &&Sampled| whose.has(row);
        let mut samples: Vec<Innermost> = here.iter().filter(of).map(|row| innermost(time, row)).collect();
        // A run may have begun long before, and may continue.
        let goes_on = |last: Option<&Innermost>, next: &Innermost| {
            last.is_some_and(|last| last.frame == next.frame && last.time.0.abs_diff(next.time.0) <= apart.0)
        };
        samples.reverse();
        for row in before.iter().rev().filter(of).map(|row| innermost(time, row)) {
            if !goes_on(samples.last(), &row) {
                break;
            }
            samples.push(row);
        }
        samples.reverse();
        for row in after.iter().filter(of).map(|row| innermost(time, row)) {
            if !goes_on(samples.last(), &row) {
                // The previous run ends here, if not sooner.
                samples.push(row);
                break;
            }
            samples.push(row);
        }
        (runs_of(samples.into_iter(), tick, ticks, from, to), stride == 1)
    }

    /// All samples of a capability around a time, if they have been read again.
    fn samples_again(&self, cap: CapNo, from: Nanos, to: Nanos) -> Option<Vec<Innermost>> {
        let segments = self.sample_segments(from, to);
        let details: Option<Vec<&SegmentDetail>> = segments.iter().map(|at| self.details.get(*at)).collect();
        let details = details.filter(|details| !details.is_empty())?;
        let mut samples = Vec::new();
        for detail in details {
            samples.extend(detail.samples.iter().filter(|sample| sample.cap == cap.0));
        }
        samples.is_sorted_by_key(|sample: &Innermost| sample.time).then_some(samples)
    }
}

fn innermost(time: &TimeProfile, row: &Sampled) -> Innermost {
    let frame = time.tree.nodes.get(row.node as usize).map_or(u32::MAX, |node| node.frame);
    Innermost { time: row.time, frame, cap: row.cap }
}

/// The runs of some samples that overlap a time. Samples that are at most `ticks` ticks apart can be in one run.
fn runs_of(
    samples: impl Iterator<Item = Innermost>,
    tick: Option<Nanos>,
    ticks: u64,
    from: Nanos,
    to: Nanos,
) -> Vec<Run> {
    let lasts = tick.unwrap_or(Nanos(1));
    let apart = tick.map_or(u64::MAX, |tick| tick.0.saturating_mul(ticks));
    let mut runs: Vec<Run> = Vec::new();
    for Innermost { time, frame, .. } in samples {
        if let Some(run) = runs.last_mut() {
            // The run ends at the next sample if that is close: it is extended, or cut, to there.
            if time.since(run.end.min(time)).0 <= apart.saturating_sub(lasts.0) {
                run.end = time;
            }
            if run.frame == frame && run.end == time {
                (run.end, run.samples) = (time.plus(lasts), run.samples + 1);
                continue;
            }
        }
        runs.push(Run { start: time, end: time.plus(lasts), frame, samples: 1 });
    }
    // Also keeps runs of no length, from samples with the same time.
    runs.retain(|run| run.start < to && from < run.end.max(run.start.plus(Nanos(1))));
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    /// Samples at ticks of 10 ns, a letter for each frame, drawn with a character for each 5 ns.
    fn drawn(samples: &[(u64, char)]) -> String {
        let of = |&(time, frame): &(u64, char)| Innermost { time: Nanos(time), frame: frame as u32, cap: 0 };
        let runs = runs_of(samples.iter().map(of), Some(Nanos(10)), limits::TICKS_APART, Nanos(0), Nanos(1000));
        assert!(runs.is_sorted_by_key(|run| run.start) && runs.iter().all(|run| run.start <= run.end));
        assert!(runs.windows(2).all(|pair| pair[0].end <= pair[1].start), "{runs:?}");
        assert_eq!(runs.iter().map(|run| run.samples).sum::<u64>(), samples.len() as u64);
        let end = runs.last().map_or(0, |run| run.end.0);
        let at = |time: u64| runs.iter().find(|run| run.start.0 <= time && time < run.end.0);
        (0..end).step_by(5).map(|time| at(time).map_or('.', |run| char::from(run.frame as u8))).collect()
    }

    #[test]
    fn a_sample_lasts_until_the_next_one_or_for_a_tick() {
        assert_eq!(drawn(&[(0, 'a'), (10, 'a'), (25, 'b'), (35, 'b')]), "aaaaabbbb");
        assert_eq!(drawn(&[(10, 'a'), (20, 'b'), (80, 'b'), (90, 'a')]), "..aabb..........bbaa");
        assert_eq!(drawn(&[(0, 'a'), (5, 'b'), (15, 'a')]), "abbaa");
    }

    #[test]
    fn samples_with_equal_times_are_all_kept() {
        assert_eq!(drawn(&[(0, 'a'), (0, 'b'), (0, 'b'), (10, 'c')]), "bbcc");
    }
}
