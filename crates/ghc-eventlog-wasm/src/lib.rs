//! The binding: the model behind one handle, for the page's worker.
//!
//! Bulk data crosses as owned typed arrays, small descriptions as plain objects. Times are nanoseconds since a moment
//! near the start of the log, as `f64`: exact for 104 days. This is the only crate that names a JS type.

mod convert;
mod describe;
mod facts;
mod jobs;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod wire;

use convert::{Clock, flame_object, flame_view, track_id, unknown, window_object};
use describe::{JobInfo, LookInfo, Notice, PlanInfo, ProcessInfo, Status, TrackInfo, TreeInfo};
use facts::{FactsInfo, PageInfo};
use ghc_eventlog_model::{
    BandOrder, Direction, Facts, FlameProfile, FlameQuery, Listing, Model, Needs, Plan, Presence, Range, ShownBands,
    SpanRows, SpanWords, TableOrder, TablePage, TableQuery, ThreadOrder, ThreadRows, View, Within,
};
use jobs::{Jobs, Running};
use js_sys::Object;
use wasm_bindgen::prelude::*;

/// Lets panics be seen in the console. There should be none.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

/// One log.
#[wasm_bindgen]
pub struct Log {
    model: Model,
    clock: Clock,
    /// The last plan: the tracks of one window share it. None when the model has changed since.
    planned: Option<Plan>,
    /// The bands that windows show.
    bands: ShownBands,
    /// Whether tracks of threads are shown.
    threads: bool,
    jobs: Jobs,
    /// The range [taken](Log::take_range) last: facts and tables can be asked for of it.
    range: Option<Range>,
    /// The rows of the table that was asked for last, in order, and whether they are those of the range. None when the model has
    /// changed since, or the range.
    ordered: Option<(bool, TableOrder)>,
}

