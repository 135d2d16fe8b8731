//! A long list in chunks of the same size. Unlike a vector, it never has half of its room unused, and never needs its room
//! twice while it grows. It is used for what grows by megabytes: wasm's memory never shrinks.

use alloc::vec::Vec;

/// How many items a chunk holds, as a power of two.
const CHUNK_LOG2: usize = 11;

/// Items in order, identified by their places.
#[derive(Debug)]
pub(crate) struct Chunked<T> {
    /// All chunks but the last are full; none is empty.
    chunks: Vec<Vec<T>>,
}

impl<T> Chunked<T> {
    pub(crate) fn new() -> Self {
        Self { chunks: Vec::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.chunks.last().map_or(0, |last| ((self.chunks.len() - 1) << CHUNK_LOG2) + last.len())
    }

    #[inline]
    pub(crate) fn get(&self, at: usize) -> Option<&T> {
        self.chunks.get(at >> CHUNK_LOG2)?.get(at % (1 << CHUNK_LOG2))
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        self.chunks.get_mut(at >> CHUNK_LOG2)?.get_mut(at % (1 << CHUNK_LOG2))
    }

    #[inline]
    pub(crate) fn push(&mut self, thing: T) {
        match self.chunks.last_mut() {
            Some(last) if last.len() < 1 << CHUNK_LOG2 => last.push(thing),
            _ => self.begin_chunk(thing),
        }
    }

    #[cold]
    fn begin_chunk(&mut self, thing: T) {
        let mut chunk = Vec::with_capacity(1 << CHUNK_LOG2);
        chunk.push(thing);
        self.chunks.push(chunk);
    }

    /// Drops all items from `length` on.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.chunks.truncate(length.div_ceil(1 << CHUNK_LOG2));
        let full = self.chunks.len().saturating_sub(1) << CHUNK_LOG2;
        if let Some(last) = self.chunks.last_mut() {
            last.truncate(length - full);
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.chunks.iter().flatten()
    }

    pub(crate) fn bytes_held(&self) -> usize {
        let things: usize = self.chunks.iter().map(Vec::capacity).sum();
        things * size_of::<T>() + self.chunks.capacity() * size_of::<Vec<T>>()
    }
}

#[cfg(test)]
mod tests {
    use super::{CHUNK_LOG2, Chunked};
    use alloc::vec::Vec;

    const CHUNK: usize = 1 << CHUNK_LOG2;

    #[test]
    fn it_equals_a_vector() {
        let mut list = Chunked::new();
        for length in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 * CHUNK + 7] {
            (list.len()..length).for_each(|thing| list.push(thing));
            assert_eq!(list.len(), length);
            assert_eq!(list.iter().copied().collect::<Vec<_>>(), (0..length).collect::<Vec<_>>());
            assert!((0..length).all(|at| list.get(at) == Some(&at)));
            assert_eq!((list.get(length), list.get(usize::MAX)), (None, None));
        }
        for length in [3 * CHUNK + 7, 2 * CHUNK + 1, 2 * CHUNK, CHUNK - 1, 0] {
            list.truncate(length);
            assert_eq!(list.iter().copied().collect::<Vec<_>>(), (0..length).collect::<Vec<_>>());
        }
        list.push(3);
        list.get_mut(0).into_iter().for_each(|thing| *thing += 2);
        assert_eq!((list.get(0), list.len()), (Some(&5), 1));
    }

    #[test]
    fn it_holds_at_most_one_chunk_more_than_it_needs() {
        let mut list = Chunked::new();
        (0..10 * CHUNK + 1).for_each(|thing: usize| list.push(thing));
        assert!(list.bytes_held() <= 11 * CHUNK * size_of::<usize>() + 16 * size_of::<Vec<usize>>());
        list.truncate(CHUNK);
        assert!(list.bytes_held() <= CHUNK * size_of::<usize>() + 16 * size_of::<Vec<usize>>());
    }
}
