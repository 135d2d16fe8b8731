//! Any bytes in chunks of any size give the same events, notices and errors as in one piece. The first byte is the size
//! of the chunks.
#![no_main]

use conformance::check_chunks;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((&step, log)) = input.split_first() else { return };
    check_chunks(log, step.into());
});
