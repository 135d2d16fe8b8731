//! The macro that makes the decoder from the event table. The table itself is in `events.rs`, which has nothing but
//! rows.

use crate::{
    payload::{Flaw, Value},
    wire::Wire,
};

/// What is known of an event before any log is read: one row of the table.
#[derive(Debug, Clone, Copy)]
pub struct EventInfo {
    /// The number on the wire.
    pub tag: u16,
    /// GHC's name, without its `EVENT_`.
    pub name: &'static str,
    /// One line for people.
    pub doc: &'static str,
    /// Whether each record carries its own length.
    pub variable: bool,
    /// The fewest payload bytes that hold all fields every runtime writes.
    pub min_size: usize,
    /// Whether its length can be checked against its fields: these show where it ends, or how long it is at least.
    pub(crate) checkable: bool,
    /// The names of the fields, in wire order.
    pub fields: &'static [&'static str],
    /// The form of each field on the wire.
    pub wire: &'static [Wire],
}

impl EventInfo {
    /// The payload sizes that releases of GHC write, in bytes, the newest form first; [`crate::VARIABLE`] for an event
    /// whose records carry their own length.
    pub(crate) fn sizes(&self) -> impl Iterator<Item = u16> + use<> {
        let newest: usize = self.wire.iter().map(|field| field.newest_size()).sum();
        let mut sizes = alloc::vec![newest];
        for field in self.wire.iter().rev().take_while(|field| matches!(field, Wire::Optional(_))) {
            sizes.extend(sizes.last().map(|size| size - field.newest_size()));
        }
        sizes.push(self.min_size);
        sizes.dedup();
        let variable = self.variable;
        let fixed = sizes.into_iter().filter(move |_| !variable).map(|size| size as u16);
        fixed.chain(variable.then_some(crate::VARIABLE))
    }
}

/// An event's fields, as far as they could be read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Decoded<'a> {
    /// The event.
    pub event: Event<'a>,
    /// How many payload bytes its known fields take. A newer runtime may write more.
    pub used: usize,
    /// What was wrong with them.
    pub flaw: Option<Flaw>,
}

/// A function that is called with the name and the value of each field of an event.
pub type Visit<'v, 'a> = &'v mut dyn FnMut(&'static str, Value<'a>);

