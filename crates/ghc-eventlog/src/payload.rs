//! Fields on the wire: how each type of field is read, and how listings show it.

use crate::{
    CapNo, CapsetId, CostCentreId, CostCentreStack, InfoTable, Nanos, TaskId, Text, TextList, ThreadId,
    names::{Breakdown, CapsetType, MessageTag, StopStatus},
    wire::Wire,
};
use core::fmt;

/// What was wrong with an event's fields. The event still has the fields that could be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    /// The payload is shorter than the event's fixed part.
    Short,
    /// A string lacks its NUL: it was read to the end of the payload.
    NoNul,
    /// A count is larger than the payload: as many items as there are were read.
    Count,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Short => "is too short for its fields",
            Self::NoNul => "has a string without an end",
            Self::Count => "counts more than is there",
        })
    }
}

/// The unread rest of an event's payload, while its fields are read front to back.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Payload<'a> {
    rest: &'a [u8],
    /// How many bytes at the end were too few for the next field.
    beyond: usize,
    /// The first flaw. Later ones follow from it.
    flaw: Option<Flaw>,
}

impl<'a> Payload<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, beyond: 0, flaw: None }
    }

    /// How many bytes no field has used.
    pub(crate) const fn left(&self) -> usize {
        self.rest.len() + self.beyond
    }

    pub(crate) const fn flaw(&self) -> Option<Flaw> {
        self.flaw
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> [u8; N] {
        if let Some((head, rest)) = self.rest.split_first_chunk() {
            self.rest = rest;
            return *head;
        }
        self.flaw.get_or_insert(Flaw::Short);
        self.rest = &[];
        [0; N]
    }

    fn until_nul(&mut self) -> &'a [u8] {
        let bytes = self.rest;
        match first_nul(bytes) {
            Some(end) => {
                self.rest = bytes.get(end + 1..).unwrap_or_default();
                bytes.get(..end).unwrap_or_default()
            }
            None => {
                self.flaw.get_or_insert(Flaw::NoNul);
                self.take_rest()
            }
        }
    }

    fn take_rest(&mut self) -> &'a [u8] {
        core::mem::take(&mut self.rest)
    }
}

/// Where the first NUL is. Searches eight bytes at a time, since some logs are full of labels.
#[inline]
pub(crate) fn first_nul(bytes: &[u8]) -> Option<usize> {
    // The last eight bytes may have been searched in part already, which found none.
    let Some(last) = bytes.last_chunk() else { return bytes.iter().position(|byte| *byte == 0) };
    let (words, _) = bytes.as_chunks();
    let found = words.iter().zip((0..).step_by(8)).find_map(|(word, at)| Some(at + nul_of(*word)?));
    found.or_else(|| Some(bytes.len() - last.len() + nul_of(*last)?))
}

#[inline]
fn nul_of(word: [u8; 8]) -> Option<usize> {
    const ONES: u64 = u64::MAX / 0xff;
    const HIGH: u64 = ONES << 7;
    let word = u64::from_le_bytes(word);
    // The lowest set bit marks the first byte that is 0. Higher ones may be wrong.
    let zeros = word.wrapping_sub(ONES) & !word & HIGH;
    (zeros != 0).then_some(zeros.trailing_zeros() as usize / 8)
}

/// One field's value, for listings that do not know the event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value<'a> {
    /// A count, a size in bytes or a plain number.
    Number(u64),
    /// A point in time or a duration.
    Time(Nanos),
    /// A thread.
    Thread(ThreadId),
    /// A capability.
    Cap(CapNo),
    /// A capability set.
    Capset(CapsetId),
    /// A task.
    Task(TaskId),
    /// An address, shown in hexadecimal.
    Address(u64),
    /// A number and its name, if it is a known one.
    Name(Option<&'static str>, u64),
    /// Text.
    Text(Text<'a>),
    /// A list of texts.
    List(TextList<'a>),
    /// Bytes that need not be text.
    Raw(&'a [u8]),
    /// Cost centres, innermost first.
    Stack(CostCentreStack<'a>),
    /// The field is not in this log's form of the event.
    Absent,
}

/// A type that a field can have.
pub(crate) trait Field<'a>: Copy {
    /// Its form in the payload.
    const WIRE: Wire;
    /// Reads it. Never fails; sets a [`Flaw`] in `from` instead.
    fn read(from: &mut Payload<'a>) -> Self;
    /// The field's value, for listings.
    fn value(self) -> Value<'a>;
}

macro_rules! fixed {
    ($($type:ty as $wire:ty => |$it:ident| $value:expr, |$raw:ident| $make:expr;)*) => {$(
        impl<'a> Field<'a> for $type {
            const WIRE: Wire = Wire::Number(size_of::<$wire>());
            #[inline]
            fn read(from: &mut Payload<'a>) -> Self {
                let $raw = <$wire>::from_be_bytes(from.array());
                $make
            }
            fn value(self) -> Value<'a> {
                let $it = self;
                $value
            }
        }
    )*};
}

fixed! {
    u8 as u8 => |it| Value::Number(it.into()), |raw| raw;
    u16 as u16 => |it| Value::Number(it.into()), |raw| raw;
    u32 as u32 => |it| Value::Number(it.into()), |raw| raw;
    u64 as u64 => |it| Value::Number(it), |raw| raw;
    Nanos as u64 => |it| Value::Time(it), |raw| Nanos(raw);
    ThreadId as u32 => |it| Value::Thread(it), |raw| ThreadId(raw);
    CapNo as u16 => |it| Value::Cap(it), |raw| CapNo(raw);
    CapsetId as u32 => |it| Value::Capset(it), |raw| CapsetId(raw);
    TaskId as u64 => |it| Value::Task(it), |raw| TaskId(raw);
    CostCentreId as u32 => |it| Value::Number(it.0.into()), |raw| CostCentreId(raw);
    InfoTable as u64 => |it| Value::Address(it.0), |raw| InfoTable(raw);
    StopStatus as u16 => |it| Value::Name(it.usual().map(|reason| reason.text()), it.0.into()), |raw| StopStatus(raw);
    CapsetType as u16 => |it| Value::Name(it.text(), it.0.into()), |raw| CapsetType(raw);
    Breakdown as u32 => |it| Value::Name(it.text(), it.0.into()), |raw| Breakdown(raw);
    MessageTag as u8 => |it| Value::Name(it.text(), it.0.into()), |raw| MessageTag(raw);
}

/// A field that older or newer runtimes leave out at the end of the event.
impl<'a, T: Field<'a>> Field<'a> for Option<T> {
    const WIRE: Wire = Wire::Optional(&T::WIRE);
    #[inline]
    fn read(from: &mut Payload<'a>) -> Self {
        if !from.rest.is_empty() && from.rest.len() >= T::WIRE.min_size() {
            return Some(T::read(from));
        }
        // The fields after it are absent, too.
        from.beyond += from.take_rest().len();
        None
    }
    fn value(self) -> Value<'a> {
        self.map_or(Value::Absent, Field::value)
    }
}

/// Text that ends with the payload.
impl<'a> Field<'a> for Text<'a> {
    const WIRE: Wire = Wire::Open;
    fn read(from: &mut Payload<'a>) -> Self {
        Text(from.take_rest())
    }
    fn value(self) -> Value<'a> {
        Value::Text(self)
    }
}

