//! Numbers that identify things. Each newtype says who assigns them.

use core::fmt;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident($inner:ty), $format:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(pub $inner);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, $format, self.0)
            }
        }
    };
}

id!(
    /// A Haskell thread, numbered by the runtime from 1; the low 32 bits of its 64-bit number.
    ThreadId(u32), "{}"
);
id!(
    /// A capability (HEC), numbered by the runtime from 0. 0xffff never names one: see [`CapNo::GLOBAL`].
    CapNo(u16), "{}"
);
id!(
    /// A set of capabilities; GHC uses 0 for the process (its "heap capset") and 1 for the clock.
    CapsetId(u32), "{}"
);
id!(
    /// A task (an OS thread of the runtime): an address or a pthread id, which is reused once the task is deleted.
    TaskId(u64), "{:#x}"
);
id!(
    /// A cost centre, numbered by the compiler and defined by HEAP_PROF_COST_CENTRE.
    CostCentreId(u32), "{}"
);
id!(
    /// The address of an info table. It connects IPE events, `-hi` bands and ticky counters.
    InfoTable(u64), "{:#x}"
);

impl CapNo {
    /// The block marker's capability of the global buffer: its events belong to no capability.
    pub const GLOBAL: Self = Self(0xffff);
}
