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
const USED: &str = "those that the profiles use, for the heaviest bands and stacks first";

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
        /// What the values are in memory: a constructor, a function, a thunk or the like; else as the log names it.
        Cells::new("closure_type", "Closure type", Unit::Text, |scope, table| {
            let number = scope.known().stores.profiles.names.text(table.closure_type);
            Value::words(closure_type(number).unwrap_or(number).to_string())
        }),
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

/// The kind of closure with this number, which the log has in decimal. All GHCs that write info tables number these alike (9.2 to 9.14,
/// `rts/storage/ClosureTypes.h`).
fn closure_type(number: &str) -> Option<&'static str> {
    Some(match number.parse::<u8>().ok()? {
        1..=7 => "constructor",
        8..=14 => "function",
        15..=22 => "thunk",
        25 => "partial application",
        27 | 28 => "indirection",
        29..=36 | 55..=57 => "stack frame",
        38 => "black hole",
        53 => "stack",
        _ => return None,
    })
}

fn text(scope: &Scope<'_>, id: TextId) -> Value {
    Value::words(scope.known().stores.profiles.names.text(id).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closure_types_have_names() {
        let names = ["20", "9", "16", "53", "30", "1"].map(closure_type);
        let wanted = ["thunk", "function", "thunk", "stack", "stack frame", "constructor"];
        assert_eq!(names, wanted.map(Some));
        assert_eq!(["0", "64", "999", "", "THUNK"].map(closure_type), [None; 5]);
    }
}
