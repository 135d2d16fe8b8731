//! While a log is being read: what is said to be exact stays so, whatever comes.

use conformance::{exact_window, long_logs, model_in_steps, whole_range};
use ghc_eventlog::Nanos;
use ghc_eventlog_model::{Model, Shape, View};

#[test]
fn what_is_exact_while_a_log_is_read_is_the_same_in_the_end() {
    let (mut random, mut windows, mut ranges) = (fastrand::Rng::with_seed(6), 0, 0);
    for (name, log) in long_logs() {
        let mut whole = model_in_steps(&log, 1 << 16);
        for _ in 0..40 {
            let read = random.usize(log.len() / 3..=log.len());
            let mut model = Model::of_size(Some(log.len() as u64));
            log[..read].chunks(1 << 16).for_each(|bytes| model.feed(bytes));
            let Some((first, _)) = model.extent() else { continue };
            let until = model.exact_until();
            assert_eq!(model.range(first, until.plus(Nanos(1))).map(|_| ()), None, "{name}");
            if until <= first {
                continue;
            }
            let from = Nanos(random.u64(first.0..until.0));
            let view = View { from, to: until, width: random.usize(1..200) };
            let tracks = whole.tracks().into_iter().filter(|track| matches!(track.shape, Shape::States | Shape::Level));
            for track in tracks.collect::<Vec<_>>() {
                let before = model.tracks().into_iter().find(|before| before.id == track.id);
                // What a log lacks shows when it is over.
                if before.is_none_or(|before| before.lacks != track.lacks) {
                    continue;
                }
                let found = exact_window(&mut model, &log[..read], view, track.id);
                let expected = exact_window(&mut whole, &log, view, track.id);
                assert_eq!(found.exact, expected.exact, "{name}: {}, {read} bytes, {view:?}", track.name);
                // Sums of parts of a nanosecond may come out as next to nothing, which shows.
                let differ =
                    found.shares.iter().zip(&expected.shares).position(|(one, other)| one.abs_diff(*other) > 1);
                let at = differ.map(|at| (at, found.shares.len(), found.shares[at], expected.shares[at]));
                assert_eq!(at, None, "{name}: {}, {read} bytes, {view:?}", track.name);
                windows += usize::from(found.exact);
                let (range, _) = whole_range(&mut model, &log[..read], from, until).expect("that is known for good");
                let (expected, _) = whole_range(&mut whole, &log, from, until).expect("all has been read");
                let totals = model.range_totals(&range, track.id);
                assert_eq!(totals, whole.range_totals(&expected, track.id), "{name}: {}, {read} bytes", track.name);
                ranges += 1;
            }
        }
    }
    assert!(windows > 150 && ranges > 150, "{windows} {ranges}");
}
