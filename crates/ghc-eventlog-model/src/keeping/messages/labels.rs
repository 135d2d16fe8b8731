//! Labels of spans: which of them are kept.

use super::families::{self, Families, family_of};
use crate::{
    keeping::{
        places::{Places, hash},
        wordings::Wordings,
    },
    limits,
    sorting::{sort_by_key, sort_by_number},
};
use alloc::{string::String, vec::Vec};
use core::cmp::Reverse;

/// The label shared by labels that are not kept. The labels after it are those of families: each is shared by labels of a family that are
/// not kept.
pub(crate) const OTHERS: u16 = limits::MAX_SPAN_LABELS as u16;

/// The bit by which marks tell the labels that are not kept. The other bits are a part of the label's hash, which tells most of them
/// apart.
pub(super) const NOT_KEPT: u32 = 1 << 31;

/// What marks have for a label that is not kept.
fn not_kept(hash: u64) -> u32 {
    NOT_KEPT | hash as u32
}

/// The label of a mark, and the number of its family, which is 0 for labels that are kept, and for those of no family.
pub(crate) fn label_of_mark((mark, family): (u32, u8)) -> u16 {
    const { assert!(limits::MAX_SPAN_FAMILIES <= u8::MAX as usize) };
    if mark & NOT_KEPT == 0 { mark as u16 } else { OTHERS + u16::from(family) }
}

/// Whether a mark has a label that is not kept.
pub(crate) fn is_not_kept(mark: u32) -> bool {
    mark & NOT_KEPT != 0
}

/// The labels of spans, in order of the file.
#[derive(Debug)]
pub(crate) struct Labels {
    texts: Wordings,
    kept: KeptLabels,
    /// Of labels that are not kept.
    families: Families,
    /// Whether their weights in all of the log were taken into account: then only missing room for texts leads to another choice.
    is_settled: bool,
}

/// Which labels are kept.
///
/// ```text
/// All ──▶ First ──▶ Heaviest ─┐
///   no room    choose   ▲─────┘ choose, if others are heavier or there is no room for all texts
/// ```
#[derive(Debug)]
enum KeptLabels {
    /// All that came: there is room.
    All,
    /// Those that came first. There was no room for others.
    First,
    /// Those that were [chosen](Labels::choose) by their weights.
    Heaviest {
        /// Their hashes, as [`not_kept`] has them, in order.
        chosen: Vec<u32>,
        /// Whether there was no room for the text of one of them.
        lacks_text: bool,
    },
}

impl Default for Labels {
    fn default() -> Self {
        let texts = Wordings::with_room(limits::MAX_SPAN_LABELS, limits::SPAN_LABEL_BYTES);
        Self { texts, kept: KeptLabels::All, families: Families::default(), is_settled: false }
    }
}

impl Labels {
    /// Forgets all labels, unless these are the best already. Of those that come then, the heaviest are kept, given with their weights:
    /// those that are kept now, by their numbers, and others. They are the best if as many others together weigh no more than `worth` beyond
    /// them. `is_over` says whether the weights are those of all of the log.
    pub(crate) fn choose(
        &mut self,
        kept: impl Fn(u16) -> u64,
        missed: &[(u32, u64)],
        (worth, is_over): (u64, bool),
    ) -> bool {
        let mut all: Vec<(u32, u64)> =
            self.texts.hashes().map(|(hash, place)| (not_kept(hash), kept(place as u16))).collect();
        let sum = |some: &[(u32, u64)]| some.iter().fold(0, |sum: u64, (_, weight)| sum.saturating_add(*weight));
        let (count, before) = (all.len(), sum(&all));
        all.extend_from_slice(missed);
        sort_by_key(&mut all, |(label, weight)| (Reverse(*weight), *label));
        let best = all.get(..count).map_or(before, sum);
        let is_better = !self.is_settled && best.saturating_sub(before) > worth;
        self.is_settled |= is_over;
        if !is_better && !self.lacks_text() {
            return false;
        }
        // If there was no room for the texts of all: as many as there is room for, however long they are.
        let fitting = limits::SPAN_LABEL_BYTES / (3 * limits::MAX_TEXT) - 1;
        let most = if self.lacks_text() { fitting } else { limits::MAX_SPAN_LABELS };
        let mut chosen: Vec<u32> = all.into_iter().take(most).map(|(label, _)| label).collect();
        sort_by_number(&mut chosen, |label| u64::from(*label));
        let kept = KeptLabels::Heaviest { chosen, lacks_text: false };
        let Self { texts, mut families, .. } = core::mem::take(self);
        // Some of them may not be kept any more. Nothing is marked with the numbers of families yet: the log is gone through again.
        for text in (0..texts.len() as u32).filter_map(|place| texts.get(place)) {
            families.add(text.as_bytes(), true);
        }
        *self = Self { kept, families, is_settled: is_over, ..Self::default() };
        true
    }

