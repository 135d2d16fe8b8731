//! Where a record ends, and whether it can be one at all (FORMAT 1.1, 1.6, 5.1). Here, and nowhere else, stand the
//! places where the runtime itself lies about lengths.

use crate::{
    CapNo, Flaw, Nanos,
    error::Cause,
    events::{BlockMarker, CreateMachine},
    header::{END_MARK, Header, Layout, VARIABLE, Way},
    limits::{MAX_SANE_BLOCK, MAX_SANE_CAP, MAX_SANE_OPEN, MAX_TIME_BACK, MAX_TIME_OUTSIDE, RESYNC_RECORDS},
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
    Record(Framed<'a>),
    /// No record.
    Damaged(Cause),
}

/// A record's outline.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Framed<'a> {
    pub(crate) tag: u16,
    pub(crate) time: Nanos,
    pub(crate) layout: Layout,
    pub(crate) payload: &'a [u8],
    /// Where it ends.
    pub(crate) end: u64,
    /// What is wrong with its fields; looked for only where they do not take its length.
    pub(crate) flaw: Option<Flaw>,
}

/// Frames the record at the front of `here`, and doubts it as far as the block that it stands in gives reason to.
pub(crate) fn frame<'a>(here: Chunk<'a>, header: &Header, bounds: Bounds) -> Frame<'a> {
    let framed = outline(here, header, bounds.block_end);
    let Frame::Record(record) = framed else { return framed };
    let Some((cause, next)) = doubt(record, bounds) else { return framed };
    match record.layout.way {
        Way::Block => return Frame::Damaged(cause),
        Way::Ipe => return ipe(here, header, bounds, record),
        _ => {}
    }
    let behind = here.from(record.end);
    let vouched = match cause {
        // Misread records in a row can agree on a time by chance: more of them are asked than of others.
        Cause::Time { .. } => several(behind, header, next),
        _ => plausible(behind, header, next),
    };
    match vouched {
        // Any time can be the last: the end speaks for none.
        Plausible::End if !bounds.holds(record.time) => Frame::Damaged(cause),
        Plausible::To(..) | Plausible::End => Frame::Record(Framed { flaw: flaw(record), ..record }),
        Plausible::No => Frame::Damaged(cause),
        Plausible::Need(more) => Frame::Need((record.end - here.offset) as usize + more),
    }
}

/// What speaks against a record, and what the one behind it must be like to speak for it all the same.
fn doubt(record: Framed<'_>, bounds: Bounds) -> Option<(Cause, Bounds)> {
    let Framed { tag, time, layout, payload, end, .. } = record;
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
    // Zeros, as damage leaves them, would read as CREATE_THREAD.
    let zeros = time == Nanos(0) && bounds.last_time > Nanos(0);
    if zeros || time.plus(MAX_TIME_BACK) < bounds.last_time {
        return Some((Cause::Time { tag }, bounds.after(time)));
    }
    (surplus(record) != Some(0)).then_some((Cause::Fields { tag }, bounds.after(time)))
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
    let fixed = if layout.size == VARIABLE { 0 } else { usize::from(layout.size) };
    let Some((time, rest)) = rest.split_first_chunk::<8>() else { return Frame::Need(head + fixed) };
    let length = match (layout.size, rest.first_chunk::<2>()) {
        (VARIABLE, Some(length)) => u16::from_be_bytes(*length),
        (VARIABLE, None) => return Frame::Need(head),
        (size, _) => size,
    };
    let length = usize::from(length);
    let end = here.offset + (head + length) as u64;
    match here.bytes.get(head..head + length) {
        Some(payload) => {
            Frame::Record(Framed { tag, time: Nanos(u64::from_be_bytes(*time)), layout, payload, end, flaw: None })
        }
        // A file that ends too early is cut off; but if the block ends even earlier, and is there, its length is false.
        None if here.last && block_end <= here.offset + here.bytes.len() as u64 => {
            Frame::Damaged(Cause::BlockEnd { tag })
        }
        None => Frame::Need(head + length),
    }
}

