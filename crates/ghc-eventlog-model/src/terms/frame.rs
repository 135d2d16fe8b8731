//! Frames of stacks, and the texts and places in the source that they name.

use ghc_eventlog::{CostCentreId, InfoTable};

/// A text that stacks refer to by a number. The library ghc-stack-profiler assigns and defines these numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct StringId(pub u64);

/// A place in the source that stacks refer to by a number, which ghc-stack-profiler assigns too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LocationId(pub u64);

/// A frame of a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Frame {
    /// MAIN, which the runtime writes as a stack of no cost centres.
    Main,
    /// The frame of a thread's stack that has no frames.
    Empty,
    /// A cost centre.
    CostCentre(CostCentreId),
    /// Code, by the address of its info table.
    InfoTable(InfoTable),
    /// The name that the program gives it.
    Named(StringId),
    /// The name that the program gives it, with its place in the source.
    Placed(StringId, LocationId),
}

impl Frame {
    /// A hash of the frame: few frames share one.
    pub(crate) fn number(self) -> u64 {
        match self {
            Self::Main => u64::MAX,
            Self::Empty => u64::MAX - 1,
            Self::CostCentre(id) => id.0.into(),
            Self::InfoTable(address) => address.0,
            Self::Named(id) => !id.0,
            Self::Placed(id, at) => !id.0.rotate_left(32).wrapping_add(at.0),
        }
    }

    /// Whether the frame marks an empty stack, for which there is always room.
    pub(crate) fn is_of_none(self) -> bool {
        matches!(self, Self::Main | Self::Empty)
    }
}