/// Makes the decoder from the table. From the row
///
/// ```text
/// /// A thread moves to another capability
/// 4 MIGRATE_THREAD fixed MigrateThread { thread: ThreadId, cap: CapNo }
/// ```
///
/// it makes the struct with its reader
///
/// ```text
/// /// A thread moves to another capability
/// pub struct MigrateThread { pub thread: ThreadId, pub cap: CapNo }
/// impl MigrateThread { pub const TAG: u16 = 4; pub fn read(payload: &[u8]) -> Self { … } }
/// ```
///
/// the variant `Event::MigrateThread(MigrateThread)`, its arms in `decode`, `visit` and `info`, and the row `EventInfo`
/// of `EVENTS` with tag, name, text, smallest size, field names and the form of each field on the wire. A number used
/// twice does not compile, since each is also the discriminant of an enum.
macro_rules! events {
    ($(
        #[doc = $doc:literal]
        $tag:literal $name:ident $length:ident $event:ident $(<$life:lifetime>)?
        { $($(#[doc = $field_doc:literal])* $field:ident: $type:ty),* $(,)? }
    )*) => {
        $(
            #[doc = $doc]
            #[derive(Debug, Clone, Copy, PartialEq)]
            #[allow(missing_docs, reason = "the names of most fields say enough; the others have docs")]
            pub struct $event $(<$life>)? { $($(#[doc = $field_doc])* pub $field: $type,)* }

            impl $(<$life>)? $event $(<$life>)? {
                /// The number on the wire.
                pub const TAG: u16 = $tag;
                /// The fewest payload bytes that hold all fields every runtime writes.
                pub const MIN_SIZE: usize = 0 $(+ <$type as Field>::WIRE.min_size())*;
                const WIRE: &'static [Wire] = &[$(<$type as Field>::WIRE,)*];
                const DELIMITS_ITSELF: bool = true $(&& !<$type as Field>::WIRE.is_open())*;

                /// Reads the fields. Fields that are missing from a payload shorter than [`Self::MIN_SIZE`] are 0.
                #[inline]
                #[must_use]
                #[allow(unused_variables, reason = "events without fields")]
                pub fn read(payload: &$($life)? [u8]) -> Self {
                    Self::read_from(&mut Payload::new(payload))
                }

                #[inline]
                #[allow(unused_variables, reason = "events without fields")]
                fn read_from(payload: &mut Payload<$($life)?>) -> Self {
                    Self { $($field: Field::read(payload),)* }
                }
            }

            #[cfg(feature = "write")]
            impl<'a> crate::KnownEvent<'a> for $event $(<$life>)? {
                const TAG: u16 = $tag;
                fn event(self) -> Event<'a> {
                    Event::$event(self)
                }
            }
        )*

        /// An event with its fields.
        #[derive(Debug, Clone, Copy, PartialEq)]
        #[allow(missing_docs, reason = "each variant's struct has the text")]
        pub enum Event<'a> {
            $($event($event $(<$life>)?),)*
            /// An event that this decoder does not know, or whose form in this log it does not know: its payload.
            Unknown(&'a [u8]),
        }

        #[allow(non_camel_case_types, dead_code, clippy::upper_case_acronyms, reason = "GHC's names, for the compiler's check only")]
        #[repr(u16)]
        enum EachTagOnce { $($name = $tag,)* }

        /// Every known event, in order of its number.
        pub static EVENTS: &[EventInfo] = &[$(
            EventInfo {
                tag: $tag,
                name: stringify!($name),
                doc: $doc.trim_ascii(),
                variable: is_variable!($length),
                min_size: $event::MIN_SIZE,
                checkable: is_variable!($length) && ($event::DELIMITS_ITSELF || $event::MIN_SIZE > 0),
                fields: &[$(stringify!($field),)*],
                wire: $event::WIRE,
            },
        )*];

        /// Reads the fields of an event whose form is known; `Event::Unknown` for other numbers.
        #[inline]
        pub(crate) fn decode(tag: u16, bytes: &[u8]) -> Decoded<'_> {
            let mut payload = Payload::new(bytes);
            let event = match tag {
                $($tag => Event::$event($event::read_from(&mut payload)),)*
                _ => Event::Unknown(bytes),
            };
            Decoded { event, used: bytes.len() - payload.left(), flaw: payload.flaw() }
        }

        /// Calls `visit` with each field of an event whose form is known, without building the event.
        #[inline]
        pub(crate) fn visit_fields<'a>(tag: u16, bytes: &'a [u8], visit: Visit<'_, 'a>) {
            #[allow(unused_mut, unused_variables, reason = "events without fields")]
            let mut payload = Payload::new(bytes);
            match tag {
                $($tag if bytes.len() >= $event::MIN_SIZE => {
                    let $event { $($field),* } = $event::read_from(&mut payload);
                    $(visit(stringify!($field), $field.value());)*
                })*
                _ => visit("payload", Value::Raw(bytes)),
            }
        }

        impl<'a> Event<'a> {
            /// Calls `visit` with each field, in wire order.
            pub fn visit(self, visit: Visit<'_, 'a>) {
                match self {
                    $(Self::$event($event { $($field),* }) => { $(visit(stringify!($field), $field.value());)* })*
                    Self::Unknown(bytes) => visit("payload", Value::Raw(bytes)),
                }
            }

            /// Its row of the table; `None` if it is unknown.
            #[must_use]
            pub fn info(self) -> Option<&'static EventInfo> {
                match self {
                    $(Self::$event(_) => info($tag),)*
                    Self::Unknown(_) => None,
                }
            }
        }
    };
}

/// `fixed` or `var`, the table's two words for where a record's length comes from: the header or the record.
macro_rules! is_variable {
    (fixed) => {
        false
    };
    (var) => {
        true
    };
}

pub(crate) use {events, is_variable};

use crate::events::Event;
