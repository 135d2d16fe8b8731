//! The heap profile as stacked bands: the most important ones are shown individually, all others as one.
//!
//! ```text
//!           ..::::::..          the rest
//!     ..::::###########::..     Maybe
//! ----===================----   IO
//! ```
//!
//! Between two censuses each band is a straight line, as in [`crate::profiles::bands`]. A pixel with several censuses shows
//! the largest one: so it never mixes bands of different censuses, and loses no peak.

use super::{
    groups::{self, Heading},
    kind::{Kind, Tracks},
};
use crate::{
    known::arrangement::Arranged,
    known::{
        Known,
        band_names::{name_of, names_of},
    },
    profiles::{
        bands::{Band, sum},
        censuses::{BandCensus, Entry},
        totals::{Held, Times},
    },
    sorting::{by_most, by_most_of_two, sort_places},
    terms::absence::Absence,
    terms::{
        bands::{BandOrder, REST, ShownBands},
        grouped::{THIN, grouped},
        machine::{Dialect, Machine, Sink},
        place::{Direction, Found, Pixel, Place, SpanInfo},
        small_letters::small_letters,
        span::{Ending, Moment, Span},
        track::{Note, Shape, State, Track, TrackId},
        value::{Unit, Value},
        view::View,
        window::{Plan, Window},
    },
};
use alloc::{format, string::String, vec, vec::Vec};
use ghc_eventlog::{HeapBioProfSampleBegin, HeapProfSampleBegin, HeapProfSampleEnd, Nanos, Record};
use ghc_eventlog_text::LogText;

/// The track of the heap profile.
pub(crate) struct HeapProfileTrack;

/// The time of the open census: what comes after its begin in the log belongs to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct OpenCensus(pub(crate) Option<Moment>);

impl Machine for OpenCensus {
    const TAGS: &'static [u16] = &[HeapProfSampleBegin::TAG, HeapProfSampleEnd::TAG, HeapBioProfSampleBegin::TAG];

    fn starting(_: Nanos) -> Self {
        Self(None)
    }

    fn step(&mut self, record: Record<'_>, _: Dialect, _: &mut impl Sink) {
        self.0 = match record.tag {
            HeapProfSampleBegin::TAG => Moment::at(record.time),
            HeapBioProfSampleBegin::TAG => Moment::at(HeapBioProfSampleBegin::read(record.payload).time),
            _ => None,
        };
    }
}

impl Kind for HeapProfileTrack {
    const NAME: &'static str = "Heap profile";
    const ABOUT: &'static str = "How much each band holds, one on top of the other. A band is one type, one cost centre or the like, \
        whatever the profile is broken down by.";
    type Machine = OpenCensus;
    type Tracks = Self;
    const TRACKS: Self = Self;
}

impl Known {
    /// The bands that are shown individually, by their places, and whether there are others.
    fn shown_bands(&self, shown: ShownBands) -> (Vec<u32>, bool) {
        let heap = &self.stores.profiles.heap;
        let bands = heap.bands();
        let held = |place: u32| bands.get(place as usize).map(|band| &band.held);
        // Of a single census, nothing has an integral.
        let worth = |worth: &dyn Fn(&Held, &Times) -> u64| {
            let first = |place: u32| held(place).map_or(0, |held| worth(held, &heap.times));
            by_most_of_two(bands.len(), first, |place| held(place).map_or(0, |held| held.most))
        };
        let mut order = match shown.order {
            BandOrder::Integral => worth(&|held, _| (held.integral() as f64).to_bits()),
            BandOrder::Maximum => worth(&|held, _| held.most),
            BandOrder::Last => worth(&|held, times| held.last(times)),
            BandOrder::Slope => worth(&|held, times| in_order(held.slope(times).unwrap_or(0.0))),
            BandOrder::Name => by_name(bands.iter().map(|band| name_of(self, band))),
        };
        order.retain(|place| bands.get(*place as usize).is_some_and(|band| band.held.is_known()));
        let count = shown.count.clamp(1, ShownBands::MOST);
        let has_rest = order.len() > count;
        order.truncate(count);
        (order, has_rest)
    }

    fn band(&self, place: u32) -> Option<&Band> {
        self.stores.profiles.heap.bands().get(place as usize)
    }
}

/// Maps floating-point numbers to integers with the same order.
fn in_order(number: f64) -> u64 {
    let bits = number.to_bits();
    if number.is_sign_negative() { !bits } else { bits | 1 << 63 }
}

/// The places of names in alphabetical order.
fn by_name(names: impl Iterator<Item = String>) -> Vec<u32> {
    let names: Vec<String> = names.map(|name| small_letters(&name)).collect();
    let mut order: Vec<u32> = (0..names.len() as u32).collect();
    sort_places(&mut order, &|one, other| names.get(one as usize).cmp(&names.get(other as usize)));
    order
}

