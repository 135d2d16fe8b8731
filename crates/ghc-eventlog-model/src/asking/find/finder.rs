//! A query that is prepared for a log: what an event's type alone decides is decided once for each type.

use super::{
    digits::{InNumbers, NecessaryDigits, NumberSizes},
    hit::HitKind,
    in_texts::{WordInTexts, WordsInTexts},
    sentences::{has_text, words},
};
use crate::{
    asking::query::{Query, Test, ThreadTest, pattern::Pattern, types::NamedTypes},
    keeping::occurring::TagSet,
    known::Known,
    reading::model::Model,
    sorting::sort_by_number,
};
use alloc::{string::String, vec::Vec};
use ghc_eventlog::{CapNo, Header, Nanos, StopThread, ThreadId, ThreadLabel, info};

/// What is decided of all events of a type, or of all spans of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::asking) enum Verdict {
    Never,
    Maybe,
    Always,
}

impl Verdict {
    fn of(is: bool) -> Self {
        if is { Self::Always } else { Self::Never }
    }

    fn if_not(self, is: bool) -> Self {
        match self {
            Self::Always if is => Self::Never,
            Self::Never if is => Self::Always,
            verdict => verdict,
        }
    }

    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Never, _) | (_, Self::Never) => Self::Never,
            (Self::Always, Self::Always) => Self::Always,
            _ => Self::Maybe,
        }
    }
}

/// A test that is prepared for a log.
#[derive(Debug, Clone)]
pub(super) enum Prepared {
    Types(NamedTypes),
    Cap(CapNo),
    From(Nanos),
    To(Nanos),
    Longer(Nanos),
    Shorter(Nanos),
    Thread(ThreadId),
    /// By a thread's place: whether it is one of them.
    Threads(Vec<bool>),
    Label(Pattern),
    Field(String, Pattern),
    Said(Pattern),
    Text(Pattern),
}

impl Prepared {
    /// How much time it takes, compared with the others.
    fn cost(&self) -> u8 {
        match self {
            Self::Types(_) | Self::Cap(_) | Self::From(_) | Self::To(_) | Self::Longer(_) | Self::Shorter(_) => 0,
            Self::Thread(_) | Self::Threads(_) => 1,
            Self::Label(_) | Self::Field(..) | Self::Said(_) => 2,
            Self::Text(_) => 3,
        }
    }
}

/// A query that is prepared for a log.
#[derive(Debug, Clone)]
pub(in crate::asking) struct Finder {
    pub(super) tests: Vec<(bool, Prepared)>,
    pub(super) digits: NecessaryDigits,
    pub(super) in_texts: WordsInTexts,
    /// For each type below 256.
    events: Vec<EventPlan>,
    /// By [`HitKind::place`].
    kinds: [Verdict; HitKind::ALL.len()],
}

/// What is known of events of a type.
#[derive(Debug, Clone, Copy)]
pub(in crate::asking) struct EventPlan {
    pub(in crate::asking) verdict: Verdict,
    /// Whether it has a field that names a thread.
    pub(super) names_thread: bool,
    /// The digits that its numbers must have.
    pub(super) in_numbers: InNumbers,
    pub(super) sizes: NumberSizes,
    /// The word that its bytes must have.
    pub(super) in_texts: Option<WordInTexts>,
}

impl Finder {
    /// Whether what is found depends on them.
    pub(super) fn asks_for_labels_of_threads(&self) -> bool {
        self.tests.iter().any(|(_, test)| matches!(test, Prepared::Threads(_) | Prepared::Label(_)))
    }

    /// Whether the spans of the program that are found depend on their labels.
    pub(super) fn asks_for_labels_of_spans(&self) -> bool {
        self.tests.iter().any(|(_, test)| matches!(test, Prepared::Label(_) | Prepared::Text(_)))
    }

