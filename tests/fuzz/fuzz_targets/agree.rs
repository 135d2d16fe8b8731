//! For any bytes, all ways to the same fact agree. The first byte chooses what is compared.
#![no_main]

use conformance::agree;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((&seed, log)) = input.split_first() else { return };
    if let Err(why) = agree(log, &mut fastrand::Rng::with_seed(seed.into())) {
        panic!("{why}");
    }
});
