//! What numbers and addresses in profiles stand for, as the log defines them: cost centres, info tables, and the texts and
//! places in the source of stacks.

pub(crate) mod late;

use super::{
    frames::OTHERS,
    messages::{Location, Meant},
};
use crate::{
    keeping::{
        places::{Places, hash, shuffled},
        texts::{TextId, Texts},
    },
    limits,
    terms::frame::{Frame, LocationId, StringId},
};
use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use ghc_eventlog::{CostCentre as Defined, CostCentreId, InfoTable, Ipe, Text};

/// A cost centre's definition.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CostCentre {
    pub(crate) id: CostCentreId,
    pub(crate) label: TextId,
    pub(crate) module: TextId,
    pub(crate) source: TextId,
    pub(crate) is_caf: bool,
}

/// An info table's definition.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Info {
    pub(crate) address: InfoTable,
    pub(crate) name: TextId,
    /// A number, kept as text.
    pub(crate) closure_type: TextId,
    pub(crate) type_name: TextId,
    pub(crate) label: TextId,
    pub(crate) module: TextId,
    pub(crate) source: TextId,
}

/// A text that stacks name, and its number in their messages.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct StackText {
    number: u64,
    /// `None` if it is not defined, or if there is no room for it.
    text: Option<TextId>,
}

/// The same for a place in the source.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct StackPlace {
    number: u64,
    at: Option<Location>,
}

/// The bit of a cost centre's flags that marks a CAF (a cost centre of constants).
const CAF: u8 = 1;

/// All definitions, in the order of the log. If one is repeated, as after a restart, the last one counts: usually they are
/// equal.
#[derive(Debug)]
pub(crate) struct Names {
    texts: Texts,
    /// The texts that are already kept: modules and types come again and again.
    known: Vec<TextId>,
    known_at: Places,
    centres: Vec<CostCentre>,
    centre_at: Places,
    tables: Vec<Info>,
    table_at: Places,
    /// How many of the info tables, the last ones, are from another log.
    adopted: usize,
    /// What the numbers in stacks mean, by [`StringId`] and [`LocationId`].
    strings: Vec<StackText>,
    locations: Vec<StackPlace>,
    /// Texts and places of stacks that were not kept, because there are too many.
    pub(crate) dropped: u64,
    /// How many definitions of cost centres, and of info tables, are in the log and not here: see `late.rs`.
    left_out: [u64; 2],
    /// Whether all of them have been read again, for those that profiles use.
    pub(crate) is_read_again: bool,
}

/// Adds a definition, or replaces the one at the place `known`.
fn put<T>(all: &mut Vec<T>, places: &mut Places, number: u64, known: Option<u32>, defined: T) {
    match known.and_then(|at| all.get_mut(at as usize)) {
        Some(known) => *known = defined,
        None => {
            places.insert_number(number, all.len() as u32);
            all.push(defined);
        }
    }
}

/// Sets a thing at a place, where there may be none yet.
fn put_at<T: Copy + Default>(all: &mut Vec<T>, place: u32, thing: T) {
    let place = place as usize;
    if all.len() <= place {
        all.resize(place + 1, T::default());
    }
    all.get_mut(place).into_iter().for_each(|known| *known = thing);
}

/// What is defined by a number or an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DefinedKind {
    CostCentre,
    InfoTable,
}

/// What makes two things the same.
type Sameness = (u64, u64, u8);

/// For each of some things the first one that is the same.
fn firsts(count: usize, key: &dyn Fn(usize) -> Option<Sameness>) -> Vec<u32> {
    let mut places = Places::default();
    let first = |at: usize| {
        let of = key(at)?;
        let hash = shuffled(shuffled(of.0 ^ u64::from(of.2)) ^ of.1);
        let found = places.find(hash, |other| key(other as usize) == Some(of));
        Some(found.unwrap_or_else(|| {
            places.insert(hash, at as u32);
            at as u32
        }))
    };
    (0..count).map(first).map(Option::unwrap_or_default).collect()
}

/// Which frames of stacks in messages mean the same: numbers of two streams may be for one text.
#[derive(Debug)]
pub struct SameFrames {
    strings: Vec<u32>,
    locations: Vec<u32>,
}

impl SameFrames {
    /// The first of all frames that mean what this one means.
    #[must_use]
    pub fn first(&self, frame: Frame) -> Frame {
        let string = |id: StringId| StringId(self.strings.get(id.0 as usize).copied().unwrap_or(id.0));
        let location = |id: LocationId| LocationId(self.locations.get(id.0 as usize).copied().unwrap_or(id.0));
        match frame {
            Frame::Named(id) => Frame::Named(string(id)),
            Frame::Placed(id, at) => Frame::Placed(string(id), location(at)),
            Frame::Function(at) => Frame::Function(location(at)),
            Frame::Main | Frame::Empty | Frame::CostCentre(_) | Frame::InfoTable(_) | Frame::Deeper => frame,
        }
    }
}

