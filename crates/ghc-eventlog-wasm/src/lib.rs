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
mod painter;
mod requests;
mod search;
mod strip;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod wire;

pub use arrangement::Arrangement;
use convert::{Clock, flame_object, flame_view, track_id, unknown, window_object};
use describe::{Arranged, JobInfo, LookInfo, Notice, PlanInfo, ProcessInfo, Status, TrackInfo, TreeInfo};
use facts::{FactsInfo, PageInfo};
use findings::{AccountInfo, FindingsInfo};
use found::{PlaceInfo, SlotInfo};
use ghc_eventlog_model::{
    About, BandOrder, Direction, Facts, Fill, FlameQuery, Model, Needs, OtherLog, Range, ShownBands, SpanWords, State,
    TableOrder, TablePage, TableQuery, Unit, View, Window, Within,
};
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

/// How many tables' orders are kept.
const ORDERS: usize = 2;

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

    /// All figures, and the descriptions of all tables: a `Facts`. For the whole log, or for the range
    /// [taken](Log::take_range) last; empty if there is no such range.
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

    /// What is worth knowing of the program, as far as the log has been read: a `Findings`. Some rules wait for the
    /// [replay](Log::replay).
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn findings(&self) -> Result<JsValue, JsValue> {
        object(&FindingsInfo::of(&self.model, self.clock))
    }

    /// A finding as Markdown, by the id of its rule; empty if there is no such rule.
    #[must_use]
    pub fn finding_markdown(&self, id: &str) -> String {
        findings::markdown(&self.model, id)
    }

    /// Where the capabilities' time went, in the whole log or in the range [taken](Log::take_range) last: an `Account`.
    /// `undefined` if that is not known, or there is no such range. Why capabilities were idle is only known of the whole
    /// log, after the [replay](Log::replay).
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn account(&self, range: bool) -> Result<JsValue, JsValue> {
        let account = match (&self.range, range) {
            (None, true) => None,
            (of, _) => self.model.account(of.as_ref().filter(|_| range)),
        };
        object(&account.map(|account| AccountInfo::of(&account, &self.model, self.clock)))
    }

    /// The [facts](Log::facts) as Markdown, with at most `top` rows of each table; null if there is no such range.
    #[must_use]
    #[wasm_bindgen(unchecked_return_type = "string | null")]
    pub fn markdown(&self, range: bool, top: usize) -> JsValue {
        match (&self.range, range) {
            (_, false) => self.model.markdown(None, top).into(),
            (Some(range), true) => self.model.markdown(Some(range), top).into(),
            (None, true) => JsValue::NULL,
        }
    }

    /// Some rows of a table, for the whole log or for the range taken last: a `TablePage`. `sort` is a column's key, or
    /// empty for the table's own order; `down` puts the largest first. `filter` is a text that the rows contain. Unless
    /// `column` is empty, the rows' values in it are at least `least` and less than `below`.
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
        // The panel and the timeline ask for different tables by turns.
        ordered.retain(|(was, _)| *was == of);
        let place = ordered.iter().position(|(_, order)| *order.query() == query);
        let newest = place.map_or_else(|| (of, model.order(query, about)), |place| ordered.remove(place));
        let page = PageInfo::of(model.page(&newest.1, about, from, count), *clock);
        ordered.push(newest);
        ordered.drain(..ordered.len().saturating_sub(ORDERS));
        with_nulls(&page)
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

    /// Sets the words that begin and end the program's own spans, besides those that are known: pairs, as in `BEGIN,END`;
    /// empty for none. Returns whether they changed, so that another [replay](Log::replay) is needed.
    pub fn name_spans(&mut self, words: &str) -> bool {
        self.model.name_spans(SpanWords::parse(words).unwrap_or_default())
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

    /// Takes the range that a job has summed up: from now on it is the range of [facts](Log::facts) and
    /// [tables](Log::table). Returns whether there is such a range, and it is complete.
    pub fn take_range(&mut self, job: u32) -> bool {
        let range = match self.jobs.get_mut(job) {
            Some(Running::Range(range)) if range.is_gathered() => Some((**range).clone()),
            _ => None,
        };
        self.range = range;
        self.ranges += 1;
        self.range.is_some()
    }

    /// What a window shows of a track so far; `None` if its job was dropped.
    fn shown(&mut self, arrangement: &mut Arrangement, job: u32, track: f64) -> Option<Window> {
        let arrangement = arrangement.of(self);
        let Some(Running::Window(plan)) = self.jobs.get_mut(job) else { return None };
        plan.renew(&mut self.model);
        Some(self.model.window(arrangement, plan, track_id(track)))
    }

    /// The log as its reader has arranged it, to be described.
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

/// As [`object`], with null for missing elements of a list.
fn with_nulls(value: &impl serde::Serialize) -> Result<JsValue, JsValue> {
    Ok(value.serialize(&serde_wasm_bindgen::Serializer::new().serialize_missing_as_null(true))?)
}
