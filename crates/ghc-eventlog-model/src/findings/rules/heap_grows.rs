//! `heap-grows`: live data grows all the time, or from some time on.

#[cfg(test)]
mod tests;
mod trend;

use self::trend::{Trend, rise};
use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Value, exit};
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
    "time up to the last of these collections, of the time up to the end",
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
const LATE_LENGTH: Limit = Limit::share(
    "length of growth that begins later, of the log",
    0.10,
    "in a shorter time, a program may collect what it needs for its next piece of work",
);
const LATE_SAMPLES: Limit =
    Limit::number("major collections in that time", 5.0, "of fewer, a step that takes a while would look like it");
const LATE_STEADY: Limit = Limit::share(
    "how well a line fits in that time (R²)",
    0.95,
    "its begin is chosen so that one does; where data grows and then stays, a line fits less well",
);
const BEYOND: Limit = Limit::share(
    "what is beyond the most live data before, of that growth",
    0.50,
    "data that comes and goes begins each time from a little, and grows up to about the same",
);
const BELOW: Limit = Limit::share(
    "the last collection below the largest, of that growth",
    0.05,
    "no two collections find the same; what has fallen by more may be coming and going",
);
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
    const ABOUT: &'static str = "Live data after major collections grows all the time, also after the begin of the log, in which programs build up what they need; or it grows from some time on up to the end, beyond all that there was before. Where the program has let go of it for good, what comes after does not count, and it is no warning unless that is the last collection; nor is growth looked for that began later. Of a heap profile, it names the bands that grow most in that time.";
    const EXPLAINS: &'static [&'static str] = &["gc-share", "gc-long-pause"];
    const LIMITS: &'static [Limit] = &[
        RATE,
        BEGIN,
        END,
        SAMPLES,
        SIZE,
        TOTAL,
        STEADY,
        LATE_LENGTH,
        LATE_SAMPLES,
        LATE_STEADY,
        BEYOND,
        BELOW,
        AGAIN,
        MUCH,
    ];
    const TRY: &'static str = "a heap profile by type or by info table (`-hT`, `-hi`): compare two of its censuses|compare two censuses of the heap profile";

    fn judge(of: &Asked<'_>) -> Judgement {
        if of.facts.heap.max_live.is_none() {
            return Judgement::lacks(
                of.facts.heap.lacks,
                "The log has no size of the live data: there was no major collection.",
            );
        }
        let mut most: Option<LiveGrowth> = None;
        of.each_process(|from, to| {
            let growth = LiveGrowth::within(from, to, of.samples::<heap::Live>());
            let is_more = |growth: &LiveGrowth| most.as_ref().is_none_or(|most| growth.weight() > most.weight());
            if let Some(growth) = growth.filter(is_more) {
                most = Some(growth);
            }
        });
        let Some(most) = most else {
            return not_known(of);
        };
        if !most.is_found() {
            // At its end, the program has let go of what there was.
            let before_exit = exit::before::<heap::Live>(of).last().map(|live| live.time);
            let live = of.samples::<heap::Live>();
            let least = |until| live.iter().filter(|row| row.time <= until).map(|row| row.value).min();
            let least = before_exit.and_then(least).or_else(|| least(Nanos(u64::MAX)));
            return Judgement::fine(
                "Live data does not grow steadily: it is between {} and {}.",
                [least.unwrap_or_default(), most.largest()].map(Value::Bytes),
            );
        }
        let (growth, [from, to]) = (most.bytes() as u64, most.times());
        let mut text = Sentence::new("Live data grows steadily", []);
        if most.before.is_some() {
            text.add(" from {} on", [Value::Time(from)]);
        }
        text.add(
            ": by {} each second, and by {} in all.",
            [(most.trend.slope() * 1e9) as u64, growth].map(Value::Bytes),
        );
        // At the end of the program, there is a collection of what it has let go of: that is usual.
        let is_let_go = most.gone > 1;
        add_bands(&mut text, of, [from, to]);
        if is_let_go {
            text.add(" Then the program lets go of it.", []);
        }
        let evidence = Evidence::of(from, to, "live data after major collections").track(TrackId::of::<heap::Live>(0));
        Judgement::found(!is_let_go, text, Stake::Bytes(growth), [evidence])
    }
}

