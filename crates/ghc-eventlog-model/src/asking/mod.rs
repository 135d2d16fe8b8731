//! Asking: what a window of time shows, what is at a place of a track, what happened in a range.
//!
//! Each question says which bytes of the file it needs, and is asked again once those have been supplied; what may need many
//! of them is a [`job`](crate::Job).

pub(crate) mod censuses;
pub(crate) mod events;
pub(crate) mod job;
pub(crate) mod lookup;
pub(crate) mod range;
pub(crate) mod sampled;
pub(crate) mod window;
