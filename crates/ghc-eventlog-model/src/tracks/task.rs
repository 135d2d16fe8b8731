//! Tasks, the operating system threads that the runtime uses: a lane for each shows on which capability it was.

use super::{
    few,
    groups::{self, Heading},
    kind::{Kind, Tracks},
};
use crate::{
    keeping::rts_flags::TraceClass,
    keeping::tasks::Stay,
    known::arrangement::Arranged,
    known::{Known, summed::SummedRange},
    terms::absence::Absence,
    terms::{
        place::{Direction, Found, Pixel, SpanInfo},
        range::RangeTotals,
        span::{Ending, Span},
        track::{Note, Shape, State, Track, TrackId},
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
use ghc_eventlog::{Nanos, TaskCreate};

/// The lanes of the tasks, identified by their places.
pub(crate) struct TaskTracks;

impl Kind for TaskTracks {
    const NAME: &'static str = "Tasks";
    const ABOUT: &'static str = "Which capability each thread of the operating system works for.";
    /// They are kept with the process's other facts.
    type Machine = ();
    type Tracks = Self;
    const TRACKS: Self = Self;
}

const STATES: &[State] = &[State { name: "on a capability", role: "accent" }];

fn stays(known: &Known, of: u32) -> impl Iterator<Item = Stay> {
    let end = known.extent().map_or(Nanos(0), |(_, last)| last);
    known.stores.tasks.stays(of as usize, end)
}

fn spans(known: &Known, of: u32) -> impl Iterator<Item = Span> {
    stays(known, of).map(|Stay { from, to, .. }| Span {
        start: from,
        end: to,
        thread: None,
        state: 0,
        ending: Ending::Next,
        open_start: false,
    })
}

/// The capability that it was on, in words.
fn on(known: &Known, of: u32, span: &Span) -> String {
    let stay = stays(known, of).find(|stay| stay.from == span.start && stay.to == span.end);
    stay.map_or(String::new(), |stay| format!("cap {}", stay.cap))
}

/// The part of `from..to` that lies in its stays.
fn time(known: &Known, of: u32, from: Nanos, to: Nanos) -> Nanos {
    let inside = |span: Span| span.end.min(to).since(span.start.max(from));
    spans(known, of).map(inside).fold(Nanos(0), Nanos::plus)
}

fn info(known: &Known, of: u32, span: Span) -> SpanInfo {
    let State { name, role } = few::state_of(STATES, &span);
    let mut fields =
        vec![("Start", Value::Time(span.start)), ("Duration", Value::Duration(span.end.since(span.start)))];
    if let Some(task) = known.stores.tasks.rows().get(of as usize) {
        fields.push(("Created", Value::Time(task.created)));
        fields.extend(task.deleted.map(|deleted| ("Ended", Value::Time(deleted.time()))));
        fields.extend(task.kernel_thread.map(|thread| ("Kernel thread", Value::words(thread.to_string()))));
    }
    SpanInfo::of(span, State { name, role }, format!("on {}", on(known, of, &span)), fields)
}

impl Tracks for TaskTracks {
    fn heading(&self) -> &'static Heading {
        &groups::TASKS
    }

    fn count(&self, known: &Arranged<'_>) -> usize {
        known.stores.tasks.rows().len()
    }

    fn nth(&self, known: &Arranged<'_>, place: usize) -> Option<u32> {
        (place < self.count(known)).then_some(place as u32)
    }

    fn place(&self, known: &Arranged<'_>, of: u32) -> Option<usize> {
        Some(of as usize).filter(|place| *place < self.count(known))
    }

    fn lacks(&self, known: &Arranged<'_>) -> Option<Absence> {
        known.absence(&[TaskCreate::TAG], TraceClass::Scheduler)
    }

    fn describe(&self, known: &Arranged<'_>, of: u32) -> Track {
        let moves = known.stores.tasks.rows().get(of as usize).map_or(0, |task| task.moves);
        Track {
            id: TrackId::of::<Self>(of),
            name: format!("Task {}", of + 1).into(),
            group: groups::TASKS.name(),
            shape: Shape::States,
            states: STATES,
            lacks: vec![None; STATES.len()],
            note: Note::Number(moves),
            known: None,
        }
    }

    /// The runtime logs tasks in the global stream, whose blocks may come last: nothing is certain while the log is being
    /// read.
    fn window(&self, known: &Arranged<'_>, of: u32, plan: &Plan, exact: bool) -> Window {
        few::window(plan, exact && known.is_finished(), STATES, spans(known, of), None, |span| on(known, of, span))
    }

    fn totals(&self, known: &Arranged<'_>, of: u32) -> Vec<Nanos> {
        vec![time(known, of, Nanos(0), Nanos::MAX)]
    }

    fn in_range(&self, known: &Arranged<'_>, of: u32, range: &SummedRange) -> RangeTotals {
        RangeTotals { states: vec![time(known, of, range.from, range.to)], count: None }
    }

    fn at(&self, known: &Arranged<'_>, of: u32, pixel: Pixel) -> Found {
        few::at(spans(known, of), pixel, false, "stays", |span| info(known, of, span))
    }

    fn beside(&self, known: &Arranged<'_>, of: u32, time: Nanos, direction: Direction) -> Found {
        few::beside(spans(known, of), time, direction, |span| info(known, of, span))
    }
}
