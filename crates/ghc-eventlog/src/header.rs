//! The header: which event types a log has, and how long their records are (FORMAT 1).

use crate::{
    descriptions::contradicts,
    events::{BlockMarker, EVENTS, Ipe, Startup, info},
    names::StatusNumbering,
    table::EventInfo,
};
use alloc::{boxed::Box, vec::Vec};

/// The size that the header gives to event types whose records carry their own length.
pub const VARIABLE: u16 = 0xffff;

/// The number that ends the data.
pub(crate) const END_MARK: u16 = 0xffff;

/// One declared event type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventType {
    /// Its number.
    pub tag: u16,
    /// The size of the payload in bytes, or [`VARIABLE`], as declared. The records may have another size.
    pub size: u16,
    /// Its description; bytes that are not UTF-8 are replaced.
    pub description: Box<str>,
}

/// How the records of one number are framed and understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Layout {
    pub(crate) size: u16,
    pub(crate) way: Way,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Way {
    /// The fields are known, and the size alone frames a record.
    Known,
    /// The type is declared in a form that the table does not know. Records are skipped by their size.
    Opaque,
    #[default]
    Undeclared,
    /// The fields are known, and the length of a record is checked against them.
    Checked,
    /// A block marker.
    Block,
    /// An info table's provenance, whose length may be one byte too large.
    Ipe,
    /// The size is in doubt. [`Header::candidates`] has the possible ones, and what follows a record decides.
    Doubtful,
}

/// A log's header.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Header {
    types: Vec<EventType>,
    /// For each number up to the largest one declared: the index of its last declaration plus one, or 0 for none.
    places: Vec<u32>,
    /// For each number up to the largest one declared.
    layouts: Vec<Layout>,
    /// Whether GHC 6.12 wrote it. GHC 6.12 declares thread numbers with 8 bytes and writes 4 (FORMAT 1.6).
    ghc_6_12: bool,
    /// Whether a part could not be read, so that the declaration of any of GHC's event types may be missing.
    damaged: bool,
    reading: Reading,
    /// The possible layouts of each number whose size is in doubt, the likeliest first.
    doubts: Vec<(u16, Vec<Layout>)>,
}

/// What is made of sizes and numbers that are not GHC's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Reading {
    /// Declared sizes are true, whether they are GHC's or not.
    pub(crate) sizes_are_true: bool,
    /// Events of another size than GHC's have other fields, not GHC's and more after them.
    pub(crate) fields_are_others: bool,
    /// The writer has numbers of its own: where a description is GHC's for another number, the event is not GHC's.
    pub(crate) numbers_are_others: bool,
}

impl Header {
    /// The declared event types, in file order, repeated ones included.
    #[must_use]
    pub fn types(&self) -> &[EventType] {
        &self.types
    }

    /// The last declaration of a number.
    #[must_use]
    pub fn declared(&self, tag: u16) -> Option<&EventType> {
        let place = self.places.get(usize::from(tag))?.checked_sub(1)?;
        self.types.get(place as usize)
    }

    /// Whether the runtime that wrote the log has events of this number. It does if the number is declared, or if the
    /// header is damaged and still declares a later event of GHC's: then this declaration was lost.
    #[must_use]
    pub fn has(&self, tag: u16) -> bool {
        let later = |declared: &EventType| declared.tag > tag && info(declared.tag).is_some();
        let lost = || self.layout(tag).way != Way::Undeclared && self.types.iter().any(later);
        self.declared(tag).is_some() || lost()
    }

    /// Which of GHC's numberings of stop reasons this log uses. GHC 7.8.1 and 7.8.2 have event 58 but not 59, which the
    /// release that undid the change introduced.
    #[must_use]
    pub fn status_numbering(&self) -> StatusNumbering {
        if self.has(58) && !self.has(59) { StatusNumbering::Shifted } else { StatusNumbering::Usual }
    }

