//! User spans: as many lanes for each label, or for each thread, as it has spans at once, so that none hides another. In the last of
//! the lanes that there can be, the one that began last is drawn on top.
//!
//! ```text
//! START a     START a     STOP a     STOP a     START a
//!   |--a------------------------------|           |--a, unfinished, to the end of its thread
//!             |---a-------|
//! ```
//!
//! Until all of them are there, and of too many to keep, there is a lane for each label, of when any of its spans was open.
//!
//! Known as far as the log has been gone through in order of time: see [`crate::reading::replay`].

use super::{
    few,
    groups::{self, Heading},
    kind::{Kind, Tracks},
};
use crate::{
    keeping::crossing::{
        Replayed,
        spans::{Lane, Lanes, UserSpan, Whose},
    },
    known::arrangement::Arranged,
    known::{Known, summed::Summed},
    terms::{
        place::{Direction, Found, Pixel, Place, SpanInfo},
        range::RangeTotals,
        span::{Ending, Span},
        track::{Needs, Note, Shape, State, Track, TrackId},
        value::Value,
        window::{Plan, Window},
    },
};
use alloc::{
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use ghc_eventlog::{Nanos, ThreadId, UserBinaryMsg, UserMarker, UserMsg};

/// The lanes, each by its number.
pub(crate) struct UserSpans;

impl Kind for UserSpans {
    const NAME: &'static str = "Spans";
    const ABOUT: &'static str = "The program's own spans, each between two of its messages, by label or by thread.";
    /// They are followed in order of time, over all streams.
    type Machine = ();
    type Tracks = Self;
    const TRACKS: Self = Self;
}

const STATES: &[State] = &[State { name: "in a span", role: "accent" }];

impl Tracks for UserSpans {
    fn needs(&self) -> Needs {
        Needs { replay: true, thread_states: false }
    }

    fn heading(&self) -> &'static Heading {
        &groups::SPANS
    }

    fn count(&self, known: &Arranged<'_>) -> usize {
        done(known).map_or_else(|| known.stores.messages.labels.count(), |(_, lanes)| lanes.count())
    }

    /// In order of their first spans, once those are known; until then in that of the labels in the file.
    fn nth(&self, known: &Arranged<'_>, place: usize) -> Option<u32> {
        let lane = match done(known) {
            Some((_, lanes)) => lanes.nth(place),
            None => known.stores.messages.labels.nth(place).map(Lane::of_label),
        };
        lane.map(Lane::number)
    }

    fn place(&self, known: &Arranged<'_>, of: u32) -> Option<usize> {
        let lane = Lane::numbered(of);
        match (done(known), lane) {
            (Some((_, lanes)), _) => lanes.row_of(lane),
            (None, Lane { whose: Whose::Label(label), depth: 0 }) => known.stores.messages.labels.place(label),
            (None, _) => None,
        }
    }

    fn figure(&self, known: &Arranged<'_>) -> Option<Note> {
        replayed(known).map(|replayed| Note::Number(replayed.spans.tally.sum(|of| of.count + of.unfinished)))
    }

    fn lacks(&self, known: &Arranged<'_>) -> Option<&'static str> {
        // Markers are logged by the same flag.
        (!known.counts.has_any(&[UserMsg::TAG, UserBinaryMsg::TAG, UserMarker::TAG])).then_some("-lu")
    }

    fn describe(&self, known: &Arranged<'_>, of: u32) -> Track {
        let lane = Lane::numbered(of);
        let until = match replayed(known) {
            Some(replayed) if replayed.is_done => None,
            Some(replayed) => Some((replayed.begin, replayed.until)),
            None => Some((Nanos(0), Nanos(0))),
        };
        Track {
            id: TrackId::of::<Self>(of),
            name: name(known, lane).into(),
            group: groups::SPANS.name(),
            shape: Shape::States,
            states: STATES,
            lacks: vec![None; STATES.len()],
            note: note(known, lane),
            known: until,
        }
    }

    fn window(&self, known: &Arranged<'_>, of: u32, plan: &Plan, _: bool) -> Window {
        let lane = Lane::numbered(of);
        let coarse = replayed(known).and_then(|replayed| replayed.spans.coarse(label_of(lane)?));
        let is_done = replayed(known).is_some_and(|replayed| replayed.is_done);
        let exact = is_done && coarse.is_none();
        let seen = pieces(known, lane, plan.view.from, plan.view.to);
        few::window(plan, exact, STATES, seen.into_iter(), coarse, |span| text(known, lane, span))
    }

    fn totals(&self, known: &Arranged<'_>, of: u32) -> Vec<Nanos> {
        let lane = Lane::numbered(of);
        let kept = open_time(known, lane, Nanos(0), Nanos::MAX);
        let counted = || Some(replayed(known)?.spans.open_time(label_of(lane)?));
        vec![kept.or_else(counted).unwrap_or_default()]
    }

    fn in_range(&self, known: &Arranged<'_>, of: u32, range: &Summed) -> RangeTotals {
        let Summed { from, to, .. } = *range;
        let thinned = done(known).is_some_and(|(replayed, _)| replayed.spans.rows.stride() > 1);
        let time = open_time(known, Lane::numbered(of), from, to).unwrap_or_default();
        RangeTotals { states: if thinned { Vec::new() } else { vec![time] }, count: None }
    }

    fn at(&self, known: &Arranged<'_>, of: u32, pixel: Pixel) -> Found {
        let Some((replayed, _)) = done(known) else { return Found::Place(Place::Unread) };
        let lane = Lane::numbered(of);
        let more = replayed.spans.rows.stride() > 1;
        few::at(spans(known, lane), pixel, more, "spans", |span| info(known, lane, span))
    }

    fn beside(&self, known: &Arranged<'_>, of: u32, time: Nanos, direction: Direction) -> Found {
        if done(known).is_none() {
            return Found::Place(Place::Unread);
        }
        let lane = Lane::numbered(of);
        few::beside(spans(known, lane), time, direction, |span| info(known, lane, span))
    }
}

fn replayed(known: &Known) -> Option<&Replayed> {
    known.replayed.as_ref()
}

/// Once the log has been gone through, and the rows have been made.
fn done<'a>(known: &Arranged<'a>) -> Option<(&'a Replayed, &'a Lanes)> {
    known.crossing().map(|(replayed, rows)| (replayed, &rows.spans))
}

