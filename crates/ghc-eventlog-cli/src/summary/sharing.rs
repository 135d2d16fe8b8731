//! Does parts of the model's work in as many threads as the machine runs at once.

use ghc_eventlog_model::Part;
use std::{
    num::NonZero,
    sync::{Mutex, OnceLock, PoisonError},
    thread::{self, Builder},
};

/// The most threads. More would have nothing to do, since a piece that is read at once has few parts.
const MOST: usize = 8;

/// Does all parts, in this thread and others.
pub(super) fn in_threads(parts: &mut [Part<'_>]) {
    let others = threads().min(parts.len()).saturating_sub(1);
    let left = Mutex::new(parts.iter_mut());
    let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        while let Some(part) = next() {
            part.work();
        }
    };
    thread::scope(|scope| {
        for _ in 0..others {
            // If the system gives no threads, this one does all of the work.
            let _ = Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
}

fn threads() -> usize {
    static THREADS: OnceLock<usize> = OnceLock::new();
    *THREADS.get_or_init(|| thread::available_parallelism().map_or(1, NonZero::get).min(MOST))
}
