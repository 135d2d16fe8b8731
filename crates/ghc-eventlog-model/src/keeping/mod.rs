//! What is kept of a log, each store within a bound of [`crate::limits`].
//!
//! `overview` has the whole log in buckets of time. The others are tables: exact totals, and rows as far as there is room.
//! `crossing` has what the replay finds: what threads did, and user spans.

pub(crate) mod bins;
pub(crate) mod chunked;
pub(crate) mod collections;
pub(crate) mod counts;
pub(crate) mod crossing;
pub(crate) mod diagnostics;
pub(crate) mod heaviest;
pub(crate) mod instruments;
pub(crate) mod lives;
pub(crate) mod log_writes;
pub(crate) mod long_ones;
pub(crate) mod markers;
pub(crate) mod messages;
pub(crate) mod moments;
pub(crate) mod new_places;
pub(crate) mod nonmoving;
pub(crate) mod occurring;
pub(crate) mod others;
pub(crate) mod overview;
pub(crate) mod pauses;
pub(crate) mod places;
pub(crate) mod process;
pub(crate) mod quantiles;
pub(crate) mod rests;
pub(crate) mod ring;
pub(crate) mod rows;
pub(crate) mod rts_flags;
pub(crate) mod samples;
pub(crate) mod sightings;
pub(crate) mod sorted;
pub(crate) mod store;
pub(crate) mod tails;
pub(crate) mod tasks;
pub(crate) mod texts;
pub(crate) mod threads;
pub(crate) mod valued;
pub(crate) mod wordings;