    pub(in crate::asking) fn new(query: &Query, events_only: bool, model: &Model) -> Self {
        let known = &model.known;
        let first = known.extent().map_or(Nanos(0), |(first, _)| first);
        let prepared = |test: &Test| match test {
            Test::Text(pattern) => Prepared::Text(pattern.clone()),
            Test::Said(pattern) => Prepared::Said(pattern.clone()),
            Test::Type(name, _) => Prepared::Types(name.types(Some(known))),
            Test::Thread(ThreadTest::Number(thread)) => Prepared::Thread(*thread),
            Test::Thread(ThreadTest::Label(pattern)) => Prepared::Threads(labelled(known, pattern)),
            Test::Cap(cap) => Prepared::Cap(*cap),
            Test::Label(pattern) => Prepared::Label(pattern.clone()),
            Test::Longer(least) => Prepared::Longer(*least),
            Test::Shorter(most) => Prepared::Shorter(*most),
            Test::From(time) => Prepared::From(time.at(first)),
            Test::To(time) => Prepared::To(time.at(first)),
            Test::Field(name, pattern) => Prepared::Field(name.clone(), pattern.clone()),
        };
        let tests = query.conditions.iter().map(|condition| (condition.holds, prepared(&condition.test)));
        let mut tests: Vec<(bool, Prepared)> = tests.collect();
        sort_by_number(&mut tests, |(_, test)| test.cost().into());
        let headers: Vec<&Header> = model.decoder.headers().collect();
        let digits = NecessaryDigits::new(tests.iter().filter(|(holds, _)| *holds).map(|(_, test)| test));
        let mut in_texts = WordsInTexts::default();
        let has_texts = tests.iter().any(|(_, test)| matches!(test, Prepared::Text(_)));
        let mut event = |tag: u16| {
            let words = if has_texts { words(tag, &headers) } else { None };
            let in_numbers = words.as_deref().map_or(0, |words| digits.in_numbers(tag, words));
            EventPlan {
                verdict: verdict(&tests, |test| of_event(test, tag, words.as_deref())),
                names_thread: names_thread(tag),
                in_numbers,
                sizes: info(tag).map_or_else(NumberSizes::default, NumberSizes::of),
                in_texts: in_texts.add_for(
                    tag,
                    tests.iter().filter(|(holds, _)| *holds).map(|(_, test)| test),
                    &headers,
                ),
            }
        };
        let events = (0..256).map(&mut event).collect();
        let kinds = HitKind::ALL.map(|kind| match kind.is_span() && !events_only {
            true => verdict(&tests, |test| of_span(test, kind)),
            false => Verdict::Never,
        });
        Self { tests, digits, in_texts, events, kinds }
    }

    /// What is known of events of a type. A log may have more types of its own than are looked at one by one.
    #[inline]
    pub(in crate::asking) fn plan(&self, tag: u16) -> EventPlan {
        self.events.get(usize::from(tag)).copied().unwrap_or_else(|| {
            let verdict = verdict(&self.tests, |test| of_event(test, tag, None));
            EventPlan { verdict, names_thread: false, in_numbers: 0, sizes: NumberSizes::default(), in_texts: None }
        })
    }

    /// Whether it finds spans of a kind.
    pub(super) fn finds(&self, kind: HitKind) -> bool {
        self.kinds.get(kind.place()).is_some_and(|verdict| *verdict != Verdict::Never)
    }

    /// Whether it finds events.
    pub(super) fn finds_events(&self) -> bool {
        self.found_tags().next().is_some()
    }

    /// The types whose events it finds.
    pub(super) fn tags(&self) -> TagSet {
        self.found_tags().collect()
    }

    /// Each of them below 256; the largest number stands for all others.
    fn found_tags(&self) -> impl Iterator<Item = u16> {
        (0..256).chain([u16::MAX]).filter(|tag| self.plan(*tag).verdict != Verdict::Never)
    }

    /// The types that name threads whose events it finds, besides begins and ends of runs.
    pub(super) fn tags_of_threads(&self) -> TagSet {
        let is_run = |tag: u16| matches!(tag, ghc_eventlog::RunThread::TAG | StopThread::TAG);
        let finds = |tag: &u16| self.plan(*tag).verdict != Verdict::Never && self.plan(*tag).names_thread;
        (0..256).filter(|tag| finds(tag) && !is_run(*tag)).collect()
    }

