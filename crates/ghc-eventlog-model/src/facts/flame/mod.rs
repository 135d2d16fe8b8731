//! Profiles as flame graphs: frames as wide as they have samples of the time profile, or bytes of a heap profile by cost centres, as
//! many of them as can be seen.
//!
//! ```text
//! left heavy       in order of time   inverted           main's callees, main's callers
//! |main         |  |main         |    |write  |parse  |  |main         |   |main         |
//! |write  |parse|  |write|parse|w|    |main   |main   |  |write  |parse|   |init         |
//! ```
//!
//! All but the order of time come from the number of samples of each stack, so they are exact however long the log is. The order of time
//! comes from the samples that are kept, and so does everything of a range. Bytes have no such order: they are means over the time.

pub(crate) mod calls;
mod frame;
mod grouped;
pub(crate) mod marks;
pub(crate) mod open;
mod sheet;
mod stacks;
mod timed;

use crate::{
    asking::range::Range,
    facts::{profiles::HeldStacks, scope::Scope},
    limits,
    profiles::{Profiles, tree::StackTree},
    reading::model::Model,
};
use alloc::{string::String, vec::Vec};
use frame::Frames;
use ghc_eventlog::Nanos;
use ghc_eventlog_text::LogText;
use grouped::{StackDirection, draw_grouped};
use sheet::Sheet;
use stacks::{Stacks, kept};

/// What a flame graph is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FlameProfile {
    /// The samples of the time profile.
    #[default]
    Time,
    /// The bytes that stacks of cost centres held, on average over the time.
    Heap,
}

/// How the frames of a flame graph are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FlameView {
    /// From the outermost frame down. Equal stacks are one, and of siblings the one with the most samples, or bytes, comes first.
    #[default]
    LeftHeavy,
    /// The same in order of time: neighbours of equal stack are one. Capabilities come one after the other, each below a frame of its
    /// own, if samples are of several. Of bytes, it is left heavy.
    TimeOrder,
    /// From the innermost frame to its callers, those with the most first.
    Inverted,
    /// What called a frame. In a stack where the frame stands several times, the outermost one counts; likewise below.
    Callers(u32),
    /// What a frame called.
    Callees(u32),
}

/// What a flame graph is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FlameQuery {
    /// What it is of.
    pub profile: FlameProfile,
    /// How its frames are put together.
    pub view: FlameView,
    /// From which sample, or byte, to before which it is shown, as [`FlameFrame::x`] counts them; `None` for all of it.
    pub within: Option<(u64, u64)>,
    /// What frames match that have it in their names or modules, in whatever case; none do if it is empty.
    pub search: String,
    /// In pixels.
    pub width: u32,
}

/// A flame graph, as far as it can be seen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Flame<'m> {
    /// How many samples, or bytes, its outermost frames have together: from where to where it can be shown.
    pub width: u64,
    /// How many there are in the log or in the range, whichever frames they have.
    pub of: u64,
    /// Of those shown, how many have a frame that matches in their stacks.
    pub matched: u64,
    /// How long a tick takes: each sample stands for one. `None` of bytes, and if the log does not tell.
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
    /// How many samples, or bytes, are to the left of it.
    pub x: u64,
    /// How many it has.
    pub width: u64,
    /// How many frames it is called through.
    pub depth: u32,
    /// In how many it was innermost, or how many are its own; 0 where frames stand below what they called.
    pub own: u64,
    /// Which name it has, by its place in the list of those.
    pub name: u32,
}

/// What frames are called.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FlameName<'m> {
    /// What its callers and callees are asked for by; `None` for what is no frame of a stack, as a capability.
    pub frame: Option<u32>,
    /// What it is called.
    pub name: LogText<'static>,
    /// Its module; empty if the log does not tell, likewise below.
    pub module: LogText<'m>,
    /// Its place in the source.
    pub source: LogText<'static>,
    /// Whether it has the text that was searched for.
    pub matches: bool,
}

impl FlameProfile {
    /// The one that a section of the facts is about, by its key.
    #[must_use]
    pub fn of_section(key: &str) -> Option<Self> {
        match key {
            "time_profile" => Some(Self::Time),
            "heap_profile" => Some(Self::Heap),
            _ => None,
        }
    }
}

impl Model {
    /// The flame graph of a profile: of the log as far as it has been read, or of a range of it.
    #[must_use]
    pub fn flame(&self, range: Option<&Range>, query: &FlameQuery) -> Flame<'_> {
        let scope = Scope::of(self, range);
        let is_timed = query.view == FlameView::TimeOrder && query.profile == FlameProfile::Time;
        let Some(weighed) = WeighedStacks::of(self, &scope, query.profile, is_timed) else {
            return Flame { one_of: 1, ..Flame::default() };
        };
        let WeighedStacks { tree, own, frames, tick, one_of } = weighed;
        let flame = draw(&Stacks::of(tree, own, query.view), frames, query, Some(&scope).filter(|_| is_timed));
        Flame { tick, one_of, ..flame }
    }
}

/// The stacks of a profile in a scope, and what each of them has there.
struct WeighedStacks<'m, 's> {
    tree: &'s StackTree,
    /// Of just that stack, by the stack's place.
    own: Vec<u64>,
    frames: Frames<'m, 's>,
    /// How long a sample stands for, if that is known.
    tick: Option<Nanos>,
    /// One out of so many samples is counted.
    one_of: u64,
}

impl<'m: 's, 's> WeighedStacks<'m, 's> {
    /// `is_timed`: whether single samples are looked at, so that only those that are kept count. `None` if the log has no such
    /// profile.
    fn of(model: &'m Model, scope: &'s Scope<'_>, profile: FlameProfile, is_timed: bool) -> Option<Self> {
        let Profiles { time, names, .. } = &model.known.stores.profiles;
        if profile == FlameProfile::Heap {
            let HeldStacks { tree, .. } = scope.held_stacks()?;
            let frames = Frames { names, met: tree.met(), has_caps: false };
            return Some(Self { tree, own: tree.own(), frames, tick: None, one_of: 1 });
        }
        let stride = time.rows.stride();
        let is_of_kept = scope.range.is_some() || (is_timed && stride > 1);
        let own = if is_of_kept { kept(scope) } else { time.tree.own() };
        let frames = Frames { names, met: time.tree.met(), has_caps: true };
        Some(Self { tree: &time.tree, own, frames, tick: time.tick(), one_of: if is_of_kept { stride } else { 1 } })
    }
}

/// `timed`: whose samples are drawn in order of time; `None` if nothing is.
fn draw<'m>(
    stacks: &Stacks<'_>,
    frames_of: Frames<'m, '_>,
    query: &FlameQuery,
    timed: Option<&Scope<'_>>,
) -> Flame<'m> {
    let matches = frames_of.matching(&query.search);
    let [of, width, matched] = stacks.count(&matches);
    let mut sheet = Sheet::new(query.within.unwrap_or((0, width)), query.width);
    if let Some(scope) = timed {
        timed::draw(scope, &mut sheet);
    } else {
        let is_up = matches!(query.view, FlameView::Inverted | FlameView::Callers(_));
        let direction = if is_up { StackDirection::Up } else { StackDirection::Down };
        draw_grouped(stacks, direction, stacks.roots(query.view == FlameView::Inverted), &mut sheet);
    }
    let names = frames_of.name_all(&mut sheet.frames, &matches);
    let Sheet { frames, left_out, .. } = sheet;
    Flame { width, of, matched, tick: None, one_of: 1, left_out, frames, names }
}

#[cfg(test)]
mod tests;
