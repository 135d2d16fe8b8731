//! Threads: a lane for each shows what the thread did, on any capability.
//!
//! ```text
//! CREATE   RUN     STOP: blocked on an MVar   THREAD_WAKEUP   RUN      STOP: finished
//!   |......|cap 1  |blocked on an MVar        |...............|cap 0   |
//! ```
//!
//! Known as far as the log has been replayed in order of time: see [`crate::reading::replay`]. Drawn from the cells that the
//! replay made, or exactly, from events about the thread that are read again.

use super::{
    groups::{self, Heading},
    kind::{Kind, Tracks},
    thread_info::{STATES, info, name, span, states_of, stretch_of},
    wake_ups,
};
use crate::{
    keeping::crossing::{
        Replayed,
        cells::Did,
        doing::Doing,
        rows::{ThreadRowList, label_of},
        threads::ThreadLife,
        waited::MostlyWaited,
    },
    known::arrangement::Arranged,
    known::{
        Known,
        course::{CellStates, End, Stretch},
        summed::SummedRange,
    },
    limits,
    sorting::sort_by_number,
    terms::absence::Absence,
    terms::{
        place::{Direction, Found, Item, Needed, Pixel, Place, SpanInfo, WakeUp},
        range::RangeTotals,
        span::Span,
        tally::PixelTally,
        track::{Needs, Note, Shape, Track, TrackId},
        view::View,
        window::{Plan, WideSpans, Window, add},
    },
    tracks::capability::RUNNING,
};
use alloc::{format, string::String, vec, vec::Vec};
use core::ops::Range;
use ghc_eventlog::{Nanos, ThreadId};
use ghc_eventlog_text::LogText;

/// The lanes of the threads, identified by their places among the rows of threads.
pub(crate) struct ThreadTracks;

impl Kind for ThreadTracks {
    const NAME: &'static str = "Threads";
    const ABOUT: &'static str = "What each Haskell thread does, on whichever capability.";
    /// They are followed in order of time, over all streams.
    type Machine = ();
    type Tracks = Self;
    const TRACKS: Self = Self;
}

/// How many pieces beyond the requested ones are read, at most, to find the end of a stretch: one is enough, unless a thread
/// was only migrated.
pub(super) const FURTHER: usize = 8;

/// Rows of labels with at most this many threads are drawn exactly when the user looks at them closely.
const CLOSELY: usize = 512;

impl Tracks for ThreadTracks {
    fn needs(&self) -> Needs {
        Needs { replay: true, thread_states: true, user_spans: false }
    }

    fn of_span(&self, _: &Arranged<'_>, of: u32, info: &SpanInfo) -> (Option<TrackId>, Option<TrackId>) {
        (Some(TrackId::of::<Self>(of)), info.cap.map(TrackId::capability))
    }

    fn woken(
        &self,
        known: &Arranged<'_>,
        of: u32,
        time: Nanos,
        direction: Direction,
    ) -> Result<Option<WakeUp>, Needed> {
        wake_ups::woken(known, of, time, direction)
    }

