//! What the events are turned into, one after the other, in file order.

mod cutting;
mod route;

use crate::{
    keeping::{
        counts::Counts,
        diagnostics::{DiagnosticKind, Diagnostics},
        lives::Lives,
        messages::Messages,
        others::Others,
        process::Process,
        sorted::Sorted,
        tasks::Tasks,
        threads::Threads,
    },
    known::{
        caps::{CapEvents, Caps},
        details::Details,
        index::{Entry, Index},
    },
    limits,
    profiles::Profiles,
    reading::{
        first_pass::{FirstPass, Keeping},
        preview::Preview,
    },
    replay::{Replayed, at_hand::AtHand, rows::ThreadRows, spans::SpanRows},
    terms::{
        machine::{Dialect, Sink},
        sample::Sample,
        tags::Tags,
    },
    tracks::Machines,
};
use alloc::{
    format,
    string::{String, ToString},
};
use core::ops::ControlFlow;
use cutting::OpenSegment;
use ghc_eventlog::{
    BlockMarker, CapDisable, CapNo, Chunk, Decoder, Header, HeapInfo, Nanos, Notice, NoticeKind, Position, Record, info,
};
use ghc_eventlog_text::LogText;
use route::Route;

/// All that the events have been turned into.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) keeping: Keeping,
    pub(crate) index: Index,
    pub(crate) details: Details,
    pub(crate) caps: Caps,
    pub(crate) process: Process,
    pub(crate) preview: Preview,
    pub(crate) counts: Counts,
    /// The events that are kept one by one.
    pub(crate) others: Others,
    pub(crate) messages: Messages,
    pub(crate) profiles: Profiles,
    /// What was found by going through the log in order of time, once that has been begun.
    pub(crate) replayed: Option<Replayed>,
    /// How somebody wants the rows of threads to stand.
    pub(crate) thread_rows: ThreadRows,
    /// What the rows of spans are for, as the reader has asked for.
    pub(crate) span_rows: SpanRows,
    /// The label of the spans that the reader wants to know more of.
    pub(crate) chosen_label: Option<String>,
    /// What happens to threads where somebody looks closely.
    pub(crate) at_hand: AtHand,
    /// What the headers that have been read call the events that are not known: see [`Self::type_name`].
    described: Sorted<u16, String>,
    /// Whether a header that has been read says that capabilities can be disabled.
    disables: bool,
    /// How many bytes of the log have been fed: by these, and no more, it was decided what is an event.
    pub(crate) fed: u64,
    /// Whether the log's end is missing, as far as has been read.
    incomplete: bool,
    finished: bool,
    /// Whether bytes of the log were lost, as far as has been read.
    has_losses: bool,
    dialect: Dialect,
    /// The stream of the open block; none when there are too many.
    current: usize,
    /// The same, once the open segment has an entry of it.
    entered: usize,
    /// Where the open block ends, by its marker, in bytes from the start of the file.
    block_end: u64,
    /// How many losses there have been that may have been of any capability.
    losses: u64,
    /// When the open block was closed. It tells how long its stream lasted once all of it has been read.
    closing: Nanos,
    open: OpenSegment,
}

/// No stream.
const NONE: usize = usize::MAX;

/// The events that tell of the process and its threads: see [`Session::facts`].
const FACTS: Tags = Threads::TAGS.with(Process::TAGS).with(Tasks::TAGS).with(Lives::TAGS);

impl Session {
    pub(crate) fn new(decoder: &Decoder, log_bytes: Option<u64>) -> Self {
        Self::with(decoder, Keeping::new(log_bytes), Others::default())
    }

    /// Without what is only drawn.
    pub(crate) fn of_figures(decoder: &Decoder) -> Self {
        Self::with(decoder, Keeping::of_figures(), Others::of_figures())
    }

