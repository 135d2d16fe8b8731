//! Pictures of tracks for JavaScript: windows of time, as typed arrays or painted.

use crate::{
    Arrangement, Log, Painter,
    convert::{track_id, unknown, window_object},
    describe::PlanInfo,
    jobs::Running,
    object,
};
use ghc_eventlog_model::{BandOrder, Fill, Needs, ShownBands, State, View, Window};
use js_sys::Object;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Log {
    /// Begins to show some tracks from one time to another, as exactly as `width` pixels can show: a `PlanInfo` with
    /// the number of a [job](Log::job). At any time, [`Log::window`] returns what is known so far. Of a heap profile's
    /// bands it shows the first `count`, sorted by `order`, the key of a column of the table of bands.
    ///
    /// # Errors
    /// When bands cannot be sorted by `order`.
    pub fn plan(
        &mut self,
        from: f64,
        to: f64,
        width: u32,
        tracks: &[f64],
        order: &str,
        count: usize,
    ) -> Result<JsValue, JsValue> {
        let order = match order {
            "integral_byte_ns" => BandOrder::Integral,
            "max_bytes" => BandOrder::Maximum,
            "last_bytes" => BandOrder::Last,
            "growth_bytes_per_s" => BandOrder::Slope,
            "name" => BandOrder::Name,
            _ => return Err(unknown("order of bands", order)),
        };
        let view = self.view(from, to, width);
        let needs = tracks.iter().map(|track| track_id(*track).needs()).fold(Needs::default(), Needs::with);
        let mut plan = self.model.plan_for(view, needs);
        plan.bands = ShownBands { order, count };
        let job = self.jobs.begin(Running::Window(Box::new(plan)));
        object(&PlanInfo { job, from: self.clock.float(view.from), to: self.clock.float(view.to) })
    }

    /// Whether any of these tracks needs the [replay](Log::replay) to show anything.
    #[must_use]
    pub fn needs_replay(&self, tracks: &[f64]) -> bool {
        let needs = tracks.iter().any(|track| track_id(*track).needs().replay);
        needs && self.model.replayed_until().is_none()
    }

    /// What a window shows of a track, as exactly as is known so far: an object of typed arrays. `undefined` if the
    /// window's [job](Log::plan) was dropped.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn window(&mut self, arrangement: &mut Arrangement, job: u32, track: f64) -> Result<Option<Object>, JsValue> {
        self.shown(arrangement, job, track).map(|window| window_object(&window, self.clock)).transpose()
    }

    /// A painter for strips of tracks, one below the other: `bands` bands, each `width` pixels wide and `levels` high.
    ///
    /// # Errors
    /// When the browser has no room for the image.
    pub fn painter(&self, width: u32, bands: u32, levels: u32) -> Result<Painter, JsValue> {
        Painter::of(width, bands, levels)
    }

    /// As [`Log::window`], for a track with states. Its shares are painted as the next band of a [`Painter`] instead of
    /// being returned. `colours` has red, green, blue and alpha for each state.
    ///
    /// # Errors
    /// When the browser has no room for the image. Also see [`Log::status`].
    pub fn paint(
        &mut self,
        arrangement: &mut Arrangement,
        job: u32,
        track: f64,
        painter: &mut Painter,
        colours: &[u8],
    ) -> Result<Option<Object>, JsValue> {
        let Some(mut window) = self.shown(arrangement, job, track) else { return Ok(None) };
        let (colours, _) = colours.as_chunks();
        let track = self.model.track(arrangement.of(self), track_id(track));
        let fills: Vec<Fill> = track.iter().flat_map(|track| track.states).map(State::fill).collect();
        painter.band(&core::mem::take(&mut window.shares), &fills, colours)?;
        window_object(&window, self.clock).map(Some)
    }
}

impl Log {
    /// What a window shows of a track so far; `None` if its job was dropped.
    fn shown(&mut self, arrangement: &mut Arrangement, job: u32, track: f64) -> Option<Window> {
        let arrangement = arrangement.of(self);
        let Some(Running::Window(plan)) = self.jobs.get_mut(job) else { return None };
        plan.renew(&mut self.model);
        Some(self.model.window(arrangement, plan, track_id(track)))
    }

    fn view(&self, from: f64, to: f64, width: u32) -> View {
        View { from: self.clock.nanos(from), to: self.clock.nanos(to), width: width.clamp(1, 1 << 14) as usize }
    }
}
