//! Looks for hits in one segment, which is decoded again.

use super::{
    event::SeenEvent,
    finder::{Finder, Verdict},
    found::FoundHits,
    hit::{Hit, HitKind},
    spans::{SeenSpan, TagPlaces},
};
use crate::{
    known::{Known, threads::LANE},
    reading::again::{Again, Failure, SegmentItem, TakeItem, go_again},
    terms::{
        machine::{Dialect, KeptRow, Lost, Machine, Placed, Sink},
        sample::Sample,
        span::{Ending, Span},
    },
    tracks::{
        capability::{Lane, RUNNING},
        collected,
    },
};
use alloc::{format, string::String, vec::Vec};
use ghc_eventlog::{
    CapNo, Chunk, Decoder, GcEnd, GcGlobalSync, GcStart, GcStats, Nanos, PartDecoder, Record, RequestParGc,
    RequestSeqGc, ThreadId,
};
use ghc_eventlog_text::{LogText, Style, fields_to};

/// How hits are shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown {
    pub(super) style: Style,
    /// The most bytes of a text; a longer one is cut.
    pub(super) most_text: usize,
}

/// The search of one segment.
pub(super) struct Scan<'a> {
    pub(super) known: &'a Known,
    pub(super) finder: &'a Finder,
    pub(super) reader: &'a Decoder,
    pub(super) shown: Shown,
    pub(super) segment: u32,
}

