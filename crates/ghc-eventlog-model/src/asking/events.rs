//! The log's events, one by one, in order of time or of the file: they are read again from the file, some at a time, from any
//! place.
//!
//! ```text
//! segments of the index     |      0      |      1      |      2      |
//! rows before: all events   0             4100          8230
//! rows before: GC_STATS     0             2             2
//! asked for                        [-------------]
//! read again                |-------------|-------------|
//! ```
//!
//! The index knows how many events of each type every segment has. So any row is found without reading the segments before
//! its own, for any choice of types. Block markers do not count as events: they only say which capability the next events
//! belong to.
//!
//! For a range of time, the index knows which segments lie completely inside and which completely outside. The others, a few
//! of each stream at the range's edges, are read first, to count their events inside. For a query, all segments that may have
//! events that fit it are [counted](CountEvents) once; until then, the rows are those that are known to come first.
//!
//! In order of time, rows are found by the times of the segments: see `in_time.rs`.

mod count;
mod details;
mod event_at;
mod fields;
mod in_time;
mod kept;
pub(crate) mod listing;
mod near;
mod part;
mod row_parts;
mod wish;

pub use count::CountEvents;
pub use details::{EventDetails, ReadEvent};
pub(crate) use event_at::{EventAt, Read};
pub use listing::{Choice, Listing};
pub use near::EventPlace;
pub use wish::EventsWish;

use crate::{
    asking::query::QueryError,
    known::counted::SegmentCount,
    limits,
    reading::{
        again::Failure,
        job::{Changed, Job},
        model::Model,
    },
    sorting::sort_by_number,
    terms::{
        progress::Progress,
        table::{Column, TablePage},
        track::TrackId,
    },
};
use alloc::{
    string::{String, ToString},
    vec,
    vec::Vec,
};
use core::ops::Range;
use ghc_eventlog::Chunk;
use in_time::{InTime, key};
use listing::{KEY, cells, line, rows};
use part::{ListedEvent, count_of, each_chosen, each_event, each_segment};
use row_parts::{Picks, RowsPart, parts_at, parts_in_file};
use wish::EventChoice;

/// Event rows that are being read: see [`Model::event_rows`].
#[derive(Debug, Clone)]
pub struct EventRows {
    wish: EventsWish,
    choice: EventChoice,
    /// Whether rows are wanted as lines of JSON, and not as cells.
    as_lines: bool,
    page: TablePage,
    lines: Vec<String>,
    /// The type of all events, if it is one.
    only: Option<u16>,
    /// The columns of its fields.
    fields: Vec<Column>,
    /// How many rows are wanted.
    count: usize,
    most_keys: usize,
    /// How often the index had been merged when it began: then all segments got new numbers.
    merged: u32,
    counts: Vec<Option<SegmentCount>>,
    is_complete: bool,
    stage: Stage,
    /// How many pieces of the file have been read.
    done: usize,
}

/// What is being done. Each stage has the segments that have not been read yet.
#[derive(Debug, Clone)]
enum Stage {
    /// Counting the events of segments at the edges of a range.
    Counting(Vec<u32>),
    /// Finding out which events the rows are, in order of time.
    Ordering(InTime),
    /// Reading the rows.
    Reading(Vec<RowsPart>),
}