    fn with(decoder: &Decoder, keeping: Keeping, others: Others) -> Self {
        Self {
            keeping,
            index: Index::default(),
            details: Details::default(),
            caps: Caps::new(),
            process: Process::default(),
            preview: Preview::default(),
            counts: Counts::default(),
            others,
            messages: Messages::default(),
            profiles: Profiles::default(),
            replayed: None,
            thread_rows: ThreadRows::default(),
            span_rows: SpanRows::default(),
            chosen_label: None,
            at_hand: AtHand::default(),
            disables: false,
            described: Sorted::default(),
            fed: 0,
            incomplete: false,
            finished: false,
            has_losses: false,
            dialect: Dialect::of(decoder.header(), true),
            current: 0,
            entered: NONE,
            block_end: 0,
            losses: 0,
            closing: Nanos(0),
            open: OpenSegment::at(decoder.position()),
        }
    }

    /// Whether the log is over, or is not to be read further.
    pub(crate) fn is_finished(&self) -> bool {
        self.finished
    }

    /// Whether all that the program has logged is there: what is missing then was not logged.
    pub(crate) fn is_whole(&self) -> bool {
        self.finished && !self.incomplete
    }

    /// Whether bytes of the log were lost, as far as has been read: they may have been of any capability, at any time.
    pub(crate) fn has_losses(&self) -> bool {
        self.has_losses
    }

    pub(crate) fn dialect(&self) -> Dialect {
        self.dialect
    }

    pub(crate) fn tell(&mut self, kind: DiagnosticKind) {
        self.incomplete |= kind.is_end_missing();
        if let DiagnosticKind::Decoder(notice) = kind
            && let Some(to) = lost_up_to(notice)
        {
            self.lost(to);
        }
        // Of the block that is open: other capabilities' events may be much later.
        let here = self.caps.streams.get(self.current).and_then(CapEvents::times);
        // There may be millions of them, and a thousand streams to ask otherwise.
        let extent = || if self.keeping.diagnostics.is_full() { None } else { self.extent() };
        let time = here.or_else(extent).map(|(_, last)| last);
        self.keeping.diagnostics.add(kind, time);
    }

    /// Bytes were lost up to an offset: events of the open block, and if it ended before, of any capability. They see to it
    /// when they go on: there may be a thousand of them, and millions of losses.
    #[cold]
    fn lost(&mut self, to: u64) {
        self.leave();
        self.has_losses = true;
        self.losses += u64::from(to > self.block_end);
        if let Some(stream) = self.caps.streams.get_mut(self.current) {
            stream.lost = true;
        }
    }

    /// A header was read: the first, or that of a further stream, in which every machine begins anew.
    pub(crate) fn header(&mut self, decoder: &Decoder) {
        self.describe(decoder.header());
        self.dialect = Dialect::of(decoder.header(), self.dialect.one_capability);
        self.end_streams(decoder.position());
        self.profiles.end_stream();
        self.keeping.lives.end_stream(self.extent().map_or(Nanos(0), |(_, last)| last));
    }

    /// Keeps what a header calls those events that are not known, as far as there may be rows of them.
    fn describe(&mut self, header: &Header) {
        self.disables |= header.declared(CapDisable::TAG).is_some();
        for tag in header.types().iter().map(|declared| declared.tag).filter(|tag| info(*tag).is_none()) {
            // A type may be declared twice; and the first header to name it does so for good.
            let text = header.declared(tag).map_or("", |declared| &*declared.description);
            let text = text.get(..text.floor_char_boundary(limits::MAX_TEXT)).unwrap_or_default();
            if !text.is_empty() && self.described.len() < limits::MAX_COUNTED_TAGS {
                self.described.get_or(tag, || text.to_string());
            }
        }
    }

