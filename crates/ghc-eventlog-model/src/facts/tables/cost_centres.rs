//! Where the time went: the cost centres of the time profile, or whatever else its stacks are made of, each with the samples in
//! which it was innermost, and those in which it stood at all.

use crate::{
    facts::{
        scope::Scope,
        table::{Cells, Listed, columns},
    },
    profiles::frames::OTHERS,
    terms::{
        frame::Frame,
        value::{Unit, Value},
    },
};
use alloc::string::ToString;
use core::ops;

pub(super) struct CostCentres;

/// A frame, and what is of the stacks that it is in.
pub(super) struct CostCentreRow {
    /// `None` for all that is no stack.
    pub(super) frame: Option<Frame>,
    pub(super) own: u64,
    pub(super) total: u64,
}

impl Listed for CostCentres {
    type Row = CostCentreRow;
    const SECTION: &'static str = "time_profile";
    const KEY: &'static str = "cost_centres";
    const NAME: &'static str = "Cost centres and functions";
    const ABOUT: &'static str =
        "The cost centres or functions of the time profile, and in how many samples each was met.";
    columns! {
        /// The name of the cost centre or function.
        Cells::new("name", "Name", Unit::Text, name),
        /// The module that it is in.
        Cells::new("module", "Module", Unit::Text, module),
        /// Where in the source it is.
        Cells::new("source", "Source", Unit::Text, source),
        /// How many samples met it as the innermost one: it ran itself.
        Cells::new("self_samples", "Own samples", Unit::Count, |_, row| Value::Count(row.own)),
        /// Its own samples as a share of all samples.
        Cells::new("self_share", "Own", Unit::Share, |scope, row| share(scope, row.own)),
        /// How many samples met it anywhere on the stack: it ran, or something that it called.
        Cells::new("total_samples", "Samples in all", Unit::Count, |_, row| Value::Count(row.total)),
        /// The samples of it and all that it called, as a share of all samples.
        Cells::new("total_share", "In all", Unit::Share, |scope, row| share(scope, row.total)),
    }

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..scope.samples().map_or(0, |samples| samples.frames.order.len())
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<CostCentreRow> {
        let (frame, own, total) = scope.samples()?.frames.get(place)?;
        Some(CostCentreRow {
            frame: scope.known().stores.profiles.time.tree.met().get(frame as usize).copied(),
            own,
            total,
        })
    }

    fn is_shown(scope: &Scope<'_>) -> bool {
        scope.samples().is_some()
    }
}

pub(super) fn name(scope: &Scope<'_>, row: &CostCentreRow) -> Value {
    let name = row.frame.map(|frame| scope.known().stores.profiles.names.of_frame(frame));
    Value::words(name.unwrap_or_else(|| OTHERS.to_string()))
}

pub(super) fn module(scope: &Scope<'_>, row: &CostCentreRow) -> Value {
    let module = row.frame.and_then(|frame| scope.known().stores.profiles.names.module_of(frame));
    module.map_or(Value::Unknown, |module| Value::words(module.to_string()))
}

pub(super) fn source(scope: &Scope<'_>, row: &CostCentreRow) -> Value {
    let source = row.frame.and_then(|frame| scope.known().stores.profiles.names.source_of(frame));
    source.map_or(Value::Unknown, Value::words)
}

/// Of all samples.
pub(super) fn share(scope: &Scope<'_>, part: u64) -> Value {
    match scope.samples().map_or(0, |samples| samples.count) {
        0 => Value::Unknown,
        all => Value::Share(part as f64 / all as f64),
    }
}