    fn heading(&self) -> &'static Heading {
        &groups::THREADS
    }

    /// Until the replay: all threads, in order of the file.
    fn count(&self, known: &Arranged<'_>) -> usize {
        rows(known).map_or(known.stores.threads.rows().len(), ThreadRowList::count)
    }

    fn nth(&self, known: &Arranged<'_>, place: usize) -> Option<u32> {
        match rows(known) {
            Some(rows) => rows.nth(place),
            None => (place < self.count(known)).then_some(place as u32),
        }
    }

    fn place(&self, known: &Arranged<'_>, of: u32) -> Option<usize> {
        match rows(known) {
            Some(rows) => rows.row_of(of),
            None => ((of as usize) < self.count(known)).then_some(of as usize),
        }
    }

    fn exists(&self, known: &Arranged<'_>, of: u32) -> bool {
        (label_of(of).unwrap_or(of) as usize) < known.stores.threads.rows().len()
    }

    fn figure(&self, known: &Arranged<'_>) -> Option<Note> {
        Some(Note::Number(known.stores.threads.count()))
    }

    fn shown(&self, known: &Arranged<'_>) -> Option<(usize, usize)> {
        let all = known.stores.threads.rows().len();
        rows(known).filter(|_| all > 0).map(|rows| (rows.shown, all))
    }

    fn lacks(&self, known: &Arranged<'_>) -> Option<Absence> {
        known.logged_classes().lacks(RUNNING).map(Absence::of_flag)
    }

    fn describe(&self, known: &Arranged<'_>, of: u32) -> Track {
        let threads = known.stores.threads.rows();
        let row = threads.get(label_of(of).unwrap_or(of) as usize);
        // Before the replay, it is not known what a thread did; after it, it is even known when the thread did not exist.
        let until = match replayed(known) {
            Some(replayed) if replayed.is_done => None,
            Some(replayed) => Some((replayed.begin, replayed.until)),
            None => Some((Nanos(0), Nanos(0))),
        };
        Track {
            id: TrackId::of::<Self>(of),
            name: LogText::from(row.map_or(String::new(), |row| match label_of(of) {
                Some(_) => {
                    let label = known.stores.threads.label_text(row.id).unwrap_or("no label");
                    format!("{label} ({})", members(known, of).count())
                }
                None => known.thread_text(row.id),
            })),
            group: groups::THREADS.name(),
            shape: Shape::States,
            states: states_of(known, of),
            lacks: vec![None; STATES.len()],
            note: Note::Time(members(known, of).map(|place| known.time_of_row(place)).fold(Nanos(0), Nanos::plus)),
            known: until,
        }
    }

    fn window(&self, known: &Arranged<'_>, of: u32, plan: &Plan, _: bool) -> Window {
        let view = plan.view;
        let mut columns = vec![0.0; view.width * STATES.len()];
        let segments = plan.threads.as_ref().filter(|segments| {
            plan.reads.is_empty() && segments.iter().all(|segment| known.at_hand.has(*segment, None))
        });
        if label_of(of).is_some() {
            let count = members(known, of).count();
            let near = segments.filter(|_| count <= CLOSELY);
            members(known, of).for_each(|place| match near {
                Some(segments) => known.course(place, view.from, view.to, segments).iter().for_each(|stretch| {
                    add(view, stretch.now.since, stretch.to, stretch.now.doing as usize, STATES.len(), &mut columns);
                }),
                None => known.thread_columns(place, view, &mut columns),
            });
            columns.iter_mut().for_each(|time| *time /= count.max(1) as f64);
            return WideSpans::none(view).into_window(near.is_some(), &columns, STATES.len(), |_| String::new());
        }
        let Some(segments) = segments else {
            known.thread_columns(of as usize, view, &mut columns);
            return WideSpans::none(view).into_window(false, &columns, STATES.len(), |_| String::new());
        };
        let course = known.course(of as usize, view.from, view.to, segments);
        let mut spans = WideSpans::new(view);
        for stretch in &course {
            let span = span(known, of, stretch);
            add(view, span.start, span.end, usize::from(span.state), STATES.len(), &mut columns);
            spans.offer(span);
        }
        let text = |span: &Span| stretch_of(&course, span).map_or(String::new(), name);
        spans.into_window(true, &columns, STATES.len(), text)
    }

    fn totals(&self, known: &Arranged<'_>, of: u32) -> Vec<Nanos> {
        let mut did = Did::default();
        if let Some(replayed) = replayed(known) {
            members(known, of).for_each(|place| did.add(&replayed.lives.did_until(place, replayed.until)));
        }
        did.times.to_vec()
    }

    fn mostly_waited(&self, known: &Arranged<'_>, of: u32) -> Option<MostlyWaited> {
        let replayed = replayed(known).filter(|replayed| replayed.is_done && label_of(of).is_none())?;
        replayed.lives.mostly_waited(of as usize, replayed.until.min(replayed.end))
    }

    fn in_range(&self, known: &Arranged<'_>, of: u32, range: &SummedRange) -> RangeTotals {
        let mut did = Did::default();
        let of_place = |place: usize| range.threads.as_ref()?.by_place.get(place);
        members(known, of).filter_map(of_place).for_each(|more| did.add(more));
        RangeTotals { states: did.times.to_vec(), count: None }
    }

    fn at(&self, known: &Arranged<'_>, of: u32, pixel: Pixel) -> Found {
        if label_of(of).is_some() {
            return Found::Place(level_at(known, of, pixel));
        }
        let Some((replayed, life)) = life(known, of) else { return Found::Place(without_life(known)) };
        // It does not exist more than half a pixel outside of its lifetime.
        if pixel.to <= life.first || pixel.from >= life.finished().unwrap_or(replayed.end) {
            return Found::Place(Place::Empty);
        }
        let cells = &replayed.lives.cells;
        let pieces = known.pieces_of(life);
        let wider = pixel.wider();
        let first = pieces.partition_point(|piece| piece.number < cells.piece(wider.from));
        let end = pieces.partition_point(|piece| piece.number <= cells.piece(wider.to)).max(first);
        found_in_course(known, of, &pieces, first..end, false, |course, more| {
            let mut tally = PixelTally { more, ..PixelTally::default() };
            let spans = course.iter().map(|stretch| span(known, of, stretch));
            spans.filter(|span| span.start < span.end).for_each(|span| tally.take(Item { span, row: None }, pixel));
            let info = |item: Item| info(known, of, course, &item.span);
            let seen = if tally.inside.count > 0 { tally.inside } else { tally.around };
            match (tally.wide(pixel), seen.longest) {
                (Some(wide), _) => Place::Span(info(wide)),
                (None, None) => Place::Empty,
                (None, Some(longest)) if seen.count > 1 || more => {
                    Place::Many { count: seen.count, more, what: self.what(), longest: info(longest) }
                }
                (None, Some(only)) => Place::Span(info(only)),
            }
        })
    }

    fn beside(&self, known: &Arranged<'_>, of: u32, time: Nanos, direction: Direction) -> Found {
        let Some((replayed, life)) = life(known, of) else { return Found::Place(without_life(known)) };
        let cells = &replayed.lives.cells;
        let pieces = known.pieces_of(life);
        let first = pieces.partition_point(|piece| piece.number < cells.piece(time));
        // The next span begins in the piece of that time, or in the one after it.
        let end = match direction {
            Direction::Next => (first + 2).min(pieces.len()),
            Direction::Previous => pieces.partition_point(|piece| piece.number <= cells.piece(time)),
        };
        found_in_course(known, of, &pieces, first..end, direction == Direction::Next, |course, _| {
            let mut tally = PixelTally::default();
            let spans = course.iter().map(|stretch| span(known, of, stretch));
            let drawn = spans.filter(|span| span.start < span.end);
            drawn.for_each(|span| tally.take_beside(Item { span, row: None }, time, direction));
            tally.beside.map_or(Place::Empty, |item| Place::Span(info(known, of, course, &item.span)))
        })
    }

    fn what(&self) -> &'static str {
        "states"
    }
}

