//! The fast path: well-formed records within one block. All of a log passes here, so each is asked as little as can be.

use crate::{
    CapNo, Nanos,
    header::{Layout, VARIABLE, Way},
    limits::MAX_TIME_BACK,
    stream::Record,
};

/// A record of which there is nothing to be said but what the header says.
pub(crate) struct Plain<'a> {
    pub(crate) time: Nanos,
    tag: u16,
    known: bool,
    payload: &'a [u8],
    /// What follows it.
    pub(crate) behind: &'a [u8],
}

impl<'a> Plain<'a> {
    #[inline(always)]
    pub(crate) fn at(&self, offset: u64, cap: Option<CapNo>) -> Record<'a> {
        let &Self { time, tag, known, payload, .. } = self;
        Record { offset, time, tag, cap, known, payload }
    }
}

/// The record at the front of `bytes`, which are its block's, if it is a plain one. `floor` is
/// `Position::floor`.
#[inline(always)]
pub(crate) fn plain<'a>(bytes: &'a [u8], layouts: &[Layout], times: (Nanos, Nanos), floor: Nanos) -> Option<Plain<'a>> {
    let ([tag1, tag2, time @ ..], behind) = bytes.split_first_chunk::<10>()?;
    let tag = u16::from_be_bytes([*tag1, *tag2]);
    let layout = layouts.get(usize::from(tag))?;
    let known = layout.way == Way::Known;
    if !known && layout.way != Way::Opaque {
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
    Some(Plain { time, tag, known, payload, behind })
}
