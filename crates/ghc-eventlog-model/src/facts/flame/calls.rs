//! Profiles as call trees: the same sums as in a flame graph, as rows that unfold. Only the rows in view are made.
//!
//! ```text
//! total   own                callees first       total                 callers
//!    20     0  main                                  12  token
//!    15     3    parse                               12    parse
//!    12    12      token                             12      main
//!     5     5    write                                5  write …
//! ```
//!
//! Of each frame, what is its own and the totals of the rows directly below it are its total, always: where not all callees are
//! shown, one row stands for the others.

use super::{
    FlameName, FlameProfile, FlameView, Frames, WeighedStacks,
    grouped::{StackDirection, groups},
    limits,
    open::{OTHER_CALLS, OpenAt, OpenCall, OpenCalls, place_of},
    stacks::{Stacks, Weighed, has, reached},
};
use crate::{
    asking::range::Range, facts::scope::Scope, reading::model::Model, sorting::sort_by,
    terms::small_letters::small_letters,
};
use alloc::{collections::BTreeMap, string::String, vec::Vec};
use core::cmp::Ordering;
use ghc_eventlog::Nanos;

/// What the rows of a call tree are sorted by, among those of one parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CallOrder {
    /// All that there is of a frame there.
    #[default]
    Total,
    /// What is its own.
    Own,
    /// What it is called.
    Name,
    /// Its module.
    Module,
    /// Its place in the source.
    Source,
}

/// What a call tree is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CallQuery {
    /// What it is of.
    pub profile: FlameProfile,
    /// Whether callees or callers are below a frame, and of which. All views but the inverted one and callers have callees below.
    pub view: FlameView,
    /// What rows with one parent are sorted by.
    pub sort: CallOrder,
    /// Whether the largest come first.
    pub down: bool,
    /// Only stacks count that have a frame with this text in its name or module, in whatever case; all do if it is empty.
    pub filter: String,
    /// How many of the outermost rows are shown.
    pub shown: u32,
    /// Which frames are unfolded.
    pub open: Vec<OpenCall>,
    /// The frame that is chosen, by those above it and itself: it is shown if all those are unfolded.
    pub chosen: Vec<u32>,
    /// The first row that is in view.
    pub from: u64,
    /// How many are.
    pub count: usize,
}

/// The rows of a call tree that are in view.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CallTree<'m> {
    /// How many samples, or bytes, the outermost rows have together.
    pub width: u64,
    /// How many there are in the log or in the range, whichever frames they have.
    pub of: u64,
    /// How long a sample stands for; `None` of bytes, and if the log does not tell.
    pub tick: Option<Nanos>,
    /// It is made of one out of so many samples.
    pub one_of: u64,
    /// How many rows there are, in view or not.
    pub all_rows: u64,
    /// The row that is chosen, if it is shown.
    pub chosen: Option<u64>,
    /// The frames that the first row in view is below, the outermost first: numbers as in [`CallQuery::chosen`].
    pub above: Vec<u32>,
    /// The rows in view.
    pub rows: Vec<CallRow>,
    /// What they are called.
    pub names: Vec<FlameName<'m>>,
}

/// A row of a call tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallRow {
    /// How many rows it is below.
    pub depth: u32,
    /// How many samples, or bytes, come here on this way.
    pub total: u64,
    /// In how many of these it was innermost or, where callers are below, outermost.
    pub own: u64,
    /// Which name it has; of a row that stands for frames that are not shown, how many these are.
    pub what: CallOf,
    /// Whether there is anything to unfold.
    pub can_open: bool,
    /// Whether it is unfolded.
    pub is_open: bool,
    /// Its place among the rows directly below the same one, from 1, and how many of them are shown.
    pub place: (u64, u64),
}

/// What a row of a call tree is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallOf {
    /// A frame, by the place of its name in the list of those.
    Frame(u32),
    /// So many frames that are not shown.
    Rest(u64),
}

/// The stacks that come to one frame on the same way.
struct CallGroup {
    frame: u32,
    total: u64,
    own: u64,
    items: Vec<Weighed>,
}

