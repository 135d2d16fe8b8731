//! What the non-moving collector did: rows of its phases and its censuses. Where there are too many, they are thinned evenly, but the
//! heaviest phases stay: see `rows.rs`.

use super::{
    long_ones::LongOnes,
    overview::{Overview, SeriesId},
    rows::{Kept, Rows},
};
use crate::{
    keeping::store::{Purpose, Store, Streams},
    limits,
    terms::nonmoving::{Census, Phase, SYNC},
};
use ghc_eventlog::Nanos;

/// All phases and censuses.
#[derive(Debug, Default)]
pub(crate) struct NonMoving {
    phases: Rows<Phase>,
    censuses: Rows<Census>,
    /// Stops of the program that are longer than [`limits::LONG_STOP`].
    pub(crate) long_stops: LongOnes,
    /// The series of the phases in the overview, once there is one.
    pub(crate) series: Option<SeriesId>,
}

/// A nanosecond in which the collector stops the program weighs as much as so many in which it works beside it.
const STOP: u64 = 64;

impl Kept for Phase {
    const KEEPS_HEAVIEST: bool = true;

    fn time(&self) -> Nanos {
        self.start
    }

    fn weight(&self) -> u64 {
        let stops = usize::from(self.state) == SYNC;
        self.end.since(self.start).0.saturating_mul(if stops { STOP } else { 1 })
    }
}

impl Kept for Census {
    fn time(&self) -> Nanos {
        self.time
    }

    fn weight(&self) -> u64 {
        self.live_bytes()
    }
}

impl NonMoving {
    /// The phases that are kept, in order of time.
    pub(crate) fn phases(&self) -> &[Phase] {
        self.phases.kept()
    }

    /// Whether some phases have no row.
    pub(crate) fn is_thinned(&self) -> bool {
        self.phases.stride() > 1
    }

    /// The censuses that are kept, in order of time.
    pub(crate) fn censuses(&self) -> &[Census] {
        self.censuses.kept()
    }

    /// Adds a phase. The track has `states` states.
    pub(crate) fn add_phase(&mut self, phase: Phase, states: usize, overview: &mut Overview) {
        let series = *self.series.get_or_insert_with(|| overview.add_series(states));
        overview.add(series, usize::from(phase.state), phase.start, phase.end);
        if usize::from(phase.state) == SYNC {
            self.long_stops.add(phase.end.since(phase.start), limits::LONG_STOP);
        }
        self.phases.push(phase, limits::MAX_PHASES);
    }

    pub(crate) fn add_census(&mut self, census: Census) {
        self.censuses.push(census, limits::MAX_CENSUS_ROWS);
    }
}

impl Store for NonMoving {
    fn of(_: Purpose) -> Self {
        Self::default()
    }

    fn settle(&mut self, _: Streams<'_>) {
        self.phases.settle();
        self.censuses.settle();
    }

    fn finish(&mut self, _: Streams<'_>) {
        self.phases.finish();
        self.censuses.finish();
    }

    fn bytes_held(&self) -> usize {
        self.phases.bytes_held() + self.censuses.bytes_held()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_census_with_the_most_live_data_stays() {
        let of = |time, block_bytes, live_blocks| Census {
            time: Nanos(time),
            block_bytes,
            active_segments: 0,
            filled_segments: 0,
            live_blocks,
        };
        assert_eq!(
            [of(0, 64, 10), of(0, 0, 10), of(0, u16::MAX, u32::MAX)].map(|census| census.live_bytes()),
            [640, 0, 0xffff * 0xffff_ffff]
        );
        let mut kept = NonMoving::default();
        for time in 0..=limits::MAX_CENSUS_ROWS as u64 {
            // This census has neither the largest blocks nor the most of them.
            kept.add_census(if time == 999 {
                of(time, 100, 100)
            } else {
                of(time, 200 - 199 * (time % 2) as u16, 1 + 199 * (time % 2) as u32)
            });
        }
        kept.finish(&[]);
        assert!(
            kept.censuses().len() < limits::MAX_CENSUS_ROWS
                && kept.censuses().iter().any(|census| census.time == Nanos(999))
        );
    }
}
