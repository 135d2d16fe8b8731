//! The heap profile: bands, and what each held in all censuses.
//!
//! ```text
//! 162 begin ─ 164 "Maybe" 40 ─ 164 "IO" 8 ─ 164 "Maybe" 2 ─ 165 end      a census: Maybe 42, IO 8
//! ```
//!
//! A band that a census does not name holds 0 bytes then. Between two censuses a band is a straight line, so its integral is
//! a sum of trapezoids from the begin of the first census to that of the last.

mod beyond;
mod heavy;
mod lookup;
mod missed;
mod weighed;
mod within;

use super::{
    begins::{Around, Begins},
    censuses::{Censuses, Entry},
    names::Names,
    totals::{Held, Times},
};
use crate::{
    keeping::{
        places::{Places, hash},
        rows::{Kept, Rows},
        texts::{TextId, Texts},
    },
    limits,
    terms::frame::Frame,
};
use alloc::vec::Vec;
use beyond::Beyond;
#[cfg(test)]
pub(crate) use beyond::HeldBeyond;
use ghc_eventlog::{
    Breakdown, CostCentreId, CostCentreStack, HeapProfBegin, HeapProfSampleCostCentre, HeapProfSampleString, InfoTable,
    Nanos, Text,
};
use ghc_eventlog_text::LogText;
#[cfg(test)]
pub(crate) use missed::MISSED_BANDS_BYTES;
use missed::Missed;
#[cfg(test)]
pub(crate) use weighed::WEIGHED_BYTES;
use weighed::WeighedKeys;

/// What identifies a band.
#[derive(Debug, Clone, Copy)]
pub(crate) enum BandKey {
    /// A label as far as it is kept, and its full length in bytes.
    Label(TextId, u32),
    /// A stack of cost centres, innermost first: its place in [`HeapProfile::stacks`], and its depth.
    Stack(u32, u8),
    /// All bands for which there was no room ([`limits::MAX_BANDS`], or [`limits::MAX_STACK_ENTRIES`] for stacks), as one.
    Rest,
    /// A place without a band: it is a part of [`BandKey::Rest`] now.
    Gone,
}

/// A band.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Band {
    pub(crate) key: BandKey,
    pub(crate) held: Held,
    /// Bytes in the open census, and the number of that census: bytes with an older number do not count.
    here: (u64, u64),
    /// The band that came next the last time: the best guess for the next label.
    next: u32,
    /// Twice the integral of what it had before it got its place, at least: only for comparing its weight with others'.
    before: f32,
    /// The hash of its label or its stack.
    hash: u64,
    /// See [`Self::since`]; [`Nanos::MAX`] for none, which takes less room.
    own_since: Nanos,
    /// The number of the census in which it got its place, from 1 on: what older ones have in this place is another band's.
    from_census: u64,
}

impl Band {
    /// A band that has held nothing so far.
    fn new(key: BandKey, hash: u64, place: u32) -> Self {
        let held = Held::default();
        Self { key, held, here: (0, 0), next: place, before: 0.0, hash, own_since: Nanos::MAX, from_census: 0 }
    }

    /// From which census on it has totals of its own, if not from the first: before, it was among [`BandKey::Rest`].
    pub(crate) fn since(&self) -> Option<Nanos> {
        (self.own_since != Nanos::MAX).then_some(self.own_since)
    }
}

/// When the runtime wrote a census down, which it does once it has counted everything: from its first event to its last
/// one. Biographical censuses are written when the program ends: of these, the log tells only when they began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Taking {
    pub(crate) begin: Nanos,
    /// [`Nanos::MAX`] if the log does not tell.
    pub(crate) end: Nanos,
}

impl Kept for Taking {
    fn time(&self) -> Nanos {
        self.begin
    }

    fn weight(&self) -> u64 {
        self.end.since(self.begin).0
    }
}

