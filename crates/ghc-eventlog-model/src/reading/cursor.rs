//! The first pass: what happens with each event, in file order.

mod cutting;
mod route;

use crate::{
    keeping::{
        diagnostics::{DiagnosticKind, Diagnostics},
        store::Event,
    },
    known::{Known, caps::CapEvents, index::StreamEntry, preview::Preview, processes::StreamBegin},
    limits,
    reading::{again::lost_up_to, first_pass::FirstPass},
    terms::{
        machine::{Dialect, Sink},
        numbering::Numbering,
        sample::Sample,
    },
    tracks::Machines,
};
use alloc::string::ToString;
use core::ops::ControlFlow;
use cutting::OpenSegment;
use ghc_eventlog::{BlockMarker, CapDisable, CapNo, Chunk, Decoder, Header, Nanos, Position, Record, info};
use route::Route;

/// The state of the first pass. Its results go to [`Known`].
#[derive(Debug)]
pub(crate) struct Cursor {
    dialect: Dialect,
    /// The stream of the open block; none when there are too many.
    current: usize,
    /// The same, once the open segment has an entry for it.
    entered: usize,
    /// Where the open block ends according to its marker, in bytes from the start of the file.
    block_end: u64,
    /// How many losses of unknown capability there have been.
    losses: u64,
    /// The end time of the open block, which becomes the end of its stream's known time once the block has been read.
    closing: Nanos,
    /// From when to when the runtime wrote the events before the open block to the file, until the block's first event.
    writing: Option<(Nanos, Nanos)>,
    open: OpenSegment,
    /// Whether a header declares that capabilities can be disabled.
    disables: bool,
    /// A further stream begins here: whether it is another process's has yet to be decided.
    pub(crate) after_header: bool,
}

/// No stream.
const NONE: usize = usize::MAX;

impl Cursor {
    /// At the begin of a log.
    pub(crate) fn new(decoder: &Decoder) -> Self {
        Self {
            dialect: Dialect::of(decoder.header(), true, Numbering::default()),
            current: 0,
            entered: NONE,
            block_end: 0,
            losses: 0,
            closing: Nanos(0),
            writing: None,
            open: OpenSegment::at(decoder.position()),
            disables: false,
            after_header: false,
        }
    }

    /// The bytes that it holds.
    pub(crate) fn bytes_held(&self) -> usize {
        self.open.entries.capacity() * size_of::<(usize, StreamEntry)>()
    }

    pub(crate) fn dialect(&self) -> Dialect {
        self.dialect
    }

    pub(crate) fn tell(&mut self, known: &mut Known, kind: DiagnosticKind) {
        known.incomplete |= kind.is_end_missing();
        if let DiagnosticKind::Decoder(notice) = kind
            && let Some(to) = lost_up_to(notice)
        {
            self.lost(known, to);
        }
        // Only of the open block: other capabilities' events may be much later.
        let here = known.caps.streams.get(self.current).and_then(CapEvents::times);
        // There may be millions of diagnostics, and each would ask a thousand streams.
        let extent = || if known.stores.diagnostics.takes(kind) { known.extent() } else { None };
        let time = here.or_else(extent).map(|(_, last)| last);
        known.stores.diagnostics.add(kind, time);
    }

    /// Bytes were lost up to an offset: events of the open block, and if it ended before that, of any capability. Streams
    /// pick the loss up at their next event; updating all of them each time would cost streams × losses.
    #[cold]
    fn lost(&mut self, known: &mut Known, to: u64) {
        self.leave();
        known.has_losses = true;
        known.stores.pauses.lost();
        self.losses += u64::from(to > self.block_end);
        if let Some(stream) = known.caps.streams.get_mut(self.current) {
            stream.lost = true;
        }
    }

    /// A header was read: the first, or a further stream's, in which every machine starts again.
    pub(crate) fn header(&mut self, known: &mut Known, decoder: &Decoder) {
        self.describe(known, decoder.header());
        let Dialect { one_capability, threads, can_pause, .. } = self.dialect;
        self.dialect = Dialect { can_pause, ..Dialect::of(decoder.header(), one_capability, threads) };
        self.end_streams(known, decoder.position());
        let last = known.extent().map(|(_, last)| last);
        known.stores.end_stream(last.unwrap_or(Nanos(0)));
        if let Some(last) = last {
            known.index.processes.stop(last);
        }
        self.after_header = last.is_some();
    }

