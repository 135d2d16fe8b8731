//! The names that profiles use, which are only known once the log has been read.
//!
//! ```text
//! while it is read   definitions 1 … 32 768 are kept, as they come; 32 769 … 500 000 are only counted
//! once it is read    the bands and frames use 1000 of them: the others are forgotten, those that are missing are read again
//! ```
//!
//! A program built with -finfo-table-map has hundreds of thousands of info tables, all of which it defines when it starts; a profile shows
//! some thousand of them.

use super::{CostCentre, DefinedKind, Info, Names, StackText, put};
use crate::{
    keeping::{places::Places, texts::TextId},
    limits,
    profiles::{Profiles, tree::StackTree},
    sorting::by_most,
    terms::frame::Frame,
};
use alloc::vec::Vec;
use ghc_eventlog::{CostCentre as Defined, InfoTable, Ipe, TickyCounterDef};

/// What profiles use of one kind: numbers, those of the heaviest bands and frames first.
#[derive(Debug, Default)]
struct Used {
    places: Places,
    numbers: Vec<u64>,
    /// Which of them the log defines, as far as it has been read again.
    defined: Vec<bool>,
    /// Others, in order: profiles use more than there is room for.
    beyond: Vec<u64>,
}

/// The cost centres and info tables that profiles use.
#[derive(Debug, Default)]
pub(crate) struct UsedNames {
    centres: Used,
    tables: Used,
    /// How many of each kind there is room for: the heaviest.
    most: usize,
}

impl Used {
    fn add(&mut self, number: u64) {
        if self.places.find_number(number).is_some() {
            return;
        }
        if self.numbers.len() < limits::MAX_COST_CENTRES {
            self.places.insert_number(number, self.numbers.len() as u32);
            self.numbers.push(number);
            self.defined.push(false);
        } else if let Err(at) = self.beyond.binary_search(&number)
            && self.beyond.len() < limits::MAX_COST_CENTRES
        {
            self.beyond.insert(at, number);
        }
    }

    fn place(&self, number: u64) -> Option<usize> {
        self.places.find_number(number).map(|place| place as usize)
    }
}

impl UsedNames {
    fn of(&self, kind: DefinedKind) -> &Used {
        match kind {
            DefinedKind::CostCentre => &self.centres,
            DefinedKind::InfoTable => &self.tables,
        }
    }

    fn is_kept(&self, kind: DefinedKind, number: u64) -> bool {
        self.of(kind).place(number).is_some_and(|place| place < self.most)
    }

    /// Notes that the log defines a number; returns whether its definition is kept.
    fn is_defined(&mut self, kind: DefinedKind, number: u64) -> bool {
        let used = match kind {
            DefinedKind::CostCentre => &mut self.centres,
            DefinedKind::InfoTable => &mut self.tables,
        };
        let Some(place) = used.place(number) else { return false };
        used.defined.get_mut(place).into_iter().for_each(|defined| *defined = true);
        place < self.most
    }

    /// How many of a kind have no name.
    pub(crate) fn nameless(&self, kind: DefinedKind, names: &Names) -> u64 {
        let Used { numbers, beyond, .. } = self.of(kind);
        (numbers.iter().filter(|number| !names.has(kind, **number)).count() + beyond.len()) as u64
    }

    /// How many have no name although the log defines them.
    pub(crate) fn left_out(&self, names: &Names) -> u64 {
        let of = |kind| {
            let used = self.of(kind);
            used.numbers
                .iter()
                .zip(&used.defined)
                .filter(move |(number, defined)| **defined && !names.has(kind, **number))
        };
        let beyond = self.centres.beyond.len() + self.tables.beyond.len();
        (of(DefinedKind::CostCentre).count() + of(DefinedKind::InfoTable).count() + beyond) as u64
    }
}

