//! Finding what a query describes, in the whole log.
//!
//! ```text
//! segments         |  0  |  1  |  2  |  3  |  4  |  5  |
//! may have hits       x     x           x     x     x        by the types and times of their events
//! order            |  3  |  2  |     |  1  |  4  |  5  |     the nearest to a time first; or all in order of time
//! ```
//!
//! Segments are decoded again one by one. A few MiB of the file are read at a time, so that a search can be given up in between.
//! The program's own spans are kept in the model: no segment is read for them, except for their tags, which are not kept. If there are
//! too many spans to keep them all, and only a short time is searched, its spans are read again.

mod digits;
pub(super) mod event;
pub(super) mod finder;
mod found;
mod glance;
pub(crate) mod hit;
mod in_texts;
mod names;
mod scan;
mod sentences;
mod shown;
mod spans;
mod stops;

use crate::{
    asking::query::Query,
    keeping::crossing::spans::UserSpan,
    known::spans_read::SpanReading,
    limits,
    reading::{
        again::Failure,
        job::{Changed, Job},
        model::Model,
    },
    sorting::sort_by_key,
    terms::{op::Besides, progress::Progress},
};
use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use finder::Finder;
pub use found::{FindOrder, HitBuckets};
use found::{FoundHits, WaitingHits};
use ghc_eventlog::{Chunk, Nanos};
use ghc_eventlog_text::Style;
pub use hit::{Hit, HitKind};
pub use names::{NameHit, NameHits, NameKind};
use scan::{Scan, Shown};
use spans::TagPlaces;
use stops::FindPart;

/// The options of a search, besides its query.
#[derive(Debug, Clone, Copy)]
pub struct FindWishes {
    /// The order in which hits are looked for.
    pub order: FindOrder,
    /// Stretches of time in which hits are counted, unless they come in order of time.
    pub buckets: HitBuckets,
    /// How events are written.
    pub style: Style,
    /// The most bytes of a hit's text; a longer one is cut.
    pub most_text: usize,
    /// Whether to find events only, and no spans.
    pub events_only: bool,
}

impl Default for FindWishes {
    fn default() -> Self {
        Self {
            order: FindOrder::Nearest(Nanos(0), limits::MAX_HITS),
            buckets: HitBuckets::default(),
            style: Style::default(),
            most_text: limits::MAX_HIT_TEXT,
            events_only: false,
        }
    }
}

/// A search: see [`Model::find`].
#[derive(Debug)]
pub struct Find {
    finder: Finder,
    order: FindOrder,
    shown: Shown,
    /// The segments that have to be read for the tags of spans; the next one is last. In order of time, they are read before all others.
    tag_segments: Vec<u32>,
    tags: TagPlaces,
    /// While the spans of a short time are read, since not all are kept. In order of time, they are read before all others, too.
    reading: Option<SpanReading>,
    /// These spans, once they have been read. Otherwise those that are kept are searched.
    read: Option<Vec<UserSpan>>,
    /// The segments that have to be read for hits; the next one is last.
    ahead: Vec<FindPart>,
    found: FoundHits,
    /// In order of time: hits that are not known to come next, those of them that are spans of the program, and those that come
    /// next.
    waiting: WaitingHits,
    spans: Vec<Hit>,
    next: Vec<Hit>,
    /// From here on, hits were dropped because there were too many: their segments are read again.
    horizon: Option<Nanos>,
    most_bytes: usize,
    /// How many bytes are read at once.
    batch: u64,
    /// How many segments have been read, counting each time.
    done: usize,
    waits_for_replay: bool,
}

impl Model {
    /// Begins to find what a query describes: a [`Job`]. `None` as long as the log is being read. The program's own spans are
    /// found once it has been [replayed](Model::replay).
    ///
    /// ```
    /// use ghc_eventlog::{Block, CapNo, LogWriter, Nanos, Text, UserMsg};
    /// use ghc_eventlog_model::{FindWishes, HitKind, Model, Query, work};
    /// use std::convert::Infallible;
    ///
    /// let mut writer = LogWriter::new();
    /// writer.block(Block::of(CapNo(0)), |block| {
    ///     block.event(Nanos(5), UserMsg { text: Text(b"request 1: Timeout") });
    ///     block.event(Nanos(9), UserMsg { text: Text(b"request 2: done") });
    /// });
    /// let log = writer.finish();
    /// let mut model = Model::new();
    /// model.feed(&log);
    /// model.finish();
    ///
    /// let query = Query::parse("type:message timeout")?;
    /// let mut find = model.find(&query, FindWishes::default()).unwrap();
    /// let read = |offset: u64, length: u64| Ok::<_, Infallible>(&log[offset as usize..(offset + length) as usize]);
    /// assert_eq!(work(&mut find, &mut model, read), Ok(true));
    /// assert_eq!(find.count(HitKind::Message), 1);
    /// assert_eq!(find.hits(HitKind::Message)[0].time, Nanos(5));
    /// # Ok::<(), ghc_eventlog_model::QueryError>(())
    /// ```
    #[must_use]
    pub fn find(&self, query: &Query, wishes: FindWishes) -> Option<Find> {
        self.find_within(query, wishes, limits::FIND_BYTES)
    }

