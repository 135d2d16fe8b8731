//! What a thread is doing (STATISTICS, "Thread states").
//!
//! ```text
//! CREATE   RUN     STOP: blocked on an MVar   THREAD_WAKEUP   RUN      STOP: finished
//!   |......|rrrrrrr|bbbbbbbbbbbbbbbbbbbbbbbbbb|...............|rrrrrrrr|
//! ```
//!
//! It is followed in order of time over all capabilities.

use crate::terms::op::{Op, Waker, What};
use ghc_eventlog::{CapNo, Nanos, StopReason};

/// The states of a thread, by number. Its track has the same states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Doing {
    Running,
    /// It can run, but waits for a capability.
    Runnable,
    Blocked,
    /// It is in a foreign call, and needs no capability.
    Foreign,
    /// It ran on a capability that has no more events, or could have run there: its state since then is unknown.
    NotKnown,
    /// It does not exist yet, or not any more.
    Gone,
}

/// How many states an existing thread can be in.
pub(crate) const STATES: usize = Doing::Gone as usize;

/// What a thread is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Now {
    pub(crate) since: Nanos,
    pub(crate) doing: Doing,
    /// Blocked: the reason. Runnable after a wake-up: the reason why it had been blocked. Otherwise `None`.
    pub(crate) reason: Option<StopReason>,
    /// The capability that it runs on, or last ran on.
    pub(crate) cap: CapNo,
    /// Blocked: the owner of the black hole that it waits for. Runnable after a wake-up: the thread that woke it up. 0 if not
    /// known.
    pub(crate) other: Waker,
}

/// How an event changed a thread's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Became {
    /// Its state is the same.
    Same,
    /// It has another state.
    Other,
    /// It has another state, which is impossible after the one before.
    Impossible,
}

impl Now {
    /// The state before the thread is created.
    pub(crate) const GONE: Self =
        Self { since: Nanos(0), doing: Doing::Gone, reason: None, cap: CapNo::GLOBAL, other: Waker(0) };

    /// Whether it is runnable because of a wake-up.
    pub(crate) fn is_woken(&self) -> bool {
        self.doing == Doing::Runnable && self.reason.is_some()
    }

    /// Whether the thread has finished.
    pub(crate) fn is_over(&self) -> bool {
        self.doing == Doing::Gone && !self.is_new()
    }

    /// Applies an event.
    #[inline]
    pub(crate) fn step(&mut self, op: &Op) -> Became {
        let time = op.time.max(self.since);
        let next = Self { since: time, reason: None, other: Waker(0), ..*self };
        match op.what {
            What::Run => {
                let before = core::mem::replace(self, Self { doing: Doing::Running, cap: op.cap, ..next });
                // It has not stopped on another capability, whose clock may be some nanoseconds behind; or it had ended.
                let impossible = before.doing == Doing::Running || before.is_over();
                if impossible { Became::Impossible } else { Became::Other }
            }
            // A thread that is older than the log starts with the first event about it; the same below.
            What::Stop(..) | What::StopMissing
                if !self.is_open() && (self.doing != Doing::Running || self.cap != op.cap) =>
            {
                Became::Same
            }
            What::StopMissing => {
                *self = Self { doing: after(None), ..next };
                Became::Other
            }
            What::Stop(reason, owner) => {
                *self = Self { doing: after(reason), reason, other: Waker(owner), ..next };
                if self.doing != Doing::Blocked {
                    (self.reason, self.other) = (None, Waker(0));
                }
                Became::Other
            }
            // It has run on another capability since.
            What::LoseSight if self.doing != Doing::Running || self.cap != op.cap => Became::Same,
            What::LoseSight => {
                *self = Self { doing: Doing::NotKnown, ..next };
                Became::Other
            }
            What::Unseen if self.doing != Doing::Runnable => Became::Same,
            What::Unseen => {
                *self = Self { doing: Doing::NotKnown, ..next };
                Became::Other
            }
            What::Unlogged if matches!(self.doing, Doing::Gone | Doing::NotKnown) => Became::Same,
            What::Unlogged => {
                *self = Self { doing: Doing::NotKnown, ..next };
                Became::Other
            }
            What::ProcessOver if self.doing == Doing::Gone => Became::Same,
            What::ProcessOver => {
                *self = Self { doing: Doing::Gone, ..next };
                Became::Other
            }
            What::Wake(by) | What::Migrate(by) => match self.doing {
                Doing::Gone if !self.is_new() => Became::Same,
                Doing::Blocked | Doing::Gone => {
                    let reason = self.reason.or(Some(StopReason::Blocked));
                    *self = Self { doing: Doing::Runnable, reason, other: by, ..next };
                    Became::Other
                }
                // In a busy log, every tenth event is a wake-up of a running thread: it says nothing about the thread's
                // state.
                Doing::Running | Doing::Runnable | Doing::Foreign | Doing::NotKnown => Became::Same,
            },
            What::Create => {
                if !matches!(self.doing, Doing::Gone | Doing::NotKnown) {
                    return Became::Same;
                }
                *self = Self { doing: Doing::Runnable, cap: op.cap, ..next };
                Became::Other
            }
            What::Mark(_) | What::Spark | What::Gc(_) | What::Occupied(_) | What::Vacant => Became::Same,
        }
    }

    /// Whether it may be in any state, after what came before.
    fn is_open(&self) -> bool {
        self.is_new() || self.doing == Doing::NotKnown
    }

    /// Whether it has never existed so far.
    fn is_new(&self) -> bool {
        *self == Self::GONE
    }
}

