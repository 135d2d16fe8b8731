//! The non-moving collector of the oldest generation: its phases, which the runtime logs on any stream.
//!
//! ```text
//! CONC_MARK_BEGIN … END      beside the program; several in a cycle, also while it is stopped
//! CONC_SYNC_BEGIN … END      the program is stopped to finish marking; both are posted twice
//! CONC_SWEEP_BEGIN … END     beside the program; the cycle is over
//! ```

use super::{
    few,
    groups::{self, Heading},
    kind::{Kind, Tracks},
};
use crate::{
    known::arrangement::Arranged,
    known::{Known, summed::SummedRange, sums::Sums},
    terms::{
        machine::{Dialect, KeptRow, Machine, Placed, Sink},
        nonmoving::{Census, Phase},
        place::{Direction, Found, Pixel, SpanInfo},
        range::RangeTotals,
        span::{Ending, Moment, Span},
        track::{Note, Shape, State, Track, TrackId},
        value::Value,
        window::{Plan, Window},
    },
};
use alloc::{string::ToString, vec, vec::Vec};
use ghc_eventlog::{
    ConcMarkBegin, ConcMarkEnd, ConcSweepBegin, ConcSweepEnd, ConcSyncBegin, ConcSyncEnd, Nanos, NonmovingHeapCensus,
    NonmovingPrunedSegments, Record,
};

/// The track of the phases.
pub(crate) struct NonMovingTrack;

impl Kind for NonMovingTrack {
    const NAME: &'static str = "Non-moving";
    const ABOUT: &'static str = "The phases of the non-moving collector (-xn): marking and sweeping while the program runs, and a short \
        stop between them (sync).";
    type Machine = PhaseMachine;
    type Tracks = Self;
    const TRACKS: Self = Self;
}

/// The states, by number.
pub(crate) const STATES: &[State] = &[
    State { name: "non-moving mark", role: "nonmoving-mark" },
    State { name: "non-moving sync", role: "nonmoving-sync" },
    State { name: "non-moving sweep", role: "nonmoving-sweep" },
];
/// Their numbers.
pub(crate) const MARK: usize = 0;
pub(crate) use crate::terms::nonmoving::SYNC;
pub(crate) const SWEEP: usize = 2;
/// How many states there are.
pub(crate) const PHASES: usize = STATES.len();

/// Its sums: the time in each state, the number of spans of each state, and other counts.
pub(crate) const TIMES: usize = NonMovingTrack::SUMS_FROM;
pub(crate) const COUNTS: usize = TIMES + PHASES;
pub(crate) const MARKED: usize = COUNTS + PHASES;
pub(crate) const PRUNED: usize = MARKED + 1;
pub(crate) const CENSUSES: usize = PRUNED + 1;
const SUMS: usize = 2 * PHASES + 3;
const _: () = assert!(CENSUSES + 1 - TIMES == SUMS);

/// Adds a phase to a stream's sums. With a range, only the part inside it counts, and the phase itself if it begins there.
pub(crate) fn count(sums: &mut Sums, phase: &Phase, range: Option<(Nanos, Nanos)>) {
    let (from, to) = range.unwrap_or((Nanos(0), Nanos::MAX));
    let state = usize::from(phase.state).min(PHASES - 1);
    sums.add(TIMES + state, phase.end.min(to).since(phase.start.max(from)).0);
    sums.add(COUNTS + state, u64::from(range.is_none() || from <= phase.start && phase.start < to));
}

/// Follows the phases in one stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PhaseMachine {
    /// Since when each phase has been open.
    open: [Option<Moment>; PHASES],
}

