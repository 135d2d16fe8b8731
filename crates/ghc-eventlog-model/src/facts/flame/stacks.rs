//! The stacks of a profile with what each has in a scope: samples, or bytes.

use super::{FlameView, grouped::StackDirection};
use crate::{
    facts::scope::Scope,
    profiles::{
        stacks::Sampled,
        tree::{Node, ROOT, StackTree},
    },
};
use alloc::vec::Vec;

/// A stack, and how much of it counts.
pub(super) type Weighed = (u32, u64);

pub(super) struct Stacks<'m> {
    pub(super) nodes: &'m [Node],
    /// Of just that stack, by the stack's place.
    own: Vec<u64>,
    /// Of that one and all that it is the outer part of.
    total: Vec<u64>,
    /// Of each stack the last that is called from it, and the one before it that is called from the same; [`ROOT`] if there is none.
    links: Vec<(u32, u32)>,
    /// Whether it is shown: if a graph is of one frame, whether that stands in it.
    shown: Vec<bool>,
}

impl<'m> Stacks<'m> {
    /// `own`: what there is of just each of them.
    pub(super) fn of(tree: &'m StackTree, own: Vec<u64>, view: FlameView) -> Self {
        let nodes = tree.nodes.as_slice();
        let mut total = own.clone();
        let mut links = alloc::vec![(ROOT, ROOT); nodes.len()];
        for (at, node) in nodes.iter().enumerate().rev() {
            let here = total.get(at).copied().unwrap_or(0);
            add(&mut total, node.parent, here);
            let last =
                links.get_mut(node.parent as usize).map_or(ROOT, |(last, _)| core::mem::replace(last, at as u32));
            if let Some((_, before)) = links.get_mut(at) {
                *before = last;
            }
        }
        let of = match view {
            FlameView::Callers(frame) | FlameView::Callees(frame) => Some(frame),
            _ => None,
        };
        let shown = reached(nodes, &|frame| of.is_none_or(|of| of == frame));
        Self { nodes, own, total, links, shown }
    }

    pub(super) fn node(&self, at: u32) -> Option<&Node> {
        self.nodes.get(at as usize)
    }

    pub(super) fn own(&self, at: u32) -> u64 {
        self.own.get(at as usize).copied().unwrap_or(0)
    }

    /// Adds the stacks that are called from one.
    pub(super) fn add_children(&self, at: u32, children: &mut Vec<Weighed>) {
        let link = |at: u32| self.links.get(at as usize).copied().unwrap_or((ROOT, ROOT));
        let mut child = link(at).0;
        while let Some(total) = self.total.get(child as usize) {
            children.push((child, *total));
            child = link(child).1;
        }
    }

    /// Adds what is shown below a stack: the stacks that are called from it, or the one that it is called from.
    pub(super) fn add_below(&self, (at, weight): Weighed, direction: StackDirection, below: &mut Vec<Weighed>) {
        if direction == StackDirection::Down {
            self.add_children(at, below);
        } else if let Some(node) = self.node(at).filter(|node| node.parent != ROOT) {
            below.push((node.parent, weight));
        }
    }

    /// How much of a stack is not below it: it is innermost there or, going to callers, outermost.
    pub(super) fn ends(&self, (at, weight): Weighed, direction: StackDirection) -> u64 {
        match direction {
            StackDirection::Down => self.own(at),
            StackDirection::Up if self.node(at).is_some_and(|node| node.parent == ROOT) => weight,
            StackDirection::Up => 0,
        }
    }

    /// Where a graph begins that goes from the outermost frame inwards, and that of the callers of one: the stacks that are shown though
    /// the one that they are called from is not. For callers below what they call, all stacks with what is their own.
    pub(super) fn roots(&self, each: bool) -> Vec<Weighed> {
        let mut roots = Vec::new();
        for (at, node) in (0..).zip(self.nodes) {
            if each {
                roots.push((at, self.own(at)));
            } else if has(&self.shown, at) && !has(&self.shown, node.parent) {
                roots.push((at, self.total.get(at as usize).copied().unwrap_or(0)));
            }
        }
        roots
    }

    /// How much there is, how much of that is shown, and how much of that has a frame that matches.
    pub(super) fn count(&self, matches: &[bool]) -> [u64; 3] {
        let matched = reached(self.nodes, &|frame| has(matches, frame));
        let [mut all, mut shown, mut matching] = [0; 3];
        for (at, own) in (0..).zip(&self.own) {
            all += own;
            if has(&self.shown, at) {
                shown += own;
                matching += if has(&matched, at) { *own } else { 0 };
            }
        }
        [all, shown, matching]
    }
}

/// Of just each stack of the time profile, the samples that are kept, though all are counted.
pub(super) fn kept(scope: &Scope<'_>) -> Vec<u64> {
    let mut own = alloc::vec![0; scope.known().stores.profiles.time.tree.nodes.len()];
    for row in rows(scope) {
        add(&mut own, row.node, 1);
    }
    own
}

/// The samples that are kept, in order of time.
pub(super) fn rows<'m>(scope: &'m Scope<'_>) -> &'m [Sampled] {
    let rows = scope.known().stores.profiles.time.rows.kept();
    rows.get(scope.within(rows, |row| row.time)).unwrap_or_default()
}

/// By the stack's place, whether one of some frames stands in it.
pub(super) fn reached(nodes: &[Node], wanted: &dyn Fn(u32) -> bool) -> Vec<bool> {
    let mut reached = Vec::with_capacity(nodes.len());
    for node in nodes {
        let is_so = has(&reached, node.parent) || wanted(node.frame);
        reached.push(is_so);
    }
    reached
}

pub(super) fn has(list: &[bool], at: u32) -> bool {
    list.get(at as usize).copied().unwrap_or(false)
}

fn add(list: &mut [u64], at: u32, more: u64) {
    if let Some(sum) = list.get_mut(at as usize) {
        *sum += more;
    }
}
