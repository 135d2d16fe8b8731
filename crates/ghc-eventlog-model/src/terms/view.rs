//! A window of time on a screen.

use ghc_eventlog::Nanos;

/// The time from `from` to `to`, drawn `width` pixels wide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    /// Where it begins.
    pub from: Nanos,
    /// Where it ends.
    pub to: Nanos,
    /// Its width in pixels, at least one.
    pub width: usize,
}

impl View {
    /// Nanoseconds to a pixel.
    #[must_use]
    pub fn pixel(self) -> f64 {
        self.to.since(self.from).0.max(1) as f64 / self.width.max(1) as f64
    }

    /// For each pixel, its begin and its end, in whole nanoseconds. Its end is the begin of the next pixel.
    pub(crate) fn pixels(self) -> impl Iterator<Item = (Nanos, Nanos)> {
        let edge = move |pixel: usize| self.from.plus(Nanos((pixel as f64 * self.pixel()) as u64));
        (0..self.width).map(move |pixel| (edge(pixel), edge(pixel + 1)))
    }

    /// Whether the time from `start` to `end` overlaps the window.
    #[must_use]
    pub fn meets(self, start: Nanos, end: Nanos) -> bool {
        start < self.to && end >= self.from
    }

    /// Distributes the time from `start` to `end` over the pixels that it covers: calls `share` with each pixel and the
    /// fraction of that time, between 0 and 1, that falls on it.
    #[inline]
    pub fn spread(self, start: Nanos, end: Nanos, mut share: impl FnMut(usize, f64)) {
        let pixel = self.pixel();
        let length = end.since(start).0 as f64;
        // Subtract before converting: times since boot have more digits than an f64 holds.
        let place = |time: Nanos| (time.since(self.from).0 as f64 - self.from.since(time).0 as f64) / pixel;
        let (from, to) = (place(start), place(end));
        let first = from.max(0.0) as usize;
        if to <= 0.0 || first >= self.width || length <= 0.0 {
            return;
        }
        if to <= (first + 1) as f64 && from >= 0.0 {
            return share(first, 1.0);
        }
        let last = (to as usize).min(self.width - 1);
        for at in first..=last {
            let part = to.min((at + 1) as f64) - from.max(at as f64);
            if part > 0.0 {
                share(at, part * pixel / length);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn spread(view: View, start: u64, end: u64) -> Vec<(usize, f64)> {
        let mut shares = Vec::new();
        view.spread(Nanos(start), Nanos(end), |pixel, share| shares.push((pixel, share)));
        shares
    }

    #[test]
    fn time_is_distributed_by_overlap() {
        let view = View { from: Nanos(1000), to: Nanos(1100), width: 10 };
        assert_eq!(spread(view, 1012, 1018), [(1, 1.0)]);
        assert_eq!(spread(view, 1015, 1035), [(1, 0.25), (2, 0.5), (3, 0.25)]);
        assert_eq!(spread(view, 900, 1010), [(0, 10.0 / 110.0)]);
        assert_eq!(spread(view, 1095, 2000), [(9, 5.0 / 905.0)]);
        assert!(spread(view, 0, 1000).is_empty());
        assert!(spread(view, 1100, 1200).is_empty());
    }
}
