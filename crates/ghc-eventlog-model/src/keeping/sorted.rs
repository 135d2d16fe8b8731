//! A map for some thousands of things at most, in one sorted list: the library's tree is several times as much code for each type
//! of things that it holds, and the page would have to load that.

use alloc::vec::Vec;

/// Things by their keys, in the keys' order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sorted<K, V> {
    entries: Vec<(K, V)>,
}

impl<K, V> Default for Sorted<K, V> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}

impl<K: Ord, V> Sorted<K, V> {
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Where a key stands, or would stand.
    fn place(&self, key: &K) -> Result<usize, usize> {
        // Most come in order.
        match self.entries.last() {
            Some((last, _)) if last < key => Err(self.entries.len()),
            _ => self.entries.binary_search_by(|(other, _)| other.cmp(key)),
        }
    }

    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        self.entries.get(self.place(key).ok()?).map(|(_, value)| value)
    }

    pub(crate) fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        let place = self.place(key).ok()?;
        self.entries.get_mut(place).map(|(_, value)| value)
    }

    pub(crate) fn contains_key(&self, key: &K) -> bool {
        self.place(key).is_ok()
    }

    /// Puts something under a key; what was there before.
    pub(crate) fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.place(&key) {
            Ok(place) => self.entries.get_mut(place).map(|(_, old)| core::mem::replace(old, value)),
            Err(place) => {
                self.entries.insert(place, (key, value));
                None
            }
        }
    }

    /// What is under a key; what `make` makes, if there was nothing. `None` is never given: it is for the reader of places.
    pub(crate) fn get_or(&mut self, key: K, make: impl FnOnce() -> V) -> Option<&mut V> {
        let place = match self.place(&key) {
            Ok(place) => place,
            Err(place) => {
                self.entries.insert(place, (key, make()));
                place
            }
        };
        self.entries.get_mut(place).map(|(_, value)| value)
    }

    pub(crate) fn remove(&mut self, key: &K) -> Option<V> {
        let place = self.place(key).ok()?;
        Some(self.entries.remove(place).1)
    }

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.entries.iter().map(|(key, value)| (key, value))
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = &K> {
        self.entries.iter().map(|(key, _)| key)
    }

    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.entries.iter_mut().map(|(_, value)| value)
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.entries.iter().map(|(_, value)| value)
    }

    /// The bytes of the list, without what its things hold elsewhere.
    pub(crate) fn bytes_held(&self) -> usize {
        self.entries.capacity() * size_of::<(K, V)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn things_are_found_by_their_keys_and_stand_in_their_order() {
        let mut sorted = Sorted::default();
        let inserted = [(5, 'a'), (1, 'b'), (9, 'c'), (5, 'd')].map(|(key, value)| sorted.insert(key, value));
        assert_eq!(inserted, [None, None, None, Some('a')]);
        assert_eq!(sorted.iter().collect::<Vec<_>>(), vec![(&1, &'b'), (&5, &'d'), (&9, &'c')]);
        assert_eq!((sorted.get(&5), sorted.get(&4), sorted.contains_key(&9)), (Some(&'d'), None, true));
        assert_eq!((sorted.remove(&5), sorted.remove(&5), sorted.len()), (Some('d'), None, 2));
        let made = [sorted.get_or(4, || 'e').copied(), sorted.get_or(4, || 'f').copied()];
        assert_eq!((made, sorted.keys().copied().collect::<Vec<_>>()), ([Some('e'); 2], vec![1, 4, 9]));
    }
}
