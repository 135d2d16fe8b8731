//! A question that is being answered.

use super::stops::Stop;
use crate::{
    asking::events::{EventAt, Read},
    keeping::crossing::marks::NoteKind,
    known::{
        Known,
        arrangement::{Arranged, Arrangement},
    },
    limits,
    reading::{
        job::{Changed, Job},
        model::Model,
    },
    terms::{
        place::{Direction, Found, Item, Needed, Pixel, Place, Source, SpanInfo, WakeUp},
        progress::Progress,
        tally::PixelTally,
        track::TrackId,
    },
    tracks::kind::Tracks,
};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

/// A question that is being answered: see [`Model::look_up`](crate::Model::look_up). It looks at each segment once, keeps
/// what it needs, and continues with the next. So it comes to an end, even if the cache of decoded segments drops some
/// meanwhile.
#[derive(Debug, Clone)]
pub struct LookUp {
    /// What must be read next, as offset and length; `None` once it is answered.
    read: Option<(u64, u64)>,
    question: Question,
    /// The arrangement of tracks when the question was asked.
    arrangement: Arrangement,
    /// The track, and where its spans are; `None` if there is nothing to look for.
    of: Option<(TrackId, Source)>,
    /// The segments that may have the answer, the next one last.
    ahead: Vec<Stop>,
    tally: PixelTally,
    /// How many of them there were at first.
    all: usize,
    /// What it asked for last: if that is not at hand now, it will not be there the next time.
    asked: Option<(u64, u64)>,
    threads: Option<WaitingQuestion>,
    /// After following a wake-up: the track that it leads to, and the time of the wake-up.
    along: Option<(TrackId, Option<Nanos>)>,
    /// An answer that is complete once its event has been read.
    event: Option<(Place, EventAt)>,
    /// More events that belong to the answer, the next one last; `None` if all that the event says belongs to it.
    notes: Option<Vec<EventAt>>,
    /// The answer.
    pub(super) place: Option<Place>,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Question {
    /// What is drawn in a pixel.
    At(Pixel),
    /// The first span that begins after a time, or the last one that begins before it.
    Beside(Nanos, Direction),
}

/// The question of a look-up that needs no spans.
const NOTHING: Question = Question::Beside(Nanos(0), Direction::Next);

/// A question about a thread.
#[derive(Debug, Clone, Copy)]
pub(super) enum ThreadQuestion {
    Question(Question),
    /// Which thread woke it up for what it does at a time, or which one it woke up.
    Woken(Nanos, Direction),
}

/// A question that waits for thread events.
#[derive(Debug, Clone)]
struct WaitingQuestion {
    track: TrackId,
    asked: ThreadQuestion,
    /// What must be at hand before the track itself can answer.
    needed: Needed,
}

impl Job for LookUp {
    fn reads(&mut self, model: &mut Model) -> Vec<(u64, u64)> {
        while let Some(waiting) = self.threads.take() {
            let reads = model.known.ops_to_read(&waiting.needed);
            if !reads.is_empty() || !model.known.is_at_hand(&waiting.needed) {
                self.threads = Some(waiting);
                return reads;
            }
            // They were read for another question meanwhile.
            self.ask_again(&model.known, waiting);
        }
        let event = self.event.as_ref().map(|(_, event)| event.read_of(model));
        event.or(self.read).into_iter().collect()
    }

    fn give(&mut self, model: &mut Model, offset: u64, bytes: &[u8]) -> Result<(), Changed> {
        if let Some(waiting) = self.threads.take() {
            model.known.at_hand.want(&waiting.needed.segments, waiting.needed.only);
            model.supply_ops(offset, bytes)?;
            self.ask_again(&model.known, waiting);
            return Ok(());
        }
        let Some((mut place, mut event)) = self.event.take() else {
            model.supply(offset, bytes)?;
            Job::take(self, model);
            return Ok(());
        };
        match event.take(model, offset, bytes)? {
            Read::Wanted => self.event = Some((place, event)),
            Read::Done(mut said) => {
                if self.notes.is_some() {
                    said.retain(|(name, _)| [NoteKind::Tag, NoteKind::Instant].iter().any(|kind| kind.name() == *name));
                }
                place.tell(said);
                match self.notes.as_mut().and_then(Vec::pop) {
                    Some(event) => self.event = Some((place, event)),
                    None => self.done(place),
                }
            }
        }
        Ok(())
    }

    fn take(&mut self, model: &Model) {
        self.go_on(&model.known);
    }

    fn progress(&self) -> Progress {
        Progress { done: self.all - self.ahead.len(), of: self.all }
    }
}

impl LookUp {
    /// A look-up that has its answer already.
    pub(super) fn answered(arrangement: &Arrangement, place: Place) -> Self {
        Self { place: Some(place), ..Self::new(arrangement, NOTHING, None) }
    }