impl Profiles {
    /// The names that the bands and frames use. `has_tables` is whether bands may be info tables.
    pub(crate) fn used_names(&self, has_tables: bool) -> UsedNames {
        let Self { heap, time, .. } = self;
        let mut used = UsedNames { most: limits::MAX_COST_CENTRES, ..UsedNames::default() };
        let bands = by_most(heap.bands().len(), |at| heap.bands().get(at as usize).map_or(0, |band| band.held.most));
        let frames = of_frames(&time.tree);
        let frames = by_most(frames.len(), |at| frames.get(at as usize).copied().unwrap_or_default());
        let band = |at: usize| bands.get(at).and_then(|band| heap.bands().get(*band as usize));
        // Bytes and samples cannot be compared: the heaviest of each, then the second of each.
        for at in 0..bands.len().max(frames.len()) {
            if let Some(band) = band(at) {
                // The innermost one is the band's name.
                heap.stack_of(band).first().into_iter().for_each(|id| used.centres.add(id.0.into()));
                let table = heap.table_of(band).filter(|table| has_tables && *table != InfoTable(0));
                table.into_iter().for_each(|table| used.tables.add(table.0));
            }
            match frames.get(at).and_then(|frame| time.tree.met().get(*frame as usize)) {
                Some(Frame::CostCentre(id)) => used.centres.add(id.0.into()),
                Some(Frame::InfoTable(table)) => used.tables.add(table.0),
                _ => {}
            }
        }
        for band in (0..bands.len()).filter_map(band) {
            heap.stack_of(band).iter().for_each(|id| used.centres.add(id.0.into()));
        }
        used
    }

    /// Forgets all definitions that are not used.
    pub(crate) fn forget_unused(&mut self, used: &UsedNames) {
        let Self { names, ticky, .. } = self;
        let old = core::mem::take(names);
        (names.dropped, names.left_out) = (old.dropped, old.left_out);
        for string in &old.strings {
            let text = string.text.map(|id| names.keep_again(&old, id));
            names.strings.push(StackText { text, ..*string });
        }
        names.locations.clone_from(&old.locations);
        ticky.move_texts(&mut |id| names.keep_again(&old, id));
        for centre in &old.centres {
            names.put_centre_again(&old, centre, used);
        }
        for table in &old.tables {
            names.put_table_again(&old, table, used);
        }
    }

    /// Takes a definition that is read again, if it is used.
    pub(crate) fn define_late(&mut self, used: &mut UsedNames, defined: LateDefinition<'_>) {
        let (kind, number) = match defined {
            LateDefinition::Centre(centre) => (DefinedKind::CostCentre, centre.id.0.into()),
            LateDefinition::Table(table) => (DefinedKind::InfoTable, table.info_table.0),
        };
        if !used.is_defined(kind, number) {
            return;
        }
        if !self.names.has_texts() {
            // The lightest give their room to heavier ones that come later.
            used.most = used.most / 4 * 3;
            self.forget_unused(used);
            if !used.is_kept(kind, number) {
                return;
            }
        }
        let is_new = !self.names.has(kind, number);
        match defined {
            LateDefinition::Centre(centre) => self.names.cost_centre(centre),
            LateDefinition::Table(table) => self.names.info_table(table),
        }
        if is_new && self.names.has(kind, number) {
            self.names.left_out_mut(kind).into_iter().for_each(|left_out| *left_out = left_out.saturating_sub(1));
        }
    }

    /// Takes a definition of a ticky counter that is read again. If there is no room for all names, the counters that count most have some.
    pub(crate) fn define_counter_late(&mut self, used: &UsedNames, defined: TickyCounterDef<'_>) {
        if self.names.is_full() && self.ticky.wants(&defined, &self.names) && self.ticky.leave_names_to_heaviest() {
            self.forget_unused(used);
        }
        self.ticky.define_again(defined, &mut self.names);
    }
}