    /// The tests that must hold.
    pub(super) fn required(&self) -> impl Iterator<Item = &Prepared> {
        self.tests.iter().filter(|(holds, _)| *holds).map(|(_, test)| test)
    }

    /// How long a span must be at least.
    pub(super) fn least_length(&self) -> Option<Nanos> {
        let longer =
            self.required().filter_map(|test| if let Prepared::Longer(least) = test { Some(*least) } else { None });
        longer.max()
    }

    /// The time in which hits may be: from a time on, and before another.
    pub(super) fn times(&self) -> (Nanos, Nanos) {
        self.required().fold((Nanos(0), Nanos::MAX), |(from, to), test| match test {
            Prepared::From(time) => (from.max(*time), to),
            Prepared::To(time) => (from, to.min(*time)),
            _ => (from, to),
        })
    }

    /// Whether tags of the program's spans may decide.
    pub(super) fn reads_tags(&self) -> bool {
        self.tests.iter().any(|(_, test)| matches!(test, Prepared::Text(_) | Prepared::Field(..)))
    }
}

/// Whether events of a type have a field that names a thread.
pub(in crate::asking) fn names_thread(tag: u16) -> bool {
    info(tag).is_some_and(|info| info.fields.contains(&"thread"))
}

fn verdict(tests: &[(bool, Prepared)], of: impl Fn(&Prepared) -> Verdict) -> Verdict {
    tests.iter().fold(Verdict::Always, |all, (holds, test)| all.and(of(test).if_not(!holds)))
}

/// What a test says of all events of a type. `words`: their texts without the numbers, if those have nothing else that varies.
fn of_event(test: &Prepared, tag: u16, words: Option<&str>) -> Verdict {
    let info = info(tag);
    let has_field = |is_one: &dyn Fn(&&&str) -> bool| {
        // An event in another form than GHC's has no names for its fields.
        if info.is_some_and(|info| info.fields.iter().any(|name| is_one(&name))) {
            Verdict::Maybe
        } else {
            Verdict::Never
        }
    };
    match test {
        Prepared::Types(types) => Verdict::of(types.has(tag)),
        Prepared::Longer(_) | Prepared::Shorter(_) => Verdict::Never,
        Prepared::Label(_) if tag != ThreadLabel::TAG => Verdict::Never,
        Prepared::Said(_) if info.is_some_and(|info| !has_text(info)) => Verdict::Never,
        Prepared::Field(name, _) => has_field(&|field| **field == name),
        Prepared::Text(pattern) if words.is_some_and(|words| !pattern.may_be_in(words)) => Verdict::Never,
        _ => Verdict::Maybe,
    }
}

/// What a test says of all spans of a kind.
fn of_span(test: &Prepared, kind: HitKind) -> Verdict {
    match test {
        Prepared::Types(types) => Verdict::of(types.kinds.contains(&kind)),
        // A collection has no thread, and a span of the program may move from one capability to another.
        Prepared::Thread(_) | Prepared::Threads(_) if kind == HitKind::Collection => Verdict::Never,
        Prepared::Cap(_) if kind == HitKind::Span => Verdict::Never,
        Prepared::Label(_) if kind == HitKind::Collection => Verdict::Never,
        Prepared::Text(_) | Prepared::Field(..) if kind != HitKind::Span => Verdict::Never,
        Prepared::Said(_) => Verdict::Never,
        _ => Verdict::Maybe,
    }
}

/// By a thread's place: whether its label matches a pattern.
fn labelled(known: &Known, pattern: &Pattern) -> Vec<bool> {
    let threads = &known.stores.threads;
    let label = |thread: ThreadId| threads.label_text(thread).is_some_and(|label| pattern.matches(label.as_bytes()));
    threads.rows().iter().map(|thread| label(thread.id)).collect()
}
