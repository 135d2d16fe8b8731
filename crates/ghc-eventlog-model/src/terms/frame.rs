//! Frames of stacks, and the texts and places in the source that they name.

use ghc_eventlog::{CostCentreId, InfoTable};

/// A text that stacks name. The library ghc-stack-profiler numbers and defines them, anew after each start of logging; this is what
/// such a number means for a part of the log. `profiles/messages/definitions.rs` assigns these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct StringId(pub u32);

/// The same for a place in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LocationId(pub u32);

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
    /// A place in the source, which names the function.
    Function(LocationId),
    /// What was further in, of stacks that were too light to be kept.
    Deeper,
}

impl Frame {
    /// A hash of the frame: few frames share one.
    pub(crate) fn number(self) -> u64 {
        match self {
            Self::Main => u64::MAX,
            Self::Empty => u64::MAX - 1,
            Self::CostCentre(id) => id.0.into(),
            Self::InfoTable(address) => address.0,
            Self::Named(id) => !u64::from(id.0),
            Self::Placed(id, at) => !((u64::from(id.0) + 1) << 32 | u64::from(at.0)),
            Self::Function(at) => !(1 << 63 | u64::from(at.0)),
            Self::Deeper => u64::MAX - 2,
        }
    }

    /// Whether there is always room for the frame: it marks an empty stack, or what was not kept.
    pub(crate) fn always_fits(self) -> bool {
        matches!(self, Self::Main | Self::Empty | Self::Deeper)
    }
}
