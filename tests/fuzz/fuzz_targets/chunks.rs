//! Any bytes in any chunks: the same events, notices and errors as in one piece. The first bytes say how large.
#![no_main]

use conformance::decode_in_steps;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((&step, log)) = input.split_first() else { return };
    let event = |_: &ghc_eventlog::Decoder, record: ghc_eventlog::Record<'_>| {
        (record.offset, record.time, record.tag, record.cap, record.payload.len())
    };
    let whole = decode_in_steps(log, log.len().max(1), event);
    let parts = decode_in_steps(log, usize::from(step).max(1), event);
    assert_eq!(whole, parts);
});
