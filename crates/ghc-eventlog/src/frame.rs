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

/// The layouts that the record at the front of `here` may have; or what else stands there.
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

/// A record whose size is in doubt: what follows it decides.
#[cold]
fn choose<'a>(here: Chunk<'a>, header: &Header, bounds: Bounds, tag: u16) -> Frame<'a> {
    let layouts = header.candidates(tag);
    // The header's own word, but for a type that is missing in it.
    let declared = header.declared(tag).map(|declared| declared.size);
    // Where no more can be known: what most speaks for, then the header's word, unless that is a known mistake.
    let mut cut: Option<(usize, bool, Framed<'a>)> = None;
    for layout in layouts {
        let record = match outline(here, *layout, bounds.block_end) {
            Frame::Record(record) => record,
            // Once all of the log is there, too little of it is no record.
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

/// Doubts a record as far as there is reason to.
fn believe<'a>(here: Chunk<'a>, header: &Header, bounds: Bounds, record: Framed<'a>) -> Frame<'a> {
    let Some((cause, next, others)) = doubt(record, bounds) else { return Frame::Record(record) };
    match record.layout.way {
        Way::Block => return Frame::Damaged(cause),
        Way::Ipe => return ipe(here, header, bounds, record),
        _ => {}
    }
    match run(here.from(record.end), header, next, others, false) {
        // Any time can be the last: the end speaks for none.
        Plausible::End if !bounds.holds(record.time) => Frame::Damaged(cause),
        Plausible::Yes | Plausible::End | Plausible::Cut(_) => Frame::Record(Framed { flaw: flaw(record), ..record }),
        Plausible::No => Frame::Damaged(cause),
        Plausible::Need(more) => Frame::Need((record.end - here.offset) as usize + more),
    }
}

/// What speaks against a record, what the records after it must be like to vouch for it, and how many are needed.
fn doubt(record: Framed<'_>, bounds: Bounds) -> Option<(Cause, Bounds, usize)> {
    let Framed { tag, time, layout, payload, end, .. } = record;
    let nested = bounds.block_end != u64::MAX;
    if layout.way == Way::Block {
        return (nested && !sane_marker(payload, time)).then_some((Cause::Time { tag }, bounds, 0));
    }
    if end > bounds.block_end {
        return Some((Cause::BlockEnd { tag }, Bounds { block_end: u64::MAX, ..bounds }, 1));
    }
    // Misread records in a row can agree on a time by chance: more of them are asked than of others.
    if !bounds.holds(time) && tag != CreateMachine::TAG {
        let near = (Nanos(time.0.saturating_sub(MAX_TIME_OUTSIDE.0)), time.plus(MAX_TIME_OUTSIDE));
        return Some((Cause::Time { tag }, Bounds { times: near, ..bounds }, RESYNC_RECORDS));
    }
    // Zeros, as damage leaves them, would read as CREATE_THREAD.
    let zeros = time == Nanos(0) && bounds.last_time > Nanos(0);
    if zeros || time.plus(MAX_TIME_BACK) < bounds.last_time {
        return Some((Cause::Time { tag }, bounds.after(time), RESYNC_RECORDS));
    }
    match surplus(record) {
        Some(0) => None,
        // Fields that are not known yet, or another record in the middle of this one.
        Some(_) => Some((Cause::Fields { tag }, bounds.after(time), RESYNC_RECORDS)),
        None => Some((Cause::Fields { tag }, bounds.after(time), 1)),
    }
}

/// The record at the front of `here` by its layout alone, as long as it is.
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
    // The byte too many of an info table's provenance is not there where the log ends with it.
    if layout.way == Way::Ipe
        && here.last
        && let Some(payload) = here.bytes.get(head..)
        && payload.len() + 1 == length
        && surplus_of(tag, payload) == Some(0)
    {
        return Frame::Record(Framed { tag, time, layout, payload, end: end - 1, flaw: None });
    }
    // A file that ends too early is cut off; but if the block ends even earlier, and is there, its length is false.
    if here.last && block_end <= here.offset + here.bytes.len() as u64 {
        return Frame::Damaged(Cause::BlockEnd { tag });
    }
    Frame::Need(head + length)
}

/// GHC 9.6 and 9.10 declare one byte more than they write (FORMAT 1.6): the shorter record is taken where something
/// sound follows it, and where nothing sound follows either of the two, as when the log is cut off there.
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

/// An info table's provenance as it is if its length is one byte too large.
fn without_last_byte(record: Framed<'_>) -> Option<Framed<'_>> {
    let payload = record.payload.get(..record.payload.len().checked_sub(1)?)?;
    let fits = record.layout.way == Way::Ipe && surplus(record) == Some(1);
    fits.then_some(Framed { payload, end: record.end - 1, ..record })
}

/// Whether a record can stand at some place.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Plausible {
    Yes,
    /// The block or the file ends here, or a block begins.
    End,
    /// The file is cut off after this many plausible records: nothing speaks against them.
    Cut(usize),
    No,
    /// More bytes are needed to tell: this many from here on.
    Need(usize),
}

/// Whether a few plausible records stand at the front of `here` in a row, or fewer up to the end of the block or of the
/// log, or none if it ends here.
pub(crate) fn several(here: Chunk<'_>, header: &Header, bounds: Bounds) -> Plausible {
    run(here, header, bounds, RESYNC_RECORDS, false)
}

/// Whether `records` plausible records (FORMAT 5.2) stand at the front of `here`: declared, at times within their block,
/// within their block, and with fields that fit into their lengths. Where a record may be framed in more than one way, any
/// will do. `follows_others`: plausible records stand before these.
fn run(here: Chunk<'_>, header: &Header, bounds: Bounds, records: usize, follows_others: bool) -> Plausible {
    if records == 0 || here.ends_at(here.offset) || here.offset == bounds.block_end {
        return Plausible::End;
    }
    let layouts = match layouts_at(here, header) {
        Ok(layouts) => layouts,
        Err(Frame::EndMark) => return end_mark(here, bounds),
        // Where the log is cut off nothing speaks against the records before.
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

/// Whether the record at the front of `here` is plausible, and `records - 1` after it.
fn sound(here: Chunk<'_>, header: &Header, bounds: Bounds, record: Framed<'_>, records: usize) -> Plausible {
    let Framed { time, layout, payload, .. } = record;
    if layout.way == Way::Block {
        return if sane_marker(payload, time) { Plausible::End } else { Plausible::No };
    }
    // Zeros, as damage leaves them, would read as CREATE_THREAD.
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

/// Whether an end mark can stand at the front of `here`.
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

/// The same of an event's payload.
pub(crate) fn surplus_of(tag: u16, payload: &[u8]) -> Option<usize> {
    let fields = crate::events::decode(tag, payload);
    fields.flaw.is_none().then_some(payload.len() - fields.used)
}

/// What is wrong with the fields of a record that is a record all the same.
fn flaw(record: Framed<'_>) -> Option<Flaw> {
    let known = matches!(record.layout.way, Way::Known | Way::Checked);
    known.then(|| crate::events::decode(record.tag, record.payload).flaw).flatten()
}

/// A block marker that can be believed at the front of `here`: where its record ends, what it says, and at what time.
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