    /// A look-up that reads an event for its answer, if that part of the file is indexed.
    pub(super) fn of_event(known: &Arranged<'_>, place: Place, offset: u64) -> Self {
        match EventAt::new(known, offset) {
            Some(event) => Self { event: Some((place, event)), ..Self::new(known.by, NOTHING, None) },
            None => Self::answered(known.by, place),
        }
    }

    /// A look-up that reads messages for its answer.
    pub(super) fn of_notes(known: &Arranged<'_>, place: Place, offsets: &[u64]) -> Self {
        let mut notes: Vec<EventAt> = offsets.iter().rev().filter_map(|offset| EventAt::new(known, *offset)).collect();
        match notes.pop() {
            Some(event) => {
                Self { event: Some((place, event)), notes: Some(notes), ..Self::new(known.by, NOTHING, None) }
            }
            None => Self::answered(known.by, place),
        }
    }

    /// A look-up in a source.
    pub(super) fn begun(known: &Arranged<'_>, track: TrackId, question: Question, source: Source) -> Self {
        let mut search = Self::new(known.by, question, Some((track, source)));
        search.look(known, source);
        search
    }

    fn new(arrangement: &Arrangement, question: Question, of: Option<(TrackId, Source)>) -> Self {
        Self {
            read: None,
            question,
            arrangement: arrangement.clone(),
            of,
            ahead: Vec::new(),
            all: 0,
            tally: PixelTally::default(),
            asked: None,
            threads: None,
            along: None,
            event: None,
            notes: None,
            place: None,
        }
    }

    /// A look-up that needs the thread events of some segments.
    pub(super) fn of_threads(arrangement: &Arrangement, track: TrackId, question: Question, needed: Needed) -> Self {
        let waiting = WaitingQuestion { track, asked: ThreadQuestion::Question(question), needed };
        Self { threads: Some(waiting), ..Self::new(arrangement, question, None) }
    }

    /// A look-up that follows wake-ups.
    pub(super) fn of_wakers(known: &Arranged<'_>, track: TrackId, time: Nanos, direction: Direction) -> Self {
        let mut search = Self::new(known.by, Question::Beside(time, direction), None);
        search.ask_again(
            known,
            WaitingQuestion {
                track,
                asked: ThreadQuestion::Woken(time, direction),
                needed: Needed { segments: Vec::new(), only: None },
            },
        );
        search
    }

    /// The arrangement of tracks when the question was asked.
    #[must_use]
    pub fn arrangement(&self) -> &Arrangement {
        &self.arrangement
    }

    /// The track of the answer, if it differs from the one in the question.
    #[must_use]
    pub fn track(&self) -> Option<TrackId> {
        self.along.map(|(track, _)| track)
    }

    /// The time of the [wake-up](Model::woken) that was followed.
    #[must_use]
    pub fn moment(&self) -> Option<Nanos> {
        self.along.and_then(|(_, moment)| moment)
    }

    /// Asks the track again, once everything that it needed is at hand.
    fn ask_again(&mut self, known: &Known, waiting: WaitingQuestion) {
        let WaitingQuestion { track, asked, needed } = waiting;
        if !known.is_at_hand(&needed) {
            self.threads = Some(WaitingQuestion { track, asked, needed });
            return;
        }
        let Some((tracks, of)) = track.tracks() else { return self.done(Place::Empty) };
        let known = &known.arranged(&self.arrangement);
        let found = match asked {
            ThreadQuestion::Question(Question::At(pixel)) => tracks.at(known, of, pixel),
            ThreadQuestion::Question(Question::Beside(time, direction)) => tracks.beside(known, of, time, direction),
            ThreadQuestion::Woken(time, direction) => match tracks.woken(known, of, time, direction) {
                Err(needed) => Found::Threads(needed),
                Ok(None) => Found::Place(Place::Empty),
                Ok(Some(WakeUp { track, place, moment })) => {
                    self.along = Some((track, moment));
                    Found::Place(place)
                }
            },
        };
        match found {
            Found::Threads(more) if more != needed => {
                self.threads = Some(WaitingQuestion { track, asked, needed: more })
            }
            Found::Place(place) => self.done(place),
            Found::Threads(_) | Found::Event(..) | Found::Notes(..) | Found::In(_) => self.done(Place::Unread),
        }
    }

    fn done(&mut self, place: Place) {
        self.ahead = Vec::new();
        self.read = None;
        self.place = Some(place);
    }

    fn look(&mut self, known: &Known, source: Source) {
        match source {
            Source::Rows if !known.stores.collections.is_capped() => self.take(known.rows()),
            Source::Rows => self.ahead = known.stops_of_rows(self.question),
            Source::Lane(at) => self.ahead = known.stops_of_lane(at, self.question),
        }
        if let Question::At(_) = self.question {
            self.leave_out(known);
        }
        self.all = self.ahead.len();
        self.go_on(known);
    }

