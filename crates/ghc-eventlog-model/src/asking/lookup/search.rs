//! A question that is being answered.

use super::{
    Direction, Place, SpanInfo,
    stops::Stop,
    tally::{Item, Pixel, Tally},
};
use crate::{
    limits,
    reading::session::Session,
    tracks::capability,
    tracks::span::{Ending, Span},
};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

/// A question that is being answered: see [`Model::look_up`](crate::Model::look_up). It looks at each segment once, keeps
/// what it needs of it, and goes on with the next: whatever the cache of decoded segments drops meanwhile, it comes to an
/// end.
#[derive(Debug, Clone)]
pub struct Search {
    /// What must be [supplied](crate::Model::supply) next, as offset and length; then
    /// [`Model::go_on`](crate::Model::go_on). `None` once it is answered.
    pub read: Option<(u64, u64)>,
    question: Question,
    pub(super) of: Of,
    /// The segments that may have the answer, the next one last.
    ahead: Vec<Stop>,
    tally: Tally,
    /// What was asked for last: if it is not there now it will not be there the next time.
    asked: Option<(u64, u64)>,
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

/// Where the answer is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    /// A lane, by its stream.
    Lane(usize),
    Collections,
    /// Nowhere: there are no spans.
    Nothing,
}

impl Search {
    pub(super) fn new(question: Question, of: Of) -> Self {
        Self { read: None, question, of, ahead: Vec::new(), tally: Tally::default(), asked: None, place: None }
    }

    pub(super) fn done(&mut self, place: Place) {
        self.ahead = Vec::new();
        self.read = None;
        self.place = Some(place);
    }

    /// Begins to look.
    pub(super) fn look(&mut self, session: &Session) {
        match self.of {
            Of::Collections if !session.collections.is_capped() => {
                self.take(session.collections.rows().iter().map(|row| session.item(row)));
            }
            Of::Collections => self.ahead = session.stops_of_collections(self.question),
            Of::Lane(at) => self.ahead = session.stops_of_lane(at, self.question),
            Of::Nothing => {}
        }
        if let Question::At(_) = self.question {
            self.leave_out(session);
        }
        self.go_on(session);
    }

    /// A pixel that stands for more of the file than can be read is looked at in part.
    fn leave_out(&mut self, session: &Session) {
        let mut bytes = 0;
        let read =
            |stop: &Stop| session.segment_from(stop.offset).map_or(0, |(_, segment)| segment.end - segment.at.offset);
        let fitting = self.ahead.iter().rev().take_while(|stop| {
            bytes += read(stop);
            bytes <= limits::LOOKUP_READ
        });
        let left_out = self.ahead.len() - fitting.count();
        self.tally.more = left_out > 0;
        self.ahead.drain(..left_out);
    }

    /// Looks at one segment after the other, as long as they are at hand.
    pub(super) fn go_on(&mut self, session: &Session) {
        while let Some(stop) = self.ahead.last().copied() {
            let segment = session.segment_from(stop.offset).filter(|_| self.may_have_it(stop));
            let Some((number, _)) = segment else {
                self.ahead.pop();
                continue;
            };
            let Some(detail) = session.details.get(number) else {
                let read = session.read_of(number);
                if self.asked == read {
                    self.ahead.pop();
                    continue;
                }
                (self.read, self.asked) = (read, read);
                return;
            };
            self.ahead.pop();
            match self.of {
                Of::Collections => self.take(detail.collections.iter().map(|(_, row)| session.item(row))),
                Of::Lane(at) => {
                    let Some(turn) = session.index.turn(at, number) else { continue };
                    if let Question::At(pixel) = self.question {
                        self.tally.nothing_since(turn.from(), pixel);
                    }
                    self.take(detail.lane(at, turn.next).iter().map(|&span| Item { span, collection: None }));
                }
                Of::Nothing => {}
            }
        }
        if self.place.is_none() {
            let place = self.answer(session);
            self.done(place);
        }
    }

    /// Whether a segment may have what is looked for, after what has been found.
    fn may_have_it(&self, stop: Stop) -> bool {
        let Some(Item { span: found, .. }) = self.tally.beside else { return true };
        match (self.of, self.question) {
            (_, Question::At(_)) => true,
            // A lane's segments come in order.
            (Of::Lane(_), Question::Beside(..)) => false,
            (Of::Nothing, _) => false,
            (Of::Collections, Question::Beside(_, Direction::Next)) => stop.bound < found.start,
            (Of::Collections, Question::Beside(_, Direction::Previous)) => stop.bound > found.start,
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

    /// The answer, once everything has been looked at.
    fn answer(&self, session: &Session) -> Place {
        let tally = &self.tally;
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
        match (self.of, item) {
            (Of::Collections, Some(Item { collection: Some(row), .. })) => {
                place(count, more, "collections", session.gc_info(&row))
            }
            (Of::Lane(_), Some(item)) => place(count, more, "spans", session.span_info(item.span)),
            (Of::Lane(at), None) if matches!(self.question, Question::At(_)) => self.idle(session, at),
            _ => Place::Empty,
        }
    }

    /// Between spans: the time since the last one, until the next one.
    fn idle(&self, session: &Session, of: usize) -> Place {
        if !session.told().idle() {
            return Place::Unknown(session.told().lacks(capability::IDLE));
        }
        let (first, last) = session.caps.streams.get(of).and_then(|stream| stream.times()).unwrap_or_default();
        let start = self.tally.since.max(first);
        let (end, ending) = self.tally.until.map_or((last, Ending::Open), |until| (until, Ending::Next));
        let span = Span { start, end, thread: None, state: capability::IDLE, ending, open_start: false };
        Place::Span(session.span_info(span))
    }
}

fn place(count: u64, more: bool, what: &'static str, longest: SpanInfo) -> Place {
    if count > 1 || more { Place::Many { count, more, what, longest } } else { Place::Span(longest) }
}
