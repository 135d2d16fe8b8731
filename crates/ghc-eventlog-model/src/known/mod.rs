//! What is known of a log: plain data.

pub(crate) mod caps;
pub(crate) mod details;
pub(crate) mod index;
pub(crate) mod sums;
