//! The time profile: at each tick the runtime writes the stack of cost centres of each capability, idle ones too. The stacks are a
//! tree; each of its nodes has the samples of just that stack.
//!
//! ```text
//! main ─┬─ parse 3 ──── token 12        three samples of main/parse, twelve of main/parse/token
//!       └─ write 4
//! ```

use super::places::{Places, hash_number};
use crate::{
    keeping::rows::{Kept, Rows},
    limits,
    sorting::sort_pairs,
};
use alloc::vec::Vec;
use ghc_eventlog::{CapNo, CostCentreId, Nanos, ProfSampleCostCentre};

/// A stack: another one, and a cost centre that it entered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    /// The stack without its innermost cost centre; [`ROOT`] for one of a single cost centre.
    pub(crate) parent: u32,
    /// The place of its innermost cost centre.
    pub(crate) centre: u32,
    /// How many samples there were of just this stack.
    pub(crate) own: u64,
}

/// The stack of no cost centres.
pub(crate) const ROOT: u32 = u32::MAX;

/// A cost centre that was met.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Met {
    /// `None` for MAIN, which the log names by a stack of none.
    pub(crate) id: Option<CostCentreId>,
    /// Samples in which it was innermost.
    pub(crate) own: u64,
    /// Samples of stacks that it stood in, however often.
    pub(crate) total: u64,
    /// The sample that counted it last.
    counted: u64,
}

/// One sample that is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sampled {
    pub(crate) time: Nanos,
    /// Its stack.
    pub(crate) node: u32,
    pub(crate) cap: u16,
}

impl Kept for Sampled {
    fn time(&self) -> Nanos {
        self.time
    }

    /// None is more than another.
    fn weight(&self) -> u64 {
        0
    }
}

/// All stacks of a log, and its samples.
#[derive(Debug, Default)]
pub(crate) struct TimeProfile {
    interval: Option<Nanos>,
    nodes: Vec<Node>,
    by_step: Places,
    centres: Vec<Met>,
    by_id: Places,
    /// The capabilities that samples are of, in order.
    caps: Vec<CapNo>,
    /// All of them, and those whose stacks are cut for want of room.
    pub(crate) samples: u64,
    pub(crate) cut: u64,
    pub(crate) rows: Rows<Sampled>,
}

impl TimeProfile {
    /// The log says how long a tick takes.
    pub(crate) fn tell(&mut self, interval: Nanos) {
        self.interval.get_or_insert(interval);
    }

    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub(crate) fn caps(&self) -> &[CapNo] {
        &self.caps
    }

    pub(crate) fn centres(&self) -> &[Met] {
        &self.centres
    }

    /// The places of a stack's cost centres, innermost first.
    pub(crate) fn path(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let found = |node: u32| self.nodes.get(node as usize);
        core::iter::successors(found(node), move |node| found(node.parent)).map(|node| node.centre)
    }

    /// The cost centre at a place; `None` for MAIN.
    pub(crate) fn id(&self, centre: u32) -> Option<CostCentreId> {
        self.centres.get(centre as usize)?.id
    }

    pub(crate) fn sample(&mut self, time: Nanos, sample: ProfSampleCostCentre<'_>) {
        self.samples += 1;
        let (mut node, mut is_cut) = (ROOT, false);
        for bytes in sample.stack.0.iter().rev() {
            let Some((below, centre)) = self.step(node, Some(CostCentreId(u32::from_be_bytes(*bytes)))) else {
                is_cut = true;
                break;
            };
            node = below;
            self.meet(centre);
        }
        // A stack of none is that of MAIN, in which all others are.
        if node == ROOT
            && let Some((main, centre)) = self.step(ROOT, None)
        {
            node = main;
            self.meet(centre);
        }
        self.cut += u64::from(is_cut);
        if let Some(Node { own, centre, .. }) = self.nodes.get_mut(node as usize) {
            *own += 1;
            if let Some(met) = self.centres.get_mut(*centre as usize) {
                met.own += 1;
            }
        }
        let cap = u16::try_from(sample.cap).unwrap_or(CapNo::GLOBAL.0);
        if let Err(place) = self.caps.binary_search(&CapNo(cap))
            && self.caps.len() < limits::MAX_CAPS
        {
            self.caps.insert(place, CapNo(cap));
        }
        self.rows.push(Sampled { time, node, cap }, limits::MAX_TIME_SAMPLES);
    }

    /// A cost centre stands in the stack of the sample that came last.
    fn meet(&mut self, centre: u32) {
        if let Some(met) = self.centres.get_mut(centre as usize)
            && core::mem::replace(&mut met.counted, self.samples) != self.samples
        {
            met.total += 1;
        }
    }

    /// The stack that another one becomes by a cost centre, and that one's place; `None` if there is no room for it, as there
    /// always is for MAIN.
    fn step(&mut self, parent: u32, id: Option<CostCentreId>) -> Option<(u32, u32)> {
        let centre = self.centre(id)?;
        let hash = hash_number(u64::from(parent) << 32 | u64::from(centre));
        let is_same =
            |at: u32| self.nodes.get(at as usize).is_some_and(|node| (node.parent, node.centre) == (parent, centre));
        if let Some(at) = self.by_step.find(hash, is_same) {
            return Some((at, centre));
        }
        if self.nodes.len() >= limits::MAX_STACKS && id.is_some() {
            return None;
        }
        let at = self.nodes.len() as u32;
        self.nodes.push(Node { parent, centre, own: 0 });
        self.by_step.insert(hash, at);
        Some((at, centre))
    }

