//! User spans: each label, or each thread, gets as many lanes as it has spans at once, so that none hides another. There is a
//! limit: in the last lane, the span that began last is drawn on top.
//!
//! ```text
//! START a     START a     STOP a     STOP a     START a
//!   |--a------------------------------|           |--a, unfinished, to the end of its thread
//!             |---a-------|
//! ```
//!
//! Until all spans are known, or if there are too many to keep, each label has one lane, which shows when any of its spans
//! was open.
//!
//! Known as far as the log has been replayed in order of time: see [`crate::reading::replay`].

use super::{
    few,
    groups::{self, Heading},
    kind::{Kind, Tracks},
};
use crate::{
    keeping::crossing::{
        Replayed,
        spans::{SpanLane, SpanLanes, SpanOwner, UserSpan},
    },
    keeping::rts_flags::TraceClass,
    known::arrangement::Arranged,
    known::{Known, summed::SummedRange},
    terms::absence::Absence,
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
use core::cell::RefCell;
use ghc_eventlog::{Nanos, ThreadId, UserBinaryMsg, UserMarker, UserMsg};

/// The lanes, identified by their numbers.
pub(crate) struct UserSpanTracks;

impl Kind for UserSpanTracks {
    const NAME: &'static str = "Spans";
    const ABOUT: &'static str = "The program's own spans, each between two of its messages, by label or by thread.";
    /// They are followed in order of time, over all streams.
    type Machine = ();
    type Tracks = Self;
    const TRACKS: Self = Self;
}

const STATES: &[State] = &[State { name: "in a span", role: "accent" }];

impl Tracks for UserSpanTracks {
    fn needs(&self) -> Needs {
        Needs { replay: true, thread_states: false }
    }

    fn heading(&self) -> &'static Heading {
        &groups::SPANS
    }

    fn count(&self, known: &Arranged<'_>) -> usize {
        done(known).map_or_else(|| known.stores.messages.labels.count(), |(_, lanes)| lanes.count())
    }

    /// In order of their first spans, once those are known; until then, labels are in order of the file.
    fn nth(&self, known: &Arranged<'_>, place: usize) -> Option<u32> {
        let lane = match done(known) {
            Some((_, lanes)) => lanes.nth(place),
            None => known.stores.messages.labels.nth(place).map(SpanLane::of_label),
        };
        lane.map(SpanLane::number)
    }

    fn place(&self, known: &Arranged<'_>, of: u32) -> Option<usize> {
        let lane = SpanLane::numbered(of);
        match (done(known), lane) {
            (Some((_, lanes)), _) => lanes.row_of(lane),
            (None, SpanLane { whose: SpanOwner::Label(label), depth: 0 }) => known.stores.messages.labels.place(label),
            (None, _) => None,
        }
    }

    fn figure(&self, known: &Arranged<'_>) -> Option<Note> {
        replayed(known).map(|replayed| Note::Number(replayed.spans.tally.sum(|of| of.count + of.unfinished)))
    }

    fn lacks(&self, known: &Arranged<'_>) -> Option<Absence> {
        // The same flag turns on markers.
        known.absence(&[UserMsg::TAG, UserBinaryMsg::TAG, UserMarker::TAG], TraceClass::User)
    }

    fn describe(&self, known: &Arranged<'_>, of: u32) -> Track {
        let lane = SpanLane::numbered(of);
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
        let lane = SpanLane::numbered(of);
        let coarse = replayed(known).and_then(|replayed| replayed.spans.coarse(label_of(lane)?));
        let is_done = replayed(known).is_some_and(|replayed| replayed.is_done);
        let exact = is_done && coarse.is_none();
        let seen = pieces(known, lane, plan.view.from, plan.view.to);
        few::window(plan, exact, STATES, seen.into_iter(), coarse, |span| text(known, lane, span))
    }

    fn totals(&self, known: &Arranged<'_>, of: u32) -> Vec<Nanos> {
        let lane = SpanLane::numbered(of);
        let kept = open_time(known, lane, Nanos(0), Nanos::MAX);
        let counted = || Some(replayed(known)?.spans.open_time(label_of(lane)?));
        vec![kept.or_else(counted).unwrap_or_default()]
    }

    fn in_range(&self, known: &Arranged<'_>, of: u32, range: &SummedRange) -> RangeTotals {
        let SummedRange { from, to, .. } = *range;
        let thinned = done(known).is_some_and(|(replayed, _)| replayed.spans.rows.stride() > 1);
        let time = open_time(known, SpanLane::numbered(of), from, to).unwrap_or_default();
        RangeTotals { states: if thinned { Vec::new() } else { vec![time] }, count: None }
    }

    fn at(&self, known: &Arranged<'_>, of: u32, pixel: Pixel) -> Found {
        let Some((replayed, _)) = done(known) else { return Found::Place(Place::Unread) };
        let lane = SpanLane::numbered(of);
        let more = replayed.spans.rows.stride() > 1;
        let missing = RefCell::default();
        with_notes(few::at(spans(known, lane), pixel, more, "spans", |span| info(known, lane, span, &missing)), missing)
    }

    fn beside(&self, known: &Arranged<'_>, of: u32, time: Nanos, direction: Direction) -> Found {
        if done(known).is_none() {
            return Found::Place(Place::Unread);
        }
        let lane = SpanLane::numbered(of);
        let missing = RefCell::default();
        with_notes(few::beside(spans(known, lane), time, direction, |span| info(known, lane, span, &missing)), missing)
    }
}

