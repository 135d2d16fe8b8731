//! Stacks in order of time. A frame is open as long as the samples that follow one another have it at its place; capabilities come one
//! after the other.
//!
//! ```text
//! samples of one capability   main/write  main/write  main/parse  main
//! depth 0                     |main                                    |
//! depth 1                     |write                 |parse     |
//! ```

use super::{FlameFrame, sheet::Sheet, stacks::rows};
use crate::{
    facts::scope::Scope,
    profiles::tree::{ROOT, StackTree},
    sorting::by_least,
};
use alloc::vec::Vec;

/// A frame that goes on.
struct Open {
    /// Its stack; [`ROOT`] for a capability.
    node: u32,
    name: u32,
    x: u64,
    own: u64,
    /// How many frames directly below it are too narrow to be seen.
    left_out: u64,
}

struct Drawing<'d> {
    tree: &'d StackTree,
    sheet: &'d mut Sheet,
    /// The outermost first.
    open: Vec<Open>,
    /// How many frames stand above the outermost cost centre: one for the capability, if there are several.
    above: usize,
    /// How many samples there have been.
    x: u64,
}

pub(super) fn draw(scope: &Scope<'_>, sheet: &mut Sheet) {
    let tree = &scope.known().stores.profiles.time.tree;
    let rows = rows(scope);
    let cap = |at: u32| rows.get(at as usize).map_or(0, |row| row.cap);
    let order = by_least(rows.len(), |at| cap(at).into());
    let above = usize::from(order.first().map(|at| cap(*at)) != order.last().map(|at| cap(*at)));
    let mut drawing = Drawing { tree, sheet, open: Vec::new(), above, x: 0 };
    let mut last = None;
    for row in order.iter().filter_map(|at| rows.get(*at as usize)) {
        if above > 0 && last != Some(row.cap) {
            drawing.close(0);
            last = Some(row.cap);
            drawing.begin(ROOT, cap_name(tree, row.cap));
        }
        drawing.sample(row.node);
    }
    drawing.close(0);
}

/// The number that stands for a capability among frames: after those of all cost centres.
fn cap_name(tree: &StackTree, cap: u16) -> u32 {
    tree.met().len() as u32 + u32::from(cap)
}

impl Drawing<'_> {
    fn sample(&mut self, node: u32) {
        if self.open.get(self.above..).and_then(<[Open]>::last).is_none_or(|open| open.node != node) {
            self.go_to(node);
        }
        if let Some(innermost) = self.open.last_mut() {
            innermost.own += 1;
        }
        self.x += 1;
    }

    /// Closes what is not in a stack, and opens what is not open yet.
    fn go_to(&mut self, node: u32) {
        // From the innermost on.
        let mut stack = Vec::new();
        let mut at = node;
        while let Some(found) = self.tree.nodes.get(at as usize) {
            stack.push((at, found.frame));
            at = found.parent;
        }
        let open = self.open.get(self.above..).unwrap_or_default();
        let same = open.iter().zip(stack.iter().rev()).take_while(|(open, (node, _))| open.node == *node).count();
        self.close(self.above + same);
        for (node, centre) in stack.into_iter().rev().skip(same) {
            self.begin(node, centre);
        }
    }

    fn begin(&mut self, node: u32, name: u32) {
        self.open.push(Open { node, name, x: self.x, own: 0, left_out: 0 });
    }

    /// Closes all frames but the outermost ones.
    fn close(&mut self, but: usize) {
        while self.open.len() > but
            && let Some(Open { name, x, own, left_out, .. }) = self.open.pop()
        {
            let (width, depth) = (self.x - x, self.open.len() as u32);
            if !self.sheet.shows(x, width) {
                continue;
            }
            if self.sheet.has_room(width, depth) {
                self.sheet.frames.push(FlameFrame { x, width, depth, own, name });
                self.sheet.left_out += left_out;
            } else {
                *self.open.last_mut().map_or(&mut self.sheet.left_out, |open| &mut open.left_out) += 1;
            }
        }
    }
}
