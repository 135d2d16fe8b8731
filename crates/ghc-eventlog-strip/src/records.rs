//! Writes the part of a record that gets into the copy: its head, and the known fields that may stay.

use crate::{
    Strip,
    copying::{BLANK, Copying},
};
use ghc_eventlog::{
    Decoder, HeapProfBegin, LogMsg, ProgramArgs, ProgramEnv, ProgramInvocation, Record, UserBinaryMsg, UserMarker,
    UserMsg, VARIABLE,
};

/// What is left out of an event: everything from its first text on.
#[derive(Debug, Clone, Copy)]
struct LeftOut {
    /// How many bytes of its fields come before that.
    from: usize,
    /// Whether the NULs stay that end each text of a list.
    nuls_stay: bool,
}

impl LeftOut {
    /// What is left out of events with this number.
    fn of(tag: u16, strip: Strip) -> Option<Self> {
        let (wanted, from, nuls_stay) = match tag {
            ProgramEnv::TAG => (strip.env, ProgramEnv::MIN_SIZE, false),
            ProgramArgs::TAG => (strip.args, ProgramArgs::MIN_SIZE, true),
            ProgramInvocation::TAG => (strip.args, ProgramInvocation::MIN_SIZE, false),
            // Its fields end with the seventh NUL.
            HeapProfBegin::TAG => (strip.args, HeapProfBegin::MIN_SIZE, true),
            LogMsg::TAG => (strip.messages, LogMsg::MIN_SIZE, false),
            UserMsg::TAG => (strip.messages, UserMsg::MIN_SIZE, false),
            UserMarker::TAG => (strip.messages, UserMarker::MIN_SIZE, false),
            UserBinaryMsg::TAG => (strip.messages, UserBinaryMsg::MIN_SIZE, false),
            _ => return None,
        };
        wanted.then_some(Self { from, nuls_stay })
    }
}

/// Writes a record that ends at `end`.
pub(crate) fn write(copying: &mut Copying<'_, '_>, record: &Record<'_>, end: u64, strip: Strip) {
    let payload = end - record.payload.len() as u64;
    copying.put(copying.log(payload));
    let known = if record.known { record.decode().used } else { 0 };
    let fields = record.payload.get(..known).unwrap_or_default();
    match LeftOut::of(record.tag, strip) {
        None => copying.put(fields),
        Some(LeftOut { from, nuls_stay }) => {
            let (stays, texts) = fields.split_at(from.min(fields.len()));
            copying.put(stays);
            if nuls_stay {
                let blanked: Vec<u8> = texts.iter().map(|byte| if *byte == 0 { 0 } else { BLANK }).collect();
                copying.put(&blanked);
            }
        }
    }
    // The rest of the payload is unknown or left out.
    copying.fill(BLANK, end);
}

/// Writes the front of a record within which the log ends, only as much as shows that it is cut off. Its time is left
/// out, since the decoder did not check it.
pub(crate) fn write_cut(copying: &mut Copying<'_, '_>, tag: u16, decoder: &Decoder, end: u64) {
    let length = copying.at + 10;
    copying.put(&tag.to_be_bytes());
    let is_variable = decoder.header().declared(tag).is_some_and(|declared| declared.size == VARIABLE);
    if is_variable && length + 2 <= end {
        copying.fill(BLANK, length);
        copying.put(copying.log(length + 2));
    }
    copying.fill(BLANK, end);
}
