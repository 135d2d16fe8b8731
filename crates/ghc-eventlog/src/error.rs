//! What can be wrong with a log: errors, after which nothing can be read, and notices, after which reading goes on.

use crate::Flaw;
use core::fmt;

/// The log cannot be read, because its header cannot. Whatever is wrong after a good header is a [`Notice`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Error {
    /// What is wrong.
    pub kind: ErrorKind,
    /// Where, in bytes from the start of the file.
    pub offset: u64,
}

/// What is wrong with a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// There are no bytes at all.
    Empty,
    /// The file does not begin with the header's mark.
    NotEventlog(Looks),
    /// The file was transferred as text, which changed its line ends.
    TextMode,
    /// The file ends within the header, after `types` event types.
    HeaderCut {
        /// The event types read so far.
        types: u32,
    },
    /// These bytes are neither an event type nor the end of the event types.
    ExpectedEventType([u8; 4]),
    /// The mark at the end of an event type is missing.
    ExpectedEndOfType {
        /// The event type's number.
        tag: u16,
    },
    /// These bytes are not the marks between header and data.
    ExpectedData([u8; 4]),
    /// A description is longer than [`crate::limits::MAX_DESCRIPTION`].
    DescriptionTooLong {
        /// The event types read so far.
        types: u32,
        /// The length that it claims, in bytes.
        length: u32,
    },
    /// The header has more event types than there are numbers.
    TooManyTypes,
    /// The file has more different headers than the decoder keeps.
    TooManyHeaders,
}

/// What a file that is no eventlog looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Looks {
    /// Nothing known.
    Unknown,
    /// Compressed by gzip.
    Gzip,
    /// Compressed by zstd.
    Zstd,
    /// A zip archive.
    Zip,
    /// An HTML page.
    Html,
    /// The `.hp` file of a heap profile.
    HeapProfile,
    /// The `.prof` file of a time profile.
    TimeProfile,
    /// The pointer file of Git LFS.
    LfsPointer,
    /// Some text.
    Text,
    /// A program.
    Program,
}

impl Looks {
    /// Guesses what a file is from its first bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        const TIME_PROFILE: &[u8] = b"Time and Allocation Profiling Report";
        match bytes.trim_ascii_start() {
            [0x1f, 0x8b, ..] => Self::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Self::Zstd,
            [b'P', b'K', 3 | 5, ..] => Self::Zip,
            [0x7f, b'E', b'L', b'F', ..] | [b'M', b'Z', ..] | [0xcf, 0xfa, 0xed, 0xfe, ..] => Self::Program,
            [b'<', ..] => Self::Html,
            [b'J', b'O', b'B', b' ', ..] => Self::HeapProfile,
            _ if bytes.starts_with(b"version https://git-lfs") => Self::LfsPointer,
            _ if bytes.windows(TIME_PROFILE.len()).any(|bytes| bytes == TIME_PROFILE) => Self::TimeProfile,
            _ if bytes.iter().all(|&byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace()) => Self::Text,
            _ => Self::Unknown,
        }
    }

    pub(crate) const fn is_compressed(self) -> bool {
        matches!(self, Self::Gzip | Self::Zstd | Self::Zip)
    }

    /// A sentence for people, without its full stop.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Unknown => "this is not a GHC eventlog",
            Self::Gzip => "this is a gzip file, not a GHC eventlog; unpack it first",
            Self::Zstd => "this is a zstd file, not a GHC eventlog; unpack it first",
            Self::Zip => "this is a zip archive, not a GHC eventlog; unpack it first",
            Self::Html => "this is an HTML page, not a GHC eventlog",
            Self::HeapProfile => "this is a heap profile (.hp), not a GHC eventlog",
            Self::TimeProfile => "this is a time profile (.prof), not a GHC eventlog",
            Self::LfsPointer => "this is a Git LFS pointer, not the GHC eventlog itself; `git lfs pull` fetches that",
            Self::Text => "this is a text file, not a GHC eventlog",
            Self::Program => "this is a program, not a GHC eventlog; run it with `+RTS -l` to get one",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Empty => write!(f, "the file is empty"),
            Self::NotEventlog(looks) => f.write_str(looks.text()),
            Self::TextMode => {
                write!(f, "line ends were changed when the file was copied as text; copy it again in binary mode")
            }
            Self::HeaderCut { types } => {
                write!(f, "the file ends in the middle of its header, after {}", Count(types.into(), "event type"))
            }
            Self::ExpectedEventType(mark) => {
                write!(f, "the header is damaged: there is {} where an event type should be", mark.escape_ascii())
            }
            Self::ExpectedEndOfType { tag } => {
                write!(f, "the header is damaged: the end of event type {tag} is missing")
            }
            Self::ExpectedData(mark) => {
                write!(f, "the header is damaged: there is {} where the events should begin", mark.escape_ascii())
            }
            Self::DescriptionTooLong { types, length } => {
                let (types, length) = (Count(types.into(), "event type"), Count(length.into(), "byte"));
                write!(f, "the header is damaged after {types}: the next description claims to have {length}")
            }
            Self::TooManyTypes => write!(f, "the header is damaged: it declares more event types than there can be"),
            Self::TooManyHeaders => {
                write!(f, "logging was restarted with more different headers than can be kept")
            }
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            // The offset would only be the start of the file.
            ErrorKind::Empty | ErrorKind::NotEventlog(_) => self.kind.fmt(f),
            _ => write!(f, "{} (byte {})", self.kind, self.offset),
        }
    }
}

