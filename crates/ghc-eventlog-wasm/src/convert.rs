//! Converts between the model's types and JavaScript's.

use ghc_eventlog::Nanos;
use ghc_eventlog_model::{Flame, FlameView, Model, TrackId, Window};
use js_sys::{Array, Float32Array, Float64Array, Object, Reflect, Uint8Array, Uint32Array};
use wasm_bindgen::JsValue;

/// The page's clock: nanoseconds since the first event that was read. It does not change when earlier events are read
/// later; those have negative times.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Clock {
    base: Option<Nanos>,
}

impl Clock {
    /// Starts with the first event, once it is read.
    pub(crate) fn start(&mut self, model: &Model) {
        self.base = self.base.or(model.extent().map(|(from, _)| from));
    }

    pub(crate) fn float(self, time: Nanos) -> f64 {
        let base = self.base.unwrap_or_default();
        time.since(base).0 as f64 - base.since(time).0 as f64
    }

    pub(crate) fn nanos(self, time: f64) -> Nanos {
        let base = self.base.unwrap_or_default();
        // Casts saturate: a NaN becomes 0.
        Nanos(base.0.saturating_add(time.max(0.0) as u64).saturating_sub((-time).max(0.0) as u64))
    }
}

/// A track's number in JavaScript.
pub(crate) fn track_number(id: TrackId) -> f64 {
    id.number() as f64
}

/// The reverse of [`track_number`]. A number that is none becomes a track that no log has.
pub(crate) fn track_id(number: f64) -> TrackId {
    TrackId::from_number(number as u64)
}

/// A window as an object of typed arrays, each with its own buffer. `shares` has `states` bytes for each pixel.
/// `values` has four numbers for each pixel of a line, `counts` one for each pixel of points. `starts`, `ends`, `kinds`
/// (a state's number) and `texts` have one element for each span. `hatched` has two numbers for each time that is hatched
/// over all of these.
pub(crate) fn window_object(window: &Window, clock: Clock) -> Result<Object, JsValue> {
    let floats = |time: fn(&ghc_eventlog_model::Span) -> Nanos| {
        let times: Vec<f64> = window.spans.iter().map(|span| clock.float(time(span))).collect();
        Float64Array::from(times.as_slice())
    };
    let hatched: Vec<f64> =
        window.hatched.iter().flat_map(|(from, to)| [clock.float(*from), clock.float(*to)]).collect();
    let kinds: Vec<u8> = window.spans.iter().map(|span| span.state).collect();
    let object = Object::new();
    let set = |name: &str, value: &JsValue| Reflect::set(&object, &name.into(), value);
    set("exact", &window.exact.into())?;
    set("states", &JsValue::from(window.states as u32))?;
    set("shares", &Uint8Array::from(window.shares.as_slice()))?;
    set("values", &Float32Array::from(window.values.as_slice()))?;
    set("counts", &Uint32Array::from(window.counts.as_slice()))?;
    set("starts", &floats(|span| span.start))?;
    set("ends", &floats(|span| span.end))?;
    set("kinds", &Uint8Array::from(kinds.as_slice()))?;
    set("hatched", &Float64Array::from(hatched.as_slice()))?;
    set("texts", &window.texts.iter().map(|text| JsValue::from(text.for_page())).collect::<Array>())?;
    Ok(object)
}

/// The flame graph view with this index in the page's list. `frame` is the frame whose callers or callees it shows.
///
/// # Errors
/// When there is no view with this index.
pub(crate) fn flame_view(view: u32, frame: u32) -> Result<FlameView, JsValue> {
    Ok(match view {
        0 => FlameView::LeftHeavy,
        1 => FlameView::TimeOrder,
        2 => FlameView::Inverted,
        3 => FlameView::Callers(frame),
        4 => FlameView::Callees(frame),
        _ => return Err(unknown("view of a flame graph", &view.to_string())),
    })
}

/// The error for something that the page asked for and that does not exist.
#[cold]
pub(crate) fn unknown(what: &str, asked: &str) -> JsValue {
    js_sys::Error::new(&format!("there is no {what} {asked:?}")).into()
}

/// A flame graph as an object of three arrays. `frames` begins with six totals: how many samples (or bytes) are shown,
/// how many there are, how many match, how long a tick is (0 if unknown), out of how many samples one is shown, and how
/// many frames are left out. After them it has five numbers for each frame: start, width, its own samples, its depth,
/// and the index of its name. `names` has two numbers for each name: one more than the number to ask for its callers
/// with, or 0 if it has none; and 1 if it matches the search. `texts` has three for each name: name, module and source
/// location.
pub(crate) fn flame_object(flame: &Flame<'_>) -> Result<Object, JsValue> {
    let (mut numbers, mut names, texts) = (Vec::new(), Vec::new(), Array::new());
    let tick = flame.tick.unwrap_or_default().0;
    for number in [flame.width, flame.of, flame.matched, tick, flame.one_of, flame.left_out] {
        push(&mut numbers, number);
    }
    for frame in &flame.frames {
        push(&mut numbers, frame.x);
        push(&mut numbers, frame.width);
        push(&mut numbers, frame.own);
        push(&mut numbers, frame.depth.into());
        push(&mut numbers, frame.name.into());
    }
    for name in &flame.names {
        // 0 means that it has no callers.
        push(&mut names, name.frame.map_or(0, |frame| u64::from(frame) + 1));
        push(&mut names, name.matches.into());
        for text in [&name.name, &name.module, &name.source] {
            texts.push(&JsValue::from(text.for_page()));
        }
    }
    let object = Object::new();
    let set = |name: &str, value: &JsValue| Reflect::set(&object, &name.into(), value);
    set("frames", &Float64Array::from(numbers.as_slice()))?;
    set("names", &Float64Array::from(names.as_slice()))?;
    set("texts", &texts)?;
    Ok(object)
}

/// Appends a number to an array for JavaScript: the one function that converts them.
fn push(numbers: &mut Vec<f64>, number: u64) {
    numbers.push(number as f64);
}
