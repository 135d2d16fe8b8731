//! What stacks of the time profile are made of, and what each part is called. Definitions may come after what they name, so this is
//! asked for when it is shown.

use super::names::Names;
use crate::keeping::texts::TextId;
use alloc::{
    format,
    string::{String, ToString},
};
use ghc_eventlog::{CostCentreId, InfoTable};

/// A text that stacks name by a number: the library ghc-stack-profiler numbers and defines them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct StringId(pub u64);

/// A place in the source that stacks name by a number, likewise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LocationId(pub u64);

/// One part of a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Frame {
    /// MAIN, which the runtime writes as a stack of no cost centres.
    Main,
    /// The only part of a thread's stack that has none.
    Empty,
    /// A cost centre.
    CostCentre(CostCentreId),
    /// Code, by the address of its info table.
    InfoTable(InfoTable),
    /// What the program calls it.
    Named(StringId),
    /// The same with its place in the source.
    Placed(StringId, LocationId),
}

/// What the stack of no cost centres is called.
pub(crate) const MAIN: &str = "MAIN";

/// What all is called together that there was no room for.
pub(crate) const OTHERS: &str = "(all others)";

impl Frame {
    /// A number that is seldom that of another frame.
    pub(super) fn number(self) -> u64 {
        match self {
            Self::Main => u64::MAX,
            Self::Empty => u64::MAX - 1,
            Self::CostCentre(id) => id.0.into(),
            Self::InfoTable(address) => address.0,
            Self::Named(id) => !id.0,
            Self::Placed(id, at) => !id.0.rotate_left(32).wrapping_add(at.0),
        }
    }

    /// Whether it stands for a stack of none, for which there is always room.
    pub(super) fn is_of_none(self) -> bool {
        matches!(self, Self::Main | Self::Empty)
    }
}

impl Names {
    /// What a frame is called. What the log does not name is called by its number or address.
    pub(crate) fn of_frame(&self, frame: Frame) -> String {
        match frame {
            Frame::Main => MAIN.to_string(),
            Frame::Empty => "(empty stack)".to_string(),
            Frame::CostCentre(id) => self.of_centre(id),
            Frame::InfoTable(address) => {
                self.of_table(address).map_or_else(|| address.to_string(), ToString::to_string)
            }
            Frame::Named(id) | Frame::Placed(id, _) => self.of_string(id),
        }
    }

    /// The module that a frame's definition names.
    pub(crate) fn module_of(&self, frame: Frame) -> Option<&str> {
        self.module_id_of(frame).map(|module| self.text(module))
    }

    /// The same as a text that stands for all frames of that module.
    pub(crate) fn module_id_of(&self, frame: Frame) -> Option<TextId> {
        match frame {
            Frame::CostCentre(id) => Some(self.centre(id)?.module),
            Frame::InfoTable(address) => Some(self.table(address)?.module),
            Frame::Main | Frame::Empty | Frame::Named(_) | Frame::Placed(..) => None,
        }
    }

    /// A frame's place in the source, if the log says.
    pub(crate) fn source_of(&self, frame: Frame) -> Option<String> {
        let source = match frame {
            Frame::CostCentre(id) => self.centre(id)?.source,
            Frame::InfoTable(address) => self.table(address)?.source,
            Frame::Placed(_, at) => {
                let at = self.location(at)?;
                return Some(format!("{}:{}:{}", self.of_string(at.file), at.row, at.column));
            }
            Frame::Main | Frame::Empty | Frame::Named(_) => return None,
        };
        Some(self.text(source).to_string())
    }
}
