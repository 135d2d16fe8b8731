//! What the profiles say of a scope: made once, when the first of its figures or rows is asked for.

use super::scope::Scope;
use crate::{
    profiles::{
        bands::{Band, HeapProfile, Held, Key, Times},
        flame::module,
        stacks::TimeProfile,
        ticky::Counts,
    },
    reading::session::Session,
    sorting::{by_least, by_most, by_most_of_two},
};
use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use core::cell::OnceCell;
use ghc_eventlog::{Breakdown, CostCentreId, InfoTable, Nanos};

/// What has been made so far; `None` in it where a range cannot be told, since not all that came is kept.
#[derive(Default)]
pub(crate) struct ProfilesIn {
    bands: OnceCell<Option<Bands>>,
    time: OnceCell<Option<Samples>>,
    modules: OnceCell<Option<Modules>>,
    ticky: OnceCell<Option<Vec<Counts>>>,
}

/// The bands of the heap profile.
pub(crate) struct Bands {
    /// By the band's place in the profile.
    pub(crate) held: Vec<Held>,
    /// All together.
    pub(crate) all: Held,
    pub(crate) times: Times,
    /// The places of those that held anything, the largest integral first; eras by their numbers.
    pub(crate) order: Vec<u32>,
}

/// The samples of the time profile.
pub(crate) struct Samples {
    pub(crate) count: u64,
    /// Of just that stack, by the stack's place.
    pub(crate) own: Vec<u64>,
    /// The places of the stacks that have samples, those with the most first.
    pub(crate) order: Vec<u32>,
    /// In which a cost centre was innermost, and in which it stood at all, by its place.
    pub(crate) centres: Vec<(u64, u64)>,
    /// The places of those that were met: first those that were innermost most often.
    pub(crate) order_of_centres: Vec<u32>,
}

/// The breakdowns of which the bands' labels say more than a name.
pub(crate) const BY_COST_CENTRE: Breakdown = Breakdown(1);
pub(crate) const BY_INFO_TABLE: Breakdown = Breakdown(8);
pub(crate) const BY_ERA: Breakdown = Breakdown(9);

impl Scope<'_> {
    /// What the bands held; `None` if that is not known of a range.
    pub(crate) fn bands(&self) -> Option<&Bands> {
        let heap = &self.session().profiles.heap;
        let make = || {
            let (held, all, times) = match self.range {
                None => (heap.bands().iter().map(|band| band.held).collect(), heap.all, heap.times),
                Some(range) => heap.within(range.from, range.to)?,
            };
            let order = in_order(heap, &held);
            Some(Bands { held, all, times, order })
        };
        self.profiles().bands.get_or_init(make).as_ref()
    }

    /// What was sampled; likewise.
    pub(crate) fn samples(&self) -> Option<&Samples> {
        let time = &self.session().profiles.time;
        let make = || match self.range {
            None => {
                let own = time.nodes().iter().map(|node| node.own).collect();
                let centres = time.centres().iter().map(|met| (met.own, met.total)).collect();
                Some(Samples::with(time.samples, own, centres))
            }
            Some(range) => {
                let rows = Some(time.rows.kept()).filter(|_| time.rows.stride() == 1)?;
                let rows = rows.get(self.within(rows, |row| row.time))?;
                debug_assert!(rows.iter().all(|row| range.from <= row.time));
                Some(Samples::of(time, rows.iter().map(|row| row.node)))
            }
        };
        self.profiles().time.get_or_init(make).as_ref()
    }

    /// The same by module; likewise.
    pub(crate) fn modules(&self) -> Option<&Modules> {
        let make = || Some(Modules::of(self.session(), self.samples()?));
        self.profiles().modules.get_or_init(make).as_ref()
    }

    /// What each ticky counter counted; likewise.
    pub(crate) fn counters(&self) -> Option<&Vec<Counts>> {
        let ticky = &self.session().profiles.ticky;
        let make = || match self.range {
            None => Some(ticky.counters().iter().map(|counter| counter.counts).collect()),
            Some(range) => ticky.within(range.from, range.to),
        };
        self.profiles().ticky.get_or_init(make).as_ref()
    }
}

impl Samples {
    /// Samples of some stacks.
    fn of(time: &TimeProfile, stacks: impl Iterator<Item = u32>) -> Self {
        let (mut own, mut count) = (alloc::vec![0u64; time.nodes().len()], 0);
        for node in stacks {
            count += 1;
            if let Some(own) = own.get_mut(node as usize) {
                *own += 1;
            }
        }
        let each: Vec<u32> = (0..time.centres().len() as u32).collect();
        let centres = in_all(time, &own, &each);
        Self::with(count, own, centres)
    }

    fn with(count: u64, own: Vec<u64>, centres: Vec<(u64, u64)>) -> Self {
        let of = |node: u32| own.get(node as usize).copied().unwrap_or(0);
        let mut order = by_most(own.len(), of);
        order.retain(|node| of(*node) > 0);
        let of = |centre: u32| centres.get(centre as usize).copied().unwrap_or_default();
        let mut order_of_centres = by_most_of_two(centres.len(), |centre| of(centre).0, |centre| of(centre).1);
        order_of_centres.retain(|centre| of(*centre).1 > 0);
        Self { count, own, order, centres, order_of_centres }
    }
}

