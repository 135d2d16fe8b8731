//! When capabilities were created, deleted, disabled and enabled: `setNumCapabilities` creates capabilities, and disables
//! those above the new number.
//!
//! ```text
//! CAP_CREATE 2        CAP_DISABLE 2      CAP_ENABLE 2        CAP_DELETE 2
//!      |-------------------|/////////////////|---------------------|
//! ```
//!
//! These events are in the global stream, often at the end of the file, after the capabilities' own events. So what follows a
//! capability's events does not know of them: the answers for a lane look here.

use super::{
    heaviest::Heaviest,
    sorted::{self, Sorted},
};
use crate::{
    keeping::{
        diagnostics::DiagnosticKind,
        store::{Event, Purpose, Store},
    },
    limits,
    terms::{span::Moment, tags::Tags},
};
use alloc::vec::Vec;
use ghc_eventlog::{CapCreate, CapDelete, CapDisable, CapEnable, CapNo, Nanos};

/// The runtime creates its initial capabilities within some ten microseconds.
const START_UP: Nanos = Nanos(1_000_000);

/// What is known of the lives of all capabilities.
#[derive(Debug, Default)]
pub(crate) struct CapLives {
    by_cap: Sorted<CapNo, CapLife>,
    /// How many were created in the stream of the file that is being read, each counted once; and the most in any stream.
    created_here: usize,
    most_created: usize,
    /// How many streams of the file have ended.
    streams: u32,
    /// How many disabled stretches are kept.
    stretches: usize,
    is_capped: bool,
}

/// The life of a capability.
#[derive(Debug, Default)]
pub(crate) struct CapLife {
    /// Its first creation, and its last deletion.
    pub(crate) created: Option<Moment>,
    pub(crate) deleted: Option<Moment>,
    /// When it was disabled and enabled again: in order of time, without overlap.
    disabled: Vec<(Nanos, Nanos)>,
    /// Since when it has been disabled; `None` if it is not.
    disabled_since: Option<Nanos>,
    /// The stream of the file in which it was last created.
    created_in: Option<u32>,
}

impl CapLife {
    /// When it was disabled, in order of time. A stretch that is not over ends with the largest time.
    pub(crate) fn disabled(&self) -> impl Iterator<Item = (Nanos, Nanos)> {
        let open = self.disabled_since.map(|since| (since, Nanos::MAX));
        self.disabled.iter().copied().chain(open)
    }

    fn disable(&mut self, time: Nanos) {
        let after = self.disabled.last().map_or(Nanos(0), |(_, to)| *to);
        self.disabled_since.get_or_insert(time.max(after));
    }

    /// Ends the stretch in which it is disabled, if there is one. Returns that stretch.
    fn end_disabled(&mut self, time: Nanos) -> Option<(Nanos, Nanos)> {
        let since = self.disabled_since.take()?;
        Some((since, time)).filter(|(from, to)| from < to)
    }
}

impl CapLives {
    fn create(&mut self, cap: CapNo, time: Nanos) {
        let stream = Some(self.streams);
        // Since it was deleted, it was not there: as if disabled. What is between two streams is not known.
        let before = self.by_cap.get_mut(&cap).filter(|life| life.created_in == stream);
        if let Some(life) = before
            && let Some(deleted) = life.deleted
        {
            life.disable(deleted.time());
        }
        self.enable(cap, time);
        let Some(life) = self.life(cap) else { return };
        life.created = life.created.or(Moment::at(time));
        life.deleted = None;
        if core::mem::replace(&mut life.created_in, stream) != stream {
            self.created_here += 1;
            self.most_created = self.most_created.max(self.created_here);
        }
    }

    /// A disabled capability is enabled again, or is deleted.
    fn enable(&mut self, cap: CapNo, time: Nanos) {
        let Some(life) = self.by_cap.get_mut(&cap) else { return };
        let Some(stretch) = life.end_disabled(time) else { return };
        life.disabled.push(stretch);
        self.stretches += 1;
        if self.stretches > limits::MAX_DISABLED {
            self.forget_short_stretches();
        }
    }

    /// Keeps the longer half of the stretches.
    #[cold]
    fn forget_short_stretches(&mut self) {
        let length = |(from, to): &(Nanos, Nanos)| to.since(*from).0;
        let lengths = self.by_cap.values().flat_map(|life| &life.disabled).map(length).collect();
        let mut half = Heaviest::half_of(lengths);
        let mut kept = 0;
        self.by_cap.iter_mut().for_each(|(_, life)| {
            life.disabled.retain(|stretch| half.stays(length(stretch)));
            kept += life.disabled.len();
        });
        (self.stretches, self.is_capped) = (kept, true);
    }

