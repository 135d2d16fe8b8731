//! Where a record ends, and whether it can be one at all (FORMAT 1.1, 1.6, 5.1). Here, and nowhere else, stand the
//! places where the runtime itself lies about lengths.

use crate::{
    CapNo, Nanos,
    error::Cause,
    events::{BlockMarker, CreateMachine},
    header::{END_MARK, Header, Layout, VARIABLE, Way},
    limits::{MAX_SANE_BLOCK, MAX_SANE_CAP, MAX_TIME_BACK, MAX_TIME_OUTSIDE},
    stream::Chunk,
};

/// What is known of the records at some place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// Where the open block ends; the largest number outside of blocks.
    pub(crate) block_end: u64,
    /// Times that its events can have.
    pub(crate) times: (Nanos, Nanos),
    /// The time of the event before.
    pub(crate) last_time: Nanos,
}

impl Bounds {
    /// What can follow an event at `time` in the same block.
    pub(crate) fn after(self, time: Nanos) -> Self {
        let earliest = Nanos(time.0.saturating_sub(MAX_TIME_BACK.0));
        Self { times: (self.times.0.max(earliest), self.times.1), ..self }
    }

    fn holds(&self, time: Nanos) -> bool {
        self.times.0 <= time && time <= self.times.1
    }
}

/// What stands at some place.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Frame<'a> {
    /// More bytes are needed: this many from here on.
    Need(usize),
    /// The bare end mark.
    EndMark,
    /// A record up to the offset `end`.
    Record { tag: u16, time: Nanos, layout: Layout, payload: &'a [u8], end: u64 },
    /// No record.
    Damaged(Cause),
}

/// Frames the record at the front of `here`, and doubts it as far as the block that it stands in gives reason to.
pub(crate) fn frame<'a>(here: Chunk<'a>, header: &Header, bounds: Bounds) -> Frame<'a> {
    let framed = outline(here, header, bounds.block_end);
    let Frame::Record { tag, time, layout, payload, end } = framed else { return framed };
    let Some((cause, next)) = doubt(tag, time, layout, payload, end, bounds) else { return framed };
    match layout.way {
        Way::Block => return Frame::Damaged(cause),
        Way::Ipe => return ipe(here, header, bounds, framed),
        _ => {}
    }
    match plausible(here.from(end), header, next) {
        Plausible::To(..) | Plausible::End => framed,
        Plausible::No => Frame::Damaged(cause),
        Plausible::Need(more) => Frame::Need((end - here.offset) as usize + more),
    }
}

/// What speaks against a record, and what the one behind it must be like to speak for it all the same.
fn doubt(tag: u16, time: Nanos, layout: Layout, payload: &[u8], end: u64, bounds: Bounds) -> Option<(Cause, Bounds)> {
    let nested = bounds.block_end != u64::MAX;
    match layout.way {
        Way::Block => return (nested && !sane_marker(payload, time)).then_some((Cause::Time { tag }, bounds)),
        Way::Ipe => return Some((Cause::BlockEnd { tag }, bounds)),
        _ => {}
    }
    if end > bounds.block_end {
        return Some((Cause::BlockEnd { tag }, Bounds { block_end: u64::MAX, ..bounds }));
    }
    if !bounds.holds(time) && tag != CreateMachine::TAG {
        let near = (Nanos(time.0.saturating_sub(MAX_TIME_OUTSIDE.0)), time.plus(MAX_TIME_OUTSIDE));
        return Some((Cause::Time { tag }, Bounds { times: near, ..bounds }));
    }
    if time.plus(MAX_TIME_BACK) < bounds.last_time {
        return Some((Cause::Time { tag }, bounds.after(time)));
    }
    (surplus(tag, layout, payload) != Some(0)).then_some((Cause::Fields { tag }, bounds.after(time)))
}

