//! The binding: a handle to the model, for the page's worker.
//!
//! Bulk data crosses to JavaScript as owned typed arrays, small descriptions as plain objects. Times are nanoseconds
//! since a moment near the start of the log, as `f64`, which is exact for 104 days. Only this crate and the two other
//! `-wasm` crates name JavaScript types.

mod arrangement;
mod calls;
mod convert;
mod describe;
mod events;
mod facts;
mod findings;
mod found;
mod jobs;
mod look_ups;
mod painter;
mod requests;
mod search;
mod strip;
mod windows;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod wire;

pub use arrangement::Arrangement;
use convert::{Clock, flame_object, flame_view, track_id};
use describe::{Arranged, JobInfo, LookInfo, Notice, ProcessInfo, Status, TrackInfo, TreeInfo};
use found::SlotInfo;
use ghc_eventlog_model::{FlameQuery, Model, OtherLog, Range, SpanWords, TableOrder};
use jobs::{Jobs, Running};
use js_sys::Object;
pub use painter::Painter;
use wasm_bindgen::prelude::*;

/// Shows panics in the console. There should be none.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = loadRest)]
    fn load_rest_by_script();
}

/// Loads the rest of this module, where the page's build has split it (crates/xtask/src/page/split.rs). The first
/// module calls this when it needs a function of the rest before that has been loaded.
#[wasm_bindgen]
pub fn load_rest() {
    load_rest_by_script();
}

/// One log.
#[wasm_bindgen]
pub struct Log {
    model: Model,
    clock: Clock,
    jobs: Jobs,
    /// The range [taken](Log::take_range) last, for facts and tables.
    range: Option<Range>,
    /// How many ranges have been taken.
    ranges: u64,
    /// The sorted rows of the tables that were asked for last, with what they were made from; the newest last.
    ordered: Vec<(Ordered, TableOrder)>,
    /// Another log of the same program, while it is read for names.
    other: Option<OtherLog>,
}

/// What the order of a table was made from: the revision of the log, and the number of the range, or `None` for the
/// whole log.
type Ordered = (u64, Option<u64>);

/// The most tracks that are described at a time. A screen has room for fewer.
const MOST_TRACKS: usize = 256;