impl Known {
    /// The track of a thread; only after the replay.
    pub(crate) fn track_of_thread(&self, thread: ThreadId) -> Option<TrackId> {
        let is_done = self.replayed.as_ref().is_some_and(|replayed| replayed.is_done);
        let place = self.stores.threads.known_place(thread).filter(|_| is_done)?;
        u32::try_from(place).ok().map(TrackId::of::<ThreadTracks>)
    }
}

fn replayed(known: &Known) -> Option<&Replayed> {
    known.replayed.as_ref()
}

/// The rows of threads, once they have been made.
fn rows<'a>(known: &Arranged<'a>) -> Option<&'a ThreadRowList> {
    known.crossing().map(|(_, rows)| &rows.threads)
}

/// The threads of a track: one, or all with a label.
fn members<'a>(known: &Arranged<'a>, of: u32) -> impl Iterator<Item = usize> + use<'a> {
    let label = label_of(of);
    let of_label = label.zip(rows(known)).map(|(label, rows)| rows.members(label));
    of_label.into_iter().flatten().chain(label.is_none().then_some(of as usize))
}

/// How many threads with a label ran in a pixel, on average.
fn level_at(known: &Arranged<'_>, of: u32, pixel: Pixel) -> Place {
    let view = View { from: pixel.from, to: pixel.to, width: 1 };
    let mut columns = [0.0; STATES.len()];
    members(known, of).for_each(|place| known.thread_columns(place, view, &mut columns));
    let [running, ..] = columns;
    Place::Level {
        running: running / view.to.since(view.from).0.max(1) as f64,
        of: members(known, of).count() as u64,
        what: "threads",
    }
}

/// What is anywhere on the track of a thread without known events.
fn without_life(known: &Known) -> Place {
    let is_done = replayed(known).is_some_and(|replayed| replayed.is_done);
    if is_done { Place::Empty } else { Place::Unread }
}

pub(super) fn life(known: &Known, of: u32) -> Option<(&Replayed, &ThreadLife)> {
    let replayed = replayed(known).filter(|replayed| replayed.is_done)?;
    Some((replayed, replayed.lives.get(of as usize)?))
}