/// The samples of some stacks by things that the frames of each are of, as modules, or the frames themselves: in how many the innermost frame
/// is of one, and in how many any is, however many are. `of` has the thing's number for each frame; there are no more than frames.
#[inline(never)]
fn in_all(time: &TimeProfile, own: &[u64], of: &[u32]) -> Vec<(u64, u64)> {
    let mut sums = alloc::vec![(0, 0); of.len()];
    let mut counted = alloc::vec![u32::MAX; of.len()];
    for (node, &own) in (0..).zip(own).filter(|(_, own)| **own > 0) {
        for (depth, frame) in time.path(node).enumerate() {
            let Some(at) = of.get(frame as usize).map(|at| *at as usize) else { continue };
            let (Some((inner, all)), Some(counted)) = (sums.get_mut(at), counted.get_mut(at)) else { continue };
            *inner += if depth == 0 { own } else { 0 };
            if core::mem::replace(counted, node) != node {
                *all += own;
            }
        }
    }
    sums
}

/// The samples of the time profile by the modules of the frames.
pub(crate) struct Modules {
    /// By a frame of the module: in how many samples the innermost frame was of it, and in how many any was.
    sums: Vec<(u64, u64)>,
    /// Those frames: first those of modules whose frames were innermost most often.
    order: Vec<u32>,
    /// How long a sample stands for.
    pub(crate) tick: Option<Nanos>,
}

impl Modules {
    fn of(session: &Session, samples: &Samples) -> Self {
        let time = &session.profiles.time;
        let frames = time.centres().len();
        let module = |frame| module(session, frame).number();
        // Frames of one module follow one another: the first one stands for all.
        let mut of = alloc::vec![0; frames];
        let mut first = 0;
        for frame in by_least(frames, module) {
            first = if module(first) == module(frame) { first } else { frame };
            if let Some(of) = of.get_mut(frame as usize) {
                *of = first;
            }
        }
        let sums = in_all(time, &samples.own, &of);
        let sum = |frame: u32| sums.get(frame as usize).copied().unwrap_or_default();
        let mut order = by_most(frames, |frame| sum(frame).0);
        order.retain(|frame| sum(*frame).1 > 0);
        Self { sums, order, tick: time.tick() }
    }

    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    /// The module at a place of the order: a frame of it, its own samples, and all.
    pub(crate) fn get(&self, place: usize) -> Option<(u32, u64, u64)> {
        let frame = *self.order.get(place)?;
        let (own, all) = *self.sums.get(frame as usize)?;
        Some((frame, own, all))
    }
}

/// The places of the bands that held anything, in the order in which they are shown.
fn in_order(heap: &HeapProfile, held: &[Held]) -> Vec<u32> {
    let of = |place: u32| held.get(place as usize).copied().unwrap_or_default();
    let mut order = if heap.breakdown() == Some(BY_ERA) {
        let number = |place: u32| -> Option<u64> { heap.label_of(heap.bands().get(place as usize)?)?.parse().ok() };
        by_least(held.len(), |place| number(place).unwrap_or(u64::MAX))
    } else {
        // As a floating-point number, whose bits are in the order of the numbers: those that it takes for equal nobody tells apart.
        // Of a single census, nothing has an integral.
        let area = |place: u32| (of(place).integral() as f64).to_bits();
        by_most_of_two(held.len(), area, |place| of(place).most)
    };
    order.retain(|place| of(*place).is_known());
    order
}

/// What a band is called. A stack by its cost centres, from the innermost to the outermost; an info table by what the log says of
/// it.
pub(crate) fn name_of(session: &Session, band: &Band) -> String {
    let profiles = &session.profiles;
    match band.key {
        Key::Rest => "(all others)".to_string(),
        Key::Label(..) => {
            let label = profiles.heap.label_of(band).unwrap_or_default();
            let named = info_table_of(session, band).and_then(|address| profiles.names.of_table(address));
            named.unwrap_or(label).to_string()
        }
        Key::Stack(..) => match profiles.heap.stack_of(band) {
            [] => MAIN.to_string(),
            stack => stack.iter().map(|id| profiles.names.of_centre(*id)).collect::<Vec<_>>().join("/"),
        },
    }
}

/// What the stack of no cost centres is called.
pub(crate) const MAIN: &str = "MAIN";

/// A band's info table, if the profile is one of those.
pub(crate) fn info_table_of(session: &Session, band: &Band) -> Option<InfoTable> {
    let heap = &session.profiles.heap;
    let label = heap.label_of(band).filter(|_| heap.breakdown() == Some(BY_INFO_TABLE))?;
    u64::from_str_radix(label.strip_prefix("0x")?, 16).ok().map(InfoTable)
}

/// What a cost centre of the time profile is called; that of [`MAIN`] has no number.
pub(crate) fn centre_name(session: &Session, id: Option<CostCentreId>) -> String {
    id.map_or_else(|| MAIN.to_string(), |id| session.profiles.names.of_centre(id))
}