impl Model {
    /// Begins to read some of the log's events: a [`Job`]. At most [`limits::MAX_PAGE`] rows. With a query, its rows are those
    /// that are known to come first, as far as the log has been [counted](Self::count_events).
    ///
    /// ```
    /// use ghc_eventlog::{Block, CapNo, LogWriter, Nanos, RunThread, ThreadId};
    /// use ghc_eventlog_model::{EventsWish, Model, Value, work};
    /// use std::convert::Infallible;
    ///
    /// let mut writer = LogWriter::new();
    /// writer.block(Block::of(CapNo(0)), |block| {
    ///     block.event(Nanos(5), RunThread { thread: ThreadId(7) });
    /// });
    /// let log = writer.finish();
    /// let mut model = Model::new();
    /// model.feed(&log);
    /// model.finish();
    ///
    /// let mut job = model.event_rows(&EventsWish::default(), 0, 10)?;
    /// let read = |offset: u64, length: u64| Ok::<_, Infallible>(&log[offset as usize..(offset + length) as usize]);
    /// assert_eq!(work(&mut job, &mut model, read), Ok(true));
    /// let page = job.page().unwrap();
    /// assert_eq!(page.rows[0][5], Value::words("running thread 7"));
    /// # Ok::<(), ghc_eventlog_model::QueryError>(())
    /// ```
    ///
    /// # Errors
    /// When the wish's query cannot be read, or names a type of events that does not exist.
    pub fn event_rows(&self, wish: &EventsWish, from: usize, count: usize) -> Result<EventRows, QueryError> {
        self.event_rows_within(wish, from, count, limits::ORDER_KEYS)
    }

    /// The same as lines of JSON, as `ghc-eventlog find --json` prints them, with two more members: `offset`, where the event is
    /// in the file, and `number`, its place among all events.
    ///
    /// # Errors
    /// When the wish's query cannot be read, or names a type of events that does not exist.
    pub fn event_lines(&self, wish: &EventsWish, from: usize, count: usize) -> Result<EventRows, QueryError> {
        let choice = EventChoice::new(self, wish)?;
        let count = count.min(limits::MAX_PAGE);
        Ok(EventRows::new(self, wish.clone(), choice, from, count, limits::ORDER_KEYS, true))
    }

    /// The same with room for `most_keys` keys of events, for tests. The limit only affects how often parts of the log are read.
    #[doc(hidden)]
    pub fn event_rows_within(
        &self,
        wish: &EventsWish,
        from: usize,
        count: usize,
        most_keys: usize,
    ) -> Result<EventRows, QueryError> {
        let choice = EventChoice::new(self, wish)?;
        let count = count.min(limits::MAX_PAGE);
        Ok(EventRows::new(self, wish.clone(), choice, from, count, most_keys.max(count), false))
    }
}

impl EventRows {
    fn new(
        model: &Model,
        wish: EventsWish,
        choice: EventChoice,
        from: usize,
        count: usize,
        most_keys: usize,
        as_lines: bool,
    ) -> Self {
        let only = choice.only_type(model);
        let page = TablePage {
            table: KEY.to_string(),
            from,
            kept: rows(model.known.index.events()),
            of: model.events(),
            ..TablePage::default()
        };
        let mut job = Self {
            counts: model.counts_of(&wish, &choice),
            fields: only.map_or_else(Vec::new, |tag| {
                fields::columns(tag, fields::any_has_other_fields(model.decoder.headers(), tag))
            }),
            only,
            wish,
            choice,
            as_lines,
            page,
            lines: Vec::new(),
            count,
            most_keys,
            merged: model.known.index.merged(),
            is_complete: false,
            stage: Stage::Reading(Vec::new()),
            done: 0,
        };
        let uncounted: Vec<u32> = uncounted(&job.counts).collect();
        if uncounted.is_empty() || job.choice.has_query() {
            job.lay_out(model);
        } else {
            job.stage = Stage::Counting(uncounted);
        }
        job
    }

    /// Finds the wanted rows, as far as the number of events in each segment is known.
    fn lay_out(&mut self, model: &Model) {
        self.is_complete = self.counts.iter().all(Option::is_some);
        let settled = self.settled(model);
        self.page.found = rows(settled);
        let first = (self.page.from as u64).min(settled);
        let end = (self.page.from.saturating_add(self.count) as u64).min(settled);
        let there = (end - first) as usize;
        if self.as_lines {
            self.lines = vec![String::new(); there];
        } else {
            self.page.rows = vec![Vec::new(); there];
            self.page.times = vec![None; there];
            self.page.tracks = vec![None; there];
        }
        self.stage = if !self.wish.by_time {
            Stage::Reading(parts_in_file(&self.counts, first, end))
        } else if let Some(keys) = model.kept_keys(&self.wish, first..end) {
            Stage::Reading(parts_at(model, (0..).zip(keys.iter().copied())))
        } else {
            Stage::Ordering(InTime::new(&self.counts, first..end, settled, self.most_keys))
        };
        self.go_on(model);
    }