/// All bands of a log with exact totals, and the censuses that are kept.
#[derive(Debug)]
pub(crate) struct HeapProfile {
    breakdown: Option<Breakdown>,
    /// The other breakdowns that later profiles in the log have, a bit each.
    also_by: u32,
    /// What the bands look broken down by, if they show it.
    inferred: Option<Breakdown>,
    /// The filters that HEAP_PROF_BEGIN names.
    pub(crate) filters: Vec<LogText<'static>>,
    bands: Vec<Band>,
    by_key: Places,
    labels: Texts,
    /// The cost centres of all stacks, one stack after the other.
    stacks: Vec<CostCentreId>,
    /// Time of the open census; `None` between censuses.
    open: Option<Nanos>,
    /// What cost centres hold in stacks without a band.
    beyond: Beyond,
    /// What of the open census may get a band of its own; what keys without a band have held so far; and whether kept censuses have
    /// bytes of bands that are gone.
    missed: Missed,
    weighed: WeighedKeys,
    has_replaced: bool,
    /// Bands in the open census so far, each once; and the entries of the previous census.
    named: Vec<Entry>,
    before: Vec<Entry>,
    /// The band of the last sample. Censuses list bands in nearly the same order, so its [`Band::next`] is nearly always the
    /// right guess.
    latest: u32,
    pub(crate) times: Times,
    /// The time between two censuses that the program was to take.
    pub(crate) period: Option<Nanos>,
    /// All bands together.
    pub(crate) all: Held,
    pub(crate) censuses: Censuses,
    /// File offsets of the censuses.
    begins: Begins,
    /// When the open census ends, as far as its events tell.
    until: Nanos,
    /// When the censuses were written down.
    takings: Rows<Taking>,
    /// How long all of them took.
    pub(crate) taken: Nanos,
    /// Whether a census is earlier than the one before it in the file.
    is_unsorted: bool,
    /// Samples outside of any census.
    pub(crate) outside: u64,
    /// Whether the last census has no end event, although others have one: the log was cut there.
    pub(crate) is_cut: bool,
    has_end_events: bool,
}

impl Default for HeapProfile {
    fn default() -> Self {
        Self {
            breakdown: None,
            also_by: 0,
            inferred: None,
            filters: Vec::new(),
            bands: Vec::new(),
            by_key: Places::default(),
            labels: Texts::with_room(limits::LABEL_BYTES),
            stacks: Vec::new(),
            open: None,
            missed: Missed::default(),
            beyond: Beyond::default(),
            weighed: WeighedKeys::default(),
            has_replaced: false,
            named: Vec::new(),
            before: Vec::new(),
            latest: 0,
            times: Times::default(),
            period: None,
            all: Held::default(),
            censuses: Censuses::default(),
            begins: Begins::default(),
            until: Nanos(0),
            takings: Rows::default(),
            taken: Nanos(0),
            is_unsorted: false,
            outside: 0,
            is_cut: false,
            has_end_events: false,
        }
    }
}

impl HeapProfile {
    /// Takes the breakdown and the filters from HEAP_PROF_BEGIN; the first one counts, since later ones come when logging is started
    /// again.
    pub(crate) fn take_settings(&mut self, begin: &HeapProfBegin<'_>) {
        if let Some(first) = self.breakdown {
            if begin.breakdown != first {
                self.also_by |= 1u32.checked_shl(begin.breakdown.0).unwrap_or(0);
            }
            return;
        }
        self.breakdown = Some(begin.breakdown);
        self.period = Some(begin.period).filter(|period| *period > Nanos(0));
        let filters = [
            ("module", begin.module_filter),
            ("closure", begin.closure_filter),
            ("type", begin.type_filter),
            ("cost centre", begin.cost_centre_filter),
            ("cost-centre stack", begin.stack_filter),
            ("retainer", begin.retainer_filter),
            ("biography", begin.biography_filter),
        ];
        for (of, filter) in filters.into_iter().filter(|(_, filter)| !filter.0.0.is_empty()) {
            let text = LogText::of_bytes(filter.0.0);
            self.filters.push(LogText::joined(&[of.into(), text], " "));
        }
    }

    /// What the profile is broken down by; `None` without HEAP_PROF_BEGIN.
    pub(crate) fn logged_breakdown(&self) -> Option<Breakdown> {
        self.breakdown
    }

