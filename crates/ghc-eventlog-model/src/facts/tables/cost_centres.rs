//! Where the time went: the cost centres of the time profile, or whatever else its stacks are made of, each with the samples in
//! which it was innermost, and those in which it stood at all.

use crate::{
    facts::{
        scope::Scope,
        table::{Cells, Listed},
        value::{Unit, Value},
    },
    profiles::frames::Frame,
};
use alloc::string::ToString;
use core::ops;

pub(super) struct CostCentres;

/// A frame that was met.
pub(super) struct Row {
    frame: Frame,
    own: u64,
    total: u64,
}

impl Listed for CostCentres {
    type Row = Row;
    const SECTION: &'static str = "time_profile";
    const KEY: &'static str = "cost_centres";
    const NAME: &'static str = "Cost centres and functions";
    const COLUMNS: &'static [Cells<Row>] = &[
        Cells::new("name", "Name", Unit::Text, |scope, row| {
            Value::Text(scope.session().profiles.names.of_frame(row.frame))
        }),
        Cells::new("module", "Module", Unit::Text, |scope, row| {
            let module = scope.session().profiles.names.module_of(row.frame);
            module.map_or(Value::Unknown, |module| Value::Text(module.to_string()))
        }),
        Cells::new("source", "Source", Unit::Text, |scope, row| {
            scope.session().profiles.names.source_of(row.frame).map_or(Value::Unknown, Value::Text)
        }),
        Cells::new("self_samples", "Own samples", Unit::Count, |_, row| Value::Count(row.own)),
        Cells::new("self_share", "Own", Unit::Share, |scope, row| share(scope, row.own)),
        Cells::new("total_samples", "Samples in all", Unit::Count, |_, row| Value::Count(row.total)),
        Cells::new("total_share", "In all", Unit::Share, |scope, row| share(scope, row.total)),
    ];

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..scope.samples().map_or(0, |samples| samples.order_of_frames.len())
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<Row> {
        let samples = scope.samples()?;
        let at = *samples.order_of_frames.get(place)? as usize;
        let (own, total) = *samples.frames.get(at)?;
        Some(Row { frame: *scope.session().profiles.time.met().get(at)?, own, total })
    }

    fn is_told(scope: &Scope<'_>) -> bool {
        scope.samples().is_some()
    }
}

/// Of all samples.
pub(super) fn share(scope: &Scope<'_>, part: u64) -> Value {
    match scope.samples().map_or(0, |samples| samples.count) {
        0 => Value::Unknown,
        all => Value::Share(part as f64 / all as f64),
    }
}