    /// The same within `most_bytes` of hits in order of time, for tests. The limit only affects how often parts of the log are
    /// read.
    #[doc(hidden)]
    #[must_use]
    pub fn find_within(&self, query: &Query, wishes: FindWishes, most_bytes: usize) -> Option<Find> {
        let known = &self.known;
        if !known.is_finished() {
            return None;
        }
        let finder = Finder::new(query, wishes.events_only, self);
        let finds_spans = finder.finds(HitKind::Span);
        let reads_tags = finds_spans && finder.reads_tags() && known.tags_must_be_read();
        let mut find = Find {
            order: wishes.order,
            shown: Shown { style: wishes.style, most_text: wishes.most_text },
            tag_segments: if reads_tags { known.segments_with_tags() } else { Vec::new() },
            tags: TagPlaces::default(),
            // What is said of spans is only known of those that are kept.
            reading: if finds_spans && !reads_tags { known.spans_to_read(&finder) } else { None },
            read: None,
            ahead: known.segments_to_search(&finder, wishes.order),
            found: FoundHits::new(wishes.order, wishes.buckets),
            waiting: WaitingHits::default(),
            spans: Vec::new(),
            next: Vec::new(),
            horizon: None,
            most_bytes,
            batch: limits::FIND_AHEAD_AT_FIRST,
            done: 0,
            waits_for_replay: finds_spans && known.may_have_spans() && known.spans().is_none(),
            finder,
        };
        find.end_reading(self);
        find.take_spans(self);
        find.release();
        Some(find)
    }
}

impl Find {
    /// How many hits of a kind have been found.
    #[must_use]
    pub fn count(&self, kind: HitKind) -> u64 {
        self.found.counts.get(kind.place()).copied().unwrap_or(0)
    }