/// What `answer` makes of the stretches of a thread in some of its pieces, and in as many later ones as are needed to find the end of the
/// last stretch; `answer` also gets whether there are more pieces than can be read. With `is_later`, an empty answer is tried again with
/// later pieces. If segments must be read first, the result names them.
fn found_in_course(
    known: &Known,
    of: u32,
    pieces: &[CellStates],
    here: Range<usize>,
    is_later: bool,
    answer: impl Fn(&[Stretch], bool) -> Place,
) -> Found {
    for further in 1..=FURTHER {
        let end = here.end + further;
        let (course, more) = match course_of(known, of, pieces, here.start..end) {
            Ok(course) => course,
            Err(needed) => return Found::Threads(needed),
        };
        let place = answer(&course, more);
        let start = match &place {
            Place::Span(info) | Place::Many { longest: info, .. } => Some(info.span.start),
            _ => None,
        };
        // Its end may come later than in the next piece: in a piece in which a thread was only migrated, nothing ends.
        let is_open = course.last().is_some_and(|last| last.end == End::Unread && start == Some(last.now.since));
        let may_come = is_later && place == Place::Empty && end < pieces.len();
        if more || !(is_open || may_come) || further == FURTHER {
            return Found::Place(place);
        }
    }
    Found::Place(Place::Unread)
}

/// What a thread did in some of its pieces, and whether these are more than can be read at once; or the segments that must be read first.
pub(super) fn course_of(
    known: &Known,
    of: u32,
    pieces: &[CellStates],
    here: Range<usize>,
) -> Result<(Vec<Stretch>, bool), Needed> {
    let Some(replayed) = replayed(known) else { return Ok((Vec::new(), false)) };
    let cells = &replayed.lives.cells;
    let mut segments: Vec<u32> = Vec::new();
    let (mut bytes, mut last, mut more) = (0, None, false);
    for piece in pieces.get(here.start..here.end.min(pieces.len())).unwrap_or_default() {
        let (begin, end) = cells.times(piece.number);
        let mut of_piece = known.segments_between(begin, end);
        of_piece.retain(|segment| !segments.contains(segment));
        bytes += known.bytes_to_read(&of_piece);
        if last.is_some() && bytes > limits::LOOKUP_READ {
            more = true;
            break;
        }
        segments.extend(of_piece);
        last = Some(piece.number);
    }
    sort_by_number(&mut segments, |segment| (*segment).into());
    segments.dedup();
    let needed = known.needed(segments, known.thread_at(of as usize));
    if !known.is_at_hand(&needed) {
        return Err(needed);
    }
    let from = pieces.get(here.start).map_or(replayed.end, |piece| cells.begin(piece.number));
    let to = last.map_or(from, |last| cells.begin(last));
    Ok((known.course(of as usize, from, to, &needed.segments), more))
}

impl Known {
    /// Nanoseconds in each state for each pixel, as exactly as cells have them.
    fn thread_columns(&self, place: usize, view: View, columns: &mut [f64]) {
        let Some(replayed) = &self.replayed else { return };
        let Some(life) = replayed.lives.get(place) else { return };
        let cells = &replayed.lives.cells;
        let mut between = |doing: Doing, from: Nanos, to: Nanos| {
            if doing != Doing::Gone && view.meets(from, to) {
                add(view, from, to, doing as usize, STATES.len(), columns);
            }
        };
        let (mut at, mut until) = (life.last, replayed.until);
        let mut inside = Vec::new();
        while let Some(cell) = cells.get(at) {
            let (begin, end) = cells.times(cell.piece);
            let end = if at == life.last { life.counted_until } else { end };
            between(cell.now.doing, end, until);
            if view.meets(begin, end) {
                inside.push((begin, end, cell.did.times));
            }
            // What comes before is not in view.
            if end < view.from {
                break;
            }
            (at, until) = (cell.before, begin);
        }
        for (begin, end, times) in inside {
            // Its place in the piece is not known: spread it evenly, but not before the thread existed.
            let begin = begin.max(life.first);
            let end = end.max(begin.plus(Nanos(1)));
            view.spread(begin, end, |pixel, share| {
                for (state, time) in times.iter().enumerate() {
                    if let Some(column) = columns.get_mut(pixel * STATES.len() + state) {
                        *column += time.0 as f64 * share;
                    }
                }
            });
        }
    }
}
