//! What is at a place of a track, and what comes before and after it.
//!
//! ```text
//! drawn    |      ##  ||| |   ##########     |
//! asked          ^  one pixel, from ... to
//! ```
//!
//! A question may need pieces of the file, one after the other. A [`Search`] looks at each once, keeps what it needs of it,
//! and goes on with the next: whatever the cache of decoded segments drops meanwhile, it comes to an end.

use crate::{
    caps::Stream,
    index::{Entry, Segment},
    limits,
    model::Model,
    span::{Collection, Ending, Span},
    state::State,
    tracks::{TrackId, capability, collections},
    view::View,
    window::{Plan, WIDE},
};
use alloc::{
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use ghc_eventlog::{Nanos, StopReason};

/// What is at a place of a track.
#[derive(Debug, Clone, PartialEq)]
pub enum Place {
    /// The log does not tell; if it lacks a class of events, the flag of the runtime that brings it.
    Unknown(Option<&'static str>),
    /// It has not been read yet.
    Unread,
    /// Nothing.
    Empty,
    /// A mean of lanes.
    Level {
        /// How many of them ran, on average.
        running: f64,
        /// How many of them are known at that time.
        of: u64,
    },
    /// A span.
    Span(SpanInfo),
    /// Several spans, too close to each other to be seen.
    Many {
        /// How many.
        count: u64,
        /// Whether there are more: too much of the file would have to be read to count all.
        more: bool,
        /// What they are, in the plural.
        what: &'static str,
        /// The longest of them.
        longest: SpanInfo,
    },
}

/// A span and what is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct SpanInfo {
    /// The span.
    pub span: Span,
    /// Its state's name.
    pub state: &'static str,
    /// Its state's role in the palette.
    pub role: &'static str,
    /// A few words that name it.
    pub title: String,
    /// The rest, in order: name and value.
    pub fields: Vec<(&'static str, Field)>,
}

/// A value, for the page to write in its own way.
#[derive(Debug, Clone, PartialEq)]
pub enum Field {
    /// Words.
    Text(String),
    /// A point in time.
    Time(Nanos),
    /// A duration.
    Duration(Nanos),
    /// A size in bytes.
    Bytes(u64),
}

/// Which way to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Later.
    Next,
    /// Earlier.
    Previous,
}

/// A question that is being answered: see [`Model::look_up`].
#[derive(Debug, Clone)]
pub struct Search {
    /// What must be [supplied](Model::supply) next, as offset and length; then [`Model::go_on`]. `None` once it is answered.
    pub read: Option<(u64, u64)>,
    question: Question,
    /// The segments that may have the answer, the next one last.
    ahead: Vec<Stop>,
    tally: Tally,
    phase: Phase,
    place: Place,
}

#[derive(Debug, Clone, Copy)]
enum Question {
    /// What is drawn in a pixel.
    At(Pixel),
    /// The first span that begins after a time, or the last one that begins before it.
    Beside(Nanos, Direction),
}

/// From when to when a pixel goes, and the time at its middle.
#[derive(Debug, Clone, Copy)]
struct Pixel {
    from: Nanos,
    at: Nanos,
    to: Nanos,
}

/// Where the answer is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Of {
    Lane(usize),
    Collections,
}

/// A segment to look at. Segments may be merged while the log is read: its place in the file stays.
#[derive(Debug, Clone, Copy)]
struct Stop {
    offset: u64,
    /// Nothing before this time begins in it, or nothing after it, whichever is looked for.
    bound: Nanos,
}

/// What a search is doing.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Phase {
    Look(Of),
    /// It looks for the end of a span that was open where its segment ended.
    End {
        of: usize,
        span: Span,
        count: u64,
        more: bool,
    },
    /// It looks for what ends an idle time.
    IdleEnd {
        of: usize,
        since: Nanos,
    },
    Done,
}

/// What has been seen of spans so far.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    /// In the pixel.
    inside: Seen,
    /// In it, and half a pixel beside it: a picture's pixels need not lie where the screen's are.
    around: Seen,
    /// The one at the pixel's middle.
    covering: Option<Item>,
    /// The one that is looked for beside a time.
    beside: Option<Item>,
    /// When the last one ended before the pixel's middle, and when the next one begins after it.
    since: Nanos,
    until: Option<Nanos>,
    /// Whether some segments were left out.
    more: bool,
    /// What was asked for last: if it is not there now it will not be there the next time.
    read: Option<(u64, u64)>,
    /// Where the last segment begins that was looked at.
    looked_at: Option<u64>,
}

