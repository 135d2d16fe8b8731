//! The log's events, one by one in order of the file: read again from it, some at a time, from any place.
//!
//! ```text
//! segments of the index     |      0      |      1      |      2      |
//! rows before: all events   0             4100          8230
//! rows before: GC_STATS     0             2             2
//! asked for                        [-------------]
//! read again                |-------------|-------------|
//! ```
//!
//! The index tells how many events of each type every segment has, so that any row is found without reading those before its
//! segment, whichever types are chosen. Block markers are no events: they only say whose the next ones are.
//!
//! Of a range of time, the index knows which segments lie wholly inside, and which wholly outside. Those at its edges, a few of
//! each stream, are read first, to count what they have inside.

use crate::{
    asking::job::{Job, Progress},
    facts::{
        table::{Column, TableInfo, TablePage, TableQuery},
        value::{Unit, Value},
    },
    keeping::{
        index::{Segment, Side},
        occurring::Chosen,
    },
    limits,
    model::Model,
    reading::session::Session,
};
use alloc::{
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use core::ops;
use ghc_eventlog::{Chunk, Event, Header, Nanos, PartDecoder, Position, Record, Step};

/// A table of which no rows are kept: they are read from the log again, by a [`Job`] that [`Model::read_rows`] begins. They
/// come in one order, and are filtered by the choices that are made, not by texts.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing {
    /// What it is; its rows are those that can be read by now.
    pub table: TableInfo,
    /// What rows are chosen by: a [filter](TableQuery::filter) is some of their keys, with commas between them.
    pub choices: Vec<Choice>,
}

/// What rows can be chosen by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// What stands in a filter for it.
    pub key: u16,
    /// What people call it.
    pub name: String,
    /// How many such there are.
    pub count: u64,
}

/// Some events that are being read: see [`Model::read_rows`].
#[derive(Debug, Clone)]
pub struct EventRows {
    page: TablePage,
    /// How many rows are asked for.
    count: usize,
    /// The types that are chosen; `None` for all.
    chosen: Option<Chosen>,
    /// The times that are chosen, from one to before another; `None` for all.
    times: Option<(Nanos, Nanos)>,
    /// The query's filter.
    filter: String,
    /// The segments that may have chosen events, as long as not all of those are counted.
    uncounted: Vec<Uncounted>,
    /// Whether their counts are good for other jobs, too: the log was over when this one began, so that the index stays as it was,
    /// and all could be read so far.
    keeps_counts: bool,
    /// What has not been read.
    ahead: Vec<Part>,
    /// How many pieces of the file have been read.
    done: usize,
}

/// A segment that may have chosen events.
#[derive(Debug, Clone)]
struct Uncounted {
    /// All of it.
    part: Part,
    /// How many there are; `None` where it must be read for that.
    count: Option<u64>,
    /// Whether it had to be.
    is_edge: bool,
}

/// How many chosen events the segments at the edges of a range have: a list is read page by page, and they need be read only
/// once for that. Only of a log that is over: until then, the same range comes to have other edges.
#[derive(Debug, Default)]
pub(crate) struct Counted {
    filter: String,
    times: Option<(Nanos, Nanos)>,
    /// In order of the file.
    counts: Vec<u64>,
}

impl Counted {
    pub(crate) fn bytes_held(&self) -> usize {
        self.filter.len() + self.counts.capacity() * size_of::<u64>()
    }
}

/// Some rows of one segment. It has all that is needed to decode them, whatever becomes of the index meanwhile.
#[derive(Debug, Clone)]
struct Part {
    at: Position,
    end: u64,
    /// How many bytes beyond its end are read with it.
    ahead: u64,
    /// How many events of the log stand before it.
    events_before: u64,
    /// How many chosen events of it come before the rows.
    skip: u64,
    /// Their places in the page.
    rows: ops::Range<usize>,
}

/// The table's key.
const KEY: &str = "log";