    /// Whether GHC itself declares this size and writes another (FORMAT 1.6), so that nothing is damaged.
    pub(crate) fn is_ghcs_mistake(&self, tag: u16, size: u16) -> bool {
        self.ghc_6_12 && has_thread(tag) || matches!((tag, size), (Startup::TAG, 0) | (55, 14) | (201, 0) | (212, 32))
    }

    pub(crate) fn layout(&self, tag: u16) -> Layout {
        self.layouts.get(usize::from(tag)).copied().unwrap_or_default()
    }

    /// The layout of each number up to the largest one declared.
    pub(crate) fn layouts(&self) -> &[Layout] {
        &self.layouts
    }

    /// The layouts that records of this number may have, the likeliest first. None if the log cannot have such records.
    pub(crate) fn candidates(&self, tag: u16) -> &[Layout] {
        match self.layouts.get(usize::from(tag)) {
            None | Some(Layout { way: Way::Undeclared, .. }) => &[],
            Some(Layout { way: Way::Doubtful, .. }) => {
                let doubts = self.doubts.iter().find(|(of, _)| *of == tag);
                doubts.map_or(&[], |(_, layouts)| layouts)
            }
            Some(layout) => core::slice::from_ref(layout),
        }
    }

    /// The memory that it takes, in bytes.
    pub(crate) fn bytes_held(&self) -> usize {
        let descriptions: usize = self.types.iter().map(|declared| declared.description.len()).sum();
        let types = self.types.capacity() * size_of::<EventType>() + descriptions;
        types + self.places.capacity() * size_of::<u32>() + self.layouts.capacity() * size_of::<Layout>()
    }

    pub(crate) fn declare(&mut self, declared: EventType) {
        let tag = usize::from(declared.tag);
        if tag >= self.places.len() {
            self.places.resize(tag + 1, 0);
        }
        self.types.push(declared);
        if let Some(place) = self.places.get_mut(tag) {
            *place = self.types.len() as u32;
        }
    }

    /// Works out the layouts once all types are declared. If the header is damaged, the declaration of any of GHC's
    /// event types may be missing.
    pub(crate) fn finish(&mut self, damaged: bool, numbers_are_others: bool) {
        self.ghc_6_12 = self.types.iter().any(|declared| (declared.tag, declared.size) == (0, 8));
        self.damaged = damaged;
        // Before there were blocks (March 2009), the first field of each event was its capability.
        let fields_are_others = !damaged && self.declared(BlockMarker::TAG).is_none();
        self.read_as(Reading { sizes_are_true: false, fields_are_others, numbers_are_others });
    }

    /// How it is read.
    pub(crate) fn reading(&self) -> Reading {
        self.reading
    }

    /// Works out the layouts anew.
    pub(crate) fn read_as(&mut self, reading: Reading) {
        self.reading = reading;
        let lost = EVENTS.iter().filter(|info| self.damaged && self.declared(info.tag).is_none()).map(|info| info.tag);
        let lost: Vec<u16> = lost.collect();
        let largest = lost.iter().copied().chain(self.types.iter().map(|declared| declared.tag)).max();
        self.layouts = alloc::vec![Layout::default(); largest.map_or(0, |tag| usize::from(tag) + 1)];
        self.doubts.clear();
        for at in 0..self.types.len() {
            let Some(declared) = self.types.get(at).filter(|declared| declared.tag != END_MARK) else { continue };
            let (tag, size, layouts) = (declared.tag, declared.size, self.possible_layouts(declared));
            self.lay_out(tag, size, layouts);
        }
        for info in lost.into_iter().filter_map(info) {
            let layouts = info.sizes().map(|size| layout(info.tag, size)).collect();
            self.doubt(info.tag, 0, layouts);
        }
    }

    /// Whether it has the same declarations, so that the same is to be made of them.
    pub(crate) fn declares_as(&self, other: &Self) -> bool {
        (&self.types, self.damaged) == (&other.types, other.damaged)
    }