impl Scan<'_> {
    /// Its hits. `chunk` begins with the segment; `hits` is an empty part of the search's.
    ///
    /// # Errors
    /// As for [`Self::hits_that_name_threads`].
    pub(super) fn hits(&self, chunk: Chunk<'_>, mut hits: FoundHits) -> Result<FoundHits, Failure> {
        let Self { known, finder, reader, segment, .. } = *self;
        let Some(at) = known.index.segment(segment).map(|segment| (segment.at, segment.end)) else { return Ok(hits) };
        let mut header = PartDecoder::new(reader, at.0, at.1).header().clone();
        let finds_runs = finder.finds(HitKind::Run);
        let finds_events = finder.finds_events();
        let finds_collections = finder.finds(HitKind::Collection);
        // A hit has the thread that ran on its capability.
        let needs_lane = finds_runs || finds_events;
        let cap_of = |stream: usize| known.caps.streams.get(stream).and_then(|stream| stream.cap);
        let mut text = Vec::new();
        if let Some(all) = self.hits_that_name_threads(chunk, &mut text, hits.part())? {
            return Ok(all);
        }
        let found = &mut hits;
        let mut runs: Vec<Span> = Vec::new();
        let over =
            go_again(&known.index, segment, chunk, reader, &known.caps, |item: SegmentItem<'_, '_>| match item {
                SegmentItem::Event(again, record, dialect) => {
                    if finds_events && finder.plan(record.tag).verdict != Verdict::Never {
                        let running = again.machines.lane.thread();
                        let seen = SeenEvent { record, header: &header, running, numbering: dialect.threads };
                        self.event(seen, &mut text, found);
                    }
                    if !record.known {
                        return;
                    }
                    if needs_lane && LANE.has(record.tag) {
                        again.machines.lane.step(*record, dialect, &mut Runs { spans: &mut runs });
                        if finds_runs {
                            runs.iter().for_each(|run| self.run(run, cap_of(again.stream), found));
                        }
                        runs.clear();
                    }
                    if finds_collections && is_of_collections(record.tag) {
                        self.follow_collection(again, *record, dialect, found);
                    }
                }
                SegmentItem::Unfollowed(record, dialect) => {
                    if finder.plan(record.tag).verdict != Verdict::Never {
                        let seen =
                            SeenEvent { record: &record, header: &header, running: None, numbering: dialect.threads };
                        self.event(seen, &mut text, found);
                    }
                }
                SegmentItem::Header(all, next) => {
                    header = next.clone();
                    if finds_runs {
                        let open = all.iter().map(|again| (again, again.last));
                        open.for_each(|(again, end)| {
                            self.open_run(&again.machines.lane, end, cap_of(again.stream), found)
                        });
                    }
                }
            })?;
        for again in over.iter().filter(|_| finds_runs) {
            again.spans.iter().for_each(|run| self.run(run, cap_of(again.stream), found));
            let lane = &again.machines.lane;
            let turn = known.index.turn(again.stream, segment);
            if let Some(turn) = turn.filter(|turn| turn.next.is_none_or(|next| !lane.goes_on(next))) {
                self.open_run(lane, turn.entry.to, cap_of(again.stream), found);
            }
        }
        Ok(hits)
    }

    /// The tags of spans in its messages. `chunk` begins with the segment.
    ///
    /// # Errors
    /// As for [`Self::hits_that_name_threads`].
    pub(super) fn tags(&self, chunk: Chunk<'_>) -> Result<TagPlaces, Failure> {
        let Self { known, finder, reader, segment, .. } = *self;
        let mut tags = TagPlaces::default();
        let take: TakeItem<'_> = &mut |item| {
            if let SegmentItem::Event(_, record, _) = item
                && record.known
            {
                tags.take(record, finder, known);
            }
        };
        let over = go_again(&known.index, segment, chunk, reader, &known.caps, take);
        over.map(|_| tags)
    }

    fn event(&self, seen: SeenEvent<'_>, text: &mut Vec<u8>, found: &mut FoundHits) {
        if self.finder.finds_event(seen, &self.known.stores.threads, text) {
            self.add_event(seen, seen.thread(self.finder.plan(seen.record.tag).names_thread), text, found);
        }
    }

    /// Adds an event that is a hit.
    pub(super) fn add_event(
        &self,
        seen: SeenEvent<'_>,
        thread: Option<ThreadId>,
        text: &mut Vec<u8>,
        found: &mut FoundHits,
    ) {
        let SeenEvent { record, header, .. } = seen;
        let kind = HitKind::of_event(record.tag);
        found.add(kind, record.time, || {
            text.clear();
            fields_to(text, record, header, self.shown.style);
            let says: LogText<'static> = String::from_utf8_lossy(text).into_owned().into();
            Hit {
                kind,
                time: record.time,
                length: None,
                unfinished: false,
                cap: record.cap,
                thread,
                tag: Some(record.tag),
                label: None,
                place: record.offset,
                text: says.cut(self.shown.most_text),
            }
        });
    }

    fn run(&self, run: &Span, cap: Option<CapNo>, found: &mut FoundHits) {
        let Some(thread) = run.thread.filter(|_| run.state == RUNNING) else { return };
        let threads = &self.known.stores.threads;
        let (kind, thread) = (HitKind::Run, Some(thread));
        let seen = SeenSpan { kind, start: run.start, end: run.end, cap, thread, label: None };
        if self.finder.finds_span(seen, threads, |_| false) {
            found.add(kind, run.start, || {
                let number = thread.map_or(0, |thread| thread.0);
                let text = match thread.and_then(|thread| threads.label_text(thread)) {
                    Some(label) => format!("thread {number} {label}"),
                    None => format!("thread {number}"),
                };
                let length = Some(run.end.since(run.start));
                let place = cap.map_or(u64::MAX, |cap| cap.0.into());
                let unfinished = false;
                Hit {
                    kind,
                    time: run.start,
                    length,
                    unfinished,
                    cap,
                    thread,
                    tag: None,
                    label: None,
                    place,
                    text: text.into(),
                }
            });
        }
    }

    /// A run that is open where its stream ends.
    fn open_run(&self, lane: &Lane, end: Nanos, cap: Option<CapNo>, found: &mut FoundHits) {
        if let Some(run) = lane.open(end, Ending::Open) {
            self.run(&run, cap, found);
        }
    }

    fn follow_collection(&self, again: &mut Again, record: Record<'_>, dialect: Dialect, found: &mut FoundHits) {
        let Record { tag, time, payload, cap, .. } = record;
        let Some(gc) = again.machines.collector.follow(tag, time, payload, dialect) else { return };
        let kind = HitKind::Collection;
        let seen = SeenSpan { kind, start: gc.start, end: gc.end, cap, thread: None, label: None };
        if self.finder.finds_span(seen, &self.known.stores.threads, |_| false) {
            found.add(kind, gc.start, || {
                let name = collected::name(&collected::span(self.known, &gc));
                let text = match gc.generation {
                    Some(generation) => format!("{name} of generation {generation}"),
                    None => name.into(),
                };
                let (time, length) = (gc.start, Some(gc.elapsed()));
                let (place, text) = (record.offset, text.into());
                Hit { kind, time, length, unfinished: false, cap, thread: None, tag: None, label: None, place, text }
            });
        }
    }
}

/// Whether the machine of collections follows an event.
fn is_of_collections(tag: u16) -> bool {
    matches!(tag, RequestSeqGc::TAG | RequestParGc::TAG | GcStart::TAG | GcGlobalSync::TAG | GcStats::TAG | GcEnd::TAG)
}

/// Takes the spans of a lane.
struct Runs<'a> {
    spans: &'a mut Vec<Span>,
}

impl Sink for Runs<'_> {
    #[inline(always)]
    fn span(&mut self, span: Span) {
        self.spans.push(span);
    }

    fn sample<K: Placed>(&mut self, _: Sample) {}

    fn add<K: Placed>(&mut self, _: usize, _: u64, _: Nanos) {}

    fn reach<K: Placed>(&mut self, _: usize, _: u64, _: Nanos) {}

    fn row(&mut self, _: KeptRow) {}

    fn lost(&mut self, _: Lost) {}
}
