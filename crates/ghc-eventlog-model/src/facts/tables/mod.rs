//! The tables. Each is one file, and stands once in the list below; it names the section that it belongs to.

mod bands;
pub(super) mod caps;
mod capsets;
mod collections;
mod compared;
mod contention;
mod cost_centres;
mod counters;
mod definitions;
mod environment;
mod event_types;
mod generations;
mod heap_cost_centres;
mod low_use;
mod markers;
mod modules;
mod nonmoving;
mod nonmoving_phases;
mod requests;
mod returned;
mod sampled_threads;
mod spans;
mod spark_caps;
mod stacks;
mod stops;
mod tasks;
mod threads;
mod ticky;
mod waits;

use super::{explained, scope::Scope, table::Table};
use crate::terms::{explained::Explained, table::TableInfo};
use alloc::{string::String, vec, vec::Vec};

/// Makes of the list of tables what they are found in, and what explains them.
macro_rules! tables {
    ($($Table:path),* $(,)?) => {
        /// All tables. Those of one section are shown in this order.
        static TABLES: &[&dyn Table] = &[$(&$Table),*];

        /// Each table and its columns, explained.
        pub(super) fn explained() -> Vec<Vec<Explained>> {
            vec![$(explained::of_table::<$Table>()),*]
        }
    };
}

tables! {
    caps::Caps,
    low_use::LowUseTable,
    generations::Generations,
    collections::Collected,
    stops::LastToStopTable,
    nonmoving_phases::Phases,
    nonmoving::NonMovingHeap,
    returned::Returned,
    threads::ThreadsTable,
    waits::Waits,
    contention::BlackHoles,
    spark_caps::SparkCaps,
    spans::Spans,
    spans::SpanList,
    requests::SlowestRequest,
    requests::RequestsTable,
    counters::Instruments,
    counters::NumberWords,
    markers::Markers,
    markers::EachMarker,
    bands::BandsTable,
    compared::ComparedTable,
    heap_cost_centres::HeapCostCentres,
    cost_centres::CostCentres,
    modules::ModulesTable,
    stacks::StacksTable,
    sampled_threads::SampledThreads,
    ticky::Ticky,
    definitions::CostCentreDefinitions,
    definitions::InfoTableDefinitions,
    tasks::Tasks,
    capsets::Capsets,
    environment::Environment,
    event_types::EventTypes,
}

/// The tables of a section.
pub(super) fn of_section(key: &str, scope: &Scope<'_>) -> Vec<TableInfo> {
    let shown = shown(key, scope).filter(|table| table.asked_by(scope).is_none());
    shown.map(|table| table.info(scope)).collect()
}

/// The tables of a section that are only shown to those who ask for them: what that is called, and the table.
pub(super) fn on_request(key: &str, scope: &Scope<'_>) -> Vec<(String, TableInfo)> {
    shown(key, scope).filter_map(|table| Some((table.asked_by(scope)?, table.info(scope)))).collect()
}

/// Those that have anything to show, also on request.
fn shown(key: &str, scope: &Scope<'_>) -> impl Iterator<Item = &'static dyn Table> {
    TABLES.iter().copied().filter(move |table| table.section() == key && table.is_shown(scope))
}

/// A table by its key.
pub(super) fn find(key: &str) -> Option<&'static dyn Table> {
    TABLES.iter().find(|table| table.key() == key).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_tables_have_the_same_key() {
        let keys: Vec<&str> = TABLES.iter().map(|table| table.key()).collect();
        keys.iter().for_each(|key| assert_eq!(keys.iter().filter(|other| *other == key).count(), 1, "{key}"));
    }
}
