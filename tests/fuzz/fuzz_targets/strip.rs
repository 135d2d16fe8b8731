//! For any bytes, in pieces of any size, a stripped copy has only what was decoded and may stay. The last byte chooses
//! what is left out.
#![no_main]

use conformance::check_strip;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|log: &[u8]| {
    if let Err(why) = check_strip(log, log.last().copied().unwrap_or(0).into()) {
        panic!("{why}");
    }
});