    /// What later profiles in the log are broken down by, if by something else: logs of several runs in one file may have that.
    pub(crate) fn later_breakdowns(&self) -> impl Iterator<Item = Breakdown> {
        (0..u32::BITS).filter(|bit| self.also_by >> bit & 1 == 1).map(Breakdown)
    }

    /// What the bands look broken down by. Only `-hc` has stacks of cost centres, and only `-hi` has labels that are all numbers of
    /// info tables.
    pub(crate) fn inferred_breakdown(&self) -> Option<Breakdown> {
        self.inferred
    }

    /// Looks at the bands that have come so far.
    pub(crate) fn infer(&mut self, names: &Names) {
        if self.breakdown.is_some() || self.bands.is_empty() {
            return;
        }
        let mut any = false;
        let all = self.bands.iter().all(|band| match (self.table_of(band), band.key) {
            (Some(table), _) => {
                any |= names.table(table).is_some();
                true
            }
            (None, key) => matches!(key, BandKey::Rest | BandKey::Gone),
        });
        self.inferred = if self.is_of_stacks() { Some(Breakdown(1)) } else { (all && any).then_some(Breakdown(8)) };
    }

    /// The info table that a band's label is the number of.
    pub(crate) fn table_of(&self, band: &Band) -> Option<InfoTable> {
        u64::from_str_radix(self.label_of(band)?.strip_prefix("0x")?, 16).ok().map(InfoTable)
    }

    pub(crate) fn bands(&self) -> &[Band] {
        &self.bands
    }

    /// A band's label as far as it is kept; `None` for stacks and for [`BandKey::Rest`].
    pub(crate) fn label_of(&self, band: &Band) -> Option<&str> {
        match band.key {
            BandKey::Label(id, _) => Some(self.labels.get(id)),
            BandKey::Stack(..) | BandKey::Rest | BandKey::Gone => None,
        }
    }

    /// A band's cost centres, innermost first; empty for labels, and for MAIN, the empty stack.
    pub(crate) fn stack_of(&self, band: &Band) -> &[CostCentreId] {
        match band.key {
            BandKey::Stack(from, depth) => {
                let from = from as usize;
                self.stacks.get(from..from + usize::from(depth)).unwrap_or_default()
            }
            BandKey::Label(..) | BandKey::Rest | BandKey::Gone => &[],
        }
    }

    /// The innermost frames of stacks without a band, each with what all of these hold together, at least.
    pub(crate) fn beyond(&self) -> impl Iterator<Item = (Frame, &Held)> {
        self.beyond.all()
    }

    /// Whether bands are stacks of cost centres.
    pub(crate) fn is_of_stacks(&self) -> bool {
        self.bands.iter().any(|band| matches!(band.key, BandKey::Stack(..)))
    }

    /// Whether there was no room for some bands: they are one, [`BandKey::Rest`].
    pub(crate) fn is_capped(&self) -> bool {
        self.bands.iter().any(|band| matches!(band.key, BandKey::Rest))
    }

    /// Begins a census whose first event is at a file offset.
    pub(crate) fn begin(&mut self, time: Nanos, offset: u64) {
        self.begin_until(time, offset, time);
    }

    /// Begins a biographical census, which was taken at a time that its first event carries: nothing tells when it ended.
    pub(crate) fn begin_biographical(&mut self, time: Nanos, offset: u64) {
        self.begin_until(time, offset, Nanos::MAX);
    }

    fn begin_until(&mut self, time: Nanos, offset: u64, until: Nanos) {
        // Several begins at the same time are parts of one census.
        if self.open != Some(time) {
            self.close();
            self.open = Some(time);
            self.until = until;
            self.begins.push(time, offset);
        }
    }

    /// Ends the open census.
    pub(crate) fn end(&mut self, time: Nanos) {
        self.has_end_events = true;
        self.until = self.until.max(time);
        self.close();
    }

