//! The binding: the model behind one handle, for the page's worker.
//!
//! Bulk data crosses as owned typed arrays, small descriptions as plain objects. Times are nanoseconds since a moment
//! near the start of the log, as `f64`: exact for 104 days. This is the only crate that names a JS type.

mod convert;
mod describe;

use convert::{Clock, track_id, window_object};
use describe::{Answer, Facts, LookInfo, Notice, PlaceInfo, PlanInfo, RangeInfo, Status, TrackInfo, TreeInfo};
use ghc_eventlog_model::{Direction, Model, Plan, Range, Search, View};
use js_sys::Object;
use wasm_bindgen::prelude::*;

/// A small real log, for those who have none at hand: of the corpus's program `Threaded.hs`.
static EXAMPLE: &[u8] = include_bytes!("../../../tests/corpus/threaded/log.eventlog");

/// Lets panics be seen in the console. There should be none.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

/// The bytes of the example log.
#[must_use]
#[wasm_bindgen]
pub fn example() -> Vec<u8> {
    EXAMPLE.to_vec()
}

/// One log.
#[wasm_bindgen]
pub struct Log {
    model: Model,
    clock: Clock,
    /// The last plan: the tracks of one window share it. None when the model has changed since.
    planned: Option<Plan>,
    /// The range that is being summed up.
    range: Option<Range>,
    /// What is being looked up, with its track: one search for each who asks, the newest.
    searches: [Option<(f64, Search)>; ASKERS],
}

/// Most tracks that are described at a time: a screen has room for fewer.
const MOST_TRACKS: usize = 256;

/// Who may look things up at the same time: the pointer, and the selection.
const ASKERS: usize = 2;