impl Names {
    /// Whether a definition is kept.
    fn has(&self, kind: DefinedKind, number: u64) -> bool {
        let places = match kind {
            DefinedKind::CostCentre => &self.centre_at,
            DefinedKind::InfoTable => &self.table_at,
        };
        places.find_number(number).is_some()
    }

    /// Whether there is room for the texts of one more definition.
    pub(super) fn has_texts(&self) -> bool {
        self.texts.has_room_beside(limits::OTHER_NAMES_BYTES)
    }

    fn left_out_mut(&mut self, kind: DefinedKind) -> Option<&mut u64> {
        self.left_out.get_mut(kind as usize)
    }

    /// Counts a definition that is not kept.
    pub(super) fn leave_out(&mut self, kind: DefinedKind) {
        self.left_out_mut(kind).into_iter().for_each(|left_out| *left_out += 1);
    }

    /// How many definitions of a kind the log has and are not kept. Those of one thing count each time.
    pub(crate) fn left_out(&self, kind: DefinedKind) -> u64 {
        self.left_out.get(kind as usize).copied().unwrap_or_default()
    }

    /// How many definitions of a kind the log has.
    pub(crate) fn defined(&self, kind: DefinedKind) -> u64 {
        let kept = match kind {
            DefinedKind::CostCentre => self.centres().len(),
            DefinedKind::InfoTable => self.tables().len(),
        };
        kept as u64 + self.left_out(kind)
    }

    /// Keeps a text of other names.
    fn keep_again(&mut self, old: &Self, id: TextId) -> TextId {
        match old.text(id) {
            "" => TextId::default(),
            text => {
                let kept = self.texts.keep_as_it_is(text, id);
                self.once(kept)
            }
        }
    }

    fn put_centre_again(&mut self, old: &Self, centre: &CostCentre, used: &UsedNames) {
        let number = centre.id.0.into();
        if !used.is_kept(DefinedKind::CostCentre, number) {
            return self.leave_out(DefinedKind::CostCentre);
        }
        let [label, module, source] = [centre.label, centre.module, centre.source].map(|id| self.keep_again(old, id));
        put(&mut self.centres, &mut self.centre_at, number, None, CostCentre { label, module, source, ..*centre });
    }

    fn put_table_again(&mut self, old: &Self, table: &Info, used: &UsedNames) {
        let number = table.address.0;
        if !used.is_kept(DefinedKind::InfoTable, number) {
            return self.leave_out(DefinedKind::InfoTable);
        }
        let texts = [table.name, table.closure_type, table.type_name, table.label, table.module, table.source];
        let [name, closure_type, type_name, label, module, source] = texts.map(|id| self.keep_again(old, id));
        let table = Info { name, closure_type, type_name, label, module, source, ..*table };
        put(&mut self.tables, &mut self.table_at, number, None, table);
    }
}

/// A definition that is read again.
#[derive(Debug, Clone, Copy)]
pub(crate) enum LateDefinition<'a> {
    Centre(Defined<'a>),
    Table(Ipe<'a>),
}

/// How much is of stacks with each frame; of those that have it twice, twice as much.
fn of_frames(tree: &StackTree) -> Vec<u64> {
    let mut all = alloc::vec![0u64; tree.met().len()];
    for (node, total) in tree.nodes.iter().zip(tree.totals()) {
        all.get_mut(node.frame as usize).into_iter().for_each(|sum| *sum = sum.saturating_add(total));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_there_is_no_room_for_are_counted_once() {
        let mut used = UsedNames::default();
        for _ in 0..2 {
            (0..limits::MAX_COST_CENTRES as u64 + 5).rev().for_each(|number| used.centres.add(number));
        }
        let names = Names::default();
        assert_eq!(used.nameless(DefinedKind::CostCentre, &names), limits::MAX_COST_CENTRES as u64 + 5);
        assert_eq!((used.left_out(&names), used.nameless(DefinedKind::InfoTable, &names)), (5, 0));
    }
}
