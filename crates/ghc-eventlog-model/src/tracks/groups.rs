//! The groups of tracks: each has a heading, and can be folded.
//!
//! A log may have 200 000 tracks. So there is never a list of all of them: a group says how many it has, and describes those
//! that the caller asks for. Each kind finds its n-th track, and the place of a track, without a search.
//!
//! ```text
//! Activity ▂▃▅▂            a group of one track of its own name needs no heading
//! ▾ Capabilities  2 · 45 %
//!   cap 0  rrrr..rr
//!   cap 1  ..rrrr..
//! ▸ Sparks                 folded
//! ```

use super::{KINDS, kind::Tracks};
use crate::{
    known::arrangement::Arranged,
    terms::{
        absence::Absence,
        track::{Note, Track, TrackId},
    },
};
use alloc::vec::Vec;

/// The heading of a group: see [`Group`].
#[derive(Debug)]
pub(crate) struct Heading {
    key: &'static str,
    name: &'static str,
    /// A group with more tracks than this is folded at first.
    open: usize,
    /// The track that represents the group when it is folded.
    picture: Option<TrackId>,
}

pub(crate) static ACTIVITY: Heading = Heading { key: "activity", name: "Activity", open: usize::MAX, picture: None };
pub(crate) static CAPABILITIES: Heading =
    Heading { key: "caps", name: "Capabilities", open: 8, picture: Some(TrackId::ACTIVITY) };
pub(crate) static COLLECTIONS: Heading =
    Heading { key: "gc", name: "Garbage collection", open: usize::MAX, picture: Some(TrackId::COLLECTIONS) };
/// With more than eight capabilities it is folded, as their lanes are.
pub(crate) static HEAP: Heading = Heading { key: "heap", name: "Heap", open: 16, picture: Some(TrackId::LIVE) };
/// Its one track needs no heading: a user who logs a heap profile wants to see it.
pub(crate) static HEAP_PROFILE: Heading =
    Heading { key: "heap_profile", name: "Heap profile", open: usize::MAX, picture: None };
/// A program is rarely profiled for another reason than to look at the profile: the first capabilities are shown.
pub(crate) static TIME_PROFILE: Heading =
    Heading { key: "time_profile", name: "Time profile", open: 8, picture: Some(TrackId::SAMPLE_RATE) };
pub(crate) static SPARKS: Heading = Heading { key: "sparks", name: "Sparks", open: 0, picture: None };

pub(crate) static THREADS: Heading = Heading { key: "threads", name: "Threads", open: 0, picture: None };

pub(crate) static SPANS: Heading = Heading { key: "spans", name: "Spans", open: 0, picture: None };

pub(crate) static COUNTERS: Heading = Heading { key: "counters", name: "Counters", open: 0, picture: None };

pub(crate) static TASKS: Heading = Heading { key: "tasks", name: "Tasks", open: 0, picture: None };

pub(crate) static OTHER: Heading = Heading { key: "other", name: "Other events", open: 0, picture: None };

/// All headings, in the order of the page.
static HEADINGS: [&Heading; 12] = [
    &ACTIVITY,
    &CAPABILITIES,
    &COLLECTIONS,
    &HEAP,
    &HEAP_PROFILE,
    &TIME_PROFILE,
    &SPARKS,
    &THREADS,
    &SPANS,
    &COUNTERS,
    &TASKS,
    &OTHER,
];

/// A group's description of itself. Its tracks come in pages: [`Model::tracks_of`](crate::Model::tracks_of).
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// Its name in queries and links.
    pub key: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// How many tracks it has so far.
    pub tracks: usize,
    /// The same by shape, in order: the name of a shape, and how many consecutive tracks have it.
    pub parts: Vec<(&'static str, usize)>,
    /// Whether it has a heading: not if that would only repeat what its one track says.
    pub headed: bool,
    /// Whether its tracks are shown at first.
    pub open: bool,
    /// If the user can [choose](crate::Wishes) its tracks: how many things have a track, and how many there are.
    pub shown: Option<(usize, usize)>,
    /// A figure that summarizes all of them.
    pub note: Option<Note>,
    /// The track that represents all of them when they are folded.
    pub picture: Option<Track>,
    /// Why there are none. `None` before the log is read, and if the log has such events.
    pub lacks: Option<Absence>,
}

