//! Finds where a record ends, and whether the bytes can be a record at all (FORMAT 1.1, 1.6, 5.1). Every case in which
//! the runtime itself writes a false length is handled in this file and in no other.

use crate::{
    CapNo, Flaw, Nanos,
    error::Cause,
    events::{BlockMarker, CreateMachine},
    header::{END_MARK, Header, Layout, VARIABLE, Way},
    limits::{MAX_SANE_BLOCK, MAX_SANE_CAP, MAX_SANE_OPEN, MAX_TIME_BACK, MAX_TIME_OUTSIDE, RESYNC_RECORDS},
    stream::Chunk,
};

/// What is known about the records at an offset.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// Where the open block ends; `u64::MAX` outside of blocks.
    pub(crate) block_end: u64,
    /// Times that its events can have.
    pub(crate) times: (Nanos, Nanos),
    /// The time of the previous event.
    pub(crate) last_time: Nanos,
}

impl Bounds {
    /// The bounds for what follows an event at `time` in the same block.
    pub(crate) fn after(self, time: Nanos) -> Self {
        let earliest = Nanos(time.0.saturating_sub(MAX_TIME_BACK.0));
        Self { times: (self.times.0.max(earliest), self.times.1), ..self }
    }

    fn holds(&self, time: Nanos) -> bool {
        self.times.0 <= time && time <= self.times.1
    }
}

/// What the bytes at an offset are.
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
    /// What is wrong with its fields. Only checked where they do not take all of its length.
    pub(crate) flaw: Option<Flaw>,
}

/// Frames the record at the front of `here`. Where it contradicts its block, what follows it must confirm it.
pub(crate) fn frame<'a>(here: Chunk<'a>, header: &Header, bounds: Bounds) -> Frame<'a> {
    let Some(tag) = here.bytes.first_chunk::<2>() else { return Frame::Need(2) };
    let tag = u16::from_be_bytes(*tag);
    let layout = header.layout(tag);
    match layout.way {
        Way::Undeclared if tag == END_MARK => return Frame::EndMark,
        Way::Undeclared => return Frame::Damaged(Cause::Undeclared(tag)),
        Way::Doubtful => return choose(here, header, bounds, tag),
        _ => {}
    }
    let framed = outline(here, layout, bounds.block_end);
    let Frame::Record(record) = framed else { return framed };
    believe(here, header, bounds, record)
}

/// The layouts that the record at the front of `here` may have; an error if it is no record.
fn layouts_at<'h>(here: Chunk<'_>, header: &'h Header) -> Result<&'h [Layout], Frame<'static>> {
    let Some(tag) = here.bytes.first_chunk::<2>() else { return Err(Frame::Need(2)) };
    match u16::from_be_bytes(*tag) {
        END_MARK => Err(Frame::EndMark),
        tag => match header.candidates(tag) {
            [] => Err(Frame::Damaged(Cause::Undeclared(tag))),
            layouts => Ok(layouts),
        },
    }
}

/// Frames a record whose size is in doubt: what follows it decides.
#[cold]
fn choose<'a>(here: Chunk<'a>, header: &Header, bounds: Bounds, tag: u16) -> Frame<'a> {
    let layouts = header.candidates(tag);
    // The size that the header declares; `None` for a type that is missing in it.
    let declared = header.declared(tag).map(|declared| declared.size);
    // If the log is cut off before a decision: the size with most plausible records after it; among equals the declared
    // size, unless that is a known mistake.
    let mut cut: Option<(usize, bool, Framed<'a>)> = None;
    for layout in layouts {
        let record = match outline(here, *layout, bounds.block_end) {
            Frame::Record(record) => record,
            // If the log ends before the record does, it is no record.
            Frame::Need(bytes) if !here.last => return Frame::Need(bytes),
            _ => continue,
        };
        match sound(here, header, bounds, record, RESYNC_RECORDS + 1) {
            Plausible::Need(bytes) => return Frame::Need(bytes),
            Plausible::Yes | Plausible::End => return believe(here, header, bounds, record),
            Plausible::Cut(records) => {
                let word = declared == Some(layout.size) && !header.is_ghcs_mistake(tag, layout.size);
                if cut.is_none_or(|(most, kept_word, _)| (records, word) > (most, kept_word)) {
                    cut = Some((records, word, record));
                }
            }
            Plausible::No => {}
        }
    }
    if let Some((.., record)) = cut {
        return believe(here, header, bounds, record);
    }
    let declared_layout = layouts.iter().find(|layout| Some(layout.size) == declared);
    match declared_layout.map(|layout| outline(here, *layout, bounds.block_end)) {
        Some(Frame::Record(record)) => believe(here, header, bounds, record),
        Some(other) => other,
        None => Frame::Damaged(Cause::Undeclared(tag)),
    }
}