/// Text that ends with a NUL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CStr<'a>(pub Text<'a>);

impl<'a> Field<'a> for CStr<'a> {
    const WIRE: Wire = Wire::CStr;
    fn read(from: &mut Payload<'a>) -> Self {
        Self(Text(from.until_nul()))
    }
    fn value(self) -> Value<'a> {
        Value::Text(self.0)
    }
}

/// Text that ends where the four bytes of the last field begin (INTERN_STRING).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TextBeforeId<'a>(pub Text<'a>);

impl<'a> Field<'a> for TextBeforeId<'a> {
    const WIRE: Wire = Wire::Open;
    fn read(from: &mut Payload<'a>) -> Self {
        let (text, id) = from.rest.split_at(from.rest.len().saturating_sub(4));
        from.rest = id;
        Self(Text(text))
    }
    fn value(self) -> Value<'a> {
        Value::Text(self.0)
    }
}

impl<'a> Field<'a> for TextList<'a> {
    const WIRE: Wire = Wire::Open;
    fn read(from: &mut Payload<'a>) -> Self {
        TextList(from.take_rest())
    }
    fn value(self) -> Value<'a> {
        Value::List(self)
    }
}

/// Bytes to the end of the payload.
impl<'a> Field<'a> for &'a [u8] {
    const WIRE: Wire = Wire::Open;
    fn read(from: &mut Payload<'a>) -> Self {
        from.take_rest()
    }
    fn value(self) -> Value<'a> {
        Value::Raw(self)
    }
}

/// A depth (one byte), then that many cost centres.
impl<'a> Field<'a> for CostCentreStack<'a> {
    const WIRE: Wire = Wire::Stack;
    fn read(from: &mut Payload<'a>) -> Self {
        let [depth] = from.array();
        let (ids, _) = from.rest.as_chunks::<4>();
        let depth = usize::from(depth);
        if depth > ids.len() {
            from.flaw.get_or_insert(Flaw::Count);
        }
        let ids = ids.get(..depth).unwrap_or(ids);
        from.rest = from.rest.get(ids.len() * 4..).unwrap_or_default();
        CostCentreStack(ids)
    }
    fn value(self) -> Value<'a> {
        Value::Stack(self)
    }
}

/// From this payload size on, in bytes, a non-moving heap census has the newer form.
pub(crate) const NEW_CENSUS_SIZE: usize = 14;

/// The block size of a non-moving heap census. Up to GHC 9.8 the log has its binary logarithm in one byte (13 bytes in
/// all), from 9.10 on the size itself in two (14 bytes). The event's length shows which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SegmentBlockSize(pub u16);

impl<'a> Field<'a> for SegmentBlockSize {
    const WIRE: Wire = Wire::SegmentBlockSize;
    fn read(from: &mut Payload<'a>) -> Self {
        if from.rest.len() < NEW_CENSUS_SIZE {
            let [log2] = from.array();
            return Self(1u16.checked_shl(log2.into()).unwrap_or(0));
        }
        Self(u16::from_be_bytes(from.array()))
    }
    fn value(self) -> Value<'a> {
        Value::Number(self.0.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    /// At any offset, whatever follows it, and among bytes that differ from it by one bit.
    #[test]
    fn the_first_nul_is_found() {
        for length in 0..40 {
            for fill in [1, 0x7f, 0x80, 0x81, 0xff] {
                let mut bytes = vec![fill; length];
                assert_eq!(first_nul(&bytes), None);
                for at in (0..length).rev() {
                    bytes[at] = 0;
                    assert_eq!(first_nul(&bytes), Some(at), "{bytes:?}");
                }
                for (at, next) in (0..length).zip(1..) {
                    bytes.fill(fill);
                    bytes[at] = 0;
                    bytes.get_mut(next).into_iter().for_each(|byte| *byte = 1);
                    assert_eq!(first_nul(&bytes), Some(at), "{bytes:?}");
                }
            }
        }
    }
}
