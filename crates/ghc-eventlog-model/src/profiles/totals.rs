//! What a band held over all censuses: the most, the last, the mean, the integral, and how fast it grew.
//!
//! ```text
//! bytes  8 ─── 4 ─── 6      most 8, last 6, mean 6; integral by trapezoid: 6 × 1 s + 5 × 2 s
//! at     0 s   1 s   3 s    grew by the line with the least squares
//! ```

use core::cmp::Ordering;
use ghc_eventlog::Nanos;

/// Running totals of one band over the censuses.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Held {
    /// The maximum, in bytes, and the time of the first census that has it.
    pub(crate) most: u64,
    pub(crate) most_at: Nanos,
    /// Bytes in the last census that names it, and the number of that census, from 1 on.
    last: (u64, u64),
    /// Twice the integral, in byte-nanoseconds.
    pub(super) area: u128,
    /// Sum of the bytes of all censuses.
    sum: u128,
    /// Sum of bytes × seconds since the first census, for the slope.
    moment: f64,
}

/// Times of the censuses, and the sums that a least-squares line needs, in seconds since the first census.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Times {
    /// Number of censuses.
    pub(crate) count: u64,
    pub(crate) first: Nanos,
    pub(crate) last: Nanos,
    /// Time of the last census, in seconds since the first.
    now: f64,
    /// The time that integrals cover: from the first census to the last, or the part of that in a range.
    length: Nanos,
    sum: f64,
    squares: f64,
}

impl Times {
    /// Adds a census; returns the time since the previous one.
    pub(super) fn add(&mut self, time: Nanos) -> Nanos {
        if self.count == 0 {
            (self.first, self.last) = (time, time);
        }
        let since = time.since(self.last);
        self.now = time.since(self.first).0 as f64 / Nanos::SECOND.0 as f64;
        self.count += 1;
        self.length = self.length.plus(since);
        self.sum += self.now;
        self.squares += self.now * self.now;
        self.last = time;
        since
    }

    /// The same, with integrals that cover `length`.
    pub(super) fn over(self, length: Nanos) -> Self {
        Self { length, ..self }
    }
}

impl Held {
    /// Adds the bytes of the census that was last added to `times`, `since` after the previous one.
    pub(super) fn add(&mut self, bytes: u64, since: Nanos, times: &Times) {
        if self.last.1 == 0 || bytes > self.most {
            (self.most, self.most_at) = (bytes, times.last);
        }
        self.last = (bytes, times.count);
        self.area_of(bytes, since);
        self.sum = self.sum.saturating_add(bytes.into());
        self.moment += bytes as f64 * times.now;
    }

    /// Adds what another band held in the same censuses. The most that both held together is not known: it is at least what it is for
    /// each.
    pub(super) fn absorb(&mut self, other: &Self) {
        if other.most > self.most {
            (self.most, self.most_at) = (other.most, other.most_at);
        }
        self.last = match self.last.1.cmp(&other.last.1) {
            Ordering::Less => other.last,
            Ordering::Equal => (self.last.0.saturating_add(other.last.0), self.last.1),
            Ordering::Greater => self.last,
        };
        self.area = self.area.saturating_add(other.area);
        self.sum = self.sum.saturating_add(other.sum);
        self.moment += other.moment;
    }

    /// Adds one half of a trapezoid: `bytes` held at one end of `time`.
    #[inline]
    pub(super) fn area_of(&mut self, bytes: u64, time: Nanos) {
        // The product nearly always fits 64 bits; in wasm, products of 128 bits are calls.
        let is_short = bytes.leading_zeros() + time.0.leading_zeros() >= u64::BITS;
        let area = if is_short { u128::from(bytes.wrapping_mul(time.0)) } else { long_area(bytes, time) };
        self.area = self.area.saturating_add(area);
    }

    /// Whether a census names it, or its line from a census outside reaches into the range.
    pub(crate) fn is_known(&self) -> bool {
        self.last.1 > 0 || self.area > 0
    }

    /// Bytes in the last census.
    pub(crate) fn last(&self, times: &Times) -> u64 {
        if self.last.1 == times.count { self.last.0 } else { 0 }
    }

    /// The integral over time, in byte-nanoseconds, rounded down.
    pub(crate) fn integral(&self) -> u128 {
        self.area / 2
    }

    /// Twice that, for comparing weights.
    pub(super) fn twice_integral(&self) -> f64 {
        // It nearly always fits 64 bits, which are faster to convert.
        u64::try_from(self.area).map_or(self.area as f64, |area| area as f64)
    }

    /// Mean bytes over censuses, rounded down.
    pub(crate) fn mean(&self, times: &Times) -> u64 {
        (self.sum / u128::from(times.count.max(1))) as u64
    }

    /// Mean bytes over time, rounded down; for a single census, its bytes.
    pub(crate) fn mean_over_time(&self, times: &Times) -> u64 {
        match self.integral().checked_div(times.length.0.into()) {
            Some(mean) => u64::try_from(mean).unwrap_or(u64::MAX),
            None => self.mean(times),
        }
    }

    /// The same, where the means of several bands are added up: `rest` has what was rounded down of those before.
    pub(super) fn mean_with(&self, times: &Times, rest: &mut u128) -> u64 {
        let area = self.area.saturating_add(*rest);
        let Some(mean) = area.checked_div(2 * u128::from(times.length.0)) else { return self.mean(times) };
        *rest = area % (2 * u128::from(times.length.0));
        u64::try_from(mean).unwrap_or(u64::MAX)
    }

    /// Growth in bytes per second: the slope of the least-squares line. `None` if all censuses have the same time.
    pub(crate) fn slope(&self, times: &Times) -> Option<f64> {
        let count = times.count as f64;
        let spread = count * times.squares - times.sum * times.sum;
        let slope = (count * self.moment - times.sum * self.sum as f64) / spread;
        (spread > 0.0 && slope.is_finite()).then_some(slope)
    }
}

fn long_area(bytes: u64, time: Nanos) -> u128 {
    u128::from(bytes) * u128::from(time.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_are_exact_however_large_they_are() {
        let edges = [0, 1, 3, u64::from(u32::MAX), 1 << 32, (1 << 40) - 1, u64::MAX / 3, 1 << 63, u64::MAX];
        for bytes in edges {
            for time in edges {
                let mut held = Held::default();
                held.area_of(bytes, Nanos(time));
                assert_eq!(held.area, u128::from(bytes) * u128::from(time), "{bytes} bytes for {time} ns");
            }
        }
    }
}
