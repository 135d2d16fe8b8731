//! Look-ups for JavaScript: what a pixel shows, which span comes next, who woke up a thread, why a capability was idle.

use crate::{
    Arrangement, Log, convert::track_id, describe::Arranged, findings, found::PlaceInfo, jobs::Running, object,
};
use ghc_eventlog_model::Direction;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Log {
    /// Begins to look up what a pixel shows of a track, or of one of its bands. Returns the number of a
    /// [job](Log::job), whose answer is [`Log::found`].
    pub fn look_up(&mut self, arrangement: &mut Arrangement, track: f64, from: f64, to: f64, band: Option<u32>) -> u32 {
        // The pixel's range, extended to whole nanoseconds.
        let (from, to) = (self.clock.nanos(from.floor()), self.clock.nanos(to.ceil()));
        let search = self.model.look_up_part(arrangement.of(self), track_id(track), from, to, band);
        self.jobs.begin(Running::LookUp(track, Box::new(search)))
    }

    /// Begins to look up the next span that begins after a time, or before it. As [`Log::look_up`].
    pub fn neighbour(&mut self, arrangement: &mut Arrangement, track: f64, time: f64, next: bool) -> u32 {
        let direction = if next { Direction::Next } else { Direction::Previous };
        let search = self.model.neighbour(arrangement.of(self), track_id(track), self.clock.nanos(time), direction);
        self.jobs.begin(Running::LookUp(track, Box::new(search)))
    }

    /// Begins to look up a wake-up: with `back`, which thread woke this one for the span at `time`; otherwise, which
    /// thread this one woke next. As [`Log::look_up`], but the answer is on another track.
    pub fn woken(&mut self, arrangement: &mut Arrangement, track: f64, time: f64, back: bool) -> u32 {
        let direction = if back { Direction::Previous } else { Direction::Next };
        let search = self.model.woken(arrangement.of(self), track_id(track), self.clock.nanos(time), direction);
        self.jobs.begin(Running::LookUp(track, Box::new(search)))
    }

    /// The answer of a look-up's job: a `Place`. This ends the job. `undefined` if the job is not done.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn found(&mut self, job: u32) -> Result<JsValue, JsValue> {
        let Some(Running::LookUp(track, search)) = self.jobs.end(job) else { return Ok(JsValue::UNDEFINED) };
        // The answer to a look-up of a wake-up is on another track.
        let track = search.track().map_or(track, |track| track.number() as f64);
        let arranged = Arranged { model: &self.model, by: search.arrangement(), clock: self.clock };
        let place = self.model.found(&search);
        object(&place.map(|place| PlaceInfo::of(arranged, track, place, search.moment())))
    }

    /// Begins to find out why the capability of a track was idle from one time to another. Returns the number of a
    /// [job](Log::job); when that is done, call [`Log::idle_reasons`]. `undefined` before the replay is done, and if that
    /// takes too much of the file.
    pub fn why_idle(&mut self, track: f64, from: f64, to: f64) -> Option<u32> {
        let why = self.model.why_idle(track_id(track), self.clock.nanos(from), self.clock.nanos(to))?;
        Some(self.jobs.begin(Running::WhyIdle(Box::new(why))))
    }

    /// The reasons that a job has found: an array of `IdleReason`, the longest first. This ends the job. `undefined` if the
    /// job is not done.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn idle_reasons(&mut self, job: u32) -> Result<JsValue, JsValue> {
        let Some(Running::WhyIdle(why)) = self.jobs.end(job) else { return Ok(JsValue::UNDEFINED) };
        object(&self.model.idle_reasons(&why).map(|reasons| findings::idle_reasons(&self.model, &reasons)))
    }
}
