//! What `type:` names: types of events by GHC's names, groups of them, and kinds of spans.

use super::pattern::Pattern;
use crate::{asking::find::hit::HitKind, known::Known, sorting::sort_by_number, terms::small_letters::small_letters};
use alloc::{string::String, vec::Vec};
use ghc_eventlog::{EVENTS, LogMsg, UserBinaryMsg, UserMarker, UserMsg};

/// Names of several types of events, for people: those whose names begin with a word, and others.
struct Grouped {
    name: &'static str,
    about: &'static str,
    begins: &'static [&'static str],
    tags: &'static [u16],
}

const GROUPED: &[Grouped] = &[
    of("message", "messages of the program and the runtime", &[], &[LogMsg::TAG, UserMsg::TAG, UserBinaryMsg::TAG]),
    of("marker", "markers of the program", &[], &[UserMarker::TAG]),
    of(
        "thread",
        "what happens to threads",
        &["CREATE_THREAD", "RUN_THREAD", "STOP_THREAD", "THREAD_", "MIGRATE_THREAD"],
        &[],
    ),
    of("spark", "what happens to sparks", &["SPARK_", "CREATE_SPARK", "RUN_SPARK", "STEAL_SPARK"], &[]),
    of("cap", "what happens to capabilities", &["CAP_"], &[]),
    of("task", "what happens to the runtime's OS threads", &["TASK_"], &[]),
    of(
        "heap",
        "sizes of the heap",
        &["HEAP_ALLOCATED", "HEAP_SIZE", "HEAP_LIVE", "HEAP_INFO", "BLOCKS_SIZE", "MEM_RETURN"],
        &[],
    ),
    of("profile", "samples of profiles, and what they are about", &["HEAP_PROF_", "HEAP_BIO_", "PROF_", "IPE"], &[]),
];

const fn of(name: &'static str, about: &'static str, begins: &'static [&'static str], tags: &'static [u16]) -> Grouped {
    Grouped { name, about, begins, tags }
}

/// What a `type:` names.
#[derive(Debug, Clone)]
pub(crate) struct TypeName {
    /// As it was written.
    pub(crate) text: String,
    pattern: Pattern,
}

/// The types of events and kinds of spans that a name is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NamedTypes {
    /// In order.
    pub(crate) tags: Vec<u16>,
    pub(crate) kinds: Vec<HitKind>,
}

impl NamedTypes {
    pub(crate) fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.kinds.is_empty()
    }

    pub(crate) fn has(&self, tag: u16) -> bool {
        self.tags.binary_search(&tag).is_ok()
    }
}

impl TypeName {
    pub(crate) fn new(text: &str) -> Self {
        // GHC's names are in capitals; queries need not be.
        Self { text: text.into(), pattern: Pattern::glob(&small_letters(text)).whole() }
    }

    pub(crate) fn matches(&self, name: &str) -> bool {
        self.pattern.matches(name.as_bytes())
    }

    /// What it is for, in a log or in any; a log may have types of its own.
    pub(crate) fn types(&self, known: Option<&Known>) -> NamedTypes {
        let kinds = HitKind::ALL
            .into_iter()
            .filter(|kind| kind.query_word().is_some_and(|key| self.text.eq_ignore_ascii_case(key)));
        let kinds: Vec<HitKind> = kinds.collect();
        let grouped = GROUPED.iter().find(|grouped| self.text.eq_ignore_ascii_case(grouped.name));
        let names = |tag: u16, name: &str| match grouped {
            Some(grouped) => grouped.has(tag, name),
            None => self.matches(name),
        };
        // GC, run and span name kinds of spans, and no types of events.
        let is_kind = !kinds.is_empty();
        let ghcs = EVENTS.iter().filter(|info| !is_kind && names(info.tag, info.name)).map(|info| info.tag);
        let own = known.into_iter().flat_map(|known| known.counts.iter());
        let own = own.filter_map(|(tag, _)| {
            let name = known?.type_name(tag);
            (!is_kind && names(tag, name.for_comparing())).then_some(tag)
        });
        let mut tags: Vec<u16> = ghcs.chain(own).collect();
        sort_by_number(&mut tags, |tag| u64::from(*tag));
        tags.dedup();
        NamedTypes { tags, kinds }
    }
}

impl Grouped {
    fn has(&self, tag: u16, name: &str) -> bool {
        self.tags.contains(&tag) || self.begins.iter().any(|begin| name.starts_with(begin))
    }
}

/// The names that stand for several types, and those of spans: each with what it is for.
pub(crate) fn words() -> impl Iterator<Item = (&'static str, &'static str)> {
    let kinds = HitKind::ALL.into_iter().filter_map(|kind| Some((kind.query_word()?, kind.title())));
    kinds.chain(GROUPED.iter().map(|grouped| (grouped.name, grouped.about)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ghc_eventlog::{GcEnd, GcStart, StopThread, ThreadLabel};

    fn types(text: &str) -> NamedTypes {
        TypeName::new(text).types(None)
    }

    #[test]
    fn names_are_those_of_ghc_or_of_groups() {
        assert_eq!(types("gc_start"), NamedTypes { tags: [GcStart::TAG].into(), kinds: Vec::new() });
        assert_eq!(types("GC"), NamedTypes { tags: Vec::new(), kinds: [HitKind::Collection].into() });
        assert!(types("GC_*").has(GcEnd::TAG) && !types("GC_*").has(StopThread::TAG));
        assert_eq!(types("message").tags, [LogMsg::TAG, UserMsg::TAG, UserBinaryMsg::TAG]);
        assert!(types("thread").has(ThreadLabel::TAG) && types("Thread").has(StopThread::TAG));
        assert!(types("nothing").is_empty());
    }

    /// A group whose types are called otherwise now would be empty.
    #[test]
    fn every_word_begins_a_name() {
        for begin in GROUPED.iter().flat_map(|grouped| grouped.begins) {
            assert!(EVENTS.iter().any(|info| info.name.starts_with(begin)), "{begin}");
        }
        assert!(words().all(|(word, _)| !types(word).is_empty()));
    }
}
