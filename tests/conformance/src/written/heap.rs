//! Heap profiles: by info table, by era, by biography; censuses in pieces; cost centres that are defined after their uses.

use super::*;
use ghc_eventlog::{
    CapsetId, CostCentre, CostCentreId, CostCentreStack, HeapBioProfSampleBegin, HeapProfSampleBegin,
    HeapProfSampleCostCentre, HeapProfSampleEnd, HeapProfSampleString, ProfBegin, ProfSampleCostCentre, ProgramArgs,
    RtsIdentifier, TextList,
};

pub(super) const CASES: &[Case] = &[
    Case {
        name: "written-heap-info-table",
        what: "heap profile by info table (-hi): the tables are defined after the last census, one never, two have one name",
        make: by_info_table,
    },
    Case {
        name: "written-heap-stable-ids",
        what: "heap profile by info table of GHC 10: numbers instead of addresses, a band `0x0`, a filter; logging is started \
               twice, and HEAP_PROF_BEGIN is written each time",
        make: by_stable_id,
    },
    Case {
        name: "written-heap-begun-late",
        what: "heap profile by info table of a log that was started late: HEAP_PROF_BEGIN is missing",
        make: begun_late,
    },
    Case {
        name: "written-heap-era",
        what: "heap profile by era (-he), of which there are more than nine",
        make: by_era,
    },
    Case {
        name: "written-heap-biography",
        what: "heap profile by biography (-hb): all censuses are written at the end, each with its own time",
        make: by_biography,
    },
    Case {
        name: "written-heap-pieces",
        what: "censuses in several pieces, with events of a capability between them; a label stands twice in each",
        make: in_pieces,
    },
    Case {
        name: "written-heap-no-ends",
        what: "censuses without ends, as before GHC 8.10; the last one names nothing",
        make: without_ends,
    },
    Case {
        name: "written-cost-centres-late",
        what: "heap and time profile by cost centre: the centres are defined after their uses, one never, one twice",
        make: late_cost_centres,
    },
];

/// Writes a census with the bytes of each label.
fn census(log: &mut LogWriter, at: Nanos, bands: &[(&str, u64)]) {
    log.event(at, HeapProfSampleBegin { number: 0 });
    entries(log, at, bands);
    log.event(at, HeapProfSampleEnd { number: 0 });
}

fn entries(log: &mut LogWriter, at: Nanos, bands: &[(&str, u64)]) {
    for (label, bytes) in bands.iter().filter(|(_, bytes)| *bytes > 0) {
        log.event(at, HeapProfSampleString { profile: 0, bytes: *bytes, label: cstr(label) });
    }
}

fn by_info_table() -> Vec<u8> {
    with_global(|log| {
        begin(log, 8);
        for number in 1..=12 {
            let bands = [
                ("0x431438", 4096 + 512 * number),
                ("0x4314a0", 80_000 - 6000 * number),
                ("0x432000", 1024 * (number % 3)),
                // Without a definition: a library that was built without the map.
                ("0x7f0010", 33_000),
            ];
            census(log, ms(10 * number), &bands);
        }
        let tables = [
            (0x431438, "sat_s4xY_info", "[]", "table", "app/Main.hs:12:5-30"),
            (0x4314a0, "go_s4xZ_info", "Map", "", "app/Main.hs:(20,1)-(24,17)"),
            // GHC writes this for a table whose source location it does not know.
            (0x432000, "table_s500_info", "[]", "table", ":"),
        ];
        define_tables(log, ms(125), &tables);
    })
}

/// Numbers of GHC 10: a module's table, and an index in it.
const STABLE: [(u64, &str, &str, &str, &str); 2] = [
    (3 << 32 | 1, "sat_s4xY_info", "[]", "table", "app/Main.hs:12:5-30"),
    (3 << 32 | 2, "go_s4xZ_info", "Map", "", "app/Main.hs:(20,1)-(24,17)"),
];

fn by_stable_id() -> Vec<u8> {
    let started = |from: u64| {
        stream(|log| {
            log.block(Block::GLOBAL, |log| {
                let capset = CapsetId(0);
                log.event(ms(from), RtsIdentifier { capset, text: Text(b"GHC-10.0.1 rts_thr") });
                log.event(
                    ms(from),
                    ProgramArgs { capset, args: TextList(b"./program\0+RTS\0-l\0-hi\0-hi300000001\0") },
                );
                begin_at(log, ms(from), 8);
                define_tables(log, ms(from), &STABLE);
                for number in 1..=8 {
                    let bands = [("0x300000001", 4096 * number), ("0x300000002", 9000), ("0x0", 2000)];
                    census(log, ms(from + 10 * number), &bands);
                }
            });
        })
    };
    [started(1), started(200)].concat()
}

