//! What the profiles say of a scope: made once, when the first of its figures or rows is asked for.

use super::scope::Scope;
use crate::{
    profiles::{
        bands::{Band, HeapProfile, Held, Key, Times},
        flame::module,
        places::{Places, hash},
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
        let mut centres = alloc::vec![(0, 0); time.centres().len()];
        let mut counted = alloc::vec![u32::MAX; centres.len()];
        for (node, &own) in (0..).zip(&own).filter(|(_, own)| **own > 0) {
            for (depth, centre) in time.path(node).enumerate() {
                let at = centre as usize;
                let (Some((inner, all)), Some(counted)) = (centres.get_mut(at), counted.get_mut(at)) else { continue };
                *inner += if depth == 0 { own } else { 0 };
                if core::mem::replace(counted, node) != node {
                    *all += own;
                }
            }
        }
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

/// The samples of the time profile by the modules of the frames.
pub(crate) struct Modules {
    /// Of each, a frame that is of it; in how many samples the innermost frame was of it, and in how many any was.
    modules: Vec<(u32, u64, u64)>,
    /// How long a sample stands for.
    pub(crate) tick: Option<Nanos>,
    /// Their places: first those whose frames were innermost most often.
    order: Vec<u32>,
}

impl Modules {
    fn of(session: &Session, samples: &Samples) -> Self {
        let time = &session.profiles.time;
        let (mut modules, mut by_name) = (Vec::<(u32, u64, u64)>::new(), Places::default());
        // By the frame's place, its module.
        let mut module_of = Vec::with_capacity(time.centres().len());
        for frame in 0..time.centres().len() as u32 {
            let name = module(session, frame);
            let hash = hash(name.as_bytes());
            let is_same = |at: u32| modules.get(at as usize).is_some_and(|(first, ..)| module(session, *first) == name);
            module_of.push(by_name.find(hash, is_same).unwrap_or_else(|| {
                let at = modules.len() as u32;
                by_name.insert(hash, at);
                modules.push((frame, 0, 0));
                at
            }));
        }
        let mut counted = alloc::vec![u32::MAX; modules.len()];
        for &node in &samples.order {
            let here = samples.own.get(node as usize).copied().unwrap_or(0);
            for (depth, frame) in time.path(node).enumerate() {
                let at = module_of.get(frame as usize).map_or(usize::MAX, |at| *at as usize);
                let (Some((_, own, total)), Some(counted)) = (modules.get_mut(at), counted.get_mut(at)) else {
                    continue;
                };
                *own += if depth == 0 { here } else { 0 };
                if core::mem::replace(counted, node) != node {
                    *total += here;
                }
            }
        }
        let of = |at: u32| modules.get(at as usize).copied().unwrap_or_default();
        let mut order = by_most_of_two(modules.len(), |at| of(at).1, |at| of(at).2);
        order.retain(|at| of(*at).2 > 0);
        Self { modules, tick: time.tick(), order }
    }

    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    /// The module at a place of the order.
    pub(crate) fn get(&self, place: usize) -> Option<(u32, u64, u64)> {
        self.modules.get(*self.order.get(place)? as usize).copied()
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
