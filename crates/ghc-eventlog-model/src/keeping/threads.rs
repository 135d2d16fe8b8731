//! The threads of a log: one row each, as long as there is room; the heaviest if there are more (`heavy.rs`).

mod heavy;
mod numbers;
#[cfg(test)]
mod tests;

use crate::{
    keeping::{
        diagnostics::DiagnosticKind,
        store::{Event, Purpose, Store, Streams},
        texts::{TextId, Texts},
    },
    limits,
    terms::{numbering::Numbering, span::Moment, tags::Tags},
    trees::tree_bytes,
};
use alloc::{collections::BTreeMap, vec::Vec};
use ghc_eventlog::{CapNo, CreateThread, Nanos, Text, ThreadId, ThreadLabel};
use ghc_eventlog_text::LogText;
use heavy::Light;
pub use heavy::WithoutRow;
#[cfg(test)]
pub(crate) use numbers::BLOCK_BYTES;

/// What is known of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thread {
    /// Its number.
    pub id: ThreadId,
    /// The capability that created it; `None` if the log does not say.
    pub created_by: Option<CapNo>,
    created: Option<Moment>,
    /// When it finished, as far as its stops say.
    finished: Option<Moment>,
    /// Time spent running on capabilities.
    pub ran: Nanos,
    /// How often it was run.
    pub runs: u64,
    label: TextId,
    labelled: Nanos,
}

impl Thread {
    fn of(id: ThreadId) -> Self {
        let (label, labelled) = (TextId::default(), Nanos(0));
        Self { id, created_by: None, created: None, finished: None, ran: Nanos(0), runs: 0, label, labelled }
    }

    /// CREATE_THREAD; `None` if it is older than the log.
    #[must_use]
    pub fn created(&self) -> Option<Nanos> {
        // A capability but no time: the largest one, which only damage has, and a moment has no room for.
        self.created.map(Moment::time).or(self.created_by.map(|_| Nanos::MAX))
    }

    /// It ran until `end`, and finished then, or not.
    #[inline]
    fn ran_until(&mut self, end: Nanos, finished: bool) {
        match self.finished {
            None if !finished => {}
            before if finished => self.finished = Moment::at(end.max(before.map_or(Nanos(0), Moment::time))),
            // Its number is used twice in the file.
            Some(before) if before.time() < end => self.finished = None,
            _ => {}
        }
    }
}

/// All threads.
#[derive(Debug, Default)]
pub struct Threads {
    rows: Vec<Thread>,
    /// Rows by thread number, for small numbers, which nearly all are; `NONE` for no row, and `NEVER` if it will not get one, either.
    dense: Vec<u32>,
    sparse: BTreeMap<u32, u32>,
    texts: Texts,
    /// How the process numbers its threads whose events come next.
    pub(crate) numbering: Numbering,
    /// The threads without a row.
    light: Light,
    /// Whether the first pass is over, so that no row may move.
    is_fixed: bool,
}

const NONE: u32 = u32::MAX;
const NEVER: u32 = NONE - 1;

/// Whether the base library gives this label to one of its own threads (`GHC.Event.Thread`, `GHC.Event.Windows`): "IOManager on cap 0",
/// "IOManager", "IOManagerThread", "TimerManager". A spark evaluator is none of them: it runs the program's sparks.
fn is_label_of_runtime(label: &str) -> bool {
    matches!(label, "TimerManager" | "IOManager" | "IOManagerThread")
        || label.strip_prefix("IOManager on cap ").is_some_and(|cap| cap.bytes().all(|digit| digit.is_ascii_digit()))
}

impl Threads {
    /// The rows, in order of first appearance in the file.
    #[must_use]
    pub fn rows(&self) -> &[Thread] {
        &self.rows
    }

    /// A thread's row.
    #[must_use]
    pub fn get(&self, id: ThreadId) -> Option<&Thread> {
        self.rows.get(self.place(id)? as usize)
    }