/// The largest of some censuses; the first one, if several are equally large.
fn largest<'c, 's>(censuses: &'c [BandCensus<'s>]) -> Option<&'c BandCensus<'s>> {
    censuses.iter().rev().max_by_key(|(_, entries)| sum(entries))
}

/// For each pixel, what each of the shown bands held, and then the sum of all others, if there are any; NaN where nothing is
/// known. `is_line` says whether bands are straight lines from one census to the next.
fn columns(
    censuses: &[BandCensus<'_>],
    view: View,
    slots: &[u8],
    bands: usize,
    is_line: impl Fn(Nanos, Nanos) -> bool,
) -> Vec<f32> {
    let held = |(_, entries): &BandCensus<'_>| {
        let mut held = vec![0.0; bands];
        for entry in entries.iter() {
            let slot = slots.get(entry.band as usize).copied().unwrap_or(u8::MAX);
            if let Some(held) = held.get_mut(usize::from(slot)) {
                *held += entry.bytes as f64;
            }
        }
        held
    };
    let mut columns = Vec::with_capacity(view.width * bands);
    // The values of the two censuses around a pixel, computed once for all pixels between them.
    let mut around: Option<(usize, Vec<f64>, Vec<f64>)> = None;
    for (from, to) in view.pixels() {
        let (first, end) = (before(censuses, from), before(censuses, to));
        if let Some(census) = censuses.get(first..end).and_then(largest) {
            columns.extend(held(census).iter().map(|held| *held as f32));
        } else if let Some((last, next)) = pair(censuses, first).filter(|(last, next)| is_line(last.0, next.0)) {
            if around.as_ref().is_none_or(|(of, ..)| *of != first) {
                around = Some((first, held(last), held(next)));
            }
            let Some((_, left, right)) = &around else { continue };
            let share = share(last.0, next.0, Nanos(from.0.midpoint(to.0)));
            columns.extend(left.iter().zip(right).map(|(left, right)| (left + (right - left) * share) as f32));
        } else {
            columns.extend(core::iter::repeat_n(f32::NAN, bands));
        }
    }
    columns
}

/// How many censuses are before a time.
fn before(censuses: &[BandCensus<'_>], to: Nanos) -> usize {
    censuses.partition_point(|(time, _)| *time < to)
}

/// A census and the previous one.
fn pair<'c, 's>(censuses: &'c [BandCensus<'s>], next: usize) -> Option<(&'c BandCensus<'s>, &'c BandCensus<'s>)> {
    Some((censuses.get(next.checked_sub(1)?)?, censuses.get(next)?))
}

/// The position of `at` between two times, from 0 to 1.
fn share(from: Nanos, to: Nanos, at: Nanos) -> f64 {
    at.since(from).0 as f64 / to.since(from).0.max(1) as f64
}

impl HeapProfileTrack {
    /// What a census held: in all bands, or in one. `end` is the time of the next census, if there is one.
    fn census(known: &Known, (time, entries): &BandCensus<'_>, end: Option<Nanos>, part: Option<u32>) -> SpanInfo {
        let (start, end) = (*time, end.unwrap_or(*time).max(*time));
        // A band may occur in a census more than once.
        let mut by_band = vec![0u64; known.stores.profiles.heap.bands().len()];
        for entry in entries.iter() {
            if let Some(held) = by_band.get_mut(entry.band as usize) {
                *held = held.saturating_add(entry.bytes);
            }
        }
        let held = |place: u32| by_band.get(place as usize).copied().unwrap_or(0);
        let all = sum(entries);
        let names = names_of(known);
        let name = |place: u32| names.get(place as usize).map_or("", String::as_str);
        let mut fields = vec![("Census", Value::Time(start))];
        let title = match part.and_then(|place| known.band(place).map(|band| (place, band))) {
            Some((place, band)) => {
                fields.push(("Share of all", Value::Share(held(place) as f64 / all.max(1) as f64)));
                fields.push(("All bands", Value::Bytes(all)));
                fields.push(("Most", Value::Bytes(band.held.most)));
                format!("{}: {}", name(place), text(held(place)))
            }
            None => {
                let largest = by_most(by_band.len(), held).into_iter().filter(|place| held(*place) > 0);
                for (rank, place) in ["Largest", "Second", "Third"].into_iter().zip(largest) {
                    fields.push((rank, Value::words(format!("{}: {}", name(place), text(held(place))))));
                }
                let bands = by_band.iter().filter(|held| **held > 0).count();
                format!(
                    "{} in {} {}",
                    text(all),
                    grouped(bands as u64, THIN),
                    if bands == 1 { "band" } else { "bands" }
                )
            }
        };
        let span = Span { start, end, thread: None, state: 0, ending: Ending::Next, open_start: false };
        SpanInfo::of(span, State { name: "heap census", role: "heap" }, title, fields)
    }