    /// Decides whether a further stream is another process's, once enough of it is there: the first bytes of `chunk` that
    /// `decoder` has not read. Returns whether that is so.
    #[cold]
    pub(crate) fn decide_process(&mut self, known: &mut Known, decoder: &Decoder, chunk: Chunk<'_>) -> bool {
        let offset = decoder.offset();
        let here = chunk.from(offset);
        if here.bytes.len() < limits::PROCESS_BEGIN && !chunk.last {
            return false;
        }
        self.after_header = false;
        let window = here.bytes.get(..limits::PROCESS_BEGIN).unwrap_or(here.bytes);
        let begin = StreamBegin::read(decoder, Chunk { bytes: window, last: true, ..here });
        let pids = known.stores.process.pid.zip(begin.pid);
        let last = known.extent().map_or(Nanos(0), |(_, last)| last);
        let is_clock_new = begin.first.is_some_and(|first| first.plus(limits::TIME_BACK) < last);
        let is_other = is_clock_new || pids.is_some_and(|(before, now)| before != now);
        let numbering = self.dialect.threads.next(known.stores.threads.largest());
        if let Some(numbering) = numbering.filter(|_| is_other && known.index.processes.count() < limits::MAX_PROCESSES)
        {
            self.dialect.threads = numbering;
            known.index.processes.begin(offset, numbering, last);
            known.stores.threads.numbering = numbering;
            known.stores.profiles.time.numbering = numbering;
            let Numbering { added } = numbering;
            let begins_anew = begin.first.filter(|first| *first < last).map(|_| last);
            self.tell(known, DiagnosticKind::OtherProcess { offset, pid: begin.pid, added, begins_anew });
        }
        true
    }

    /// Keeps a header's names of events that are unknown, or not GHC's, as far as these may get rows.
    fn describe(&mut self, known: &mut Known, header: &Header) {
        self.disables |= header.declared(CapDisable::TAG).is_some();
        let is_ghcs = |tag: u16| info(tag).is_some() && !header.has_other_fields(tag);
        for tag in header.types().iter().map(|declared| declared.tag).filter(|tag| !is_ghcs(*tag)) {
            // A type may be declared twice. The first header that names it decides.
            let text = header.declared(tag).map_or("", |declared| &*declared.description);
            let text = text.get(..text.floor_char_boundary(limits::MAX_TEXT)).unwrap_or_default();
            if !text.is_empty() && known.described.len() < limits::MAX_COUNTED_TAGS {
                known.described.entry(tag).or_insert_with(|| text.to_string());
            }
        }
    }

    /// The streams so far have been read completely; what comes next begins at `next`.
    fn end_streams(&mut self, known: &mut Known, next: Position) {
        let end = known.extent().map_or(Nanos(0), |(_, last)| last);
        for stream in known.caps.streams.iter_mut().filter(|stream| stream.begun) {
            // A time beyond that of all events is false; and what was lost at the end may have been anything.
            if !stream.has_lost(self.losses) {
                stream.last = stream.last.max(stream.closed.min(end));
            }
        }
        self.cut(known, next);
        for (at, stream) in known.caps.streams.iter().enumerate() {
            known.index.extend(at, stream.last);
        }
        self.close_spans(known);
    }

