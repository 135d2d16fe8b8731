//! What stacks are made of.

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

impl Frame {
    /// A number that is seldom that of another frame.
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

    /// Whether it stands for a stack of none, for which there is always room.
    pub(crate) fn is_of_none(self) -> bool {
        matches!(self, Self::Main | Self::Empty)
    }
}