fn begun_late() -> Vec<u8> {
    stream(|log| {
        log.block(Block::GLOBAL, |log| {
            define_tables(log, ms(1), &STABLE);
            for number in 1..=8 {
                census(log, ms(10 * number), &[("0x300000001", 4096 * number), ("0x300000002", 9000)]);
            }
        });
    })
}

fn by_era() -> Vec<u8> {
    with_global(|log| {
        begin(log, 9);
        for number in 1..=12u64 {
            let names: Vec<String> = (1..=number).map(|era| era.to_string()).collect();
            let bytes = |era: u64| 16_000 * era / (number - era + 1);
            let bands: Vec<(&str, u64)> = (1..).zip(&names).map(|(era, name)| (&**name, bytes(era))).collect();
            census(log, ms(10 * number), &bands);
        }
    })
}

fn by_biography() -> Vec<u8> {
    with_global(|log| {
        begin(log, 6);
        let last = 9;
        for number in 1..=last {
            let time = ms(10 * number);
            // The number is that of the last era in all of them.
            log.event(ms(100), HeapBioProfSampleBegin { number: last, time });
            let bands = [
                ("VOID", 300 * number),
                ("LAG", 2000 * (number % 4)),
                ("USE", 9000),
                ("INHERENT_USE", 640),
                ("DRAG", 50_000 / number),
            ];
            entries(log, ms(100), &bands);
            log.event(ms(100), HeapProfSampleEnd { number: last });
        }
    })
}

fn in_pieces() -> Vec<u8> {
    log_with(|log| {
        for number in 1..=4u64 {
            let at = ms(10 * number);
            log.block(Block::GLOBAL, |log| {
                if number == 1 {
                    begin(log, 7);
                }
                log.event(at, HeapProfSampleBegin { number: 0 });
                entries(log, at, &[("Data.Map.Bin", 4000 * number), ("ARR_WORDS", 160)]);
            });
            healthy(log, 0, 10_100 * number);
            log.block(Block::GLOBAL, |log| {
                entries(log, Nanos(at.0 + 50_000), &[("Data.Map.Bin", 80), ("STACK", 1000)]);
                log.event(Nanos(at.0 + 60_000), HeapProfSampleEnd { number: 0 });
            });
        }
    })
}

fn without_ends() -> Vec<u8> {
    with_global(|log| {
        begin(log, 2);
        for (number, bytes) in (1..).zip([100_000, 60_000, 61_000, 0]) {
            log.event(ms(10 * number), HeapProfSampleBegin { number: 0 });
            entries(log, ms(10 * number), &[("Main", bytes), ("SYSTEM", bytes / 4)]);
        }
    })
}

fn late_cost_centres() -> Vec<u8> {
    /// Cost centres, innermost first.
    const STACKS: [&[u32]; 5] = [&[3, 2, 1], &[2, 1], &[1], &[9, 1], &[]];
    let ids = |stack: &[u32]| stack.iter().map(|id| id.to_be_bytes()).collect::<Vec<_>>();
    with_global(|log| {
        begin(log, 1);
        log.event(us(11), ProfBegin { interval: ms(1) });
        for tick in 1..=60u64 {
            for cap in 0..2 {
                let stack = ids(STACKS[(tick as usize * (1 + cap)) % STACKS.len()]);
                log.event(ms(tick), ProfSampleCostCentre { cap: cap as u32, tick, stack: CostCentreStack(&stack) });
            }
            if tick % 10 == 0 {
                log.event(ms(tick), HeapProfSampleBegin { number: 0 });
                for (stack, bytes) in STACKS.iter().zip([9000, 400 * tick, 16, 800, 48]) {
                    let stack = ids(stack);
                    let stack = CostCentreStack(&stack);
                    log.event(ms(tick), HeapProfSampleCostCentre { profile: 0, bytes, stack });
                }
                log.event(ms(tick), HeapProfSampleEnd { number: 0 });
            }
        }
        // Number 3 once more, as after a restart: the first definition counts. Number 9 is not defined.
        let centres = [(1, "main", 0), (2, "build", 0), (3, "insert", 0), (4, "CAF", 0x63), (3, "something else", 0)];
        for (id, label, flags) in centres {
            let (label, module, location) = (cstr(label), cstr("Main"), cstr("app/Main.hs:7:1-20"));
            log.event(ms(61), CostCentre { id: CostCentreId(id), label, module, location, flags });
        }
    })
}
