//! A header written anew, from what the decoder made of it. Each event type keeps its place and its length, and what was damaged
//! stays damaged in a way that the decoder understands alike: or it would frame the records that follow in another way.

use crate::copying::{BLANK, Copying, NOTHING};
use ghc_eventlog::{BlockMarker, EVENTS, Notice, NoticeKind, ghcs_description, info, limits::MAX_DESCRIPTION};

const BEGIN: &[u8; 8] = b"hdrbhetb";
const TYPE: &[u8; 4] = b"etb\0";
const TYPE_END: &[u8; 4] = b"ete\0";
const END: &[u8; 12] = b"hetehdredatb";

/// Bytes of a block marker.
const BLOCK: usize = 24;

/// What an event type takes besides its description and its extra information.
const AROUND: usize = 20;

/// An event type as it stands in a header.
struct Declared<'a> {
    tag: u16,
    size: [u8; 2],
    description: &'a [u8],
    /// All that it takes.
    bytes: usize,
}

impl<'a> Declared<'a> {
    /// The sound event type at the front of some bytes.
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

    /// What is left of a damaged one that takes all of some bytes; the decoder has found out its number.
    fn mended(bytes: &'a [u8], tag: u16) -> Option<Self> {
        let (head, rest) = bytes.split_first_chunk::<12>()?;
        let (description, _) = rest.split_last_chunk::<8>()?;
        let [_, _, _, _, _, _, size1, size2, ..] = *head;
        Some(Self { tag, size: [size1, size2], description, bytes: bytes.len() })
    }

    /// Writes it anew, as long as it was. What its description took and the new one does not becomes extra information, which nobody
    /// reads.
    fn write(&self, copying: &mut Copying<'_, '_>) {
        let room = self.bytes - AROUND;
        let own_name = || info(self.tag).map(|info| info.name).filter(|name| name.len() <= room);
        let text = known(self.description).or_else(own_name).unwrap_or_default();
        let extra = (room - text.len()).min(MAX_DESCRIPTION as usize);
        let stars = vec![BLANK; room - text.len() - extra];
        self.write_as(copying, &[text.as_bytes(), &stars].concat(), &vec![0; extra], TYPE_END);
    }

    /// Writes it with its end damaged: the decoder took it for one of which others may have been lost nearby.
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

/// A description that says nothing but what is known, in the words of our own tables: GHC's, and those of the table of events, which
/// are in logs that this project's tools write.
fn known(description: &[u8]) -> Option<&'static str> {
    let own = || EVENTS.iter().flat_map(|info| [info.doc, info.name]).find(|own| own.as_bytes() == description);
    ghcs_description(description).or_else(own)
}

/// The bytes that follow their count, and what follows those.
fn counted(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (count, rest) = bytes.split_first_chunk::<4>()?;
    rest.split_at_checked(usize::try_from(u32::from_be_bytes(*count)).ok()?)
}

/// Writes the sound part of a header from here to `to`.
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

/// Writes what precedes a header, up to `to`: empty blocks are expected there, so that they stay blocks, of nothing; all else is filler.
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

/// Writes what precedes a notice, and what it is about, which ends at `to`; whether the header goes on.
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
        // Types that were lost.
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
        // By GHC's description the decoder knows that no other type was lost with it.
        match ghcs_description(declared.description) {
            Some(_) => declared.write(copying),
            None => declared.write_damaged(copying),
        }
    }
}
