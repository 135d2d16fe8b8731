//! What the log defines for its profiles: cost centres, and info tables.

use crate::{
    facts::{
        scope::Scope,
        table::{Cells, Listed, columns},
    },
    keeping::texts::TextId,
    profiles::names::{CostCentre, DefinedKind, Info},
    terms::value::{Unit, Value},
};
use alloc::string::ToString;
use core::ops;

/// Which definitions are kept if there are too many.
const USED: &str = "those that the profiles use";

pub(super) struct CostCentreDefinitions;

impl Listed for CostCentreDefinitions {
    type Row = CostCentre;
    const SECTION: &'static str = "definitions";
    const KEY: &'static str = "cost_centre_definitions";
    const NAME: &'static str = "Cost centres that the log defines";
    const ABOUT: &'static str =
        "The cost centres that the log defines: places in the source to which the profiler attributes costs.";
    columns! {
        /// The number that profiles call it by.
        Cells::new("id", "Number", Unit::Count, |_, centre| Value::Count(centre.id.0.into())),
        /// The name of the cost centre.
        Cells::new("name", "Name", Unit::Text, |scope, centre| text(scope, centre.label)),
        /// The module that it is in.
        Cells::new("module", "Module", Unit::Text, |scope, centre| text(scope, centre.module)),
        /// Where in the source it is.
        Cells::new("source", "Source", Unit::Text, |scope, centre| text(scope, centre.source)),
        /// Whether it is for a constant (a CAF, constant applicative form): a top-level value that is evaluated once.
        Cells::new("caf", "Constant (CAF)", Unit::Text, |_, centre| {
            Value::words(if centre.is_caf { "yes" } else { "no" }.to_string())
        }),
    }

    const KEPT: &'static str = USED;

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..scope.known().stores.profiles.names.centres().len()
    }

    fn of(scope: &Scope<'_>) -> u64 {
        scope.known().stores.profiles.names.defined(DefinedKind::CostCentre)
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<CostCentre> {
        scope.known().stores.profiles.names.centres().get(place).copied()
    }
}

pub(super) struct InfoTableDefinitions;

impl Listed for InfoTableDefinitions {
    type Row = Info;
    const SECTION: &'static str = "definitions";
    const KEY: &'static str = "info_table_definitions";
    const NAME: &'static str = "Info tables that the log defines";
    const ABOUT: &'static str =
        "The info tables that the log defines. An info table describes one kind of value in memory.";
    columns! {
        /// The address of the info table in the program's memory, by which profiles call it; from GHC 10 on a number that
        /// is the same in each run.
        Cells::new("address", "Address", Unit::Text, |_, table| Value::words(table.address.to_string())),
        /// The name that the compiler gave it.
        Cells::new("name", "Name", Unit::Text, |scope, table| text(scope, table.name)),
        /// The type of the values that it describes.
        Cells::new("type", "Type", Unit::Text, |scope, table| text(scope, table.type_name)),
        /// The name in the source that the values come from.
        Cells::new("label", "Label", Unit::Text, |scope, table| text(scope, table.label)),
        /// The module that it is in.
        Cells::new("module", "Module", Unit::Text, |scope, table| text(scope, table.module)),
        /// Where in the source it is.
        Cells::new("source", "Source", Unit::Text, |scope, table| text(scope, table.source)),
        /// What the values are in memory, as the runtime calls it: a function, a thunk, a constructor or the like.
        Cells::new("closure_type", "Closure type", Unit::Text, |scope, table| text(scope, table.closure_type)),
    }

    const KEPT: &'static str = USED;

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..scope.known().stores.profiles.names.tables().len()
    }

    fn of(scope: &Scope<'_>) -> u64 {
        scope.known().stores.profiles.names.defined(DefinedKind::InfoTable)
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<Info> {
        scope.known().stores.profiles.names.tables().get(place).copied()
    }
}

fn text(scope: &Scope<'_>, id: TextId) -> Value {
    Value::words(scope.known().stores.profiles.names.text(id).to_string())
}
