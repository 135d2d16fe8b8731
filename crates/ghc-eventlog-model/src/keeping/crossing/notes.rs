//! What the program says of its spans: tags, instants, and the numbers that connect them with other processes' spans.
//!
//! ```text
//! span a   |--File=A.hs----retry=1---|      notes of a:  retry=1 -> File=A.hs
//! span b          |--File=B.hs--|           notes of b:  File=B.hs
//! kept     File=A.hs  File=B.hs  retry=1    in the order in which they came
//! ```
//!
//! When there is no more room, the shorter half of the spans that have notes loses them: a span has all of its notes, or none.

use super::{
    marks::{Mark, NoteKind},
    spans::{kept::KeptSpans, span::UserSpan},
};
use crate::{limits, sorting::sort};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

/// Something that is said of a span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SpanNote {
    pub(crate) time: Nanos,
    /// Where the message is in the file; or the number, for a kind that has no text.
    pub(crate) at: u64,
    /// The place of its text; [`NOWHERE`](super::marks::NOWHERE) if it is not kept.
    pub(crate) text: u32,
    /// What was said before of the same span.
    before: NoteChain,
    pub(crate) kind: NoteKind,
}

/// The notes of a span: the last one, from which each leads to the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NoteChain(u32);

impl NoteChain {
    /// Of a span of which nothing is said.
    pub(crate) const NONE: Self = Self(u32::MAX);
    /// Of a span whose notes are not kept.
    pub(crate) const LOST: Self = Self(u32::MAX - 1);

    fn has_any(self) -> bool {
        self.0 < Self::LOST.0
    }
}

/// The notes of all spans.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    kept: Vec<SpanNote>,
    /// Notes of spans that are not open.
    pub(crate) unattached: u64,
    /// Notes that were not kept although their span was open, and whether spans lost theirs.
    beyond: u64,
    /// A bit for each kind that has come.
    kinds: u8,
    are_lost: bool,
}

impl Notes {
    /// Notes something of an open span.
    pub(crate) fn add(&mut self, chain: &mut NoteChain, mark: &Mark, kind: NoteKind, time: Nanos) {
        if *chain == NoteChain::LOST || self.kept.len() >= limits::MAX_NOTES {
            self.beyond += 1;
            return;
        }
        self.kinds |= 1 << kind as u8;
        self.kept.push(SpanNote { time, at: mark.key, text: mark.place, before: *chain, kind });
        *chain = NoteChain(self.kept.len() as u32 - 1);
    }

    /// Whether room must be made for more. Where that did not help much, it is tried again only after many more notes.
    pub(crate) fn needs_room(&self) -> bool {
        self.kept.len() >= limits::MAX_NOTES && self.beyond.is_multiple_of(limits::MAX_NOTES as u64 / 4)
    }

    /// Makes room: drops the notes of spans that are not kept any more; if that is not enough, those of the shorter half of
    /// the spans that have any.
    pub(crate) fn make_room<'c>(&mut self, rows: &mut KeptSpans, open: impl Iterator<Item = &'c mut NoteChain>) {
        let all = core::mem::take(&mut self.kept);
        let mut open: Vec<&mut NoteChain> = open.collect();
        let count = |chain: NoteChain| each(&all, chain).count();
        let of_open: usize = open.iter().map(|chain| count(**chain)).sum();
        let of_rows: usize = rows.all().map(|span| count(span.notes)).sum();
        let key = |span: &UserSpan| (span.length(), span.start);
        let mut longest = None;
        if of_open + of_rows > limits::MAX_NOTES / 4 * 3 {
            let mut lengths: Vec<_> = rows.all().filter(|span| span.notes.has_any()).map(key).collect();
            sort(&mut lengths);
            longest = lengths.get(lengths.len() / 2).copied();
        }
        for chain in &mut open {
            **chain = self.copy(&all, **chain);
        }
        rows.each_mut(|span| {
            let is_short = longest.is_some_and(|longest| key(span) <= longest);
            span.notes = match span.notes.has_any() {
                true if is_short => NoteChain::LOST,
                true => self.copy(&all, span.notes),
                false => span.notes,
            };
            self.are_lost |= span.notes == NoteChain::LOST;
        });
        if self.kept.len() >= limits::MAX_NOTES {
            self.beyond += 1;
        }
    }

    /// Copies the notes of a span from a list of all.
    fn copy(&mut self, all: &[SpanNote], chain: NoteChain) -> NoteChain {
        let notes: Vec<SpanNote> = each(all, chain).copied().collect();
        notes.into_iter().rev().fold(if chain.has_any() { NoteChain::NONE } else { chain }, |before, note| {
            self.kept.push(SpanNote { before, ..note });
            NoteChain(self.kept.len() as u32 - 1)
        })
    }

    /// What was said of a span, the last first.
    pub(crate) fn of(&self, span: &UserSpan) -> impl Iterator<Item = &SpanNote> {
        each(&self.kept, span.notes)
    }

    /// Whether anything of a kind was said of any span.
    pub(crate) fn has(&self, kind: NoteKind) -> bool {
        self.kinds & 1 << kind as u8 != 0
    }

    /// Whether anything was said of any span.
    pub(crate) fn has_any(&self) -> bool {
        self.kinds != 0
    }

    /// Whether some are not kept.
    pub(crate) fn are_too_many(&self) -> bool {
        self.are_lost || self.beyond > 0
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.kept.capacity() * size_of::<SpanNote>()
    }
}