/// A number of things.
struct Count(u64, &'static str);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(number, thing) = self;
        write!(f, "{number} {thing}{}", if *number == 1 { "" } else { "s" })
    }
}

impl core::error::Error for Error {}

/// Something about a log that its reader should know; reading goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Notice {
    /// What it is.
    pub kind: NoticeKind,
    /// Where, in bytes from the start of the file.
    pub offset: u64,
}

/// What a [`Notice`] is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoticeKind {
    /// The file has bytes before its header; they were skipped.
    BytesBeforeHeader(u64),
    /// The header comes after empty blocks, this many bytes in all: GHC 9.0 leaves one where logging is restarted.
    BlocksBeforeHeader(u64),
    /// A mark at the header's start or end is damaged, but was recognised.
    HeaderMark,
    /// An event type's declaration in the header is damaged, but could be identified.
    TypeMended {
        /// The number.
        tag: u16,
    },
    /// This many bytes of the header are damaged, and the event types that they declared could not be identified.
    TypeLost(u64),
    /// The header gives a number a size that its records do not have. They were read with the size that they do have.
    SizeMended {
        /// The number.
        tag: u16,
        /// As declared.
        declared: u16,
        /// The size of its records.
        size: u16,
    },
    /// The header declares a number twice, with the same size or another. The last declaration counts.
    TypeDeclaredTwice {
        /// The number.
        tag: u16,
        /// Whether the sizes differ.
        resized: bool,
    },
    /// The header declares the number of the end mark, which cannot be used.
    EndMarkDeclared,
    /// The header declares no block markers, so events have no capability.
    NoBlockMarkers,
    /// The events of some types have other fields than GHC's events of these numbers, so they are shown as bytes.
    OtherFields {
        /// How many types.
        types: u32,
    },
    /// A block marker's size cannot be right.
    BlockSize(u32),
    /// The last block's marker claims this many more bytes than the file has.
    BlockBeyondEnd(u64),
    /// The next block begins this many bytes before the open one ends according to its marker: they are not in the file,
    /// unless its size is false.
    BlockLacks(u64),
    /// An event's fields do not fit its length.
    Fields {
        /// The event's number.
        tag: u16,
        /// What is wrong with them.
        flaw: Flaw,
    },
    /// Bytes that could not be read as events were skipped.
    Lost {
        /// What the damage began with.
        cause: Cause,
        /// How many bytes.
        bytes: u64,
    },
    /// The file ends within an event.
    Cut {
        /// The event's number, if the file has it.
        tag: Option<u16>,
        /// How many bytes are missing at least.
        missing: u64,
        /// How many of the event's bytes the file has.
        bytes: u64,
    },
    /// The file has no end mark: the program was killed, or is still running.
    NoEndMark,
    /// Events follow the end mark; they were read.
    EventsAfterEndMark,
    /// A further stream follows: logging was stopped and started again.
    FurtherStream,
    /// The header of a further stream cannot be read.
    FurtherHeader(ErrorKind),
    /// Bytes after the end mark were ignored.
    BytesAfterEndMark(u64),
}

