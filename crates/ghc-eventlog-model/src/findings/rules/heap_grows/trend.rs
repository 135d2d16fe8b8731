//! Lines through live data, and where a late rise begins.
//!
//! ```text
//! live data          .·          the flat line and the rising one that are nearest to all values, by their squares
//!           ·.··.·.·'
//!                  ^ begins
//! ```

use crate::terms::sample::Sample;
use alloc::vec::Vec;

/// The line of least squares, to which points are added one by one.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Trend {
    pub(super) count: f64,
    /// The mean of the times.
    time: f64,
    /// The mean of the values.
    pub(super) mean: f64,
    /// Sums of products of the distances from both means: of times, of times and values, of values.
    xx: f64,
    xy: f64,
    yy: f64,
}

impl Trend {
    pub(super) fn through(rows: &[Sample]) -> Self {
        let mut trend = Self::default();
        rows.iter().for_each(|row| trend.add(row));
        trend
    }

    /// By B. P. Welford's method: sums of plain squares would cancel each other late in a long log.
    fn add(&mut self, row: &Sample) {
        let (x, y) = (row.time.0 as f64 - self.time, row.value as f64 - self.mean);
        self.count += 1.0;
        self.time += x / self.count;
        self.mean += y / self.count;
        let (x_now, y_now) = (row.time.0 as f64 - self.time, row.value as f64 - self.mean);
        self.xx += x * x_now;
        self.xy += x * y_now;
        self.yy += y * y_now;
    }

    /// Bytes a nanosecond.
    pub(super) fn slope(&self) -> f64 {
        if self.xx > 0.0 { self.xy / self.xx } else { 0.0 }
    }

    /// R²: how much of the variance the line explains.
    pub(super) fn fit(&self) -> f64 {
        if self.yy > 0.0 { self.slope() * self.xy / self.yy } else { 0.0 }
    }

    /// How far the values are from the line: the sum of the squares.
    fn residual(&self) -> f64 {
        self.yy - self.slope() * self.xy
    }
}

/// Where rows begin to rise, as far as a flat line up to there and any line from there on fit them best; and the latter.
pub(super) fn rise(rows: &[Sample]) -> (usize, Trend) {
    let mut before = Trend::default();
    let add = |row: &Sample| {
        let of_flat = before.yy;
        before.add(row);
        of_flat
    };
    let of_flat: Vec<f64> = rows.iter().map(add).collect();
    let mut trend = Trend::default();
    let (mut least, mut best) = (f64::INFINITY, (0, trend));
    for (at, (row, of_flat)) in rows.iter().zip(of_flat).enumerate().rev() {
        trend.add(row);
        let residual = of_flat + trend.residual();
        if residual < least {
            (least, best) = (residual, (at, trend));
        }
    }
    best
}