    /// The life of a capability; `None` if there are too many.
    fn life(&mut self, cap: CapNo) -> Option<&mut CapLife> {
        let has_room = self.by_cap.len() < limits::MAX_CAPS;
        if has_room || self.by_cap.contains_key(&cap) { Some(self.by_cap.entry(cap).or_default()) } else { None }
    }

    /// A stream of the file ends; `last` is the time of its last event. The next stream does not say what happened in
    /// between.
    pub(crate) fn end_stream(&mut self, last: Nanos) {
        let disabled = self.by_cap.iter().filter(|(_, life)| life.disabled_since.is_some());
        for cap in disabled.map(|(cap, _)| *cap).collect::<Vec<_>>() {
            self.enable(cap, last);
        }
        self.streams += 1;
        self.created_here = 0;
    }

    /// Whether a capability is not there at the end, or disabled. What the last stream of the file creates is all that is there.
    pub(crate) fn is_off(&self, life: &CapLife) -> bool {
        let is_left_out = self.created_here > 0 && life.created_in != Some(self.streams);
        life.deleted.is_some() || life.disabled_since.is_some() || is_left_out
    }

    /// What is known of a capability.
    pub(crate) fn of(&self, cap: CapNo) -> Option<&CapLife> {
        self.by_cap.get(&cap)
    }

    /// How many different capabilities were created, by their numbers. If the file has several streams: the most in any of
    /// them.
    pub(crate) fn created(&self) -> usize {
        self.most_created
    }

    /// Whether some were created later than the others, or were disabled. Most programs keep their initial ones.
    pub(crate) fn came_and_went(&self) -> bool {
        let created = || self.by_cap.values().filter_map(|life| life.created.map(Moment::time));
        let at_once = created().max().unwrap_or_default().since(created().min().unwrap_or_default()) < START_UP;
        !at_once || self.were_disabled()
    }

    /// Whether any was disabled.
    pub(crate) fn were_disabled(&self) -> bool {
        self.by_cap.values().any(|life| life.disabled().next().is_some())
    }

    /// Whether some of it is not kept.
    pub(crate) fn is_capped(&self) -> bool {
        self.is_capped
    }
}

impl Store for CapLives {
    const TAGS: Tags = Tags::of(&[CapCreate::TAG, CapDelete::TAG, CapDisable::TAG, CapEnable::TAG]);

    fn of(_: Purpose) -> Self {
        Self::default()
    }

    fn step(&mut self, event: Event<'_>) {
        let Event { tag, time, payload, .. } = event;
        match tag {
            CapCreate::TAG => self.create(CapCreate::read(payload).cap, time),
            CapDelete::TAG => {
                let cap = CapDelete::read(payload).cap;
                self.enable(cap, time);
                if let Some(life) = self.life(cap) {
                    life.deleted = Moment::at(time);
                }
            }
            CapDisable::TAG => {
                if let Some(life) = self.life(CapDisable::read(payload).cap) {
                    life.disable(time);
                }
            }
            CapEnable::TAG => self.enable(CapEnable::read(payload).cap, time),
            _ => {}
        }
    }

    fn end_stream(&mut self, last: Nanos) {
        Self::end_stream(self, last);
    }

    fn bytes_held(&self) -> usize {
        let lives = sorted::bytes_held(&self.by_cap);
        let stretches: usize = self.by_cap.values().map(|life| life.disabled.capacity()).sum();
        lives + stretches * size_of::<(Nanos, Nanos)>()
    }