/// Accepts a record, or checks what follows it if there is reason to doubt it.
fn believe<'a>(here: Chunk<'a>, header: &Header, bounds: Bounds, record: Framed<'a>) -> Frame<'a> {
    let Some((cause, next, others)) = doubt(record, bounds) else { return Frame::Record(record) };
    match record.layout.way {
        Way::Block if !sane_marker(record.payload, record.time) => return Frame::Damaged(cause),
        Way::Ipe => return ipe(here, header, bounds, record),
        _ => {}
    }
    match run(here.from(record.end), header, next, others, false) {
        // The end of a block or log can follow any time, so it does not confirm an odd one.
        Plausible::End if !bounds.holds(record.time) && record.layout.way != Way::Block => Frame::Damaged(cause),
        Plausible::Yes | Plausible::End | Plausible::Cut(_) => Frame::Record(Framed { flaw: flaw(record), ..record }),
        Plausible::No => Frame::Damaged(cause),
        Plausible::Need(more) => Frame::Need((record.end - here.offset) as usize + more),
    }
}

/// The reason to doubt a record, the bounds for the records that must follow to confirm it, and how many of them are
/// needed.
fn doubt(record: Framed<'_>, bounds: Bounds) -> Option<(Cause, Bounds, usize)> {
    let Framed { tag, time, layout, payload, end, .. } = record;
    let nested = bounds.block_end != u64::MAX;
    if layout.way == Way::Block {
        // A damaged number makes a marker of any event of its size, whose block would have whatever times its fields
        // are. In a merged log, events of the open block follow.
        let (from, to) = crate::decoder::block_times(time, BlockMarker::read(payload).end_time);
        let times = (bounds.times.0.min(from), bounds.times.1.max(to));
        let next = Bounds { block_end: u64::MAX, times, last_time: time };
        return nested.then_some((Cause::Time { tag }, next, 1));
    }
    if end > bounds.block_end {
        return Some((Cause::BlockEnd { tag }, Bounds { block_end: u64::MAX, ..bounds }, 1));
    }
    // Misread records in a row can agree on a time by chance, so this case needs more of them than others.
    if !bounds.holds(time) && tag != CreateMachine::TAG {
        let near = (Nanos(time.0.saturating_sub(MAX_TIME_OUTSIDE.0)), time.plus(MAX_TIME_OUTSIDE));
        return Some((Cause::Time { tag }, Bounds { times: near, ..bounds }, RESYNC_RECORDS));
    }
    // Damage leaves zeros, which would read as CREATE_THREAD.
    let zeros = time == Nanos(0) && bounds.last_time > Nanos(0);
    if zeros || time.plus(MAX_TIME_BACK) < bounds.last_time {
        return Some((Cause::Time { tag }, bounds.after(time), RESYNC_RECORDS));
    }
    match surplus(record) {
        Some(0) => None,
        // Either a newer runtime added fields, or another record begins in the middle of this one.
        Some(_) => Some((Cause::Fields { tag }, bounds.after(time), RESYNC_RECORDS)),
        None => Some((Cause::Fields { tag }, bounds.after(time), 1)),
    }
}

