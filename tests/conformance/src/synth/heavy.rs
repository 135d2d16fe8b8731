//! `info-tables`, `ipe`, `cost-centres`, `stacks`: very many of something, of which few weigh anything; these may come last.

use super::program::{MILLISECOND, Program, Writing};
use ghc_eventlog::{
    Breakdown, CStr, CostCentre, CostCentreId, CostCentreStack, HeapProfBegin, HeapProfSampleBegin,
    HeapProfSampleCostCentre, HeapProfSampleEnd, HeapProfSampleString, InfoTable, Ipe, Nanos, ProfBegin,
    ProfSampleCostCentre, Text,
};
use std::{
    io::{self, Write},
    ops::Range,
};

/// Nanoseconds that writing a definition takes.
const DEFINITION: u64 = 100;

/// Censuses of the heap profiles.
const CENSUSES: u64 = 20;

fn cstr(text: &str) -> CStr<'_> {
    CStr(Text(text.as_bytes()))
}

/// What the thing with a number is called: its name, module and place in the source.
#[must_use]
pub fn name_of(number: u64) -> [String; 3] {
    let module = number / 100;
    [format!("f{number}"), format!("M{module}"), format!("src/M{module}.hs:{}:1-20", number % 90 + 1)]
}

/// The address of the info table with a number.
#[must_use]
pub fn address_of(number: u64) -> u64 {
    0x40_0000 + 8 * number
}

fn begin(program: &mut Program<'_>, breakdown: u32) {
    let none = CStr::default();
    program.global(HeapProfBegin {
        profile: 0,
        period: Nanos(100 * MILLISECOND),
        breakdown: Breakdown(breakdown),
        module_filter: none,
        closure_filter: none,
        type_filter: none,
        cost_centre_filter: none,
        stack_filter: none,
        retainer_filter: none,
        biography_filter: none,
    });
}

fn census(program: &mut Program<'_>, add: impl FnOnce(&mut Program<'_>)) {
    program.idle_until(program.now() + 100 * MILLISECOND);
    program.global(HeapProfSampleBegin { number: 0 });
    add(program);
    program.global(HeapProfSampleEnd { number: 0 });
}

/// `all` info tables, of which only the `used` ones hold anything: the n-th of them 1000 × n bytes, and a byte more in each census.
///
/// # Errors
/// Those of `to`.
pub fn info_tables(all: u64, used: Range<u64>, to: &mut dyn Write) -> io::Result<()> {
    profile_of_info_tables(all, used, CENSUSES, |nth, census| 1000 * nth + census, to)
}

/// Info tables for each census of [`ipe`].
const TABLES_PER_CENSUS: u64 = 150;

/// One of this many info tables of [`ipe`] holds something.
const USED_EVERY: usize = 200;

/// A long heap profile by info table, of a large program that was built with a map of its info tables. Later ones hold more; some come and
/// go.
pub(super) fn ipe(censuses: u64, to: &mut dyn Write) -> io::Result<()> {
    let all = censuses * TABLES_PER_CENSUS;
    let bytes = |nth: u64, census: u64| match nth % 4 {
        0 => 16 * nth * ((census + nth) % 40),
        1 => 16 * nth + census * (nth % 64),
        _ => 16 * nth,
    };
    profile_of_info_tables(all, (0..all).step_by(USED_EVERY), censuses, bytes, to)
}

/// `bytes` is what the n-th of the `used` ones, counted from 1, holds in a census. What holds nothing is not in the census.
fn profile_of_info_tables(
    all: u64,
    used: impl Iterator<Item = u64> + Clone,
    censuses: u64,
    bytes: impl Fn(u64, u64) -> u64,
    to: &mut dyn Write,
) -> io::Result<()> {
    let mut program = Program::start(1, &Writing::default(), to);
    begin(&mut program, 8);
    for number in 0..all {
        let [label, module, location] = name_of(number);
        let (table_name, info_table) = (format!("{module}.{label}_info"), InfoTable(address_of(number)));
        let [closure_type, type_name] = ["21", "T"].map(cstr);
        let [table_name, label, module, location] = [&table_name, &label, &module, &location].map(|text| cstr(text));
        program.idle_until(program.now() + DEFINITION);
        program.global(Ipe { info_table, table_name, closure_type, type_name, label, module, location });
    }
    for at in 0..censuses {
        census(&mut program, |program| {
            for (nth, number) in (1..).zip(used.clone()) {
                let (label, bytes) = (format!("{:#x}", address_of(number)), bytes(nth, at));
                if bytes > 0 {
                    program.global(HeapProfSampleString { profile: 0, bytes, label: cstr(&label) });
                }
            }
        });
    }
    program.end()
}

/// `all` cost centres, of which only the `used` ones hold anything, or are sampled: as [`info_tables`], and the n-th of them has n samples.
/// They are called by number 0.
///
/// # Errors
/// Those of `to`.
pub fn cost_centres(all: u64, used: Range<u64>, to: &mut dyn Write) -> io::Result<()> {
    let mut program = Program::start(1, &Writing::default(), to);
    begin(&mut program, 1);
    program.global(ProfBegin { interval: Nanos(MILLISECOND) });
    for number in 0..all {
        let texts = name_of(number);
        let [label, module, location] = [&texts[0], &texts[1], &texts[2]].map(|text| cstr(text));
        program.global(CostCentre { id: CostCentreId(number as u32), label, module, location, flags: 0 });
    }
    let stack = |number: u64| [number as u32, 0].map(u32::to_be_bytes);
    for at in 0..CENSUSES {
        census(&mut program, |program| {
            for number in used.clone() {
                let (stack, bytes) = (stack(number), 1000 * (number - used.start + 1) + at);
                program.global(HeapProfSampleCostCentre { profile: 0, bytes, stack: CostCentreStack(&stack) });
            }
        });
    }
    for (number, samples) in used.zip(1..) {
        (0..samples).for_each(|_| sample(&mut program, &stack(number)));
    }
    program.end()
}

fn sample(program: &mut Program<'_>, stack: &[[u8; 4]]) {
    let until = program.now() + MILLISECOND;
    program.idle_until(until);
    program.global(ProfSampleCostCentre { cap: 0, tick: until / MILLISECOND, stack: CostCentreStack(stack) });
}

/// `all` different stacks, each of which is sampled once; of the `heavy` ones each has `samples`. A stack has three cost centres, 0 among
/// them, and those of [`callers`].
///
/// # Errors
/// Those of `to`.
pub fn stacks(all: u64, heavy: Range<u64>, samples: u64, to: &mut dyn Write) -> io::Result<()> {
    let mut program = Program::start(1, &Writing::default(), to);
    program.global(ProfBegin { interval: Nanos(MILLISECOND) });
    for number in 0..700 + all / 500 {
        let texts = name_of(number);
        let [label, module, location] = [&texts[0], &texts[1], &texts[2]].map(|text| cstr(text));
        program.global(CostCentre { id: CostCentreId(number as u32), label, module, location, flags: 0 });
    }
    for number in 0..all {
        let stack = callers(number).map(|id| id.to_be_bytes());
        let times = if heavy.contains(&number) { samples } else { 1 };
        (0..times).for_each(|_| sample(&mut program, &stack));
    }
    program.end()
}

/// The cost centres of the stack with a number, innermost first.
#[must_use]
pub fn callers(number: u64) -> [u32; 3] {
    [1 + (number % 500) as u32, 501 + (number / 500) as u32, 0]
}
