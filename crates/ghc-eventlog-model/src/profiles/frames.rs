//! What the frames of the time profile are called. Definitions may come after their uses, so names are looked up when they
//! are shown.

use super::names::Names;
use crate::{
    keeping::{places::hash, texts::TextId},
    sorting::by_least,
    terms::frame::Frame,
};
use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

/// The name of the empty stack of cost centres.
pub(crate) const MAIN: &str = "MAIN";

/// The name of what was further in, of stacks that were not kept.
pub(crate) const DEEPER: &str = "(deeper, not kept)";

/// The name for everything that was not kept.
pub(crate) const OTHERS: &str = "(all others)";

impl Names {
    /// The name of a frame. If the log gives none, its number or address.
    pub(crate) fn of_frame(&self, frame: Frame) -> String {
        match frame {
            Frame::Main => MAIN.to_string(),
            Frame::Empty => "(empty stack)".to_string(),
            Frame::Deeper => DEEPER.to_string(),
            Frame::CostCentre(id) => self.of_centre(id),
            Frame::InfoTable(address) => {
                self.of_table(address).map_or_else(|| address.to_string(), ToString::to_string)
            }
            Frame::Named(id) | Frame::Placed(id, _) => self.of_string(id),
            Frame::Function(at) => self.of_place(at),
        }
    }

    /// The module that a frame's definition names.
    pub(crate) fn module_of(&self, frame: Frame) -> Option<&str> {
        self.module_id_of(frame).map(|module| self.text(module))
    }

    /// The same as the text's number, which all frames of the module share.
    pub(crate) fn module_id_of(&self, frame: Frame) -> Option<TextId> {
        match frame {
            Frame::CostCentre(id) => Some(self.centre(id)?.module),
            Frame::InfoTable(address) => Some(self.table(address)?.module),
            Frame::Main | Frame::Empty | Frame::Deeper | Frame::Named(_) | Frame::Placed(..) | Frame::Function(_) => {
                None
            }
        }
    }

    /// A frame's place in the source, if the log says.
    pub(crate) fn source_of(&self, frame: Frame) -> Option<String> {
        let source = match frame {
            Frame::CostCentre(id) => self.centre(id)?.source,
            Frame::InfoTable(address) => self.table(address)?.source,
            Frame::Placed(_, at) | Frame::Function(at) => {
                let at = self.location(at)?;
                return Some(format!("{}:{}:{}", self.of_string(at.file), at.row, at.column));
            }
            Frame::Main | Frame::Empty | Frame::Deeper | Frame::Named(_) => return None,
        };
        Some(self.text(source).to_string())
    }

    /// Tells apart things of equal names, each of some frames that are joined by `/`, such as the cost centres CAF of each
    /// module: where they differ in their modules, the frames there get these, as in `Module.CAF`; and what still has equal
    /// names then, places in the source.
    pub(crate) fn tell_apart(&self, frames: &[Vec<Frame>], names: &mut [String]) {
        let module = |frame: Frame| self.module_of(frame).unwrap_or_default().to_string();
        let source = |frame: Frame| self.source_of(frame).unwrap_or_default();
        // Labels that were cut may be equal, and have no frames.
        let named = |place: usize| frames.get(place).filter(|frames| !frames.is_empty());
        // Of each thing, which of its frames get their module.
        let mut in_modules: Vec<Vec<bool>> = alloc::vec![Vec::new(); names.len()];
        for same in groups(names) {
            let differ = differing(frames, &same, &module);
            for place in same {
                if let (Some(name), Some(frames)) = (names.get_mut(place), named(place)) {
                    *name = self.joined(frames, &differ, &[]);
                }
                if let Some(in_modules) = in_modules.get_mut(place) {
                    in_modules.clone_from(&differ);
                }
            }
        }
        for same in groups(names) {
            let differ = differing(frames, &same, &source);
            for place in same {
                if let (Some(name), Some(frames), Some(in_modules)) =
                    (names.get_mut(place), named(place), in_modules.get(place))
                {
                    *name = self.joined(frames, in_modules, &differ);
                }
            }
        }
    }

    /// The names of frames, joined: some of them with their modules, and some with their places in the source.
    fn joined(&self, frames: &[Frame], modules: &[bool], sources: &[bool]) -> String {
        let mut all = String::new();
        for (at, &frame) in frames.iter().enumerate() {
            let has = |which: &[bool]| which.get(at).copied().unwrap_or(false);
            if at > 0 {
                all.push('/');
            }
            if let Some(module) = self.module_of(frame).filter(|module| has(modules) && !module.is_empty()) {
                all.push_str(module);
                all.push('.');
            }
            all.push_str(&self.of_frame(frame));
            if let Some(source) = self.source_of(frame).filter(|source| has(sources) && !source.is_empty()) {
                all.push_str(" (");
                all.push_str(&source);
                all.push(')');
            }
        }
        all
    }
}

/// The places of equal names, where there are several of one.
pub(crate) fn groups(names: &[String]) -> Vec<Vec<usize>> {
    let name = |place: u32| names.get(place as usize).map_or("", String::as_str);
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut last: Option<u32> = None;
    // Equal names follow one another.
    for place in by_least(names.len(), |place| hash(name(place).as_bytes())) {
        match groups.last_mut().filter(|_| last.is_some_and(|last| name(last) == name(place))) {
            Some(group) => group.push(place as usize),
            None => groups.push(alloc::vec![place as usize]),
        }
        last = Some(place);
    }
    groups.retain(|group| group.len() > 1);
    groups
}

/// For each frame of some things, whether the things differ there in something.
fn differing(frames: &[Vec<Frame>], things: &[usize], what: &dyn Fn(Frame) -> String) -> Vec<bool> {
    let of = |place: usize| frames.get(place).map_or(&[][..], Vec::as_slice);
    let Some((&first, others)) = things.split_first() else { return Vec::new() };
    let differs = |(at, frame): (usize, &Frame)| {
        let own = what(*frame);
        others.iter().any(|other| of(*other).get(at).is_none_or(|frame| what(*frame) != own))
    };
    of(first).iter().enumerate().map(differs).collect()
}
