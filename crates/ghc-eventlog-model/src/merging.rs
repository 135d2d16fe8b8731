//! Merging ordered streams into one.
//!
//! ```text
//! stream a   1   3 4     9
//! stream b     2     5 6
//! merged     1 2 3 4 5 6 9
//! ```

use alloc::{
    boxed::Box,
    collections::{BinaryHeap, binary_heap::PeekMut},
    vec::Vec,
};
use core::cmp::Ordering;

/// A stream of things in the order of their keys. No two streams have the same key.
pub trait InOrder {
    /// What they are sorted by.
    type Key: Ord + Copy + core::fmt::Debug;
    /// Why the next key cannot be read.
    type Error;

    /// The key of the next thing; `None` at the end.
    ///
    /// # Errors
    /// If it cannot be read.
    fn key(&mut self) -> Result<Option<Self::Key>, Self::Error>;
}

/// Merges ordered streams into one: `show` merges the pieces of a log with it, and [`Replay`](crate::Replay) its segments.
///
/// ```
/// use core::convert::Infallible;
/// use ghc_eventlog_model::{InOrder, Merge};
///
/// struct Numbers(Vec<u32>);
///
/// impl InOrder for Numbers {
///     type Key = u32;
///     type Error = Infallible;
///
///     fn key(&mut self) -> Result<Option<u32>, Infallible> {
///         Ok(self.0.first().copied())
///     }
/// }
///
/// let mut merge = Merge::new();
/// merge.push(Numbers(vec![1, 3, 4, 9])).unwrap();
/// merge.push(Numbers(vec![2, 5, 6])).unwrap();
/// let mut merged = Vec::new();
/// while merge.next_key().is_some() {
///     merge.advance(None, |numbers| Ok(merged.push(numbers.0.remove(0)))).unwrap();
/// }
/// assert_eq!(merged, [1, 2, 3, 4, 5, 6, 9]);
/// ```
#[derive(Debug)]
pub struct Merge<S: InOrder> {
    heap: BinaryHeap<StreamHead<S>>,
}

impl<S: InOrder> Default for Merge<S> {
    fn default() -> Self {
        Self { heap: BinaryHeap::new() }
    }
}

impl<S: InOrder> Merge<S> {
    /// Without streams.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The smallest key; `None` if nothing is left.
    #[must_use]
    pub fn next_key(&self) -> Option<S::Key> {
        self.heap.peek().map(|head| head.key)
    }

    /// Adds a stream; returns it if it is at its end.
    ///
    /// # Errors
    /// If its key cannot be read.
    pub fn push(&mut self, mut stream: S) -> Result<Option<S>, S::Error> {
        let Some(key) = stream.key()? else { return Ok(Some(stream)) };
        self.heap.push(StreamHead { key, stream: Box::new(stream) });
        Ok(None)
    }

    /// Lets `take` take things from the stream with the smallest key, one at a time, until another stream's key is smaller,
    /// or until `limit`. Returns the stream if it is at its end.
    ///
    /// # Errors
    /// Errors of `take`, and if a key cannot be read.
    pub fn advance(
        &mut self,
        limit: Option<S::Key>,
        mut take: impl FnMut(&mut S) -> Result<(), S::Error>,
    ) -> Result<Option<S>, S::Error> {
        // In a heap, the second smallest is one of the two after the first.
        let second = match self.heap.as_slice() {
            [_, one, other, ..] => Some(one.key.min(other.key)),
            [_, one] => Some(one.key),
            _ => None,
        };
        let limit = match (limit, second) {
            (Some(limit), Some(second)) => Some(limit.min(second)),
            (limit, second) => limit.or(second),
        };
        let Some(mut head) = self.heap.peek_mut() else { return Ok(None) };
        let StreamHead { key, stream } = &mut *head;
        let is_over = loop {
            take(stream)?;
            let Some(next) = stream.key()? else { break true };
            // As long as no other stream is earlier, there is no need to look again.
            if limit.is_some_and(|limit| limit <= next) {
                *key = next;
                break false;
            }
        };
        // Otherwise it takes its new place when `head` is dropped.
        Ok(is_over.then(|| *PeekMut::pop(head).stream))
    }

    /// Removes the streams that `wanted` accepts, and returns them.
    #[must_use]
    pub fn remove(&mut self, wanted: impl Fn(&S) -> bool) -> Self {
        let heads = core::mem::take(&mut self.heap);
        let (out, stay): (Vec<_>, Vec<_>) = heads.into_iter().partition(|head| wanted(&head.stream));
        self.heap = stay.into();
        Self { heap: out.into() }
    }

    /// Removes and returns all streams, in no order.
    #[must_use]
    pub fn take_streams(&mut self) -> Vec<S> {
        core::mem::take(&mut self.heap).into_iter().map(|head| *head.stream).collect()
    }

    /// The streams, in no order.
    pub fn streams(&self) -> impl Iterator<Item = &S> {
        self.heap.iter().map(|head| &*head.stream)
    }
}

/// A stream by its next key: the heap moves these, not the streams. The one with the smallest key is the greatest.
#[derive(Debug)]
struct StreamHead<S: InOrder> {
    key: S::Key,
    stream: Box<S>,
}

impl<S: InOrder> PartialEq for StreamHead<S> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl<S: InOrder> Eq for StreamHead<S> {}

impl<S: InOrder> PartialOrd for StreamHead<S> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<S: InOrder> Ord for StreamHead<S> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        other.key.cmp(&self.key)
    }
}
