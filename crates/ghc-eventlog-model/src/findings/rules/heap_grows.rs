//! `heap-grows`: live data grows all the time.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Value};
use crate::{
    findings::asked::ratio,
    profiles::bands::BandKey,
    sorting::sort_by_number,
    terms::{evidence::Evidence, sample::Sample, track::TrackId},
    tracks::heap,
};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

pub(super) struct HeapGrows;

const RATE: Limit =
    Limit::share("growth a second, of the mean", 0.01, "JDK Mission Control has a similar rule for the live set");
const BEGIN: Limit = Limit::share("begin, of the log", 0.10, "programs build up what they need at first");
const END: Limit = Limit::share(
    "the last of these collections, of the log",
    0.50,
    "from the last one on, nothing is known; while data grows, a copying collector waits longer from one to the next",
);
const SAMPLES: Limit = Limit::number(
    "major collections from there on",
    3.0,
    "of fewer, no line can be drawn; a copying collector waits until data has doubled",
);
const SIZE: Limit = Limit::bytes("growth", 8 << 20, "less is not worth a look");
const TOTAL: Limit = Limit::share("growth, of the mean", 0.50, "less may be data that the program collects once");
const STEADY: Limit = Limit::share("how well a line fits (R²)", 0.90, "data that comes and goes is no leak");
const AGAIN: Limit = Limit::share(
    "growth after most of it was let go of, of the most there was",
    0.10,
    "no two collections find the same; what grows again by more was not let go of for good",
);
const MUCH: Limit =
    Limit::share("growth of a band, of the heap profile's, to be named", 0.10, "what grows less does not explain it");
/// How many bands are named at most.
const NAMED: usize = 3;

impl Rule for HeapGrows {
    const ID: &'static str = "heap-grows";
    const TITLE: &'static str = "The heap grows steadily";
    const FINE: &'static str = "Growth of the heap";
    const ABOUT: &'static str = "Live data after major collections grows all the time, also after the begin of the log, in which programs build up what they need. Where the program has let go of it for good, what comes after does not count, and it is no warning unless that is the last collection. Of a heap profile, it names the bands that grow most.";
    const LIMITS: &'static [Limit] = &[RATE, BEGIN, END, SAMPLES, SIZE, TOTAL, STEADY, AGAIN, MUCH];
    const TRY: &'static str = "a heap profile by type or by info table (`-hT`, `-hi`): compare two of its censuses|compare two censuses of the heap profile";

    fn judge(of: &Asked<'_>) -> Judgement {
        let series = of.known().stores.samples.series::<heap::Live>(0, 0);
        let Some(series) = series.filter(|_| of.facts.heap.max_live.is_some()) else {
            return Judgement::lacks(
                of.facts.heap.lacks,
                "The log has no size of the live data: there was no major collection.",
            );
        };
        let mut most: Option<LiveGrowth> = None;
        of.each_process(|from, to| {
            let growth = LiveGrowth::within(from, to, series.rows.kept());
            let is_more = |growth: &LiveGrowth| most.as_ref().is_none_or(|most| growth.weight() > most.weight());
            if let Some(growth) = growth.filter(is_more) {
                most = Some(growth);
            }
        });
        let Some(most) = most else {
            return Judgement::not_applicable("There are too few major collections to tell whether live data grows.");
        };
        let LiveGrowth { trend: Trend { slope, mean, .. }, gone, .. } = &most;
        if !most.is_found() {
            return Judgement::fine(
                "Live data does not grow steadily: it is {} on average.",
                [Value::Bytes(*mean as u64)],
            );
        }
        let growth = most.bytes();
        let mut text = Sentence::new(
            "Live data grows steadily: by {} each second, and by {} in all.",
            [(slope * 1e9) as u64, growth as u64].map(Value::Bytes),
        );
        // At the end of the program, there is a collection of what it has let go of: that is usual.
        let is_let_go = *gone > 1;
        if is_let_go {
            text.add(" Then the program lets go of it.", []);
        }
        add_bands(&mut text, of, is_let_go);
        let [from, to] = most.times();
        let evidence = Evidence::of(from, to, "live data after major collections").track(TrackId::of::<heap::Live>(0));
        Judgement::found(!is_let_go, text, Stake::Bytes(growth as u64), [evidence])
    }
}

/// The live data of a process after the begin, up to where the program lets go of it.
struct LiveGrowth {
    rows: Vec<Sample>,
    /// How many collections come after these.
    gone: usize,
    trend: Trend,
}

