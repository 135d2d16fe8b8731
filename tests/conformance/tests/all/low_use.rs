//! Stretches in which few capabilities run, and why.

use super::requests::{STEP, log, number, rows};
use conformance::{files, model_in_steps, project, replay, shared_logs, whole_range};
use ghc_eventlog::Nanos;
use ghc_eventlog_model::{About, Arrangement, Model, TableQuery, Value, Wishes};
use std::fs;

/// A model that has been read and replayed.
fn read(log: &[u8]) -> Model {
    let mut model = model_in_steps(log, 1 << 20);
    assert!(replay(&mut model, log));
    model
}

/// The stretches in order of time: from and to in milliseconds, the share of the capabilities that ran, and the reason.
fn told(model: &Model) -> Vec<String> {
    let mut rows = rows(model, "caps", "low_use");
    rows.sort_by_key(|row| number(row, "from_ns"));
    let told = rows.iter().map(|row| {
        let (from, length) = (number(row, "from_ns") / STEP, number(row, "duration_ns") / STEP);
        let [running, reason] = ["running", "reason"].map(|key| row[key].text(Nanos(0)));
        format!("{from}-{}: {running}, {reason}", from + length)
    });
    told.collect()
}

#[test]
fn stretches_have_the_reason_of_their_longest_part() {
    // Capability 0 runs up to 4, and from 13 on; capability 1 up to 6, in which thread 1 waits for an MVar until it is woken up.
    let model = read(&log(&[
        "1...m.........1.....x", //
        "2.....m......3u.....x",
    ]));
    assert_eq!(told(&model), ["6-13: 0 %, threads are blocked on an MVar"]);
}

#[test]
fn collections_are_a_reason() {
    let model = read(&log(&[
        "1..)q(=......]1..x", //
        "2..).........2....x",
    ]));
    let told = told(&model);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].starts_with("3-") && told[0].ends_with("collections"), "{told:?}");
}

/// Of two capabilities one is half of them: that is not fewer.
#[test]
fn half_of_them_is_not_low() {
    let model = read(&log(&[
        "1........x", //
        "2...x.....",
    ]));
    assert_eq!(told(&model), [] as [String; 0]);
}

#[test]
fn the_threshold_can_be_chosen() {
    let log = log(&[
        "1.........x", //
        "2....m....x",
    ]);
    let model = read(&log);
    let count = |percent: u8| {
        let wishes = Wishes { low_use_percent: Some(percent), ..Wishes::default() };
        let arrangement: Arrangement = model.arrange(wishes, None);
        let about = About { arrangement: Some(&arrangement), ..About::default() };
        let order = model.order(TableQuery { table: "low_use".into(), ..TableQuery::default() }, about);
        model.page(&order, about, 0, 100).of
    };
    assert_eq!([10, 50, 60, 100].map(count), [0, 0, 1, 1]);
}

/// Within each stretch, capabilities ran for as long as the facts of that range say.
#[test]
fn the_running_time_of_stretches_is_that_of_ranges() {
    let (mut stretches, mut logs) = (0, 0);
    for path in files(&project().join("tests/corpus"), "log.eventlog").into_iter().chain(shared_logs()) {
        let log = fs::read(&path).unwrap();
        if log.len() > 1 << 20 {
            continue;
        }
        let mut model = model_in_steps(&log, 1 << 20);
        if model.extent().is_none() || !replay(&mut model, &log) {
            continue;
        }
        let name = path.display();
        let (first, last) = model.extent().unwrap();
        let found = model.facts(None).section("caps").map_or(Vec::new(), |_| rows(&model, "caps", "low_use"));
        logs += usize::from(!found.is_empty());
        assert!(found.is_sorted_by(|one, next| number(one, "duration_ns") >= number(next, "duration_ns")), "{name}");
        let mut times: Vec<(u64, u64)> = Vec::new();
        for row in &found {
            let from = number(row, "from_ns");
            times.push((from, from + number(row, "duration_ns")));
        }
        times.sort_unstable();
        assert!(times.is_sorted_by(|one, next| one.1 <= next.0), "{name}: {times:?}");
        assert!(times.iter().all(|(from, to)| first.0 <= *from && *to <= last.0), "{name}: {times:?}");
        for row in found.iter().take(5) {
            let (from, unused) = (Nanos(number(row, "from_ns")), number(row, "unused_ns"));
            let to = from.plus(Nanos(number(row, "duration_ns")));
            let Value::Share(share) = row["running"] else { panic!("{name}: {row:?}") };
            let (range, _) = whole_range(&mut model, &log, from, to).unwrap();
            let running = model.typed_facts(Some(&range)).caps.running.unwrap_or_default().0 as f64;
            let told = running + unused as f64;
            assert!(share < 0.5, "{name}: {row:?}");
            assert!((running - share * told).abs() <= 1e-6 * told + 1.0, "{name}: {row:?}, {running}");
            stretches += 1;
        }
    }
    assert!(stretches > 100 && logs > 20, "{stretches} of {logs} logs");
}