impl Default for Names {
    fn default() -> Self {
        Self {
            texts: Texts::with_room(limits::PROFILE_TEXT_BYTES),
            known: Vec::new(),
            known_at: Places::default(),
            centres: Vec::new(),
            centre_at: Places::default(),
            tables: Vec::new(),
            table_at: Places::default(),
            adopted: 0,
            strings: Vec::new(),
            locations: Vec::new(),
            dropped: 0,
            left_out: [0; 2],
            is_read_again: false,
        }
    }
}

impl Names {
    /// Keeps a text, only once for all who have it.
    pub(crate) fn keep(&mut self, text: Text<'_>) -> TextId {
        if text.0.is_empty() {
            return TextId::default();
        }
        let kept = self.texts.keep(text);
        self.once(kept)
    }

    /// Keeps the text that was kept last only if no equal one is known.
    fn once(&mut self, kept: TextId) -> TextId {
        let Self { texts, known, known_at, .. } = self;
        // What is kept of two others may be equal.
        if !kept.is_whole() {
            return kept;
        }
        let hash = hash(texts.get(kept).as_bytes());
        let id = |at: u32| known.get(at as usize).copied().unwrap_or_default();
        if let Some(at) = known_at.find(hash, |at| texts.get(id(at)) == texts.get(kept)) {
            let id = id(at);
            texts.forget(kept);
            return id;
        }
        if known.len() < limits::MAX_PROFILE_TEXTS {
            known_at.insert(hash, known.len() as u32);
            known.push(kept);
        }
        kept
    }

    /// Whether a definition of a cost centre or an info table can be kept; if not, it is counted. `is_place_left` says whether its kind
    /// has room for another one. If there is no room for more texts, a known definition is left as it is.
    fn has_room(&mut self, kind: DefinedKind, known: Option<u32>, is_place_left: bool) -> bool {
        let has_room = self.has_texts() && (known.is_some() || is_place_left);
        if known.is_none() && !has_room {
            self.leave_out(kind);
        }
        has_room
    }

    pub(crate) fn cost_centre(&mut self, defined: Defined<'_>) {
        let Defined { id, label, module, location, flags } = defined;
        let known = self.centre_at.find_number(id.0.into());
        if !self.has_room(DefinedKind::CostCentre, known, self.centres.len() < limits::MAX_COST_CENTRES) {
            return;
        }
        let [label, module, source] = [label, module, location].map(|text| self.keep(text.0));
        let centre = CostCentre { id, label, module, source, is_caf: flags & CAF != 0 };
        put(&mut self.centres, &mut self.centre_at, id.0.into(), known, centre);
    }

    pub(crate) fn info_table(&mut self, defined: Ipe<'_>) {
        let Ipe { info_table: address, table_name, closure_type, type_name, label, module, location } = defined;
        let known = self.table_at.find_number(address.0);
        if !self.has_room(DefinedKind::InfoTable, known, self.tables.len() < limits::MAX_INFO_TABLES) {
            return;
        }
        let [name, closure_type, type_name, label, module, source] =
            [table_name, closure_type, type_name, label, module, location].map(|text| self.keep(text.0));
        let table = Info { address, name, closure_type, type_name, label, module, source };
        put(&mut self.tables, &mut self.table_at, address.0, known, table);
    }

    /// The same, from another log: the log itself has been read.
    pub(crate) fn adopt_table(&mut self, defined: Ipe<'_>) {
        let count = self.tables.len();
        self.info_table(defined);
        self.adopted += self.tables.len() - count;
    }

    /// Takes what a number in stacks means. These come in order of their places.
    pub(crate) fn means(&mut self, meant: Meant<'_>) {
        match meant {
            Meant::String(id, text) => {
                let text = (!self.is_full()).then(|| self.keep(text));
                self.dropped += u64::from(text.is_none());
                let number = self.stack_text(id).map_or(0, |known| known.number);
                put_at(&mut self.strings, id.0, StackText { number, text });
            }
            Meant::Location(id, at) => {
                let number = self.stack_place(id).map_or(0, |known| known.number);
                put_at(&mut self.locations, id.0, StackPlace { number, at: Some(at) });
            }
            Meant::NewString(id, number, before) => {
                let text = self.stack_text(before).and_then(|before| before.text);
                put_at(&mut self.strings, id.0, StackText { number, text });
            }
            Meant::NewLocation(id, number, before) => {
                let at = self.stack_place(before).and_then(|before| before.at);
                put_at(&mut self.locations, id.0, StackPlace { number, at });
            }
            Meant::NotKept => self.dropped += 1,
        }
    }