    /// Adds a sample to the band of its label.
    pub(crate) fn label(&mut self, time: Nanos, label: Text<'_>, bytes: u64) {
        let band = self.band_of_label(label);
        if band.is_none() {
            let hash = hash(label.0);
            let held = self.weighed.add(hash, bytes, self.open_census(time));
            self.missed.label(hash, label, held, bytes);
        }
        self.count(time, band, bytes);
    }

    /// Adds a sample to the band of its stack.
    pub(crate) fn stack(&mut self, time: Nanos, stack: CostCentreStack<'_>, bytes: u64) {
        let band = self.band_of_stack(stack);
        if band.is_none() {
            let hash = hash(stack.0.as_flattened());
            let held = self.weighed.add(hash, bytes, self.open_census(time));
            self.missed.stack(hash, stack, held, bytes);
            self.beyond.add(innermost(stack.iter().next()), bytes, self.times.count + 1);
        }
        self.count(time, band, bytes);
    }

    /// Band and bytes of a sample that is read again; `None` for other events. Bands that were not kept are [`BandKey::Rest`].
    pub(crate) fn entry_of(&self, tag: u16, payload: &[u8]) -> Option<Entry> {
        let (band, bytes) = match tag {
            HeapProfSampleString::TAG => {
                let HeapProfSampleString { label, bytes, .. } = HeapProfSampleString::read(payload);
                (self.find_label(hash(label.0.0), label.0), bytes)
            }
            HeapProfSampleCostCentre::TAG => {
                let HeapProfSampleCostCentre { stack, bytes, .. } = HeapProfSampleCostCentre::read(payload);
                (self.find_stack(hash(stack.0.as_flattened()), stack), bytes)
            }
            _ => return None,
        };
        Some(Entry { band: band.or_else(|| self.rest())?, bytes })
    }

    /// The band [`BandKey::Rest`], if there is one.
    fn rest(&self) -> Option<u32> {
        let rest = self.bands.iter().rposition(|band| matches!(band.key, BandKey::Rest));
        rest.map(|rest| rest as u32)
    }

    /// Adds bytes to a band in the open census; `None` is [`BandKey::Rest`].
    fn count(&mut self, time: Nanos, band: Option<u32>, bytes: u64) {
        if self.open.is_none() {
            self.outside += 1;
            self.open = Some(time);
            self.until = time;
        }
        // Most events of a census have times of their own.
        self.until = self.until.max(time);
        let band = band.or_else(|| self.rest()).unwrap_or_else(|| self.add(0, BandKey::Rest));
        let number = self.times.count + 1;
        if let Some(latest) = self.bands.get_mut(self.latest as usize) {
            latest.next = band;
        }
        self.latest = band;
        let Some(Band { here, .. }) = self.bands.get_mut(band as usize) else { return };
        if here.1 != number {
            *here = (0, number);
            self.named.push(Entry { band, bytes: 0 });
        }
        here.0 = here.0.saturating_add(bytes);
    }

    /// Completes the open census, if there is one.
    fn close(&mut self) {
        let Some(time) = self.open.take() else { return };
        self.takings.push(Taking { begin: time, end: self.until }, limits::MAX_TAKINGS);
        self.taken = self.taken.plus(self.until.since(time));
        self.replace_lightest(time);
        let mut named = core::mem::take(&mut self.named);
        self.is_unsorted |= self.times.count > 0 && time < self.times.last;
        for entry in &mut named {
            entry.bytes = self.bands.get(entry.band as usize).map_or(0, |band| band.here.0);
        }
        let before = core::mem::take(&mut self.before);
        let times = self.times;
        self.pass(&before, time, &named);
        self.beyond.pass(&times, &self.times);
        self.censuses.push(time, &named);
        (self.before, self.named) = (named, before);
        self.named.clear();
    }

    /// Adds the trapezoid between two censuses, half for the entries of each, and adds the second census to all totals.
    fn pass(&mut self, before: &[Entry], time: Nanos, entries: &[Entry]) {
        let since = self.times.add(time);
        // In one loop: both list the same bands in nearly the same order, so each band is still in the processor's cache for
        // the second half.
        for at in 0..before.len().max(entries.len()) {
            if let Some(entry) = before.get(at)
                && let Some(band) = self.bands.get_mut(entry.band as usize)
            {
                band.held.area_of(entry.bytes, since);
            }
            if let Some(entry) = entries.get(at)
                && let Some(band) = self.bands.get_mut(entry.band as usize)
            {
                band.held.add(entry.bytes, since, &self.times);
            }
        }
        self.all.area_of(sum(before), since);
        self.all.add(sum(entries), since, &self.times);
    }