/// How many spans there are, and the longest of them.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    count: u64,
    longest: Option<Item>,
    last: Option<Span>,
}

/// A span, and the collection that it stands for on that track.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Item {
    span: Span,
    collection: Option<Collection>,
}

impl Model {
    /// Begins to look up what is drawn of a track in a pixel from `from` to `to`.
    #[must_use]
    pub fn look_up(&self, track: TrackId, from: Nanos, to: Nanos) -> Search {
        let to = to.max(from.plus(Nanos(1)));
        let pixel = Pixel { from, at: Nanos(from.0.midpoint(to.0)), to };
        let state = &self.state;
        let told = state.told();
        let mut search = Search::new(Question::At(pixel));
        match track {
            TrackId::Activity => search.done(state.level_at(pixel, self.is_finished())),
            TrackId::Collections => match told.lacks(capability::GC_WORKING) {
                Some(flag) => search.done(Place::Unknown(Some(flag))),
                None => search.look(state, Of::Collections),
            },
            TrackId::Capability(cap) => {
                let stream = state.caps.stream(Some(cap)).and_then(|at| Some((at, state.caps.streams.get(at)?)));
                match stream {
                    Some((at, stream)) => match state.unknown_at(at, stream, pixel, self.is_finished()) {
                        Some(place) => search.done(place),
                        None => search.look(state, Of::Lane(at)),
                    },
                    None => search.done(Place::Unknown(None)),
                }
            }
        }
        search
    }

    /// Begins to look up the first span that begins after `time`, or the last one that begins before it. Idle time is none.
    #[must_use]
    pub fn neighbour(&self, track: TrackId, time: Nanos, direction: Direction) -> Search {
        let mut search = Search::new(Question::Beside(time, direction));
        let of = match track {
            TrackId::Activity => None,
            TrackId::Collections => Some(Of::Collections),
            TrackId::Capability(cap) => self.state.caps.stream(Some(cap)).map(Of::Lane),
        };
        match of {
            Some(of) => search.look(&self.state, of),
            None => search.done(Place::Empty),
        }
        search
    }

    /// Goes on with what has been supplied.
    pub fn go_on(&self, search: &mut Search) {
        search.go_on(&self.state);
    }

    /// The answer; `None` as long as anything must be read.
    #[must_use]
    pub fn found<'a>(&self, search: &'a Search) -> Option<&'a Place> {
        (search.phase == Phase::Done).then_some(&search.place)
    }
}

impl Search {
    fn new(question: Question) -> Self {
        let (ahead, tally) = (Vec::new(), Tally::default());
        Self { read: None, question, ahead, tally, phase: Phase::Done, place: Place::Empty }
    }

    fn done(&mut self, place: Place) {
        self.ahead = Vec::new();
        self.phase = Phase::Done;
        self.place = place;
    }

    /// Begins to look.
    fn look(&mut self, state: &State, of: Of) {
        self.phase = Phase::Look(of);
        match of {
            Of::Collections if !state.collections.is_capped() => {
                self.take(state.collections.rows().iter().map(|row| state.item(row)));
            }
            Of::Collections => self.ahead = state.stops_of_collections(self.question),
            Of::Lane(at) => self.ahead = state.stops_of_lane(at, self.question),
        }
        if let Question::At(_) = self.question {
            self.leave_out(state);
        }
        self.go_on(state);
    }

    /// A pixel that stands for more of the file than can be read is looked at in part.
    fn leave_out(&mut self, state: &State) {
        let mut bytes = 0;
        let read =
            |stop: &Stop| state.segment_from(stop.offset).map_or(0, |(_, segment)| segment.end - segment.at.offset);
        let fitting = self.ahead.iter().rev().take_while(|stop| {
            bytes += read(stop);
            bytes <= limits::LOOKUP_READ
        });
        let left_out = self.ahead.len() - fitting.count();
        self.tally.more = left_out > 0;
        self.ahead.drain(..left_out);
    }

