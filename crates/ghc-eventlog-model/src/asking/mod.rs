//! Asking: what a window of time shows, what is at a place of a track, what happened in a range.
//!
//! Each question says which bytes of the file it needs, and is asked again once those have been supplied; a question that may
//! need many of them is a [`job`](crate::Job).

pub(crate) mod arranging;
pub(crate) mod events;
pub(crate) mod find;
pub(crate) mod lookup;
pub(crate) mod named_rows;
pub(crate) mod pieces;
pub(crate) mod query;
pub(crate) mod range;
pub(crate) mod spans_in_range;
pub(crate) mod threads_in_range;
pub(crate) mod window;
