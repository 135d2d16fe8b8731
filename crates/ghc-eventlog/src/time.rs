//! Time, in its only unit.

use core::fmt;

/// Nanoseconds on the runtime's monotonic clock (FORMAT 1.7): usually since the start of the process, in a forked child
/// since boot. Subtract the smallest time of the log before showing one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Nanos(pub u64);

impl Nanos {
    /// One second.
    pub const SECOND: Self = Self(1_000_000_000);
    /// One millisecond.
    pub const MILLISECOND: Self = Self(1_000_000);
    /// The latest possible time.
    pub const MAX: Self = Self(u64::MAX);

    /// From the file: eight bytes, the most significant one first.
    #[inline]
    pub(crate) fn from_wire(bytes: [u8; 8]) -> Self {
        Self(big_endian(bytes))
    }

    /// The time from `earlier` to this; 0 if `earlier` is not earlier.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Self {
        Self(self.0.saturating_sub(earlier.0))
    }

    /// The time that is `later` after this, at most [`Self::MAX`].
    #[must_use]
    pub const fn plus(self, later: Self) -> Self {
        Self(self.0.saturating_add(later.0))
    }
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline]
fn big_endian(bytes: [u8; 8]) -> u64 {
    u64::from_be_bytes(bytes)
}

/// WebAssembly has no instruction to reverse bytes. What the compiler uses instead takes a fifteenth of the time of
/// reading a log; a shuffle of a vector's bytes is one instruction.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline]
fn big_endian(bytes: [u8; 8]) -> u64 {
    use core::arch::wasm32::{i8x16_shuffle, u64x2_extract_lane, u64x2_splat};
    let both = u64x2_splat(u64::from_le_bytes(bytes));
    u64x2_extract_lane::<0>(i8x16_shuffle::<7, 6, 5, 4, 3, 2, 1, 0, 7, 6, 5, 4, 3, 2, 1, 0>(both, both))
}

impl fmt::Display for Nanos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ns", self.0)
    }
}
