//! The modules of the time profile, each with the samples in which the innermost cost centre was of it, and those in which any was.

use crate::{
    facts::{
        scope::Scope,
        table::{Cells, Listed, columns},
    },
    known::frames::module,
    terms::value::{Unit, Value},
};
use alloc::string::ToString;
use core::ops;
use ghc_eventlog::Nanos;

pub(super) struct ModulesTable;

/// One of its frames, its own samples, and all.
type ModuleRow = (u32, u64, u64);

impl Listed for ModulesTable {
    type Row = ModuleRow;
    const SECTION: &'static str = "time_profile";
    const KEY: &'static str = "modules";
    const NAME: &'static str = "Modules";
    const ABOUT: &'static str = "The modules of the time profile, and in how many samples each was met.";
    columns! {
        /// The name of the module.
        Cells::new("module", "Module", Unit::Text, |scope, (frame, ..)| {
            let known = scope.known();
            match known.stores.profiles.names.text(module(known, *frame)) {
                "" => Value::Unknown,
                module => Value::words(module.to_string()),
            }
        }),
        /// How many samples met code of this module as the innermost: it ran itself.
        Cells::new("self_samples", "Own samples", Unit::Count, |_, (_, own, _)| Value::Count(*own)),
        /// The time that its own samples stand for: their number times the time between two samples.
        Cells::new("self_ns", "Own time", Unit::Duration, |scope, (_, own, _)| time(scope, *own)),
        /// Its own samples as a share of all samples.
        Cells::new("self_share", "Own", Unit::Share, |scope, (_, own, _)| share(scope, *own)),
        /// How many samples met code of this module anywhere on the stack: it ran, or something that it called.
        Cells::new("total_samples", "Samples in all", Unit::Count, |_, (.., total)| Value::Count(*total)),
        /// The time that the samples in all stand for: their number times the time between two samples.
        Cells::new("total_ns", "Time in all", Unit::Duration, |scope, (.., total)| time(scope, *total)),
        /// The samples of it and all that it called, as a share of all samples.
        Cells::new("total_share", "In all", Unit::Share, |scope, (.., total)| share(scope, *total)),
    }

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..scope.modules().map_or(0, |modules| modules.frames.order.len())
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<ModuleRow> {
        scope.modules()?.frames.get(place)
    }

    fn is_shown(scope: &Scope<'_>) -> bool {
        scope.samples().is_some()
    }
}

/// What some samples stand for: a tick each.
fn time(scope: &Scope<'_>, samples: u64) -> Value {
    let tick = scope.modules().and_then(|modules| modules.tick);
    tick.map_or(Value::Unknown, |tick| Value::Duration(Nanos(tick.0.saturating_mul(samples))))
}

/// Of all samples.
fn share(scope: &Scope<'_>, part: u64) -> Value {
    match scope.samples().map_or(0, |samples| samples.count) {
        0 => Value::Unknown,
        all => Value::Share(part as f64 / all as f64),
    }
}
