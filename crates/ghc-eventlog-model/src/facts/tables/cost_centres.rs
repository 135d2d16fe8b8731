//! Where the time went: the cost centres of the time profile, each with the samples in which it was innermost, and those in which
//! it stood at all.

use crate::{
    facts::{
        profiles::centre_name,
        scope::Scope,
        table::{Cells, Listed},
        value::{Unit, Value},
    },
    keeping::texts::TextId,
    profiles::names::CostCentre,
};
use alloc::string::ToString;
use core::ops;
use ghc_eventlog::CostCentreId;

pub(super) struct CostCentres;

/// A cost centre that was met.
pub(super) struct Row {
    id: Option<CostCentreId>,
    own: u64,
    total: u64,
}

impl Listed for CostCentres {
    type Row = Row;
    const SECTION: &'static str = "time_profile";
    const KEY: &'static str = "cost_centres";
    const NAME: &'static str = "Cost centres";
    const COLUMNS: &'static [Cells<Row>] = &[
        Cells::new("name", "Cost centre", Unit::Text, |scope, row| Value::Text(centre_name(scope.session(), row.id))),
        Cells::new("module", "Module", Unit::Text, |scope, row| defined(scope, row, |centre| centre.module)),
        Cells::new("source", "Source", Unit::Text, |scope, row| defined(scope, row, |centre| centre.source)),
        Cells::new("self_samples", "Own samples", Unit::Count, |_, row| Value::Count(row.own)),
        Cells::new("self_share", "Own", Unit::Share, |scope, row| share(scope, row.own)),
        Cells::new("total_samples", "Samples in all", Unit::Count, |_, row| Value::Count(row.total)),
        Cells::new("total_share", "In all", Unit::Share, |scope, row| share(scope, row.total)),
    ];

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..scope.samples().map_or(0, |samples| samples.order_of_centres.len())
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<Row> {
        let samples = scope.samples()?;
        let at = *samples.order_of_centres.get(place)?;
        let (own, total) = *samples.centres.get(at as usize)?;
        Some(Row { id: scope.session().profiles.time.id(at), own, total })
    }

    fn is_told(scope: &Scope<'_>) -> bool {
        scope.samples().is_some()
    }
}

/// What its definition says.
fn defined(scope: &Scope<'_>, row: &Row, text: fn(&CostCentre) -> TextId) -> Value {
    let names = &scope.session().profiles.names;
    let centre = row.id.and_then(|id| names.centre(id));
    centre.map_or(Value::Unknown, |centre| Value::Text(names.text(text(centre)).to_string()))
}

/// Of all samples.
fn share(scope: &Scope<'_>, part: u64) -> Value {
    match scope.samples().map_or(0, |samples| samples.count) {
        0 => Value::Unknown,
        all => Value::Share(part as f64 / all as f64),
    }
}
