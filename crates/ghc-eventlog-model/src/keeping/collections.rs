//! The collections of a log: exact totals, and rows. Of more collections than there is room for, rows are thinned evenly, but the heaviest
//! stay: see `rows.rs`.

use crate::{
    keeping::{
        bins::Bins,
        diagnostics::DiagnosticKind,
        long_ones::LongOnes,
        overview::{Overview, SeriesId},
        quantiles::Quantiles,
        rows::{Kept, Rows},
        store::{Event, Purpose, Store, Streams},
    },
    limits,
    terms::{span::Collection, tags::Tags, view::View},
};
use alloc::vec::Vec;
use ghc_eventlog::{HeapInfo, Nanos};

/// All collections.
#[derive(Debug)]
pub struct Collections {
    /// The oldest generation, from HEAP_INFO_GHC; `None` if the log does not say.
    logged_oldest: Option<u16>,
    /// Whether collections of generations above [`LAST_APART`] were counted before the log said which generation is the
    /// oldest.
    is_logged_late: bool,
    rows: Rows<Collection>,
    by_age: [Totals; AGES],
    pauses: [Bins; AGES],
    quantiles: Quantiles,
    /// Pauses longer than [`limits::LONG_PAUSE`], by age.
    long: [LongOnes; AGES],
    /// From the request to the begin, if that took longer than [`limits::SLOW_SYNC`].
    slow: LongOnes,
    /// Their time in slices of the log, in its only series.
    in_slices: (Overview, SeriesId),
    /// Their series in the overview, once there is one.
    pub(crate) series: Option<SeriesId>,
    /// The series in the overview of the times when capabilities waited for collections, once there is one.
    pub(crate) waits: Option<SeriesId>,
}

impl Default for Collections {
    fn default() -> Self {
        let mut slices = Overview::within(limits::COLLECTED_LOG2, limits::COLLECTED_LOG2, limits::COLLECTED_BYTES);
        let series = slices.add_series(1);
        Self {
            in_slices: (slices, series),
            logged_oldest: None,
            is_logged_late: false,
            rows: Rows::default(),
            by_age: [Totals::default(); AGES],
            pauses: [Bins::default(); AGES],
            quantiles: Quantiles::default(),
            long: [LongOnes::default(); AGES],
            slow: LongOnes::default(),
            series: None,
            waits: None,
        }
    }
}

impl Kept for Collection {
    const KEEPS_HEAVIEST: bool = true;

    fn time(&self) -> Nanos {
        self.start
    }

    /// For so long the program could not do what it wanted to.
    fn weight(&self) -> u64 {
        self.elapsed().plus(self.waited().unwrap_or_default()).0
    }
}

/// Exact sums, including collections whose rows are not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    /// How many.
    pub count: u64,
    /// The sum of their pauses.
    pub elapsed: Nanos,
    /// The longest pause.
    pub longest: Nanos,
    /// Bytes copied.
    pub copied_bytes: u64,
    /// How many used more than one thread.
    pub parallel: u64,
}

/// How many ages are counted separately: generations 0 to 4; older ones that are not the oldest; the oldest one, if it is
/// older than 4. GHC has two generations by default.
pub(crate) const AGES: usize = 7;

/// The last generation with an age of its own.
const LAST_APART: u16 = 4;
const OLDER: usize = 5;
const OLDEST: usize = 6;

/// The oldest generation, unless the log says otherwise.
const USUAL_OLDEST: u16 = 1;

impl Collections {
    /// Totals of all collections.
    #[must_use]
    pub fn total(&self) -> Totals {
        self.by_age.into_iter().reduce(Totals::with).unwrap_or_default()
    }

    /// Totals by generation: 0 to 4, and one for all older ones.
    #[must_use]
    pub fn by_generation(&self) -> [Totals; OLDER + 1] {
        let [young @ .., older, oldest] = self.by_age;
        let mut totals = [older.with(oldest); OLDER + 1];
        totals.iter_mut().zip(young).for_each(|(totals, young)| *totals = young);
        totals
    }

    /// Totals by age: see [`Self::age`].
    pub(crate) fn by_age(&self) -> [Totals; AGES] {
        self.by_age
    }

    /// A histogram of pauses, by age: see [`Self::age`].
    pub(crate) fn pauses(&self) -> &[Bins; AGES] {
        &self.pauses
    }

    /// The percentile of the pauses: the shortest pause that `percent` percent of them do not exceed, as exactly as
    /// [`Quantiles`] stores it.
    pub(crate) fn about(&self, percent: u64) -> Option<Nanos> {
        self.quantiles.at(percent).map(Nanos)
    }