    fn remarks(&self) -> Vec<DiagnosticKind> {
        self.is_capped().then_some(DiagnosticKind::TooOftenDisabled).into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    /// Plays events of one capability, drawn in characters, 10 ns each: `c` creates it, `d` deletes it, `-` disables it, `+`
    /// enables it, `|` ends a stream of the file. Draws when it was disabled.
    fn play(events: &str) -> (CapLives, String) {
        let mut lives = CapLives::default();
        for (at, letter) in events.bytes().enumerate() {
            let time = Nanos(at as u64 * 10);
            let tag = match letter {
                b'c' => CapCreate::TAG,
                b'd' => CapDelete::TAG,
                b'-' => CapDisable::TAG,
                b'+' => CapEnable::TAG,
                b'|' => {
                    lives.end_stream(time);
                    continue;
                }
                _ => continue,
            };
            lives.step(Event::of(tag, time, &[0, 2]));
        }
        let mut drawn = alloc::vec!['.'; events.len()];
        for (from, to) in lives.of(CapNo(2)).into_iter().flat_map(CapLife::disabled) {
            let to = to.min(Nanos(events.len() as u64 * 10));
            drawn[(from.0 / 10) as usize..(to.0 / 10) as usize].fill('/');
        }
        (lives, drawn.into_iter().collect())
    }

    #[test]
    fn a_capability_is_disabled_until_it_is_enabled_or_deleted() {
        let events = "c  -   +  -  d ";
        let drawn_ = "...////...///..";
        let (lives, drawn) = play(events);
        assert_eq!(drawn, drawn_);
        let life = lives.of(CapNo(2)).unwrap();
        assert_eq!((life.created, life.deleted), (Moment::at(Nanos(0)), Moment::at(Nanos(130))));
    }

    #[test]
    fn a_capability_is_not_there_between_its_deletion_and_its_next_creation() {
        assert_eq!(play("c  d   c  ").1, "...////...");
        assert_eq!(play("c -  d c  ").1, "../////...");
        assert_eq!(play("c  d | c  ").1, "..........", "between two streams");
    }

    #[test]
    fn a_stretch_that_is_not_over_continues() {
        assert_eq!(play("c  -   ").1, "...////");
        // The log began late: it is not known since when it was disabled.
        assert_eq!(play("   +   ").1, ".......");
    }

    #[test]
    fn repeated_events_count_once() {
        assert_eq!(play("c - - + + - - ").1, "..////....////");
    }

    #[test]
    fn what_happens_between_two_streams_is_not_known() {
        assert_eq!(play("c  -  |   +  ").1, "...///.......");
        assert_eq!(play("c  -  | c   -").1, "...///....../");
    }

    #[test]
    fn times_that_go_back_make_no_overlap() {
        let mut lives = CapLives::default();
        for (tag, time) in [
            (CapDisable::TAG, 50),
            (CapEnable::TAG, 90),
            (CapDisable::TAG, 20),
            (CapEnable::TAG, 95),
            (CapEnable::TAG, 5),
        ] {
            lives.step(Event::of(tag, Nanos(time), &[0, 2]));
        }
        let stretches: Vec<_> = lives.of(CapNo(2)).unwrap().disabled().map(|(from, to)| (from.0, to.0)).collect();
        assert_eq!(stretches, [(50, 90), (90, 95)]);
    }

    #[test]
    fn a_capability_that_is_created_again_counts_once_in_a_stream() {
        let mut lives = CapLives::default();
        let mut create =
            |caps: &[u8]| caps.iter().for_each(|cap| lives.step(Event::of(CapCreate::TAG, Nanos(1), &[0, *cap])));
        create(&[0, 1, 1]);
        lives.end_stream(Nanos(9));
        assert_eq!(lives.created(), 2);
        let mut create =
            |caps: &[u8]| caps.iter().for_each(|cap| lives.step(Event::of(CapCreate::TAG, Nanos(1), &[0, *cap])));
        create(&[0, 1, 2]);
        lives.end_stream(Nanos(19));
        assert_eq!(lives.created(), 3);
        lives.step(Event::of(CapCreate::TAG, Nanos(20), &[0, 0]));
        assert_eq!(lives.created(), 3);
    }

    #[test]
    fn capabilities_are_bounded_and_report_it() {
        let mut lives = CapLives::default();
        for at in 0..=limits::MAX_DISABLED as u64 {
            lives.step(Event::of(CapDisable::TAG, Nanos(at * 2), &[0, 1]));
            assert!(!lives.is_capped());
            lives.step(Event::of(CapEnable::TAG, Nanos(at * 2 + 1), &[0, 1]));
        }
        assert_eq!((lives.stretches, lives.is_capped()), (limits::MAX_DISABLED / 2, true));
        // The longest come last, and stay.
        for at in 0..1000 {
            lives.step(Event::of(CapDisable::TAG, Nanos(1_000_000 + at * 100), &[0, 1]));
            lives.step(Event::of(CapEnable::TAG, Nanos(1_000_090 + at * 100), &[0, 1]));
        }
        (0..3 * limits::MAX_DISABLED as u64).for_each(|at| {
            lives.step(Event::of(CapDisable::TAG, Nanos(2_000_000 + at * 2), &[0, 1]));
            lives.step(Event::of(CapEnable::TAG, Nanos(2_000_001 + at * 2), &[0, 1]));
        });
        let stretches = lives.of(CapNo(1)).unwrap().disabled();
        assert_eq!(stretches.filter(|(from, to)| to.since(*from) == Nanos(90)).count(), 1000);
        assert!(lives.stretches <= limits::MAX_DISABLED);
        let mut many = CapLives::default();
        (0..=limits::MAX_CAPS as u16)
            .for_each(|cap| many.step(Event::of(CapCreate::TAG, Nanos(1), &cap.to_be_bytes())));
        assert_eq!((many.by_cap.len(), many.created()), (limits::MAX_CAPS, limits::MAX_CAPS));
    }
}
