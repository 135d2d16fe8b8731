//! What a band held in the course of all censuses: the most, the last, the mean, the integral, and how fast it grew.
//!
//! ```text
//! bytes  8 ─── 4 ─── 6      most 8, last 6, mean 6; integral by trapezoid: 6 × 1 s + 5 × 2 s
//! at     0 s   1 s   3 s    grew by the line with the least squares
//! ```

use ghc_eventlog::Nanos;

/// What a band held in censuses, one after the other.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Held {
    /// The most, and the time of the first census that had so much.
    pub(crate) most: u64,
    pub(crate) most_at: Nanos,
    /// In the last census that names it, and that one's number; from 1 on.
    last: (u64, u64),
    /// Twice the integral, in byte-nanoseconds.
    pub(super) area: u128,
    /// The sum over all censuses.
    sum: u128,
    /// The sum of each one's bytes times its time, in seconds since the first.
    moment: f64,
}

/// The times of the censuses, with what a line through them needs: in seconds since the first.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Times {
    /// How many there are.
    pub(crate) count: u64,
    pub(crate) first: Nanos,
    pub(crate) last: Nanos,
    /// The last one's, in seconds since the first.
    now: f64,
    /// The time that integrals are over: from the first to the last, or what is of that in a range.
    length: Nanos,
    sum: f64,
    squares: f64,
}

impl Times {
    /// One more; how long it came after the one before it.
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

    /// The same, with integrals over so much time.
    pub(super) fn over(self, length: Nanos) -> Self {
        Self { length, ..self }
    }
}

impl Held {
    /// In the census that came last, `since` after the one before it.
    pub(super) fn add(&mut self, bytes: u64, since: Nanos, times: &Times) {
        if self.last.1 == 0 || bytes > self.most {
            (self.most, self.most_at) = (bytes, times.last);
        }
        self.last = (bytes, times.count);
        self.area_of(bytes, since);
        self.sum = self.sum.saturating_add(bytes.into());
        self.moment += bytes as f64 * times.now;
    }

    /// It had so much at one end of a time.
    #[inline]
    pub(super) fn area_of(&mut self, bytes: u64, time: Nanos) {
        // Nearly always both are short, and no call is needed.
        let area = match (u32::try_from(bytes), u32::try_from(time.0)) {
            (Ok(bytes), Ok(time)) => u128::from(u64::from(bytes) * u64::from(time)),
            _ => long_area(bytes, time),
        };
        self.area = self.area.saturating_add(area);
    }

    /// Whether any census names it, or one outside of the range whose line reaches into it.
    pub(crate) fn is_known(&self) -> bool {
        self.last.1 > 0 || self.area > 0
    }

    /// In the last census.
    pub(crate) fn last(&self, times: &Times) -> u64 {
        if self.last.1 == times.count { self.last.0 } else { 0 }
    }

    /// Over time, in byte-nanoseconds, rounded down.
    pub(crate) fn integral(&self) -> u128 {
        self.area / 2
    }

    /// Of all censuses, rounded down.
    pub(crate) fn mean(&self, times: &Times) -> u64 {
        (self.sum / u128::from(times.count.max(1))) as u64
    }

    /// Over time, rounded down; of a single census what that held.
    pub(crate) fn mean_over_time(&self, times: &Times) -> u64 {
        match self.integral().checked_div(times.length.0.into()) {
            Some(mean) => u64::try_from(mean).unwrap_or(u64::MAX),
            None => self.mean(times),
        }
    }

    /// How fast it grew, in bytes per second: the slope of the line with the least squares. `None` for a single moment.
    pub(crate) fn slope(&self, times: &Times) -> Option<f64> {
        let count = times.count as f64;
        let spread = count * times.squares - times.sum * times.sum;
        let slope = (count * self.moment - times.sum * self.sum as f64) / spread;
        (spread > 0.0 && slope.is_finite()).then_some(slope)
    }
}

#[inline(never)]
fn long_area(bytes: u64, time: Nanos) -> u128 {
    u128::from(bytes) * u128::from(time.0)
}