/// The record at the front of `here`, by its layout alone: its length is not doubted.
#[inline(always)]
fn outline<'a>(here: Chunk<'a>, layout: Layout, block_end: u64) -> Frame<'a> {
    let Some((tag, rest)) = here.bytes.split_first_chunk::<2>() else { return Frame::Need(2) };
    let tag = u16::from_be_bytes(*tag);
    let head = if layout.size == VARIABLE { 12 } else { 10 };
    let fixed = if layout.size == VARIABLE { 0 } else { usize::from(layout.size) };
    let Some((time, rest)) = rest.split_first_chunk::<8>() else { return Frame::Need(head + fixed) };
    let length = match (layout.size, rest.first_chunk::<2>()) {
        (VARIABLE, Some(length)) => u16::from_be_bytes(*length),
        (VARIABLE, None) => return Frame::Need(head),
        (size, _) => size,
    };
    let (length, time) = (usize::from(length), Nanos(u64::from_be_bytes(*time)));
    let end = here.offset + (head + length) as u64;
    if let Some(payload) = here.bytes.get(head..head + length) {
        return Frame::Record(Framed { tag, time, layout, payload, end, flaw: None });
    }
    // An info table's provenance claims one byte too many, which is missing where the log ends with it.
    if layout.way == Way::Ipe
        && here.last
        && let Some(payload) = here.bytes.get(head..)
        && payload.len() + 1 == length
        && surplus_of(tag, payload) == Some(0)
    {
        return Frame::Record(Framed { tag, time, layout, payload, end: end - 1, flaw: None });
    }
    // If the file ends within the record, it is cut off; but if all of the record's block is there, the record's length
    // is false.
    if here.last && block_end <= here.offset + here.bytes.len() as u64 {
        return Frame::Damaged(Cause::BlockEnd { tag });
    }
    Frame::Need(head + length)
}

/// GHC 9.6 and 9.10 declare one byte more than they write (FORMAT 1.6). The shorter record is taken if plausible
/// records follow it, or if none follow either of the two, as when the log is cut off there.
fn ipe<'a>(here: Chunk<'a>, header: &Header, bounds: Bounds, record: Framed<'a>) -> Frame<'a> {
    let Framed { tag, payload, end, .. } = record;
    if let Some(shorter) = without_last_byte(record) {
        if shorter.end == bounds.block_end {
            return Frame::Record(shorter);
        }
        let follows = |at| run(here.from(at), header, bounds, 1, false);
        match (follows(shorter.end), follows(end)) {
            (Plausible::Need(more), _) => return Frame::Need((shorter.end - here.offset) as usize + more),
            (Plausible::No, Plausible::Need(more)) => return Frame::Need((end - here.offset) as usize + more),
            (Plausible::No, Plausible::Yes | Plausible::End | Plausible::Cut(_)) => {}
            _ => return Frame::Record(shorter),
        }
    }
    if end > bounds.block_end {
        return Frame::Damaged(Cause::BlockEnd { tag });
    }
    Frame::Record(Framed { flaw: crate::events::decode(tag, payload).flaw, ..record })
}

/// An info table's provenance without its last byte, if the fields leave exactly one byte over.
fn without_last_byte(record: Framed<'_>) -> Option<Framed<'_>> {
    let payload = record.payload.get(..record.payload.len().checked_sub(1)?)?;
    let fits = record.layout.way == Way::Ipe && surplus(record) == Some(1);
    fits.then_some(Framed { payload, end: record.end - 1, ..record })
}

/// Whether the bytes at an offset can be records.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Plausible {
    Yes,
    /// The block or the file ends here, or a block begins.
    End,
    /// The file is cut off after this many plausible records.
    Cut(usize),
    No,
    /// More bytes are needed to decide: this many from here on.
    Need(usize),
}

/// Whether [`RESYNC_RECORDS`] plausible records in a row begin at the front of `here`. Fewer will do up to the end of
/// the block or of the log, and none if it ends here.
pub(crate) fn several(here: Chunk<'_>, header: &Header, bounds: Bounds) -> Plausible {
    run(here, header, bounds, RESYNC_RECORDS, false)
}

/// Whether `records` plausible records (FORMAT 5.2) begin at the front of `here`. Plausible means: declared, within the
/// bytes and times of its block, and with fields that fit into its length. If a record may be framed in more than one
/// way, one plausible way is enough. `follows_others`: plausible records come before these.
fn run(here: Chunk<'_>, header: &Header, bounds: Bounds, records: usize, follows_others: bool) -> Plausible {
    if records == 0 || here.ends_at(here.offset) || here.offset == bounds.block_end {
        return Plausible::End;
    }
    let layouts = match layouts_at(here, header) {
        Ok(layouts) => layouts,
        Err(Frame::EndMark) => return end_mark(here, bounds),
        // The log is cut off here, which does not contradict the records before.
        Err(Frame::Need(_)) if here.last => return if follows_others { Plausible::Cut(0) } else { Plausible::No },
        Err(Frame::Need(bytes)) => return Plausible::Need(bytes),
        Err(_) => return Plausible::No,
    };
    let mut cut = false;
    for layout in layouts {
        let record = match outline(here, *layout, bounds.block_end) {
            Frame::Record(record) => record,
            Frame::Need(bytes) if !here.last => return Plausible::Need(bytes),
            Frame::Need(_) => {
                cut = true;
                continue;
            }
            _ => continue,
        };
        match sound(here, header, bounds, record, records) {
            Plausible::No => {}
            found => return found,
        }
    }
    if cut && follows_others { Plausible::Cut(0) } else { Plausible::No }
}