    /// How many hits have been found.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.found.counts.iter().sum()
    }

    /// Whether nothing more will be found.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.knows_spans() && self.ahead.is_empty()
    }

    /// The kept hits of a kind, in order of time: the nearest ones, if not all are kept. Empty with [`FindOrder::InTime`].
    #[must_use]
    pub fn hits(&self, kind: HitKind) -> Vec<&Hit> {
        self.found.hits(kind)
    }

    /// How many hits have been found in each stretch of time.
    #[must_use]
    pub fn in_buckets(&self) -> &[u32] {
        &self.found.in_buckets
    }

    /// In order of time: the hits that come next. Each is taken once.
    pub fn take_hits(&mut self) -> Vec<Hit> {
        core::mem::take(&mut self.next)
    }

    /// What it cannot find, because the log has more spans or labels than are kept, or longer ones: clauses, none if it finds all.
    #[must_use]
    pub fn remarks(&self, model: &Model) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        if self.finder.asks_for_labels_of_threads() && model.threads().labels_dropped() > 0 {
            all.push("there is no room for the labels of all threads: those that live and run for the shortest time lack theirs first".to_string());
        }
        if self.finder.asks_for_labels_of_threads() && model.threads().is_capped() {
            all.push(
                "the log has more threads than there is room for: of the others, the labels are not known".to_string(),
            );
        }
        if self.finder.asks_for_labels_of_threads() && model.threads().are_labels_cut() {
            all.push("there is no room for the whole labels of all threads: what is only in the middle of a long one is not found".to_string());
        }
        if !self.finder.finds(HitKind::Span) {
            return all;
        }
        let one_of = if self.waits_for_replay { 1 } else { model.known.spans_for_each_kept() };
        if one_of > 1 && self.reading.is_none() && self.read.is_none() {
            all.push(format!(
                "the log has more spans than are kept: only the longest and one of {one_of} of the others are searched"
            ));
        }
        if model.are_span_labels_too_many() {
            all.push("the log has too many labels of spans to tell all apart: spans of the others are found as “All others” only, or as “job # (others)” if they differ in numbers".to_string());
        }
        if self.finder.asks_for_labels_of_spans() && model.known.stores.messages.labels.are_cut() {
            all.push("there is no room for the whole labels of all spans: what is only in the middle of a long one is not found".to_string());
        }
        if self.finder.reads_tags() && model.known.lacks_notes() {
            all.push("there is no room for the tags of all spans: those of the longer spans are searched".to_string());
        }
        let missed = model.spans_not_followed();
        if missed > 0 {
            all.push(format!(
                "too many spans are open at the same time: {missed} were not followed, and are not found"
            ));
        }
        all
    }

    /// Whether spans of the program may be missing, because the log has not been [replayed](Model::replay).
    #[must_use]
    pub fn waits_for_replay(&self) -> bool {
        self.waits_for_replay
    }

    /// Whether spans and tags are read before everything else. Whether a span is a hit depends on its tags, and in order of time, it may be
    /// the next one.
    fn waits_for_spans(&self) -> bool {
        self.order == FindOrder::InTime && !self.knows_spans()
    }

    /// Whether all spans and tags that have to be read have been read.
    fn knows_spans(&self) -> bool {
        self.tag_segments.is_empty() && self.reading.is_none()
    }

    /// The segments that have to be read for spans and their tags; the next ones are first.
    fn segments_of_spans(&self) -> impl Iterator<Item = u32> {
        let of_reading = self.reading.iter().flat_map(|reading| reading.missing().iter().copied());
        self.tag_segments.iter().rev().copied().chain(of_reading)
    }

    /// Reads spans in some bytes of the file, if there are any to be read there.
    fn read_spans(&mut self, model: &mut Model, offset: u64, bytes: &[u8]) -> Result<(), Changed> {
        let Some(mut reading) = self.reading.take() else { return Ok(()) };
        let missing = reading.missing().to_vec();
        let is_missing = |number: u32| missing.contains(&number);
        model.each_ops(offset, bytes, &is_missing, Besides::Marks, &mut |known, segment, ops, marks| {
            reading.take(known, segment, &ops, &marks);
        })?;
        self.done += missing.len() - reading.missing().len();
        self.reading = Some(reading);
        self.end_reading(model);
        self.take_spans(model);
        Ok(())
    }

    /// Takes the spans, if all that had to be read for them has been read.
    fn end_reading(&mut self, model: &Model) {
        if let Some(reading) = self.reading.take_if(|reading| reading.missing().is_empty()) {
            // If there are too many, those that are kept are searched.
            self.read = model.known.spans().filter(|_| !reading.has_overflowed()).map(|of| reading.all(&of.spans));
        }
    }

    /// Takes what is wanted of a segment: tags, hits, or both. `chunk` begins with it.
    fn read_segment(&mut self, chunk: Chunk<'_>, segment: u32, model: &Model) -> Result<(), Failure> {
        let Self { finder, shown, .. } = &*self;
        let scan = Scan { known: &model.known, finder, reader: &model.decoder, shown: *shown, segment };
        let tags_at = self.tag_segments.iter().rposition(|other| *other == segment);
        let hits_at = self.place_of(segment).filter(|_| !self.waits_for_spans());
        let tags = tags_at.map(|place| scan.tags(chunk).map(|tags| (place, tags))).transpose()?;
        let hits = hits_at.map(|place| scan.hits(chunk, self.found.part()).map(|hits| (place, hits))).transpose()?;
        if let Some((place, tags)) = tags {
            self.take_tags(place, tags, model);
        }
        if let Some((place, hits)) = hits {
            self.take_part(place, hits);
        }
        Ok(())
    }

    /// Takes the tags of spans from a segment's messages.
    fn take_tags(&mut self, place: usize, tags: TagPlaces, model: &Model) {
        self.tag_segments.remove(place);
        self.tags.add(tags);
        self.done += 1;
        self.take_spans(model);
    }

    /// Takes the hits among the program's spans, once they and all tags have been read.
    fn take_spans(&mut self, model: &Model) {
        if !self.knows_spans() || !self.finder.finds(HitKind::Span) {
            return;
        }
        self.tags.sort();
        let mut spans = model.known.found_spans(&self.finder, &self.tags, self.read.as_deref());
        for hit in &mut spans {
            hit.text = core::mem::take(&mut hit.text).cut(self.shown.most_text);
        }
        match self.order {
            FindOrder::Nearest(..) => spans.into_iter().for_each(|hit| self.found.add(hit.kind, hit.time, || hit)),
            FindOrder::InTime => self.spans = spans,
        }
    }

    /// The place of a segment among those that have to be read for hits.
    fn place_of(&self, segment: u32) -> Option<usize> {
        // The next ones are at the end of the list.
        self.ahead.iter().rposition(|part| part.segment == segment)
    }

    /// Takes the hits of a part.
    fn take_part(&mut self, place: usize, mut found: FoundHits) {
        let part = self.ahead.remove(place);
        self.done += 1;
        if self.order != FindOrder::InTime {
            self.found.merge(found);
            return;
        }
        let until = self.horizon.unwrap_or(Nanos::MAX);
        let mut hits = found.take();
        hits.retain(|hit| hit.time >= part.from);
        let all = hits.len();
        hits.retain(|hit| hit.time < until || self.horizon.is_none());
        if hits.len() < all {
            self.read_again(part.segment, until);
        }
        self.waiting.add(hits, part.segment);
        if self.waiting.bytes_held() > self.most_bytes {
            self.release();
        }
        if self.waiting.bytes_held() > self.most_bytes
            && let Some((horizon, segments)) = self.waiting.drop_last()
        {
            self.horizon = Some(horizon);
            segments.into_iter().for_each(|segment| self.read_again(segment, horizon));
        }
    }

    /// Puts a segment on the list again, for the hits from a moment on.
    fn read_again(&mut self, segment: u32, from: Nanos) {
        let part = FindPart { segment, first: from, from };
        // An entry from before asks for hits from a later moment on: the new one includes them.
        if let Some(place) = self.place_of(segment) {
            self.ahead.remove(place);
        }
        let place = self.ahead.partition_point(|other| other.first > from);
        self.ahead.insert(place, part);
    }

    /// In order of time: moves hits to `next` that no unread segment can precede.
    fn release(&mut self) {
        if self.order != FindOrder::InTime || !self.knows_spans() {
            return;
        }
        let before = self.ahead.last().map_or(Nanos::MAX, |part| part.first);
        let over = self.ahead.is_empty();
        let mut hits = if over { self.waiting.take_all() } else { self.waiting.take_before(before) };
        let spans = if over { self.spans.len() } else { self.spans.partition_point(|hit| hit.time < before) };
        hits.extend(self.spans.drain(..spans));
        if spans > 0 {
            sort_by_key(&mut hits, Hit::key);
        }
        for hit in &hits {
            if let Some(count) = self.found.counts.get_mut(hit.kind.place()) {
                *count += 1;
            }
        }
        self.next.extend(hits);
        if self.horizon.is_some_and(|horizon| before >= horizon) {
            self.horizon = None;
        }
    }
}

