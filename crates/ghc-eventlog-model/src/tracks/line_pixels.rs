//! What each pixel of a line shows: four numbers, its first, smallest, largest and last value. All are NaN where none is known.
//!
//! ```text
//! values    3.........7...1.....                 each holds until the next one, and the last until the end
//! pixels    |3 3 3 3|3 1 7 1|1 1 1 1|~ ~ ~ ~|
//! ```

use crate::{
    keeping::ring::{BucketValue, Envelope, RingId, Rings},
    terms::{sample::Sample, view::View},
};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

/// What has a height at a time.
pub(crate) trait Heights {
    /// When, and how high.
    fn at(&self) -> (Nanos, f32);
}

impl Heights for Sample {
    fn at(&self) -> (Nanos, f32) {
        (self.time, self.value as f32)
    }
}

/// For each pixel of a view the first, the smallest, the largest and the last value of a counter; NaN where none is known. A
/// value holds until the next one, and the last until `end`.
pub(crate) fn values(kept: &[impl Heights], end: Nanos, view: View) -> Vec<f32> {
    let mut values = Vec::with_capacity(view.width * 4);
    let first = kept.partition_point(|sample| sample.at().0 <= view.from);
    let mut holds = first.checked_sub(1).and_then(|at| kept.get(at)).map(|sample| sample.at().1);
    let mut rest = kept.get(first..).unwrap_or_default();
    for (from, to) in view.pixels() {
        // A value at the edge holds from there on.
        let (before, inside) = rest.split_at(rest.partition_point(|sample| sample.at().0 <= from));
        holds = before.last().map(|sample| sample.at().1).or(holds);
        let (here, after) = inside.split_at(inside.partition_point(|sample| sample.at().0 < to));
        rest = after;
        let all = holds.into_iter().chain(here.iter().map(|sample| sample.at().1));
        let known = from <= end && all.clone().next().is_some();
        let (low, high) = (all.clone().reduce(f32::min), all.clone().reduce(f32::max));
        let (open, close) = (all.clone().next(), all.last());
        values.extend([open, low, high, close].map(|value| value.filter(|_| known).unwrap_or(f32::NAN)));
        holds = here.last().map(|sample| sample.at().1).or(holds);
    }
    values
}

/// The same from buckets, none wider than a pixel.
pub(crate) fn bucket_values(all: &Rings<Envelope>, ring: RingId, end: Nanos, view: View) -> Vec<f32> {
    let before = all.between(ring, Nanos(0), view.from).rev().find(|cell| !cell.is_empty());
    let mut holds = before.map(|cell| Envelope { first: cell.last, low: cell.last, high: cell.last, last: cell.last });
    let mut values = Vec::with_capacity(view.width * 4);
    for (from, to) in view.pixels() {
        let here = all.between(ring, from, to).fold(holds.unwrap_or_default(), BucketValue::merged);
        let known = from <= end && !here.is_empty();
        let Envelope { first, low, high, last } = here;
        values.extend([first, low, high, last].map(|value| if known { value } else { f32::NAN }));
        holds = (!here.is_empty()).then_some(Envelope { first: last, low: last, high: last, last });
    }
    values
}

/// Whether all of `from..to` is within one of some times.
pub(super) fn is_within(times: &[(Nanos, Nanos)], from: Nanos, to: Nanos) -> bool {
    times.iter().any(|(start, end)| *start <= from && to <= *end)
}

/// Makes the values of the pixels that are within some times unknown.
pub(super) fn forget(values: &mut [f32], view: View, times: &[(Nanos, Nanos)]) {
    if !times.is_empty() {
        let pixels = view.pixels().zip(values.chunks_mut(4));
        pixels.filter(|((from, to), _)| is_within(times, *from, *to)).for_each(|(_, values)| values.fill(f32::NAN));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    /// A line drawn in digits, one for each 10 ns: the value if a pixel has only one, `^` if it has several.
    fn draw(samples: &[(u64, u64)], end: u64, width: usize) -> String {
        let kept: Vec<Sample> = samples.iter().map(|&(time, value)| Sample { time: Nanos(time), value }).collect();
        let view = View { from: Nanos(0), to: Nanos(width as u64 * 10), width };
        let pixels = values(&kept, Nanos(end), view);
        let pixel = |pixel: &[f32]| match *pixel {
            [open, ..] if open.is_nan() => '~',
            [open, low, high, close] if low == high && open == close => char::from(b'0' + open as u8),
            _ => '^',
        };
        pixels.chunks(4).map(pixel).collect()
    }

    #[test]
    fn a_value_holds_until_the_next_one() {
        assert_eq!(draw(&[(20, 3), (50, 7), (80, 0)], 100, 12), "~~333777000~");
    }

    #[test]
    fn a_spike_is_never_lost() {
        let view = View { from: Nanos(0), to: Nanos(1000), width: 1 };
        let kept = [(0, 5), (500, 1000), (501, 0), (502, 6)].map(|(time, value)| Sample { time: Nanos(time), value });
        assert_eq!(values(&kept, Nanos(1000), view), [5.0, 0.0, 1000.0, 6.0]);
    }
}