/// What damage began with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// A number that the header does not declare.
    Undeclared(u16),
    /// An event's time is outside its block's times.
    Time {
        /// The event's number.
        tag: u16,
    },
    /// An event goes beyond its block's end.
    BlockEnd {
        /// The event's number.
        tag: u16,
    },
    /// An event's fields do not fit its length, and no plausible record follows.
    Fields {
        /// The event's number.
        tag: u16,
    },
    /// There is an end mark in the middle of a block.
    EndMark,
}

impl NoticeKind {
    /// Whether something of the log is missing or was not understood. Other notices only inform.
    #[must_use]
    pub const fn is_loss(self) -> bool {
        matches!(
            self,
            Self::BytesBeforeHeader(_)
                | Self::TypeLost(_)
                | Self::Lost { .. }
                | Self::Cut { .. }
                | Self::BlockBeyondEnd(_)
                | Self::BlockLacks(_)
                | Self::Fields { .. }
                | Self::FurtherHeader(_)
                | Self::BytesAfterEndMark(_)
        )
    }

    /// How many bytes of the log could not be read, from the notice's offset on.
    ///
    /// If a log can be read at all, each of its bytes is part of an event, of a header (its empty blocks included), of
    /// an end mark, or of exactly one notice that counts it here.
    #[must_use]
    pub const fn lost_bytes(self) -> u64 {
        match self {
            Self::BytesBeforeHeader(bytes) | Self::TypeLost(bytes) | Self::BytesAfterEndMark(bytes) => bytes,
            Self::Lost { bytes, .. } | Self::Cut { bytes, .. } => bytes,
            Self::BlocksBeforeHeader(_) | Self::HeaderMark | Self::TypeMended { .. } | Self::SizeMended { .. } => 0,
            Self::TypeDeclaredTwice { .. } | Self::EndMarkDeclared | Self::NoBlockMarkers | Self::BlockSize(_) => 0,
            Self::OtherFields { .. } => 0,
            // The bytes are not in the file, or the event was read nevertheless.
            Self::BlockBeyondEnd(_) | Self::BlockLacks(_) | Self::Fields { .. } => 0,
            // `BytesAfterEndMark` counts these bytes, in a notice of its own.
            Self::FurtherHeader(_) => 0,
            Self::NoEndMark | Self::EventsAfterEndMark | Self::FurtherStream => 0,
        }
    }
}

struct Tag(u16);

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match crate::info(self.0) {
            Some(info) => f.write_str(info.name),
            None => write!(f, "event type {}", self.0),
        }
    }
}

struct Size(u16);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            crate::VARIABLE => f.write_str("a variable size"),
            bytes => Count(bytes.into(), "byte").fmt(f),
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Undeclared(tag) => write!(f, "event type {tag} is not declared"),
            Self::Time { tag } => write!(f, "{} has a time outside its block", Tag(tag)),
            Self::BlockEnd { tag } => write!(f, "{} goes beyond the end of its block", Tag(tag)),
            Self::Fields { tag } => write!(f, "the fields of {} do not fit its length", Tag(tag)),
            Self::EndMark => write!(f, "there is an end mark within a block"),
        }
    }
}

