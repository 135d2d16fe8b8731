//! Labels that there is no room for: what is known of them is kept together with what is known of others of their family, or not at all.
//!
//! ```text
//! job 1    job 2    total    job 3        no room for the sums of job 1 and job 3
//! job #    job 2    total    job #
//! ```

use crate::{keeping::messages::Labels, sorting::sort_by_number};
use alloc::vec::Vec;

/// By label, under which number its sums are.
#[derive(Debug, Clone, Default)]
pub(crate) struct FoldedLabels {
    keys: Vec<u16>,
}

/// The number of a family is that of its first label, with this bit.
const FAMILY: u16 = 1 << 15;

/// The number of labels without sums.
const GONE: u16 = u16::MAX;

impl FoldedLabels {
    /// Under which number the sums of a label are; `None` if they are not kept.
    #[inline]
    pub(crate) fn key_of(&self, label: u16) -> Option<u16> {
        let key = self.keys.get(usize::from(label)).copied().unwrap_or(label);
        Some(key).filter(|key| *key != GONE)
    }

    /// The numbers under which the sums of some labels are, each once, in order; `None` if some are not kept, or are there together with those
    /// of other labels.
    pub(crate) fn keys_of(&self, labels: &[u16]) -> Option<Vec<u16>> {
        let mut keys = labels.iter().map(|label| self.key_of(*label)).collect::<Option<Vec<u16>>>()?;
        let of_key = |key: u16| self.keys.iter().filter(|other| **other == key).count();
        sort_by_number(&mut keys, |key| u64::from(*key));
        let are_alone = |its: &[u16]| its.first().is_none_or(|key| key & FAMILY == 0 || of_key(*key) == its.len());
        if !keys.chunk_by(|one, other| one == other).all(are_alone) {
            return None;
        }
        keys.dedup();
        Some(keys)
    }

    /// Makes room: the sums under these numbers are not kept any more, or under another number.
    ///
    /// Without `labels`, no label has a family.
    #[inline(never)]
    pub(crate) fn fold(&mut self, keys: impl Iterator<Item = u16>, labels: Option<&Labels>) {
        let firsts = labels.map(Labels::firsts_of_families).unwrap_or_default();
        for key in keys {
            if key & FAMILY != 0 {
                for other in &mut self.keys {
                    if *other == key {
                        *other = GONE;
                    }
                }
                continue;
            }
            let family = firsts.get(usize::from(key)).copied().flatten();
            self.set(key, family.map_or(GONE, |first| first | FAMILY));
        }
    }

    /// Under which number sums are after [`fold`](Self::fold) that were under `key`; `None` if they are not kept.
    #[inline(never)]
    pub(crate) fn moved(&self, key: u16) -> Option<u16> {
        if key & FAMILY == 0 { self.key_of(key) } else { Some(key).filter(|key| self.keys.contains(key)) }
    }

    /// Whether all labels have sums of their own.
    pub(crate) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    fn set(&mut self, label: u16, key: u16) {
        for missing in self.keys.len()..=usize::from(label) {
            self.keys.push(missing as u16);
        }
        if let Some(of) = self.keys.get_mut(usize::from(label)) {
            *of = key;
        }
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.keys.capacity() * size_of::<u16>()
    }
}
