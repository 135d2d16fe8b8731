//! Numbers for tests that look random, and are the same each time.

/// The number after another one. Its upper bits are the best ones.
pub(crate) fn after(number: u64) -> u64 {
    number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407)
}

/// Numbers, each below the limit that is asked with.
pub(crate) fn numbers(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut number = seed;
    move |below| {
        number = after(number);
        (number >> 33) % below
    }
}
