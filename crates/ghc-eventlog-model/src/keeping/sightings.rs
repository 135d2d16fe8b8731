//! What has been seen of things that there may be very many of, each known by its hash: up to a stated number. When there are
//! more, those are forgotten of which too little has been seen; and once there is no room even for the others, no new ones are taken.

use super::places::Places;
use alloc::vec::Vec;

/// Things by their hashes, with a few bits or a small number each.
#[derive(Debug, Default)]
pub(crate) struct Sightings {
    rows: Vec<(u64, u8)>,
    places: Places,
    /// There is no room for new ones: enough has been seen of nearly all that are kept.
    is_closed: bool,
}

impl Sightings {
    /// What has been seen of a thing; 0 if nothing was.
    pub(crate) fn get(&self, hash: u64) -> u8 {
        let row = self.places.find_number(hash).and_then(|place| self.rows.get(place as usize));
        row.map_or(0, |(_, seen)| *seen)
    }

    /// Changes what has been seen of a thing, and returns it. At most `most` things are kept: when there are more, only those
    /// that have been seen as often as `is_enough` says, and no new ones if those are too many, too.
    pub(crate) fn see(
        &mut self,
        hash: u64,
        most: usize,
        change: impl Fn(u8) -> u8,
        is_enough: impl Fn(u8) -> bool,
    ) -> u8 {
        let known = self.places.find_number(hash).and_then(|place| self.rows.get_mut(place as usize));
        if let Some((_, seen)) = known {
            *seen = change(*seen);
            return *seen;
        }
        if self.is_closed {
            return change(0);
        }
        if self.rows.len() >= most {
            self.rows.retain(|(_, seen)| is_enough(*seen));
            // With too little room left, this would be done again and again.
            self.is_closed = self.rows.len() > most / 4 * 3;
            self.places = Places::new();
            for ((hash, _), place) in self.rows.iter().zip(0..) {
                self.places.insert_number(*hash, place);
            }
            if self.is_closed {
                return change(0);
            }
        }
        self.places.insert_number(hash, self.rows.len() as u32);
        let seen = change(0);
        self.rows.push((hash, seen));
        seen
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.rows.capacity() * size_of::<(u64, u8)>() + self.places.bytes_held()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn when_there_are_too_many_only_those_stay_of_which_enough_was_seen() {
        let mut all = Sightings::default();
        let mut see = |hash| all.see(hash, 16, |seen| seen.saturating_add(1), |seen| seen > 1);
        assert_eq!([see(1000), see(1000), see(1001)], [1, 2, 1]);
        (0..100).for_each(|hash| assert_eq!(see(hash), 1));
        assert_eq!([see(1000), see(1001)], [3, 1]);
        assert_eq!((all.get(1000), all.get(5)), (3, 0));
        assert!(all.rows.len() <= 16 && all.bytes_held() > 0);
        // Those of which enough was seen stay, also when there is no room for more.
        (2000..2100).for_each(|hash| assert_eq!(all.see(hash, 16, |_| 2, |seen| seen > 1), 2));
        assert!(all.rows.len() <= 16);
        assert_eq!((all.get(1000), all.get(2000), all.get(2099)), (3, 2, 0));
    }
}
