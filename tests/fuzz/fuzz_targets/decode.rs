//! Any bytes: decoded with all fields, modelled, and looked at. Nothing may panic, hang, or allocate by a length field.
#![no_main]

use conformance::{answered, decode_in_steps, exact_window};
use ghc_eventlog::Nanos;
use ghc_eventlog_model::{Direction, Model, View};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|log: &[u8]| {
    decode_in_steps(log, log.len().max(1), |_, record| {
        let decoded = record.decode();
        assert!(decoded.used <= record.payload.len());
        decoded.event.visit(&mut |_, _| {});
    });
    let mut model = Model::new();
    model.feed(log);
    let Some((from, to)) = model.extent() else { return };
    let view = View { from, to: to.plus(Nanos(1)), width: 64 };
    // As if half of it stood further on in a longer log, and were looked at there.
    model.look(1 << 30, log.get(log.len() / 2..).unwrap_or_default());
    let ahead = View { to: model.ahead().unwrap_or(to).plus(Nanos(1)), ..view };
    let plan = model.plan(ahead).coarse();
    for track in model.tracks() {
        assert_eq!(model.window(&plan, track.id).shares.len() % 64, 0);
    }
    model.finish();
    let Some((from, to)) = model.extent() else { return };
    let view = View { from, to: to.plus(Nanos(1)), width: 64 };
    for track in model.tracks() {
        let window = exact_window(&mut model, log, view, track.id);
        assert_eq!(window.shares.len(), 64 * window.states);
        for search in [model.look_up(track.id, from, to), model.neighbour(track.id, from, Direction::Next)] {
            answered(&mut model, log, search);
        }
    }
    assert!(model.bytes_held() < 200 << 20);
});
