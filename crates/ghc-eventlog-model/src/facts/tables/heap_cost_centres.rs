//! Where the memory came from: the cost centres of a heap profile by cost centres, each with the bytes that were held of stacks in which
//! it is innermost, and of those in which it stands at all. Means over the time.

use super::cost_centres::{CostCentreRow, module, name, source};
use crate::{
    facts::{
        scope::Scope,
        table::{Cells, Listed, columns},
    },
    terms::value::{Unit, Value},
};
use core::ops;

pub(super) struct HeapCostCentres;

impl Listed for HeapCostCentres {
    type Row = CostCentreRow;
    const SECTION: &'static str = "heap_profile";
    const KEY: &'static str = "heap_cost_centres";
    const NAME: &'static str = "Cost centres of the heap";
    const ABOUT: &'static str =
        "The cost centres of a heap profile by cost centres: how much of the data in use was allocated in each.";
    columns! {
        /// The name of the cost centre.
        Cells::new("name", "Name", Unit::Text, name),
        /// The module that it is in.
        Cells::new("module", "Module", Unit::Text, module),
        /// Where in the source it is.
        Cells::new("source", "Source", Unit::Text, source),
        /// How much data in use it allocated itself, as the innermost cost centre: the mean over the time.
        Cells::new("self_bytes", "Own bytes", Unit::Bytes, |_, row| Value::Bytes(row.own)),
        /// Its own bytes as a share of those of all cost centres.
        Cells::new("self_share", "Own", Unit::Share, |scope, row| share(scope, row.own)),
        /// How much data in use was allocated by it or by what it called: the mean over the time.
        Cells::new("total_bytes", "Bytes in all", Unit::Bytes, |_, row| Value::Bytes(row.total)),
        /// What it and all that it called allocated, as a share of all bytes.
        Cells::new("total_share", "In all", Unit::Share, |scope, row| share(scope, row.total)),
    }

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..scope.held_stacks().map_or(0, |stacks| stacks.frames.order.len())
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<CostCentreRow> {
        let stacks = scope.held_stacks()?;
        let (frame, own, total) = stacks.frames.get(place)?;
        Some(CostCentreRow { frame: stacks.tree.met().get(frame as usize).copied(), own, total })
    }

    fn is_shown(scope: &Scope<'_>) -> bool {
        scope.held_stacks().is_some()
    }
}

/// Of the bytes of all stacks.
fn share(scope: &Scope<'_>, part: u64) -> Value {
    match scope.held_stacks().map_or(0, |stacks| stacks.bytes) {
        0 => Value::Unknown,
        all => Value::Share(part as f64 / all as f64),
    }
}