impl Machine for PhaseMachine {
    const TAGS: &'static [u16] = &[
        ConcMarkBegin::TAG,
        ConcMarkEnd::TAG,
        ConcSyncBegin::TAG,
        ConcSyncEnd::TAG,
        ConcSweepBegin::TAG,
        ConcSweepEnd::TAG,
        NonmovingHeapCensus::TAG,
        NonmovingPrunedSegments::TAG,
    ];
    const SUMS: usize = SUMS;

    fn starting(_: Nanos) -> Self {
        Self { open: [None; PHASES] }
    }

    #[inline(always)]
    fn step(&mut self, record: Record<'_>, _: Dialect, sink: &mut impl Sink) {
        let Record { time, payload, .. } = record;
        match record.tag {
            ConcMarkBegin::TAG => self.begin(MARK, time),
            ConcSyncBegin::TAG => self.begin(SYNC, time),
            ConcSweepBegin::TAG => self.begin(SWEEP, time),
            ConcMarkEnd::TAG => {
                let marked = if self.end(MARK, time, sink) { ConcMarkEnd::read(payload).marked } else { 0 };
                sink.add::<NonMovingTrack>(MARKED - TIMES, marked.into(), time);
            }
            ConcSyncEnd::TAG => _ = self.end(SYNC, time, sink),
            ConcSweepEnd::TAG => {
                self.end(SWEEP, time, sink);
                // The cycle is over. Marking may stop without an event: phases that are still open have no end.
                self.open = [None; PHASES];
            }
            NonmovingHeapCensus::TAG => {
                let census = NonmovingHeapCensus::read(payload);
                sink.add::<NonMovingTrack>(CENSUSES - TIMES, 1, time);
                sink.row(KeptRow::Census(Census {
                    time,
                    block_bytes: census.block_bytes.0,
                    active_segments: census.active_segments,
                    filled_segments: census.filled_segments,
                    live_blocks: census.live_blocks,
                }));
            }
            NonmovingPrunedSegments::TAG => {
                let pruned = NonmovingPrunedSegments::read(payload).pruned;
                sink.add::<NonMovingTrack>(PRUNED - TIMES, pruned.into(), time);
            }
            _ => {}
        }
    }

    fn busy_since(&self) -> Option<Nanos> {
        self.open.into_iter().flatten().map(Moment::time).min()
    }
}

impl PhaseMachine {
    /// A second begin of an open phase is ignored.
    fn begin(&mut self, phase: usize, time: Nanos) {
        if let Some(open @ None) = self.open.get_mut(phase) {
            *open = Moment::at(time);
        }
    }

    /// Whether the phase was open: a second end is ignored, too.
    fn end(&mut self, phase: usize, time: Nanos, sink: &mut impl Sink) -> bool {
        let Some(start) = self.open.get_mut(phase).and_then(Option::take).map(Moment::time) else { return false };
        sink.row(KeptRow::Phase(Phase { start, end: time.max(start), state: phase as u8 }));
        true
    }
}

fn span(phase: &Phase) -> Span {
    let Phase { start, end, state } = *phase;
    Span { start, end, thread: None, state, ending: Ending::Next, open_start: false }
}

fn spans(known: &Known) -> impl Iterator<Item = Span> {
    known.stores.nonmoving.phases().iter().map(span)
}

fn info(span: Span) -> SpanInfo {
    let State { name, role } = few::state_of(STATES, &span);
    let fields = vec![("Start", Value::Time(span.start)), ("Duration", Value::Duration(span.end.since(span.start)))];
    SpanInfo::of(span, State { name, role }, name, fields)
}