    /// What is drawn between two censuses.
    fn between(
        known: &Known,
        (before, next): (&BandCensus<'_>, &BandCensus<'_>),
        at: Nanos,
        part: Option<u32>,
    ) -> SpanInfo {
        let share = share(before.0, next.0, at);
        let of = |(_, entries): &BandCensus<'_>| {
            let counts = |entry: &&Entry| part.is_none_or(|place| entry.band == place);
            entries.iter().filter(counts).map(|entry| entry.bytes as f64).sum::<f64>()
        };
        let held = of(before) + (of(next) - of(before)) * share;
        let name = part.and_then(|place| names_of(known).get(place as usize).cloned());
        let info = Self::census(known, before, Some(next.0), part);
        let fields = vec![
            ("Census before", Value::Time(before.0)),
            ("It held", Value::Bytes(of(before) as u64)),
            ("Census after", Value::Time(next.0)),
            ("It held then", Value::Bytes(of(next) as u64)),
        ];
        let title = match name {
            Some(name) => format!("{name}: about {}", text(held as u64)),
            None => format!("About {}", text(held as u64)),
        };
        SpanInfo { title: title.into(), fields, ..info }
    }
}

fn text(bytes: u64) -> String {
    Value::Bytes(bytes).text(Nanos(0))
}