    /// Looks at one segment after the other, as long as they are at hand.
    fn go_on(&mut self, state: &State) {
        while self.phase != Phase::Done {
            let Some(stop) = self.ahead.last().copied() else {
                self.conclude(state);
                continue;
            };
            let Some((number, segment)) = state.segment_from(stop.offset).filter(|_| self.may_have_it(stop)) else {
                self.ahead.pop();
                continue;
            };
            let read = Some((segment.at.offset, segment.end - segment.at.offset));
            let Some(detail) = state.details.get(number) else {
                if self.tally.read == read {
                    self.ahead.pop();
                    continue;
                }
                (self.read, self.tally.read) = (read, read);
                return;
            };
            self.ahead.pop();
            self.tally.looked_at = Some(segment.at.offset);
            match self.phase {
                Phase::Look(Of::Collections) => {
                    self.take(detail.collections.iter().map(|(_, row)| state.item(row)));
                }
                Phase::Look(Of::Lane(at)) => {
                    if let Some(entry) = state.entry(at, number) {
                        self.tally.idle_since(entry.machines.lane.since(), self.question);
                    }
                    self.take(detail.lane(at).iter().map(|&span| Item { span, collection: None }));
                }
                Phase::End { of, span, .. } => self.take_end(detail.lane(of), span),
                Phase::IdleEnd { of, since } => {
                    let next = detail.lane(of).iter().find(|span| span.start > since && span.start < span.end);
                    self.tally.until = next.map(|span| span.start);
                    if next.is_some() {
                        self.ahead.clear();
                    }
                }
                Phase::Done => {}
            }
        }
        self.read = None;
    }

    /// Whether a segment may have what is looked for, after what has been found.
    fn may_have_it(&self, stop: Stop) -> bool {
        match (self.phase, self.question, self.tally.beside) {
            (Phase::Look(Of::Lane(_)), Question::Beside(..), found) => found.is_none(),
            (Phase::Look(_), Question::Beside(_, Direction::Next), Some(found)) => stop.bound < found.span.start,
            (Phase::Look(_), Question::Beside(_, Direction::Previous), Some(found)) => stop.bound > found.span.start,
            _ => true,
        }
    }

    /// Takes a segment's spans, or rows; those of no length are not drawn.
    fn take(&mut self, items: impl Iterator<Item = Item>) {
        let items = items.filter(|item| item.span.start < item.span.end);
        match self.question {
            Question::At(pixel) => items.for_each(|item| self.tally.take(item, pixel)),
            Question::Beside(time, direction) => items.for_each(|item| self.tally.take_beside(item, time, direction)),
        }
    }

    /// Takes the rest of a span that was open.
    fn take_end(&mut self, lane: &[Span], open: Span) {
        let Some(whole) = lane.iter().find(|span| continues(&open, span)) else { return };
        if let Phase::End { span, .. } = &mut self.phase {
            *span = *whole;
        }
    }

    /// Everything has been looked at.
    fn conclude(&mut self, state: &State) {
        match self.phase {
            Phase::Look(of) => self.choose(state, of),
            Phase::End { span, count, more, .. } => self.done(place(count, more, "spans", state.span_info(span))),
            Phase::IdleEnd { of, since } => {
                let last = state.caps.streams.get(of).map_or(since, |stream| stream.last);
                let (end, ending) = self.tally.until.map_or((last, Ending::Open), |until| (until, Ending::Next));
                let span = Span { start: since, end, thread: None, state: capability::IDLE, ending, open_start: false };
                self.done(Place::Span(state.span_info(span)));
            }
            Phase::Done => {}
        }
    }

    /// Chooses among the spans that were seen.
    fn choose(&mut self, state: &State, of: Of) {
        let tally = self.tally;
        let (count, more, item) = match self.question {
            Question::Beside(..) => (1, false, tally.beside),
            Question::At(pixel) => match tally.wide(pixel) {
                Some(wide) => (1, false, Some(wide)),
                None => {
                    let seen = if tally.inside.count > 0 { tally.inside } else { tally.around };
                    (seen.count, tally.more, seen.longest)
                }
            },
        };
        match (of, item) {
            (Of::Collections, Some(Item { collection: Some(row), .. })) => {
                self.done(place(count, more, "collections", state.gc_info(&row)));
            }
            (Of::Lane(at), Some(item)) => self.end_of(state, at, item.span, count, more),
            (Of::Lane(at), None) if matches!(self.question, Question::At(_)) => self.idle(state, at),
            _ => self.done(Place::Empty),
        }
    }

