//! Decoder for the eventlogs that GHC's runtime writes (`+RTS -l`).
//!
//! [`Decoder::next`] takes chunks of bytes of any size and returns records that borrow from them, each with its time,
//! its capability and its offset in the file. Reading a record's fields is a separate step ([`Record::event`]), which
//! callers who do not need them can leave out. The decoder skips damage and reports it, and returns unknown events as
//! [`Event::Unknown`].
//!
//! ```
//! use ghc_eventlog::{Chunk, Decoder, Step};
//!
//! fn print_events(log: &[u8]) -> Result<(), ghc_eventlog::Error> {
//!     let mut decoder = Decoder::new();
//!     let chunk = Chunk { bytes: log, offset: 0, last: true };
//!     loop {
//!         match decoder.next(chunk)? {
//!             Step::Event(record) => println!("{}: {:?} {:?}", record.time, record.cap, record.event()),
//!             Step::Notice(notice) => eprintln!("{notice}"),
//!             Step::Header => println!("{} event types", decoder.header().types().len()),
//!             Step::Need(_) | Step::End => return Ok(()),
//!         }
//!     }
//! }
//! assert!(print_events(b"no log").is_err());
//! ```
//!
//! "FORMAT" with a number in this documentation is a section of the project's format reference.

#![no_std]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

extern crate alloc;

mod decoder;
mod descriptions;
mod error;
mod events;
mod frame;
mod header;
mod header_reader;
mod ids;
pub mod limits;
mod names;
mod part;
mod payload;
mod plain;
mod position;
mod resync;
#[cfg(test)]
mod samples;
mod sizes;
mod stream;
mod table;
mod text;
mod time;
mod wire;
#[cfg(feature = "write")]
mod write;

pub use decoder::Decoder;
pub use descriptions::ghcs_description;
pub use error::{Cause, Error, ErrorKind, Looks, Notice, NoticeKind};
pub use events::*;
pub use header::{EventType, Header, VARIABLE};
pub use ids::{CapNo, CapsetId, CostCentreId, InfoTable, TaskId, ThreadId};
pub use names::{Breakdown, CapsetType, MessageTag, StatusNumbering, StopReason, StopStatus};
pub use part::PartDecoder;
pub use payload::{CStr, Flaw, SegmentBlockSize, TextBeforeId, Value};
pub use position::{End, Position};
pub use stream::{Chunk, Record, Step};
pub use table::{Decoded, EventInfo, Visit};
pub use text::{CostCentreStack, Text, TextList};
pub use time::Nanos;
pub use wire::Wire;
#[cfg(feature = "write")]
pub use write::{Block, KnownEvent, LogWriter, NameError, known_types};
