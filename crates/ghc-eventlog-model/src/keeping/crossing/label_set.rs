//! Some of the labels of user spans: a family may have thousands, and each of a log's spans is looked up.

use alloc::vec::Vec;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct LabelSet {
    /// Whether it has each label, up to its last one.
    has: Vec<bool>,
}

impl LabelSet {
    pub(crate) fn of(labels: &[u16]) -> Self {
        let mut set = Self::default();
        labels.iter().for_each(|label| set.add(*label));
        set
    }

    pub(crate) fn add(&mut self, label: u16) {
        let at = usize::from(label);
        if at >= self.has.len() {
            self.has.resize(at + 1, false);
        }
        if let Some(has) = self.has.get_mut(at) {
            *has = true;
        }
    }

    #[inline]
    pub(crate) fn has(&self, label: u16) -> bool {
        self.has.get(usize::from(label)).is_some_and(|has| *has)
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.has.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_has_its_labels_and_no_others() {
        let mut set = LabelSet::of(&[5, 0, 3]);
        let all = |set: &LabelSet| -> Vec<u16> { (0..=u16::MAX).filter(|label| set.has(*label)).collect() };
        assert_eq!(all(&set), [0, 3, 5]);
        [u16::MAX, 1, 5].into_iter().for_each(|label| set.add(label));
        assert_eq!(all(&set), [0, 1, 3, 5, u16::MAX]);
        assert_eq!(all(&LabelSet::of(&[])), [0; 0]);
    }
}
