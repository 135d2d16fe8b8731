//! What the frames of the time profile are called. Definitions may come after their uses, so names are looked up when they
//! are shown.

use super::names::Names;
use crate::{keeping::texts::TextId, terms::frame::Frame};
use alloc::{
    format,
    string::{String, ToString},
};

/// The name of the empty stack of cost centres.
pub(crate) const MAIN: &str = "MAIN";

/// The name for everything that was not kept.
pub(crate) const OTHERS: &str = "(all others)";

impl Names {
    /// The name of a frame. If the log gives none, its number or address.
    pub(crate) fn of_frame(&self, frame: Frame) -> String {
        match frame {
            Frame::Main => MAIN.to_string(),
            Frame::Empty => "(empty stack)".to_string(),
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
            Frame::Main | Frame::Empty | Frame::Named(_) | Frame::Placed(..) | Frame::Function(_) => None,
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
            Frame::Main | Frame::Empty | Frame::Named(_) => return None,
        };
        Some(self.text(source).to_string())
    }
}
