//! Stacks in order of time. A frame is open as long as the samples that follow one another have it at its place; capabilities come one
//! after the other.
//!
//! ```text
//! samples of one capability   main/write  main/write  main/parse  main
//! depth 0                     |main                                    |
//! depth 1                     |write                 |parse     |
//! ```

use super::{FlameFrame, sheet::Sheet};
use crate::{
    facts::scope::Scope,
    profiles::stacks::{ROOT, TimeProfile},
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
    time: &'d TimeProfile,
    /// How many cost centres are in each stack.
    depths: Vec<u32>,
    sheet: &'d mut Sheet,
    /// The outermost first.
    open: Vec<Open>,
    /// How many frames stand above the outermost cost centre: one for the capability, if there are several.
    above: usize,
    /// How many samples there have been.
    x: u64,
}

pub(super) fn draw(scope: &Scope<'_>, sheet: &mut Sheet) {
    let time = &scope.session().profiles.time;
    let rows = time.rows.kept();
    let rows = rows.get(scope.within(rows, |row| row.time)).unwrap_or_default();
    let cap = |at: u32| rows.get(at as usize).map_or(0, |row| row.cap);
    let order = by_least(rows.len(), |at| cap(at).into());
    let above = usize::from(order.first().map(|at| cap(*at)) != order.last().map(|at| cap(*at)));
    let mut drawing = Drawing { time, depths: depths(time), sheet, open: Vec::new(), above, x: 0 };
    let mut last = None;
    for row in order.iter().filter_map(|at| rows.get(*at as usize)) {
        if above > 0 && last != Some(row.cap) {
            drawing.close(0);
            last = Some(row.cap);
            drawing.begin(ROOT, cap_name(time, row.cap));
        }
        drawing.sample(row.node);
    }
    drawing.close(0);
}

/// What stands for the name of a capability: after those of all cost centres.
fn cap_name(time: &TimeProfile, cap: u16) -> u32 {
    time.centres().len() as u32 + u32::from(cap)
}

fn depths(time: &TimeProfile) -> Vec<u32> {
    let mut depths: Vec<u32> = Vec::with_capacity(time.nodes().len());
    for node in time.nodes() {
        let depth = depths.get(node.parent as usize).map_or(1, |depth| depth + 1);
        depths.push(depth);
    }
    depths
}

impl Drawing<'_> {
    fn sample(&mut self, node: u32) {
        // What is not open yet, from the innermost frame on.
        let mut new = Vec::new();
        let (mut at, mut deep) = (node, self.depths.get(node as usize).map_or(0, |depth| *depth as usize));
        while deep > 0 && self.open.get(self.above + deep - 1).is_none_or(|open| open.node != at) {
            let Some(found) = self.time.nodes().get(at as usize) else { break };
            new.push((at, found.centre));
            (at, deep) = (found.parent, deep - 1);
        }
        self.close(self.above + deep);
        while let Some((node, centre)) = new.pop() {
            self.begin(node, centre);
        }
        if let Some(innermost) = self.open.last_mut() {
            innermost.own += 1;
        }
        self.x += 1;
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
