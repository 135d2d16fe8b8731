//! What a window of time shows of a track: columns one pixel wide, and the spans that are wide enough to be drawn on
//! their own. From the overview, or exactly from segments decoded again.

use crate::{
    known::{Known, arrangement::Arrangement, index::collecting},
    limits,
    reading::{
        again::{self, Failure},
        job::{Changed, Job},
        model::Model,
    },
    sorting::{joined, sort_by_number},
    terms::{
        progress::Progress,
        track::{Needs, TrackId},
        view::View,
        window::{Plan, Version, Window},
    },
    tracks::collected,
};
use alloc::vec::Vec;
use ghc_eventlog::Chunk;

impl Model {
    /// How a window is best answered: a [`Job`]. Its contents can be asked for at any time: at first they show what is known
    /// without reading; once the job is done, they are exact, if that is worth it.
    pub fn plan(&mut self, view: View) -> Plan {
        self.plan_with(view, false)
    }

    /// The same, for a window that may also show tracks of threads, and of user spans: these need more to be read.
    pub fn plan_with(&mut self, view: View, follows_threads: bool) -> Plan {
        self.plan_for(view, Needs { thread_states: follows_threads, user_spans: follows_threads, ..Needs::default() })
    }

    /// The same, for a window that shows tracks with these needs.
    pub fn plan_for(&mut self, view: View, needs: Needs) -> Plan {
        let known = &mut self.known;
        let threads = if needs.thread_states { known.thread_segments(view.from, view.to) } else { None };
        let of_spans = if needs.user_spans { known.want_spans(view.from, view.to) } else { Vec::new() };
        known.at_hand.want(threads.as_deref().unwrap_or_default(), None);
        let segments = known.segments_in(view);
        let of = |segment: &u32| known.index.segment(*segment).map(|segment| segment.end - segment.at.offset);
        let bytes: u64 = segments.iter().filter_map(of).sum();
        let coarse = known.stores.overview.bucket().0 as f64 > view.pixel() / 2.0;
        let exact = bytes <= limits::DETAIL_ALWAYS || coarse && bytes <= limits::DETAIL_READ;
        let segments = if exact { segments } else { Vec::new() };
        let mut wanted = known.census_segments(view.from, view.to);
        wanted.extend(known.sample_segments(view.from, view.to));
        wanted.extend_from_slice(&segments);
        sort_by_number(&mut wanted, |segment| (*segment).into());
        wanted.dedup();
        known.details.plan(&wanted);
        let of_threads = threads.iter().flatten().filter(|segment| known.at_hand.is_wanted(**segment));
        let missing = wanted.iter().filter(|segment| known.details.get(**segment).is_none());
        let mut missing: Vec<u32> = missing.chain(of_threads).chain(&of_spans).copied().collect();
        sort_by_number(&mut missing, |segment| (*segment).into());
        missing.dedup();
        let reads = joined(missing.iter().filter_map(|segment| known.read_of(*segment)));
        let progress = Progress { done: wanted.len().saturating_sub(missing.len()), of: wanted.len() };
        Plan { reads, threads, needs, made_of: known.version(), progress, ..Plan::of(view, exact, segments) }
    }

    /// Takes bytes of the file that a plan or a look-up asked for. If decoding them shows that more bytes after their end are
    /// needed, the same question asks for more.
    ///
    /// # Errors
    /// If the bytes differ from what was fed: the file has changed, and its old contents are lost.
    pub fn supply(&mut self, offset: u64, bytes: &[u8]) -> Result<(), Changed> {
        let known = &mut self.known;
        // What comes now is newer than what is at hand, and may push that out.
        known.details.tick();
        let beside = known.beside_details();
        let end = offset + bytes.len() as u64;
        let mut supplied = Ok(());
        for number in known.index.segments_within(offset, end) {
            let Some(segment) = known.index.segment(number) else { continue };
            // The first pass did not look beyond what was fed, either.
            let chunk = Chunk { bytes, offset, last: end >= known.fed }.from(segment.at.offset);
            match again::decode(&known.index, number, chunk, &self.decoder, &known.caps, &known.stores.profiles) {
                Ok(detail) => known.details.insert(number, detail, beside),
                Err(Failure::Need(ahead)) => known.index.look_further(number, ahead),
                Err(Failure::Changed) => supplied = Err(Changed),
            }
        }
        self.supply_ops(offset, bytes)?;
        self.supply_spans(offset, bytes)?;
        supplied
    }

    /// What a planned window shows of a track.
    #[must_use]
    pub fn window(&self, arrangement: &Arrangement, plan: &Plan, track: TrackId) -> Window {
        let Some((tracks, of)) = track.tracks() else { return Window::default() };
        let exact = plan.exact && plan.reads.is_empty() && plan.view.to <= self.exact_until();
        tracks.window(&self.known.arranged(arrangement), of, plan, exact)
    }
}

impl Job for Plan {
    fn reads(&mut self, model: &mut Model) -> Vec<(u64, u64)> {
        self.renew(model);
        self.reads.clone()
    }

    fn take(&mut self, _: &Model) {}

    fn progress(&self) -> Progress {
        self.progress
    }
}

impl Plan {
    /// Makes the plan again if anything has changed since: segments at hand may have been dropped, or more may be known.
    pub fn renew(&mut self, model: &mut Model) {
        if self.made_of != model.known.version() {
            *self = Self { bands: self.bands, ..model.plan_for(self.view, self.needs) };
        }
    }
}

impl Known {
    /// The version of what pictures are made from: it differs after any change.
    fn version(&self) -> Version {
        let at_hand = self.at_hand.changes + self.spans_at_hand.changes;
        [self.revision, self.details.changes, at_hand, self.index.longer_looks]
    }

    /// The segments that a window shows, in order.
    pub(crate) fn segments_in(&self, view: View) -> Vec<u32> {
        let mut segments = Vec::new();
        for (at, stream) in self.caps.streams.iter().enumerate() {
            let turns = self.index.turns(at).filter(|turn| view.meets(turn.from(), turn.to()));
            segments.extend(turns.map(|turn| turn.entry.segment));
            let collecting = collecting(self.index.stream(at), collected::counted(&stream.sums));
            let meeting = collecting.filter(|entry| view.meets(entry.reaches_back_to(), entry.to));
            segments.extend(meeting.map(|entry| entry.segment));
        }
        sort_by_number(&mut segments, |segment| (*segment).into());
        segments.dedup();
        segments
    }
}