impl LiveGrowth {
    /// Of a process that runs from one time to another; `None` if its collections are too few, or too early.
    fn within(from: Nanos, end: Nanos, samples: &[Sample]) -> Option<Self> {
        let length = end.since(from).0;
        let begin = from.plus(Nanos((length as f64 * BEGIN.of()) as u64));
        let is_its = |sample: &&Sample| sample.time >= begin && sample.time <= end;
        let mut rows: Vec<Sample> = samples.iter().filter(is_its).copied().collect();
        let gone = rows.split_off(let_go_after(&rows)).len();
        let is_late = rows.last().is_some_and(|last| ratio(last.time.since(from).0, length) >= END.of());
        let trend = Trend::through(&rows);
        (rows.len() as u64 >= SAMPLES.whole() && is_late).then_some(Self { rows, gone, trend })
    }

    /// By how much it grows.
    fn bytes(&self) -> f64 {
        let [first, last] = self.times();
        self.trend.slope * last.since(first).0 as f64
    }

    /// The first and the last of its collections: of what comes after, nothing is known.
    fn times(&self) -> [Nanos; 2] {
        [self.rows.first(), self.rows.last()].map(|row| row.map_or(Nanos(0), |row| row.time))
    }

    /// Of several processes, one that leaks is told of, or else the one with the most collections.
    fn weight(&self) -> (bool, usize) {
        (self.is_found(), self.rows.len())
    }

    fn is_found(&self) -> bool {
        let Trend { slope, mean, fit } = self.trend;
        let is_most = self.rows.iter().map(|row| row.value).max() == self.rows.last().map(|last| last.value);
        mean > 0.0
            && is_most
            && slope * 1e9 / mean >= RATE.of()
            && self.bytes() >= SIZE.of()
            && self.bytes() / mean >= TOTAL.of()
            && fit >= STEADY.of()
    }
}

/// From which place on the program lets go of the most live data that there was: it never grows much again, and less than half of it is left
/// in the end. All places if it does not.
fn let_go_after(rows: &[Sample]) -> usize {
    let most = rows.iter().map(|sample| sample.value).max().unwrap_or_default();
    let last = rows.iter().rposition(|sample| sample.value == most).map_or(0, |at| at + 1);
    let mut least = most;
    let falls = rows.get(last..).unwrap_or_default().iter().all(|sample| {
        least = least.min(sample.value);
        ((sample.value - least) as f64) <= most as f64 * AGAIN.of()
    });
    let is_gone = rows.last().is_some_and(|left| left.value < most / 2);
    if falls && is_gone { last } else { rows.len() }
}

/// Says which bands of the heap profile grow most, if there is one; and how fast, unless the program lets go of them: that is of all
/// censuses.
fn add_bands(text: &mut Sentence, of: &Asked<'_>, is_let_go: bool) {
    let Some(bands) = of.scope.bands() else { return };
    let least = bands.all.slope(&bands.times).unwrap_or_default() * MUCH.of();
    let of_profile = of.known().stores.profiles.heap.bands().iter().zip(&bands.held).enumerate();
    let growing = of_profile.filter_map(|(place, (band, held))| {
        let slope = held.slope(&bands.times).filter(|slope| *slope >= least && *slope >= 1.0)?;
        (!matches!(band.key, BandKey::Rest | BandKey::Gone)).then_some((place, slope as u64))
    });
    let mut growing: Vec<(usize, u64)> = growing.collect();
    sort_by_number(&mut growing, |(_, slope)| u64::MAX - slope);
    for (at, (place, slope)) in growing.iter().take(NAMED).enumerate() {
        text.add(
            if at == 0 { " Of the heap profile, {} grows most" } else { ", then {}" },
            [of.scope.band_name(*place)],
        );
        if !is_let_go {
            text.add(if at == 0 { ", by {} each second" } else { ", by {}" }, [Value::Bytes(*slope)]);
        }
    }
    if !growing.is_empty() {
        text.add(".", []);
    }
}

/// The line of least squares.
struct Trend {
    /// Bytes a nanosecond.
    slope: f64,
    mean: f64,
    /// R²: how much of the variance it explains.
    fit: f64,
}