/// GHC 9.6 and 9.10 declare one byte more than they write (FORMAT 1.6): the shorter record is taken where something
/// sound follows it, and where nothing sound follows either of the two, as when the log is cut off there.
fn ipe<'a>(here: Chunk<'a>, header: &Header, bounds: Bounds, record: Framed<'a>) -> Frame<'a> {
    let Framed { tag, payload, end, .. } = record;
    let fields = crate::events::decode(tag, payload);
    if fields.used + 1 == payload.len() && fields.flaw.is_none() {
        let payload = payload.get(..fields.used).unwrap_or(payload);
        let shorter = Framed { payload, end: end - 1, ..record };
        if shorter.end == bounds.block_end {
            return Frame::Record(shorter);
        }
        let sound = |at| plausible(here.from(at), header, bounds);
        match (sound(shorter.end), sound(end)) {
            (Plausible::Need(more), _) => return Frame::Need((shorter.end - here.offset) as usize + more),
            (Plausible::No, Plausible::Need(more)) => return Frame::Need((end - here.offset) as usize + more),
            (Plausible::No, Plausible::To(..) | Plausible::End) => {}
            _ => return Frame::Record(shorter),
        }
    }
    if end > bounds.block_end {
        return Frame::Damaged(Cause::BlockEnd { tag });
    }
    Frame::Record(Framed { flaw: fields.flaw, ..record })
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
        Frame::Record(Framed { time, payload, layout, .. }) if layout.way == Way::Block => {
            if sane_marker(payload, time) { Plausible::End } else { Plausible::No }
        }
        // Zeros, as damage leaves them, would read as CREATE_THREAD.
        Frame::Record(record) if record.time == Nanos(0) && bounds.last_time > Nanos(0) => Plausible::No,
        Frame::Record(record) => {
            let surplus = surplus(record);
            let ipe = record.layout.way == Way::Ipe && surplus == Some(1);
            let end = if ipe { record.end - 1 } else { record.end };
            let fits = end <= bounds.block_end && bounds.holds(record.time) && (ipe || surplus == Some(0));
            if fits { Plausible::To(end, record.time) } else { Plausible::No }
        }
        Frame::Damaged(_) => Plausible::No,
    }
}

/// Whether a few plausible records stand at the front of `here` in a row, or fewer up to the end of the block, or none if it
/// ends here.
pub(crate) fn several(here: Chunk<'_>, header: &Header, mut bounds: Bounds) -> Plausible {
    let mut at = here;
    let mut last = Plausible::No;
    for _ in 0..RESYNC_RECORDS {
        last = plausible(at, header, bounds);
        match last {
            Plausible::To(end, time) => (at, bounds) = (here.from(end), bounds.after(time)),
            Plausible::Need(bytes) => return Plausible::Need((at.offset - here.offset) as usize + bytes),
            _ if at.offset == here.offset => return last,
            // Behind sound records the end speaks for these, and where the log is cut off nothing speaks against them.
            Plausible::End => return Plausible::To(at.offset, bounds.times.0),
            Plausible::No if here.last && matches!(outline(at, header, bounds.block_end), Frame::Need(_)) => {
                return Plausible::To(at.offset, bounds.times.0);
            }
            Plausible::No => return last,
        }
    }
    last
}

/// How many payload bytes the known fields leave over, for events whose length is checked; `None` if they do not fit.
fn surplus(record: Framed<'_>) -> Option<usize> {
    if !matches!(record.layout.way, Way::Checked | Way::Ipe) {
        return Some(0);
    }
    let fields = crate::events::decode(record.tag, record.payload);
    fields.flaw.is_none().then_some(record.payload.len() - fields.used)
}

/// What is wrong with the fields of a record that is a record all the same.
fn flaw(record: Framed<'_>) -> Option<Flaw> {
    let known = matches!(record.layout.way, Way::Known | Way::Checked);
    known.then(|| crate::events::decode(record.tag, record.payload).flaw).flatten()
}

/// Whether a block marker found after damage, or within another block, can be believed.
pub(crate) fn sane_marker(payload: &[u8], time: Nanos) -> bool {
    let block = BlockMarker::read(payload);
    (24..=MAX_SANE_BLOCK).contains(&block.size)
        && (block.cap == CapNo::GLOBAL || block.cap.0 <= MAX_SANE_CAP)
        && (block.end_time == Nanos(0) || time <= block.end_time && block.end_time.since(time) <= MAX_SANE_OPEN)
}