    /// Whether the size of a declared type is in doubt.
    pub(crate) fn has_doubts(&self) -> bool {
        self.doubts.iter().any(|(tag, _)| self.declared(*tag).is_some())
    }

    /// Whether this number has a size that GHC never writes, where all of its records have the same size.
    pub(crate) fn has_other_size(&self, tag: u16) -> bool {
        let Some((declared, info)) = self.declared(tag).zip(info(tag)) else { return false };
        !info.variable && declared.size != VARIABLE && info.sizes().all(|size| size != declared.size)
    }

    /// Whether the fields of this number's events are not the ones that GHC gives to it, so that they cannot be read.
    #[must_use]
    pub fn has_other_fields(&self, tag: u16) -> bool {
        let Reading { fields_are_others, numbers_are_others, .. } = self.reading;
        let contradicts = |declared: &EventType| contradicts(tag, declared.description.as_bytes());
        fields_are_others && self.has_other_size(tag)
            || numbers_are_others && self.declared(tag).is_some_and(contradicts)
    }

    /// The layouts that records with this declaration may have, the likeliest first. The declared size counts, except
    /// for one that no GHC both declares and writes. Such a size comes from a damaged header, or is one of GHC's own
    /// mistakes (FORMAT 1.6). Then there are several layouts, and what follows a record decides between them, unless
    /// the log has shown that the declared sizes are true.
    fn possible_layouts(&self, declared: &EventType) -> Vec<Layout> {
        let EventType { tag, size, .. } = *declared;
        let as_declared = match self.has_other_fields(tag) {
            true => Layout { size, way: Way::Opaque },
            false => layout(tag, size),
        };
        let likelier: Vec<u16> = match info(tag) {
            _ if self.reading.sizes_are_true => Vec::new(),
            Some(info) if info.variable && size >= VARIABLE >> 1 && size != VARIABLE => alloc::vec![VARIABLE],
            Some(info) if !info.variable && size != VARIABLE => match tag {
                _ if self.ghc_6_12 && has_thread(tag) => alloc::vec![size.saturating_sub(4)],
                _ if info.sizes().any(|known| known == size) => Vec::new(),
                _ => info.sizes().collect(),
            },
            _ => Vec::new(),
        };
        likelier.into_iter().map(|size| layout(tag, size)).chain([as_declared]).collect()
    }

    fn lay_out(&mut self, tag: u16, size: u16, layouts: Vec<Layout>) {
        self.doubts.retain(|(of, _)| *of != tag);
        match layouts.as_slice() {
            [one] => self.put(tag, *one),
            _ => self.doubt(tag, size, layouts),
        }
    }

    fn doubt(&mut self, tag: u16, size: u16, layouts: Vec<Layout>) {
        self.put(tag, Layout { size, way: Way::Doubtful });
        self.doubts.push((tag, layouts));
    }

    fn put(&mut self, tag: u16, layout: Layout) {
        if let Some(place) = self.layouts.get_mut(usize::from(tag)) {
            *place = layout;
        }
    }
}

/// Whether GHC 6.12 declares the thread number of these events 4 bytes too long.
fn has_thread(tag: u16) -> bool {
    matches!(tag, 0..=6 | 8 | 15)
}

/// How records of a number and a size are framed and understood.
fn layout(tag: u16, size: u16) -> Layout {
    let variable = size == VARIABLE;
    let fits = |info: &&EventInfo| info.variable == variable && (variable || usize::from(size) >= info.min_size);
    let way = match info(tag).filter(fits) {
        None => Way::Opaque,
        Some(info) => match info.tag {
            BlockMarker::TAG => Way::Block,
            Ipe::TAG => Way::Ipe,
            _ if info.checkable => Way::Checked,
            _ => Way::Known,
        },
    };
    Layout { size, way }
}

#[cfg(test)]
mod tests;