    /// A span that is open where its segment ends has its end in the last of the segments that begin with it still open.
    fn end_of(&mut self, state: &State, of: usize, span: Span, count: u64, more: bool) {
        self.phase = Phase::End { of, span, count, more };
        if span.ending != Ending::Open {
            return;
        }
        let open = |entry: &&Entry| {
            entry.machines.lane.open(entry.to, Ending::Open).is_some_and(|open| continues(&span, &open))
        };
        let last = state.index.stream(of).iter().rfind(open).and_then(|entry| state.stop(entry, entry.to));
        self.ahead = last.into_iter().filter(|stop| self.is_ahead(*stop)).collect();
    }

    /// Whether a segment stands after those that were looked at.
    fn is_ahead(&self, stop: Stop) -> bool {
        self.tally.looked_at.is_none_or(|looked_at| looked_at < stop.offset)
    }

    /// Between spans: the time since the last one, until the next one.
    fn idle(&mut self, state: &State, of: usize) {
        if !state.told().idle() {
            return self.done(Place::Unknown(state.told().lacks(capability::IDLE)));
        }
        let first = state.caps.streams.get(of).map_or(Nanos(0), |stream| stream.first);
        let since = self.tally.since.max(first);
        self.phase = Phase::IdleEnd { of, since };
        if let (None, Question::At(pixel)) = (self.tally.until, self.question) {
            let later = turning(state.index.stream(of)).filter(|entry| entry.from >= pixel.at);
            let stops = later.filter_map(|entry| state.stop(entry, entry.to)).filter(|stop| self.is_ahead(*stop));
            let stops: Vec<Stop> = stops.collect();
            self.ahead = stops.into_iter().rev().collect();
        }
    }
}

impl Tally {
    fn take(&mut self, item: Item, pixel: Pixel) {
        let span = item.span;
        self.inside.take(item, pixel);
        self.around.take(item, pixel.wider());
        let covers = span.start <= pixel.at && pixel.at < span.end;
        if covers || self.covering.is_some_and(|before| continues(&before.span, &span)) {
            self.covering = Some(item);
        }
        if span.end <= pixel.at {
            self.since = self.since.max(span.end);
        }
        if span.start > pixel.at {
            self.until = Some(self.until.map_or(span.start, |until| until.min(span.start)));
        }
    }

    fn take_beside(&mut self, item: Item, time: Nanos, direction: Direction) {
        let start = item.span.start;
        let better = match (direction, self.beside.map(|found| found.span.start)) {
            (Direction::Next, found) => start > time && found.is_none_or(|found| start < found),
            (Direction::Previous, found) => start < time && found.is_none_or(|found| start >= found),
        };
        if better {
            self.beside = Some(item);
        }
    }

    /// A segment begins with nothing going on since then.
    fn idle_since(&mut self, since: Nanos, question: Question) {
        if let Question::At(pixel) = question
            && since <= pixel.at
        {
            self.since = self.since.max(since);
        }
    }

    /// The span at the pixel's middle, if it is so wide that it is drawn on its own.
    fn wide(&self, pixel: Pixel) -> Option<Item> {
        let wide = pixel.to.since(pixel.from).0 as f64 * WIDE;
        self.covering.filter(|Item { span, .. }| span.end.since(span.start).0 as f64 >= wide)
    }
}

impl Seen {
    fn take(&mut self, item: Item, Pixel { from, to, .. }: Pixel) {
        let span = item.span;
        if span.start >= to || span.end <= from {
            return;
        }
        // Pieces of one that lies across segments come in a row.
        let goes_on = self.last.is_some_and(|last| continues(&last, &span));
        self.count += u64::from(!goes_on);
        self.last = Some(span);
        let length = |span: Span| span.end.since(span.start);
        if self.longest.is_none_or(|longest| length(span) > length(longest.span)) {
            self.longest = Some(item);
        }
    }
}

impl Pixel {
    /// With half a pixel on either side.
    fn wider(self) -> Self {
        let half = Nanos(self.to.since(self.from).0 / 2);
        Self { from: self.from.since(half), to: self.to.plus(half), ..self }
    }
}

/// Whether `span` is the one that was open before.
fn continues(before: &Span, span: &Span) -> bool {
    before.ending == Ending::Open
        && (before.start, before.state, before.thread) == (span.start, span.state, span.thread)
}

