//! User spans: a lane for each label, of when any of its spans was open. Where there are several at once, the one that began last is
//! drawn on top: of nested ones the innermost.
//!
//! ```text
//! START a     START a     STOP a     STOP a     START a
//!   |--a------|---a-------|---a------|            |--a, unfinished, to the end of its thread
//! ```
//!
//! Known as far as the log has been gone through in order of time: see [`crate::replay`].

use super::{
    Note, Shape, State, Track, TrackId, few,
    groups::{self, Heading},
    kind::{Kind, Tracks},
    span::{Ending, Span},
};
use crate::{
    asking::{
        lookup::{Direction, Found, Pixel, Place, SpanInfo},
        range::{Range, RangeTotals},
        window::{Plan, Window},
    },
    facts::value::Value,
    reading::session::Session,
    replay::{Replayed, spans::UserSpan},
};
use alloc::{
    string::{String, ToString},
    vec,
    vec::Vec,
};
use ghc_eventlog::{Nanos, ThreadId, UserBinaryMsg, UserMsg};

/// The lanes of the labels, each by its number.
pub(crate) struct UserSpans;

impl Kind for UserSpans {
    /// They are followed in order of time, over all streams.
    type Machine = ();
    type Tracks = Self;
    const TRACKS: Self = Self;
}

const STATES: &[State] = &[State { name: "open", role: "accent" }];

impl Tracks for UserSpans {
    fn heading(&self) -> &'static Heading {
        &groups::SPANS
    }

    fn count(&self, session: &Session) -> usize {
        session.messages.labels.count()
    }

    /// In order of their first spans, once those are known; until then in that of the file.
    fn nth(&self, session: &Session, place: usize) -> Option<u32> {
        let known = done(session).and_then(|replayed| replayed.spans.order.get(place).copied());
        known.or_else(|| session.messages.labels.nth(place)).map(u32::from)
    }

    fn place(&self, session: &Session, of: u32) -> Option<usize> {
        let of = u16::try_from(of).ok()?;
        let place = session.messages.labels.place(of)?;
        let known = done(session).and_then(|replayed| replayed.spans.order.iter().position(|label| *label == of));
        Some(known.unwrap_or(place))
    }

    fn figure(&self, session: &Session) -> Option<Note> {
        replayed(session).map(|replayed| Note::Number(replayed.spans.tally.sum(|of| of.count + of.unfinished)))
    }

    fn lacks(&self, session: &Session) -> Option<&'static str> {
        (!session.counts.has_any(&[UserMsg::TAG, UserBinaryMsg::TAG])).then_some("-lu")
    }

    fn describe(&self, session: &Session, of: u32) -> Track {
        let known = match replayed(session) {
            Some(replayed) if replayed.is_done => None,
            Some(replayed) => Some((replayed.begin, replayed.until)),
            None => Some((Nanos(0), Nanos(0))),
        };
        let told = replayed(session).and_then(|replayed| replayed.spans.tally.by_label.get(of as usize));
        Track {
            id: TrackId::of::<Self>(of),
            name: session.messages.labels.text(of as u16).to_string(),
            group: groups::SPANS.name(),
            shape: Shape::States,
            states: STATES,
            lacks: vec![None; STATES.len()],
            note: told.map_or(Note::Number(0), |of| Note::Count(of.count, of.longest)),
            known,
        }
    }

    fn window(&self, session: &Session, of: u32, plan: &Plan, _: bool) -> Window {
        let coarse = replayed(session).and_then(|replayed| replayed.spans.coarse(of as u16));
        let is_done = replayed(session).is_some_and(|replayed| replayed.is_done);
        let exact = is_done && coarse.is_none();
        let seen = pieces(session, of, plan.view.from, plan.view.to);
        few::window(plan, exact, STATES, seen.into_iter(), coarse, |span| text(session, of, span))
    }

    fn totals(&self, session: &Session, of: u32) -> Vec<Nanos> {
        let kept = open_time(session, of, Nanos(0), Nanos::MAX);
        let counted = || replayed(session).map(|replayed| replayed.spans.open_time(of as u16));
        vec![kept.or_else(counted).unwrap_or_default()]
    }

    fn in_range(&self, session: &Session, of: u32, range: &Range) -> RangeTotals {
        let (from, to) = range.times();
        let thinned = done(session).is_some_and(|replayed| replayed.spans.rows.stride() > 1);
        let time = open_time(session, of, from, to).unwrap_or_default();
        RangeTotals { states: if thinned { Vec::new() } else { vec![time] }, count: None }
    }

    fn at(&self, session: &Session, of: u32, pixel: Pixel) -> Found {
        let Some(replayed) = done(session) else { return Found::Place(Place::Unread) };
        let more = replayed.spans.rows.stride() > 1;
        few::at(spans(session, of), pixel, more, "spans", |span| info(session, of, span))
    }

    fn beside(&self, session: &Session, of: u32, time: Nanos, direction: Direction) -> Found {
        if done(session).is_none() {
            return Found::Place(Place::Unread);
        }
        few::beside(spans(session, of), time, direction, |span| info(session, of, span))
    }
}

fn replayed(session: &Session) -> Option<&Replayed> {
    session.replayed.as_ref()
}

fn done(session: &Session) -> Option<&Replayed> {
    replayed(session).filter(|replayed| replayed.is_done)
}

/// The spans of a label that are kept, in order of their begins; none before all are there.
fn rows(session: &Session, of: u32) -> impl Iterator<Item = &UserSpan> {
    let rows = done(session).map_or(&[][..], |replayed| replayed.spans.rows.kept());
    rows.iter().filter(move |span| u32::from(span.label) == of)
}

