//! Values that say what they are, so that everyone who shows them can write them rightly.

use alloc::{string::ToString, vec::Vec};
use ghc_eventlog::{CapNo, Nanos, ThreadId};
use ghc_eventlog_text::LogText;

/// A value, for whoever shows it to write in their own way.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// The log does not tell.
    Unknown,
    /// Words, which are or may be a text of the log: see [`LogText`].
    Text(LogText<'static>),
    /// A point in time.
    Time(Nanos),
    /// A duration.
    Duration(Nanos),
    /// A size in bytes.
    Bytes(u64),
    /// Bytes per second.
    BytesPerSecond(u64),
    /// A number of things.
    Count(u64),
    /// Things per second.
    PerSecond(u64),
    /// A part of 1.
    Share(f64),
    /// A thread.
    Thread(ThreadId),
    /// A capability.
    Capability(CapNo),
    /// An offset in the log: the bytes before what it is about.
    Offset(u64),
    /// Bytes times nanoseconds: so many bytes for so long.
    ByteTime(u128),
    /// How many bytes more, or less, there are each second.
    Growth(i64),
    /// How many bytes more, or less, there are.
    Change(i64),
    /// Names from the outermost to the innermost.
    Stack(Vec<LogText<'static>>),
    /// The most bytes there were in each of some equal pieces of a time: a picture, for which there are no words.
    Levels(Vec<u64>),
}

/// What values are, of a line or in a column of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Words.
    Text,
    /// Points in time.
    Time,
    /// Durations in nanoseconds.
    Duration,
    /// So many bytes.
    Bytes,
    /// So many bytes per second.
    BytesPerSecond,
    /// So many things.
    Count,
    /// So many things per second.
    PerSecond,
    /// Parts of 1.
    Share,
    /// Threads.
    Thread,
    /// Capabilities.
    Capability,
    /// Offsets in the log: the bytes before what they are about.
    Offset,
    /// Bytes times nanoseconds.
    ByteTime,
    /// Bytes per second, which may be negative.
    Growth,
    /// Bytes, which may be negative.
    Change,
    /// Bytes of equal pieces of a time.
    Levels,
}

impl Unit {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Time => "time",
            Self::Duration => "duration",
            Self::Bytes => "bytes",
            Self::BytesPerSecond => "bytes/s",
            Self::Count => "count",
            Self::PerSecond => "count/s",
            Self::Share => "share",
            Self::Thread => "thread",
            Self::Capability => "capability",
            Self::Offset => "offset",
            Self::ByteTime => "bytes·ns",
            Self::Growth => "±bytes/s",
            Self::Change => "±bytes",
            Self::Levels => "levels",
        }
    }

    /// Whether it can be written in words: what cannot is left out where nothing is drawn.
    #[must_use]
    pub const fn has_words(self) -> bool {
        !matches!(self, Self::Levels)
    }

    /// A number of it, as a value.
    #[must_use]
    pub fn value(self, number: u64) -> Value {
        match self {
            Self::Text => Value::words(number.to_string()),
            Self::Time => Value::Time(Nanos(number)),
            Self::Duration => Value::Duration(Nanos(number)),
            Self::Bytes => Value::Bytes(number),
            Self::BytesPerSecond => Value::BytesPerSecond(number),
            Self::Count => Value::Count(number),
            Self::PerSecond => Value::PerSecond(number),
            Self::Share => Value::Share(number as f64),
            Self::Thread => u32::try_from(number).map_or(Value::Unknown, |number| Value::Thread(ThreadId(number))),
            Self::Capability => u16::try_from(number).map_or(Value::Unknown, |number| Value::Capability(CapNo(number))),
            Self::Offset => Value::Offset(number),
            Self::ByteTime => Value::ByteTime(number.into()),
            Self::Growth => i64::try_from(number).map_or(Value::Unknown, Value::Growth),
            Self::Change => i64::try_from(number).map_or(Value::Unknown, Value::Change),
            Self::Levels => Value::Levels([number].to_vec()),
        }
    }
}

impl Value {
    /// Words, ours or the log's.
    #[must_use]
    pub fn words<'t>(text: impl Into<LogText<'t>>) -> Self {
        Self::Text(text.into().into_owned())
    }

    /// The text of the log that it is: names of a stack as one text. `None` if it is a number, or not known.
    #[must_use]
    pub fn log_text(&self) -> Option<LogText<'static>> {
        match self {
            Self::Text(text) => Some(text.clone()),
            Self::Stack(names) => Some(LogText::joined(names, " › ")),
            _ => None,
        }
    }

    /// What it is; none if it is not known.
    #[must_use]
    pub const fn unit(&self) -> Option<Unit> {
        Some(match self {
            Self::Unknown => return None,
            Self::Text(_) | Self::Stack(_) => Unit::Text,
            Self::Time(_) => Unit::Time,
            Self::Duration(_) => Unit::Duration,
            Self::Bytes(_) => Unit::Bytes,
            Self::BytesPerSecond(_) => Unit::BytesPerSecond,
            Self::Count(_) => Unit::Count,
            Self::PerSecond(_) => Unit::PerSecond,
            Self::Share(_) => Unit::Share,
            Self::Thread(_) => Unit::Thread,
            Self::Capability(_) => Unit::Capability,
            Self::Offset(_) => Unit::Offset,
            Self::ByteTime(_) => Unit::ByteTime,
            Self::Growth(_) => Unit::Growth,
            Self::Change(_) => Unit::Change,
            Self::Levels(_) => Unit::Levels,
        })
    }
}