    /// Whether some have been chosen, perhaps [not for good](Self::may_be_chosen).
    pub(crate) fn are_chosen(&self) -> bool {
        matches!(self.kept, KeptLabels::Heaviest { .. })
    }

    /// Whether some are not kept.
    pub(crate) fn are_too_many(&self) -> bool {
        !matches!(self.kept, KeptLabels::All)
    }

    fn lacks_text(&self) -> bool {
        matches!(self.kept, KeptLabels::Heaviest { lacks_text: true, .. })
    }

    /// Whether some were chosen, and all of these have come.
    pub(crate) fn has_all_chosen(&self) -> bool {
        let KeptLabels::Heaviest { chosen, .. } = &self.kept else { return false };
        if chosen.len() > self.texts.len() {
            return false;
        }
        let mut come: Vec<u32> = self.texts.hashes().map(|(hash, _)| not_kept(hash)).collect();
        sort_by_number(&mut come, |label| u64::from(*label));
        chosen.iter().all(|label| come.binary_search(label).is_ok())
    }

    pub(super) fn keep(&mut self, label: &[u8]) {
        let Self { texts, kept, families, .. } = self;
        let is_chosen = match kept {
            KeptLabels::Heaviest { chosen, .. } => chosen.binary_search(&not_kept(hash(label))).is_ok(),
            KeptLabels::All | KeptLabels::First => true,
        };
        if is_chosen && texts.place(label).is_some() {
            return;
        }
        if is_chosen {
            Self::note_missing(kept, texts.len());
        }
        families.add(label, !matches!(kept, KeptLabels::Heaviest { .. }));
    }

    /// There is no room for a label.
    fn note_missing(kept: &mut KeptLabels, count: usize) {
        match kept {
            KeptLabels::All => *kept = KeptLabels::First,
            KeptLabels::First => {}
            // If there are already as many as were chosen, another label has the hash of one of them: fewer would not help.
            KeptLabels::Heaviest { lacks_text, .. } => *lacks_text |= count < limits::MAX_SPAN_LABELS,
        }
    }

    /// Whether something is cut out of the middle of some of them.
    pub(crate) fn are_cut(&self) -> bool {
        !(0..self.texts.len() as u32).all(|place| self.texts.is_whole(place))
    }

    /// Whether all labels of a family are kept, or together have one that is.
    pub(crate) fn are_all_of(&self, family: &str) -> bool {
        // What is cut out of a label may be a number.
        !self.are_cut() && self.families.has_all_of(family)
    }

    /// Whether the log may have to be gone through once more, since it is not decided yet which labels are kept.
    pub(crate) fn may_be_chosen(&self) -> bool {
        self.are_too_many() && !self.is_settled
    }

    /// What a mark has for a label: see [`label_of_mark`].
    pub(crate) fn mark(&self, label: &[u8]) -> (u32, u8) {
        match self.find(label) {
            OTHERS => (not_kept(hash(label)), self.families.number(label)),
            kept => (kept.into(), 0),
        }
    }

    /// How many there are; those that are not kept count as one, and as one for each family.
    pub(crate) fn count(&self) -> usize {
        self.texts.len() + if self.are_too_many() { 1 + self.families.len() } else { 0 }
    }

    /// The label at a place. Those for labels that are not kept come last.
    pub(crate) fn nth(&self, place: usize) -> Option<u16> {
        let beyond = place.checked_sub(self.texts.len());
        let label = beyond.map_or(place, |beyond| usize::from(OTHERS) + beyond);
        u16::try_from(label).ok().filter(|_| place < self.count())
    }

    /// The texts of all labels, in order of their places.
    pub(crate) fn all_texts(&self) -> impl Iterator<Item = &str> {
        (0..self.count()).filter_map(|place| self.nth(place)).map(|label| self.text(label))
    }

    /// The place of a label.
    pub(crate) fn place(&self, label: u16) -> Option<usize> {
        let place = label.checked_sub(OTHERS).map_or(label.into(), |beyond| self.texts.len() + usize::from(beyond));
        (place < self.count()).then_some(place)
    }

    /// The label with a text.
    pub(crate) fn find(&self, text: &[u8]) -> u16 {
        let found = self.texts.find(hash(text), text);
        found.and_then(|label| u16::try_from(label).ok()).unwrap_or(OTHERS)
    }

