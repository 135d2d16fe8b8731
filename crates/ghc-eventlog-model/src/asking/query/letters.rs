//! Finds a plain text in another one.

use alloc::vec::Vec;
use memchr::memchr2_iter;

/// Letters by how often they are in messages, the most frequent first. What is not here is rare.
const FREQUENT: &[u8] = b" etaoinsrhldcumfpgwyb0123456789:.vkxjqz";

/// A text that is looked for in others.
#[derive(Debug, Clone)]
pub(crate) struct Letters {
    all: Vec<u8>,
    /// The place of its rarest letter: few places of a text have that.
    rarest: usize,
}

impl Letters {
    pub(crate) fn new(all: &str) -> Self {
        let all: Vec<u8> = all.into();
        let rank = |letter: u8| FREQUENT.iter().position(|other| *other == letter.to_ascii_lowercase());
        let ranks = all.iter().map(|letter| rank(*letter).unwrap_or(FREQUENT.len()));
        let rarest = ranks.enumerate().max_by_key(|(_, rank)| *rank).map_or(0, |(place, _)| place);
        Self { all, rarest }
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.all
    }

    /// Whether they are in a text, or are the `whole` text. `folds`: ASCII capitals are as good as small letters.
    pub(crate) fn are_in(&self, text: &[u8], folds: bool, whole: bool) -> bool {
        let all = &*self.all;
        let are_they = |here: &[u8]| if folds { here.eq_ignore_ascii_case(all) } else { here == all };
        if whole {
            return are_they(text);
        }
        let Some(letter) = all.get(self.rarest) else { return true };
        let [small, capital] =
            if folds { [letter.to_ascii_lowercase(), letter.to_ascii_uppercase()] } else { [*letter; 2] };
        let starts = memchr2_iter(small, capital, text).filter_map(|at| at.checked_sub(self.rarest));
        let mut places = starts.filter_map(|start| text.get(start..start + all.len()));
        places.any(are_they)
    }
}
