//! Following wake-ups from one thread's track to another's: to the thread that woke it up, or to one that it woke up.

use super::{
    kind::Tracks,
    thread::{FURTHER, ThreadTracks, course_of, life},
};
use crate::{
    keeping::crossing::doing::Doing,
    known::arrangement::Arranged,
    known::course::{CellStates, End, Stretch},
    limits,
    sorting::sort_by_number,
    terms::{
        place::{Direction, Found, Needed, Pixel, Place, WakeUp},
        track::TrackId,
    },
};
use alloc::vec::Vec;
use core::ops::Range;
use ghc_eventlog::{Nanos, ThreadId};

/// How many of the threads that a thread may have woken up in a run are checked.
const CANDIDATES: usize = 64;

/// The thread that woke a thread up for what it does at a time, or one that it woke up in a run from then on: that thread's
/// track, and what it did there; or the segments that must be read first.
///
/// ```text
/// thread 1   ...|rrrrrrrr|          [ leads from any of thread 2's stretches to the run of thread 1 in which it was woken up;
///                   | wakes         ] from that run to where thread 2 becomes runnable, and from there to the thread that it
///                                     wakes up in its next run; if it wakes none up, to that run itself, and from there to the next
/// thread 2   bbbbbbb|....|rrrr|
/// ```
pub(crate) fn woken(
    known: &Arranged<'_>,
    of: u32,
    time: Nanos,
    direction: Direction,
) -> Result<Option<WakeUp>, Needed> {
    let Some((replayed, life)) = life(known, of) else { return Ok(None) };
    let cells = &replayed.lives.cells;
    let pieces = known.pieces_of(life);
    let at = pieces.partition_point(|piece| piece.number < cells.piece(time));
    let end = pieces.partition_point(|piece| piece.number <= cells.piece(time));
    match direction {
        Direction::Previous => waker(known, of, &pieces, at..end, time),
        Direction::Next => next_woken(known, of, &pieces, at..end, time),
    }
}

/// The thread that woke a thread up for what it does at a time, which lies in its pieces `here`.
fn waker(
    known: &Arranged<'_>,
    of: u32,
    pieces: &[CellStates],
    here: Range<usize>,
    time: Nanos,
) -> Result<Option<WakeUp>, Needed> {
    let (course, _) = course_of(known, of, pieces, here.start..here.end + 1)?;
    let last = course.iter().rposition(|stretch| stretch.now.since <= time);
    let before = last.and_then(|last| course.get(..=last)).unwrap_or_default();
    if let Some(&Stretch { to, end: End::Woken(_, by), now }) = before.last()
        && now.doing == Doing::Blocked
    {
        return woken_at(known, by.thread(), to);
    }
    if let Some((by, when)) = last_woken(before) {
        return woken_at(known, by, when);
    }
    // It has run since its wake-up, perhaps often: so the wake-up is in an earlier piece.
    let earlier = pieces.get(..here.start).unwrap_or_default();
    let Some(woken) = earlier.iter().rposition(|piece| piece.has_woken) else { return Ok(None) };
    let (course, _) = course_of(known, of, pieces, woken..woken + 1)?;
    last_woken(&course).map_or(Ok(None), |(by, when)| woken_at(known, by, when))
}

/// A thread that this one woke up in its run at a time, or in its next run. If it woke none: its next run itself.
fn next_woken(
    known: &Arranged<'_>,
    of: u32,
    pieces: &[CellStates],
    here: Range<usize>,
    time: Nanos,
) -> Result<Option<WakeUp>, Needed> {
    for further in 1..=FURTHER {
        let (course, _) = course_of(known, of, pieces, here.start..here.end + further)?;
        let run = course.iter().find(|stretch| stretch.to > time && stretch.now.doing == Doing::Running);
        let Some(run) = run.filter(|run| run.end != End::Unread) else { continue };
        let segments = known.segments_between(run.now.since, run.to.plus(Nanos(1)));
        if known.bytes_to_read(&segments) > limits::THREADS_READ {
            return Ok(None);
        }
        let needed = known.needed(segments, known.thread_at(of as usize));
        if !known.is_at_hand(&needed) {
            return Err(needed);
        }
        for (thread, when) in woken_in(known, of, run, &needed.segments).into_iter().take(CANDIDATES) {
            let woken = stretch_at(known, Some(thread), when)?;
            // Wake-ups of threads that can run already are normal, and change nothing.
            if let Some((track, Place::Span(info))) = woken
                && info.span.start == when
            {
                return Ok(Some(WakeUp { track, place: Place::Span(info), moment: Some(when) }));
            }
        }
        // It woke no thread up. Its next run may, and is one step from here.
        let next = course.iter().find(|stretch| stretch.now.since > time && stretch.now.doing == Doing::Running);
        if let Some(next) = next {
            let itself = stretch_at(known, known.thread_at(of as usize), next.now.since)?;
            return Ok(itself.map(|(track, place)| WakeUp { track, place, moment: None }));
        }
    }
    Ok(None)
}

/// What a thread did at the time of a wake-up that it caused, with its track.
fn woken_at(known: &Arranged<'_>, thread: Option<ThreadId>, time: Nanos) -> Result<Option<WakeUp>, Needed> {
    let found = stretch_at(known, thread, time)?;
    Ok(found.map(|(track, place)| WakeUp { track, place, moment: Some(time) }))
}

/// The last wake-up in some stretches: the thread that caused it, and its time.
fn last_woken(stretches: &[Stretch]) -> Option<(Option<ThreadId>, Nanos)> {
    let woken = stretches.iter().rev().find(|stretch| stretch.now.is_woken())?;
    Some((woken.now.other.thread(), woken.now.since))
}

/// The threads that a thread may have woken up in one of its runs, and when, in order.
fn woken_in(known: &Arranged<'_>, of: u32, run: &Stretch, segments: &[u32]) -> Vec<(ThreadId, Nanos)> {
    let by = known.thread_at(of as usize);
    let all = segments.iter().flat_map(|segment| known.at_hand.all_of(*segment));
    let its = all.filter(|op| {
        let waker = op.what.waker().thread();
        waker.is_some() && waker == by && op.cap == run.now.cap && run.now.since <= op.time && op.time <= run.to
    });
    let mut woken: Vec<(ThreadId, Nanos)> = its.map(|op| (op.thread, op.time)).collect();
    sort_by_number(&mut woken, |(_, time)| time.0);
    woken
}

/// What a thread did at a time, with its track.
fn stretch_at(known: &Arranged<'_>, thread: Option<ThreadId>, time: Nanos) -> Result<Option<(TrackId, Place)>, Needed> {
    let place = thread.and_then(|thread| known.stores.threads.known_place(thread));
    let Some(of) = place.map(|place| place as u32) else { return Ok(None) };
    let pixel = Pixel { from: time, at: time, to: time.plus(Nanos(1)), part: None };
    match ThreadTracks.at(known, of, pixel) {
        Found::Threads(needed) => Err(needed),
        Found::Place(place) => Ok(Some((TrackId::of::<ThreadTracks>(of), place))),
        Found::Event(..) | Found::Notes(..) | Found::In(_) => Ok(None),
    }
}