    /// Whether there are more collections than [`limits::MAX_COLLECTIONS`]. Then rows are missing, evenly over time, but those are kept
    /// whose pause and wait for capabilities to stop are longest, both together.
    #[must_use]
    pub fn is_capped(&self) -> bool {
        self.rows.stride() > 1
    }

    /// Pauses of major collections that are longer than [`limits::LONG_PAUSE`].
    pub(crate) fn long_majors(&self) -> LongOnes {
        self.long.iter().skip(self.majors()).copied().fold(LongOnes::default(), LongOnes::with)
    }

    /// Times longer than [`limits::SLOW_SYNC`] from the request for a collection to its begin.
    pub(crate) fn slow_syncs(&self) -> LongOnes {
        self.slow
    }

    /// The time in collections, those without a row included, in equal slices of the log: where these lie, and the nanoseconds in each.
    pub(crate) fn in_slices(&self) -> (View, Vec<f64>) {
        let (slices, its) = &self.in_slices;
        let view = slices.used();
        let mut each = alloc::vec![0.0; view.width];
        slices.columns(*its, view, &mut each);
        (view, each)
    }

    /// The oldest generation. A collection is major if it collects this generation.
    #[must_use]
    pub fn oldest(&self) -> u16 {
        let oldest = self.logged_oldest.unwrap_or(USUAL_OLDEST);
        // Collections that were counted too early cannot be assigned to a generation any more.
        if self.is_logged_late { oldest.min(LAST_APART + 1) } else { oldest }
    }

    /// Takes the number of generations from the log. Zero generations are ignored.
    pub(crate) fn take_generations(&mut self, generations: u16) {
        let oldest = generations.checked_sub(1);
        let older = self.by_age.iter().skip(OLDER).any(|totals| totals.count > 0);
        self.is_logged_late |= oldest != self.logged_oldest && older;
        self.logged_oldest = oldest.or(self.logged_oldest);
    }

    /// Whether a collection is a major one. Only this and `majors` decide it.
    #[must_use]
    pub fn is_major(&self, collection: &Collection) -> bool {
        self.age(collection) >= self.majors()
    }

    /// The first age of major collections.
    pub(crate) fn majors(&self) -> usize {
        let oldest = usize::from(self.oldest());
        if oldest > OLDER { OLDEST } else { oldest }
    }

    /// A collection's age: the index of its totals.
    pub(crate) fn age(&self, collection: &Collection) -> usize {
        match collection.generation.unwrap_or(0) {
            generation @ 0..=LAST_APART => generation.into(),
            generation if generation >= self.oldest() => OLDEST,
            _ => OLDER,
        }
    }

    /// The rows, in order of time.
    #[must_use]
    pub fn rows(&self) -> &[Collection] {
        self.rows.kept()
    }

    /// Adds a collection; returns its age.
    pub(crate) fn add(&mut self, collection: Collection, overview: &mut Overview) -> usize {
        let age = self.age(&collection);
        let series = *self.series.get_or_insert_with(|| overview.add_series(AGES));
        overview.add(series, age, collection.start, collection.end);
        if let Some(requested) = collection.requested {
            let waits = *self.waits.get_or_insert_with(|| overview.add_series(1));
            overview.add(waits, 0, requested.time(), collection.start);
        }
        if let Some(totals) = self.by_age.get_mut(age) {
            totals.add(&collection);
        }
        if let Some(pauses) = self.pauses.get_mut(age) {
            pauses.add(collection.elapsed().0);
        }
        self.quantiles.add(collection.elapsed().0);
        let (slices, its) = &mut self.in_slices;
        slices.add(*its, 0, collection.start, collection.end);
        if let Some(long) = self.long.get_mut(age) {
            long.add(collection.elapsed(), limits::LONG_PAUSE);
        }
        self.slow.add(collection.waited().unwrap_or_default(), limits::SLOW_SYNC);
        self.rows.push(collection, limits::MAX_COLLECTIONS);
        age
    }
}

impl Store for Collections {
    const TAGS: Tags = Tags::of(&[HeapInfo::TAG]);

    fn of(_: Purpose) -> Self {
        Self::default()
    }

    fn step(&mut self, event: Event<'_>) {
        self.take_generations(HeapInfo::read(event.payload).generations);
    }

    fn settle(&mut self, _: Streams<'_>) {
        self.rows.settle();
    }

    fn finish(&mut self, _: Streams<'_>) {
        self.rows.finish();
    }

    fn bytes_held(&self) -> usize {
        self.rows.bytes_held() + self.quantiles.bytes_held() + self.in_slices.0.bytes_held()
    }

