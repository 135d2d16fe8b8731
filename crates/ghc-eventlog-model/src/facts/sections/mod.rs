//! The sections of the facts, in the order in which they are shown. Each is a file, and a line in the list below; a figure of
//! it is a line of that file.

mod caps;
mod gc;
mod heap;
mod log;
mod messages;
mod nonmoving;
mod process;
mod profiles;
mod range;
mod spans;
mod sparks;
mod tasks;
mod threads;
mod types;

use super::{Section, scope::Scope};

/// What makes a section; `None` where nothing can be said of a range.
type Make = fn(&Scope<'_>) -> Option<Section>;

/// All sections.
pub(super) static SECTIONS: &[Make] = &[
    log::section,
    range::section,
    process::section,
    caps::section,
    gc::section,
    nonmoving::section,
    heap::section,
    threads::section,
    sparks::section,
    spans::section,
    messages::section,
    profiles::heap,
    profiles::time,
    profiles::ticky,
    profiles::definitions,
    tasks::section,
    types::section,
];