/// Most tracks that are described at a time: a screen has room for fewer.
const MOST_TRACKS: usize = 256;

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
            bands: ShownBands::default(),
            threads: false,
            jobs: Jobs::default(),
            range: None,
            ordered: None,
        }
    }

    /// Takes the log's next bytes.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.planned = None;
        self.ordered = None;
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
        self.planned = None;
        self.ordered = None;
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

    /// Some tracks of a group, `from` a place on: an array of `TrackInfo`. No more than 256 at a time.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn tracks_of(&self, group: &str, from: usize, count: usize) -> Result<JsValue, JsValue> {
        let tracks = self.model.tracks_of(group, from, count.min(MOST_TRACKS));
        object(&tracks.iter().map(|track| TrackInfo::of(&self.model, track, self.clock)).collect::<Vec<_>>())
    }

    /// What the log says of its process: a `ProcessInfo`.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn process(&self) -> Result<JsValue, JsValue> {
        object(&ProcessInfo::of(self.model.process(), self.clock))
    }

    /// All that is said in figures and tables: a `Facts`. Of the whole log, or of the range [taken](Log::take_range) last; empty if
    /// there is none.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn facts(&self, range: bool) -> Result<JsValue, JsValue> {
        let facts = match (&self.range, range) {
            (_, false) => self.model.facts(None),
            (Some(range), true) => self.model.facts(Some(range)),
            (None, true) => Facts::default(),
        };
        with_nulls(&FactsInfo::of(&facts, self.clock))
    }

    /// The same as Markdown, with no more than `top` rows of each table; null if the range is asked for and there is none.
    #[must_use]
    #[wasm_bindgen(unchecked_return_type = "string | null")]
    pub fn markdown(&self, range: bool, top: usize) -> JsValue {
        match (&self.range, range) {
            (_, false) => self.model.markdown(None, top).into(),
            (Some(range), true) => self.model.markdown(Some(range), top).into(),
            (None, true) => JsValue::NULL,
        }
    }

    /// Some rows of a table, of the whole log or of the range taken last: a `TablePage`. `sort` is a column's
    /// key, or empty for the table's own order; `down` has the largest first; `filter` is a text that the rows show; what they have
    /// in `column` is no less than `least` and below `below`, unless `column` is empty.
    ///
    /// # Errors
    /// See [`Log::status`].
    #[allow(clippy::too_many_arguments, reason = "scalars are what crosses for nothing")]
    pub fn table(
        &mut self,
        table: &str,
        range: bool,
        sort: &str,
        down: bool,
        filter: &str,
        column: &str,
        least: f64,
        below: f64,
        from: usize,
        count: usize,
    ) -> Result<JsValue, JsValue> {
        let (least, below) = (least as u64, below as u64);
        let within = Within { column: column.into(), from: least, to: below };
        let within = Some(within).filter(|within| !within.column.is_empty());
        let query = TableQuery { table: table.into(), sort: sort.into(), down, filter: filter.into(), within };
        let Self { model, range: summed, ordered, clock, .. } = self;
        let summed = summed.as_ref().filter(|_| range);
        if range && summed.is_none() {
            return with_nulls(&PageInfo::of(TablePage { table: query.table, from, ..TablePage::default() }, *clock));
        }
        if ordered.as_ref().is_some_and(|(of_range, order)| *of_range != range || *order.query() != query) {
            *ordered = None;
        }
        let (_, order) = ordered.get_or_insert_with(|| (range, model.order(query, summed)));
        with_nulls(&PageInfo::of(model.page(order, summed, from, count), *clock))
    }

    /// Whether no rows of a table are kept: then they are [read](Log::read_rows) from the log again.
    #[must_use]
    pub fn reads_rows(&self, table: &str) -> bool {
        Listing::has(table)
    }

    /// Begins to read rows of a table of which [none are kept](Log::reads_rows): the number of a [job](Log::job), whose answer
    /// [`Log::rows_read`] is; `undefined` for any other [table](Log::table), and of a range if there is none. Of all of the log, or of the
    /// range taken last. `filter` is some keys of the listing's choices, with commas between them.
    pub fn read_rows(&mut self, table: &str, range: bool, filter: &str, from: usize, count: usize) -> Option<u32> {
        let of_range = |range: &Range| {
            let (from, to) = range.times();
            Within { column: "time_ns".into(), from: from.0, to: to.0 }
        };
        let within = if range { Some(of_range(self.range.as_ref()?)) } else { None };
        let query = TableQuery { table: table.into(), filter: filter.into(), within, ..TableQuery::default() };
        let rows = self.model.read_rows(&query, from, count)?;
        Some(self.jobs.begin(Running::Rows(Box::new(rows))))
    }

    /// The rows that a job has read, a `TablePage`, which ends the job; `undefined` if it has not come to that.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn rows_read(&mut self, job: u32) -> Result<JsValue, JsValue> {
        let Some(Running::Rows(rows)) = self.jobs.end(job) else { return Ok(JsValue::UNDEFINED) };
        match rows.page() {
            Some(page) => with_nulls(&PageInfo::of(page.clone(), self.clock)),
            None => Ok(JsValue::UNDEFINED),
        }
    }

    /// The flame graph of a section, by its key, of the whole log or of the range taken last: an object of typed arrays. `view` is how it
    /// is put together, by its place in the page's list, `frame` whose callers or callees it shows; from which sample, or byte, to before
    /// which, all if that is none; `search` is what is looked for in its names, `width` is in pixels. `undefined` if the section has none,
    /// or the range is asked for and there is none.
    ///
    /// # Errors
    /// When there is no such view; and see [`Log::status`].
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
        let of = self.range.as_ref().filter(|_| range);
        let Some(profile) = FlameProfile::of_section(section).filter(|_| of.is_some() == range) else {
            return Ok(None);
        };
        let query = FlameQuery { profile, view: flame_view(view, frame)?, within, search: search.into(), width };
        flame_object(&self.model.flame(of, &query)).map(Some)
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

    /// Takes bytes of the file that a plan asked for; `offset` counts from the start of the file. Whether they are what was
    /// fed: if not, the file has changed.
    pub fn supply(&mut self, offset: f64, bytes: &[u8]) -> bool {
        self.planned = None;
        self.model.supply(offset as u64, bytes).is_ok()
    }

    /// Which bands of a heap profile [windows](Log::window) show from now on: so many of them, the first by `order`: a
    /// column of the table of bands, by its key.
    ///
    /// # Errors
    /// When they are not sorted by that.
    pub fn show_bands(&mut self, order: &str, count: usize) -> Result<(), JsValue> {
        let order = match order {
            "integral_byte_ns" => BandOrder::Integral,
            "max_bytes" => BandOrder::Maximum,
            "last_bytes" => BandOrder::Last,
            "growth_bytes_per_s" => BandOrder::Slope,
            "name" => BandOrder::Name,
            _ => return Err(unknown("order of bands", order)),
        };
        let bands = ShownBands { order, count };
        if core::mem::replace(&mut self.bands, bands) != bands {
            self.planned = None;
        }
        Ok(())
    }

    /// Which tracks [plans](Log::plan) are for from now on, by their numbers: those of threads need more to be read. Whether any of them
    /// has nothing to show before the log has been [gone through once more](Log::replay).
    pub fn show_tracks(&mut self, tracks: &[f64]) -> bool {
        let needs: Vec<Needs> = tracks.iter().map(|track| track_id(*track).needs()).collect();
        let threads = needs.iter().any(|needs| needs.thread_states);
        if core::mem::replace(&mut self.threads, threads) != threads {
            self.planned = None;
        }
        needs.iter().any(|needs| needs.replay) && self.model.replayed_until().is_none()
    }

    /// Which rows the user's spans have from now on: of labels, or of threads; which words begin and end them, unless those are none; and
    /// of which label there is a histogram, none if it is empty. Whether other words are looked for than before, and the log must be
    /// [gone through](Log::replay) for that, even if it has been.
    pub fn arrange_spans(&mut self, by_thread: bool, label: &str, begin: &str, end: &str) -> bool {
        let Self { model, planned, ordered, .. } = self;
        (*planned, *ordered) = (None, None);
        model.arrange_spans(if by_thread { SpanRows::ByThread } else { SpanRows::ByLabel });
        model.choose_spans(Some(label).filter(|label| !label.is_empty()));
        SpanWords::new(begin, end).is_some_and(|words| model.name_spans(words))
    }

    /// Which rows threads have from now on, and in which order, once the log has been [gone through](Log::replay). `order` is "first",
    /// "running", "blocked", "lifetime" or "label"; `text` what their names have in them; `state` the number of one that they were in, or
    /// none; `presence` "any", "alive" or "ran", in the range taken last if `range`; `unfolded` the tracks of labels whose threads have
    /// rows, too.
    ///
    /// # Errors
    /// When `order` or `presence` is none of those.
    #[allow(clippy::too_many_arguments, reason = "scalars are what crosses for nothing")]
    pub fn arrange_threads(
        &mut self,
        order: &str,
        text: &str,
        state: Option<usize>,
        presence: &str,
        range: bool,
        by_label: bool,
        unfolded: &[f64],
    ) -> Result<(), JsValue> {
        let order = match order {
            "first" => ThreadOrder::First,
            "running" => ThreadOrder::Running,
            "blocked" => ThreadOrder::Blocked,
            "lifetime" => ThreadOrder::Lifetime,
            "label" => ThreadOrder::Label,
            _ => return Err(unknown("order of threads", order)),
        };
        let presence = match presence {
            "any" => Presence::Any,
            "alive" => Presence::Alive,
            "ran" => Presence::Ran,
            _ => return Err(unknown("presence of threads", presence)),
        };
        let unfolded = unfolded.iter().map(|track| track_id(*track)).collect();
        let rows = ThreadRows { order, text: text.into(), state, presence, by_label, unfolded };
        self.model.arrange_threads(rows, self.range.as_ref().filter(|_| range));
        self.planned = None;
        Ok(())
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

    /// Begins to look up what is drawn of a track in a pixel, or of one of its bands there: the number of a [job](Log::job), whose
    /// answer [`Log::found`] is.
    pub fn look_up(&mut self, track: f64, from: f64, to: f64, band: Option<u32>) -> u32 {
        // The whole nanoseconds in which the pixel lies.
        let (from, to) = (self.clock.nanos(from.floor()), self.clock.nanos(to.ceil()));
        let search = self.model.look_up_part(track_id(track), from, to, band);
        self.jobs.begin(Running::Search(track, Box::new(search)))
    }

    /// Begins to look up the span that begins next after a time, or before it; as [`Log::look_up`].
    pub fn neighbour(&mut self, track: f64, time: f64, next: bool) -> u32 {
        let direction = if next { Direction::Next } else { Direction::Previous };
        let search = self.model.neighbour(track_id(track), self.clock.nanos(time), direction);
        self.jobs.begin(Running::Search(track, Box::new(search)))
    }

    /// Begins to look up who woke a thread up for what it does at a time, if `back`; or whom it woke up from then on. As
    /// [`Log::look_up`], but what is found is on another track.
    pub fn woken(&mut self, track: f64, time: f64, back: bool) -> u32 {
        let direction = if back { Direction::Previous } else { Direction::Next };
        let search = self.model.woken(track_id(track), self.clock.nanos(time), direction);
        self.jobs.begin(Running::Search(track, Box::new(search)))
    }

    /// Begins to sum up a range of time: the number of a [job](Log::job), which is then [taken](Log::take_range); `undefined`
    /// if more may come of that time.
    pub fn range(&mut self, from: f64, to: f64) -> Option<u32> {
        let range = self.model.range(self.clock.nanos(from), self.clock.nanos(to))?;
        Some(self.jobs.begin(Running::Range(Box::new(range))))
    }

    /// Begins to go through the log once more, in order of time, for all that crosses capabilities: what threads did, and why. The
    /// number of a [job](Log::job), what has come of which is told by facts, tables and tracks at any time; it ends when it is
    /// [dropped](Log::drop_job). `undefined` as long as the log has not been read, and where there is nothing to be found that way.
    pub fn replay(&mut self) -> Option<u32> {
        self.planned = None;
        self.ordered = None;
        let replay = self.model.replay()?;
        Some(self.jobs.begin(Running::Replay(Box::new(replay))))
    }

    /// What a job wants to be read, and how far it is: a `JobInfo`. What it wants is to be [given](Log::give) to it,
    /// piece by piece, until it wants nothing more. A job that is not there wants nothing.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn job(&mut self, job: u32) -> Result<JsValue, JsValue> {
        let (reads, progress) = self.jobs.wants(job, &self.model);
        object(&JobInfo { reads, done: progress.done as f64, of: progress.of as f64 })
    }

    /// Gives a job bytes of the file that it wanted; `offset` counts from the start of the file. Whether they are what was
    /// fed: if not, the file has changed, and the job cannot be done.
    pub fn give(&mut self, job: u32, offset: f64, bytes: &[u8]) -> bool {
        (self.planned, self.ordered) = (None, None);
        self.jobs.give(job, &mut self.model, offset as u64, bytes).is_ok()
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
        // Along wake-ups it is another track than was asked about.
        let track = search.track().map_or(track, |track| track.number() as f64);
        object(
            &self
                .model
                .found(&search)
                .map(|place| describe::PlaceInfo::of(&self.model, track, place, search.moment(), self.clock)),
        )
    }

    /// Takes the range that a job has summed up: from now on [facts](Log::facts) and [tables](Log::table) can be asked for of it.
    /// Whether there is one, of which nothing is missing.
    pub fn take_range(&mut self, job: u32) -> bool {
        let range = match self.jobs.get(job) {
            Some(Running::Range(range)) if range.is_gathered() => Some((**range).clone()),
            _ => None,
        };
        (self.range, self.ordered) = (range, None);
        self.range.is_some()
    }

    fn planned(&mut self, view: View) -> &Plan {
        let Self { model, planned, bands, threads, .. } = self;
        if planned.as_ref().is_some_and(|plan| plan.view != view) {
            *planned = None;
        }
        planned.get_or_insert_with(|| {
            let mut plan = model.plan_with(view, *threads);
            plan.bands = *bands;
            plan
        })
    }

    fn view(&self, from: f64, to: f64, width: u32) -> View {
        View { from: self.clock.nanos(from), to: self.clock.nanos(to), width: width.clamp(1, 1 << 14) as usize }
    }
}

fn object(value: &impl serde::Serialize) -> Result<JsValue, JsValue> {
    Ok(serde_wasm_bindgen::to_value(value)?)
}

/// As [`object`], with null for what is missing in a list.
fn with_nulls(value: &impl serde::Serialize) -> Result<JsValue, JsValue> {
    Ok(value.serialize(&serde_wasm_bindgen::Serializer::new().serialize_missing_as_null(true))?)
}
