//! Between the model's types and JS's.

use ghc_eventlog::Nanos;
use ghc_eventlog_model::{Flame, FlameFrame, FlameView, Model, TrackId, Window};
use js_sys::{Array, Float32Array, Float64Array, Object, Reflect, Uint8Array, Uint32Array};
use wasm_bindgen::JsValue;

/// The page's time: nanoseconds since the first event that was read. It does not move when earlier events turn up:
/// those have times below 0.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Clock {
    base: Option<Nanos>,
}

impl Clock {
    /// Begins with the first event.
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

/// A track's number in JS.
pub(crate) fn track_number(id: TrackId) -> f64 {
    id.number() as f64
}

/// The reverse of [`track_number`]; what is none becomes a track that no log has.
pub(crate) fn track_id(number: f64) -> TrackId {
    TrackId::from_number(number as u64)
}

/// A window as an object of typed arrays, each its own: `shares` has `states` bytes for each
/// pixel, `values` of a line four numbers, `counts` of points one; `starts`, `ends`,
/// `kinds` (a state's number) and `texts` have one element for each span.
pub(crate) fn window_object(window: &Window, clock: Clock) -> Result<Object, JsValue> {
    let floats = |time: fn(&ghc_eventlog_model::Span) -> Nanos| {
        let times: Vec<f64> = window.spans.iter().map(|span| clock.float(time(span))).collect();
        Float64Array::from(times.as_slice())
    };
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
    set("texts", &window.texts.iter().map(JsValue::from).collect::<Array>())?;
    Ok(object)
}

/// How frames are put together, by the word that the page has for it; `frame` is whose callers or callees they are.
pub(crate) fn flame_view(view: &str, frame: u32) -> FlameView {
    match view {
        "time" => FlameView::TimeOrder,
        "inverted" => FlameView::Inverted,
        "callers" => FlameView::Callers(frame),
        "callees" => FlameView::Callees(frame),
        _ => FlameView::LeftHeavy,
    }
}

/// A flame graph as an object of typed arrays with one element for each frame, and of `texts`: name, module and source of each of the
/// names that `names` counts; `frames` has what each is asked for by, -1 for what has no callers, and `matches` is 1 for those found.
pub(crate) fn flame_object(flame: &Flame) -> Result<Object, JsValue> {
    let floats = |number: fn(&FlameFrame) -> u64| {
        let numbers: Vec<f64> = flame.frames.iter().map(|frame| number(frame) as f64).collect();
        Float64Array::from(numbers.as_slice())
    };
    let integers = |number: fn(&FlameFrame) -> u32| {
        let numbers: Vec<u32> = flame.frames.iter().map(number).collect();
        Uint32Array::from(numbers.as_slice())
    };
    let frames: Vec<f64> = flame.names.iter().map(|name| name.frame.map_or(-1.0, f64::from)).collect();
    let matches: Vec<u8> = flame.names.iter().map(|name| name.matches.into()).collect();
    let texts = flame.names.iter().flat_map(|name| [&name.name, &name.module, &name.source]);
    let object = Object::new();
    let set = |name: &str, value: &JsValue| Reflect::set(&object, &name.into(), value);
    set("samples", &(flame.samples as f64).into())?;
    set("of", &(flame.of as f64).into())?;
    set("matched", &(flame.matched as f64).into())?;
    set("tick", &flame.tick.map_or(JsValue::NULL, |tick| (tick.0 as f64).into()))?;
    set("oneOf", &(flame.one_of as f64).into())?;
    set("leftOut", &(flame.left_out as f64).into())?;
    set("x", &floats(|frame| frame.x))?;
    set("widths", &floats(|frame| frame.width))?;
    set("own", &floats(|frame| frame.own))?;
    set("depths", &integers(|frame| frame.depth))?;
    set("names", &integers(|frame| frame.name))?;
    set("frames", &Float64Array::from(frames.as_slice()))?;
    set("matches", &Uint8Array::from(matches.as_slice()))?;
    set("texts", &texts.map(JsValue::from).collect::<Array>())?;
    Ok(object)
}
