//! `heap-grows`: live data grows all the time.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Value};
use crate::{
    terms::{evidence::Evidence, sample::Sample, track::TrackId},
    tracks::heap,
};
use alloc::vec::Vec;

pub(super) struct HeapGrows;

const RATE: Limit = Limit::share("growth a second, of the mean", 0.01, "JDK Mission Control has a similar rule for the live set");
const SAMPLES: Limit = Limit::number("major collections after the first quarter", 6.0, "of fewer, no line can be drawn");
const SIZE: Limit = Limit::bytes("growth", 8 << 20, "less is not worth a look");
const TOTAL: Limit = Limit::share("growth, of the mean", 0.50, "less may be data that the program collects once");
const STEADY: Limit = Limit::share("how well a line fits (R²)", 0.80, "data that comes and goes is no leak");

impl Rule for HeapGrows {
    const ID: &'static str = "heap-grows";
    const TITLE: &'static str = "The heap grows steadily";
    const ABOUT: &'static str = "Live data after major collections grows all the time, also after the first quarter of the log, in which programs build up what they need.";
    const LIMITS: &'static [Limit] = &[RATE, SAMPLES, SIZE, TOTAL, STEADY];
    const TRY: &'static str = "a heap profile by type or by info table (`-hT`, `-hi`): compare two of its censuses";

    fn judge(of: &Asked<'_>) -> Judgement {
        let (from, to) = of.times();
        let begin = from.plus(ghc_eventlog::Nanos(of.extent().0 / 4));
        let series = of.known().stores.samples.series::<heap::Live>(0, 0);
        let Some(series) = series.filter(|_| of.facts.heap.max_live.is_some()) else {
            return Judgement::lacks(of.facts.heap.lacks, "The log has no size of the live data: there was no major collection.");
        };
        let rows: Vec<Sample> = series.rows.kept().iter().filter(|sample| sample.time >= begin).copied().collect();
        if (rows.len() as u64) < SAMPLES.whole() {
            return Judgement::not_applicable("There are too few major collections to tell whether live data grows.");
        }
        let Line { slope, mean, fit } = Line::through(&rows);
        let span = rows.last().map_or(0, |last| last.time.since(rows[0].time).0) as f64;
        let growth = slope * span;
        let is_found = mean > 0.0
            && slope * 1e9 / mean >= RATE.of()
            && growth >= SIZE.of()
            && growth / mean >= TOTAL.of()
            && fit >= STEADY.of();
        if !is_found {
            return Judgement::fine("Live data does not grow steadily: it is {} on average after the first quarter.", [Value::Bytes(mean as u64)]);
        }
        let per_second = Value::Growth((slope * 1e9) as i64);
        let text = Sentence::new(
            "Live data grows steadily, by {} or {} of its mean each second: by {} since the first quarter of the log.",
            [per_second, Value::Share(slope * 1e9 / mean), Value::Bytes(growth as u64)],
        );
        let evidence = Evidence::of(begin, to, "live data after major collections").track(TrackId::of::<heap::Live>(0));
        Judgement::found(true, text, Stake::Bytes(growth as u64), [evidence])
    }
}

/// The line of least squares.
struct Line {
    /// Bytes a nanosecond.
    slope: f64,
    mean: f64,
    /// R²: how much of the variance it explains.
    fit: f64,
}

impl Line {
    fn through(rows: &[Sample]) -> Self {
        let count = rows.len() as f64;
        let first = rows.first().map(|sample| sample.time).unwrap_or_default();
        let points = || rows.iter().map(|sample| (sample.time.since(first).0 as f64, sample.value as f64));
        let (time, mean) = points().fold((0.0, 0.0), |(times, values), (time, value)| (times + time / count, values + value / count));
        let sums = points().fold([0.0; 3], |[xx, xy, yy], (x, y)| {
            let (x, y) = (x - time, y - mean);
            [xx + x * x, xy + x * y, yy + y * y]
        });
        let [xx, xy, yy] = sums;
        let slope = if xx > 0.0 { xy / xx } else { 0.0 };
        let fit = if xx > 0.0 && yy > 0.0 { xy * xy / (xx * yy) } else { 0.0 };
        Self { slope, mean, fit }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::{
        Level,
        testing::{MS, Play, finding},
    };

    fn level(times: u64, bytes: fn(u64) -> u64) -> Level {
        let of_time = |play: Play, at: u64| play.run(0, 7, 50 * MS).major(0, MS).bytes(0, "HEAP_LIVE", bytes(at));
        finding(HeapGrows::ID, Play::caps(1).each_of(times, of_time)).level
    }

    #[test]
    fn a_leak_is_found_and_what_comes_and_goes_is_not() {
        assert_eq!(level(40, |at| at << 20), Level::Warning);
        assert_eq!(level(40, |at| if at < 10 { at << 20 } else { 10 << 20 }), Level::Fine);
        assert_eq!(level(40, |at| (at % 8) << 20), Level::Fine);
        assert_eq!(level(40, |at| at << 10), Level::Fine);
        assert_eq!(level(5, |at| at << 20), Level::NotApplicable);
    }
}
