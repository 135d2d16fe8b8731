//! The binding: the model behind one handle, for the page's worker.
//!
//! Bulk data crosses as owned typed arrays, small descriptions as plain objects. Times are nanoseconds since a moment
//! near the start of the log, as `f64`: exact for 104 days. This is the only crate that names a JS type.

mod arrangement;
mod convert;
mod describe;
mod facts;
mod found;
mod jobs;
mod painter;
mod strip;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod wire;

pub use arrangement::Arrangement;
use convert::{Clock, flame_object, flame_view, track_id, unknown, window_object};
use describe::{Arranged, JobInfo, LookInfo, Notice, PlanInfo, ProcessInfo, Status, TrackInfo, TreeInfo};
use facts::{FactsInfo, PageInfo};
use found::PlaceInfo;
use ghc_eventlog_model::{
    About, BandOrder, Direction, Facts, Fill, FlameProfile, FlameQuery, Listing, Model, Range, ShownBands, SpanWords,
    State, TableOrder, TablePage, TableQuery, Unit, View, Window, Within,
};
use jobs::{Jobs, Running};
use js_sys::Object;
pub use painter::Painter;
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
    jobs: Jobs,
    /// The range [taken](Log::take_range) last: facts and tables can be asked for of it.
    range: Option<Range>,
    /// How many ranges have been taken.
    ranges: u64,
    /// The rows of the tables that were asked for last, in order, and what they are of; the newest last.
    ordered: Vec<(Ordered, TableOrder)>,
}

/// What the order of a table is of: the revision of the log, and the number of the range; `None` for the whole log.
type Ordered = (u64, Option<u64>);

