//! The log's events, one by one in file order: they are read again from the file, some at a time, from any place.
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
//! of each stream at the range's edges, are read first, to count their events inside.

mod event_at;
pub(crate) mod listing;
mod part;

pub(crate) use event_at::{EventAt, Read};
pub use listing::{Choice, Listing};

use crate::{
    keeping::occurring::Chosen,
    known::{counted::Counted, index::Side},
    limits,
    reading::{
        again::Failure,
        job::{Changed, Job},
        model::Model,
    },
    terms::{
        progress::Progress,
        table::{TablePage, TableQuery},
    },
};
use alloc::{
    string::{String, ToString},
    vec,
    vec::Vec,
};
use ghc_eventlog::{Chunk, Header, Nanos, Record};
use ghc_eventlog_text::LogText;
use listing::{KEY, TIME, cells, rows};
use part::EventsPart;

/// Event rows that are being read: see [`Model::read_rows`].
#[derive(Debug, Clone)]
pub struct EventRows {
    page: TablePage,
    /// How many rows are wanted.
    count: usize,
    /// The types to include; `None` for all.
    chosen: Option<Chosen>,
    /// The time to include, from a time to before another; `None` for all.
    times: Option<(Nanos, Nanos)>,
    /// The query's filter.
    filter: String,
    /// The segments that may have matching events, until all have been counted.
    uncounted: Vec<Uncounted>,
    /// Whether the counts are valid for other jobs, too: the log was over when this one began, so that the index does not
    /// change, and everything could be read so far.
    keeps_counts: bool,
    /// The parts that have not been read yet.
    ahead: Vec<EventsPart>,
    /// How many pieces of the file have been read.
    done: usize,
}

/// A segment that may have matching events.
#[derive(Debug, Clone)]
struct Uncounted {
    /// The whole segment.
    part: EventsPart,
    /// How many matching events it has; `None` if it must be read to know.
    count: Option<u64>,
    /// Whether it had to be read to know.
    is_edge: bool,
}

impl Model {
    /// Begins to read some rows of a [`Listing`]: a [`Job`]. `None` for a table whose rows are kept: see [`Model::page`]. At
    /// most [`limits::MAX_PAGE`] rows. The only column of a query that can select rows is that of times, with a range.
    ///
    /// ```
    /// use ghc_eventlog::{Block, CapNo, LogWriter, Nanos, RunThread, ThreadId};
    /// use ghc_eventlog_model::{Model, TableQuery, Value, work};
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
    /// let query = TableQuery { table: "log".into(), ..TableQuery::default() };
    /// let mut job = model.read_rows(&query, 0, 10).unwrap();
    /// let read = |offset: u64, length: u64| Ok::<_, Infallible>(&log[offset as usize..(offset + length) as usize]);
    /// assert_eq!(work(&mut job, &mut model, read), Ok(true));
    /// let page = job.page().unwrap();
    /// assert_eq!(page.rows[0][3], Value::words("running thread 7"));
    /// ```
    #[must_use]
    pub fn read_rows(&self, query: &TableQuery, from: usize, count: usize) -> Option<EventRows> {
        Listing::has(&query.table).then(|| EventRows::new(self, query, from, count.min(limits::MAX_PAGE)))
    }
}

