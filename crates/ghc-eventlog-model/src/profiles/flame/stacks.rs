//! The stacks of a time profile with the samples that each has in a scope.

use super::FlameView;
use crate::{
    facts::scope::Scope,
    profiles::stacks::{Node, ROOT},
};
use alloc::vec::Vec;

/// A stack, and the samples of it that count.
pub(super) type Weighed = (u32, u64);

pub(super) struct Stacks<'m> {
    nodes: &'m [Node],
    /// Of just that stack, by the stack's place.
    own: Vec<u64>,
    /// Of that one and all that it is the outer part of.
    total: Vec<u64>,
    /// The stacks by the one that each is called from, and where those of a stack begin among them.
    children: Vec<u32>,
    begin: Vec<u32>,
    /// It is made of one out of so many samples.
    pub(super) one_of: u64,
}

impl<'m> Stacks<'m> {
    /// `kept`: of the samples that are kept, though all are counted.
    pub(super) fn of(scope: &'m Scope<'_>, kept: bool) -> Self {
        let time = &scope.session().profiles.time;
        let nodes = time.nodes();
        if scope.is_whole() && (!kept || time.rows.stride() == 1) {
            return Self::with(nodes, nodes.iter().map(|node| node.own).collect(), 1);
        }
        let mut own = alloc::vec![0; nodes.len()];
        let rows = time.rows.kept();
        for row in rows.get(scope.within(rows, |row| row.time)).unwrap_or_default() {
            add(&mut own, row.node, 1);
        }
        Self::with(nodes, own, time.rows.stride())
    }

    fn with(nodes: &'m [Node], own: Vec<u64>, one_of: u64) -> Self {
        let mut total = own.clone();
        let mut begin = alloc::vec![0u32; nodes.len() + 1];
        // A stack comes after the one that it is called from.
        for (at, node) in nodes.iter().enumerate().rev() {
            let here = total.get(at).copied().unwrap_or(0);
            add(&mut total, node.parent, here);
            if let Some(count) = begin.get_mut(node.parent as usize) {
                *count += 1;
            }
        }
        // How many each has becomes where they end, and while they are filled in from there, where they begin.
        let mut all = 0;
        begin.iter_mut().for_each(|count| {
            all += *count;
            *count = all;
        });
        let mut children = alloc::vec![0; all as usize];
        for (at, node) in nodes.iter().enumerate().rev() {
            let Some(place) = begin.get_mut(node.parent as usize) else { continue };
            *place -= 1;
            if let Some(child) = children.get_mut(*place as usize) {
                *child = at as u32;
            }
        }
        Self { nodes, own, total, children, begin, one_of }
    }

    pub(super) fn node(&self, at: u32) -> Option<&Node> {
        self.nodes.get(at as usize)
    }

    pub(super) fn own(&self, at: u32) -> u64 {
        self.own.get(at as usize).copied().unwrap_or(0)
    }

    fn total(&self, at: u32) -> Weighed {
        (at, self.total.get(at as usize).copied().unwrap_or(0))
    }

    /// The stacks that are called from one.
    pub(super) fn children(&self, at: u32) -> impl Iterator<Item = Weighed> + '_ {
        let begin = |at: usize| self.begin.get(at).map_or(0, |begin| *begin as usize);
        let children = self.children.get(begin(at as usize)..begin(at as usize + 1)).unwrap_or_default();
        children.iter().map(|child| self.total(*child))
    }

    fn all(&self) -> impl Iterator<Item = (u32, &'m Node)> + use<'m> {
        (0..).zip(self.nodes)
    }

    /// Those of one frame.
    pub(super) fn outermost(&self) -> Vec<Weighed> {
        self.all().filter(|(_, node)| node.parent == ROOT).map(|(at, _)| self.total(at)).collect()
    }

    /// All, each with its own samples.
    pub(super) fn innermost(&self) -> Vec<Weighed> {
        self.all().map(|(at, _)| (at, self.own(at))).collect()
    }

    /// Those in which a frame is innermost that does not stand further out.
    pub(super) fn first_with(&self, frame: u32) -> Vec<Weighed> {
        let inside = self.reached(|of| of == frame);
        let is_first =
            |node: &Node| node.centre == frame && !inside.get(node.parent as usize).copied().unwrap_or(false);
        self.all().filter(|(_, node)| is_first(node)).map(|(at, _)| self.total(at)).collect()
    }

    /// By the stack's place, whether one of some frames stands in it.
    fn reached(&self, is_wanted: impl Fn(u32) -> bool) -> Vec<bool> {
        let mut reached: Vec<bool> = Vec::with_capacity(self.nodes.len());
        for node in self.nodes {
            let is_so = is_wanted(node.centre) || reached.get(node.parent as usize).copied().unwrap_or(false);
            reached.push(is_so);
        }
        reached
    }

    pub(super) fn samples(&self) -> u64 {
        self.own.iter().sum()
    }

    /// How many samples a graph is of, and how many of them have a frame that matches.
    pub(super) fn count(&self, view: FlameView, matches: &[bool]) -> (u64, u64) {
        let shown = self.reached(|frame| match view {
            FlameView::Callers(of) | FlameView::Callees(of) => frame == of,
            _ => true,
        });
        let matched = self.reached(|frame| matches.get(frame as usize).copied().unwrap_or(false));
        let (mut samples, mut matching) = (0, 0);
        for ((own, shown), matched) in self.own.iter().zip(shown).zip(matched) {
            samples += own * u64::from(shown);
            matching += own * u64::from(shown && matched);
        }
        (samples, matching)
    }
}

fn add(list: &mut [u64], at: u32, more: u64) {
    if let Some(sum) = list.get_mut(at as usize) {
        *sum += more;
    }
}
