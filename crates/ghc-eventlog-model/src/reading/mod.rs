//! Reading: what is made of the log's events.
//!
//! ```text
//! bytes ── feed ── decoder ── cursor ── machines of a stream ── first_pass ──┐
//!                                └── process, threads, profiles, messages …  ├── Known
//! bytes again ── again ── segments decoded again ────────────────────────────┤
//! bytes again ── replay ── ops, in_order ── what crosses capabilities ───────┘
//! ```
//!
//! The [`Model`](model::Model) holds what is known of a log, and the state of the first pass.

pub(crate) mod again;
pub(crate) mod cursor;
pub(crate) mod feed;
pub(crate) mod first_pass;
mod horizon;
pub(crate) mod in_order;
pub(crate) mod job;
pub(crate) mod late_names;
pub(crate) mod model;
pub(crate) mod op_list;
pub(crate) mod ops;
pub(crate) mod other_log;
pub(crate) mod parts;
pub(crate) mod preview;
pub(crate) mod replay;
pub(crate) mod requests;
mod segment_ops;