impl fmt::Display for NoticeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::BytesBeforeHeader(bytes) => write!(f, "skipped {} before the header", Count(bytes, "byte")),
            Self::BlocksBeforeHeader(bytes) => {
                write!(f, "skipped empty blocks of {} before the header", Count(bytes, "byte"))
            }
            Self::HeaderMark => write!(f, "a mark of the header is damaged"),
            Self::TypeMended { tag } => {
                write!(f, "the header's declaration of {} was damaged, and has been mended", Tag(tag))
            }
            Self::TypeLost(bytes) => write!(f, "skipped {} of the header that are damaged", Count(bytes, "byte")),
            Self::SizeMended { tag, declared, size } => {
                write!(f, "the header declares {} with {}, but it has {}", Tag(tag), Size(declared), Size(size))
            }
            Self::TypeDeclaredTwice { tag, resized: false } => write!(f, "event type {tag} is declared twice"),
            Self::TypeDeclaredTwice { tag, resized: true } => {
                write!(f, "event type {tag} is declared twice with different sizes; the last one is used")
            }
            Self::EndMarkDeclared => write!(f, "the header declares the end mark as an event type; ignored"),
            Self::NoBlockMarkers => {
                write!(f, "the header declares no block markers, so it is not known which capability events belong to")
            }
            Self::OtherFields { types: 1 } => {
                write!(f, "1 event type has other fields in this log than GHC gives it: its events are shown as bytes")
            }
            Self::OtherFields { types } => {
                write!(
                    f,
                    "{types} event types have other fields in this log than GHC gives them: their events are shown as bytes"
                )
            }
            Self::BlockSize(size) => write!(f, "a block claims to have {}", Count(size.into(), "byte")),
            Self::BlockBeyondEnd(bytes) => {
                write!(f, "the file ends early: its last block goes on for {} more", Count(bytes, "byte"))
            }
            Self::BlockLacks(bytes) => {
                write!(f, "a block ends {} too early: as many are missing, or its size is false", Count(bytes, "byte"))
            }
            Self::Fields { tag, flaw } => write!(f, "{} {flaw}", Tag(tag)),
            Self::Lost { cause, bytes } => {
                write!(f, "skipped {} that could not be read: {cause}", Count(bytes, "byte"))
            }
            Self::Cut { .. } => write!(f, "the file ends in the middle of an event"),
            Self::NoEndMark => write!(f, "no end mark: the program was killed or is still running"),
            Self::EventsAfterEndMark => write!(f, "more events follow the end mark"),
            Self::FurtherStream => write!(f, "logging was restarted"),
            Self::FurtherHeader(kind) => write!(f, "logging was restarted, but what follows cannot be read: {kind}"),
            Self::BytesAfterEndMark(bytes) => write!(f, "ignored {} after the end mark", Count(bytes, "byte")),
        }
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            NoticeKind::Cut { .. } => write!(f, "{}, at byte {}; later events are missing", self.kind, self.offset),
            _ => write!(f, "{} (byte {})", self.kind, self.offset),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{format, string::ToString};

    #[test]
    fn a_file_that_is_no_log_is_named_by_what_it_looks_like() {
        let cases: [(&[u8], Looks); 17] = [
            (&[0x1f, 0x8b, 8, 0], Looks::Gzip),
            (&[0x28, 0xb5, 0x2f, 0xfd, 4], Looks::Zstd),
            (b"PK\x03\x04", Looks::Zip),
            (b"PK\x05\x06", Looks::Zip),
            (b"PK\x07\xff", Looks::Unknown),
            (b"\x7fELF\x02", Looks::Program),
            (b"MZ\x90\0", Looks::Program),
            (&[0xcf, 0xfa, 0xed, 0xfe, 7], Looks::Program),
            (b"\n <!DOCTYPE html>", Looks::Html),
            (b"JOB \"prog\"\nDATE", Looks::HeapProfile),
            (b"JOBS", Looks::Text),
            (b"version https://git-lfs.github.com/spec/v1\n", Looks::LfsPointer),
            (b"\tMon Time and Allocation Profiling Report  (Final)\n", Looks::TimeProfile),
            (b"a note,\nin two lines", Looks::Text),
            (b"a byte that is no text: \x01", Looks::Unknown),
            ("λ".as_bytes(), Looks::Unknown),
            (&[0; 40], Looks::Unknown),
        ];
        for (bytes, expected) in cases {
            assert_eq!(Looks::of(bytes), expected, "{}", bytes.escape_ascii());
            let unpack = matches!(expected, Looks::Gzip | Looks::Zstd | Looks::Zip);
            assert_eq!(expected.is_compressed(), unpack);
            assert_eq!(expected.text().contains("unpack it"), unpack);
        }
    }

    #[test]
    fn an_error_shows_its_offset_where_it_helps() {
        let text = |kind| Error { kind, offset: 77 }.to_string();
        assert_eq!(text(ErrorKind::Empty), "the file is empty");
        assert_eq!(text(ErrorKind::NotEventlog(Looks::Html)), "this is an HTML page, not a GHC eventlog");
        let cut = "the file ends in the middle of its header, after 1 event type (byte 77)";
        assert_eq!(text(ErrorKind::HeaderCut { types: 1 }), cut);
        let long =
            "the header is damaged after 2 event types: the next description claims to have 70000 bytes (byte 77)";
        assert_eq!(text(ErrorKind::DescriptionTooLong { types: 2, length: 70_000 }), long);
        let mark = r"the header is damaged: there is e\x00t\xff where an event type should be (byte 77)";
        assert_eq!(text(ErrorKind::ExpectedEventType(*b"e\0t\xff")), mark);
    }

    #[test]
    fn known_events_are_shown_by_name() {
        let lost = |cause| NoticeKind::Lost { cause, bytes: 1 }.to_string();
        let skipped = "skipped 1 byte that could not be read: ";
        assert_eq!(lost(Cause::Time { tag: 1 }), format!("{skipped}RUN_THREAD has a time outside its block"));
        assert_eq!(lost(Cause::Time { tag: 900 }), format!("{skipped}event type 900 has a time outside its block"));
        assert_eq!(lost(Cause::Undeclared(1)), format!("{skipped}event type 1 is not declared"));
        let mended = |declared, size| NoticeKind::SizeMended { tag: 1, declared, size }.to_string();
        assert_eq!(mended(1, 4), "the header declares RUN_THREAD with 1 byte, but it has 4 bytes");
        let variable = "the header declares RUN_THREAD with a variable size, but it has 4 bytes";
        assert_eq!(mended(crate::VARIABLE, 4), variable);
    }

    /// Some notices report a loss, the others only something odd.
    #[test]
    fn notices_of_losses_are_told_apart_from_the_others() {
        let cause = Cause::EndMark;
        let lost = [
            NoticeKind::BytesBeforeHeader(3),
            NoticeKind::TypeLost(3),
            NoticeKind::Lost { cause, bytes: 3 },
            NoticeKind::Cut { tag: None, missing: 3, bytes: 3 },
            NoticeKind::BlockBeyondEnd(3),
            NoticeKind::BlockLacks(3),
            NoticeKind::Fields { tag: 1, flaw: Flaw::Short },
            NoticeKind::FurtherHeader(ErrorKind::TooManyTypes),
            NoticeKind::BytesAfterEndMark(3),
        ];
        let odd = [
            NoticeKind::BlocksBeforeHeader(24),
            NoticeKind::HeaderMark,
            NoticeKind::TypeMended { tag: 1 },
            NoticeKind::EndMarkDeclared,
            NoticeKind::NoBlockMarkers,
            NoticeKind::NoEndMark,
            NoticeKind::EventsAfterEndMark,
            NoticeKind::FurtherStream,
        ];
        let of_the_file = lost.into_iter().filter(|kind| kind.lost_bytes() == 3).count();
        assert!(of_the_file == 5 && odd.into_iter().all(|kind| kind.lost_bytes() == 0));
        assert!(lost.into_iter().all(NoticeKind::is_loss) && !odd.into_iter().any(NoticeKind::is_loss));
    }
}