/// The label that a lane is of, if it is of one.
fn label_of(lane: Lane) -> Option<u16> {
    match lane.whose {
        Whose::Label(label) => Some(label),
        Whose::Thread(_) | Whose::Nobody => None,
    }
}

/// What people call it: further lanes of a label or a thread have their number.
fn name(known: &Known, lane: Lane) -> String {
    let thread = |place: u32| known.thread_at(place as usize).map(|thread| known.thread_text(thread));
    let name = match lane.whose {
        Whose::Label(label) => known.stores.messages.labels.text(label).to_string(),
        Whose::Thread(place) => thread(place).unwrap_or_default(),
        Whose::Nobody => "No known thread".to_string(),
    };
    if lane.depth == 0 { name } else { format!("{name} · {}", lane.depth + 1) }
}

/// How many spans there are on it; on the first one of a label or a thread, how many on all of them, and the longest. As long as spans have
/// no places, those of the label that have ended.
fn note(known: &Arranged<'_>, lane: Lane) -> Note {
    let Some(replayed) = replayed(known) else { return Note::Number(0) };
    let (spans, lanes) = (&replayed.spans, done(known).map(|(_, lanes)| lanes));
    if lane.depth > 0 {
        return Note::Number(lanes.map_or(0, |lanes| lanes.places(lane).len() as u64));
    }
    let places = lanes.into_iter().flat_map(|lanes| lanes.places_of_all(lane));
    let lengths = places.filter_map(|place| spans.rows.kept().get(place as usize));
    let (count, longest) =
        lengths.fold((0, Nanos(0)), |(count, longest), span| (count + 1, longest.max(span.length())));
    if count > 0 {
        return Note::Count(count, longest);
    }
    let ended = label_of(lane).and_then(|label| spans.tally.by_label.get(usize::from(label)));
    ended.map_or(Note::Number(0), |of| Note::Count(of.count, of.longest))
}