#[wasm_bindgen]
impl Log {
    /// A log of which nothing has been read; of so many bytes, if that is known.
    #[must_use]
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: Option<f64>) -> Self {
        Self {
            model: Model::of_size(bytes.map(|bytes| bytes as u64)),
            clock: Clock::default(),
            planned: None,
            range: None,
            searches: [None, None],
        }
    }

    /// Takes the log's next bytes.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.planned = None;
        self.model.feed(bytes);
        self.clock.start(&self.model);
    }

    /// Which parts of the file, of so many bytes, are worth a [look](Log::look) before they are read: an array of `Look`.
    /// `undefined` as long as too little has been read to tell.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn looks(&mut self, bytes: f64) -> Result<JsValue, JsValue> {
        let looks = self.model.looks(bytes as u64);
        object(&looks.map(|looks| looks.into_iter().map(LookInfo::from).collect::<Vec<_>>()))
    }

    /// Takes the bytes of such a part, `offset` counted from the start of the file; whether there were enough of them to
    /// see anything.
    pub fn look(&mut self, offset: f64, bytes: &[u8]) -> bool {
        self.model.look(offset as u64, bytes)
    }

    /// The log is over; or, if `stopped`, shall not be read further.
    pub fn finish(&mut self, stopped: bool) {
        if stopped {
            self.model.stop()
        } else {
            self.model.finish()
        }
        self.clock.start(&self.model);
    }

    /// How far it is read: a `Status`.
    ///
    /// # Errors
    /// When JS is out of memory; likewise below.
    pub fn status(&self) -> Result<JsValue, JsValue> {
        object(&Status::of(&self.model, self.clock))
    }

    /// The groups of tracks there are so far: a `TreeInfo`.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn tree(&self) -> Result<JsValue, JsValue> {
        object(&TreeInfo::of(&self.model, self.clock))
    }

    /// Some tracks of a group, `from` a place on: an array of `TrackInfo`. No more than [`MOST_TRACKS`] at a time.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn tracks_of(&self, group: &str, from: usize, count: usize) -> Result<JsValue, JsValue> {
        let tracks = self.model.tracks_of(group, from, count.min(MOST_TRACKS));
        object(&tracks.iter().map(|track| TrackInfo::of(&self.model, track, self.clock)).collect::<Vec<_>>())
    }

    /// What the log says of its process: a `Facts`.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn facts(&self) -> Result<JsValue, JsValue> {
        object(&Facts::of(self.model.process(), self.clock))
    }

    /// What the log's reader should know: an array of `Notice`.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn notices(&self) -> Result<JsValue, JsValue> {
        object(&Notice::all(self.model.diagnostics(), self.clock))
    }

    /// What must be read before a window can be shown exactly: a `PlanInfo`.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn plan(&mut self, from: f64, to: f64, width: u32) -> Result<JsValue, JsValue> {
        let clock = self.clock;
        let plan = self.planned(self.view(from, to, width));
        let (from, to) = (clock.float(plan.view.from), clock.float(plan.view.to));
        object(&PlanInfo { from, to, exact: plan.exact, reads: plan.reads.clone() })
    }

    /// Takes bytes of the file that a plan or an answer asked for; `offset` counts from the start of the file.
    pub fn supply(&mut self, offset: f64, bytes: &[u8]) {
        self.planned = None;
        self.model.supply(offset as u64, bytes);
    }

    /// What a window shows of a track, as well as can be told without reading: an object of typed arrays.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn window(&mut self, track: f64, from: f64, to: f64, width: u32) -> Result<Object, JsValue> {
        let plan = self.planned(self.view(from, to, width)).clone();
        let window = self.model.window(&plan, track_id(track));
        window_object(&window, self.clock)
    }

    /// Begins to look up what is drawn of a track in a pixel: an `Answer`. If that says what must be read, it is to be
    /// [supplied](Log::supply), and [gone on](Log::go_on) with. `asker` is 0 or 1: each has one search, the newest.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn look_up(&mut self, asker: usize, track: f64, from: f64, to: f64) -> Result<JsValue, JsValue> {
        // The whole nanoseconds in which the pixel lies.
        let (from, to) = (self.clock.nanos(from.floor()), self.clock.nanos(to.ceil()));
        let search = self.model.look_up(track_id(track), from, to);
        self.begin(asker, track, search)
    }

    /// Begins to look up the span that begins next after a time, or before it: an `Answer`, as [`Log::look_up`] gives.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn neighbour(&mut self, asker: usize, track: f64, time: f64, next: bool) -> Result<JsValue, JsValue> {
        let direction = if next { Direction::Next } else { Direction::Previous };
        let search = self.model.neighbour(track_id(track), self.clock.nanos(time), direction);
        self.begin(asker, track, search)
    }

    /// Goes on with what was begun last: an `Answer`.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn go_on(&mut self, asker: usize) -> Result<JsValue, JsValue> {
        if let Some(Some((_, search))) = self.searches.get_mut(asker) {
            self.model.go_on(search);
        }
        self.answer(asker)
    }

    fn begin(&mut self, asker: usize, track: f64, search: Search) -> Result<JsValue, JsValue> {
        if let Some(slot) = self.searches.get_mut(asker) {
            *slot = Some((track, search));
        }
        self.answer(asker)
    }

    fn answer(&self, asker: usize) -> Result<JsValue, JsValue> {
        let Some(Some((track, search))) = self.searches.get(asker) else { return object(&Answer::default()) };
        let place = self.model.found(search).map(|place| PlaceInfo::of(&self.model, *track, place, self.clock));
        object(&Answer { place, read: search.read })
    }

    /// Begins to sum up a range of time; whether there is anything to sum up: not before the whole log has been read.
    pub fn range(&mut self, from: f64, to: f64) -> bool {
        self.range = self.model.range(self.clock.nanos(from), self.clock.nanos(to));
        self.range.is_some()
    }

    /// What must be read for the range: an array of offsets and lengths, empty once its totals are complete. Each is to be
    /// [supplied](Log::supply) and then [gathered](Log::gather).
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn range_reads(&self) -> Result<JsValue, JsValue> {
        object(&self.range.as_ref().map_or(Vec::new(), |range| self.model.range_reads(range)))
    }

    /// Takes what the range needs of what was supplied last.
    pub fn gather(&mut self) {
        if let Some(range) = &mut self.range {
            self.model.gather(range);
        }
    }

    /// What some tracks did in the range: an array of `RangeInfo`; empty as long as anything is missing.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn range_totals(&self, tracks: &[f64]) -> Result<JsValue, JsValue> {
        let totals =
            |range| tracks.iter().filter_map(|track| RangeInfo::of(&self.model, range, track_id(*track))).collect();
        object(&self.range.as_ref().map_or(Vec::new(), totals))
    }

    fn planned(&mut self, view: View) -> &Plan {
        let Self { model, planned, .. } = self;
        if planned.as_ref().is_some_and(|plan| plan.view != view) {
            *planned = None;
        }
        planned.get_or_insert_with(|| model.plan(view))
    }

    fn view(&self, from: f64, to: f64, width: u32) -> View {
        View { from: self.clock.nanos(from), to: self.clock.nanos(to), width: width.clamp(1, 1 << 14) as usize }
    }
}

fn object(value: &impl serde::Serialize) -> Result<JsValue, JsValue> {
    Ok(serde_wasm_bindgen::to_value(value)?)
}
