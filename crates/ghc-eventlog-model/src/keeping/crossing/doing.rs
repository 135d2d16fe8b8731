//! What a thread is doing (STATISTICS, "Thread states").
//!
//! ```text
//! CREATE   RUN     STOP: blocked on an MVar   THREAD_WAKEUP   RUN      STOP: finished
//!   |......|rrrrrrr|bbbbbbbbbbbbbbbbbbbbbbbbbb|...............|rrrrrrrr|
//! ```
//!
//! In order of time over all capabilities.

use crate::terms::op::{Op, Waker, What};
use ghc_eventlog::{CapNo, Nanos, StopReason};

/// The states of a thread, by number; likewise those of its track.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Doing {
    Running,
    /// It could run, if a capability had time for it.
    Runnable,
    Blocked,
    /// It is in a call of a foreign function, and needs no capability.
    Foreign,
    /// It ran on a capability of which the log has nothing more: it may have done anything since.
    NotKnown,
    /// It is not there: not yet, or not any more.
    Gone,
}

/// How many states a thread that is there can be in.
pub(crate) const STATES: usize = Doing::Gone as usize;

/// What a thread is doing, and since when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Now {
    pub(crate) since: Nanos,
    pub(crate) doing: Doing,
    /// Why it is blocked; of a runnable one that was woken up, why it was, and of others none.
    pub(crate) reason: Option<StopReason>,
    /// The capability that it runs on, or ran on last.
    pub(crate) cap: CapNo,
    /// Of a blocked one, the thread whose black hole it waits for; of a runnable one that was woken up, the thread that did it. 0 if
    /// none is known.
    pub(crate) other: Waker,
}

/// What became of a thread by what happened to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Became {
    /// It goes on with what it did.
    Same,
    /// It does something else.
    Other,
    /// It does something else, which is impossible by what it did before.
    Impossible,
}

impl Now {
    /// Before it is there.
    pub(crate) const GONE: Self =
        Self { since: Nanos(0), doing: Doing::Gone, reason: None, cap: CapNo::GLOBAL, other: Waker(0) };

    /// Whether it is runnable since it was woken up.
    pub(crate) fn is_woken(&self) -> bool {
        self.doing == Doing::Runnable && self.reason.is_some()
    }

    /// Follows what happens to it.
    #[inline]
    pub(crate) fn step(&mut self, op: &Op) -> Became {
        let time = op.time.max(self.since);
        let next = Self { since: time, reason: None, other: Waker(0), ..*self };
        match op.what {
            What::Run => {
                let before = core::mem::replace(self, Self { doing: Doing::Running, cap: op.cap, ..next });
                // It has not stopped on another capability, whose clock may be some nanoseconds behind; or it was over.
                let impossible = before.doing == Doing::Running || before.doing == Doing::Gone && !before.is_new();
                if impossible { Became::Impossible } else { Became::Other }
            }
            // One that is older than the log begins with what is first seen of it; likewise below.
            What::Stop(..) if !self.is_open() && (self.doing != Doing::Running || self.cap != op.cap) => Became::Same,
            What::Stop(reason, owner) => {
                *self = Self { doing: after(reason), reason, other: Waker(owner), ..next };
                if self.doing != Doing::Blocked {
                    (self.reason, self.other) = (None, Waker(0));
                }
                Became::Other
            }
            // It has been run on another capability since.
            What::LoseSight if self.doing != Doing::Running || self.cap != op.cap => Became::Same,
            What::LoseSight => {
                *self = Self { doing: Doing::NotKnown, ..next };
                Became::Other
            }
            What::Wake(by) | What::Migrate(by) => match self.doing {
                Doing::Gone if !self.is_new() => Became::Same,
                Doing::Blocked | Doing::Gone => {
                    let reason = self.reason.or(Some(StopReason::Blocked));
                    *self = Self { doing: Doing::Runnable, reason, other: by, ..next };
                    Became::Other
                }
                // Every tenth event of a busy log wakes up a thread that runs: that one is woken up does not say what it did.
                Doing::Running | Doing::Runnable | Doing::Foreign | Doing::NotKnown => Became::Same,
            },
            What::Create => {
                if !matches!(self.doing, Doing::Gone | Doing::NotKnown) {
                    return Became::Same;
                }
                *self = Self { doing: Doing::Runnable, cap: op.cap, ..next };
                Became::Other
            }
            What::Mark(_) => Became::Same,
        }
    }

    /// Whether it may do anything, by what came before.
    fn is_open(&self) -> bool {
        self.is_new() || self.doing == Doing::NotKnown
    }

    /// Whether it has never been there.
    fn is_new(&self) -> bool {
        *self == Self::GONE
    }
}

/// What a thread does after it has stopped.
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
        // Its end is missing, or it only made room for others.
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

    /// Plays what happens to a thread, drawn in characters, one each 10 ns: `c` creates it, digits run it on that capability, letters
    /// stop it there: `y` yields, `m` blocks on an MVar, `f` calls a foreign function, `x` finishes; `e` ends the capability's data;
    /// `w` wakes it up. Stops and ends are on the capability that it was run on last, those in capitals on capability 9. Draws what
    /// it does: `r`, `.`, `b`, `f`, `?`, a blank where it is not there; and counts what is impossible.
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
            // One that is older than the log begins with what is first seen of it.
            ("  0  x ", "  rrr  "),
            ("  w  0 x", "  ...rr "),
        ]);
    }

    #[test]
    fn wake_ups_change_nothing_but_of_the_blocked() {
        check(&[("c w 0 w  m w w 0 f w 0 x w  ", "....rrrrrbb....rrffffrr     ")]);
    }

    /// It is killed: there is no wake-up.
    #[test]
    fn a_blocked_one_can_run() {
        check(&[("c 0 m   1 x ", "..rrbbbbrr  ")]);
        assert_eq!(play("c 0 m   1 x ").1, 0);
    }

    /// By clocks that differ, it runs there before it has stopped here.
    #[test]
    fn a_stop_ends_the_run_on_its_own_capability_only() {
        check(&[("c 0 1Y x", "..rrrrr ")]);
        assert_eq!(play("c 0 1Y x").1, 1);
    }

    /// A wake-up may be a stale one: it tells nothing of a thread that may still run.
    #[test]
    fn nothing_is_known_after_the_end_of_the_capability_that_ran_it() {
        check(&[
            ("c 0 e  w  1  x ", "..rr??????rrr  "),
            ("c 0 e    m  w 1", "..rr?????bbb..r"),
            // It has moved on before, or does not run at all.
            ("c 0 1E  m ", "..rrrrrrbb"),
            ("c 0 m  e w", "..rrbbbbb."),
        ]);
        assert_eq!(play("c 0 e  1  x ").1, 0);
    }
}