impl Trend {
    fn through(rows: &[Sample]) -> Self {
        let count = rows.len() as f64;
        let first = rows.first().map(|sample| sample.time).unwrap_or_default();
        let points = || rows.iter().map(|sample| (sample.time.since(first).0 as f64, sample.value as f64));
        let (time, mean) =
            points().fold((0.0, 0.0), |(times, values), (time, value)| (times + time / count, values + value / count));
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
        assert_eq!(level(2, |at| at << 20), Level::NotApplicable);
    }

    /// What grows for most of the log is told even if the program lets go of it later.
    #[test]
    fn what_is_let_go_of_in_the_end_is_found_but_no_warning() {
        assert_eq!(level(40, |at| if at < 39 { at << 20 } else { 0 }), Level::Warning, "the last collection");
        assert_eq!(level(40, |at| if at < 30 { at << 20 } else { 1 << 20 }), Level::Info);
        assert_eq!(
            level(40, |at| if at < 30 { at << 20 } else { (1 << 20) + at % 3 * 500_000 }),
            Level::Info,
            "nearly"
        );
        assert_eq!(level(40, |at| if at < 30 { at << 20 } else { (3 * (39 - at)) << 20 }), Level::Info, "bit by bit");
        assert_eq!(level(40, |at| (at % 30) << 20), Level::Fine, "it begins anew");
        assert_eq!(
            level(40, |at| if at < 15 { at << 20 } else { 1 << 20 }),
            Level::NotApplicable,
            "for too short a time"
        );
        assert_eq!(level(40, |at| if at < 30 { at << 20 } else { 20 << 20 }), Level::Fine, "most of it stays");
        let of_time = |play: Play, at: u64| {
            let bytes = if at < 30 { at << 20 } else { 1 << 20 };
            play.run(0, 7, 50 * MS).major(0, MS).bytes(0, "HEAP_LIVE", bytes)
        };
        let found = finding(HeapGrows::ID, Play::caps(1).each_of(40, of_time));
        assert!(found.text.text(Nanos(0)).ends_with("Then the program lets go of it."), "{found:?}");
        assert!(found.evidence.iter().all(|evidence| evidence.to < Nanos(31 * 51 * MS)), "{found:?}");
    }

    #[test]
    fn the_bands_that_grow_most_are_named() {
        let of_time = |play: Play, at: u64| {
            let play = play.run(0, 7, 50 * MS).major(0, MS).bytes(0, "HEAP_LIVE", (10 + at) << 20);
            let play = play.event(0, "HEAP_PROF_SAMPLE_BEGIN", &[("number", at)]);
            let bands = [("Steady", 9), ("Map", at), ("List", 2 * at), ("Shrinks", 90 - at), ("Little", at / 8)];
            bands.into_iter().fold(play, |play, (label, mib)| play.band(0, label, mib << 20))
        };
        let text = finding(HeapGrows::ID, Play::caps(1).each_of(40, of_time)).text.text(Nanos(0));
        let (_, named) = text.split_once(" Of the heap profile, ").expect(&text);
        let [first, second] = [named.find("List grows most, by"), named.find(", then Map, by")];
        assert!(
            first == Some(0) && second.is_some() && !named.contains("Shrinks") && !named.contains("Little"),
            "{text}"
        );
        let plain = |play: Play, at: u64| play.run(0, 7, 50 * MS).major(0, MS).bytes(0, "HEAP_LIVE", at << 20);
        let text = finding(HeapGrows::ID, Play::caps(1).each_of(40, plain)).text.text(Nanos(0));
        assert!(!text.contains("heap profile") && text.ends_with("in all."), "{text}");
    }

    /// A copying collector waits until live data has doubled: of a linear leak there are few collections, each twice as late as the one
    /// before; and one at the end of the program, which has let go of everything.
    #[test]
    fn a_linear_leak_of_five_collections_is_found() {
        let level = |ends_at: u64, leaks: bool| {
            let play = [30, 60, 120, 240, 480].into_iter().fold(Play::caps(1), |play, at: u64| {
                let live = if leaks { at << 18 } else { 50 << 20 };
                play.at(at * MS).run(0, 7, MS).major(0, MS).bytes(0, "HEAP_LIVE", live)
            });
            finding(HeapGrows::ID, play.at(ends_at * MS).run(0, 7, MS).major(0, MS).bytes(0, "HEAP_LIVE", 1000)).level
        };
        assert_eq!([level(940, true), level(940, false)], [Level::Warning, Level::Fine]);
        assert_eq!(level(1400, true), Level::NotApplicable, "nothing is known of most of the log");
    }
}
