//! `heap-profile`: a long heap profile of many bands: some grow, some come and go, and most are small.

use super::program::{MICROSECOND, MILLISECOND, Program, Writing};
use ghc_eventlog::{
    Breakdown, CStr, HeapProfBegin, HeapProfSampleBegin, HeapProfSampleEnd, HeapProfSampleString, Nanos, Text,
};
use std::io::{self, Write};

const CAPS: u16 = 2;

/// Bands in a census.
const BANDS: u64 = 2000;

/// Nanoseconds from one census to the next.
const PERIOD: u64 = 10 * MILLISECOND;

/// With this many censuses, each after a little work and a collection.
pub(super) fn write(censuses: u64, to: &mut dyn Write) -> io::Result<()> {
    let mut program = Program::start(CAPS, &Writing::default(), to);
    let none = CStr::default();
    program.global(HeapProfBegin {
        profile: 0,
        period: Nanos(PERIOD),
        breakdown: Breakdown(7),
        module_filter: none,
        closure_filter: none,
        type_filter: none,
        cost_centre_filter: none,
        stack_filter: none,
        retainer_filter: none,
        biography_filter: none,
    });
    let names: Vec<String> =
        (0..BANDS).map(|band| format!("pkg-{}:Some.Module{}.Con{band}", band % 7, band % 90)).collect();
    for census in 0..censuses {
        let until = program.now() + PERIOD;
        for cap in program.all_caps() {
            program.work(cap, until, 500 * MICROSECOND..2 * MILLISECOND);
        }
        program.collect();
        program.global(HeapProfSampleBegin { number: 0 });
        for (band, name) in (0..).zip(&names) {
            let bytes = bytes(census, band);
            if bytes > 0 {
                program.global(HeapProfSampleString { profile: 0, bytes, label: CStr(Text(name.as_bytes())) });
            }
        }
        program.global(HeapProfSampleEnd { number: 0 });
    }
    program.end()
}

/// What a band holds in a census.
fn bytes(census: u64, band: u64) -> u64 {
    let size = 16 + (BANDS - band).pow(2) / 50;
    match band % 5 {
        // It leaks.
        0 => size + census * (band % 64),
        // It comes and goes.
        1 => size * ((census + band) % 40).abs_diff(20),
        _ => size,
    }
}
