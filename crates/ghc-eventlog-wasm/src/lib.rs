//! The binding: the model behind one handle, for the page's worker.
//!
//! Bulk data crosses as owned typed arrays, small descriptions as plain objects. Times are nanoseconds since a moment
//! near the start of the log, as `f64`: exact for 104 days. This is the only crate that names a JS type.

mod convert;
mod describe;
mod jobs;

use convert::{Clock, track_id, window_object};
use describe::{Facts, JobInfo, LookInfo, Notice, PlanInfo, RangeInfo, Status, TrackInfo};
use ghc_eventlog_model::{Direction, Model, Plan, Range, Track, View};
use jobs::{Jobs, Running};
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
    jobs: Jobs,
}

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
            jobs: Jobs::default(),
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

    /// The tracks there are so far: an array of `TrackInfo`.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn tracks(&self) -> Result<JsValue, JsValue> {
        let info = |track: &Track| TrackInfo::of(&self.model, track, self.clock);
        object(&self.model.tracks().iter().map(info).collect::<Vec<_>>())
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

    /// Begins to look up what is drawn of a track in a pixel: the number of a [job](Log::job), whose answer
    /// [`Log::found`] is.
    pub fn look_up(&mut self, track: f64, from: f64, to: f64) -> u32 {
        // The whole nanoseconds in which the pixel lies.
        let (from, to) = (self.clock.nanos(from.floor()), self.clock.nanos(to.ceil()));
        let search = self.model.look_up(track_id(track), from, to);
        self.jobs.begin(Running::Search(track, Box::new(search)))
    }

    /// Begins to look up the span that begins next after a time, or before it; as [`Log::look_up`].
    pub fn neighbour(&mut self, track: f64, time: f64, next: bool) -> u32 {
        let direction = if next { Direction::Next } else { Direction::Previous };
        let search = self.model.neighbour(track_id(track), self.clock.nanos(time), direction);
        self.jobs.begin(Running::Search(track, Box::new(search)))
    }

    /// Begins to sum up a range of time: the number of a [job](Log::job), whose answer [`Log::range_totals`] is; `undefined`
    /// before the whole log has been read.
    pub fn range(&mut self, from: f64, to: f64) -> Option<u32> {
        let range = self.model.range(self.clock.nanos(from), self.clock.nanos(to))?;
        Some(self.jobs.begin(Running::Range(range)))
    }

    /// What a job wants to be read, and how far it is: a `JobInfo`. What it wants is to be [supplied](Log::supply) and then
    /// [taken](Log::take), piece by piece, until it wants nothing more. A job that is not there wants nothing.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn job(&mut self, job: u32) -> Result<JsValue, JsValue> {
        let (reads, progress) = self.jobs.wants(job, &self.model);
        object(&JobInfo { reads, done: progress.done as f64, of: progress.of as f64 })
    }

    /// Lets a job take what was supplied last.
    pub fn take(&mut self, job: u32) {
        self.jobs.take(job, &self.model);
    }

    /// Forgets a job.
    pub fn drop_job(&mut self, job: u32) {
        self.jobs.end(job);
    }

    /// What a job has found that looked something up, a `Place`, which ends the job; `undefined` if it has not come to that.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn found(&mut self, job: u32) -> Result<JsValue, JsValue> {
        let Some(Running::Search(track, search)) = self.jobs.end(job) else { return Ok(JsValue::UNDEFINED) };
        object(&self.model.found(&search).map(|place| describe::PlaceInfo::of(track, place, self.clock)))
    }

    /// What the tracks did in the range that a job summed up: an array of `RangeInfo`; empty as long as anything is missing.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn range_totals(&self, job: u32) -> Result<JsValue, JsValue> {
        let totals = |range: &Range| {
            self.model.tracks().iter().filter_map(|track| RangeInfo::of(&self.model, range, track.id)).collect()
        };
        let range = self.jobs.get(job).and_then(|running| match running {
            Running::Range(range) => Some(range),
            Running::Search(..) => None,
        });
        object(&range.map_or(Vec::new(), totals))
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