fn replayed(known: &Known) -> Option<&Replayed> {
    known.replayed.as_ref()
}

/// The results of the replay and the rows, once both are there.
fn done<'a>(known: &Arranged<'a>) -> Option<(&'a Replayed, &'a SpanLanes)> {
    known.crossing().map(|(replayed, rows)| (replayed, &rows.spans))
}

/// The label of a lane; `None` for a thread's lane.
fn label_of(lane: SpanLane) -> Option<u16> {
    match lane.whose {
        SpanOwner::Label(label) => Some(label),
        SpanOwner::Thread(_) | SpanOwner::Nobody => None,
    }
}

/// Its name for people: further lanes of a label or a thread have a number.
fn name(known: &Known, lane: SpanLane) -> String {
    let thread = |place: u32| known.thread_at(place as usize).map(|thread| known.thread_text(thread));
    let name = match lane.whose {
        SpanOwner::Label(label) => known.stores.messages.labels.text(label).to_string(),
        SpanOwner::Thread(place) => thread(place).unwrap_or_default(),
        SpanOwner::Nobody => "No known thread".to_string(),
    };
    if lane.depth == 0 { name } else { format!("{name} · {}", lane.depth + 1) }
}

/// How many spans are on the lane; the first lane of a label or a thread has the number of all of its spans, and the longest.
/// As long as spans have no lanes of their own: those of the label that have ended.
fn note(known: &Arranged<'_>, lane: SpanLane) -> Note {
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

/// The spans of a lane, in order of their begins. If there are too many to keep: those of its label that are kept. Empty
/// until all spans are known.
fn rows<'a>(known: &Arranged<'a>, lane: SpanLane) -> impl Iterator<Item = &'a UserSpan> + use<'a> {
    let done = done(known);
    let spans = done.map(|(replayed, _)| &replayed.spans);
    let kept = spans.map_or(&[][..], |spans| spans.rows.kept());
    let places = done.map_or(&[][..], |(_, lanes)| lanes.places(lane));
    let thinned = spans.filter(|spans| spans.rows.stride() > 1).and(label_of(lane));
    let of_label = kept.iter().filter(move |span| Some(span.label) == thinned);
    places.iter().filter_map(|place| kept.get(*place as usize)).chain(of_label)
}

