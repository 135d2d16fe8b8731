//! Where the censuses of a log are, so that those that are not kept can be read again.

use crate::limits;
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

/// The time and file offset of each census: of all, or of every second one, every fourth, and so on.
#[derive(Debug)]
pub(crate) struct Begins {
    kept: Vec<(Nanos, u64)>,
    /// How many censuses came for each that is kept.
    stride: u64,
    /// How many came.
    count: u64,
}

/// The part of a log with the censuses around a time: the last one before it, those within, and the first one after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Around {
    /// The time of the first of these censuses, and where it begins, in bytes from the start of the file.
    pub(crate) from: (Nanos, u64),
    /// The same for the first census after the last of these; `None` at the end of the log.
    pub(crate) after: Option<(Nanos, u64)>,
}

impl Default for Begins {
    fn default() -> Self {
        Self { kept: Vec::new(), stride: 1, count: 0 }
    }
}

impl Begins {
    pub(crate) fn push(&mut self, time: Nanos, offset: u64) {
        let is_kept = self.count.is_multiple_of(self.stride);
        self.count += 1;
        if !is_kept {
            return;
        }
        self.kept.push((time, offset));
        if self.kept.len() >= limits::MAX_CENSUSES {
            self.stride *= 2;
            let mut place = 0;
            self.kept.retain(|_| {
                place += 1;
                place % 2 == 1
            });
        }
    }

    /// Requires that the censuses came in order of time.
    pub(crate) fn around(&self, from: Nanos, to: Nanos) -> Around {
        let first = self.kept.partition_point(|(time, _)| *time <= from).saturating_sub(1);
        // There may be others between two that are kept: only from the second one on, all are certainly after the time.
        let end = self.kept.partition_point(|(time, _)| *time < to) + 1;
        let from = self.kept.get(first).copied().unwrap_or_default();
        Around { from, after: self.kept.get(end).copied() }
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.kept.capacity() * size_of::<(Nanos, u64)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Censuses 10 ns and 100 bytes apart.
    fn begins(count: u64) -> Begins {
        let mut begins = Begins::default();
        (0..count).for_each(|at| begins.push(Nanos(at * 10), at * 100));
        begins
    }

    #[test]
    fn around_a_time_are_the_censuses_within_the_one_before_and_the_one_after() {
        let begins = begins(10);
        let around = |from: u64, to: u64| {
            let Around { from, after } = begins.around(Nanos(from), Nanos(to));
            (from.1, after.map(|(_, offset)| offset))
        };
        assert_eq!(around(35, 55), (300, Some(700)));
        assert_eq!(around(30, 60), (300, Some(700)));
        assert_eq!(around(0, 1), (0, Some(200)));
        assert_eq!((around(85, 95), around(200, 300)), ((800, None), (900, None)));
    }

    #[test]
    fn with_very_many_censuses_some_are_kept_and_none_around_a_time_is_left_out() {
        let count = limits::MAX_CENSUSES as u64 * 5;
        let begins = begins(count);
        assert!(begins.kept.len() <= limits::MAX_CENSUSES && begins.bytes_held() < 40 * limits::MAX_CENSUSES);
        for at in (0..count - 100).step_by(997) {
            let Around { from, after } = begins.around(Nanos(at * 10 + 5), Nanos(at * 10 + 8));
            let after = after.unwrap();
            assert!(from.1 <= at * 100 && after.1 > (at + 1) * 100, "{at}");
            assert!(after.1 - from.1 <= 100 * 3 * begins.stride);
        }
    }
}
