//! Which segments have the wanted rows, and where.

use super::in_time::offset_of;
use crate::{known::counted::SegmentCount, reading::model::Model, sorting::sort_by_number};
use alloc::vec::Vec;
use core::ops::Range;

/// The rows that a segment has.
#[derive(Debug, Clone)]
pub(super) struct RowsPart {
    pub(super) segment: u32,
    pub(super) picks: Picks,
}

/// Which of its events they are.
#[derive(Debug, Clone)]
pub(super) enum Picks {
    /// Those that follow the first `skip` chosen ones, with their places in the page.
    Next { skip: u64, places: Range<usize> },
    /// Those at these offsets, in order, each with its place in the page.
    At(Vec<(u64, usize)>),
}

/// The parts with the rows from one to before another.
pub(super) fn parts_in_file(counts: &[Option<SegmentCount>], first: u64, end: u64) -> Vec<RowsPart> {
    let (mut parts, mut before) = (Vec::new(), 0);
    for (segment, of) in (0..).zip(counts.iter().map_while(|of| *of)) {
        let (start, stop) = (first.max(before), end.min(before + of.count));
        if start < stop {
            let places = (start - first) as usize..(stop - first) as usize;
            parts.push(RowsPart { segment, picks: Picks::Next { skip: start - before, places } });
        }
        before += of.count;
    }
    parts
}

/// The parts that have the events with these keys, each with its place in the page.
pub(super) fn parts_at(model: &Model, keys: impl Iterator<Item = (usize, u128)>) -> Vec<RowsPart> {
    let mut at: Vec<(u64, usize)> = keys.map(|(place, key)| (offset_of(key), place)).collect();
    sort_by_number(&mut at, |(offset, _)| *offset);
    let segments = model.known.index.segments();
    let mut parts: Vec<RowsPart> = Vec::new();
    for pick in at {
        let segment = segments.partition_point(|segment| segment.at.offset <= pick.0).saturating_sub(1) as u32;
        match parts.last_mut() {
            Some(RowsPart { segment: last, picks: Picks::At(picks) }) if *last == segment => picks.push(pick),
            _ => parts.push(RowsPart { segment, picks: Picks::At([pick].into()) }),
        }
    }
    parts
}