fn spans(session: &Session, of: u32) -> impl Iterator<Item = Span> {
    rows(session, of).map(|span| drawn(span, span.start, span.end))
}

/// A piece of one.
fn drawn(span: &UserSpan, start: Nanos, end: Nanos) -> Span {
    let ending = if span.unfinished && end == span.end { Ending::Open } else { Ending::Next };
    let thread = Some(span.thread).filter(|thread| *thread != ThreadId(0));
    Span { start, end, thread, state: 0, ending, open_start: false }
}

/// How long any were open from one time to another, if all are kept.
fn open_time(session: &Session, of: u32, from: Nanos, to: Nanos) -> Option<Nanos> {
    done(session).filter(|replayed| replayed.spans.rows.stride() == 1)?;
    let time = |piece: &Span| piece.end.min(to).since(piece.start.max(from));
    Some(pieces(session, of, from, to).iter().map(time).fold(Nanos(0), Nanos::plus))
}

/// What is seen of a label's spans from one time to another: pieces that lie side by side.
fn pieces(session: &Session, of: u32, from: Nanos, to: Nanos) -> Vec<Span> {
    pieces_of(rows(session, of).filter(|span| span.meets(from, to)))
}

/// The same of spans in order of their begins.
fn pieces_of<'s>(spans: impl Iterator<Item = &'s UserSpan>) -> Vec<Span> {
    // Those that are open, the one on top last; and up to when all pieces are there.
    let (mut open, mut until, mut pieces) = (Vec::<&UserSpan>::new(), Nanos(0), Vec::new());
    let mut go_on = |open: &mut Vec<&UserSpan>, to: Nanos| {
        while let Some(top) = open.last() {
            let (start, end) = (until.max(top.start), top.end.min(to));
            if start < end {
                pieces.push(drawn(top, start, end));
                until = end;
            }
            if top.end > to {
                return;
            }
            open.pop();
        }
    };
    for span in spans {
        go_on(&mut open, span.start);
        // Of those that begin at once, the longest comes first.
        let shorter = |open: &&&UserSpan| open.start == span.start && open.end < span.end;
        let above = open.iter().rev().take_while(shorter).count();
        open.insert(open.len() - above, span);
    }
    go_on(&mut open, Nanos::MAX);
    pieces
}

/// The span that a piece is of.
fn whole(session: &Session, of: u32, piece: &Span) -> Option<UserSpan> {
    let covers = |span: &&UserSpan| span.start <= piece.start && piece.end <= span.end;
    let begun = rows(session, of).take_while(|span| span.start <= piece.start);
    begun.filter(covers).max_by_key(|span| (span.start, !span.end.0)).copied()
}

/// A few words for it: its number, if it has one, or else its thread.
fn text(session: &Session, of: u32, piece: &Span) -> String {
    let number = whole(session, of, piece).and_then(|span| span.number());
    let thread = || piece.thread.map(|thread| session.thread_text(thread));
    number.map(|number| number.to_string()).or_else(thread).unwrap_or_default()
}

fn info(session: &Session, of: u32, span: Span) -> SpanInfo {
    let State { name, role } = few::state_of(STATES, &span);
    let kept = whole(session, of, &span);
    let mut fields = vec![];
    fields.extend(kept.and_then(|kept| kept.number()).map(|number| ("Instance", Value::Count(number))));
    fields.extend(span.thread.map(|thread| ("Thread", Value::Thread(thread))));
    fields.push(("Start", Value::Time(span.start)));
    fields.push(("Duration", Value::Duration(span.end.since(span.start))));
    if span.ending == Ending::Open {
        fields.push(("Ended", Value::Text("not before its thread or the log ends".to_string())));
    }
    SpanInfo { span, state: name, role, title: session.messages.labels.text(of as u16).to_string(), fields }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws spans from one time to another, each 10 ns a letter: lower-case ones are those of the first thread, and so on.
    fn draw(spans: &[(u64, u64)]) -> String {
        let spans: Vec<UserSpan> = (1..)
            .zip(spans)
            .map(|(thread, (start, end))| UserSpan::of(ThreadId(thread), *start * 10, *end * 10))
            .collect();
        let end = spans.iter().map(|span| span.end.0).max().unwrap_or(0);
        let mut drawn = vec!['.'; (end / 10) as usize];
        let pieces = pieces_of(spans.iter());
        assert!(pieces.is_sorted_by(|one, next| one.end <= next.start));
        for piece in pieces {
            let letter = char::from(b'a' - 1 + piece.thread.unwrap().0 as u8);
            drawn[(piece.start.0 / 10) as usize..(piece.end.0 / 10) as usize].fill(letter);
        }
        drawn.into_iter().collect()
    }

    #[test]
    fn the_one_that_began_last_is_on_top() {
        assert_eq!(draw(&[(0, 3), (5, 9)]), "aaa..bbbb");
        assert_eq!(draw(&[(0, 9), (2, 4), (6, 7)]), "aabbaacaa");
        assert_eq!(draw(&[(0, 5), (3, 9)]), "aaabbbbbb");
        assert_eq!(draw(&[(0, 9), (1, 8), (2, 3), (4, 6)]), "abcbddbba");
        assert_eq!(draw(&[(0, 4), (0, 4), (4, 4), (4, 6)]), "bbbbdd");
        assert_eq!(draw(&[(0, 2), (0, 5), (0, 3)]), "aacbb");
    }
}