    fn stack_text(&self, id: StringId) -> Option<StackText> {
        self.strings.get(id.0 as usize).copied()
    }

    fn stack_place(&self, id: LocationId) -> Option<StackPlace> {
        self.locations.get(id.0 as usize).copied()
    }

    /// Which frames of stacks in messages mean the same.
    pub(crate) fn same(&self) -> SameFrames {
        let strings = firsts(self.strings.len(), &|at| match self.strings.get(at)? {
            StackText { text: Some(text), .. } if text.is_whole() => Some((hash(self.text(*text).as_bytes()), 0, 0)),
            StackText { number, .. } => Some((*number, 0, 1)),
        });
        let string = |id: StringId| strings.get(id.0 as usize).copied().unwrap_or(id.0);
        let locations = firsts(self.locations.len(), &|at| match self.locations.get(at)? {
            StackPlace { at: Some(at), .. } => {
                let function = at.function.map_or(0, |function| u64::from(string(function)) + 1);
                let place = u64::from(at.row) << 32 | u64::from(at.column);
                Some((place, function << 32 | u64::from(string(at.file)), 0))
            }
            StackPlace { number, .. } => Some((*number, 0, 1)),
        });
        SameFrames { strings, locations }
    }

    /// Whether there is no room for more texts.
    pub(crate) fn is_full(&self) -> bool {
        self.texts.is_full()
    }

    pub(crate) fn text(&self, id: TextId) -> &str {
        self.texts.get(id)
    }

    pub(crate) fn centres(&self) -> &[CostCentre] {
        &self.centres
    }

    /// The info tables that the log itself defines.
    pub(crate) fn tables(&self) -> &[Info] {
        self.tables.get(..self.tables.len() - self.adopted).unwrap_or_default()
    }

    /// How many others another log has.
    pub(crate) fn adopted(&self) -> usize {
        self.adopted
    }

    pub(crate) fn centre(&self, id: CostCentreId) -> Option<&CostCentre> {
        self.centres.get(self.centre_at.find_number(id.0.into())? as usize)
    }

    pub(crate) fn table(&self, address: InfoTable) -> Option<&Info> {
        self.tables.get(self.table_at.find_number(address.0)? as usize)
    }

    pub(crate) fn location(&self, id: LocationId) -> Option<Location> {
        self.stack_place(id)?.at
    }

    /// A text of stacks: "string #7" if the log does not say.
    pub(crate) fn of_string(&self, id: StringId) -> String {
        match self.stack_text(id) {
            Some(StackText { text: Some(text), .. }) => self.text(text).to_string(),
            Some(StackText { number, .. }) => format!("string #{number}"),
            None => OTHERS.to_string(),
        }
    }

    /// The function that a place in the source names: "location #7" if the log does not say.
    pub(crate) fn of_place(&self, id: LocationId) -> String {
        match self.stack_place(id) {
            Some(StackPlace { at: Some(Location { function: Some(function), .. }), .. }) => self.of_string(function),
            Some(StackPlace { number, .. }) => format!("location #{number}"),
            None => OTHERS.to_string(),
        }
    }

    /// The name of a cost centre: "cc #7" if the log does not say.
    pub(crate) fn of_centre(&self, id: CostCentreId) -> String {
        self.centre(id).map_or_else(|| format!("cc #{id}"), |centre| self.text(centre.label).to_string())
    }

    /// The same, as the runtime's own profiles write it. Each module has a cost centre CAF, so that one is written
    /// `Module.CAF`.
    pub(crate) fn of_centre_in_module(&self, id: CostCentreId) -> String {
        let name = self.of_centre(id);
        let module = self.centre(id).map(|centre| self.text(centre.module)).filter(|module| !module.is_empty());
        match module {
            Some(module) if name == "CAF" => format!("{module}.CAF"),
            _ => name,
        }
    }

    /// The name of an info table; `None` if the log does not say.
    pub(crate) fn of_table(&self, address: InfoTable) -> Option<&str> {
        let table = self.table(address)?;
        [table.label, table.name].into_iter().map(|id| self.text(id)).find(|text| !text.is_empty())
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.texts.bytes_held()
            + self.known.capacity() * size_of::<TextId>()
            + self.known_at.bytes_held()
            + self.centres.capacity() * size_of::<CostCentre>()
            + self.tables.capacity() * size_of::<Info>()
            + self.centre_at.bytes_held()
            + self.table_at.bytes_held()
            + self.strings.capacity() * size_of::<StackText>()
            + self.locations.capacity() * size_of::<StackPlace>()
    }
}