    fn remarks(&self) -> Vec<DiagnosticKind> {
        self.is_capped().then_some(DiagnosticKind::TooManyCollections).into_iter().collect()
    }
}

impl Totals {
    /// The totals of some collections.
    pub(crate) fn of(collections: &[Collection]) -> Self {
        let mut totals = Self::default();
        collections.iter().for_each(|collection| totals.add(collection));
        totals
    }

    fn add(&mut self, collection: &Collection) {
        self.count += 1;
        self.elapsed = self.elapsed.plus(collection.elapsed());
        self.longest = self.longest.max(collection.elapsed());
        self.copied_bytes = self.copied_bytes.saturating_add(collection.copied_bytes);
        self.parallel += u64::from(collection.is_parallel());
    }

    /// The sum of both totals.
    pub(crate) fn with(self, other: Self) -> Self {
        Self {
            count: self.count + other.count,
            elapsed: self.elapsed.plus(other.elapsed),
            longest: self.longest.max(other.longest),
            copied_bytes: self.copied_bytes.saturating_add(other.copied_bytes),
            parallel: self.parallel + other.parallel,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::span::Moment;
    use alloc::vec::Vec;

    fn of(generation: u16) -> Collection {
        Collection {
            start: Nanos(generation.into()),
            end: Nanos(u64::from(generation) + 1),
            requested: None,
            synced: None,
            cap: None,
            generation: Some(generation),
            par_threads: 1,
            copied_bytes: 0,
            slop_bytes: 0,
            fragmentation_bytes: 0,
            balance: None,
        }
    }

    /// The generations from 0 to 11 whose collections are major.
    fn majors(collections: &Collections) -> Vec<u16> {
        (0..12).filter(|generation| collections.is_major(&of(*generation))).collect()
    }

    /// How many collections are major by the totals' ages.
    fn counted(collections: &Collections) -> u64 {
        collections.by_age().iter().skip(collections.majors()).map(|totals| totals.count).sum()
    }

    #[test]
    fn the_oldest_of_any_number_of_generations_is_the_major_one() {
        for (generations, expected) in [(2, 1), (3, 2), (5, 4), (6, 5), (7, 6), (10, 9), (12, 11)] {
            let mut overview = Overview::new(None);
            let mut collections = Collections::default();
            collections.take_generations(generations);
            (0..generations).for_each(|generation| _ = collections.add(of(generation), &mut overview));
            assert_eq!(majors(&collections).first(), Some(&expected), "{generations}");
            assert_eq!(counted(&collections), 1, "{generations}");
        }
    }

    /// Also of those that have no row.
    #[test]
    fn all_long_pauses_and_slow_stops_are_counted() {
        let mut overview = Overview::new(None);
        let mut collections = Collections::default();
        let times = 2 * limits::MAX_COLLECTIONS as u64;
        for at in 0..times {
            let requested = Nanos(at * 1_000_000_000);
            let start = requested.plus(limits::SLOW_SYNC).plus(Nanos(at % 2));
            let end = start.plus(limits::LONG_PAUSE).plus(Nanos(at % 2));
            let requested = Moment::at(requested);
            collections.add(Collection { start, end, requested, ..of((at / 2 % 2) as u16) }, &mut overview);
        }
        let longer = |limit: Nanos, count: u64| {
            let longest = limit.plus(Nanos(1));
            LongOnes { count, sum: Nanos(longest.0 * count), longest }
        };
        assert!(collections.is_capped());
        assert_eq!(collections.slow_syncs(), longer(limits::SLOW_SYNC, times / 2));
        assert_eq!(collections.long_majors(), longer(limits::LONG_PAUSE, times / 4));
    }

    #[test]
    fn zero_generations_are_ignored() {
        let mut collections = Collections::default();
        assert_eq!(majors(&collections).first(), Some(&1));
        collections.take_generations(0);
        assert_eq!(majors(&collections).first(), Some(&1));
    }

    /// Collections that were counted before cannot be assigned any more: then neither totals nor picture distinguish them.
    #[test]
    fn totals_and_picture_agree_if_generations_are_logged_late() {
        let mut overview = Overview::new(None);
        let mut collections = Collections::default();
        (0..10).for_each(|generation| _ = collections.add(of(generation), &mut overview));
        collections.take_generations(10);
        (0..10).for_each(|generation| _ = collections.add(of(generation), &mut overview));
        let drawn = majors(&collections).iter().filter(|generation| **generation < 10).count();
        assert_eq!(counted(&collections), 2 * drawn as u64);
    }
}