    /// The place of a cost centre.
    fn centre(&mut self, id: Option<CostCentreId>) -> Option<u32> {
        let hash = hash_number(id.map_or(u64::MAX, |id| id.0.into()));
        let is_same = |at: u32| self.centres.get(at as usize).is_some_and(|met| met.id == id);
        if let Some(at) = self.by_id.find(hash, is_same) {
            return Some(at);
        }
        if self.centres.len() >= limits::MAX_COST_CENTRES && id.is_some() {
            return None;
        }
        let at = self.centres.len() as u32;
        self.centres.push(Met { id, own: 0, total: 0, counted: 0 });
        self.by_id.insert(hash, at);
        Some(at)
    }

    /// How long a tick takes: what the log says, or else the median time between the samples of one capability.
    pub(crate) fn tick(&self) -> Option<Nanos> {
        if self.interval.is_some() {
            return self.interval;
        }
        let rows = Some(self.rows.kept()).filter(|_| self.rows.stride() == 1)?;
        let cap = rows.first()?.cap;
        let times = || rows.iter().filter(|row| row.cap == cap).map(|row| row.time);
        let mut gaps: Vec<(u64, u32)> =
            times().zip(times().skip(1)).map(|(one, next)| (next.since(one).0, 0)).collect();
        sort_pairs(&mut gaps);
        gaps.get(gaps.len() / 2).map(|(gap, _)| Nanos(*gap))
    }

    /// Puts in order what has come.
    pub(crate) fn settle(&mut self) {
        self.rows.settle();
    }

    /// No more will come.
    pub(crate) fn finish(&mut self) {
        self.rows.finish();
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.centres.capacity() * size_of::<Met>()
            + self.caps.capacity() * size_of::<CapNo>()
            + self.by_step.bytes_held()
            + self.by_id.bytes_held()
            + self.rows.bytes_held()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ghc_eventlog::CostCentreStack;

    fn profile(samples: &[(u64, &[u32])]) -> TimeProfile {
        let mut profile = TimeProfile::default();
        for (tick, stack) in samples {
            let ids: Vec<[u8; 4]> = stack.iter().map(|id| id.to_be_bytes()).collect();
            let sample = ProfSampleCostCentre { cap: 0, tick: *tick, stack: CostCentreStack(&ids) };
            profile.sample(Nanos(*tick * 1000), sample);
        }
        profile.finish();
        profile
    }

    /// Of a cost centre: in how many samples it was innermost, and in how many it stood at all.
    fn of(profile: &TimeProfile, id: u32) -> (u64, u64) {
        let met = profile.centres().iter().find(|met| met.id == Some(CostCentreId(id))).expect("it was met");
        (met.own, met.total)
    }

    #[test]
    fn a_cost_centre_counts_once_in_a_stack_however_often_it_stands_there() {
        let profile = profile(&[(1, &[2, 1]), (2, &[2, 2, 1]), (3, &[1]), (4, &[3, 2, 1, 2])]);
        assert_eq!([1, 2, 3].map(|id| of(&profile, id)), [(1, 4), (2, 3), (1, 1)]);
        assert_eq!((profile.samples, profile.cut), (4, 0));
    }

    #[test]
    fn a_stack_is_found_again() {
        let profile = profile(&[(1, &[2, 1]), (2, &[3, 1]), (3, &[2, 1]), (4, &[])]);
        let stacks: Vec<(Vec<u32>, u64)> = (0..profile.nodes().len() as u32)
            .map(|node| {
                (
                    profile.path(node).map(|centre| profile.id(centre).map_or(0, |id| id.0)).collect(),
                    profile.nodes()[node as usize].own,
                )
            })
            .collect();
        assert_eq!(stacks, [(alloc::vec![1], 0), (alloc::vec![2, 1], 2), (alloc::vec![3, 1], 1), (alloc::vec![0], 1)]);
        assert_eq!(profile.rows.kept().last().map(|row| row.node), Some(3));
    }

    #[test]
    fn a_tick_takes_what_the_log_says_or_what_lies_between() {
        let mut known = profile(&[(1, &[1]), (2, &[1]), (3, &[1]), (9, &[1])]);
        assert_eq!(known.tick(), Some(Nanos(1000)));
        known.tell(Nanos(5));
        assert_eq!(known.tick(), Some(Nanos(5)));
        assert_eq!(profile(&[(1, &[1])]).tick(), None);
    }

    #[test]
    fn there_is_a_bound() {
        let mut profile = TimeProfile::default();
        for id in 0..limits::MAX_STACKS as u32 + 5 {
            let ids = [(id % 100).to_be_bytes(), (id / 100).to_be_bytes()];
            profile.sample(Nanos(1), ProfSampleCostCentre { cap: 0, tick: 1, stack: CostCentreStack(&ids) });
        }
        assert!(profile.cut > 0 && profile.nodes().len() == limits::MAX_STACKS + 1);
        assert_eq!(profile.nodes().iter().map(|node| node.own).sum::<u64>(), limits::MAX_STACKS as u64 + 5);
    }
}
