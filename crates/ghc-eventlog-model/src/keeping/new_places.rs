//! Places in a list after some of its items are dropped.
//!
//! ```text
//! items     a b c d e        stays    a . c . e        new places    0 gone 1 gone 2
//! ```

use alloc::vec::Vec;

/// For each old place the new one.
#[derive(Debug)]
pub(crate) struct NewPlaces(Vec<Option<u32>>);

impl NewPlaces {
    /// For items that stay or not, in the order of their places.
    pub(crate) fn of(stays: impl Iterator<Item = bool>) -> Self {
        let mut kept = 0;
        let place = |stays: bool| {
            kept += u32::from(stays);
            stays.then(|| kept - 1)
        };
        Self(stays.map(place).collect())
    }

    /// The new place of the item at an old one; `None` if it is dropped.
    pub(crate) fn get(&self, old: u32) -> Option<u32> {
        self.0.get(old as usize).copied().flatten()
    }

    /// Drops the items that do not stay, after passing each to `gone`.
    pub(crate) fn drop_from<T>(&self, items: &mut Vec<T>, mut gone: impl FnMut(&T)) {
        let mut places = self.0.iter();
        items.retain(|item| {
            let stays = places.next().is_some_and(Option::is_some);
            if !stays {
                gone(item);
            }
            stays
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_that_stay_are_at_their_new_places() {
        let old: Vec<char> = "abcdefgh".chars().collect();
        let places = NewPlaces::of(old.iter().map(|item| "bcfh".contains(*item)));
        let (mut new, mut gone) = (old.clone(), Vec::new());
        places.drop_from(&mut new, |item| gone.push(*item));
        assert_eq!(
            (new.iter().collect::<alloc::string::String>(), gone),
            ("bcfh".into(), ['a', 'd', 'e', 'g'].to_vec())
        );
        for (item, place) in old.iter().zip(0..) {
            assert_eq!(places.get(place).map(|now| new[now as usize]), new.contains(item).then_some(*item));
        }
        assert_eq!(places.get(8), None);
    }
}
