//! Numbers that each mean one of a few named things.

/// Why a thread stopped, as STOP_THREAD gives it. What a number means depends on the runtime: see [`StatusNumbering`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct StopStatus(pub u16);

/// The three numberings of [`StopStatus`] that GHC has used (FORMAT 2.1). See [`crate::Header::status_numbering`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StatusNumbering {
    /// GHC 7.2 to 7.6, and 7.8.3 to today.
    #[default]
    Usual,
    /// GHC 7.8.1 and 7.8.2: one up from 8 on.
    Shifted,
}

/// Why a thread stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum StopReason {
    /// The nursery block is full: normal, the thread is ready again at once.
    HeapOverflow,
    /// The stack must grow; the thread is ready again at once.
    StackOverflow,
    /// The thread's time slice is over, or it called `yield`.
    Yielding,
    /// Blocked. GHC 6.12 and 7.0 give no reason.
    Blocked,
    /// The thread is over.
    Finished,
    /// The thread is in a safe foreign call, without a capability.
    ForeignCall,
    /// Waits in `takeMVar` or `putMVar` (before GHC 7.8.3 in `readMVar` too).
    BlockedOnMVar,
    /// Waits for another thread's evaluation.
    BlockedOnBlackHole,
    /// Waits for a file descriptor to become readable.
    BlockedOnRead,
    /// Waits for a file descriptor to become writable.
    BlockedOnWrite,
    /// Waits in `threadDelay`.
    BlockedOnDelay,
    /// Waits in an STM `retry`.
    BlockedOnStm,
    /// Waits for an asynchronous I/O request (Windows).
    BlockedOnDoProc,
    /// Waits in `throwTo`.
    BlockedOnThrowTo,
    /// The thread moves to another capability.
    Migrating,
    /// Waits in `readMVar`.
    BlockedOnMVarRead,
    /// Waits for an I/O completion port (Windows).
    BlockedOnIoCompletion,
}

impl StopStatus {
    /// The reason under the given numbering; `None` for "no status" and for numbers that no runtime emits.
    #[inline]
    #[must_use]
    pub const fn reason(self, numbering: StatusNumbering) -> Option<StopReason> {
        let StatusNumbering::Shifted = numbering else { return self.usual() };
        match self.0 {
            8 => Some(StopReason::BlockedOnMVarRead),
            9..=14 => Self(self.0 - 1).usual(),
            _ => self.usual(),
        }
    }

    #[inline]
    pub(crate) const fn usual(self) -> Option<StopReason> {
        Some(match self.0 {
            1 => StopReason::HeapOverflow,
            2 => StopReason::StackOverflow,
            3 => StopReason::Yielding,
            4 => StopReason::Blocked,
            5 => StopReason::Finished,
            6 => StopReason::ForeignCall,
            7 => StopReason::BlockedOnMVar,
            8 => StopReason::BlockedOnBlackHole,
            9 => StopReason::BlockedOnRead,
            10 => StopReason::BlockedOnWrite,
            11 => StopReason::BlockedOnDelay,
            12 => StopReason::BlockedOnStm,
            13 => StopReason::BlockedOnDoProc,
            18 => StopReason::BlockedOnThrowTo,
            19 => StopReason::Migrating,
            20 => StopReason::BlockedOnMVarRead,
            21 => StopReason::BlockedOnIoCompletion,
            _ => return None,
        })
    }
}

impl StopReason {
    /// A few words for people.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            // Neither is an error: a collection follows the one, and the stack grows after the other.
            Self::HeapOverflow => "heap overflow (allocation area full)",
            Self::StackOverflow => "stack overflow (stack grows)",
            Self::Yielding => "yielding",
            Self::Blocked => "blocked",
            Self::Finished => "finished",
            Self::ForeignCall => "foreign call",
            Self::BlockedOnMVar => "blocked on an MVar",
            Self::BlockedOnBlackHole => "blocked on a black hole",
            Self::BlockedOnRead => "blocked on reading",
            Self::BlockedOnWrite => "blocked on writing",
            Self::BlockedOnDelay => "blocked in threadDelay",
            Self::BlockedOnStm => "blocked in STM retry",
            Self::BlockedOnDoProc => "blocked on asynchronous I/O",
            Self::BlockedOnThrowTo => "blocked in throwTo",
            Self::Migrating => "migrating",
            Self::BlockedOnMVarRead => "blocked reading an MVar",
            Self::BlockedOnIoCompletion => "blocked on I/O completion",
        }
    }
}

macro_rules! named {
    ($(#[$doc:meta])* $name:ident($inner:ty) { $($number:literal => $text:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub struct $name(pub $inner);

        impl $name {
            /// Its name; `None` for a number that no runtime emits.
            #[must_use]
            pub const fn text(self) -> Option<&'static str> {
                match self.0 {
                    $($number => Some($text),)*
                    _ => None,
                }
            }
        }
    };
}

named!(
    /// What a capability set represents.
    CapsetType(u16) { 1 => "custom", 2 => "OS process", 3 => "clock domain" }
);
named!(
    /// What a heap profile is broken down by (FORMAT 2.2).
    Breakdown(u32) {
        1 => "cost centre", 2 => "module", 3 => "closure description", 4 => "type description", 5 => "retainer",
        6 => "biography", 7 => "closure type", 8 => "info table", 9 => "era",
    }
);
named!(
    /// A message between the machines of the parallel runtime Eden.
    MessageTag(u8) {
        0x50 => "Ready", 0x51 => "NewPE", 0x52 => "PETIDS", 0x53 => "Finish", 0x54 => "FailPE", 0x55 => "RFork",
        0x56 => "Connect", 0x57 => "DataMes", 0x58 => "Head", 0x59 => "Constr", 0x5a => "Part", 0x5b => "Terminate",
        0x5c => "Packet",
    }
);

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn reasons(numbering: StatusNumbering) -> Vec<(u16, &'static str)> {
        let text = |status| Some((status, StopStatus(status).reason(numbering)?.text()));
        (0..=u16::MAX).filter_map(text).collect()
    }

    #[test]
    fn stop_reasons_have_the_runtimes_numbers() {
        let first = [
            (1, "heap overflow (allocation area full)"),
            (2, "stack overflow (stack grows)"),
            (3, "yielding"),
            (4, "blocked"),
            (5, "finished"),
            (6, "foreign call"),
            (7, "blocked on an MVar"),
        ];
        let waiting = [
            "blocked on a black hole",
            "blocked on reading",
            "blocked on writing",
            "blocked in threadDelay",
            "blocked in STM retry",
            "blocked on asynchronous I/O",
        ];
        let last = [
            (18, "blocked in throwTo"),
            (19, "migrating"),
            (20, "blocked reading an MVar"),
            (21, "blocked on I/O completion"),
        ];
        let usual: Vec<_> = first.into_iter().chain((8..).zip(waiting)).chain(last).collect();
        assert_eq!(reasons(StatusNumbering::Usual), usual);
        let read = [(8, "blocked reading an MVar")];
        let shifted: Vec<_> = first.into_iter().chain(read).chain((9..).zip(waiting)).chain(last).collect();
        assert_eq!(reasons(StatusNumbering::Shifted), shifted);
    }
}
