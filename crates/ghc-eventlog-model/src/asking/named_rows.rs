//! Which rows have a text in their names.

use crate::{
    known::arrangement::Arrangement, reading::model::Model, terms::small_letters::small_letters, tracks::groups,
};
use alloc::vec::Vec;
use core::ops::Range;

/// Rows that are described at a time.
const PAGE: usize = 256;

impl Model {
    /// The places of a group's tracks that have a text in their names, in upper or lower case: at most `most` runs of them,
    /// the first ones. Each is the places from its start to before its end.
    #[must_use]
    pub fn rows_named(&self, arrangement: &Arrangement, group: &str, text: &str, most: usize) -> Vec<Range<usize>> {
        let known = self.known.arranged(arrangement);
        let text = small_letters(text);
        let mut runs: Vec<Range<usize>> = Vec::new();
        for from in (0..).step_by(PAGE) {
            let page = groups::page(&known, group, from, PAGE);
            if page.is_empty() {
                break;
            }
            for (place, track) in (from..).zip(&page) {
                if !small_letters(track.name.for_comparing()).contains(&text) {
                    continue;
                }
                let found = runs.len();
                match runs.last_mut() {
                    Some(last) if last.end == place => last.end += 1,
                    _ if found == most => return runs,
                    _ => runs.push(place..place + 1),
                }
            }
        }
        runs
    }
}
