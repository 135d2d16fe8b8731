//! Decoder for the eventlogs that GHC's runtime writes (`+RTS -l`).
//!
//! Bytes go in, in chunks of any size; records that borrow from them come out, each with its time, its capability and
//! its place in the file. Reading a record's fields is a separate step, for those who need them. Damage is skipped and
//! reported, unknown events come out as unknown.
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
//! The section numbers in the documentation are those of the project's format reference.

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