    /// The label's text for people.
    pub(crate) fn text(&self, label: u16) -> &str {
        match label.checked_sub(OTHERS) {
            None => self.texts.get(label.into()).unwrap_or_default(),
            Some(0) => "All others",
            Some(family) => self.families.text(family),
        }
    }

    /// The name of a label's family: its text with `#` in place of each number.
    pub(crate) fn family(&self, label: u16) -> String {
        let text = self.text(label);
        let name = if label > OTHERS { text.strip_suffix(families::OTHERS_OF_IT).unwrap_or(text) } else { text };
        String::from_utf8(family_of(name.as_bytes())).unwrap_or_default()
    }

    /// By label, the first one of its family; `None` for those that are alone. The label of those of a family that are not kept is of that
    /// family, too.
    pub(crate) fn firsts_of_families(&self) -> Vec<Option<u16>> {
        let mut places = Places::new();
        let labels = (0..self.count()).filter_map(|place| self.nth(place));
        let mut firsts: Vec<Option<u16>> =
            alloc::vec![None; labels.clone().next_back().map_or(0, |last| usize::from(last) + 1)];
        for label in labels.filter(|label| *label != OTHERS) {
            let family = self.family(label);
            let hash = hash(family.as_bytes());
            let Some(first) = places.find(hash, |first| self.family(first as u16) == family) else {
                places.insert(hash, label.into());
                continue;
            };
            for of in [first as usize, label.into()] {
                if let Some(of) = firsts.get_mut(of) {
                    *of = Some(first as u16);
                }
            }
        }
        firsts
    }

    pub(super) fn bytes_held(&self) -> usize {
        let chosen = if let KeptLabels::Heaviest { chosen, .. } = &self.kept { chosen.capacity() } else { 0 };
        self.texts.bytes_held() + self.families.bytes_held() + chosen * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn labels_with_long_texts_are_fewer() {
        let mut labels = Labels::default();
        let label = |at: usize| format!("{at} {}", "x".repeat(1000));
        let fitting = limits::SPAN_LABEL_BYTES / limits::MAX_TEXT;
        (0..fitting + 10).for_each(|at| labels.keep(format!("{at}").as_bytes()));
        let missed: Vec<(u32, u64)> = (0..limits::MAX_SPAN_LABELS)
            .map(|at| (labels.mark(label(at).as_bytes()).0, 1000 - at as u64 % 1000))
            .collect();
        assert!(labels.choose(|_| 0, &missed, (0, true)));
        let keep_all =
            |labels: &mut Labels| (0..limits::MAX_SPAN_LABELS).for_each(|at| labels.keep(label(at).as_bytes()));
        keep_all(&mut labels);
        assert!(labels.lacks_text());
        let weight = |place: u16| 1000 - u64::from(place) % 1000;
        let missed: Vec<(u32, u64)> = missed.into_iter().filter(|(label, _)| label & NOT_KEPT != 0).collect();
        assert!(labels.choose(weight, &missed, (0, true)));
        keep_all(&mut labels);
        assert!(!labels.lacks_text() && labels.find(label(0).as_bytes()) != OTHERS);
        assert!(!labels.choose(weight, &[], (0, true)));
    }

    /// Marks have 31 bits of a label's hash: of 100 000 labels, some have the same.
    #[test]
    fn two_labels_with_the_same_bits_cost_one_of_them_its_totals_only() {
        let mut seen = alloc::collections::BTreeMap::new();
        let [one, other] = (0..1_000_000u32)
            .find_map(|at| {
                let label = format!("user {at}");
                let before = seen.insert(not_kept(hash(label.as_bytes())), label.clone())?;
                Some([before, label])
            })
            .unwrap();
        let mut labels = Labels::default();
        let common = |at: usize| format!("common {at}");
        (0..=limits::MAX_SPAN_LABELS).for_each(|at| labels.keep(common(at).as_bytes()));
        let missed = [(labels.mark(one.as_bytes()).0, 5000)];
        assert!(labels.choose(|place| 1 + u64::from(place), &missed, (0, true)));
        for label in [&one, &other] {
            labels.keep(label.as_bytes());
        }
        (0..limits::MAX_SPAN_LABELS).for_each(|at| labels.keep(common(at).as_bytes()));
        // And one for all others, and one for others of their family.
        assert_eq!(labels.count(), limits::MAX_SPAN_LABELS + 2);
        assert!(!labels.choose(|_| 1, &[], (0, true)), "it is not gone through once more with fewer labels");
    }
}
