//! The fast path: well-formed records within one block. Nearly every record comes through here, so it makes as few
//! checks as possible.

use crate::{
    CapNo, Nanos,
    events::{HeapProfSampleCostCentre, HeapProfSampleString, ProfSampleCostCentre},
    header::{Layout, VARIABLE, Way},
    limits::MAX_TIME_BACK,
    payload::first_nul,
    stream::Record,
};

/// A record that the header alone frames, without any doubt.
pub(crate) struct Plain<'a> {
    pub(crate) time: Nanos,
    tag: u16,
    known: bool,
    payload: &'a [u8],
    /// The bytes after it.
    pub(crate) behind: &'a [u8],
}

impl<'a> Plain<'a> {
    #[inline(always)]
    pub(crate) fn at(&self, offset: u64, cap: Option<CapNo>) -> Record<'a> {
        let &Self { time, tag, known, payload, .. } = self;
        Record { offset, time, tag, cap, known, payload }
    }
}

/// The record at the front of `bytes`, if it is a plain one. `bytes` must be within its block; `floor` is
/// `Position::floor`.
#[inline(always)]
pub(crate) fn plain<'a>(bytes: &'a [u8], layouts: &[Layout], times: (Nanos, Nanos), floor: Nanos) -> Option<Plain<'a>> {
    let ([tag1, tag2, time @ ..], behind) = bytes.split_first_chunk::<10>()?;
    let tag = u16::from_be_bytes([*tag1, *tag2]);
    let layout = layouts.get(usize::from(tag))?;
    let mut known = layout.way == Way::Known;
    if !known && !matches!(layout.way, Way::Opaque | Way::Checked) {
        return None;
    }
    let (length, behind) = match layout.size {
        VARIABLE => {
            let (length, behind) = behind.split_first_chunk::<2>()?;
            (u16::from_be_bytes(*length), behind)
        }
        size => (size, behind),
    };
    let (payload, behind) = behind.split_at_checked(usize::from(length))?;
    let time = Nanos::from_wire(*time);
    let back = time < floor && (time == Nanos(0) || time < times.0 || floor.since(time) > MAX_TIME_BACK);
    if back || time > times.1 {
        return None;
    }
    if !known && layout.way == Way::Checked {
        if !takes_all(tag, payload) {
            return None;
        }
        known = true;
    }
    Some(Plain { time, tag, known, payload, behind })
}

/// Whether the fields take all of the payload, so that there is no reason to doubt its length. Only answers for events
/// that profiles are full of.
#[inline(never)]
fn takes_all(tag: u16, payload: &[u8]) -> bool {
    // The stack's depth comes after `before` bytes of other fields.
    let ends_with_stack = |before: usize| {
        let depth = payload.get(before).map(|depth| usize::from(*depth) * size_of::<u32>());
        depth.is_some_and(|stack| payload.len() == before + 1 + stack)
    };
    match tag {
        HeapProfSampleString::TAG => {
            let label = payload.get(HeapProfSampleString::MIN_SIZE..).unwrap_or_default();
            first_nul(label).is_some_and(|end| end + 1 == label.len())
        }
        HeapProfSampleCostCentre::TAG => ends_with_stack(HeapProfSampleCostCentre::MIN_SIZE - 1),
        ProfSampleCostCentre::TAG => ends_with_stack(ProfSampleCostCentre::MIN_SIZE - 1),
        // Other events are rare, and take the slow path.
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::surplus_of;
    use alloc::vec::Vec;

    /// For any payload, the short check agrees with reading the fields.
    #[test]
    fn the_short_check_agrees_with_reading_the_fields() {
        let tags = [HeapProfSampleString::TAG, HeapProfSampleCostCentre::TAG, ProfSampleCostCentre::TAG];
        let mut seen = [0, 0];
        for length in 0..40usize {
            for fill in 0..7u8 {
                for zero in 0..=length {
                    let mut payload: Vec<u8> = (0..length).map(|_| fill).collect();
                    payload.get_mut(zero).into_iter().for_each(|byte| *byte = 0);
                    for tag in tags {
                        let takes = surplus_of(tag, &payload) == Some(0);
                        assert_eq!(takes_all(tag, &payload), takes, "{tag} {payload:?}");
                        seen[usize::from(takes)] += 1;
                    }
                }
            }
        }
        assert!(seen.iter().all(|count| *count > 100), "{seen:?}");
    }
}