impl Tracks for HeapProfileTrack {
    fn heading(&self) -> &'static Heading {
        &groups::HEAP_PROFILE
    }

    fn count(&self, known: &Arranged<'_>) -> usize {
        usize::from(known.stores.profiles.heap.times.count > 0)
    }

    fn nth(&self, known: &Arranged<'_>, place: usize) -> Option<u32> {
        (place < self.count(known)).then_some(0)
    }

    fn place(&self, known: &Arranged<'_>, of: u32) -> Option<usize> {
        (of == 0 && self.count(known) > 0).then_some(0)
    }

    fn lacks(&self, known: &Arranged<'_>) -> Option<Absence> {
        known.absence_of_censuses(&[]).filter(|_| self.count(known) == 0)
    }

    fn describe(&self, known: &Arranged<'_>, of: u32) -> Track {
        let heap = &known.stores.profiles.heap;
        let most = heap.all.most;
        Track {
            id: TrackId::of::<Self>(of),
            name: groups::HEAP_PROFILE.name().into(),
            group: groups::HEAP_PROFILE.name(),
            shape: Shape::Bands { unit: Unit::Bytes, most },
            states: &[],
            lacks: Vec::new(),
            note: Note::Most(most, Unit::Bytes),
            known: Some((heap.times.first, heap.times.last)),
        }
    }

    fn window(&self, known: &Arranged<'_>, _: u32, plan: &Plan, _: bool) -> Window {
        let (order, has_rest) = known.shown_bands(plan.bands);
        let rest = order.len() as u8;
        let mut slots = vec![rest; known.stores.profiles.heap.bands().len()];
        for (slot, place) in (0..).zip(&order) {
            if let Some(of) = slots.get_mut(*place as usize) {
                *of = slot;
            }
        }
        let bands = order.len() + usize::from(has_rest);
        let (censuses, exact) = known.censuses_around(plan.view.from, plan.view.to);
        let is_line = |from, to| !exact || !known.is_profile_paused(from, to);
        let values = columns(&censuses, plan.view, &slots, bands, is_line);
        let names = names_of(known);
        let name = |place: &u32| names.get(*place as usize).cloned().unwrap_or_default();
        let texts = order
            .iter()
            .map(name)
            .map(LogText::from)
            .chain(has_rest.then(|| "Not drawn on their own".into()))
            .collect();
        let counts = order.iter().copied().chain(has_rest.then_some(REST)).collect();
        Window { exact, values, counts, texts, ..Window::default() }
    }

    fn at(&self, known: &Arranged<'_>, _: u32, pixel: Pixel) -> Found {
        let Pixel { from, at, to, part } = pixel;
        let (censuses, is_all) = known.censuses_around(from, to);
        let (first, end) = (before(&censuses, from), before(&censuses, to));
        let here = censuses.get(first..end).and_then(largest).map(|census| {
            let next = censuses.get(before(&censuses, census.0.plus(Nanos(1))));
            Self::census(known, census, next.map(|(time, _)| *time), part)
        });
        let is_line =
            |(last, next): &(&BandCensus<'_>, &BandCensus<'_>)| !is_all || !known.is_profile_paused(last.0, next.0);
        let place = here.or_else(|| Some(Self::between(known, pair(&censuses, first).filter(is_line)?, at, part)));
        Found::Place(place.map_or(Place::Unknown(None), Place::Span))
    }

    fn beside(&self, known: &Arranged<'_>, _: u32, time: Nanos, direction: Direction) -> Found {
        let (censuses, _) = known.censuses_around(time, time.plus(Nanos(1)));
        let place = match direction {
            Direction::Next => Some(before(&censuses, time.plus(Nanos(1)))),
            Direction::Previous => before(&censuses, time).checked_sub(1),
        };
        let found = place.and_then(|place| Some((censuses.get(place)?, censuses.get(place + 1))));
        let info = |(census, next): (&BandCensus<'_>, Option<&BandCensus<'_>>)| {
            let next = next.map_or_else(|| known.census_after(census.0), |(time, _)| Some(*time));
            Place::Span(Self::census(known, census, next, None))
        };
        Found::Place(found.map_or(Place::Empty, info))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;
    use alloc::format;
    use ghc_eventlog::{Block, CStr, CapNo, HeapProfSampleString, LogWriter, Text};

    /// What each pixel of 10 ns shows of each band, one row for each band from the lowest up; `~` where nothing is known.
    fn draw(censuses: &[(u64, &[(u32, u64)])], slots: &[u8], bands: usize, width: usize) -> Vec<String> {
        let entries: Vec<(Nanos, Vec<Entry>)> = censuses
            .iter()
            .map(|(time, entries)| (Nanos(*time), entries.iter().map(|&(band, bytes)| Entry { band, bytes }).collect()))
            .collect();
        let censuses: Vec<BandCensus<'_>> = entries.iter().map(|(time, entries)| (*time, entries.into())).collect();
        let view = View { from: Nanos(0), to: Nanos(width as u64 * 10), width };
        let columns = columns(&censuses, view, slots, bands, |_, _| true);
        let digit = |value: &f32| if value.is_nan() { '~' } else { char::from(b'0' + *value as u8) };
        (0..bands).map(|band| columns.iter().skip(band).step_by(bands).map(digit).collect()).collect()
    }

    #[test]
    fn bands_are_straight_lines_between_censuses_and_unknown_outside() {
        let drawn = draw(&[(12, &[(0, 2), (1, 8)]), (62, &[(0, 7)])], &[0, 1], 2, 8);
        assert_eq!(drawn, ["~234567~", "~854210~"]);
    }

    #[test]
    fn a_pixel_with_many_censuses_shows_the_largest() {
        let drawn =
            draw(&[(11, &[(0, 2), (1, 2)]), (13, &[(0, 1), (1, 8)]), (15, &[(0, 3)]), (31, &[(1, 5)])], &[0, 1], 2, 4);
        assert_eq!((drawn[0].as_bytes()[1], drawn[1].as_bytes()[1]), (b'1', b'8'));
    }

    #[test]
    fn bands_that_are_not_shown_individually_are_in_the_rest() {
        assert_eq!(draw(&[(1, &[(0, 1), (1, 2), (2, 4)])], &[1, 0, 1], 2, 2), ["2~", "5~"]);
    }

    #[test]
    fn of_a_single_census_the_largest_bands_are_shown() {
        let mut log = LogWriter::new();
        log.block(Block::of(CapNo(0)), |block| {
            block.event(Nanos(5), HeapProfSampleBegin { number: 0 });
            for bytes in 1..=20u64 {
                let name = format!("T{bytes}");
                let label = CStr(Text(name.as_bytes()));
                block.event(Nanos(6), HeapProfSampleString { profile: 0, bytes: bytes * 7 % 20, label });
            }
        });
        let mut model = Model::new();
        model.feed(&log.finish());
        model.finish();
        let heap = &model.known.stores.profiles.heap;
        for order in [BandOrder::Integral, BandOrder::Slope, BandOrder::Last] {
            let (shown, has_rest) = model.known.shown_bands(ShownBands { order, count: 3 });
            let most: Vec<u64> = shown.iter().map(|place| heap.bands()[*place as usize].held.most).collect();
            assert_eq!((most, has_rest), (vec![19, 18, 17], true), "{order:?}");
        }
    }

    #[test]
    fn growth_is_in_order_also_below_0() {
        let numbers = [f64::NEG_INFINITY, -3.5, -0.1, 0.0, 1e-9, 7.0, f64::INFINITY];
        assert!(numbers.windows(2).all(|pair| in_order(pair[0]) < in_order(pair[1])));
    }

    #[test]
    fn names_are_in_alphabetical_order() {
        let names = ["Data.Map.Internal.b", "zeta", "data.map.internal.A", "", "Data.Map"];
        let order = by_name(names.iter().map(|name| String::from(*name)));
        assert_eq!(order, [3, 4, 2, 0, 1]);
    }
}