    /// If a pixel covers more of the file than can be read, only a part of it is looked at.
    fn leave_out(&mut self, known: &Known) {
        let mut bytes = 0;
        let read =
            |stop: &Stop| known.segment_from(stop.offset).map_or(0, |(_, segment)| segment.end - segment.at.offset);
        let fitting = self.ahead.iter().rev().take_while(|stop| {
            bytes += read(stop);
            bytes <= limits::LOOKUP_READ
        });
        let left_out = self.ahead.len() - fitting.count();
        self.tally.more = left_out > 0;
        self.ahead.drain(..left_out);
    }

    /// Looks at one segment after the other, as long as they are at hand.
    fn go_on(&mut self, known: &Known) {
        while let Some(stop) = self.ahead.last().copied() {
            let segment = known.segment_from(stop.offset).filter(|_| self.may_have_it(stop));
            let Some((number, _)) = segment else {
                self.ahead.pop();
                continue;
            };
            let Some(detail) = known.details.get(number) else {
                let read = known.read_of(number);
                if self.asked == read {
                    self.ahead.pop();
                    continue;
                }
                (self.read, self.asked) = (read, read);
                return;
            };
            self.ahead.pop();
            match self.of {
                Some((_, Source::Rows)) => self.take(detail.rows.iter().filter_map(|(_, row)| known.item(row))),
                Some((_, Source::Lane(at))) => {
                    let Some(turn) = known.index.turn(at, number) else { continue };
                    if let Question::At(pixel) = self.question {
                        self.tally.nothing_since(turn.from(), pixel);
                    }
                    let Some(stream) = known.caps.streams.get(at) else { continue };
                    let spans = detail.lane(at, turn.next).iter();
                    let parts = spans.flat_map(|span| known.shown_parts(stream, *span));
                    self.take(parts.map(|span| Item { span, row: None }));
                }
                None => {}
            }
        }
        if self.place.is_none() {
            let place = self.answer(known);
            self.done(place);
        }
    }

    /// Whether a segment may have a better answer than what has been found.
    fn may_have_it(&self, stop: Stop) -> bool {
        let Some(Item { span: found, .. }) = self.tally.beside else { return true };
        match (self.of, self.question) {
            (_, Question::At(_)) => true,
            // A lane's segments come in order.
            (None | Some((_, Source::Lane(_))), Question::Beside(..)) => false,
            (Some((_, Source::Rows)), Question::Beside(_, Direction::Next)) => stop.bound < found.start,
            (Some((_, Source::Rows)), Question::Beside(_, Direction::Previous)) => stop.bound > found.start,
        }
    }

    /// Takes a segment's spans or rows; those of no length are not drawn.
    fn take(&mut self, items: impl Iterator<Item = Item>) {
        let items = items.filter(|item| item.span.start < item.span.end);
        match self.question {
            Question::At(pixel) => items.for_each(|item| self.tally.take(item, pixel)),
            Question::Beside(time, direction) => items.for_each(|item| self.tally.take_beside(item, time, direction)),
        }
    }

    /// The answer, once everything has been looked at.
    fn answer(&self, known: &Known) -> Place {
        let Some((tracks, of)) = self.of.and_then(|(track, _)| track.tracks()) else { return Place::Empty };
        let (known, tally) = (&known.arranged(&self.arrangement), &self.tally);
        let mut place = self.found(known, tracks, of, tally);
        if let (Some((_, Source::Lane(at))), Place::Span(SpanInfo { span, .. })) = (self.of, &place) {
            place.tell(known.wrote_in(at, *span).into_iter().collect());
        }
        place
    }

    fn found(&self, known: &Arranged<'_>, tracks: &dyn Tracks, of: u32, tally: &PixelTally) -> Place {
        match self.question {
            Question::Beside(time, direction) => {
                let mut tally = *tally;
                let kept = tracks.beside_source(known, of).into_iter().map(|span| Item { span, row: None });
                kept.for_each(|item| tally.take_beside(item, time, direction));
                tally.beside.map_or(Place::Empty, |item| Place::Span(tracks.info(known, &item)))
            }
            Question::At(pixel) => {
                if let Some(wide) = tally.wide(pixel) {
                    return Place::Span(tracks.info(known, &wide));
                }
                let seen = if tally.inside.count > 0 { tally.inside } else { tally.around };
                match seen.longest {
                    Some(item) => place(known, tracks, seen.count, tally.more, &item),
                    None => tracks.between(known, of, pixel, tally.since, tally.until),
                }
            }
        }
    }
}

/// One span; or many, with the longest of them.
pub(crate) fn place(known: &Arranged<'_>, tracks: &dyn Tracks, count: u64, more: bool, longest: &Item) -> Place {
    let longest = tracks.info(known, longest);
    let many = count > 1 || more;
    if many { Place::Many { count, more, what: tracks.what(), longest } } else { Place::Span(longest) }
}
