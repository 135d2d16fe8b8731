//! Call trees for JavaScript, and the samples that go through a row of one.

use crate::{
    Log,
    convert::{flame_view, track_id, track_number, unknown},
    object,
};
use ghc_eventlog_model::{
    CallOf, CallOrder, CallPath, CallQuery, CallRow, CallTree, Direction, FlameProfile, OTHER_CALLS, OpenCall, Range,
    View, limits,
};
use js_sys::{Object, Reflect, Uint32Array};
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;
use wasm_bindgen::prelude::*;

/// The rows of a call tree that are in view. Amounts are samples, or bytes.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "CallTree", optional_fields))]
#[serde(rename_all = "camelCase")]
pub(crate) struct CallTreeInfo {
    /// What the outermost rows have together.
    width: f64,
    /// What there is in the log, or in the range, whichever frames it has.
    of: f64,
    /// The nanoseconds that a sample covers; 0 if that is not known.
    tick: f64,
    /// It is made of one out of so many samples.
    one_of: f64,
    /// How many rows there are, in view or not.
    all_rows: f64,
    /// The place of the chosen row, if it is among them.
    #[serde(skip_serializing_if = "Option::is_none")]
    chosen: Option<f64>,
    /// The frames that the first row in view is below, the outermost first; 2^32 - 1 is one without a number.
    above: Vec<u32>,
    /// The rows in view.
    rows: Vec<CallRowInfo>,
}

/// A row of a call tree.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "CallRow", optional_fields))]
#[serde(rename_all = "camelCase")]
struct CallRowInfo {
    /// How many rows it is below.
    depth: u32,
    total: f64,
    /// In how many of these it was innermost or, where callers are below, outermost.
    own: f64,
    /// Of a row that stands for frames that are not shown: how many.
    #[serde(skip_serializing_if = "Option::is_none")]
    rest: Option<f64>,
    /// The number to ask for its callers with; 2^32 - 1 if it has none.
    frame: u32,
    name: String,
    module: String,
    source: String,
    /// Whether it has what was searched for.
    matches: bool,
    can_open: bool,
    is_open: bool,
    /// Its place among those directly below the same one, from 1, and how many these are.
    place: [f64; 2],
}

impl CallTreeInfo {
    fn of(tree: &CallTree<'_>) -> Self {
        Self {
            width: tree.width as f64,
            of: tree.of as f64,
            tick: tree.tick.unwrap_or_default().0 as f64,
            one_of: tree.one_of as f64,
            all_rows: tree.all_rows as f64,
            chosen: tree.chosen.map(|place| place as f64),
            above: tree.above.clone(),
            rows: tree.rows.iter().map(|row| CallRowInfo::of(row, tree)).collect(),
        }
    }
}

impl CallRowInfo {
    fn of(row: &CallRow, tree: &CallTree<'_>) -> Self {
        let (rest, name) = match row.what {
            CallOf::Rest(count) => (Some(count as f64), None),
            CallOf::Frame(name) => (None, tree.names.get(name as usize)),
        };
        Self {
            depth: row.depth,
            total: row.total as f64,
            own: row.own as f64,
            rest,
            frame: name.and_then(|name| name.frame).unwrap_or(OTHER_CALLS),
            name: name.map(|name| name.name.for_page()).unwrap_or_default(),
            module: name.map(|name| name.module.for_page()).unwrap_or_default(),
            source: name.map(|name| name.source.for_page()).unwrap_or_default(),
            matches: name.is_some_and(|name| name.matches),
            can_open: row.can_open,
            is_open: row.is_open,
            place: [row.place.0 as f64, row.place.1 as f64],
        }
    }
}

/// What rows are sorted by, by its name on the page.
fn call_order(sort: &str) -> Result<CallOrder, JsValue> {
    Ok(match sort {
        "total" => CallOrder::Total,
        "own" => CallOrder::Own,
        "name" => CallOrder::Name,
        "module" => CallOrder::Module,
        "source" => CallOrder::Source,
        _ => return Err(unknown("order of calls", sort)),
    })
}