/// Why it cannot be told whether live data grows.
fn not_known(of: &Asked<'_>) -> Judgement {
    let live = of.samples::<heap::Live>();
    match live.iter().max_by_key(|live| live.value) {
        Some(most) if live.len() as u64 > SAMPLES.whole() => Judgement::not_applicable_with(
            "Live data is {} at most, at {}. The program lets go of it, or its major collections end, too early in the log to tell whether it grows.",
            [Value::Bytes(most.value), Value::Time(most.time)],
        ),
        _ => Judgement::not_applicable("There are too few major collections to tell whether live data grows."),
    }
}

/// The live data of a process after the begin, or while it grows later on, up to where the program lets go of it.
struct LiveGrowth {
    rows: Vec<Sample>,
    /// The most live data after the begin, before these; `None` if these are all.
    before: Option<u64>,
    /// How many collections come after these.
    gone: usize,
    trend: Trend,
}

impl LiveGrowth {
    /// Of a process that runs from one time to another; `None` if its collections are too few, or too early.
    fn within(from: Nanos, end: Nanos, samples: &[Sample]) -> Option<Self> {
        let begin = from.plus(part(BEGIN, end.since(from)));
        let is_its = |sample: &&Sample| sample.time >= begin && sample.time <= end;
        let mut rows: Vec<Sample> = samples.iter().filter(is_its).copied().collect();
        let gone = rows.split_off(let_go_after(&rows)).len();
        let last = rows.last()?.time;
        let is_late = |from: Nanos| ratio(last.since(from).0, end.since(from).0) >= END.of();
        if (rows.len() as u64) < SAMPLES.whole() || !is_late(from) {
            return None;
        }
        let all = Self { trend: Trend::through(&rows), before: None, gone, rows };
        if all.is_found() || gone > 1 {
            return Some(all);
        }
        let (at, trend) = rise(&all.rows);
        let (before, rows) = all.rows.split_at_checked(at)?;
        let first = rows.first()?.time;
        let later = Self { before: before.iter().map(|row| row.value).max(), rows: rows.to_vec(), gone, trend };
        let is_enough = later.rows.len() as u64 >= LATE_SAMPLES.whole()
            && last.since(first) >= part(LATE_LENGTH, end.since(from))
            && is_late(first);
        Some(if is_enough && later.is_found() { later } else { all })
    }

    fn largest(&self) -> u64 {
        self.rows.iter().map(|row| row.value).max().unwrap_or_default()
    }

    /// By how much it grows.
    fn bytes(&self) -> f64 {
        let [first, last] = self.times();
        self.trend.slope() * last.since(first).0 as f64
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
        let (mean, growth) = (self.trend.mean, self.bytes());
        let most = self.largest();
        let is_near_most = |last: &Sample| most.saturating_sub(last.value) as f64 <= growth * BELOW.of();
        let beyond = |before: u64| most.saturating_sub(before) as f64 >= growth * BEYOND.of();
        let steady = if self.before.is_some() { LATE_STEADY } else { STEADY };
        mean > 0.0
            && self.rows.last().is_some_and(is_near_most)
            && self.before.is_none_or(beyond)
            && self.trend.slope() * 1e9 / mean >= RATE.of()
            && growth >= SIZE.of()
            && growth / mean >= TOTAL.of()
            && self.trend.fit() >= steady.of()
    }
}

/// A limit's share of a time.
fn part(limit: Limit, time: Nanos) -> Nanos {
    Nanos((time.0 as f64 * limit.of()) as u64)
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

/// Says which bands of the heap profile grow most in a time, and how fast, if there is one.
fn add_bands(text: &mut Sentence, of: &Asked<'_>, [from, to]: [Nanos; 2]) {
    let heap = &of.known().stores.profiles.heap;
    let (held, all, times) = heap.within(&of.known().censuses_around(from, to).0, from, to);
    let least = all.slope(&times).unwrap_or_default() * MUCH.of();
    let growing = heap.bands().iter().zip(&held).enumerate().filter_map(|(place, (band, held))| {
        let slope = held.slope(&times).filter(|slope| *slope >= least && *slope >= 1.0)?;
        (!matches!(band.key, BandKey::Rest | BandKey::Gone)).then_some((place, slope as u64))
    });
    let mut growing: Vec<(usize, u64)> = growing.collect();
    sort_by_number(&mut growing, |(_, slope)| u64::MAX - slope);
    for (at, (place, slope)) in growing.iter().take(NAMED).enumerate() {
        text.add(
            if at == 0 { " Of the heap profile, {} grows most" } else { ", then {}" },
            [of.scope.band_name(*place)],
        );
        text.add(if at == 0 { ", by {} each second" } else { ", by {}" }, [Value::Bytes(*slope)]);
    }
    if !growing.is_empty() {
        text.add(".", []);
    }
}
