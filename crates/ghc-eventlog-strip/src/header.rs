//! Writes a header anew from what the decoder read. Each event type keeps its offset and its length. Damaged parts stay
//! damaged, in a way that the decoder understands the same; otherwise it would frame the records after them
//! differently.

use crate::copying::{BLANK, Copying, NOTHING};
use ghc_eventlog::{BlockMarker, EVENTS, Notice, NoticeKind, ghcs_description, info, limits::MAX_DESCRIPTION};

const BEGIN: &[u8; 8] = b"hdrbhetb";
const TYPE: &[u8; 4] = b"etb\0";
const TYPE_END: &[u8; 4] = b"ete\0";
const END: &[u8; 12] = b"hetehdredatb";

/// The size of a block marker, in bytes.
const BLOCK: usize = 24;

/// The size of an event type without its description and its extra information, in bytes.
const AROUND: usize = 20;

/// An event type in a header.
struct Declared<'a> {
    tag: u16,
    size: [u8; 2],
    description: &'a [u8],
    /// Its whole size.
    bytes: usize,
}

impl<'a> Declared<'a> {
    /// The undamaged event type at the front of some bytes.
    fn read(bytes: &'a [u8]) -> Option<Self> {
        let ([tag1, tag2, size @ ..], rest) = bytes.strip_prefix(TYPE)?.split_first_chunk::<4>()?;
        let (description, rest) = counted(rest)?;
        let (extra, rest) = counted(rest)?;
        rest.starts_with(TYPE_END).then_some(Self {
            tag: u16::from_be_bytes([*tag1, *tag2]),
            size: *size,
            description,
            bytes: AROUND + description.len() + extra.len(),
        })
    }

    /// The remains of a damaged event type, which takes all of `bytes`. The decoder has identified its number.
    fn mended(bytes: &'a [u8], tag: u16) -> Option<Self> {
        let (head, rest) = bytes.split_first_chunk::<12>()?;
        let (description, _) = rest.split_last_chunk::<8>()?;
        let [_, _, _, _, _, _, size1, size2, ..] = *head;
        Some(Self { tag, size: [size1, size2], description, bytes: bytes.len() })
    }

    /// Writes it anew, with the same length. If the new description is shorter, the rest becomes extra information,
    /// which no reader uses.
    fn write(&self, copying: &mut Copying<'_, '_>) {
        let room = self.bytes - AROUND;
        let own_name = || info(self.tag).map(|info| info.name).filter(|name| name.len() <= room);
        let text = known(self.description).or_else(own_name).unwrap_or_default();
        let extra = (room - text.len()).min(MAX_DESCRIPTION as usize);
        let stars = vec![BLANK; room - text.len() - extra];
        self.write_as(copying, &[text.as_bytes(), &stars].concat(), &vec![0; extra], TYPE_END);
    }

    /// Writes it with a damaged end, so that the decoder still assumes that other types may have been lost nearby.
    fn write_damaged(&self, copying: &mut Copying<'_, '_>) {
        self.write_as(copying, &vec![BLANK; self.bytes - AROUND], &[], &[NOTHING; 4]);
    }

    fn write_as(&self, copying: &mut Copying<'_, '_>, description: &[u8], extra: &[u8], end: &[u8; 4]) {
        copying.put(TYPE);
        copying.put(&self.tag.to_be_bytes());
        copying.put(&self.size);
        for text in [description, extra] {
            copying.put(&(text.len() as u32).to_be_bytes());
            copying.put(text);
        }
        copying.put(end);
    }
}

/// The description from our own tables that equals this one: GHC's, or the table of events', which is in logs that this
/// project's tools write. So it cannot contain anything unknown.
fn known(description: &[u8]) -> Option<&'static str> {
    let own = || EVENTS.iter().flat_map(|info| [info.doc, info.name]).find(|own| own.as_bytes() == description);
    ghcs_description(description).or_else(own)
}

/// Bytes that come after their count, and what follows them.
fn counted(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (count, rest) = bytes.split_first_chunk::<4>()?;
    rest.split_at_checked(usize::try_from(u32::from_be_bytes(*count)).ok()?)
}

/// Writes the undamaged part of a header from here to `to`.
pub(crate) fn write(copying: &mut Copying<'_, '_>, to: u64) {
    while copying.at < to {
        let log = copying.log(to);
        if log.starts_with(BEGIN) {
            copying.put(BEGIN);
        } else if log == END {
            copying.put(END);
        } else if let Some(declared) = Declared::read(log) {
            declared.write(copying);
        } else {
            let begin = log.windows(BEGIN.len()).position(|bytes| bytes == BEGIN);
            skipped(copying, begin.map_or(to, |begin| copying.at + begin as u64));
        }
    }
}

/// Writes what comes before a header, up to `to`. The decoder expects empty blocks there, so these stay empty blocks;
/// everything else becomes filler.
fn skipped(copying: &mut Copying<'_, '_>, to: u64) {
    let log = copying.log(to);
    let tag = BlockMarker::TAG.to_be_bytes();
    if !log.is_empty() && log.len().is_multiple_of(BLOCK) && log.chunks(BLOCK).all(|block| block.starts_with(&tag)) {
        for _ in log.chunks(BLOCK) {
            copying.put(&tag);
            copying.put(&[0; BLOCK - 2]);
        }
    }
    copying.nothing(to);
}

/// Writes what comes before a notice, and the bytes that the notice is about, which end at `to`. Returns whether the
/// header continues.
pub(crate) fn noticed(copying: &mut Copying<'_, '_>, notice: Notice, to: u64) -> bool {
    if let NoticeKind::FurtherHeader(_) = notice.kind {
        write(copying, to);
        return false;
    }
    write(copying, notice.offset);
    match notice.kind {
        NoticeKind::HeaderMark if to - notice.offset == BEGIN.len() as u64 => copying.put(BEGIN),
        NoticeKind::HeaderMark if to - notice.offset == END.len() as u64 => copying.put(END),
        NoticeKind::TypeMended { tag } => mended(copying, tag, to),
        NoticeKind::TypeDeclaredTwice { .. } | NoticeKind::EndMarkDeclared => write(copying, to),
        NoticeKind::BytesBeforeHeader(_) | NoticeKind::BlocksBeforeHeader(_) => skipped(copying, to),
        // Lost types.
        _ => {}
    }
    copying.nothing(to);
    true
}

/// Writes an event type that had a wrong number or was damaged.
fn mended(copying: &mut Copying<'_, '_>, tag: u16, to: u64) {
    let log = copying.log(to);
    if let Some(declared) = Declared::read(log).filter(|declared| declared.bytes == log.len()) {
        Declared { tag, ..declared }.write(copying);
    } else if let Some(declared) = Declared::mended(log, tag) {
        // GHC's description shows the decoder that no other type was lost with this one.
        match ghcs_description(declared.description) {
            Some(_) => declared.write(copying),
            None => declared.write_damaged(copying),
        }
    }
}
