//! Values with their units, so that each output can format them correctly.

use alloc::{string::ToString, vec::Vec};
use ghc_eventlog::{CapNo, Nanos, ThreadId};
use ghc_eventlog_text::LogText;

/// A value, which each output formats in its own way.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// The log does not say.
    Unknown,
    /// Words, which may contain a text of the log: see [`LogText`].
    Text(LogText<'static>),
    /// A point in time.
    Time(Nanos),
    /// A duration.
    Duration(Nanos),
    /// A size in bytes.
    Bytes(u64),
    /// A size in bytes that the log only tells to be between two, which are possible themselves.
    Between(u64, u64),
    /// Bytes per second.
    BytesPerSecond(u64),
    /// A number of things.
    Count(u64),
    /// Things per second.
    PerSecond(u64),
    /// A fraction, from 0 to 1.
    Share(f64),
    /// A thread.
    Thread(ThreadId),
    /// A capability.
    Capability(CapNo),
    /// An offset in the log, in bytes from its start.
    Offset(u64),
    /// Bytes times nanoseconds.
    ByteTime(u128),
    /// A change in bytes per second: growth is positive.
    Growth(i64),
    /// A change in bytes: growth is positive.
    Change(i64),
    /// A whole number of anything, which may be negative.
    Integer(i64),
    /// Names from the outermost to the innermost.
    Stack(Vec<LogText<'static>>),
    /// The most bytes in each of some equal pieces of a time: a picture, which cannot be put in words.
    Levels(Vec<u64>),
}

/// The unit of values, in a line or in a column of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Words.
    Text,
    /// Points in time.
    Time,
    /// Durations in nanoseconds.
    Duration,
    /// Bytes.
    Bytes,
    /// Bytes per second.
    BytesPerSecond,
    /// Numbers of things.
    Count,
    /// Things per second.
    PerSecond,
    /// Fractions, from 0 to 1.
    Share,
    /// Threads.
    Thread,
    /// Capabilities.
    Capability,
    /// Offsets in the log, in bytes from its start.
    Offset,
    /// Bytes times nanoseconds.
    ByteTime,
    /// Bytes per second, which may be negative.
    Growth,
    /// Bytes, which may be negative.
    Change,
    /// Whole numbers, which may be negative.
    Integer,
    /// Bytes in equal pieces of a time.
    Levels,
}

impl Unit {
    /// The unit's name.
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
            Self::Integer => "integer",
            Self::Levels => "levels",
        }
    }

    /// Whether its values can be written in words. Those that cannot are left out of outputs without pictures.
    #[must_use]
    pub const fn has_words(self) -> bool {
        !matches!(self, Self::Levels)
    }

    /// A number with this unit, as a value.
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
            Self::Integer => i64::try_from(number).map_or(Value::Unknown, Value::Integer),
            Self::Levels => Value::Levels([number].to_vec()),
        }
    }
}

impl Value {
    /// A value of words, which are ours or the log's.
    #[must_use]
    pub fn words<'t>(text: impl Into<LogText<'t>>) -> Self {
        Self::Text(text.into().into_owned())
    }

    /// The text, if the value is one; names of a stack are joined into one text. `None` for numbers and for unknown values.
    #[must_use]
    pub fn log_text(&self) -> Option<LogText<'static>> {
        match self {
            Self::Text(text) => Some(text.clone()),
            Self::Stack(names) => Some(LogText::joined(names, " › ")),
            _ => None,
        }
    }

    /// Its unit; `None` if the value is not known.
    #[must_use]
    pub const fn unit(&self) -> Option<Unit> {
        Some(match self {
            Self::Unknown => return None,
            Self::Text(_) | Self::Stack(_) => Unit::Text,
            Self::Time(_) => Unit::Time,
            Self::Duration(_) => Unit::Duration,
            Self::Bytes(_) | Self::Between(..) => Unit::Bytes,
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
            Self::Integer(_) => Unit::Integer,
            Self::Levels(_) => Unit::Levels,
        })
    }
}
