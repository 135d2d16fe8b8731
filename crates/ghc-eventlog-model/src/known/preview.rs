//! What has been seen of a long log ahead of reading it: see [`crate::reading::preview`].

use crate::{
    known::sums::Sums,
    limits,
    sorting::sort_by_number,
    terms::view::View,
    tracks::capability::{FOUND, IDLE, LANE, STATES},
};
use alloc::vec::Vec;
use ghc_eventlog::{CapNo, Nanos};

/// What has been seen ahead of reading.
#[derive(Debug, Default)]
pub(crate) struct Preview {
    /// In order of time.
    pub(crate) glimpses: Vec<Glimpse>,
    /// The latest time that has been seen.
    pub(crate) last: Option<Nanos>,
    /// When the log ends, if that could be found out.
    pub(crate) end: Option<Nanos>,
    /// The file offset at which to look for the log's end.
    pub(crate) end_at: u64,
    /// How many places to look at.
    pub(crate) places: u64,
}

/// What one capability did for a while.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Glimpse {
    pub(crate) cap: CapNo,
    pub(crate) from: Nanos,
    pub(crate) to: Nanos,
    /// The share of the time in each state.
    shares: [f64; STATES.len()],
}

impl Preview {
    /// Adds what was seen at an offset of the file, and the latest of its times. Returns whether it shows any capability.
    pub(crate) fn add(&mut self, offset: u64, latest: Option<Nanos>, glimpses: impl Iterator<Item = Glimpse>) -> bool {
        if offset == self.end_at {
            self.end = latest;
        }
        // Times after the log's end are damaged.
        let end = self.end.unwrap_or(Nanos::MAX);
        self.last = self.last.max(latest.filter(|latest| *latest <= end));
        let before = self.glimpses.len();
        let sound = glimpses.filter(|glimpse| glimpse.from < glimpse.to && glimpse.to <= end);
        self.glimpses.extend(sound.take(limits::MAX_LOOK_SAMPLES.saturating_sub(before)));
        sort_by_number(&mut self.glimpses, |glimpse| glimpse.middle().0);
        self.glimpses.len() > before
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.glimpses.capacity() * size_of::<Glimpse>()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.glimpses.is_empty()
    }

    /// The capabilities that were seen.
    pub(crate) fn caps(&self) -> impl Iterator<Item = CapNo> {
        self.glimpses.iter().map(|glimpse| glimpse.cap)
    }

    /// Adds what was seen of a capability after the time `read` to columns, as
    /// [`crate::keeping::overview::Overview::columns`] does. Each glimpse fills the time that is nearer to it than to others,
    /// unless that is far away.
    pub(crate) fn columns(&self, cap: CapNo, read: Nanos, view: View, columns: &mut [f64]) {
        let Some(last) = self.last.filter(|last| *last > read) else { return };
        let first = self.glimpses.first().map_or(last, |glimpse| glimpse.from);
        // As far as the next place but one: nothing may have been seen at the next.
        let next_place = Nanos(last.since(first).0 / self.places.max(1));
        self.spread(cap, read, None, next_place.plus(next_place), view, columns);
    }

    /// The same, filling all times: what the capability did as far as it has been read counts too, and a glimpse may be far
    /// away.
    pub(crate) fn columns_throughout(&self, cap: CapNo, known: Option<Glimpse>, view: View, columns: &mut [f64]) {
        let read = known.map_or(Nanos(0), |known| known.to);
        self.spread(cap, read, known, Nanos::MAX, view, columns);
    }

    fn spread(&self, cap: CapNo, read: Nanos, known: Option<Glimpse>, far: Nanos, view: View, columns: &mut [f64]) {
        let Some(last) = self.last.filter(|last| *last > read) else { return };
        // The part that has been read is placed at its end.
        let known = known.map(|known| Glimpse { from: known.to, ..known });
        let ahead = self.glimpses.iter().copied().filter(|glimpse| glimpse.cap == cap && glimpse.to > read);
        let mut glimpses = known.into_iter().chain(ahead).peekable();
        let mut border = read;
        while let Some(glimpse) = glimpses.next() {
            let middle = glimpse.middle();
            let reach = far.max(glimpse.to.since(glimpse.from));
            let next = glimpses.peek().map_or(last, |next| Nanos(middle.0.midpoint(next.middle().0)));
            let from = border.max(Nanos(middle.0.saturating_sub(reach.0)));
            let to = next.min(middle.plus(reach)).min(last);
            border = border.max(next);
            if from >= to {
                continue;
            }
            let length = to.since(from).0 as f64;
            view.spread(from, to, |pixel, part| {
                let columns = columns.iter_mut().skip(pixel * STATES.len());
                columns.zip(glimpse.shares).for_each(|(column, share)| *column += length * part * share);
            });
        }
    }
}

impl Glimpse {
    /// What a capability did in `from..to`, from its sums.
    pub(crate) fn of(cap: CapNo, from: Nanos, to: Nanos, sums: &Sums) -> Self {
        let length = to.since(from).0.max(1) as f64;
        let mut shares = [0.0; STATES.len()];
        shares.iter_mut().zip(sums.of(LANE, FOUND)).for_each(|(share, time)| *share = *time as f64 / length);
        // The rest is idle.
        shares[usize::from(IDLE)] = (1.0 - shares.iter().sum::<f64>()).max(0.0);
        Self { cap, from, to, shares }
    }

    fn middle(&self) -> Nanos {
        Nanos(self.from.0.midpoint(self.to.0))
    }
}
