//! Logs with profiles and messages of the kinds that no real log of the corpus has, written as the runtime or a library writes them
//! (FORMAT 4.6, 4.7, 7): a case of the corpus each. They are undamaged, except those whose description says otherwise.

mod heap;
pub(crate) mod stacks;
pub mod telemetry;
mod ticky;

use crate::malformed::{Case, healthy, named_types, process, table_of, us};
use ghc_eventlog::{Block, Breakdown, CStr, HeapProfBegin, InfoTable, Ipe, LogWriter, Nanos, Text};

/// Every case, in order of their names.
pub fn cases() -> impl Iterator<Item = &'static Case> {
    let mut cases: Vec<&Case> =
        [heap::CASES, ticky::CASES, stacks::CASES, telemetry::CASES].into_iter().flatten().collect();
    cases.sort_by_key(|case| case.name);
    cases.into_iter()
}

/// The cases as a table for the corpus's README.
pub fn table() -> String {
    table_of("what it is", cases())
}

/// A log of one capability, and what `contents` writes: usually blocks of profiles.
fn log_with(contents: impl FnOnce(&mut LogWriter)) -> Vec<u8> {
    let used = |tag| matches!(tag, 0..=2 | 18 | 19 | 29 | 30 | 44 | 45 | 160..=169 | 181 | 210..=212);
    let mut log = LogWriter::with_types(&named_types(used));
    process(&mut log);
    healthy(&mut log, 0, 100);
    contents(&mut log);
    log.end();
    log.finish()
}

/// The same with a single block of the global stream.
fn with_global(contents: impl FnOnce(&mut LogWriter)) -> Vec<u8> {
    log_with(|log| {
        log.block(Block::GLOBAL, contents);
    })
}

fn ms(millis: u64) -> Nanos {
    us(millis * 1000)
}

fn cstr(text: &str) -> CStr<'_> {
    CStr(Text(text.as_bytes()))
}

/// A heap profile begins, with a census each 10 ms.
fn begin(log: &mut LogWriter, breakdown: u32) {
    let none = CStr::default();
    log.event(
        us(10),
        HeapProfBegin {
            profile: 0,
            period: ms(10),
            breakdown: Breakdown(breakdown),
            module_filter: none,
            closure_filter: none,
            type_filter: none,
            cost_centre_filter: none,
            stack_filter: none,
            retainer_filter: none,
            biography_filter: none,
        },
    );
}

/// Definitions of info tables: address, name, type, label, place in the source.
fn define_tables(log: &mut LogWriter, at: Nanos, tables: &[(u64, &str, &str, &str, &str)]) {
    for (address, name, type_name, label, location) in tables {
        log.event(
            at,
            Ipe {
                info_table: InfoTable(*address),
                table_name: cstr(name),
                closure_type: cstr("21"),
                type_name: cstr(type_name),
                label: cstr(label),
                module: cstr("Main"),
                location: cstr(location),
            },
        );
    }
}