fn place(count: u64, more: bool, what: &'static str, longest: SpanInfo) -> Place {
    if count > 1 || more { Place::Many { count, more, what, longest } } else { Place::Span(longest) }
}

/// The entries in which a lane turns to something else. The others need not be read to know that no span begins there,
/// however many there are: more than the cache holds, on a capability that idles.
fn turning(entries: &[Entry]) -> impl DoubleEndedIterator<Item = &Entry> {
    entries.iter().enumerate().filter_map(|(at, entry)| {
        let turns = entries.get(at + 1).is_none_or(|next| next.machines.lane != entry.machines.lane);
        turns.then_some(entry)
    })
}

/// The entries in which a stream does collections, of which there are so many in all.
fn collecting(entries: &[Entry], all: u64) -> impl Iterator<Item = &Entry> {
    entries.iter().enumerate().filter_map(move |(at, entry)| {
        let behind = entries.get(at + 1).map_or(all, |next| next.before.collections);
        (behind > entry.before.collections).then_some(entry)
    })
}

impl State {
    /// The segment in which an offset lies.
    fn segment_from(&self, offset: u64) -> Option<(u32, &Segment)> {
        let after = self.index.segments_within(offset, u64::MAX).start;
        let begins = |number: u32| Some((number, self.index.segment(number)?));
        begins(after).filter(|(_, segment)| segment.at.offset == offset).or_else(|| begins(after.checked_sub(1)?))
    }

    fn entry(&self, stream: usize, segment: u32) -> Option<&Entry> {
        let entries = self.index.stream(stream);
        entries.get(entries.binary_search_by_key(&segment, |entry| entry.segment).ok()?)
    }

    fn stop(&self, entry: &Entry, bound: Nanos) -> Option<Stop> {
        Some(Stop { offset: self.index.segment(entry.segment)?.at.offset, bound })
    }

    /// The segments that may tell of a lane, the first one to be looked at last.
    fn stops_of_lane(&self, stream: usize, question: Question) -> Vec<Stop> {
        let entries = self.index.stream(stream);
        let stop = |entry: &Entry| self.stop(entry, entry.to);
        let mut stops: Vec<Stop> = match question {
            Question::At(pixel) => {
                let Pixel { from, to, .. } = pixel.wider();
                entries
                    .iter()
                    .filter(|entry| entry.reaches_back_to() < to && entry.to >= from)
                    .filter_map(stop)
                    .collect()
            }
            Question::Beside(time, Direction::Next) => {
                turning(entries).filter(|entry| entry.to > time).filter_map(stop).collect()
            }
            Question::Beside(time, Direction::Previous) => {
                turning(entries).rev().filter(|entry| entry.reaches_back_to() < time).filter_map(stop).collect()
            }
        };
        stops.reverse();
        stops
    }

    /// The segments that tell of collections, the first one to be looked at last.
    fn stops_of_collections(&self, question: Question) -> Vec<Stop> {
        let streams = self.caps.streams.iter().enumerate();
        let entries = streams.flat_map(|(at, stream)| collecting(self.index.stream(at), stream.sums.collections));
        let earliest = Entry::reaches_back_to;
        let mut stops: Vec<Stop> = match question {
            Question::At(pixel) => {
                let Pixel { from, to, .. } = pixel.wider();
                let meeting = entries.filter(|entry| earliest(entry) < to && entry.to >= from);
                meeting.filter_map(|entry| self.stop(entry, entry.to)).collect()
            }
            Question::Beside(time, Direction::Next) => {
                let later = entries.filter(|entry| entry.to > time);
                later.filter_map(|entry| self.stop(entry, earliest(entry))).collect()
            }
            Question::Beside(time, Direction::Previous) => {
                let earlier = entries.filter(|entry| earliest(entry) < time);
                earlier.filter_map(|entry| self.stop(entry, entry.to)).collect()
            }
        };
        stops.sort_by_key(|stop| stop.offset);
        // Streams share segments: each is looked at once, with the bound of all of them.
        let next = matches!(question, Question::Beside(_, Direction::Next));
        stops.dedup_by(|same, kept| {
            let is_same = same.offset == kept.offset;
            if is_same {
                kept.bound = if next { kept.bound.min(same.bound) } else { kept.bound.max(same.bound) };
            }
            is_same
        });
        match question {
            Question::At(_) => stops.reverse(),
            Question::Beside(_, Direction::Next) => stops.sort_by_key(|stop| core::cmp::Reverse(stop.bound)),
            Question::Beside(_, Direction::Previous) => stops.sort_by_key(|stop| stop.bound),
        }
        stops
    }