    /// How many rows are known to come first.
    fn settled(&self, model: &Model) -> u64 {
        if self.is_complete || !self.wish.by_time {
            return self.counts.iter().map_while(|of| *of).map(|of| of.count).sum();
        }
        in_time::settled(&self.counts, wish::horizon(model, &self.counts))
    }

    /// Once the rows' places are known: reads them.
    fn go_on(&mut self, model: &Model) {
        if let Stage::Ordering(order) = &mut self.stage
            && order.is_done()
        {
            let mut found = order.take();
            sort_by_number(&mut found, |(row, _)| *row);
            let first = found.first().map_or(0, |(row, _)| *row);
            let placed = found.into_iter().map(|(row, key)| ((row - first) as usize, key));
            self.stage = Stage::Reading(parts_at(model, placed));
        }
    }

    /// The rows; `None` as long as the job is not done, and for [lines](Model::event_lines).
    #[must_use]
    pub fn page(&self) -> Option<&TablePage> {
        (self.is_done() && !self.as_lines).then_some(&self.page)
    }

    /// The rows as [lines](Model::event_lines); `None` as long as the job is not done.
    #[must_use]
    pub fn lines(&self) -> Option<&[String]> {
        (self.is_done() && self.as_lines).then_some(&self.lines)
    }

    /// The columns of the rows: where all events are of one type, its fields are among them.
    #[must_use]
    pub fn columns(&self) -> Vec<Column> {
        listing::columns(&self.fields)
    }

    /// The columns that are fields of an event, by their places among all.
    #[must_use]
    pub fn field_columns(&self) -> Range<usize> {
        let from = listing::COLUMNS.iter().position(|column| column.key == "type").unwrap_or_default();
        from..from + self.fields.len()
    }

    /// The type of all events, if the wish is for one type of those that the log has.
    #[must_use]
    pub fn only_type(&self) -> Option<u16> {
        self.only
    }

