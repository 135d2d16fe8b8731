//! Any bytes in any chunks: the same events, notices and errors as in one piece. The first byte says how large.
#![no_main]

use conformance::check_chunks;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((&step, log)) = input.split_first() else { return };
    check_chunks(log, step.into());
});