/// The state of a thread after it has stopped.
fn after(reason: Option<StopReason>) -> Doing {
    match reason {
        Some(StopReason::Finished) => Doing::Gone,
        Some(StopReason::ForeignCall) => Doing::Foreign,
        Some(
            StopReason::Blocked
            | StopReason::BlockedOnMVar
            | StopReason::BlockedOnMVarRead
            | StopReason::BlockedOnBlackHole
            | StopReason::BlockedOnRead
            | StopReason::BlockedOnWrite
            | StopReason::BlockedOnDelay
            | StopReason::BlockedOnStm
            | StopReason::BlockedOnDoProc
            | StopReason::BlockedOnThrowTo
            | StopReason::BlockedOnIoCompletion,
        ) => Doing::Blocked,
        // Its end is missing, or it only yielded.
        None
        | Some(StopReason::HeapOverflow | StopReason::StackOverflow | StopReason::Yielding | StopReason::Migrating) => {
            Doing::Runnable
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{string::String, vec::Vec};
    use ghc_eventlog::ThreadId;

    /// Plays what happens to a thread, drawn in characters, 10 ns each: `c` creates it, a digit runs it on that capability, a
    /// letter stops it there: `y` yields, `m` blocks on an MVar, `f` calls a foreign function, `x` finishes; `e` ends the
    /// capability's data; `w` wakes it up, `u` on one without data. Stops and ends are on the capability that it last ran on; capital letters are on
    /// capability 9. Returns its states as characters (`r`, `.`, `b`, `f`, `?`, a blank where it does not exist), and the
    /// number of impossible events.
    fn play(events: &str) -> (String, usize) {
        let (mut now, mut impossible) = (Now::GONE, 0);
        let mut ran_on = CapNo(0);
        let mut drawn = String::new();
        for (at, letter) in events.chars().enumerate() {
            let stop = |reason| What::Stop(Some(reason), 0);
            let what = match letter.to_ascii_lowercase() {
                'c' => Some(What::Create),
                '0'..='9' => {
                    ran_on = CapNo(letter.to_digit(10).unwrap() as u16);
                    Some(What::Run)
                }
                'y' => Some(stop(StopReason::Yielding)),
                'm' => Some(stop(StopReason::BlockedOnMVar)),
                'f' => Some(stop(StopReason::ForeignCall)),
                'x' => Some(stop(StopReason::Finished)),
                'e' => Some(What::LoseSight),
                'w' => Some(What::Wake(Waker(7))),
                'u' => Some(What::Unseen),
                _ => None,
            };
            let cap = if letter.is_ascii_uppercase() { CapNo(9) } else { ran_on };
            if let Some(what) = what {
                let op = Op { time: Nanos(at as u64 * 10), thread: ThreadId(1), cap, what };
                impossible += usize::from(now.step(&op) == Became::Impossible);
            }
            drawn.push(match now.doing {
                Doing::Running => 'r',
                Doing::Runnable => '.',
                Doing::Blocked => 'b',
                Doing::Foreign => 'f',
                Doing::NotKnown => '?',
                Doing::Gone => ' ',
            });
        }
        (drawn, impossible)
    }

    fn check(pairs: &[(&str, &str)]) {
        let drawn: Vec<_> = pairs.iter().map(|(events, _)| play(events).0).collect();
        assert_eq!(drawn, pairs.iter().map(|(_, drawn)| *drawn).collect::<Vec<_>>());
    }

    #[test]
    fn a_life() {
        check(&[
            ("c  0  y  1  m   w  0  f   0 x  ", "...rrr...rrrbbbb...rrrffffrr   "),
            // A thread that is older than the log starts with the first event about it.
            ("  0  x ", "  rrr  "),
            ("  w  0 x", "  ...rr "),
        ]);
    }

    #[test]
    fn wake_ups_only_change_blocked_threads() {
        check(&[("c w 0 w  m w w 0 f w 0 x w  ", "....rrrrrbb....rrffffrr     ")]);
    }

    /// It is killed: there is no wake-up.
    #[test]
    fn a_blocked_thread_can_run() {
        check(&[("c 0 m   1 x ", "..rrbbbbrr  ")]);
        assert_eq!(play("c 0 m   1 x ").1, 0);
    }

    /// Clocks differ: it runs there before it has stopped here.
    #[test]
    fn a_stop_only_ends_the_run_on_its_own_capability() {
        check(&[("c 0 1Y x", "..rrrrr ")]);
        assert_eq!(play("c 0 1Y x").1, 1);
    }

    /// A wake-up may be stale: it says nothing about a thread that may still run.
    #[test]
    fn nothing_is_known_after_the_end_of_the_capability_that_ran_it() {
        check(&[
            ("c 0 e  w  1  x ", "..rr??????rrr  "),
            ("c 0 e    m  w 1", "..rr?????bbb..r"),
            // It has moved on before, or is not running at all.
            ("c 0 1E  m ", "..rrrrrrbb"),
            ("c 0 m  e w", "..rrbbbbb."),
        ]);
        assert_eq!(play("c 0 e  1  x ").1, 0);
    }
    #[test]
    fn nothing_is_known_once_it_could_run_where_nothing_is_seen() {
        check(&[
            ("c 0 m  wu  w 1 x ", "..rrbbb.?????rr  "),
            // It runs, or is blocked since.
            ("c 0 u m u 1 x ", "..rrrrbbbbrr  "),
        ]);
    }
}