    /// Why nothing is known of a lane in a pixel, if so.
    fn unknown_at(&self, at: usize, stream: &Stream, pixel: Pixel, finished: bool) -> Option<Place> {
        let Pixel { from, to, .. } = pixel;
        let Some((first, mut last)) = stream.times() else { return Some(Place::Unknown(None)) };
        if !finished {
            // As far as it can be read again.
            last = self.index.stream(at).last().map_or(Nanos(0), |entry| entry.to);
        }
        if to > first && from <= last {
            return None;
        }
        Some(if finished || to <= first { Place::Unknown(None) } else { Place::Unread })
    }

    /// The mean of the lanes in a pixel: exactly where the window is drawn so.
    fn level_at(&self, pixel: Pixel, finished: bool) -> Place {
        let view = View { from: pixel.from, to: pixel.to, width: 1 };
        let segments = self.segments_in(view);
        let exact = finished && segments.iter().all(|segment| self.details.get(*segment).is_some());
        let plan = Plan { view, exact, reads: Vec::new(), segments };
        let here = self.running(&plan, exact).first().copied().unwrap_or_default();
        if here.known <= 0.0 {
            let read = self.extent().is_none_or(|(_, last)| pixel.from <= last);
            let lacks = self.told().lacks(capability::RUNNING);
            return if finished || read { Place::Unknown(lacks) } else { Place::Unread };
        }
        let known =
            self.caps.lanes().filter(|(_, stream)| stream.known(pixel.from, pixel.to) > Nanos(0)).count() as u64;
        // Before they have been read, those seen ahead count.
        let of = if known > 0 { known } else { self.caps.count() as u64 };
        Place::Level { running: here.ran / here.known * of as f64, of }
    }

    fn item(&self, row: &Collection) -> Item {
        Item { span: self.collection_span(row), collection: Some(*row) }
    }

    fn span_info(&self, span: Span) -> SpanInfo {
        let state = capability::STATES.get(usize::from(span.state)).copied().unwrap_or(capability::STATES[0]);
        let mut fields = Vec::new();
        let mut title = state.name.to_string();
        if let Some(thread) = span.thread {
            title = self.thread_text(thread);
            fields.push(("Thread", Field::Text(thread.to_string())));
            fields.extend(self.threads.label(thread).map(|label| ("Label", Field::Text(label.to_string()))));
        }
        fields.push(("Start", Field::Time(span.start)));
        fields.push(("Duration", Field::Duration(span.end.since(span.start))));
        fields.extend(ending_text(span.ending).map(|text| ("Ended", Field::Text(text.to_string()))));
        if span.open_start {
            fields.push(("Began", Field::Text("before the log".to_string())));
        }
        SpanInfo { span, state: state.name, role: state.role, title, fields }
    }

    fn gc_info(&self, gc: &Collection) -> SpanInfo {
        let span = self.collection_span(gc);
        let state = collections::STATES.get(usize::from(span.state)).copied().unwrap_or(collections::STATES[0]);
        let mut fields = vec![("Start", Field::Time(gc.start)), ("Pause", Field::Duration(gc.elapsed()))];
        if let Some(requested) = gc.requested {
            fields.push(("Waited for the others", Field::Duration(gc.start.since(requested))));
        }
        if let Some(generation) = gc.generation {
            fields.push(("Generation", Field::Text(generation.to_string())));
            fields.push(("Copied", Field::Bytes(gc.copied_bytes)));
            fields.push(("Threads", Field::Text(gc.par_threads.to_string())));
        }
        fields.extend(gc.cap.map(|cap| ("Collected by", Field::Text(format!("HEC {cap}")))));
        SpanInfo { span, state: state.name, role: state.role, title: state.name.to_string(), fields }
    }
}

fn ending_text(ending: Ending) -> Option<&'static str> {
    match ending {
        Ending::Next => None,
        Ending::Stopped(reason) => Some(reason.map_or("for an unknown reason", StopReason::text)),
        Ending::Lost => Some("not in the log: something else began"),
        Ending::Open => Some("not in the log: it ends before"),
    }
}
