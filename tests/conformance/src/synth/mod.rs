//! Logs of shapes that no available real log has, and that repeating one cannot make. Each is what a program of that
//! shape would write: threads run, stop and wait, and collections stop them all. The bytes are the same each time.

pub mod accounted;
mod buffers;
mod burst;
mod caps;
mod collection;
mod heap_profile;
pub mod heavy;
mod labels;
mod late_cap;
mod long;
mod many_threads;
mod messages;
mod program;
mod spans;
mod threads;
mod time_profile;
mod tiny_blocks;
mod wake_ups;
mod wide;

use std::io::{self, Write};

/// A kind of log.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// Its name on the command line.
    pub name: &'static str,
    /// A short description.
    pub what: &'static str,
    /// How much of it makes it large, in what the shape counts: threads, collections, events, texts or blocks.
    pub count: u64,
    /// Writes it with that count, or with a smaller one for a small log of the same shape.
    pub write: fn(u64, &mut dyn Write) -> io::Result<()>,
}

/// All shapes.
pub static SHAPES: &[Shape] = &[
    Shape {
        name: "threads",
        what: "200 000 threads on 4 capabilities, a third of them labelled, each run three times",
        count: 200_000,
        write: threads::write,
    },
    Shape { name: "caps", what: "64 capabilities for 22 s, with 4000 collections", count: 4_000, write: caps::write },
    Shape {
        name: "wide",
        what: "256 capabilities, GHC's most, each with blocks of 2 MiB that last as long as the log",
        count: 32_000_000,
        write: wide::write,
    },
    Shape {
        name: "long",
        what: "ten hours, with little work in each second and none in the fifth hour",
        count: 100_000,
        write: long::write,
    },
    Shape {
        name: "burst",
        what: "10 s with little work and, in 10 ms of them, 5 million events",
        count: 5_000_000,
        write: burst::write,
    },
    Shape {
        name: "labels",
        what: "2000 thread labels, messages and markers of 60 KB each",
        count: 2_000,
        write: labels::write,
    },
    Shape {
        name: "tiny-blocks",
        what: "a million blocks of one event each",
        count: 1_000_000,
        write: tiny_blocks::write,
    },
    Shape { name: "heap-profile", what: "10 000 censuses of 2000 bands", count: 10_000, write: heap_profile::write },
    Shape {
        name: "time-profile",
        what: "17 minutes of 16 capabilities, each with a stack of cost centres every millisecond",
        count: 1_000_000,
        write: time_profile::write,
    },
    Shape {
        name: "wake-ups",
        what: "1 GB of threads that run for some microseconds and wake one another up",
        count: 18_000_000,
        write: wake_ups::write,
    },
    Shape { name: "messages", what: "1 GB of messages, five in each run", count: 18_000_000, write: messages::write },
    Shape {
        name: "spans",
        what: "1 GB of user spans in one another, with 100 000 labels, one of which takes long",
        count: 18_000_000,
        write: spans::write,
    },
    Shape {
        name: "many-threads",
        what: "a million threads, each run 32 times, 1 GB; only the last one is blocked, for 2 s",
        count: 1_000_000,
        write: many_threads::write,
    },
    Shape {
        name: "late-cap",
        what: "4 capabilities for 109 s; all blocks of one of them stand last in the file",
        count: 20_000,
        write: late_cap::write,
    },
    Shape {
        name: "info-tables",
        what: "500 000 definitions of info tables, and a heap profile of the last 1000",
        count: 500_000,
        write: |count, to| heavy::info_tables(count, count.saturating_sub(1000)..count, to),
    },
    Shape {
        name: "ipe",
        what: "a million definitions of info tables, and 1 GB of a heap profile of 5000 of them",
        count: 7_000,
        write: heavy::ipe,
    },
    Shape {
        name: "cost-centres",
        what: "60 000 cost centres, and profiles of the last 100",
        count: 60_000,
        write: |count, to| heavy::cost_centres(count, count.saturating_sub(100)..count, to),
    },
    Shape {
        name: "stacks",
        what: "200 000 different stacks in a time profile, the last 100 with 50 samples each, the others with one",
        count: 200_000,
        write: |count, to| heavy::stacks(count, count.saturating_sub(100)..count, 50, to),
    },
];

/// The shape of this name.
#[must_use]
pub fn shape(name: &str) -> Option<&'static Shape> {
    SHAPES.iter().find(|shape| shape.name == name)
}