    /// Whether all events that fit the query are known. If not, more may come after the rows.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    fn is_done(&self) -> bool {
        matches!(&self.stage, Stage::Reading(ahead) if ahead.is_empty())
    }

    /// Begins anew, if the segments have other numbers now.
    fn follow_index(&mut self, model: &Model) {
        if self.merged == model.known.index.merged() || self.is_done() {
            return;
        }
        let Self { wish, choice, page, count, most_keys, as_lines, done, .. } = self;
        let job = Self::new(model, wish.clone(), choice.clone(), page.from, *count, *most_keys, *as_lines);
        *self = Self { done: *done, ..job };
    }

    /// Takes a segment, from a chunk that begins with it.
    fn take_segment(&mut self, model: &Model, segment: u32, chunk: Chunk<'_>) -> Result<(), Failure> {
        let Self { choice, stage, counts, .. } = self;
        let events = |take: &mut dyn FnMut(ListedEvent<'_>)| each_chosen(model, choice, segment, chunk, take);
        match stage {
            Stage::Counting(left) => {
                let count = count_of(events)?;
                left.retain(|other| *other != segment);
                counts.get_mut(segment as usize).into_iter().for_each(|of| *of = Some(count));
            }
            Stage::Ordering(order) => {
                let mut keys = Vec::new();
                events(&mut |event| keys.push(key(event.seen.record.time, event.seen.record.offset)))?;
                order.add(segment, &keys, counts);
            }
            Stage::Reading(ahead) => {
                let Some(place) = ahead.iter().position(|part| part.segment == segment) else { return Ok(()) };
                let Some(RowsPart { picks, .. }) = ahead.get(place).cloned() else { return Ok(()) };
                ahead.remove(place);
                match self.read(model, segment, chunk, picks.clone()) {
                    Ok(()) => {}
                    Err(failure) => {
                        if let Stage::Reading(ahead) = &mut self.stage {
                            ahead.insert(place, RowsPart { segment, picks });
                        }
                        return Err(failure);
                    }
                }
            }
        }
        self.done += 1;
        Ok(())
    }

    /// Reads the rows of a segment.
    fn read(&mut self, model: &Model, segment: u32, chunk: Chunk<'_>, picks: Picks) -> Result<(), Failure> {
        let Self { choice, fields, page, lines, as_lines, .. } = self;
        let mut put = |place: usize, event: ListedEvent<'_>| {
            if *as_lines {
                lines.get_mut(place).into_iter().for_each(|row| *row = line(event, &model.known));
            } else if let Some(row) = page.rows.get_mut(place) {
                *row = cells(event, &model.known, fields);
                let record = event.seen.record;
                let cap = record.cap.filter(|cap| model.known.caps.place(*cap).is_some());
                page.times.get_mut(place).into_iter().for_each(|time| *time = Some(record.time));
                page.tracks.get_mut(place).into_iter().for_each(|track| *track = cap.map(TrackId::capability));
            }
        };
        match picks {
            Picks::Next { mut skip, mut places } => each_chosen(model, choice, segment, chunk, &mut |event| {
                if places.is_empty() {
                } else if skip > 0 {
                    skip -= 1;
                } else if let Some(place) = places.next() {
                    put(place, event);
                }
            }),
            Picks::At(picks) => {
                let mut picks = picks.into_iter().peekable();
                each_event(&model.known, &model.decoder, segment, chunk, &mut |event| {
                    if let Some((_, place)) = picks.next_if(|(offset, _)| *offset == event.seen.record.offset) {
                        put(place, event);
                    }
                })
            }
        }
    }

    /// The segments that are wanted next.
    fn wanted(&self) -> Vec<u32> {
        match &self.stage {
            Stage::Counting(left) => left.clone(),
            Stage::Ordering(order) => order.segments().to_vec(),
            Stage::Reading(ahead) => ahead.iter().map(|part| part.segment).collect(),
        }
    }
}

/// The segments whose events have not been counted.
fn uncounted(counts: &[Option<SegmentCount>]) -> impl Iterator<Item = u32> {
    (0..).zip(counts).filter(|(_, of)| of.is_none()).map(|(segment, _)| segment)
}

impl Job for EventRows {
    fn reads(&mut self, model: &mut Model) -> Vec<(u64, u64)> {
        self.follow_index(model);
        model.known.reads_of(self.wanted().into_iter(), limits::FIND_AHEAD)
    }

    fn give(&mut self, model: &mut Model, offset: u64, bytes: &[u8]) -> Result<(), Changed> {
        self.follow_index(model);
        let wanted = self.wanted();
        let given = each_segment(
            model,
            (offset, bytes),
            |segment| wanted.contains(&segment),
            |model, segment, chunk| self.take_segment(model, segment, chunk),
        );
        if let Stage::Counting(left) = &self.stage
            && left.is_empty()
        {
            if let Some(counted) = model.counted_for(&self.wish, &self.counts) {
                counted.counts.clone_from(&self.counts);
            }
            self.lay_out(model);
        }
        if let Stage::Ordering(order) = &mut self.stage
            && let Some((before, keys)) = order.take_keys()
            && let Some(counted) = model.counted_for(&self.wish, &self.counts)
        {
            (counted.before, counted.keys) = (before, keys);
        }
        self.go_on(model);
        given
    }

    /// Everything that it needs was passed to `give`.
    fn take(&mut self, _: &Model) {}

    fn progress(&self) -> Progress {
        Progress { done: self.done, of: self.done + self.wanted().len() }
    }
}
