//! What facts are about: the whole log, or a range of it.

use crate::{
    asking::range::{Range, RangeTotals},
    keeping::sums::Sums,
    model::Model,
    reading::session::Session,
    tracks::TrackId,
};
use alloc::vec::Vec;
use core::ops;
use ghc_eventlog::Nanos;

/// A log as far as it has been read, or a range of it.
pub(crate) struct Scope<'m> {
    pub(crate) model: &'m Model,
    pub(crate) range: Option<&'m Range>,
}

impl Scope<'_> {
    pub(crate) fn session(&self) -> &Session {
        &self.model.session
    }

    /// Whether it is all of the log.
    pub(crate) fn is_whole(&self) -> bool {
        self.range.is_none()
    }

    /// What only the whole log tells.
    pub(crate) fn of_whole<T>(&self, value: T) -> Option<T> {
        self.is_whole().then_some(value)
    }

    /// From when to when it is: no longer than the log.
    pub(crate) fn times(&self) -> Option<(Nanos, Nanos)> {
        let (first, last) = self.model.extent()?;
        let (from, to) = self.range.map_or((first, last), |range| (range.from, range.to));
        Some((from.max(first), to.min(last).max(from.max(first))))
    }

    /// How long it is.
    pub(crate) fn length(&self) -> Option<Nanos> {
        self.times().map(|(from, to)| to.since(from))
    }

    /// Of a list in order of time, those within it.
    pub(crate) fn within<T>(&self, list: &[T], time: impl Fn(&T) -> Nanos) -> ops::Range<usize> {
        let before = |end: Nanos| list.partition_point(|item| time(item) < end);
        self.range.map_or(0..list.len(), |range| before(range.from)..before(range.to).max(before(range.from)))
    }

    /// The time that a track was in each of its states; none if that is not known, or not yet.
    pub(crate) fn states(&self, track: TrackId) -> Vec<Nanos> {
        match self.range {
            None => self.model.totals(track),
            Some(_) => self.range_totals(track).states,
        }
    }

    /// The sums of all streams; `None` if they are not known yet.
    pub(crate) fn sums(&self) -> Option<Sums> {
        if let Some(range) = self.range {
            return range.sums();
        }
        let mut all = Sums::default();
        self.session().caps.streams.iter().for_each(|stream| all.add_all(&stream.sums));
        Some(all)
    }

    /// What a track did in the range.
    pub(crate) fn range_totals(&self, track: TrackId) -> RangeTotals {
        self.range.and_then(|range| self.model.range_totals(range, track)).unwrap_or_default()
    }

    /// The flag that the log lacks, if it has no event of these numbers and none can come.
    pub(crate) fn lacks(&self, tags: &[u16], flag: &'static str) -> Option<&'static str> {
        (self.session().is_whole() && !self.session().counts.has_any(tags)).then_some(flag)
    }

    /// How many events of these numbers the log has.
    pub(crate) fn events(&self, tags: &[u16]) -> u64 {
        self.model.counts().filter(|(tag, _)| tags.contains(tag)).map(|(_, count)| count).sum()
    }
}