impl Job for Find {
    fn reads(&mut self, model: &mut Model) -> Vec<(u64, u64)> {
        let is_near = |part: &&FindPart| self.horizon.is_none_or(|horizon| part.first < horizon);
        let for_hits = self.ahead.iter().rev().take_while(is_near).map(|part| part.segment);
        let reads = if self.waits_for_spans() {
            model.known.reads_of(self.segments_of_spans(), self.batch)
        } else {
            // Most of them are read for hits, too.
            let for_spans = self.segments_of_spans().filter(|segment| self.place_of(*segment).is_none());
            model.known.reads_of(for_hits.chain(for_spans), self.batch)
        };
        self.batch = (self.batch * 2).min(limits::FIND_AHEAD);
        reads
    }

    fn give(&mut self, model: &mut Model, offset: u64, bytes: &[u8]) -> Result<(), Changed> {
        let end = offset + bytes.len() as u64;
        let mut given = self.read_spans(model, offset, bytes);
        for number in model.known.index.segments_within(offset, end) {
            let Some(from) = model.known.index.segment(number).map(|segment| segment.at.offset) else { continue };
            // The first pass did not look beyond what was fed, either.
            let chunk = Chunk { bytes, offset, last: end >= model.known.fed }.from(from);
            match self.read_segment(chunk, number, model) {
                Ok(()) => {}
                Err(Failure::Need(ahead)) => model.known.index.look_further(number, ahead),
                Err(Failure::Changed) => given = Err(Changed),
            }
        }
        self.release();
        given
    }

    /// Everything that it needs was passed to `give`.
    fn take(&mut self, _: &Model) {}

    fn progress(&self) -> Progress {
        Progress { done: self.done, of: self.done + self.segments_of_spans().count() + self.ahead.len() }
    }
}