    /// A thread's label; `None` if it has none.
    #[must_use]
    pub fn label(&self, id: ThreadId) -> Option<LogText<'_>> {
        self.label_text(id).map(LogText::from)
    }

    /// The same, for putting it together with other texts.
    pub(crate) fn label_text(&self, id: ThreadId) -> Option<&str> {
        Some(self.texts.get(self.get(id)?.label)).filter(|label| !label.is_empty())
    }

    /// The runtime's own threads, each with its place: those that wait for input, output and timers, as their labels say.
    pub(crate) fn of_runtime(&self) -> impl Iterator<Item = (usize, &Thread)> {
        self.rows.iter().enumerate().filter(|(_, thread)| self.is_of_runtime(thread))
    }

    /// Whether a thread is one of them.
    pub(crate) fn is_of_runtime(&self, thread: &Thread) -> bool {
        // Few threads have a label.
        thread.label.is_kept() && is_label_of_runtime(self.texts.get(thread.label))
    }

    /// How many labels were not kept, because all labels need more than [`limits::TEXT_BYTES`].
    #[must_use]
    pub fn labels_dropped(&self) -> u64 {
        self.texts.dropped
    }

    /// Whether something is cut out of the middle of some labels that are kept.
    #[must_use]
    pub fn are_labels_cut(&self) -> bool {
        self.rows.iter().any(|thread| thread.label.is_kept() && !thread.label.is_whole())
    }

    /// Whether there are more threads than [`limits::MAX_THREADS`]: rows are missing.
    #[must_use]
    pub fn is_capped(&self) -> bool {
        self.light.count() > 0
    }

    /// How many threads there were, including those without a row.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.rows.len() as u64 + self.light.count()
    }

    /// The largest number of a thread, without those that come from damage.
    pub(crate) fn largest(&self) -> u32 {
        let own = |id: &u32| *id < limits::LARGEST_THREAD.saturating_add(self.numbering.added);
        self.rows.iter().map(|thread| thread.id.0).filter(own).max().unwrap_or(0).max(self.light.largest)
    }

    fn created(&mut self, id: ThreadId, time: Nanos, by: Option<CapNo>) {
        // Blocks are in no order: the earliest counts.
        if let Some(thread) = self.row(id)
            && thread.created().is_none_or(|before| time < before)
        {
            (thread.created, thread.created_by) = (Moment::at(time), by);
        }
    }

    /// A thread ran for some time, until `end`, and finished then, or not.
    #[inline]
    pub(crate) fn ran(&mut self, id: ThreadId, time: Nanos, end: Nanos, finished: bool) {
        if let Some(thread) = self.row(id) {
            thread.ran = thread.ran.plus(time);
            thread.runs += 1;
            thread.ran_until(end, finished);
        }
    }

    /// Replaces a label, unless the current one is newer: labels may change, and blocks are in no order.
    fn labelled(&mut self, id: ThreadId, time: Nanos, label: Text<'_>) {
        self.forget_that_it_was_over(id);
        let Some(row) = self.row(id) else { return };
        if row.labelled > time {
            return;
        }
        row.labelled = time;
        let old = row.label;
        if self.texts.get(old).as_bytes() == label.0 {
            return;
        }
        if let Some(row) = self.row(id) {
            row.label = TextId::default();
        }
        self.texts.forget(old);
        // Its label was left out, and now it has one again.
        self.texts.dropped -= u64::from(old == TextId::GONE);
        if self.texts.wants_room_for(label.0) {
            self.shorten_labels();
        }
        if self.texts.is_full() {
            self.drop_light_labels();
        }
        let label = self.texts.keep(label);
        if let Some(row) = self.row(id) {
            row.label = label;
        }
    }

    /// The place of a thread's row, created if necessary; `None` if there are too many.
    #[inline(always)]
    pub(crate) fn place_of(&mut self, id: ThreadId) -> Option<usize> {
        // Nearly every thread has one already, and its number is small.
        match self.dense.get(id.0 as usize) {
            Some(&place) if place < NEVER => Some(place as usize),
            // Where most threads have no row, most events are about one of these.
            Some(&NEVER) => None,
            _ => self.search_place(id),
        }
    }

    #[cold]
    fn search_place(&mut self, id: ThreadId) -> Option<usize> {
        if self.row(id).is_none()
            && self.is_fixed
            && let Some(entry) = self.dense.get_mut(id.0 as usize)
        {
            *entry = NEVER;
        }
        self.known_place(id)
    }

    /// The place of a thread's row, if it has one.
    pub(crate) fn known_place(&self, id: ThreadId) -> Option<usize> {
        self.place(id).map(|place| place as usize)
    }

    #[inline]
    fn place(&self, id: ThreadId) -> Option<u32> {
        match self.dense.get(id.0 as usize) {
            Some(&place) => Some(place).filter(|place| *place < NEVER),
            None => self.sparse.get(&id.0).copied(),
        }
    }

    #[inline]
    fn row(&mut self, id: ThreadId) -> Option<&mut Thread> {
        let place = match self.place(id) {
            Some(place) => place,
            None => self.add(id)?,
        };
        self.rows.get_mut(place as usize)
    }

    #[cold]
    fn add(&mut self, id: ThreadId) -> Option<u32> {
        if !self.make_room_for(id) {
            return None;
        }
        self.light.remove(id);
        let place = self.rows.len() as u32;
        self.rows.push(Thread::of(id));
        if id.0 < limits::DENSE_THREADS {
            let at = id.0 as usize;
            if at >= self.dense.len() {
                self.dense.resize(at + 1, NONE);
            }
            if let Some(entry) = self.dense.get_mut(at) {
                *entry = place;
            }
        } else {
            self.sparse.insert(id.0, place);
        }
        Some(place)
    }
}

impl Store for Threads {
    const TAGS: Tags = Tags::of(&[CreateThread::TAG, ThreadLabel::TAG]);

    fn of(_: Purpose) -> Self {
        Self::default()
    }

    fn step(&mut self, event: Event<'_>) {
        let Event { tag, time, cap, payload, .. } = event;
        match tag {
            CreateThread::TAG => self.created(self.numbering.of(CreateThread::read(payload).thread), time, cap),
            ThreadLabel::TAG => {
                let ThreadLabel { thread, label } = ThreadLabel::read(payload);
                self.labelled(self.numbering.of(thread), time, label);
            }
            _ => {}
        }
    }

    fn finish(&mut self, _: Streams<'_>) {
        self.fix();
    }

    fn bytes_held(&self) -> usize {
        let places = self.dense.capacity() * size_of::<u32>() + tree_bytes::<u32, u32>(self.sparse.len());
        self.rows.capacity() * size_of::<Thread>() + places + self.texts.bytes_held() + self.light.bytes_held()
    }

    fn remarks(&self) -> Vec<DiagnosticKind> {
        let dropped = self.labels_dropped();
        let capped = self.without_row().map(DiagnosticKind::TooManyThreads);
        capped.into_iter().chain((dropped > 0).then_some(DiagnosticKind::TooManyLabels(dropped))).collect()
    }
}
