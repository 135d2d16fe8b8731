//! The ends of collections, on the capabilities that led them: from the end of the collecting to the end of the collection.
//! In this time, the capability takes the census of a heap profile if one is due, which other streams tell.
//!
//! ```text
//! lane      |11|ooo|wwwwww|iiiiiiiiiiiii|22222            kept, and used once the censuses are known
//! global            begin of a sample |samples| end       known later, from another stream
//! ```

use crate::{
    keeping::{
        rests::Rests,
        store::{Purpose, Store},
    },
    limits,
};
use ghc_eventlog::Nanos;

/// The ends of collections; when there are too many, the longest: few of them have a census, and it is long.
#[derive(Debug)]
pub(crate) struct Tails(pub(crate) Rests);

impl Store for Tails {
    fn of(_: Purpose) -> Self {
        Self(Rests::longer_than(Nanos(0), limits::MAX_TAILS))
    }

    fn bytes_held(&self) -> usize {
        self.0.bytes_held()
    }
}