/// The record at the front of `here` by the header alone, as long as it is.
pub(crate) fn outline<'a>(here: Chunk<'a>, header: &Header, block_end: u64) -> Frame<'a> {
    let Some((tag, rest)) = here.bytes.split_first_chunk::<2>() else { return Frame::Need(2) };
    let tag = u16::from_be_bytes(*tag);
    if tag == END_MARK {
        return Frame::EndMark;
    }
    let layout = header.layout(tag);
    if layout.way == Way::Undeclared {
        return Frame::Damaged(Cause::Undeclared(tag));
    }
    let head = if layout.size == VARIABLE { 12 } else { 10 };
    let Some((time, rest)) = rest.split_first_chunk::<8>() else { return Frame::Need(head) };
    let length = match (layout.size, rest.first_chunk::<2>()) {
        (VARIABLE, Some(length)) => u16::from_be_bytes(*length),
        (VARIABLE, None) => return Frame::Need(head),
        (size, _) => size,
    };
    let length = usize::from(length);
    let end = here.offset + (head + length) as u64;
    match here.bytes.get(head..head + length) {
        Some(payload) => Frame::Record { tag, time: Nanos(u64::from_be_bytes(*time)), layout, payload, end },
        // A file that ends too early is cut off; but if the block ends even earlier, and is there, its length is false.
        None if here.last && block_end <= here.offset + here.bytes.len() as u64 => {
            Frame::Damaged(Cause::BlockEnd { tag })
        }
        None => Frame::Need(head + length),
    }
}

/// GHC 9.6 and 9.10 declare one byte more than they write (FORMAT 1.6): the shorter record is taken where something
/// sound follows it.
fn ipe<'a>(here: Chunk<'a>, header: &Header, bounds: Bounds, framed: Frame<'a>) -> Frame<'a> {
    let Frame::Record { tag, time, layout, payload, end } = framed else { return framed };
    let fields = crate::events::decode(tag, payload);
    if fields.used + 1 == payload.len() && fields.flaw.is_none() {
        let (shorter, payload) = (end - 1, payload.get(..fields.used).unwrap_or(payload));
        if shorter == bounds.block_end {
            return Frame::Record { tag, time, layout, payload, end: shorter };
        }
        match plausible(here.from(shorter), header, bounds) {
            Plausible::To(..) | Plausible::End => return Frame::Record { tag, time, layout, payload, end: shorter },
            Plausible::No => {}
            Plausible::Need(more) => return Frame::Need((shorter - here.offset) as usize + more),
        }
    }
    if end > bounds.block_end { Frame::Damaged(Cause::BlockEnd { tag }) } else { framed }
}

/// Whether a record can stand at some place.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Plausible {
    /// Yes, up to this offset, at this time.
    To(u64, Nanos),
    /// The block or the file ends here, or a block begins.
    End,
    No,
    /// More bytes are needed to tell: this many from here on.
    Need(usize),
}

/// Whether a record, a block marker or the end stands at the front of `here` (FORMAT 5.2): declared, at a time within
/// its block, within its block, and with fields that take exactly its length.
pub(crate) fn plausible(here: Chunk<'_>, header: &Header, bounds: Bounds) -> Plausible {
    if here.ends_at(here.offset) || here.offset == bounds.block_end {
        return Plausible::End;
    }
    match outline(here, header, bounds.block_end) {
        Frame::Need(_) if here.last => Plausible::No,
        Frame::Need(bytes) => Plausible::Need(bytes),
        Frame::EndMark if here.offset + 2 == bounds.block_end || here.ends_at(here.offset + 2) => Plausible::End,
        Frame::EndMark if here.last || here.bytes.len() > 2 => Plausible::No,
        Frame::EndMark => Plausible::Need(3),
        Frame::Record { time, payload, layout, .. } if layout.way == Way::Block => {
            if sane_marker(payload, time) {
                Plausible::End
            } else {
                Plausible::No
            }
        }
        Frame::Record { tag, time, layout, payload, end } => {
            let surplus = surplus(tag, layout, payload);
            let ipe = layout.way == Way::Ipe && surplus == Some(1);
            let end = if ipe { end - 1 } else { end };
            let fits = end <= bounds.block_end && bounds.holds(time) && (ipe || surplus == Some(0));
            if fits { Plausible::To(end, time) } else { Plausible::No }
        }
        Frame::Damaged(_) => Plausible::No,
    }
}

/// How many payload bytes the known fields leave over, for events whose fields tell; `None` if they do not fit.
fn surplus(tag: u16, layout: Layout, payload: &[u8]) -> Option<usize> {
    if !matches!(layout.way, Way::Delimited | Way::Ipe) {
        return Some(0);
    }
    let fields = crate::events::decode(tag, payload);
    fields.flaw.is_none().then_some(payload.len() - fields.used)
}

/// Whether a block marker found after damage, or within another block, can be believed.
pub(crate) fn sane_marker(payload: &[u8], time: Nanos) -> bool {
    let block = BlockMarker::read(payload);
    (24..=MAX_SANE_BLOCK).contains(&block.size)
        && (block.cap == CapNo::GLOBAL || block.cap.0 <= MAX_SANE_CAP)
        && (time <= block.end_time || block.end_time == Nanos(0))
}