const fn column(key: &'static str, name: &'static str, unit: Unit) -> Column {
    Column { key, name, unit, role: None, part: false }
}

/// The column of times, by which a [range](TableQuery::within) of rows is chosen.
const TIME: &str = "time_ns";

static COLUMNS: [Column; 6] = [
    column(TIME, "Time", Unit::Time),
    column("cap", "Capability", Unit::Capability),
    column("type", "Type", Unit::Text),
    column("event", "Event", Unit::Text),
    column("offset_bytes", "Byte", Unit::Offset),
    column("number", "Number", Unit::Count),
];

impl Listing {
    /// The log's events, as far as they can be read again by now.
    pub(crate) fn events(model: &Model) -> Self {
        let rows = rows(model.session.index.events());
        let table = TableInfo { key: KEY, name: "All events", columns: COLUMNS.to_vec(), rows, track: None };
        let choice = |(key, count)| Choice { key, name: model.session.type_name(key), count };
        Self { table, choices: model.counts().take(limits::MAX_CHOICES).map(choice).collect() }
    }
}

/// A number of rows, as far as it can be counted.
fn rows(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

impl Model {
    /// Begins to read some rows of a [`Listing`]: a [`Job`]. `None` for a table whose rows are kept: see [`Model::page`]. No
    /// more than [`limits::MAX_PAGE`] of them. Of a query's columns only that of times chooses rows: those of a range.
    ///
    /// ```
    /// use ghc_eventlog::{Block, CapNo, LogWriter, Nanos, RunThread, ThreadId};
    /// use ghc_eventlog_model::{Job, Model, TableQuery, Value};
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
    /// let query = TableQuery { table: "log".into(), ..TableQuery::default() };
    /// let mut job = model.read_rows(&query, 0, 10).unwrap();
    /// while let [(offset, length), ..] = job.reads(&model)[..] {
    ///     job.give(&mut model, offset, &log[offset as usize..(offset + length) as usize]);
    /// }
    /// let page = job.page().unwrap();
    /// assert_eq!(page.rows[0][3], Value::Text("running thread 7".into()));
    /// ```
    #[must_use]
    pub fn read_rows(&self, query: &TableQuery, from: usize, count: usize) -> Option<EventRows> {
        (query.table == KEY).then(|| EventRows::new(self, query, from, count.min(limits::MAX_PAGE)))
    }
}

impl EventRows {
    fn new(model: &Model, query: &TableQuery, from: usize, count: usize) -> Self {
        let index = &model.session.index;
        let tags = query.filter.split(',').filter_map(|tag| tag.parse().ok());
        let chosen: Option<Chosen> = (!query.filter.is_empty()).then(|| tags.collect());
        let within = query.within.as_ref().filter(|within| within.column == TIME);
        let times = within.map(|within| (Nanos(within.from), Nanos(within.to)));
        let page = TablePage {
            table: KEY.to_string(),
            from,
            rows: Vec::new(),
            times: Vec::new(),
            found: 0,
            kept: rows(index.events()),
            of: model.events(),
        };
        let mut job = Self {
            page,
            count,
            chosen: chosen.clone(),
            times,
            filter: query.filter.clone(),
            uncounted: Vec::new(),
            keeps_counts: model.session.is_finished(),
            ahead: Vec::new(),
            done: 0,
        };
        let segments = || index.segments().iter().enumerate();
        let count_of = |at: usize| match &chosen {
            Some(tags) => index.count_of(at, tags),
            None => index.events_of(at),
        };
        let Some((from, to)) = times else {
            job.lay_out(segments().map(|(at, segment)| (Part::of(segment), count_of(at))));
            return job;
        };
        // Events of capabilities that are too many are in no stream: the index does not know when they were.
        let sides = if model.session.caps.is_capped { Vec::new() } else { index.sides(from, to) };
        let uncounted = segments().filter_map(|(at, segment)| {
            let count = match sides.get(at) {
                Some(Side::Outside) => return None,
                Some(Side::Inside) => Some(count_of(at)),
                Some(Side::Edge) | None => (count_of(at) == 0).then_some(0),
            };
            Some(Uncounted { part: Part::of(segment), count, is_edge: count.is_none() })
        });
        job.uncounted = uncounted.collect();
        let Counted { filter, times, counts } = &model.counted;
        if (filter, times) == (&job.filter, &job.times) {
            let edges = job.uncounted.iter_mut().filter(|segment| segment.is_edge);
            edges.zip(counts).for_each(|(segment, count)| segment.count = Some(*count));
        }
        job.lay_out_if_counted();
        job
    }

    /// Once it is known how many chosen events each segment has.
    fn lay_out_if_counted(&mut self) {
        if self.uncounted.iter().all(|segment| segment.count.is_some()) {
            let counted = core::mem::take(&mut self.uncounted);
            self.lay_out(counted.into_iter().filter_map(|segment| Some((segment.part, segment.count?))));
        }
    }

    /// Keeps the counts of the edges for the next page, once all are known.
    fn keep_counts(&self, model: &mut Model) {
        if !self.keeps_counts {
            return;
        }
        let edges = self.uncounted.iter().filter(|segment| segment.is_edge);
        if let Some(counts) = edges.map(|segment| segment.count).collect::<Option<Vec<u64>>>() {
            model.counted = Counted { filter: self.filter.clone(), times: self.times, counts };
        }
    }

    /// Finds where the rows stand that are asked for, in segments with how many chosen events each has.
    fn lay_out(&mut self, segments: impl Iterator<Item = (Part, u64)>) {
        let first = self.page.from as u64;
        let end = self.page.from.saturating_add(self.count) as u64;
        let mut before = 0;
        for (part, count) in segments {
            let behind = before + count;
            let (start, stop) = (first.max(before), end.min(behind));
            if start < stop {
                let rows = (start - first) as usize..(stop - first) as usize;
                self.ahead.push(Part { skip: start - before, rows, ..part });
            }
            before = behind;
        }
        let there = self.ahead.last().map_or(0, |part| part.rows.end);
        self.page.rows = vec![Vec::new(); there];
        self.page.times = vec![None; there];
        self.page.found = rows(before);
    }

    /// The rows; `None` as long as the job is not done.
    #[must_use]
    pub fn page(&self) -> Option<&TablePage> {
        (self.uncounted.is_empty() && self.ahead.is_empty()).then_some(&self.page)
    }

    /// Reads the rows of a part of a chunk that begins with it; or how many bytes beyond its end are needed for that.
    fn read(&mut self, part: &Part, chunk: Chunk<'_>, model: &Model) -> Result<(), u64> {
        let (mut skip, mut rows) = (part.skip, part.rows.clone());
        part.events(chunk, model, |number, record, header| {
            match (self.is_chosen(record), skip) {
                (false, _) => {}
                (true, 0) => self.put(rows.next(), record, number, header, model.session.type_name(record.tag)),
                (true, _) => skip -= 1,
            }
            !rows.is_empty()
        })
    }

    /// How many chosen events a segment has, in a chunk that begins with it; likewise.
    fn count(&self, part: &Part, chunk: Chunk<'_>, model: &Model) -> Result<u64, u64> {
        let mut count = 0;
        let read = part.events(chunk, model, |_, record, _| {
            count += u64::from(self.is_chosen(record));
            true
        });
        read.map(|()| count)
    }

    fn is_chosen(&self, record: &Record<'_>) -> bool {
        self.chosen.as_ref().is_none_or(|chosen| chosen.has(record.tag))
            && self.times.is_none_or(|(from, to)| from <= record.time && record.time < to)
    }

    fn put(&mut self, place: Option<usize>, record: &Record<'_>, number: u64, header: &Header, name: String) {
        let TablePage { rows, times, .. } = &mut self.page;
        if let Some(row) = place.and_then(|place| rows.get_mut(place)) {
            *row = cells(record, number, header, name);
        }
        if let Some(time) = place.and_then(|place| times.get_mut(place)) {
            *time = Some(record.time);
        }
    }
}

/// One event that is to be read again.
#[derive(Debug, Clone)]
pub(crate) struct EventAt {
    /// Where it begins.
    offset: u64,
    /// The segment that it stands in.
    part: Part,
}

/// How far an event has been read.
pub(crate) enum Read {
    /// More of the file is wanted.
    Wanted,
    /// What it says, name and value; nothing if it is not there.
    Done(Vec<(&'static str, Value)>),
}

impl EventAt {
    /// The event at an offset; `None` if that part of the file is not indexed yet.
    pub(crate) fn new(session: &Session, offset: u64) -> Option<Self> {
        let (_, segment) = session.segment_from(offset).filter(|(_, segment)| offset < segment.end)?;
        Some(Self { offset, part: Part::of(segment) })
    }

    pub(crate) fn read_of(&self, model: &Model) -> (u64, u64) {
        self.part.read_of(model)
    }

    /// Takes what it wanted to be read.
    pub(crate) fn take(&mut self, model: &Model, offset: u64, bytes: &[u8]) -> Read {
        let end = offset + bytes.len() as u64;
        if !self.part.is_within(offset, end) {
            return Read::Wanted;
        }
        let chunk = Chunk { bytes, offset, last: end >= model.session.fed }.from(self.part.at.offset);
        let mut decoder = PartDecoder::new(&model.decoder, self.part.at, self.part.end);
        loop {
            match decoder.next(chunk) {
                Step::Event(record) if record.offset == self.offset => {
                    return Read::Done(said(&record, decoder.header()));
                }
                Step::Event(_) | Step::Header | Step::Notice(_) => {}
                Step::Need(bytes) => {
                    let wants = self.part.look_further((decoder.offset() + bytes as u64).saturating_sub(self.part.end));
                    return if wants { Read::Wanted } else { Read::Done(Vec::new()) };
                }
                Step::End => return Read::Done(Vec::new()),
            }
        }
    }
}

/// Whose event it is, what it says, and what is written of one whose fields are not known.
fn said(record: &Record<'_>, header: &Header) -> Vec<(&'static str, Value)> {
    let cap = record.cap.map(|cap| ("Capability", Value::Capability(cap)));
    let mut said: Vec<(&str, Value)> = cap.into_iter().collect();
    said.push(("Event", Value::Text(text(record, header))));
    if matches!(record.event(), Event::Unknown([_, ..])) {
        said.push(("Bytes", Value::Text(hexadecimal(record.payload))));
    }
    said
}

/// Bytes as people write them; not too many.
fn hexadecimal(bytes: &[u8]) -> String {
    let shown = bytes.get(..limits::MAX_BYTES_SHOWN).unwrap_or(bytes);
    let mut text = shown.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
    if shown.len() < bytes.len() {
        text += &format!(" … ({} bytes)", bytes.len());
    }
    text
}

impl Part {
    /// All of a segment.
    fn of(segment: &Segment) -> Self {
        let Segment { at, end, ahead, events_before, .. } = *segment;
        Self { at, end, ahead, events_before, skip: 0, rows: 0..0 }
    }

    /// Gives its events, each with its number in the log, until `wants_more` says that it does not; or how many bytes beyond its
    /// end are needed for that.
    fn events(
        &self,
        chunk: Chunk<'_>,
        model: &Model,
        mut wants_more: impl FnMut(u64, &Record<'_>, &Header) -> bool,
    ) -> Result<(), u64> {
        let mut decoder = PartDecoder::new(&model.decoder, self.at, self.end);
        let mut number = self.events_before;
        loop {
            match decoder.next(chunk) {
                Step::Event(record) if record.is_block_marker() => {}
                Step::Event(record) => {
                    number += 1;
                    if !wants_more(number, &record, decoder.header()) {
                        return Ok(());
                    }
                }
                Step::Header | Step::Notice(_) => {}
                Step::Need(bytes) => return Err((decoder.offset() + bytes as u64).saturating_sub(self.end)),
                Step::End => return Ok(()),
            }
        }
    }

    /// What must be read of the file for it, as offset and length.
    fn read_of(&self, model: &Model) -> (u64, u64) {
        (self.at.offset, (self.end + self.ahead).min(model.session.fed) - self.at.offset)
    }

    fn is_within(&self, from: u64, to: u64) -> bool {
        from <= self.at.offset && self.end <= to
    }

    /// From now on reads at least so many bytes beyond its end; whether there is any use in that.
    fn look_further(&mut self, needed: u64) -> bool {
        // More than that cannot be needed, unless the file has changed.
        let wants = self.ahead < PartDecoder::LOOK_AHEAD;
        self.ahead = needed.max(self.ahead * 16).min(PartDecoder::LOOK_AHEAD);
        wants
    }
}

/// What stands in the columns.
fn cells(record: &Record<'_>, number: u64, header: &Header, name: String) -> Vec<Value> {
    vec![
        Value::Time(record.time),
        record.cap.map_or(Value::Unknown, Value::Capability),
        Value::Text(name),
        Value::Text(text(record, header)),
        Value::Offset(record.offset),
        Value::Count(number),
    ]
}

/// An event's fields, as `show` prints them; a very long text is cut.
fn text(record: &Record<'_>, header: &Header) -> String {
    let mut text = ghc_eventlog_text::fields(record, header);
    if text.len() > limits::MAX_EVENT_TEXT {
        text.truncate(text.floor_char_boundary(limits::MAX_EVENT_TEXT));
        text.push('…');
    }
    text
}

impl Job for EventRows {
    fn reads(&self, model: &Model) -> Vec<(u64, u64)> {
        let uncounted = self.uncounted.iter().filter(|segment| segment.count.is_none()).map(|segment| &segment.part);
        uncounted.chain(&self.ahead).map(|part| part.read_of(model)).collect()
    }

    fn give(&mut self, model: &mut Model, offset: u64, bytes: &[u8]) {
        let end = offset + bytes.len() as u64;
        // Beyond what was fed the first pass has not looked, either.
        let chunk = Chunk { bytes, offset, last: end >= model.session.fed };
        let mut uncounted = core::mem::take(&mut self.uncounted);
        for Uncounted { part, count, .. } in &mut uncounted {
            if count.is_some() || !part.is_within(offset, end) {
                continue;
            }
            match self.count(part, chunk.from(part.at.offset), model) {
                Ok(all) => *count = Some(all),
                Err(needed) if part.look_further(needed) => continue,
                // The next job may have more luck.
                Err(_) => (*count, self.keeps_counts) = (Some(0), false),
            }
            self.done += 1;
        }
        let mut left = Vec::with_capacity(self.ahead.len());
        for mut part in core::mem::take(&mut self.ahead) {
            if !part.is_within(offset, end) {
                left.push(part);
                continue;
            }
            match self.read(&part, chunk.from(part.at.offset), model) {
                Err(needed) if part.look_further(needed) => left.push(part),
                Ok(()) | Err(_) => self.done += 1,
            }
        }
        self.ahead = left;
        if !uncounted.is_empty() {
            self.uncounted = uncounted;
            self.keep_counts(model);
            self.lay_out_if_counted();
        }
    }

    /// All that it needs it was given.
    fn take(&mut self, _: &Model) {}

    fn progress(&self) -> Progress {
        let uncounted = self.uncounted.iter().filter(|segment| segment.count.is_none()).count();
        Progress { done: self.done, of: self.done + uncounted + self.ahead.len() }
    }
}