    /// What people call the events of a number: GHC's name for them, or else what the first header says that names them.
    pub(crate) fn type_name(&self, tag: u16) -> LogText<'static> {
        let described = || self.described.get(&tag).map(String::as_str);
        let name = info(tag).map(|info| info.name).or_else(described);
        name.map_or_else(|| format!("type {tag}").into(), |name| LogText::from(name).into_owned())
    }

    /// The bytes that the session holds itself.
    pub(crate) fn bytes_held(&self) -> usize {
        let texts: usize = self.described.values().map(String::capacity).sum();
        let described = texts + self.described.bytes_held();
        described + self.open.entries.capacity() * size_of::<(usize, Entry)>()
    }

    /// All has been read of the streams that were begun; what comes next begins at `next`.
    fn end_streams(&mut self, next: Position) {
        let end = self.extent().map_or(Nanos(0), |(_, last)| last);
        for stream in self.caps.streams.iter_mut().filter(|stream| stream.begun) {
            // A time beyond that of all events is a false one; and what was lost at the end may have been anything.
            if !stream.has_lost(self.losses) {
                stream.last = stream.last.max(stream.closed.min(end));
            }
        }
        self.cut(next);
        for (at, stream) in self.caps.streams.iter().enumerate() {
            self.index.extend(at, stream.last);
        }
        self.close_spans();
        self.keeping.spark_runs.forget();
    }

    /// The smallest and the largest time of all events.
    pub(crate) fn extent(&self) -> Option<(Nanos, Nanos)> {
        let times = self.caps.streams.iter().filter_map(CapEvents::times);
        times.reduce(|(first, last), (from, to)| (first.min(from), last.max(to)))
    }

    /// Takes the plain records ahead, as far as they are of one block and one segment.
    #[inline(never)]
    pub(crate) fn run(&mut self, decoder: &mut Decoder, chunk: Chunk<'_>) {
        loop {
            let Self { caps, keeping, counts, others, messages, profiles, dialect, open, entered, .. } = self;
            let Some(stream) = caps.streams.get_mut(*entered) else { return };
            let CapEvents { machines, series, sums, last, .. } = stream;
            let (dialect, series, stream) = (*dialect, *series, *entered);
            let mut sink = FirstPass::of(keeping, stream, series, sums, &mut open.seen);
            let (before, mut aside) = (decoder.offset(), None);
            decoder.each_plain(chunk, open.cut_within_from, |record| {
                counts.count(record.tag);
                let mut goes_on = record.time >= *last;
                let route = Route::of(&record);
                if route == Route::LANE {
                    machines.step_lane(record, dialect, &mut sink);
                } else {
                    let Record { offset, time, tag, cap, payload, .. } = record;
                    if route.is_to(Route::MACHINES) {
                        machines.step_any(tag, time, cap, payload, dialect, &mut sink);
                    }
                    if route.is_to(Route::OTHERS) {
                        others.add(tag, Sample { time, value: offset });
                    }
                    if route.is_to(Route::PROFILES) {
                        profiles.step(tag, time, offset, payload);
                    }
                    if route.is_to(Route::MESSAGES) {
                        messages.step(tag, time, payload);
                    }
                    goes_on &= !route.is_to(Route::FACTS);
                }
                if goes_on {
                    *last = record.time;
                    return ControlFlow::Continue(());
                }
                aside = Some(record);
                ControlFlow::Break(())
            });
            if decoder.offset() == before {
                return;
            }
            if let Some(record) = aside {
                self.aside(record);
            }
            self.stepped(decoder.position());
        }
    }

    /// Takes an event of any kind.
    pub(crate) fn event(&mut self, record: Record<'_>) {
        if record.is_block_marker() {
            return self.block(record);
        }
        self.counts.count(record.tag);
        let route = Route::of(&record);
        if route.is_to(Route::OTHERS) {
            self.others.add(record.tag, Sample { time: record.time, value: record.offset });
        }
        if route.is_to(Route::PROFILES) {
            self.profiles.step(record.tag, record.time, record.offset, record.payload);
        }
        if route.is_to(Route::MESSAGES) {
            self.messages.step(record.tag, record.time, record.payload);
        }
        if self.entered == NONE {
            self.enter(record.time);
        }
        let Self { caps, keeping, dialect, entered, open, .. } = self;
        if let Some(CapEvents { machines, series, sums, .. }) = caps.streams.get_mut(*entered)
            && record.known
        {
            let mut sink = FirstPass::of(keeping, *entered, *series, sums, &mut open.seen);
            machines.step(record, *dialect, &mut sink);
        }
        self.aside(record);
    }

    /// Rare events: facts, and times that go back.
    fn aside(&mut self, record: Record<'_>) {
        self.facts(record.tag, record.time, record.cap, record.payload, record.known);
        let Some(stream) = self.caps.streams.get_mut(self.entered) else { return };
        if record.time >= stream.last {
            stream.last = record.time;
        } else {
            self.back(record.cap, record.offset, record.time);
        }
    }

    /// The first event of a block, or of a segment: makes sure that the segment has an entry of its stream.
    #[cold]
    fn enter(&mut self, time: Nanos) {
        self.open.seen.first = self.open.seen.first.min(time);
        let Some(stream) = self.caps.streams.get_mut(self.current) else { return };
        self.entered = self.current;
        if let Some((from, to)) = stream.go_on(self.losses) {
            self.keeping.rests.add(self.current, from, to);
        }
        let last = stream.times().map_or(time, |(_, last)| last);
        if !stream.begun {
            stream.begun = true;
            // Of a further stream of the file the clock goes on: no machine looks back to before it was begun.
            stream.machines = Machines::starting(time.max(last));
        }
        stream.first = stream.first.min(time);
        // Whether the open segment has an entry of it already, of the stream as it is here.
        if stream.segment.replace(self.open.at.offset) != Some(self.open.at.offset) {
            let CapEvents { machines, sums: before, .. } = *stream;
            let entry = Entry { segment: 0, from: last, to: last, earliest: last, machines, before };
            self.open.entries.push((self.current, entry));
        }
    }

    /// The last event of a block, or of a segment: the stream's sums are complete.
    fn leave(&mut self) {
        self.entered = NONE;
    }

    /// A block of another stream, as a rule.
    #[inline(never)]
    fn block(&mut self, record: Record<'_>) {
        self.leave();
        let marker = BlockMarker::read(record.payload);
        self.block_end = record.offset + u64::from(marker.size);
        let Some(stream) = self.caps.stream_or_new(record.cap, &mut self.keeping.overview) else {
            self.current = NONE;
            return;
        };
        self.dialect.one_capability = self.caps.count() <= 1;
        self.current = stream;
        self.closing = marker.end_time;
    }

    /// What is told about the process and its threads, on whichever stream.
    #[cold]
    #[inline(never)]
    fn facts(&mut self, tag: u16, time: Nanos, cap: Option<CapNo>, payload: &[u8], known: bool) {
        // Most that come here are none: GC_END, whose time goes back.
        if !known || !FACTS.has(tag) {
            return;
        }
        let Self { process, keeping: Keeping { threads, tasks, lives, collections, .. }, .. } = self;
        if Threads::TAGS.has(tag) {
            threads.step(tag, time, cap, payload);
        } else if Process::TAGS.has(tag) {
            process.step(tag, time, payload);
            if tag == HeapInfo::TAG {
                collections.tell_generations(HeapInfo::read(payload).generations);
            }
        } else if Tasks::TAGS.has(tag) {
            tasks.step(tag, time, payload);
        } else if Lives::TAGS.has(tag) {
            lives.step(tag, time, payload);
        }
    }

    /// A time before that of an event before it: GC_END always has one, by a little.
    #[inline(never)]
    fn back(&mut self, cap: Option<CapNo>, offset: u64, time: Nanos) {
        self.open.seen.first = self.open.seen.first.min(time);
        let Some(stream) = self.caps.streams.get_mut(self.current) else { return };
        stream.first = stream.first.min(time);
        stream.earliest = stream.earliest.min(time);
        let last = stream.last;
        if time.plus(limits::TIME_BACK) < last && !core::mem::replace(&mut stream.told_time_back, true) {
            self.tell(DiagnosticKind::TimeBack { cap, offset, by: last.since(time) });
        }
    }

    /// Ends every span that is open, where its stream ends.
    fn close_spans(&mut self) {
        for at in 0..self.caps.streams.len() {
            let Self { caps, keeping, .. } = self;
            let Some(stream) = caps.streams.get_mut(at) else { continue };
            let (open, rest) = (stream.open_span(), stream.rest());
            if let Some((from, to)) = rest {
                keeping.rests.add(at, from, to);
            }
            let CapEvents { begun, series, sums, .. } = stream;
            *begun = false;
            if let Some(span) = open {
                FirstPass::of(keeping, at, *series, sums, &mut self.open.seen).span(span);
            }
        }
    }

    pub(crate) fn finish(&mut self, decoder: &Decoder) {
        self.finished = true;
        self.end_streams(decoder.position());
        self.details.clear();
        self.preview = Preview::default();
        self.keeping.collections.finish();
        self.keeping.nonmoving.finish();
        self.keeping.samples.finish(self.caps.by_cap());
        self.keeping.moments.finish();
        self.others.finish();
        self.profiles.finish();
        self.tell_of_caps();
    }

    fn tell_of_caps(&mut self) {
        if self.counts.total() == 0 {
            self.tell(DiagnosticKind::NoEvents);
        }
        let Diagnostics { unended, unbegun, .. } = self.keeping.diagnostics;
        if unended + unbegun > 0 {
            self.tell(DiagnosticKind::Unpaired { unended, unbegun });
        }
        if self.caps.is_capped {
            self.tell(DiagnosticKind::TooManyCaps);
        }
        if self.keeping.threads.is_capped() {
            self.tell(DiagnosticKind::TooManyThreads);
        }
        if self.keeping.threads.labels_dropped() > 0 {
            self.tell(DiagnosticKind::TooManyLabels(self.keeping.threads.labels_dropped()));
        }
        if self.keeping.collections.is_capped() {
            self.tell(DiagnosticKind::TooManyCollections);
        }
        if self.keeping.tasks.is_capped() {
            self.tell(DiagnosticKind::TooManyTasks);
        }
        if self.keeping.lives.is_capped() {
            self.tell(DiagnosticKind::TooOftenDisabled);
        }
    }
}

