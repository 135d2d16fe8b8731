//! Ticky counters, as each of three runtimes defines them.

use super::*;
use ghc_eventlog::{TickyCounterBeginSample, TickyCounterDef, TickyCounterSample};

pub(super) const CASES: &[Case] = &[
    Case {
        name: "written-ticky-plain",
        what: "ticky counters, as GHC 9.2 defines them; one has samples before its definition, one has none",
        make: || counters(|_| (None, None)),
    },
    Case {
        name: "written-ticky-info-table",
        what: "ticky counters, as GHC 9.4 defines them: with info tables",
        make: || counters(|id| (Some(InfoTable(0x40_0000 + 64 * id)), None)),
    },
    Case {
        name: "written-ticky-json",
        what: "ticky counters, as GHC 9.6 and later define them: with JSON, and info tables of which one is defined itself",
        make: || counters(|id| (Some(InfoTable(0x40_0000 + 64 * id)), Some(JSON))),
    },
];

const JSON: &str = r#"{"type":"entCntr","subTy":"fun","fvs_c":2,"fvs":"ip","args":"xi"}"#;

/// Some counters; `more` adds to their definitions.
fn counters(more: impl Fn(u64) -> (Option<InfoTable>, Option<&'static str>)) -> Vec<u8> {
    let define = |log: &mut LogWriter, at: Nanos, id: u64, arity: u16, arguments: &str, name: &str| {
        let (info_table, json) = more(id);
        let (arguments, name, json) = (cstr(arguments), cstr(name), json.map(cstr));
        log.event(at, TickyCounterDef { id, arity, arguments, name, info_table, json });
    };
    with_global(|log| {
        define(log, us(20), 1, 2, "xi", "go{v sUa} (Main) (fun)");
        define(log, us(20), 2, 0, "", "sat{v sUb} (Main) (thk)");
        define(log, us(20), 4, 1, "L", "unused{v sUd} (Main) (fun)");
        for number in 1..=8u64 {
            let at = ms(10 * number);
            log.event(at, TickyCounterBeginSample {});
            // Counters that have counted nothing are left out.
            for (id, entries) in [(1, 1000 * number), (2, number % 3), (3, 70)] {
                if entries > 0 {
                    let (allocs_bytes, allocd_bytes) = (entries * 48, entries * 16 * (id % 2));
                    log.event(at, TickyCounterSample { id, entries, allocs_bytes, allocd_bytes });
                }
            }
        }
        define(log, ms(81), 3, 1, "w", "late{v sUc} (Main) (fun)");
        if more(1).1.is_some() {
            let tables = [(0x40_0040, "go_sUa_info", "Int -> Int", "go", "app/Main.hs:9:1-30")];
            define_tables(log, ms(82), &tables);
        }
    })
}
