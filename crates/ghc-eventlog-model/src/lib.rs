//! What a GHC program did, from its eventlog, in bounded memory.
//!
//! Feed a [`Model`] with a log's bytes, in chunks of any size; ask it at any time. It keeps an overview of the whole
//! log, an index of where in the file is what, and tables of threads and collections, each within a bound stated in
//! [`limits`]. What is between them is decoded again from the file when a window is narrow enough to show it: the model
//! says which bytes it needs, and does no reading itself.
//!
//! The model never fails: it has what could be read, and diagnostics for the rest.
//!
//! ```
//! use ghc_eventlog_model::Model;
//!
//! let mut model = Model::new();
//! model.feed(b"no log");
//! model.finish();
//! assert!(model.error().is_some());
//! ```

#![no_std]

extern crate alloc;

mod asking;
mod keeping;
pub mod limits;
mod model;
mod reading;
mod tracks;

pub use asking::{
    lookup::{Direction, Field, Place, Search, SpanInfo},
    range::{Range, RangeTotals},
    view::View,
    window::{Plan, Window},
};
pub use keeping::{
    collections::{Collections, Totals},
    threads::{Thread, Threads},
};
pub use model::Model;
pub use reading::{
    diagnostics::{Diagnostic, DiagnosticKind, Diagnostics},
    preview::Look,
    process::Process,
};
pub use tracks::{
    Note, Shape, State, Track, TrackId, Unit,
    span::{Collection, Ending, Span},
};
