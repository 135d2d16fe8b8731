//! What can be wrong with a log: errors, after which nothing can be read, and notices, after which reading goes on.

use crate::Flaw;
use core::fmt;

/// Nothing can be read: the header is not one. Everything behind a good header is a [`Notice`].
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
    /// Line ends were translated on the way, as for text.
    TextMode,
    /// The file ends within the header, after so many event types.
    HeaderCut {
        /// The event types read so far.
        types: u32,
    },
    /// Neither an event type nor the end of the event types.
    ExpectedEventType([u8; 4]),
    /// The mark at the end of an event type is missing.
    ExpectedEndOfType {
        /// The event type's number.
        tag: u16,
    },
    /// The marks between header and data are missing.
    ExpectedData([u8; 4]),
    /// A description too long to be one.
    DescriptionTooLong {
        /// The event types read so far.
        types: u32,
        /// What it claims, in bytes.
        length: u32,
    },
    /// More event types than there can be numbers.
    TooManyTypes,
    /// More different headers in one file than are kept.
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
    /// Guesses from the first bytes.
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

    /// A few words for people; empty when nothing is known.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Unknown => "",
            Self::Gzip => "; it is compressed by gzip: unpack it first",
            Self::Zstd => "; it is compressed by zstd: unpack it first",
            Self::Zip => "; it is a zip archive: unpack it first",
            Self::Html => "; it looks like HTML",
            Self::HeapProfile => "; it is a heap profile (.hp)",
            Self::TimeProfile => "; it is a time profile (.prof)",
            Self::LfsPointer => "; it is a Git LFS pointer, not the file itself",
            Self::Text => "; it is text",
            Self::Program => "; it is a program",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Empty => write!(f, "the file is empty"),
            Self::NotEventlog(looks) => write!(f, "not a GHC eventlog (no header mark{})", looks.text()),
            Self::TextMode => write!(f, "damaged in transfer (text mode: line ends were changed)"),
            Self::HeaderCut { types } => write!(f, "header cut off after {types} event types"),
            Self::ExpectedEventType(mark) => write!(f, "expected an event type, found {}", mark.escape_ascii()),
            Self::ExpectedEndOfType { tag } => write!(f, "event type {tag} has no end mark"),
            Self::ExpectedData(mark) => write!(f, "expected the data's mark, found {}", mark.escape_ascii()),
            Self::DescriptionTooLong { types, length } => {
                write!(f, "header damaged after {types} event types: the next one's description claims {length} bytes")
            }
            Self::TooManyTypes => write!(f, "more event types than numbers for them"),
            Self::TooManyHeaders => write!(f, "more different headers in one file than can be kept"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at offset {}", self.kind, self.offset)
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
    /// Bytes stand before the header; they were skipped.
    BytesBeforeHeader(u64),
    /// A mark at the header's start or end is damaged; it was recognised.
    HeaderMark,
    /// An event type's declaration in the header is damaged; it could be told which one it is.
    TypeMended {
        /// The number.
        tag: u16,
    },
    /// So many bytes of the header are damaged: the event types that they declared could not be told.
    TypeLost(u64),
    /// The header gives a number a size that its records do not have; they were read as they are.
    SizeMended {
        /// The number.
        tag: u16,
        /// As declared.
        declared: u16,
        /// What its records have.
        size: u16,
    },
    /// The header declares a number twice, with the same size or another; the last one counts.
    TypeDeclaredTwice {
        /// The number.
        tag: u16,
        /// Whether the sizes differ.
        resized: bool,
    },
    /// The header declares the number of the end mark, which cannot be used.
    EndMarkDeclared,
    /// The header declares no block markers: events have no capability.
    NoBlockMarkers,
    /// A block marker's size cannot be right.
    BlockSize(u32),
    /// The last block's marker claims so many bytes more than there are.
    BlockBeyondEnd(u64),
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
        /// The event's number, if that much is there.
        tag: Option<u16>,
        /// The bytes that are missing, as far as is known.
        missing: u64,
    },
    /// The file ends without the end mark: the program was killed, or still runs.
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
    /// A time outside its block's.
    Time {
        /// The event's number.
        tag: u16,
    },
    /// An event that goes beyond its block's end.
    BlockEnd {
        /// The event's number.
        tag: u16,
    },
    /// An event whose fields do not fit its length, with nothing sound behind it.
    Fields {
        /// The event's number.
        tag: u16,
    },
    /// An end mark in the middle of a block.
    EndMark,
}

impl NoticeKind {
    /// Whether something of the log is missing or was not understood; the others only inform.
    #[must_use]
    pub const fn is_loss(self) -> bool {
        matches!(
            self,
            Self::TypeLost(_)
                | Self::Lost { .. }
                | Self::Cut { .. }
                | Self::BlockBeyondEnd(_)
                | Self::Fields { .. }
                | Self::FurtherHeader(_)
                | Self::BytesAfterEndMark(_)
        )
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
            bytes => write!(f, "{bytes} bytes"),
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Undeclared(tag) => write!(f, "undeclared event type {tag}"),
            Self::Time { tag } => write!(f, "{} with a time outside its block", Tag(tag)),
            Self::BlockEnd { tag } => write!(f, "{} beyond its block's end", Tag(tag)),
            Self::Fields { tag } => write!(f, "{} with fields that do not fit", Tag(tag)),
            Self::EndMark => write!(f, "end mark within a block"),
        }
    }
}

impl fmt::Display for NoticeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::BytesBeforeHeader(bytes) => write!(f, "{bytes} bytes before the header skipped"),
            Self::HeaderMark => write!(f, "a mark of the header is damaged"),
            Self::TypeMended { tag } => write!(f, "the header's declaration of {} is damaged; it was mended", Tag(tag)),
            Self::TypeLost(bytes) => write!(f, "{bytes} bytes of the header are damaged"),
            Self::SizeMended { tag, declared, size } => {
                write!(f, "{} is declared with {}, but has {}", Tag(tag), Size(declared), Size(size))
            }
            Self::TypeDeclaredTwice { tag, resized: false } => write!(f, "event type {tag} is declared twice"),
            Self::TypeDeclaredTwice { tag, resized: true } => {
                write!(f, "event type {tag} is declared twice with different sizes, the last one counts")
            }
            Self::EndMarkDeclared => write!(f, "the end mark is declared as an event type, ignored"),
            Self::NoBlockMarkers => write!(f, "no block markers declared, events have no capability"),
            Self::BlockSize(size) => write!(f, "block size {size} cannot be right"),
            Self::BlockBeyondEnd(bytes) => write!(f, "the last block claims {bytes} bytes more than there are"),
            Self::Fields { tag, flaw } => write!(f, "{} {flaw}", Tag(tag)),
            Self::Lost { cause, bytes } => write!(f, "{bytes} bytes lost ({cause})"),
            Self::Cut { tag: Some(tag), missing } => write!(f, "cut off in {} ({missing} bytes missing)", Tag(tag)),
            Self::Cut { tag: None, missing } => write!(f, "cut off in an event ({missing} bytes missing)"),
            Self::NoEndMark => write!(f, "no end mark: the program was killed or is still running"),
            Self::EventsAfterEndMark => write!(f, "events after the end mark"),
            Self::FurtherStream => write!(f, "a further stream: logging was stopped and started again"),
            Self::FurtherHeader(kind) => write!(f, "a further stream cannot be read: {kind}"),
            Self::BytesAfterEndMark(bytes) => write!(f, "{bytes} bytes after the end mark ignored"),
        }
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at offset {}", self.kind, self.offset)
    }
}
