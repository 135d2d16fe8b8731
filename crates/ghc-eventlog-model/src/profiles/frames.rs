//! What stacks of the time profile are made of, and what each part is called. Definitions may come after what they name, so this is
//! asked for when it is shown.

use super::names::Names;
use crate::{keeping::texts::TextId, terms::frame::Frame};
use alloc::{
    format,
    string::{String, ToString},
};

/// What the stack of no cost centres is called.
pub(crate) const MAIN: &str = "MAIN";

/// What all is called together that there was no room for.
pub(crate) const OTHERS: &str = "(all others)";

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