/// The notes of a chain in a list of all. Each leads to an earlier one, so there is an end.
fn each(all: &[SpanNote], chain: NoteChain) -> impl Iterator<Item = &SpanNote> {
    let note = |chain: NoteChain| all.get(chain.0 as usize);
    core::iter::successors(note(chain), move |last| note(last.before))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ghc_eventlog::ThreadId;

    fn noted(notes: &mut Notes, number: u64, times: u64) -> NoteChain {
        let mut chain = NoteChain::NONE;
        for at in 0..times {
            let mark = Mark { key: number, ..Mark::default() };
            notes.add(&mut chain, &mark, NoteKind::Tag, Nanos(at));
        }
        chain
    }

    fn said(notes: &Notes, span: &UserSpan) -> Vec<(u64, u64)> {
        notes.of(span).map(|note| (note.at, note.time.0)).collect()
    }

    #[test]
    fn the_longer_spans_keep_their_notes() {
        let (mut notes, mut rows) = (Notes::default(), KeptSpans::new(Nanos(0), Nanos(1 << 30)));
        let spans = limits::MAX_NOTES as u64 / 2;
        for at in 0..spans {
            let mut span = UserSpan::of(ThreadId(1), at, at + 10 + at * 7919 % 5003);
            span.notes = noted(&mut notes, at, 2);
            rows.push(span, Nanos(0), &|_| Nanos(0));
        }
        assert!(notes.needs_room() && !notes.are_too_many());
        let mut open = [NoteChain::NONE];
        notes.make_room(&mut rows, open.iter_mut());
        let kept: Vec<_> = rows.kept().iter().filter(|span| span.notes.has_any()).collect();
        let most_lost = rows.kept().iter().filter(|span| !span.notes.has_any()).map(|span| span.length().0).max();
        assert!(kept.iter().all(|span| Some(span.length().0) >= most_lost));
        assert!(kept.iter().all(|span| said(&notes, span) == [(span.start.0, 1), (span.start.0, 0)]));
        assert_eq!(kept.len() as u64, spans - spans / 2 - 1);
        assert!(!notes.needs_room() && notes.are_too_many());
        notes.add(&mut open[0], &Mark::default(), NoteKind::Instant, Nanos(7));
        assert!(notes.kept.len() <= limits::MAX_NOTES);
    }

    #[test]
    fn notes_of_one_open_span_are_bounded() {
        let (mut notes, mut rows) = (Notes::default(), KeptSpans::new(Nanos(0), Nanos(1 << 30)));
        let mut chain = NoteChain::NONE;
        let mut made = 0;
        for at in 0..limits::MAX_NOTES as u64 * 3 {
            if notes.needs_room() {
                made += 1;
                notes.make_room(&mut rows, core::iter::once(&mut chain));
            }
            notes.add(&mut chain, &Mark::default(), NoteKind::Tag, Nanos(at));
        }
        assert_eq!((notes.kept.len(), notes.are_too_many()), (limits::MAX_NOTES, true));
        assert!(made < 20, "{made}");
    }
}