    /// Takes the next plain records, as long as they are in the same block and segment.
    pub(crate) fn run(&mut self, known: &mut Known, decoder: &mut Decoder, chunk: Chunk<'_>) {
        loop {
            let Self { dialect, open, entered, .. } = self;
            let Known { caps, stores, counts, .. } = known;
            let Some(stream) = caps.streams.get_mut(*entered) else { return };
            let CapEvents { machines, series, sums, last, .. } = stream;
            let (dialect, series, stream) = (*dialect, *series, *entered);
            let mut sink = FirstPass::of(stores, stream, series, sums, &mut open.seen);
            let (before, mut aside) = (decoder.offset(), None);
            decoder.each_plain(chunk, open.cut_within_from, |record| {
                counts.count(record.tag);
                let goes_on = record.time >= *last;
                let route = Route::of(&record);
                if route == Route::LANE {
                    machines.step_lane(record, dialect, &mut sink);
                } else {
                    let Record { offset, time, tag, cap, payload, .. } = record;
                    if route.is_to(Route::MACHINES) {
                        machines.step_any(tag, time, cap, payload, dialect, &mut sink);
                    }
                    if route.is_to(Route::OTHERS) {
                        sink.stores.others.add_fast(tag, Sample { time, value: offset });
                    }
                    if route.is_to(Route::STORES) {
                        sink.stores.step(Event { offset, time, tag, cap, payload });
                    }
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
                self.aside(known, record);
            }
            self.stepped(known, decoder.position());
        }
    }

    /// Takes an event of any kind.
    pub(crate) fn event(&mut self, known: &mut Known, record: Record<'_>) {
        if record.is_block_marker() {
            return self.block(known, record);
        }
        known.counts.count(record.tag);
        let route = Route::of(&record);
        if route.is_to(Route::OTHERS) {
            known.stores.others.add(record.tag, Sample { time: record.time, value: record.offset });
        }
        if self.entered == NONE {
            self.enter(known, record.time);
        }
        let Self { dialect, entered, open, .. } = self;
        let Known { caps, stores, .. } = known;
        if let Some(CapEvents { machines, series, sums, .. }) = caps.streams.get_mut(*entered)
            && record.known
        {
            let mut sink = FirstPass::of(stores, *entered, *series, sums, &mut open.seen);
            machines.step(record, *dialect, &mut sink);
        }
        if route.is_to(Route::STORES) {
            let Record { offset, time, tag, cap, payload, .. } = record;
            known.stores.step(Event { offset, time, tag, cap, payload });
        }
        self.aside(known, record);
    }

    /// The rest of the work for an event: checks whether its time goes back.
    fn aside(&mut self, known: &mut Known, record: Record<'_>) {
        let Some(stream) = known.caps.streams.get_mut(self.entered) else { return };
        if record.time >= stream.last {
            stream.last = record.time;
        } else {
            self.back(known, record.cap, record.offset, record.time);
        }
    }

    /// The first event of a block, or of a segment: makes sure that the segment has an entry for its stream.
    #[cold]
    fn enter(&mut self, known: &mut Known, time: Nanos) {
        self.open.seen.first = self.open.seen.first.min(time);
        let Some(stream) = known.caps.streams.get_mut(self.current) else { return };
        self.entered = self.current;
        if let Some((from, to)) = self.writing.take()
            && from < to.min(time)
            && !stream.has_lost(self.losses)
        {
            let runs = stream.machines.lane.thread().is_some();
            known.stores.log_writes.add(self.current, (from, to.min(time)), runs);
        }
        let (rest, cut) = stream.go_on(self.losses);
        if let Some((from, to)) = rest {
            known.stores.rests.add(self.current, from, to);
        }
        if let Some(cut) = cut {
            let CapEvents { series, sums, .. } = stream;
            FirstPass::of(&mut known.stores, self.current, *series, sums, &mut self.open.seen).span(cut);
        }
        let last = stream.times().map_or(time, |(_, last)| last);
        if !stream.begun {
            stream.begun = true;
            // It was idle at the end of the stream of the file before this one. From there on, the log was off.
            let off = known.index.processes.stopped().last().map_or(last, |off| last.max(*off));
            known.stores.rests.add(self.current, last, time);
            known.stores.pauses.off.add(self.current, off, time);
            // Nothing is drawn twice: in a further stream of the file, no machine looks back to before its begin. The clock of a
            // process goes on there. That of another process begins anew, so that its lanes begin where those before end.
            stream.machines = Machines::starting(time.max(last));
        }
        stream.first = stream.first.min(time);
        // Whether the open segment already has an entry for this stream.
        if stream.segment.replace(self.open.at.offset) != Some(self.open.at.offset) {
            let CapEvents { machines, sums: before, .. } = *stream;
            let entry = StreamEntry { segment: 0, from: last, to: last, earliest: last, machines, before };
            self.open.entries.push((self.current, entry));
        }
    }

    /// The last event of a block, or of a segment: the stream's sums are complete.
    fn leave(&mut self) {
        self.entered = NONE;
    }

    /// A new block; usually of another stream.
    fn block(&mut self, known: &mut Known, record: Record<'_>) {
        self.leave();
        let marker = BlockMarker::read(record.payload);
        self.block_end = record.offset + u64::from(marker.size);
        let Some(stream) = known.caps.stream_or_new(record.cap, &mut known.stores.overview) else {
            self.current = NONE;
            return;
        };
        self.dialect.one_capability = known.caps.count() <= 1;
        if !self.dialect.can_pause && known.stores.process.can_pause() {
            self.dialect.can_pause = true;
            known.index.can_pause_from = Some(record.offset);
            known.stores.pauses.can_be = true;
        }
        self.current = stream;
        self.closing = marker.end_time;
        // The runtime closes a block after its last event, writes it, and begins the next one. Other writers of logs copy the
        // times of events to the markers.
        let before = known.caps.streams.get(stream);
        let before = before.filter(|before| before.series.is_some() && before.begun && before.closed > before.last);
        self.writing = before.map(|before| (before.closed, record.time));
    }

    /// The time of an event is before that of an earlier one. GC_END always is, by a little.
    fn back(&mut self, known: &mut Known, cap: Option<CapNo>, offset: u64, time: Nanos) {
        self.open.seen.first = self.open.seen.first.min(time);
        let Some(stream) = known.caps.streams.get_mut(self.current) else { return };
        stream.first = stream.first.min(time);
        stream.earliest = stream.earliest.min(time);
        let last = stream.last;
        // Once another process's clock begins anew, that is said of all of its times.
        if time.plus(limits::TIME_BACK) >= last || known.stores.diagnostics.has_other_clock {
            return;
        }
        let by = last.since(time);
        let is_told = core::mem::replace(&mut stream.told_time_back, true);
        let (count, most) = &mut known.stores.diagnostics.back;
        (*count, *most) = (*count + 1, by.max(*most));
        if !is_told {
            self.tell(known, DiagnosticKind::TimeBack { cap, offset, by });
        }
    }

    /// Ends all open spans where their stream ends.
    fn close_spans(&mut self, known: &mut Known) {
        for at in 0..known.caps.streams.len() {
            let Known { caps, stores, .. } = known;
            let Some(stream) = caps.streams.get_mut(at) else { continue };
            let (open, rest) = (stream.open_span(), stream.rest());
            if let Some((from, to)) = rest {
                stores.rests.add(at, from, to);
            }
            let CapEvents { begun, series, sums, .. } = stream;
            *begun = false;
            if let Some(span) = open {
                FirstPass::of(stores, at, *series, sums, &mut self.open.seen).span(span);
            }
        }
    }

    pub(crate) fn finish(&mut self, known: &mut Known, decoder: &Decoder) {
        known.finished = true;
        self.end_streams(known, decoder.position());
        known.details.clear();
        known.preview = Preview::default();
        known.stores.finish(known.caps.by_cap());
        self.tell_of_caps(known);
    }

    fn tell_of_caps(&mut self, known: &mut Known) {
        if known.counts.total() == 0 {
            self.tell(known, DiagnosticKind::NoEvents);
        }
        let Diagnostics { mut unended, mut unbegun, unlogged, .. } = known.stores.diagnostics;
        // If no class was switched off on all capabilities, they are missing.
        if known.stores.pauses.count() == 0 {
            (unended, unbegun) = (unended + unlogged.0, unbegun + unlogged.1);
        }
        if unended + unbegun > 0 {
            self.tell(known, DiagnosticKind::Unpaired { unended, unbegun });
        }
        known.stores.remarks().into_iter().for_each(|remark| self.tell(known, remark));
        known.report_missing_names();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keeping::{
        lives::CapLives,
        process::Process,
        store::{Purpose, Store},
        tasks::TaskStore,
        threads::Threads,
    };
    use crate::{known::stores::Stores, terms::tags::Tags};
    use alloc::{format, vec::Vec};
    use core::fmt::Debug;
    use ghc_eventlog::{CapDisable, TaskCreate};

    /// The events that change a store which has followed a first one.
    fn followed<S: Store + Debug>(first: Option<u16>) -> Vec<u16> {
        let changes = |tag: &u16| {
            let mut store = S::of(Purpose { log_bytes: None, is_drawn: true });
            first.into_iter().for_each(|first| store.step(Event::of(first, Nanos(1), &[1; 64])));
            let before = format!("{store:?}");
            store.step(Event::of(*tag, Nanos(2), &[1; 64]));
            format!("{store:?}") != before || Some(*tag) == first
        };
        (0..256).filter(changes).collect()
    }

    fn said(tags: Tags) -> Vec<u16> {
        (0..256).filter(|tag| tags.has(*tag)).collect()
    }

    /// A store or machine must list the events that it follows, or it would not get them.
    #[test]
    fn stores_and_machines_only_follow_events_that_they_list() {
        assert_eq!(followed::<Threads>(None), said(Threads::TAGS));
        assert_eq!(followed::<Process>(None), said(Process::TAGS));
        assert_eq!(followed::<TaskStore>(Some(TaskCreate::TAG)), said(TaskStore::TAGS));
        assert_eq!(followed::<CapLives>(Some(CapDisable::TAG)), said(CapLives::TAGS));
        for tag in said(Stores::TAGS) {
            let route = Route::ALL.get(usize::from(tag)).copied();
            assert!(route.is_some_and(|route| route.is_to(Route::STORES)), "{tag}");
        }
    }
}
