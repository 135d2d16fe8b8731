//! Properties that the fuzz targets of `tests/fuzz` check for any bytes, and the tests for some.

use crate::arranged;
use crate::{answered, decode_in_steps, exact_window};
use ghc_eventlog::{Decoder, Nanos, Record};
use ghc_eventlog_model::{Direction, Model, View};

/// Decodes any bytes with all fields, feeds them to the model, and queries it. Nothing may panic, hang, or allocate by
/// a length field.
///
/// # Panics
/// When something does, or results contradict each other.
pub fn check_decoding(log: &[u8]) {
    decode_in_steps(log, log.len().max(1), |_, record| {
        let decoded = record.decode();
        assert!(decoded.used <= record.payload.len());
        decoded.event.visit(&mut |_, _| {});
    });
    let mut model = Model::new();
    model.feed(log);
    let Some((from, to)) = model.extent() else { return };
    let view = View { from, to: to.plus(Nanos(1)), width: 64 };
    // Passes half of it to the preview, as a part of a longer log.
    model.look(1 << 30, log.get(log.len() / 2..).unwrap_or_default());
    let ahead = View { to: model.ahead().unwrap_or(to).plus(Nanos(1)), ..view };
    let plan = model.plan(ahead).coarse();
    for track in model.tracks(&arranged(&model)) {
        assert_eq!(model.window(&arranged(&model), &plan, track.id).shares.len() % 64, 0);
    }
    model.finish();
    let Some((from, to)) = model.extent() else { return };
    let view = View { from, to: to.plus(Nanos(1)), width: 64 };
    for track in model.tracks(&arranged(&model)) {
        let window = exact_window(&mut model, log, view, track.id);
        assert_eq!(window.shares.len(), 64 * window.states);
        for search in [
            model.look_up(&arranged(&model), track.id, from, to),
            model.neighbour(&arranged(&model), track.id, from, Direction::Next),
        ] {
            answered(&mut model, log, search);
        }
    }
    assert!(model.bytes_held() < 200 << 20);
}

/// Decodes in chunks of `step` bytes: the same events, notices and errors as in one piece.
///
/// # Panics
/// When they differ.
pub fn check_chunks(log: &[u8], step: usize) {
    let event =
        |_: &Decoder, record: Record<'_>| (record.offset, record.time, record.tag, record.cap, record.payload.len());
    let whole = decode_in_steps(log, log.len().max(1), event);
    let parts = decode_in_steps(log, step.max(1), event);
    assert_eq!(whole, parts);
}