    /// Ends the profile.
    pub(crate) fn finish(&mut self) {
        self.is_cut = self.has_end_events && self.open.is_some();
        self.close();
        // No more bands come.
        (self.missed, self.weighed) = (Missed::default(), WeighedKeys::default());
        self.settle_replaced();
        self.takings.finish();
        // Biographical censuses are all written at the end of the log. If they are not in order, totals are computed again,
        // provided all censuses were kept.
        if self.is_unsorted {
            self.censuses.sort();
        }
        if self.is_unsorted && self.censuses.stride() == 1 {
            self.count_anew();
        }
    }

    fn count_anew(&mut self) {
        let censuses = core::mem::take(&mut self.censuses);
        // What it had in each census is not kept.
        self.beyond = Beyond::default();
        (self.times, self.all) = (Times::default(), Held::default());
        self.bands.iter_mut().for_each(|band| band.held = Held::default());
        let mut before: &[Entry] = &[];
        for (time, entries) in censuses.iter() {
            self.pass(before, time, entries);
            before = entries;
        }
        self.censuses = censuses;
    }

    /// Whether no census is earlier than the one before it in the file.
    pub(crate) fn is_in_order(&self) -> bool {
        !self.is_unsorted
    }

    /// Whether censuses are out of order, and there were too many to compute totals again: then integrals are wrong.
    pub(crate) fn is_in_no_order(&self) -> bool {
        self.is_unsorted && self.censuses.stride() > 1
    }

    /// Where to read the censuses around a time again if not all are kept; `None` if they are out of order.
    pub(crate) fn begins_around(&self, from: Nanos, to: Nanos) -> Option<Around> {
        (self.censuses.stride() > 1 && !self.is_unsorted).then(|| self.begins.around(from, to))
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.bands.capacity() * size_of::<Band>()
            + self.by_key.bytes_held()
            + self.filters.iter().map(LogText::bytes_held).sum::<usize>()
            + self.filters.capacity() * size_of::<LogText<'static>>()
            + self.missed.bytes_held()
            + self.weighed.bytes_held()
            + self.beyond.bytes_held()
            + self.labels.bytes_held()
            + self.stacks.capacity() * size_of::<CostCentreId>()
            + self.named.capacity() * size_of::<Entry>()
            + self.before.capacity() * size_of::<Entry>()
            + self.censuses.bytes_held()
            + self.begins.bytes_held()
            + self.takings.bytes_held()
    }

    /// Sorts what has come.
    pub(crate) fn settle(&mut self) {
        self.settle_replaced();
        self.takings.settle();
    }

    /// The last census that was written down in `from..=to`.
    pub(crate) fn taken_in(&self, from: Nanos, to: Nanos) -> Option<Taking> {
        let takings = self.takings.kept();
        let until = takings.get(..takings.partition_point(|taking| taking.begin <= to))?;
        until.last().copied().filter(|taking| taking.begin >= from)
    }

    /// Whether there were too many censuses to keep the times of all.
    pub(crate) fn misses_takings(&self) -> bool {
        self.takings.stride() > 1
    }

    /// Whether the log has no census so far.
    pub(crate) fn has_no_census(&self) -> bool {
        self.takings.kept().is_empty()
    }
}

/// The innermost frame of a stack whose innermost cost centre is given.
pub(super) fn innermost(centre: Option<CostCentreId>) -> Frame {
    centre.map_or(Frame::Main, Frame::CostCentre)
}

/// Bytes of all bands of a census.
pub(crate) fn sum(entries: &[Entry]) -> u64 {
    entries.iter().fold(0, |all, entry| all.saturating_add(entry.bytes))
}

#[cfg(test)]
mod tests;