/// The rows directly below one.
struct Siblings {
    /// The frame that they are below; of the outermost, none.
    parent: Option<u32>,
    groups: alloc::vec::IntoIter<CallGroup>,
    /// How many frames are not shown, and what they have.
    rest: (u64, u64, u64),
    open: OpenAt,
    /// The chosen frame among these, or the one that it is below.
    chosen: Option<u32>,
    place: u64,
    of: u64,
}

/// The tree, while its rows are made.
struct UnfoldedTree<'t, 'm> {
    stacks: &'t Stacks<'t>,
    frames: Frames<'m, 't>,
    direction: StackDirection,
    query: &'t CallQuery,
    chosen: Vec<u32>,
}

impl Model {
    /// Rows of the call tree of a profile: of the log as far as it has been read, or of a range of it.
    #[must_use]
    pub fn calls(&self, range: Option<&Range>, query: &CallQuery) -> CallTree<'_> {
        let scope = Scope::of(self, range);
        let Some(weighed) = WeighedStacks::of(self, &scope, query.profile, false) else {
            return CallTree { one_of: 1, ..CallTree::default() };
        };
        let WeighedStacks { tree, mut own, frames, tick, one_of } = weighed;
        let of = own.iter().sum();
        let matches = frames.matching(&query.filter);
        if !matches.is_empty() {
            let matched = reached(&tree.nodes, &|frame| has(&matches, frame));
            own.iter_mut().zip(matched).filter(|(_, matched)| !matched).for_each(|(own, _)| *own = 0);
        }
        let stacks = Stacks::of(tree, own, query.view);
        let direction = direction_of(query.view);
        let others = tree.met().len() as u32;
        let chosen = query.chosen.iter().map(|frame| place_of(*frame, others)).collect();
        let open = OpenCalls::of(query.shown, &query.open, others);
        let found = UnfoldedTree { stacks: &stacks, frames, direction, query, chosen }.rows(&open, &matches);
        CallTree { of, tick, one_of, width: stacks.count(&[])[1], ..found }
    }
}

/// What is below a frame in a view.
pub(super) fn direction_of(view: FlameView) -> StackDirection {
    match view {
        FlameView::Inverted | FlameView::Callers(_) => StackDirection::Up,
        FlameView::LeftHeavy | FlameView::TimeOrder | FlameView::Callees(_) => StackDirection::Down,
    }
}

