//! User spans: each label, or each thread, gets as many lanes as it has spans at once, so that none hides another. There is a
//! limit: in the last lane, the span that began last is drawn on top.
//!
//! ```text
//! START a     START a     STOP a     STOP a     START a
//!   |--a------------------------------|           |--a, unfinished, to the end of its thread
//!             |---a-------|
//! ```
//!
//! Until all spans are known, each label has one lane, which shows when any of its spans was open; the same where there are too many spans
//! to keep them all, until the user looks closely: then they are read again.
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
        spans::{OfLabel, SpanLane, SpanLanes, SpanOwner, UserSpan},
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
        view::View,
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
    const ABOUT: &'static str = "The program's own spans, each between two of its messages, by label or by thread. Spans that are open at once have a row each. The first row is named after the label or thread, and its figures are of all of these rows: how many spans there are, and the longest. The others have a number behind the name.";
    /// They are followed in order of time, over all streams.
    type Machine = ();
    type Tracks = Self;
    const TRACKS: Self = Self;
}

const STATES: &[State] = &[State { name: "in a span", role: "accent" }];

impl Tracks for UserSpanTracks {
    fn needs(&self) -> Needs {
        Needs { replay: true, user_spans: true, ..Needs::default() }
    }

    /// The row of its thread says what the thread did meanwhile.
    fn of_span(&self, known: &Arranged<'_>, _of: u32, info: &SpanInfo) -> (Option<TrackId>, Option<TrackId>) {
        let place = info.span.thread.and_then(|thread| known.stores.threads.known_place(thread));
        (place.map(TrackId::thread), None)
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
        replayed(known).map(|replayed| Note::Number(replayed.spans.tally.sum(OfLabel::spans)))
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
        let View { from, to, .. } = plan.view;
        let rows = rows(known, lane, (from, to));
        let coarse = replayed(known).and_then(|replayed| replayed.spans.coarse(label_of(lane)?));
        // The picture of a label is on its first row.
        let coarse = coarse.filter(|_| !rows.are_all && lane.depth == 0);
        let is_done = replayed(known).is_some_and(|replayed| replayed.is_done);
        let exact = is_done && rows.are_all;
        let seen = if rows.are_all { rows.pieces(from, to) } else { Vec::new() };
        few::window(plan, exact, STATES, seen.into_iter(), coarse, |span| text(known, lane, &rows, span))
    }

    fn totals(&self, known: &Arranged<'_>, of: u32) -> Vec<Nanos> {
        let lane = SpanLane::numbered(of);
        let kept = rows(known, lane, (Nanos(0), Nanos::MAX)).open_time(Nanos(0), Nanos::MAX);
        let counted = || Some(replayed(known)?.spans.open_times.time(label_of(lane)?));
        vec![kept.or_else(counted).unwrap_or_default()]
    }

    fn in_range(&self, known: &Arranged<'_>, of: u32, range: &SummedRange) -> RangeTotals {
        let SummedRange { from, to, .. } = *range;
        let lane = SpanLane::numbered(of);
        let read = range.spans.as_ref().and_then(|spans| spans.all.as_ref());
        let rows = read.map_or_else(|| rows(known, lane, (from, to)), |all| LaneRows::among(all, lane));
        let is_done = done(known).is_some();
        let time = if is_done { rows.open_time(from, to) } else { Some(Nanos(0)) };
        RangeTotals { states: time.into_iter().collect(), count: None }
    }

    fn at(&self, known: &Arranged<'_>, of: u32, pixel: Pixel) -> Found {
        if done(known).is_none() {
            return Found::Place(Place::Unread);
        }
        let (lane, wider) = (SpanLane::numbered(of), pixel.wider());
        let rows = rows(known, lane, (wider.from, wider.to));
        let missing = RefCell::default();
        let info = |span| info(known, lane, &rows, span, &missing);
        let found = few::at(rows.spans(), pixel, !rows.are_all, "spans", info);
        with_notes(found, missing)
    }

