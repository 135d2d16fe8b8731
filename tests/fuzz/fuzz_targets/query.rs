//! In any log, random queries find what somebody finds who looks at everything. The first bytes choose the queries.
#![no_main]

use conformance::check_queries;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((seed, log)) = input.split_first_chunk() else { return };
    if let Err(why) = check_queries(log, 8, &mut fastrand::Rng::with_seed(u64::from_le_bytes(*seed))) {
        panic!("{why}");
    }
});
