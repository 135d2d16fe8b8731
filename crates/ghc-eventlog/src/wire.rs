//! The form of fields in a payload.

/// The form of one field on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    /// A number of this many bytes, the most significant one first.
    Number(usize),
    /// A field that older or newer runtimes leave out at the end of the event.
    Optional(&'static Wire),
    /// Bytes up to and including a NUL.
    CStr,
    /// Bytes that end with the payload, or where the numbers after them begin.
    Open,
    /// A depth of one byte, then that many cost centres of four bytes.
    Stack,
    /// [`crate::SegmentBlockSize`], whose form depends on the event's length.
    SegmentBlockSize,
}

impl Wire {
    /// The fewest bytes that the field takes. A string may lack its NUL.
    #[must_use]
    pub const fn min_size(self) -> usize {
        match self {
            Self::Number(bytes) => bytes,
            Self::Optional(_) | Self::CStr | Self::Open => 0,
            Self::Stack | Self::SegmentBlockSize => 1,
        }
    }

    /// The bytes that the field takes in events of fixed size, as the newest runtime writes them.
    #[must_use]
    pub const fn newest_size(self) -> usize {
        match self {
            Self::Optional(field) => field.newest_size(),
            Self::SegmentBlockSize => 2,
            _ => self.min_size(),
        }
    }

    /// Whether only the payload's end shows where the field ends.
    pub(crate) const fn is_open(self) -> bool {
        matches!(self, Self::Open)
    }
}