/// Up to which offset events were lost.
pub(crate) fn lost_up_to(notice: Notice) -> Option<u64> {
    match notice.kind {
        NoticeKind::Lost { bytes, .. } => Some(notice.offset + bytes),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use ghc_eventlog::{CapDisable, TaskCreate};

    /// Whoever takes an event says so, or the fast path would not hand it on.
    #[test]
    fn no_event_is_followed_that_is_not_announced() {
        let followed = |step: fn(u16, &[u8]) -> bool| (0..256).filter(|tag| step(*tag, &[1; 64])).collect::<Vec<u16>>();
        let said = |tags: Tags| (0..256).filter(|tag| tags.has(*tag)).collect::<Vec<u16>>();
        let threads = followed(|tag, payload| {
            let mut threads = Threads::default();
            threads.step(tag, Nanos(1), None, payload);
            !threads.rows().is_empty()
        });
        assert_eq!(threads, said(Threads::TAGS));
        let process = followed(|tag, payload| {
            let mut process = Process::default();
            process.step(tag, Nanos(1), payload);
            process != Process::default()
        });
        assert_eq!(process, said(Process::TAGS));
        let tasks = followed(|tag, payload| {
            let mut tasks = Tasks::default();
            tasks.step(TaskCreate::TAG, Nanos(1), payload);
            let before = format!("{tasks:?}");
            tasks.step(tag, Nanos(2), payload);
            format!("{tasks:?}") != before
        });
        assert_eq!(tasks, said(Tasks::TAGS));
        let lives = followed(|tag, payload| {
            let mut lives = Lives::default();
            lives.step(CapDisable::TAG, Nanos(1), payload);
            let before = format!("{lives:?}");
            lives.step(tag, Nanos(2), payload);
            format!("{lives:?}") != before || tag == CapDisable::TAG
        });
        assert_eq!(lives, said(Lives::TAGS));
        let all = [Threads::TAGS, Process::TAGS, Tasks::TAGS, Lives::TAGS].map(said).concat();
        assert_eq!(all.len(), said(FACTS).len(), "none is followed by two");
        for tag in said(FACTS) {
            let route = Route::ALL.get(usize::from(tag)).copied();
            assert!(route.is_some_and(|route| route.is_to(Route::FACTS)), "{tag}");
        }
    }
}