impl<'m> UnfoldedTree<'_, 'm> {
    /// Goes through all rows, and makes those in view.
    fn rows(&self, open: &OpenCalls, matches: &[bool]) -> CallTree<'m> {
        let mut found = CallTree::default();
        let mut names = BTreeMap::new();
        let roots = self.stacks.roots(self.query.view == FlameView::Inverted);
        let mut levels = alloc::vec![self.siblings(None, &roots, open.root(), self.chosen.first().copied())];
        while let Some(depth) = levels.len().checked_sub(1) {
            if found.rows.is_empty() && self.is_in_view(&found) {
                let others = self.frames.met.len() as u32;
                let number = |frame: u32| if frame == others { OTHER_CALLS } else { frame };
                found.above = levels.iter().filter_map(|level| level.parent).map(number).collect();
            }
            let Some(level) = levels.last_mut() else { break };
            level.place += 1;
            let place = (level.place, level.of);
            let row = CallRow {
                depth: depth as u32,
                total: 0,
                own: 0,
                what: CallOf::Rest(0),
                can_open: false,
                is_open: false,
                place,
            };
            let Some(group) = level.groups.next() else {
                let (count, total, own) = level.rest;
                if count > 0 {
                    self.push(&mut found, CallRow { total, own, what: CallOf::Rest(count), ..row });
                }
                levels.pop();
                continue;
            };
            let CallGroup { frame, total, own, items } = group;
            let is_chosen = level.chosen == Some(frame);
            if is_chosen && self.chosen.len() == depth + 1 {
                found.chosen = Some(found.all_rows);
            }
            let opened = open.below(level.open, frame);
            let is_seen = self.is_in_view(&found);
            let below = if is_seen || opened.is_some() { self.below(&items) } else { Vec::new() };
            let opened = opened.filter(|_| !below.is_empty());
            let mut name = 0;
            if is_seen {
                name = *names.entry(frame).or_insert_with(|| {
                    let matches = has(matches, frame);
                    let text = self.frames.shown_name(frame);
                    found.names.push(FlameName { name: text.into(), ..self.frames.named(frame, matches) });
                    found.names.len() as u32 - 1
                });
            }
            let row = CallRow { total, own, what: CallOf::Frame(name), can_open: !below.is_empty(), ..row };
            self.push(&mut found, CallRow { is_open: opened.is_some(), ..row });
            if let Some(opened) = opened {
                let chosen = self.chosen.get(depth + 1).filter(|_| is_chosen).copied();
                levels.push(self.siblings(Some(frame), &below, opened, chosen));
            }
        }
        found
    }

    fn is_in_view(&self, found: &CallTree<'_>) -> bool {
        let CallQuery { from, count, .. } = self.query;
        found.all_rows >= *from && found.rows.len() < (*count).min(limits::MAX_CALL_ROWS)
    }

    fn push(&self, found: &mut CallTree<'_>, row: CallRow) {
        if self.is_in_view(found) {
            found.rows.push(row);
        }
        found.all_rows += 1;
    }

    /// What is directly below some stacks.
    fn below(&self, items: &[Weighed]) -> Vec<Weighed> {
        let mut below = Vec::new();
        items.iter().for_each(|item| self.stacks.add_below(*item, self.direction, &mut below));
        below.retain(|(_, weight)| *weight > 0);
        below
    }

    /// The rows of some stacks, in order.
    fn siblings(&self, parent: Option<u32>, items: &[Weighed], open: OpenAt, chosen: Option<u32>) -> Siblings {
        let mut all = self.sorted(self.grouped(items));
        let beyond = all.split_off(open.shown.max(1).min(all.len()));
        let (mut count, mut total, mut own) = (0, 0, 0);
        for group in beyond {
            if Some(group.frame) == chosen {
                all.push(group);
                continue;
            }
            (count, total, own) = (count + 1, total + group.total, own + group.own);
        }
        let of = all.len() as u64 + u64::from(count > 0);
        Siblings { parent, groups: all.into_iter(), rest: (count, total, own), open, chosen, place: 0, of }
    }

    /// Stacks by the frame that they come to, those with the most first.
    fn grouped(&self, items: &[Weighed]) -> Vec<CallGroup> {
        let (pairs, groups) = groups(self.stacks, items);
        let group = |(inverse, begin): (u64, u32)| {
            let same = pairs.get(begin as usize..).unwrap_or_default();
            let frame = same.first().map_or(0, |(frame, _)| *frame);
            let places = same.iter().take_while(|(of, _)| *of == frame);
            let items: Vec<Weighed> = places.filter_map(|(_, place)| items.get(*place as usize)).copied().collect();
            let own = items.iter().map(|item| self.stacks.ends(*item, self.direction)).sum();
            CallGroup { frame: frame as u32, total: !inverse, own, items }
        };
        groups.into_iter().map(group).collect()
    }

    fn sorted(&self, groups: Vec<CallGroup>) -> Vec<CallGroup> {
        let CallQuery { sort, down, .. } = *self.query;
        let text = |frame: u32| match sort {
            CallOrder::Name => self.frames.shown_name(frame),
            CallOrder::Module => self.frames.names.text(self.frames.module(frame)).into(),
            CallOrder::Source => self.frames.source(frame),
            CallOrder::Total | CallOrder::Own => String::new(),
        };
        let number = |group: &CallGroup| match sort {
            CallOrder::Total => group.total,
            CallOrder::Own => group.own,
            CallOrder::Name | CallOrder::Module | CallOrder::Source => 0,
        };
        let mut keyed: Vec<(u64, String, CallGroup)> =
            groups.into_iter().map(|group| (number(&group), text(group.frame), group)).collect();
        // Equal ones stay in order of what they have.
        sort_by(&mut keyed, |one, other| {
            let order = one.0.cmp(&other.0).then_with(|| in_letters(&one.1, &other.1));
            if down { order.reverse() } else { order }
        });
        keyed.into_iter().map(|(_, _, group)| group).collect()
    }
}

/// Texts in order, nothing last.
fn in_letters(one: &str, other: &str) -> Ordering {
    let key = |text: &str| (text.is_empty(), small_letters(text));
    key(one).cmp(&key(other))
}
