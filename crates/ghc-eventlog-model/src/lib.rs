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

mod caps;
mod counts;
mod detail;
mod diagnostics;
mod feed;
mod first_pass;
mod gc;
mod index;
pub mod limits;
mod lookup;
mod model;
mod overview;
mod preview;
mod process;
mod range;
mod span;
mod state;
mod sums;
mod texts;
mod threads;
mod track_list;
mod tracks;
mod view;
mod window;

pub use diagnostics::{Diagnostic, DiagnosticKind, Diagnostics};
pub use gc::{Collections, Totals};
pub use lookup::{Direction, Field, Place, Search, SpanInfo};
pub use model::Model;
pub use preview::Look;
pub use process::Process;
pub use range::{Range, RangeTotals};
pub use span::{Collection, Ending, Span};
pub use threads::{Thread, Threads};
pub use tracks::{Note, Shape, State, Track, TrackId};
pub use view::View;
pub use window::{Plan, Window};
