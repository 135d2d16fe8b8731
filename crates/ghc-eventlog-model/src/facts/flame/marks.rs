//! The samples whose stacks go through a row of a call tree or a frame of a flame graph: when they were taken. Of a heap profile by
//! cost centres, these are the censuses in which such a stack held anything.

use super::{
    FlameProfile, FlameView, WeighedStacks,
    open::place_of,
    stacks::{has, rows},
};
use crate::{
    asking::range::Range,
    facts::scope::Scope,
    profiles::{
        bands::{Band, BandKey},
        censuses::Entry,
        tree::StackTree,
    },
    reading::model::Model,
    sorting::sort_by_number,
    terms::{frame::Frame, place::Direction, track::TrackId, view::View},
    tracks::{heap_profile::HeapProfileTrack, time_profile::track_of},
};
use alloc::{string::String, vec::Vec};
use ghc_eventlog::Nanos;

/// A way through frames, as a call tree has it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CallPath {
    /// What the tree is of.
    pub profile: FlameProfile,
    /// Whether the way goes to callees or to callers, and of which frame.
    pub view: FlameView,
    /// Only stacks count that have a frame with this text: see [`CallQuery::filter`](super::calls::CallQuery::filter).
    pub filter: String,
    /// The frames, from the tree's outermost row on.
    pub frames: Vec<u32>,
}

/// The samples that go this way, as far as they are in view.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CallSamples {
    /// How many there are, in view or not.
    pub total: u64,
    /// These are of one out of so many samples.
    pub one_of: u64,
    /// How many there are in each pixel of the view.
    pub columns: Vec<u32>,
    /// The same for each of the tracks that were asked about.
    pub tracks: Vec<Vec<u32>>,
}

/// A single one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallSample {
    /// When it was taken.
    pub time: Nanos,
    /// The track that shows it.
    pub track: TrackId,
    /// How many were taken before it.
    pub before: u64,
}

/// When a sample was taken, and the track that shows it.
type MarkedSample = (Nanos, TrackId);

impl Model {
    /// The samples that go a way, of the log or of a range of it.
    #[must_use]
    pub fn call_samples(&self, range: Option<&Range>, path: &CallPath, view: View, tracks: &[TrackId]) -> CallSamples {
        let (marked, one_of) = self.marked(range, path);
        let empty = alloc::vec![0u32; view.width];
        let mut found = CallSamples {
            total: marked.len() as u64,
            one_of,
            columns: empty.clone(),
            tracks: alloc::vec![empty; tracks.len()],
        };
        let pixel = view.pixel();
        for (time, track) in marked.iter().filter(|(time, _)| view.from <= *time && *time < view.to) {
            let at = (time.since(view.from).0 as f64 / pixel) as usize;
            let of = tracks.iter().position(|asked| asked == track).and_then(|of| found.tracks.get_mut(of));
            for columns in [Some(&mut found.columns), of].into_iter().flatten() {
                columns.get_mut(at).into_iter().for_each(|count| *count += 1);
            }
        }
        found
    }

    /// The first of these samples that is later than a time, or the last that is earlier.
    #[must_use]
    pub fn call_sample_beside(
        &self,
        range: Option<&Range>,
        path: &CallPath,
        time: Nanos,
        direction: Direction,
    ) -> Option<CallSample> {
        let (marked, _) = self.marked(range, path);
        let at = match direction {
            Direction::Next => marked.partition_point(|(of, _)| *of <= time),
            // Of those at one time, the first one.
            Direction::Previous => {
                let last = marked.partition_point(|(of, _)| *of < time).checked_sub(1)?;
                let (last, _) = *marked.get(last)?;
                marked.partition_point(|(of, _)| *of < last)
            }
        };
        marked.get(at).map(|(time, track)| CallSample { time: *time, track: *track, before: at as u64 })
    }

    /// All of them, in order of time, and out of how many samples one is kept.
    fn marked(&self, range: Option<&Range>, path: &CallPath) -> (Vec<MarkedSample>, u64) {
        let scope = Scope::of(self, range);
        let Some(weighed) = WeighedStacks::of(self, &scope, path.profile, true) else { return (Vec::new(), 1) };
        let tree = weighed.tree;
        let matches = weighed.frames.matching(&path.filter);
        let others = tree.met().len() as u32;
        let frames: Vec<u32> = path.frames.iter().map(|frame| place_of(*frame, others)).collect();
        let goes = |stack: &[u32]| {
            (matches.is_empty() || stack.iter().any(|frame| has(&matches, *frame)))
                && is_on_way(stack, path.view, &frames)
        };
        let mut marked = match path.profile {
            FlameProfile::Time => samples(&scope, tree, &goes),
            FlameProfile::Heap => self.censuses(&scope, tree, &goes),
        };
        sort_by_number(&mut marked, |(time, _)| time.0);
        (marked, weighed.one_of)
    }

    /// The censuses in which a band held anything whose stack goes this way.
    fn censuses(&self, scope: &Scope<'_>, tree: &StackTree, goes: &dyn Fn(&[u32]) -> bool) -> Vec<MarkedSample> {
        let heap = &self.known.stores.profiles.heap;
        let others = tree.met().len() as u32;
        let goes_of = |band: &Band| {
            let mut stack: Vec<u32> = match band.key {
                BandKey::Stack(..) => Vec::new(),
                _ => alloc::vec![others],
            };
            let ids = heap.stack_of(band).iter().rev();
            stack.extend(ids.filter_map(|id| tree.find(Frame::CostCentre(*id))));
            if stack.is_empty() {
                stack.extend(tree.find(Frame::Main));
            }
            goes(&stack)
        };
        let wanted: Vec<bool> = heap.bands().iter().map(goes_of).collect();
        let (from, to) = scope.range.map_or((Nanos(0), Nanos::MAX), Range::times);
        let (censuses, _) = self.known.censuses_around(from, to);
        let track = TrackId::of::<HeapProfileTrack>(0);
        let mut marked = Vec::new();
        for (time, entries) in &censuses {
            let is_wanted = |entry: &Entry| entry.bytes > 0 && has(&wanted, entry.band);
            if from <= *time && *time < to && entries.iter().any(is_wanted) {
                marked.push((*time, track));
            }
        }
        marked
    }
}

/// The samples of the time profile that go this way.
fn samples(scope: &Scope<'_>, tree: &StackTree, goes: &dyn Fn(&[u32]) -> bool) -> Vec<MarkedSample> {
    let wanted: Vec<bool> = (0..tree.nodes.len() as u32)
        .map(|node| {
            let mut stack: Vec<u32> = tree.path(node).collect();
            stack.reverse();
            goes(&stack)
        })
        .collect();
    rows(scope).iter().filter(|row| has(&wanted, row.node)).map(|row| (row.time, track_of(row))).collect()
}

/// Whether a stack, its outermost frame first, goes a way.
fn is_on_way(stack: &[u32], view: FlameView, way: &[u32]) -> bool {
    // Of a frame that stands several times in a stack, the outermost counts.
    let place = |of: u32| stack.iter().position(|frame| *frame == of);
    let up = |stack: &[u32]| stack.len() >= way.len() && stack.iter().rev().zip(way).all(|(frame, of)| frame == of);
    match view {
        FlameView::LeftHeavy | FlameView::TimeOrder => stack.starts_with(way),
        FlameView::Inverted => up(stack),
        FlameView::Callees(of) => place(of).and_then(|at| stack.get(at..)).is_some_and(|below| below.starts_with(way)),
        FlameView::Callers(of) => place(of).and_then(|at| stack.get(..=at)).is_some_and(up),
    }
}