impl Heading {
    pub(crate) const fn key(&self) -> &'static str {
        self.key
    }

    /// Its name for people.
    pub(crate) const fn name(&self) -> &'static str {
        self.name
    }

    /// The kinds of its tracks, each with its number.
    fn numbered(&self) -> impl Iterator<Item = &'static (u8, &'static dyn Tracks)> {
        KINDS.iter().filter(|(_, tracks)| tracks.heading().key == self.key)
    }

    fn kinds(&self) -> impl Iterator<Item = &'static dyn Tracks> {
        self.numbered().map(|(_, tracks)| *tracks)
    }

    fn group(&self, known: &Arranged<'_>) -> Group {
        let first = |tracks: &'static dyn Tracks| {
            let of = tracks.nth(known, 0)?;
            Some((tracks.describe(known, of), tracks.count(known)))
        };
        let kinds: Vec<(Track, usize)> = self.kinds().filter_map(first).collect();
        let tracks: usize = kinds.iter().map(|(_, count)| count).sum();
        let shown = self.kinds().find_map(|tracks| tracks.shown(known));
        Group {
            key: self.key,
            name: self.name,
            tracks,
            parts: kinds.iter().map(|(track, count)| (track.shape.name(), *count)).collect(),
            headed: !matches!(kinds.as_slice(), [(only, 1)] if only.name == self.name),
            open: shown.map_or(tracks, |(_, of)| of) <= self.open,
            shown,
            note: self.kinds().find_map(|tracks| tracks.figure(known)).filter(|_| tracks > 0),
            picture: self.picture.filter(|_| tracks > 0).and_then(|id| track(known, id)),
            lacks: self.kinds().find_map(|tracks| tracks.lacks(known)).filter(|_| tracks == 0 && known.is_finished()),
        }
    }

    /// Its tracks from a place on, at most `count`.
    fn page(&self, known: &Arranged<'_>, from: usize, count: usize) -> Vec<Track> {
        let (mut skipped, mut page) = (from, Vec::new());
        for tracks in self.kinds() {
            let all = tracks.count(known);
            let end = all.min(skipped.saturating_add(count - page.len()));
            let described = (skipped..end).filter_map(|at| Some(tracks.describe(known, tracks.nth(known, at)?)));
            page.extend(described);
            skipped = skipped.saturating_sub(all);
        }
        page
    }
}

/// All groups, in the order of the page, including those without tracks.
pub(crate) fn all(known: &Arranged<'_>) -> Vec<Group> {
    HEADINGS.iter().map(|heading| heading.group(known)).collect()
}

/// A group's tracks from a place on, at most `count`; none if there is no such group.
pub(crate) fn page(known: &Arranged<'_>, key: &str, from: usize, count: usize) -> Vec<Track> {
    let heading = HEADINGS.iter().find(|heading| heading.key == key);
    heading.map_or(Vec::new(), |heading| heading.page(known, from, count))
}

/// One track; `None` if it does not exist so far.
pub(crate) fn track(known: &Arranged<'_>, id: TrackId) -> Option<Track> {
    let (tracks, of) = id.tracks()?;
    tracks.exists(known, of).then(|| tracks.describe(known, of))
}

/// The group that a track is in, and its place there.
pub(crate) fn place(known: &Arranged<'_>, id: TrackId) -> Option<(&'static str, usize)> {
    let (mine, of) = id.tracks()?;
    let place = mine.place(known, of)?;
    let heading = mine.heading();
    let before = heading.numbered().take_while(|(number, _)| *number != id.kind);
    let others: usize = before.map(|(_, tracks)| tracks.count(known)).sum();
    Some((heading.key, others + place))
}