impl EventRows {
    fn new(model: &Model, query: &TableQuery, from: usize, count: usize) -> Self {
        let index = &model.known.index;
        let tags = query.filter.split(',').filter_map(|tag| tag.parse().ok());
        let chosen: Option<Chosen> = (!query.filter.is_empty()).then(|| tags.collect());
        let within = query.within.as_ref().filter(|within| within.column == TIME);
        let times = within.map(|within| (Nanos(within.from), Nanos(within.to)));
        let page = TablePage {
            table: KEY.to_string(),
            from,
            rows: Vec::new(),
            times: Vec::new(),
            tracks: Vec::new(),
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
            keeps_counts: model.known.is_finished(),
            ahead: Vec::new(),
            done: 0,
        };
        let segments = || index.segments().iter().enumerate();
        let count_of = |at: usize| match &chosen {
            Some(tags) => index.count_of(at, tags),
            None => index.events_of(at),
        };
        let Some((from, to)) = times else {
            job.lay_out(segments().map(|(at, segment)| (EventsPart::of(segment), count_of(at))));
            return job;
        };
        // Events of capabilities beyond the limit are in no stream: the index does not know their times.
        let sides = if model.known.caps.is_capped { Vec::new() } else { index.sides(from, to) };
        let uncounted = segments().filter_map(|(at, segment)| {
            let count = match sides.get(at) {
                Some(Side::Outside) => return None,
                Some(Side::Inside) => Some(count_of(at)),
                Some(Side::Edge) | None => (count_of(at) == 0).then_some(0),
            };
            Some(Uncounted { part: EventsPart::of(segment), count, is_edge: count.is_none() })
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

    /// To be called once the number of matching events in each segment is known.
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

    /// Finds the wanted rows. `segments` has each segment with its number of matching events.
    fn lay_out(&mut self, segments: impl Iterator<Item = (EventsPart, u64)>) {
        let first = self.page.from as u64;
        let end = self.page.from.saturating_add(self.count) as u64;
        let mut before = 0;
        for (part, count) in segments {
            let behind = before + count;
            let (start, stop) = (first.max(before), end.min(behind));
            if start < stop {
                let rows = (start - first) as usize..(stop - first) as usize;
                self.ahead.push(EventsPart { skip: start - before, rows, ..part });
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

    /// Reads the rows of a part, from a chunk that begins with it. An error says how many bytes beyond its end are needed.
    fn read(&mut self, part: &EventsPart, chunk: Chunk<'_>, model: &Model) -> Result<(), Failure> {
        let (mut skip, mut rows) = (part.skip, part.rows.clone());
        part.events(chunk, model, |number, record, header| match (self.is_chosen(record), skip) {
            (false, _) => {}
            (true, _) if rows.is_empty() => {}
            (true, 0) => self.put(rows.next(), record, number, header, model.known.type_name(record.tag)),
            (true, _) => skip -= 1,
        })
    }

    /// Counts the matching events of a segment, from a chunk that begins with it. An error says how many bytes beyond its end
    /// are needed.
    fn count(&self, part: &EventsPart, chunk: Chunk<'_>, model: &Model) -> Result<u64, Failure> {
        let mut count = 0;
        let read = part.events(chunk, model, |_, record, _| {
            count += u64::from(self.is_chosen(record));
        });
        read.map(|()| count)
    }

    fn is_chosen(&self, record: &Record<'_>) -> bool {
        self.chosen.as_ref().is_none_or(|chosen| chosen.has(record.tag))
            && self.times.is_none_or(|(from, to)| from <= record.time && record.time < to)
    }

    fn put(&mut self, place: Option<usize>, record: &Record<'_>, number: u64, header: &Header, name: LogText<'static>) {
        let TablePage { rows, times, .. } = &mut self.page;
        if let Some(row) = place.and_then(|place| rows.get_mut(place)) {
            *row = cells(record, number, header, name);
        }
        if let Some(time) = place.and_then(|place| times.get_mut(place)) {
            *time = Some(record.time);
        }
    }
}

impl Job for EventRows {
    fn reads(&mut self, model: &mut Model) -> Vec<(u64, u64)> {
        let uncounted = self.uncounted.iter().filter(|segment| segment.count.is_none()).map(|segment| &segment.part);
        uncounted.chain(&self.ahead).map(|part| part.read_of(model)).collect()
    }

    fn give(&mut self, model: &mut Model, offset: u64, bytes: &[u8]) -> Result<(), Changed> {
        let end = offset + bytes.len() as u64;
        // The first pass did not look beyond what was fed, either.
        let chunk = Chunk { bytes, offset, last: end >= model.known.fed };
        let mut given = Ok(());
        let mut uncounted = core::mem::take(&mut self.uncounted);
        for Uncounted { part, count, .. } in &mut uncounted {
            if count.is_some() || !part.is_within(offset, end) {
                continue;
            }
            match self.count(part, chunk.from(part.at.offset), model) {
                Ok(all) => {
                    *count = Some(all);
                    self.done += 1;
                }
                Err(failure) => given = given.and(part.look_further(failure)),
            }
        }
        let mut left = Vec::with_capacity(self.ahead.len());
        for mut part in core::mem::take(&mut self.ahead) {
            if !part.is_within(offset, end) {
                left.push(part);
                continue;
            }
            match self.read(&part, chunk.from(part.at.offset), model) {
                Ok(()) => self.done += 1,
                Err(failure) => {
                    given = given.and(part.look_further(failure));
                    left.push(part);
                }
            }
        }
        self.ahead = left;
        if !uncounted.is_empty() {
            self.uncounted = uncounted;
            self.keep_counts(model);
            self.lay_out_if_counted();
        }
        given
    }

    /// Everything that it needs was passed to `give`.
    fn take(&mut self, _: &Model) {}

    fn progress(&self) -> Progress {
        let uncounted = self.uncounted.iter().filter(|segment| segment.count.is_none()).count();
        Progress { done: self.done, of: self.done + uncounted + self.ahead.len() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// They are small, compared with the index of the same segments.
    #[test]
    fn counts_and_their_segments_take_room() {
        let counted = Counted { filter: "1,2,3".into(), times: None, counts: Vec::with_capacity(100) };
        assert_eq!(counted.bytes_held(), 5 + 100 * 8);
    }
}