#[wasm_bindgen]
impl Log {
    /// A log before anything is read, of `bytes` bytes if that is known. Then call [`Self::feed`] with its bytes in
    /// order, and [`Self::finish`].
    #[must_use]
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: Option<f64>) -> Self {
        Self {
            model: Model::of_size(bytes.map(|bytes| bytes as u64)),
            clock: Clock::default(),
            jobs: Jobs::default(),
            range: None,
            ranges: 0,
            ordered: Vec::new(),
            other: None,
        }
    }

    /// Takes the next bytes of another log of the same program, for names of info tables that this one lacks. This one
    /// must have been read.
    pub fn feed_names(&mut self, bytes: &[u8]) {
        let Self { model, other, .. } = self;
        other.get_or_insert_with(|| model.other_log()).feed(bytes);
    }

    /// Forgets what has been read of another log: it is read no further, or another one is read instead.
    pub fn forget_names(&mut self) {
        self.other = None;
    }

    /// The other log is over: takes its names, if it is of the same program. Returns a sentence about that.
    pub fn take_names(&mut self) -> String {
        let other = self.other.take().unwrap_or_else(|| self.model.other_log());
        let sentence = match self.model.take_names(&other) {
            Ok(found) => found.sentence(),
            Err(refused) => refused.sentence(),
        };
        sentence.for_page()
    }

    /// Takes the log's next bytes.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.model.feed(bytes);
        self.clock.start(&self.model);
    }

    /// For a file of `bytes` bytes, the parts that the preview should [look](Log::look) at first: an array of `Look`.
    /// `undefined` while too little of the log is read to choose them.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn looks(&mut self, bytes: f64) -> Result<JsValue, JsValue> {
        let looks = self.model.looks(bytes as u64);
        object(&looks.map(|looks| looks.into_iter().map(LookInfo::from).collect::<Vec<_>>()))
    }

    /// Takes the bytes of such a part, which begins at `offset` in the file. Returns whether they were enough to see
    /// anything.
    pub fn look(&mut self, offset: f64, bytes: &[u8]) -> bool {
        self.model.look(offset as u64, bytes)
    }

    /// Ends the reading: the log has ended or, if `stopped`, the user does not want to read further.
    pub fn finish(&mut self, stopped: bool) {
        if stopped {
            self.model.stop()
        } else {
            self.model.finish()
        }
        self.clock.start(&self.model);
    }

    /// How far the log is read: a `Status`.
    ///
    /// # Errors
    /// When JavaScript is out of memory. This holds for the other functions, too.
    pub fn status(&self) -> Result<JsValue, JsValue> {
        object(&Status::of(&self.model, self.clock))
    }

    /// The groups of tracks so far: a `TreeInfo`.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn tree(&self, arrangement: &mut Arrangement) -> Result<JsValue, JsValue> {
        object(&TreeInfo::of(self.arranged(arrangement)))
    }

    /// Some tracks of a group, from the index `from` on: an array of at most 256 `TrackInfo`.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn tracks_of(
        &self,
        arrangement: &mut Arrangement,
        group: &str,
        from: usize,
        count: usize,
    ) -> Result<JsValue, JsValue> {
        let arranged = self.arranged(arrangement);
        let tracks = self.model.tracks_of(arranged.by, group, from, count.min(MOST_TRACKS));
        object(&tracks.iter().map(|track| TrackInfo::of(arranged, track)).collect::<Vec<_>>())
    }

    /// The place of a track in its group: a `TrackSlot`.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn slot_of(&self, arrangement: &mut Arrangement, track: f64) -> Result<JsValue, JsValue> {
        object(&SlotInfo::of(self.arranged(arrangement), track_id(track)))
    }

    /// The places of a group's tracks that have a text in their names, in upper or lower case: for each run of places, its
    /// first one and how many there are; at most `most` runs.
    pub fn rows_named(&self, arrangement: &mut Arrangement, group: &str, text: &str, most: usize) -> Vec<u32> {
        let runs = self.model.rows_named(arrangement.of(self), group, text, most);
        runs.iter().flat_map(|run| [run.start as u32, run.len() as u32]).collect()
    }

    /// What the log says about its process: a `ProcessInfo`.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn process(&self) -> Result<JsValue, JsValue> {
        object(&ProcessInfo::of(self.model.process(), self.clock))
    }

    /// The flame graph of the section with this key, for the whole log or for the range taken last: an object of typed
    /// arrays. `view` is an index in the page's list of views, `frame` the frame whose callers or callees it shows. It
    /// shows the samples (or bytes) from `from` to before `to`, or all if that range is empty. `search` is searched for
    /// in its names; `width` is in pixels. `undefined` if the section has no flame graph, or there is no such range.
    ///
    /// # Errors
    /// When there is no such view. Also see [`Log::status`].
    #[allow(clippy::too_many_arguments, reason = "scalars are what crosses for nothing")]
    pub fn flame(
        &self,
        section: &str,
        range: bool,
        view: u32,
        frame: u32,
        from: f64,
        to: f64,
        search: &str,
        width: u32,
    ) -> Result<Option<Object>, JsValue> {
        let within = Some((from as u64, to as u64)).filter(|(from, to)| from < to);
        let Some((profile, of)) = self.profile_of(section, range) else { return Ok(None) };
        let query = FlameQuery { profile, view: flame_view(view, frame)?, within, search: search.into(), width };
        flame_object(&self.model.flame(of, &query)).map(Some)
    }

    /// What the user should know about the log: an array of `Notice`.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn notices(&self) -> Result<JsValue, JsValue> {
        object(&Notice::all(&self.model, self.clock))
    }

    /// Sets the words that begin and end the program's own spans, besides those that are known: pairs, as in `BEGIN,END`;
    /// empty for none. Returns whether they changed, so that another [replay](Log::replay) is needed.
    pub fn name_spans(&mut self, words: &str) -> bool {
        self.model.name_spans(SpanWords::parse(words).unwrap_or_default())
    }

    /// Begins to sum up a range of time. Returns the number of a [job](Log::job); when that is done, call
    /// [`Log::take_range`]. `undefined` if more of that time may still be read.
    pub fn range(&mut self, from: f64, to: f64) -> Option<u32> {
        let range = self.model.range(self.clock.nanos(from), self.clock.nanos(to))?;
        Some(self.jobs.begin(Running::Range(Box::new(range))))
    }

    /// Whether names are missing that profiles use: see [`Self::late_names`].
    pub fn lacks_names(&self) -> bool {
        self.model.lacks_names()
    }

    /// Begins to read the names of info tables, cost centres and ticky counters that profiles use and that were too many to be kept at
    /// first. Returns the number of a [job](Log::job), or `undefined` if none is missing.
    pub fn late_names(&mut self) -> Option<u32> {
        let names = self.model.late_names()?;
        Some(self.jobs.begin(Running::Names(Box::new(names))))
    }

    /// Begins the replay: reads the log once more, in order of time, for everything that crosses capabilities: what
    /// threads did, and why. Returns the number of a [job](Log::job). Facts, tables and tracks include its results at
    /// any time; it ends when it is [dropped](Log::drop_job). `undefined` before the log is read, and if the log has
    /// nothing for it to find.
    pub fn replay(&mut self) -> Option<u32> {
        let replay = self.model.replay()?;
        Some(self.jobs.begin(Running::Replay(Box::new(replay))))
    }

    /// What a job needs to read, and how far it is: a `JobInfo`. [Give](Log::give) it the bytes that it asks for, piece
    /// by piece, until it asks for nothing more: then it is done, or has given up. A job that was dropped has given up.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn job(&mut self, job: u32) -> Result<JsValue, JsValue> {
        object(&JobInfo::of(self.jobs.wants(job, &mut self.model)))
    }

    /// Passes bytes of the file, from `offset` on, to the job that needs them. Returns whether they equal what was fed;
    /// if not, the file has changed, and the job cannot be done.
    pub fn give(&mut self, job: u32, offset: f64, bytes: &[u8]) -> bool {
        self.jobs.give(job, &mut self.model, offset as u64, bytes).is_ok()
    }

    /// Drops a job.
    pub fn drop_job(&mut self, job: u32) {
        self.jobs.end(job);
    }

    /// Takes the range that a job has summed up, and ends the job: from now on it is the range of [facts](Log::facts) and
    /// [tables](Log::table). Returns whether there is such a range, and it is complete; a job that has more to read goes on.
    pub fn take_range(&mut self, job: u32) -> bool {
        let is_whole = matches!(self.jobs.get_mut(job), Some(Running::Range(range)) if range.is_gathered());
        self.range = match is_whole.then(|| self.jobs.end(job)).flatten() {
            Some(Running::Range(range)) => Some(*range),
            _ => None,
        };
        self.ranges += 1;
        self.range.is_some()
    }

    /// The log as its reader has arranged it, to be described.
    fn arranged<'a>(&'a self, arrangement: &'a mut Arrangement) -> Arranged<'a> {
        Arranged { model: &self.model, by: arrangement.of(self), clock: self.clock }
    }
}

fn object(value: &impl serde::Serialize) -> Result<JsValue, JsValue> {
    Ok(serde_wasm_bindgen::to_value(value)?)
}

/// As [`object`], with null for missing elements of a list.
fn with_nulls(value: &impl serde::Serialize) -> Result<JsValue, JsValue> {
    Ok(value.serialize(&serde_wasm_bindgen::Serializer::new().serialize_missing_as_null(true))?)
}
