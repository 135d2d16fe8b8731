//! Reading: what the log's events are turned into, one after the other, in file order.
//!
//! `feed` gives the decoder's events to the `known`, which has a `caps::CapEvents` for each capability. Their machines (see
//! [`crate::tracks`]) follow them, and what these find goes through `first_pass` to what is kept (see [`crate::keeping`]).

pub(crate) mod again;
pub(crate) mod cursor;
pub(crate) mod feed;
pub(crate) mod first_pass;
pub(crate) mod preview;
