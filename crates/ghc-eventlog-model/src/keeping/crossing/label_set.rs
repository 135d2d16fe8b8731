//! Some of the labels of user spans: a family may have thousands, and each of a log's spans is looked up.

use alloc::{vec, vec::Vec};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LabelSet {
    /// Whether it has each label, up to its last one.
    has: Vec<bool>,
}

impl LabelSet {
    pub(crate) fn of(labels: &[u16]) -> Self {
        let mut has = vec![false; labels.iter().max().map_or(0, |last| usize::from(*last) + 1)];
        for label in labels {
            if let Some(has) = has.get_mut(usize::from(*label)) {
                *has = true;
            }
        }
        Self { has }
    }

    #[inline]
    pub(crate) fn has(&self, label: u16) -> bool {
        self.has.get(usize::from(label)).copied().unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_has_its_labels_and_no_others() {
        let set = LabelSet::of(&[5, 0, 3]);
        assert!((0..=u16::MAX).filter(|label| set.has(*label)).eq([0, 3, 5]));
        assert!(!LabelSet::of(&[]).has(0));
    }
}
