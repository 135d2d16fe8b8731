//! The time profile as a flame graph: frames as wide as they have samples, as many of them as can be seen.
//!
//! ```text
//! left heavy       in order of time   inverted           main's callees, main's callers
//! |main         |  |main         |    |write  |parse  |  |main         |   |main         |
//! |write  |parse|  |write|parse|w|    |main   |main   |  |write  |parse|   |init         |
//! ```
//!
//! All but the order of time come from the number of samples of each stack, so they are exact however long the log is. The order of time
//! comes from the samples that are kept, and so does everything of a range.

mod frame;
mod grouped;
mod sheet;
mod stacks;
mod timed;

use crate::{asking::range::Range, facts::scope::Scope, limits, model::Model};
use alloc::{string::String, vec::Vec};
pub(crate) use frame::module;
use ghc_eventlog::Nanos;
use grouped::{Direction, draw_grouped};
use sheet::Sheet;
use stacks::Stacks;

/// How the frames of a flame graph are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FlameView {
    /// From the outermost frame down. Equal stacks are one, and of siblings the one with the most samples comes first.
    #[default]
    LeftHeavy,
    /// The same in order of time: neighbours of equal stack are one. Capabilities come one after the other, each below a frame of its
    /// own, if samples are of several.
    TimeOrder,
    /// From the innermost frame to its callers, those with the most samples first.
    Inverted,
    /// What called a frame. In a stack where the frame stands several times, the outermost one counts; likewise below.
    Callers(u32),
    /// What a frame called.
    Callees(u32),
}

/// What a flame graph is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FlameQuery {
    /// How its frames are put together.
    pub view: FlameView,
    /// From which sample to before which it is shown, as [`FlameFrame::x`] counts them; `None` for all of it.
    pub within: Option<(u64, u64)>,
    /// What frames match that have it in their names or modules, in whatever case; none do if it is empty.
    pub search: String,
    /// In pixels.
    pub width: u32,
}

/// A flame graph, as far as it can be seen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Flame<'m> {
    /// How many samples its outermost frames have together: from where to where it can be shown.
    pub samples: u64,
    /// How many there are in the log or in the range, whichever frames they have.
    pub of: u64,
    /// Of those shown, how many have a frame that matches in their stacks.
    pub matched: u64,
    /// How long a tick takes: each sample stands for one. `None` if the log does not tell.
    pub tick: Option<Nanos>,
    /// It is made of one out of so many samples: more than 1 where not all are kept.
    pub one_of: u64,
    /// How many frames are too narrow to be seen, or too many. What is below those is not counted.
    pub left_out: u64,
    /// From left to right, for each depth.
    pub frames: Vec<FlameFrame>,
    /// What they are called.
    pub names: Vec<FlameName<'m>>,
}

/// A frame. Its place is what it is known by: to show it as wide as the graph is to ask for what is [within](FlameQuery::within) it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlameFrame {
    /// How many samples are to the left of it.
    pub x: u64,
    /// How many it has.
    pub width: u64,
    /// How many frames it is called through.
    pub depth: u32,
    /// In how many it was innermost; 0 where frames stand below what they called.
    pub own: u64,
    /// Which name it has, by its place in the list of those.
    pub name: u32,
}

/// What frames are called.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FlameName<'m> {
    /// What its callers and callees are asked for by; `None` for a capability.
    pub frame: Option<u32>,
    /// What it is called.
    pub name: String,
    /// Its module; empty if the log does not tell, likewise below.
    pub module: &'m str,
    /// Its place in the source.
    pub source: String,
    /// Whether it has the text that was searched for.
    pub matches: bool,
}

impl Model {
    /// The flame graph of the time profile: of the log as far as it has been read, or of a range of it.
    #[must_use]
    pub fn flame(&self, range: Option<&Range>, query: &FlameQuery) -> Flame<'_> {
        let scope = Scope::of(self, range);
        let time = &scope.session().profiles.time;
        let is_timed = query.view == FlameView::TimeOrder;
        let stride = time.rows.stride();
        let is_of_kept = range.is_some() || (is_timed && stride > 1);
        let stacks = Stacks::of(&scope, is_of_kept, query.view);
        let matches = frame::matching(scope.session(), &query.search);
        let [of, samples, matched] = stacks.count(&matches);
        let mut sheet = Sheet::new(query.within.unwrap_or((0, samples)), query.width);
        if is_timed {
            timed::draw(&scope, &mut sheet);
        } else {
            let is_up = matches!(query.view, FlameView::Inverted | FlameView::Callers(_));
            let direction = if is_up { Direction::Up } else { Direction::Down };
            draw_grouped(&stacks, direction, stacks.roots(query.view == FlameView::Inverted), &mut sheet);
        }
        let names = frame::name_all(&self.session, &mut sheet.frames, &matches);
        let one_of = if is_of_kept { stride } else { 1 };
        let Sheet { frames, left_out, .. } = sheet;
        Flame { samples, of, matched, tick: time.tick(), one_of, left_out, frames, names }
    }
}

#[cfg(test)]
mod tests;