impl Tracks for NonMovingTrack {
    fn heading(&self) -> &'static Heading {
        &groups::COLLECTIONS
    }

    fn count(&self, known: &Arranged<'_>) -> usize {
        usize::from(known.stores.nonmoving.series.is_some())
    }

    fn nth(&self, known: &Arranged<'_>, place: usize) -> Option<u32> {
        (place < self.count(known)).then_some(0)
    }

    fn place(&self, known: &Arranged<'_>, of: u32) -> Option<usize> {
        (of == 0 && self.count(known) > 0).then_some(0)
    }

    fn describe(&self, known: &Arranged<'_>, of: u32) -> Track {
        let sweeps = known.caps.streams.iter().map(|stream| stream.sums.get(COUNTS + SWEEP)).sum();
        Track {
            id: TrackId::of::<Self>(of),
            name: "Non-moving".into(),
            group: groups::COLLECTIONS.name(),
            shape: Shape::States,
            states: STATES,
            lacks: vec![None; PHASES],
            note: Note::Number(sweeps),
            known: None,
        }
    }

    fn window(&self, known: &Arranged<'_>, _: u32, plan: &Plan, exact: bool) -> Window {
        let kept = &known.stores.nonmoving;
        let coarse = kept.series.filter(|_| kept.is_thinned());
        let coarse = coarse.map(|series| (&known.stores.overview, series));
        few::window(plan, exact, STATES, spans(known), coarse, |span| few::state_of(STATES, span).name.to_string())
    }

    fn totals(&self, known: &Arranged<'_>, _: u32) -> Vec<Nanos> {
        let mut all = Sums::default();
        known.caps.streams.iter().for_each(|stream| all.add_all(&stream.sums));
        all.of(TIMES, PHASES).iter().copied().map(Nanos).collect()
    }

    fn in_range(&self, _: &Arranged<'_>, _: u32, range: &SummedRange) -> RangeTotals {
        let states = range.of_all().of(TIMES, PHASES).iter().copied().map(Nanos).collect();
        RangeTotals { states, count: None }
    }

    fn at(&self, known: &Arranged<'_>, _: u32, pixel: Pixel) -> Found {
        few::at(spans(known), pixel, known.stores.nonmoving.is_thinned(), "phases", info)
    }

    fn beside(&self, known: &Arranged<'_>, _: u32, time: Nanos, direction: Direction) -> Found {
        few::beside(spans(known), time, direction, info)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::{machine::Lost, sample::Sample};
    use alloc::string::String;
    use ghc_eventlog::StatusNumbering;

    /// The phases, as a letter for each 10 ns; where they overlap, the one that begins later is drawn.
    #[derive(Default)]
    struct Drawn {
        letters: Vec<char>,
        marked: u64,
    }

    impl Sink for Drawn {
        fn span(&mut self, _: Span) {}
        fn sample<K: Placed>(&mut self, _: Sample) {}
        fn add<K: Placed>(&mut self, sum: usize, more: u64, _: Nanos) {
            self.marked += if sum + TIMES == MARKED { more } else { 0 };
        }
        fn reach<K: Placed>(&mut self, _: usize, _: u64, _: Nanos) {}
        fn row(&mut self, row: KeptRow) {
            let KeptRow::Phase(phase) = row else { return };
            for at in (phase.start.0 / 10)..(phase.end.0 / 10) {
                if self.letters[at as usize] == '.' || phase.state != SYNC as u8 {
                    self.letters[at as usize] = ['m', 'y', 's'][usize::from(phase.state)];
                }
            }
        }
        fn lost(&mut self, _: Lost) {}
    }

    /// Plays events, 10 ns each: `(` and `)` for marking, `[` and `]` for the sync, `{` and `}` for sweeping.
    fn play(events: &str) -> (String, u64) {
        let dialect = Dialect {
            numbering: StatusNumbering::Usual,
            has_global_sync: true,
            one_capability: false,
            threads: crate::terms::numbering::Numbering { added: 0 },
            can_pause: false,
        };
        let mut drawn = Drawn { letters: vec!['.'; events.len()], ..Drawn::default() };
        let mut phases = PhaseMachine::starting(Nanos(0));
        for (at, event) in events.chars().enumerate() {
            let tag = match event {
                '(' => ConcMarkBegin::TAG,
                ')' => ConcMarkEnd::TAG,
                '[' => ConcSyncBegin::TAG,
                ']' => ConcSyncEnd::TAG,
                '{' => ConcSweepBegin::TAG,
                '}' => ConcSweepEnd::TAG,
                _ => continue,
            };
            let time = Nanos(at as u64 * 10);
            let record = Record { offset: 0, time, tag, cap: None, known: true, payload: &[0, 0, 0, 5] };
            phases.step(record, dialect, &mut drawn);
        }
        (drawn.letters.into_iter().collect(), drawn.marked)
    }

    #[test]
    fn a_cycle_marks_stops_the_program_and_sweeps() {
        let cycle = play("(   )  [  (  )  ]  {   }  ");
        assert_eq!(cycle, ("mmmm...yyymmmyyy...ssss...".into(), 10));
    }

    #[test]
    fn a_repeated_begin_or_end_makes_one_phase() {
        assert_eq!(play(".[[ ]] ").0, ".yyy...");
        assert_eq!(play("( ( ) )").0, "mmmm...");
    }

    #[test]
    fn a_phase_without_an_end_in_its_cycle_is_not_drawn() {
        assert_eq!(play("(  {  }  ) ").0, "...sss.....");
        assert_eq!(play("  ]  }  ").0, "........");
    }
}