#[wasm_bindgen]
impl Log {
    /// Rows `from..from + count` of the call tree of the section with this key, for the whole log or for the range taken
    /// last: a `CallTree`. `view` is an index in the page's list of views of flame graphs, `frame` the frame whose callers
    /// or callees it shows. `open` has three numbers for each unfolded frame: see `OpenCall` in the model. `shown`: how many
    /// of the outermost rows are shown. `chosen`: the frames from an outermost row to the chosen one; 2^32 - 1 is a frame
    /// without a number. `undefined` if the section has no call tree, or there is no such range.
    ///
    /// # Errors
    /// When there is no such view, or no such order. Also see [`Log::status`].
    #[allow(clippy::too_many_arguments, reason = "scalars are what crosses for nothing")]
    pub fn calls(
        &self,
        section: &str,
        range: bool,
        view: u32,
        frame: u32,
        sort: &str,
        down: bool,
        filter: &str,
        shown: u32,
        open: &[u32],
        chosen: &[u32],
        from: f64,
        count: usize,
    ) -> Result<JsValue, JsValue> {
        let Some((profile, of)) = self.profile_of(section, range) else { return Ok(JsValue::UNDEFINED) };
        let entry = |entry: &[u32; 3]| OpenCall { depth: entry[0], frame: entry[1], shown: entry[2] };
        let query = CallQuery {
            profile,
            view: flame_view(view, frame)?,
            sort: call_order(sort)?,
            down,
            filter: filter.into(),
            shown,
            open: open.as_chunks().0.iter().map(entry).collect(),
            chosen: chosen.to_vec(),
            from: from as u64,
            count,
        };
        object(&CallTreeInfo::of(&self.model.calls(of, &query)))
    }

    /// The samples whose stacks go through `path`, the frames from an outermost row of a call tree on: how many there are
    /// (`total`), out of how many one is counted (`oneOf`), and `counts`, how many are in each of `width` pixels from one
    /// time to another: first of all of them, then of each of some tracks. `undefined` as for [`Log::calls`].
    ///
    /// # Errors
    /// When there is no such view.
    #[allow(clippy::too_many_arguments, reason = "scalars are what crosses for nothing")]
    pub fn call_samples(
        &self,
        section: &str,
        range: bool,
        view: u32,
        frame: u32,
        filter: &str,
        path: &[u32],
        from: f64,
        to: f64,
        width: u32,
        tracks: &[f64],
    ) -> Result<Option<Object>, JsValue> {
        let Some((profile, of)) = self.profile_of(section, range) else { return Ok(None) };
        let path = CallPath { profile, view: flame_view(view, frame)?, filter: filter.into(), frames: path.to_vec() };
        let width = width.clamp(1, limits::MAX_FLAME_WIDTH) as usize;
        let view = View { from: self.clock.nanos(from), to: self.clock.nanos(to), width };
        let tracks: Vec<_> = tracks.iter().map(|track| track_id(*track)).collect();
        let found = self.model.call_samples(of, &path, view, &tracks);
        let counts: Vec<u32> = [found.columns].into_iter().chain(found.tracks).flatten().collect();
        let object = Object::new();
        let set = |name: &str, value: &JsValue| Reflect::set(&object, &name.into(), value);
        set("total", &JsValue::from(found.total as f64))?;
        set("oneOf", &JsValue::from(found.one_of as f64))?;
        set("counts", &Uint32Array::from(counts.as_slice()))?;
        Ok(Some(object))
    }

    /// The first of these samples that is later than a time, or the last one that is earlier: three numbers, its time, its
    /// track, and how many are before it. Empty if there is none.
    ///
    /// # Errors
    /// When there is no such view.
    #[allow(clippy::too_many_arguments, reason = "scalars are what crosses for nothing")]
    pub fn call_sample_beside(
        &self,
        section: &str,
        range: bool,
        view: u32,
        frame: u32,
        filter: &str,
        path: &[u32],
        time: f64,
        next: bool,
    ) -> Result<Vec<f64>, JsValue> {
        let Some((profile, of)) = self.profile_of(section, range) else { return Ok(Vec::new()) };
        let path = CallPath { profile, view: flame_view(view, frame)?, filter: filter.into(), frames: path.to_vec() };
        let direction = if next { Direction::Next } else { Direction::Previous };
        let found = self.model.call_sample_beside(of, &path, self.clock.nanos(time), direction);
        let numbers = found.map(|found| [self.clock.float(found.time), track_number(found.track), found.before as f64]);
        Ok(numbers.map_or(Vec::new(), Vec::from))
    }
}

impl Log {
    /// What a section's call tree is of, and the range that it is asked about; `None` if there is no such tree or range.
    pub(crate) fn profile_of(&self, section: &str, range: bool) -> Option<(FlameProfile, Option<&Range>)> {
        let of = self.range.as_ref().filter(|_| range);
        FlameProfile::of_section(section).filter(|_| of.is_some() == range).map(|profile| (profile, of))
    }
}