/// Tables whose order is kept.
const ORDERS: usize = 2;

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
            jobs: Jobs::default(),
            range: None,
            ranges: 0,
            ordered: Vec::new(),
        }
    }

    /// Takes the log's next bytes.
    pub fn feed(&mut self, bytes: &[u8]) {
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
    pub fn tree(&self, arrangement: &mut Arrangement) -> Result<JsValue, JsValue> {
        object(&TreeInfo::of(self.arranged(arrangement)))
    }

    /// Some tracks of a group, `from` a place on: an array of `TrackInfo`. No more than 256 at a time.
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
    pub fn facts(&self, arrangement: &mut Arrangement, range: bool) -> Result<JsValue, JsValue> {
        let arrangement = Some(arrangement.of(self));
        let facts = match (&self.range, range) {
            (None, true) => Facts::default(),
            (of, _) => self.model.facts(About { range: of.as_ref().filter(|_| range), arrangement }),
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
        arrangement: &mut Arrangement,
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
        let is_time = Model::unit_of(table, column) == Some(Unit::Time);
        let bound = |value: f64| if is_time { self.clock.nanos(value).0 } else { value as u64 };
        let within = Within { column: column.into(), from: bound(least), to: bound(below) };
        let within = Some(within).filter(|within| !within.column.is_empty());
        let query = TableQuery { table: table.into(), sort: sort.into(), down, filter: filter.into(), within };
        if range && self.range.is_none() {
            return with_nulls(&PageInfo::of(
                TablePage { table: query.table, from, ..TablePage::default() },
                self.clock,
            ));
        }
        let arrangement = Some(arrangement.of(self));
        let Self { model, range: taken, ordered, clock, .. } = self;
        let about = About { range: taken.as_ref().filter(|_| range), arrangement };
        let of = (model.revision(), range.then_some(self.ranges));
        // The panel and the timeline ask in turns, of different tables.
        ordered.retain(|(was, _)| *was == of);
        let place = ordered.iter().position(|(_, order)| *order.query() == query);
        let newest = place.map_or_else(|| (of, model.order(query, about)), |place| ordered.remove(place));
        let page = PageInfo::of(model.page(&newest.1, about, from, count), *clock);
        ordered.push(newest);
        ordered.drain(..ordered.len().saturating_sub(ORDERS));
        with_nulls(&page)
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

    /// Begins to show some tracks from one time to another, as exactly as is worth it: a `PlanInfo` with the number of a
    /// [job](Log::job), of which [`Log::window`] has what it shows at any time. Of a heap profile's bands it shows the first `count` by
    /// `order`: a column of the table of bands, by its key.
    ///
    /// # Errors
    /// When bands are not sorted by that.
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
        let follows_threads = tracks.iter().any(|track| track_id(*track).needs().thread_states);
        let mut plan = self.model.plan_with(view, follows_threads);
        plan.bands = ShownBands { order, count };
        let job = self.jobs.begin(Running::Window(Box::new(plan)));
        object(&PlanInfo { job, from: self.clock.float(view.from), to: self.clock.float(view.to) })
    }

    /// Whether any of some tracks has nothing to show before the log has been [gone through once more](Log::replay).
    #[must_use]
    pub fn needs_replay(&self, tracks: &[f64]) -> bool {
        let needs = tracks.iter().any(|track| track_id(*track).needs().replay);
        needs && self.model.replayed_until().is_none()
    }

    /// Sets the words that begin and end the program's own spans. Whether they are others than before, so that the log must be
    /// [gone through](Log::replay) for them, even if it has been. Empty words change nothing.
    pub fn name_spans(&mut self, begin: &str, end: &str) -> bool {
        SpanWords::new(begin, end).is_some_and(|words| self.model.name_spans(words))
    }

    /// What a window shows of a track, as well as can be told by now: an object of typed arrays. `undefined` if the window's
    /// [job](Log::plan) is not there.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn window(&mut self, arrangement: &mut Arrangement, job: u32, track: f64) -> Result<Option<Object>, JsValue> {
        self.shown(arrangement, job, track).map(|window| window_object(&window, self.clock)).transpose()
    }

    /// What paints strips of tracks one below the other: so many bands, each `width` pixels wide and `levels` high.
    ///
    /// # Errors
    /// When the browser has no room for the image.
    pub fn painter(&self, width: u32, bands: u32, levels: u32) -> Result<Painter, JsValue> {
        Painter::of(width, bands, levels)
    }

    /// As [`Log::window`], of a track with states, whose shares are painted as the next band of a [`Painter`] and do not cross.
    /// `colours` has red, green, blue and how opaque it is for each state.
    ///
    /// # Errors
    /// When the browser has no room for the image; and see [`Log::status`].
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

    /// Begins to look up what is drawn of a track in a pixel, or of one of its bands there: the number of a [job](Log::job), whose
    /// answer [`Log::found`] is.
    pub fn look_up(&mut self, arrangement: &mut Arrangement, track: f64, from: f64, to: f64, band: Option<u32>) -> u32 {
        // The whole nanoseconds in which the pixel lies.
        let (from, to) = (self.clock.nanos(from.floor()), self.clock.nanos(to.ceil()));
        let search = self.model.look_up_part(arrangement.of(self), track_id(track), from, to, band);
        self.jobs.begin(Running::LookUp(track, Box::new(search)))
    }

    /// Begins to look up the span that begins next after a time, or before it; as [`Log::look_up`].
    pub fn neighbour(&mut self, arrangement: &mut Arrangement, track: f64, time: f64, next: bool) -> u32 {
        let direction = if next { Direction::Next } else { Direction::Previous };
        let search = self.model.neighbour(arrangement.of(self), track_id(track), self.clock.nanos(time), direction);
        self.jobs.begin(Running::LookUp(track, Box::new(search)))
    }

    /// Begins to look up who woke a thread up for what it does at a time, if `back`; or whom it woke up from then on. As
    /// [`Log::look_up`], but what is found is on another track.
    pub fn woken(&mut self, arrangement: &mut Arrangement, track: f64, time: f64, back: bool) -> u32 {
        let direction = if back { Direction::Previous } else { Direction::Next };
        let search = self.model.woken(arrangement.of(self), track_id(track), self.clock.nanos(time), direction);
        self.jobs.begin(Running::LookUp(track, Box::new(search)))
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
        let replay = self.model.replay()?;
        Some(self.jobs.begin(Running::Replay(Box::new(replay))))
    }

    /// What a job wants to be read, and how far it is: a `JobInfo`. What it wants is to be [given](Log::give) to it,
    /// piece by piece, until it wants nothing more: then it is done, or has given up. A job that was dropped
    /// has given up.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn job(&mut self, job: u32) -> Result<JsValue, JsValue> {
        object(&JobInfo::of(self.jobs.wants(job, &mut self.model)))
    }

    /// Gives a job bytes of the file that it wanted; `offset` counts from the start of the file. Whether they are what was
    /// fed: if not, the file has changed, and the job cannot be done.
    pub fn give(&mut self, job: u32, offset: f64, bytes: &[u8]) -> bool {
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
        let Some(Running::LookUp(track, search)) = self.jobs.end(job) else { return Ok(JsValue::UNDEFINED) };
        // Along wake-ups it is another track than was asked about.
        let track = search.track().map_or(track, |track| track.number() as f64);
        let arranged = Arranged { model: &self.model, by: search.arrangement(), clock: self.clock };
        let place = self.model.found(&search);
        object(&place.map(|place| PlaceInfo::of(arranged, track, place, search.moment())))
    }

    /// Takes the range that a job has summed up: from now on [facts](Log::facts) and [tables](Log::table) can be asked for of it.
    /// Whether there is one, of which nothing is missing.
    pub fn take_range(&mut self, job: u32) -> bool {
        let range = match self.jobs.get_mut(job) {
            Some(Running::Range(range)) if range.is_gathered() => Some((**range).clone()),
            _ => None,
        };
        self.range = range;
        self.ranges += 1;
        self.range.is_some()
    }

    /// What a window shows of a track by now; `None` if its job is not there.
    fn shown(&mut self, arrangement: &mut Arrangement, job: u32, track: f64) -> Option<Window> {
        let arrangement = arrangement.of(self);
        let Some(Running::Window(plan)) = self.jobs.get_mut(job) else { return None };
        plan.renew(&mut self.model);
        Some(self.model.window(arrangement, plan, track_id(track)))
    }

    /// What is described of a log, as its reader has arranged it.
    fn arranged<'a>(&'a self, arrangement: &'a mut Arrangement) -> Arranged<'a> {
        Arranged { model: &self.model, by: arrangement.of(self), clock: self.clock }
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