    fn beside(&self, known: &Arranged<'_>, of: u32, time: Nanos, direction: Direction) -> Found {
        if done(known).is_none() {
            return Found::Place(Place::Unread);
        }
        let lane = SpanLane::numbered(of);
        let rows = rows(known, lane, (time, time));
        let missing = RefCell::default();
        let info = |span| info(known, lane, &rows, span, &missing);
        let found = few::beside(rows.spans(), time, direction, info);
        with_notes(found, missing)
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
    if lane.depth > 0 && spans.rows.stride() == 1 {
        return Note::Number(lanes.map_or(0, |lanes| lanes.places(lane).len() as u64));
    }
    let places = lanes.into_iter().flat_map(|lanes| lanes.places_of_all(lane));
    let lengths = places.filter_map(|place| spans.rows.kept().get(place as usize));
    let (count, longest) =
        lengths.fold((0, Nanos(0)), |(count, longest), span| (count + 1, longest.max(span.length())));
    if count > 0 {
        return Note::Count(count, longest);
    }
    // If not all are kept, it is not known how many are on which row.
    let ended = label_of(lane).and_then(|label| spans.tally.by_label.get(usize::from(label)));
    ended.map_or(Note::Number(0), |of| Note::Count(of.count, of.longest))
}

/// Spans of a lane, in order of their begins.
struct LaneRows {
    spans: Vec<UserSpan>,
    /// Whether these are all that meet the time.
    are_all: bool,
}

impl LaneRows {
    /// Of spans that are all that meet some time.
    fn among(all: &[UserSpan], lane: SpanLane) -> Self {
        Self { spans: lane.rows_among(all), are_all: true }
    }

    fn spans(&self) -> impl Iterator<Item = Span> {
        self.spans.iter().map(|span| drawn(span, span.start, span.end))
    }

    /// The visible pieces in `from..to`: they do not overlap.
    fn pieces(&self, from: Nanos, to: Nanos) -> Vec<Span> {
        pieces_of(self.spans.iter().filter(|span| span.meets(from, to)))
    }

    /// How long any span was open in `from..to`, if all are there.
    fn open_time(&self, from: Nanos, to: Nanos) -> Option<Nanos> {
        let time = |piece: &Span| piece.end.min(to).since(piece.start.max(from));
        self.are_all.then(|| self.pieces(from, to).iter().map(time).fold(Nanos(0), Nanos::plus))
    }

    /// The span that a piece belongs to.
    fn whole(&self, piece: &Span) -> Option<UserSpan> {
        let covers = |span: &&UserSpan| span.start <= piece.start && piece.end <= span.end;
        let begun = self.spans.iter().take_while(|span| span.start <= piece.start);
        begun.filter(covers).max_by_key(|span| (span.start, !span.end.0)).copied()
    }
}

/// The spans of a lane that meet a time, and others. If there are too many to keep, and those there are not at hand: those of its label
/// that are kept. None until all spans are known.
fn rows(known: &Arranged<'_>, lane: SpanLane, (from, to): (Nanos, Nanos)) -> LaneRows {
    let Some((replayed, lanes)) = done(known) else { return LaneRows { spans: Vec::new(), are_all: false } };
    let kept = replayed.spans.rows.kept();
    if replayed.spans.rows.stride() == 1 {
        let places = lanes.places(lane).iter();
        return LaneRows {
            spans: places.filter_map(|place| kept.get(*place as usize)).copied().collect(),
            are_all: true,
        };
    }
    match known.spans_at_hand.between(from, to) {
        Some(all) => LaneRows::among(all, lane),
        None => {
            let is_its = |span: &&UserSpan| lane.depth == 0 && Some(span.label) == label_of(lane);
            LaneRows { spans: kept.iter().filter(is_its).copied().collect(), are_all: false }
        }
    }
}

/// A piece of a span.
fn drawn(span: &UserSpan, start: Nanos, end: Nanos) -> Span {
    let ending = if span.unfinished && end == span.end { Ending::Open } else { Ending::Next };
    let thread = Some(span.thread).filter(|thread| *thread != ThreadId(0));
    Span { start, end, thread, state: 0, ending, open_start: false }
}

/// The visible pieces of spans in order of their begins.
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

/// A few words for a piece: its label if it is not the lane's, and its number, or if it has none, its thread.
fn text(known: &Known, lane: SpanLane, rows: &LaneRows, piece: &Span) -> String {
    let whole = rows.whole(piece);
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
fn info(known: &Known, lane: SpanLane, rows: &LaneRows, span: Span, missing: &RefCell<Vec<u64>>) -> SpanInfo {
    let State { name, role } = few::state_of(STATES, &span);
    let kept = rows.whole(&span);
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
