//! What happens to threads, and what of collections and capabilities matters to them.

use crate::terms::value::Value;
use ghc_eventlog::{CapNo, Nanos, StopReason, ThreadId};

/// Something that happens to a thread, to a collection or to a capability.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Op {
    pub(crate) time: Nanos,
    pub(crate) thread: ThreadId,
    /// The capability in whose stream the event is.
    pub(crate) cap: CapNo,
    pub(crate) what: What,
}

/// What happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    /// It is created.
    Create,
    /// It begins to run.
    Run,
    /// It stops. The reason, if it is known, and the thread that owns the black hole that it waits for, if any.
    Stop(Option<StopReason>, u32),
    /// It does not run there any more, since the capability does something else; the log does not have its stop.
    StopMissing,
    /// The capability that it runs on has no more events, in this stream of the file or in the whole log.
    LoseSight,
    /// It can run, but on a capability that has no more events in a log whose end is missing: it may have run there since.
    Unseen,
    /// Nothing is known of it from now on: what threads do is not logged for a while.
    Unlogged,
    /// Its process is over, and another one's log follows in the file.
    ProcessOver,
    /// It can run again, or moves to another capability.
    Wake(Waker),
    /// The same, from MIGRATE_THREAD.
    Migrate(Waker),
    /// A message of the program: the place of its [`Mark`](crate::keeping::crossing::marks::Mark) in the segment. The
    /// thread is the one that runs there, or 0 if none does.
    Mark(u32),
    /// The thread starts a spark: the one that it had started before is over. It changes no thread's state.
    Spark,
    /// Something that happens to a collection, on the capability that collects. It is about no thread.
    Gc(GcStep),
    /// The capability does something else than running a thread. It is about no thread, and so is the next.
    Occupied(Occupied),
    /// The capability does nothing any more. After a stop, it is idle without that.
    Vacant,
}

impl What {
    /// Who wakes a thread up with this: moving a blocked thread wakes it up, too.
    pub(crate) fn waker(self) -> Waker {
        match self {
            Self::Wake(by) | Self::Migrate(by) => by,
            _ => Waker(0),
        }
    }
}

/// What a capability does when it neither runs a thread nor is idle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Occupied {
    /// It works in a collection.
    Working,
    /// It has nothing to do in a collection that goes on, or takes a census.
    Waiting,
    /// It waits for a collection to begin.
    Syncing,
    /// Nobody knows: events are lost.
    NotKnown,
}

/// How many such states there are.
pub(crate) const OCCUPATIONS: usize = 4;

/// What happens to a collection on the capability that collects, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GcStep {
    /// It is requested.
    Requested,
    /// It begins.
    Begun,
    /// All capabilities have stopped.
    Synced,
    /// It is over: the time is no earlier than that of its other steps. It has taken so many nanoseconds since it began, or more if that is
    /// `u32::MAX`.
    Over(u32),
}

/// The thread that ran on the capability where the wake-up was logged: 0 if none did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Waker(pub(crate) u32);

impl Waker {
    pub(crate) fn of(thread: Option<ThreadId>) -> Self {
        Self(thread.map_or(0, |thread| thread.0))
    }

    /// The thread as a value for a table.
    pub(crate) fn value(self) -> Value {
        self.thread().map_or(Value::Unknown, Value::Thread)
    }

    /// The thread, if there was one: no thread has the number 0.
    pub(crate) fn thread(self) -> Option<ThreadId> {
        Some(ThreadId(self.0)).filter(|thread| thread.0 > 0)
    }
}

/// Which events are read besides those about threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Besides {
    Nothing,
    /// Messages and collections.
    Marks,
    /// The same, and how much each capability has allocated.
    Allocation,
}