fn spans<'a>(known: &Arranged<'a>, lane: SpanLane) -> impl Iterator<Item = Span> + use<'a> {
    rows(known, lane).map(|span| drawn(span, span.start, span.end))
}

/// A piece of a span.
fn drawn(span: &UserSpan, start: Nanos, end: Nanos) -> Span {
    let ending = if span.unfinished && end == span.end { Ending::Open } else { Ending::Next };
    let thread = Some(span.thread).filter(|thread| *thread != ThreadId(0));
    Span { start, end, thread, state: 0, ending, open_start: false }
}

/// How long any span of the lane was open in `from..to`, if all spans are kept.
fn open_time(known: &Arranged<'_>, lane: SpanLane, from: Nanos, to: Nanos) -> Option<Nanos> {
    done(known).filter(|(replayed, _)| replayed.spans.rows.stride() == 1)?;
    let time = |piece: &Span| piece.end.min(to).since(piece.start.max(from));
    Some(pieces(known, lane, from, to).iter().map(time).fold(Nanos(0), Nanos::plus))
}

/// The visible pieces of a lane's spans in `from..to`: they do not overlap.
fn pieces(known: &Arranged<'_>, lane: SpanLane, from: Nanos, to: Nanos) -> Vec<Span> {
    pieces_of(rows(known, lane).filter(|span| span.meets(from, to)))
}

/// The same for spans in order of their begins.
fn pieces_of<'s>(spans: impl Iterator<Item = &'s UserSpan>) -> Vec<Span> {
    // The open spans, the one on top last; and until when the pieces are complete.
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
        // If several begin at once, the longest comes first.
        let shorter = |open: &&&UserSpan| open.start == span.start && open.end < span.end;
        let above = open.iter().rev().take_while(shorter).count();
        open.insert(open.len() - above, span);
    }
    go_on(&mut open, Nanos::MAX);
    pieces
}

/// The span that a piece belongs to.
fn whole(known: &Arranged<'_>, lane: SpanLane, piece: &Span) -> Option<UserSpan> {
    let covers = |span: &&UserSpan| span.start <= piece.start && piece.end <= span.end;
    let begun = rows(known, lane).take_while(|span| span.start <= piece.start);
    begun.filter(covers).max_by_key(|span| (span.start, !span.end.0)).copied()
}

/// A few words for a piece: its label if it is not the lane's, and its number, or if it has none, its thread.
fn text(known: &Arranged<'_>, lane: SpanLane, piece: &Span) -> String {
    let whole = whole(known, lane, piece);
    let label = whole.filter(|_| label_of(lane).is_none()).map(|span| known.stores.messages.labels.text(span.label));
    let number = whole.and_then(|span| span.number()).map(|number| number.to_string());
    let thread = || piece.thread.filter(|_| label_of(lane).is_some()).map(|thread| known.thread_text(thread));
    let told = [label.map(ToString::to_string), number.or_else(thread)];
    told.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// What was found, and the messages that must be read for the rest of it.
fn with_notes(found: Found, missing: RefCell<Vec<u64>>) -> Found {
    let missing = missing.into_inner();
    match found {
        Found::Place(place) if !missing.is_empty() => Found::Notes(place, missing),
        _ => found,
    }
}

/// A span in words; adds the offsets of the messages that say more of it to `missing`.
fn info(known: &Arranged<'_>, lane: SpanLane, span: Span, missing: &RefCell<Vec<u64>>) -> SpanInfo {
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
    if let Some(kept) = &kept {
        let (noted, more) = known.noted_fields(kept);
        fields.extend(noted);
        missing.replace(more);
    }
    let label = kept.map(|kept| kept.label).or(label_of(lane));
    let title = label.map_or(String::new(), |label| known.stores.messages.labels.text(label).to_string());
    SpanInfo::of(span, State { name, role }, title, fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws spans, given from-to, a letter for each 10 ns: the first span is a, and so on.
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