/// The spans of a lane, in order of their begins: of too many to keep, those of its label that are; none before all are there.
fn rows<'a>(known: &Arranged<'a>, lane: Lane) -> impl Iterator<Item = &'a UserSpan> + use<'a> {
    let done = done(known);
    let spans = done.map(|(replayed, _)| &replayed.spans);
    let kept = spans.map_or(&[][..], |spans| spans.rows.kept());
    let places = done.map_or(&[][..], |(_, lanes)| lanes.places(lane));
    let thinned = spans.filter(|spans| spans.rows.stride() > 1).and(label_of(lane));
    let of_label = kept.iter().filter(move |span| Some(span.label) == thinned);
    places.iter().filter_map(|place| kept.get(*place as usize)).chain(of_label)
}

fn spans<'a>(known: &Arranged<'a>, lane: Lane) -> impl Iterator<Item = Span> + use<'a> {
    rows(known, lane).map(|span| drawn(span, span.start, span.end))
}

/// A piece of one.
fn drawn(span: &UserSpan, start: Nanos, end: Nanos) -> Span {
    let ending = if span.unfinished && end == span.end { Ending::Open } else { Ending::Next };
    let thread = Some(span.thread).filter(|thread| *thread != ThreadId(0));
    Span { start, end, thread, state: 0, ending, open_start: false }
}

/// How long any were open from one time to another, if all are kept.
fn open_time(known: &Arranged<'_>, lane: Lane, from: Nanos, to: Nanos) -> Option<Nanos> {
    done(known).filter(|(replayed, _)| replayed.spans.rows.stride() == 1)?;
    let time = |piece: &Span| piece.end.min(to).since(piece.start.max(from));
    Some(pieces(known, lane, from, to).iter().map(time).fold(Nanos(0), Nanos::plus))
}

/// What is seen of a lane's spans from one time to another: pieces that lie side by side.
fn pieces(known: &Arranged<'_>, lane: Lane, from: Nanos, to: Nanos) -> Vec<Span> {
    pieces_of(rows(known, lane).filter(|span| span.meets(from, to)))
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
fn whole(known: &Arranged<'_>, lane: Lane, piece: &Span) -> Option<UserSpan> {
    let covers = |span: &&UserSpan| span.start <= piece.start && piece.end <= span.end;
    let begun = rows(known, lane).take_while(|span| span.start <= piece.start);
    begun.filter(covers).max_by_key(|span| (span.start, !span.end.0)).copied()
}

/// A few words for it: its label if that is not the lane's, its number, if it has one, or else its thread.
fn text(known: &Arranged<'_>, lane: Lane, piece: &Span) -> String {
    let whole = whole(known, lane, piece);
    let label = whole.filter(|_| label_of(lane).is_none()).map(|span| known.stores.messages.labels.text(span.label));
    let number = whole.and_then(|span| span.number()).map(|number| number.to_string());
    let thread = || piece.thread.filter(|_| label_of(lane).is_some()).map(|thread| known.thread_text(thread));
    let told = [label.map(ToString::to_string), number.or_else(thread)];
    told.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn info(known: &Arranged<'_>, lane: Lane, span: Span) -> SpanInfo {
    let State { name, role } = few::state_of(STATES, &span);
    let kept = whole(known, lane, &span);
    let mut fields = vec![];
    fields.extend(kept.and_then(|kept| kept.number()).map(|number| ("Instance", Value::Count(number))));
    fields.extend(span.thread.map(|thread| ("Thread", Value::Thread(thread))));
    fields.push(("Start", Value::Time(span.start)));
    fields.push(("Duration", Value::Duration(span.end.since(span.start))));
    if span.ending == Ending::Open {
        fields.push(("Ended", Value::words("not before its thread or the log ends".to_string())));
    }
    let label = kept.map(|kept| kept.label).or(label_of(lane));
    let title = label.map_or(String::new(), |label| known.stores.messages.labels.text(label).to_string());
    SpanInfo::of(span, State { name, role }, title, fields)
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