/// Whether the record at the front of `here` is plausible, and the `records - 1` after it.
fn sound(here: Chunk<'_>, header: &Header, bounds: Bounds, record: Framed<'_>, records: usize) -> Plausible {
    let Framed { time, layout, payload, .. } = record;
    if layout.way == Way::Block {
        return if sane_marker(payload, time) { Plausible::End } else { Plausible::No };
    }
    // Damage leaves zeros, which would read as CREATE_THREAD.
    if time == Nanos(0) && bounds.last_time > Nanos(0) || !bounds.holds(time) || surplus(record).is_none() {
        return Plausible::No;
    }
    for framed in without_last_byte(record).into_iter().chain([record]).filter(|record| record.end <= bounds.block_end)
    {
        match run(here.from(framed.end), header, bounds.after(time), records - 1, true) {
            Plausible::No => {}
            Plausible::Need(more) => return Plausible::Need((framed.end - here.offset) as usize + more),
            Plausible::Yes | Plausible::End => return Plausible::Yes,
            Plausible::Cut(records) => return Plausible::Cut(records + 1),
        }
    }
    Plausible::No
}

/// Whether there can be an end mark at the front of `here`.
fn end_mark(here: Chunk<'_>, bounds: Bounds) -> Plausible {
    let behind = here.from(here.offset + 2);
    match behind.bytes {
        _ if behind.offset == bounds.block_end || here.ends_at(behind.offset) => Plausible::End,
        [] => Plausible::Need(3),
        _ => Plausible::No,
    }
}

/// How many payload bytes the known fields leave over, for events whose length is checked; `None` if they do not fit.
fn surplus(record: Framed<'_>) -> Option<usize> {
    match record.layout.way {
        Way::Checked | Way::Ipe => surplus_of(record.tag, record.payload),
        _ => Some(0),
    }
}

/// The same for the payload of event number `tag`.
pub(crate) fn surplus_of(tag: u16, payload: &[u8]) -> Option<usize> {
    let fields = crate::events::decode(tag, payload);
    fields.flaw.is_none().then_some(payload.len() - fields.used)
}

/// What is wrong with the fields of an accepted record.
fn flaw(record: Framed<'_>) -> Option<Flaw> {
    let known = matches!(record.layout.way, Way::Known | Way::Checked);
    known.then(|| crate::events::decode(record.tag, record.payload).flaw).flatten()
}

/// The believable block marker at the front of `here`, if there is one: where its record ends, its fields, and its
/// time.
pub(crate) fn marker(here: Chunk<'_>, header: &Header) -> Result<Option<(u64, BlockMarker, Nanos)>, usize> {
    let layouts = match layouts_at(here, header) {
        Ok(layouts) => layouts,
        Err(Frame::Need(bytes)) if !here.last => return Err(bytes),
        Err(_) => return Ok(None),
    };
    for layout in layouts.iter().filter(|layout| layout.way == Way::Block) {
        match outline(here, *layout, u64::MAX) {
            Frame::Record(Framed { payload, time, end, .. }) if sane_marker(payload, time) => {
                return Ok(Some((end, BlockMarker::read(payload), time)));
            }
            Frame::Need(bytes) if !here.last => return Err(bytes),
            _ => {}
        }
    }
    Ok(None)
}

/// Whether a block marker found after damage, or within another block, can be believed.
pub(crate) fn sane_marker(payload: &[u8], time: Nanos) -> bool {
    let block = BlockMarker::read(payload);
    (24..=MAX_SANE_BLOCK).contains(&block.size)
        && (block.cap == CapNo::GLOBAL || block.cap.0 <= MAX_SANE_CAP)
        && (block.end_time == Nanos(0) || time <= block.end_time && block.end_time.since(time) <= MAX_SANE_OPEN)
}

#[cfg(test)]
mod tests;
