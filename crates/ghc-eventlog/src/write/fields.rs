//! Makes payloads from fields: the reverse of `payload.rs`.

use crate::{
    events::Event,
    header::VARIABLE,
    payload::{NEW_CENSUS_SIZE, Value},
    table::EventInfo,
    text::Text,
    wire::Wire,
};
use alloc::vec::Vec;
use core::fmt;

/// Why an event cannot be written by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameError {
    /// There is no event of this name.
    Event,
    /// The event has no field of a given name.
    Field,
    /// This field cannot have the given value.
    Value(&'static str),
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Event => write!(f, "no event has this name"),
            Self::Field => write!(f, "the event has no field of this name"),
            Self::Value(field) => write!(f, "{field} cannot have this value"),
        }
    }
}

impl core::error::Error for NameError {}

impl From<u64> for Value<'_> {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(Text(text.as_bytes()))
    }
}

impl Event<'_> {
    /// Appends the payload, in the form for a header that declares `size` ([`VARIABLE`] if each record has its own
    /// length). For a fixed size, the payload is cut or filled up with zeros. Fields after an absent one are left out.
    pub fn write(self, size: u16, to: &mut Vec<u8>) {
        let Some(info) = self.info() else {
            return self.visit(&mut |_, value| to.extend_from_slice(bytes(value).unwrap_or_default()));
        };
        let mut values = Vec::new();
        self.visit(&mut |_, value| values.push(value));
        write_fields(info, &values, size, to);
    }
}

/// The payload of an event with these fields.
pub(super) fn by_name(info: &EventInfo, given: &[(&str, Value<'_>)], size: u16) -> Result<Vec<u8>, NameError> {
    if given.iter().any(|(name, _)| !info.fields.contains(name)) {
        return Err(NameError::Field);
    }
    let value = |(field, wire): (&&'static str, &Wire)| {
        let value = given.iter().find(|(name, _)| name == field).map_or(Value::Absent, |(_, value)| *value);
        if fits(*wire, value) { Ok(value) } else { Err(NameError::Value(field)) }
    };
    let values = info.fields.iter().zip(info.wire).map(value).collect::<Result<Vec<_>, _>>()?;
    let mut payload = Vec::new();
    write_fields(info, &values, size, &mut payload);
    Ok(payload)
}

/// An event's fields, in wire order.
fn write_fields(info: &EventInfo, values: &[Value<'_>], size: u16, to: &mut Vec<u8>) {
    let from = to.len();
    for (wire, value) in info.wire.iter().zip(values) {
        if matches!((wire, value), (Wire::Optional(_), Value::Absent)) {
            break;
        }
        write_field(*wire, *value, size, to);
    }
    if size != VARIABLE {
        to.resize(from + usize::from(size), 0);
    }
}

fn write_field(wire: Wire, value: Value<'_>, size: u16, to: &mut Vec<u8>) {
    match wire {
        Wire::Number(width) => write_number(number(value).unwrap_or(0), width, to),
        Wire::Optional(field) => write_field(*field, value, size, to),
        Wire::Open => to.extend_from_slice(bytes(value).unwrap_or_default()),
        Wire::CStr => {
            to.extend(bytes(value).unwrap_or_default().iter().take_while(|byte| **byte != 0));
            to.push(0);
        }
        Wire::Stack => {
            // GHC also cuts the outer part of deeper stacks.
            let ids = if let Value::Stack(stack) = value { stack.0 } else { &[] };
            let ids = ids.get(..usize::from(u8::MAX)).unwrap_or(ids);
            to.push(ids.len() as u8);
            to.extend(ids.as_flattened());
        }
        Wire::SegmentBlockSize => match number(value).unwrap_or(0) {
            block_size if usize::from(size) >= NEW_CENSUS_SIZE => write_number(block_size, 2, to),
            // A logarithm too large for the field reads as 0.
            block_size => to.push(block_size.checked_ilog2().unwrap_or(u16::BITS) as u8),
        },
    }
}

fn write_number(number: u64, width: usize, to: &mut Vec<u8>) {
    let bytes = number.to_be_bytes();
    to.extend_from_slice(bytes.get(bytes.len() - width..).unwrap_or(&bytes));
}

/// Whether the field can have this value. Any field can be left out.
fn fits(wire: Wire, value: Value<'_>) -> bool {
    let below =
        |bytes: usize| number(value).is_some_and(|number| number.checked_shr(bytes as u32 * 8).unwrap_or(0) == 0);
    match wire {
        _ if matches!(value, Value::Absent) => true,
        Wire::Number(width) => below(width),
        Wire::SegmentBlockSize => below(2),
        Wire::Optional(field) => fits(*field, value),
        Wire::Open => bytes(value).is_some(),
        Wire::CStr => bytes(value).is_some_and(|bytes| !bytes.contains(&0)),
        Wire::Stack => matches!(value, Value::Stack(_)),
    }
}

fn number(value: Value<'_>) -> Option<u64> {
    Some(match value {
        Value::Number(number) | Value::Address(number) | Value::Name(_, number) => number,
        Value::Time(time) => time.0,
        Value::Thread(thread) => thread.0.into(),
        Value::Cap(cap) => cap.0.into(),
        Value::Capset(capset) => capset.0.into(),
        Value::Task(task) => task.0,
        Value::Text(_) | Value::List(_) | Value::Raw(_) | Value::Stack(_) | Value::Absent => return None,
    })
}

fn bytes(value: Value<'_>) -> Option<&[u8]> {
    match value {
        Value::Text(text) => Some(text.0),
        Value::List(list) => Some(list.0),
        Value::Raw(bytes) => Some(bytes),
        _ => None,
    }
}
