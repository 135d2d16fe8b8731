//! What bands held over time, in as many numbers as fit a small picture: the most in each of the equal pieces of a time, from
//! the censuses that are kept. Between two censuses, bands are straight lines.
//!
//! ```text
//! censuses   3 ───── 9 ───── 5 ───── 1
//! pieces     |  7  |  9  |  7  |  4  |
//! ```

use super::{bands::HeapProfile, censuses::Entry};
use crate::limits::LEVELS;
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

/// The numbers of each band, one band after the other, by its place; `None` if all censuses have the same time. Time outside
/// of the censuses is left out.
pub(crate) fn levels(heap: &HeapProfile, (from, to): (Nanos, Nanos)) -> Option<Vec<u64>> {
    let censuses: Vec<(Nanos, &[Entry])> = heap.censuses.around(from, to).collect();
    let (from, to) = (censuses.first()?.0.max(from), censuses.last()?.0.min(to));
    let length = u128::from(to.since(from).0);
    if length == 0 {
        return None;
    }
    let mut levels = alloc::vec![0; heap.bands().len() * LEVELS];
    let mut add = |piece: usize, band: u32, bytes: u64| {
        if let Some(level) = levels.get_mut(band as usize * LEVELS + piece.min(LEVELS - 1)) {
            *level = bytes.max(*level);
        }
    };
    let within = |time: Nanos| from <= time && time <= to;
    for (time, entries) in censuses.iter().filter(|(time, _)| within(*time)) {
        let piece = u128::from(time.since(from).0) * LEVELS as u128 / length;
        entries.iter().for_each(|entry| add(piece as usize, entry.band, entry.bytes));
    }
    let mut held = alloc::vec![0.0; heap.bands().len()];
    for edge in 0..=LEVELS {
        let time = from.plus(Nanos((length * edge as u128 / LEVELS as u128) as u64));
        let after = censuses.partition_point(|(census, _)| *census <= time);
        let around = [after.checked_sub(1).and_then(|before| censuses.get(before)), censuses.get(after)];
        let [Some((start, first)), Some((end, last))] = around else { continue };
        // Some censuses may be out of order.
        if end <= start {
            continue;
        }
        let part = time.since(*start).0 as f64 / end.since(*start).0 as f64;
        for (entries, weight) in [(first, 1.0 - part), (last, part)] {
            for entry in *entries {
                if let Some(held) = held.get_mut(entry.band as usize) {
                    *held += entry.bytes as f64 * weight;
                }
            }
        }
        for entry in first.iter().chain(*last) {
            let bytes = held.get_mut(entry.band as usize).map_or(0.0, core::mem::take) as u64;
            // It ends one piece, and begins the next.
            add(edge, entry.band, bytes);
            add(edge.saturating_sub(1), entry.band, bytes);
        }
    }
    Some(levels)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ghc_eventlog::Text;

    /// Bands `a`, `b` and `c`.
    fn profile(censuses: &[(u64, [u64; 3])]) -> HeapProfile {
        let mut profile = HeapProfile::default();
        for (time, held) in censuses {
            profile.begin(Nanos(*time), 0);
            for (label, bytes) in ["a", "b", "c"].iter().zip(held).filter(|(_, bytes)| **bytes > 0) {
                profile.label(Nanos(*time), Text(label.as_bytes()), *bytes);
            }
            profile.end(Nanos(0));
        }
        profile.finish();
        profile
    }

    #[test]
    fn each_piece_of_time_has_its_maximum() {
        let heap = profile(&[
            (1000, [40, 7, 1]),
            (1200, [80, 7, 0]),
            (1203, [900, 7, 1]),
            (1206, [80, 7, 0]),
            (1400, [0, 7, 1]),
        ]);
        let levels = levels(&heap, (Nanos(0), Nanos(9999))).unwrap();
        let of = |band: usize| &levels[band * LEVELS..(band + 1) * LEVELS];
        assert_eq!(of(1), [7; LEVELS]);
        let a = of(0);
        // From 40 to 80 over half of the pieces, a peak in one, and down to 0.
        assert_eq!((a[0], a[1], a[18], a[19], a[20]), (42, 44, 78, 80, 900));
        assert!(a[20..].is_sorted_by(|one, next| one >= next) && a[39] < 5, "{a:?}");
    }

    #[test]
    fn a_part_of_the_time_has_pieces_of_its_own() {
        let heap = profile(&[(1000, [0, 4, 0]), (2000, [4000, 4, 0])]);
        let levels = levels(&heap, (Nanos(1500), Nanos(1900))).unwrap();
        let band = heap.bands().iter().position(|band| heap.label_of(band) == Some("a")).unwrap();
        let a = &levels[band * LEVELS..(band + 1) * LEVELS];
        assert_eq!((a[0], a[39]), (2040, 3600));
    }

    #[test]
    fn a_single_census_has_no_course() {
        assert_eq!(levels(&profile(&[(5, [1, 2, 3])]), (Nanos(0), Nanos(10))), None);
        assert_eq!(levels(&profile(&[]), (Nanos(0), Nanos(10))), None);
    }
}
