//! Lists that are cut to some rows: what is heaviest by any column is among them.

use crate::profiles::{begin, log_of};
use conformance::model_in_steps;
use ghc_eventlog::{HeapProfSampleBegin, HeapProfSampleEnd, HeapProfSampleString, LogWriter, Nanos};
use ghc_eventlog_model::{Model, TableQuery, Value};

/// A census of bands, at some time.
fn census(log: &mut LogWriter, time: u64, bands: impl Iterator<Item = (String, u64)>) {
    log.event(Nanos(time), HeapProfSampleBegin { number: 0 });
    for (band, bytes) in bands {
        let label = crate::profiles::cstr(&band);
        log.event(Nanos(time), HeapProfSampleString { profile: 0, bytes, label });
    }
    log.event(Nanos(time), HeapProfSampleEnd { number: 0 });
}

/// 40 bands, each a little larger than the one before, until 90 of 100 censuses are over; and one that grows from then on.
fn with_a_late_band(others: u64) -> Model {
    let log = log_of(|log| {
        begin(log, 7);
        let first =
            |time| (0..others).map(move |nth| (format!("first {nth}"), if time < 90 { 10_000 - nth } else { 0 }));
        for time in 0..100 {
            let late = (time >= 90).then(|| ("late".to_string(), (time - 89) * 2000));
            census(log, 1000 * (time + 1), first(time).chain(late).filter(|(_, bytes)| *bytes > 0));
        }
    });
    model_in_steps(&log, 1 << 20)
}

/// The names of the first `most` rows.
fn names(model: &Model, most: usize) -> Vec<String> {
    let query = TableQuery { table: "bands".into(), ..TableQuery::default() };
    let page = model.page(&model.order_for(query, most, None), None, 0, most);
    page.rows.iter().map(|row| row[0].text(Nanos(0))).collect()
}

#[test]
fn the_heaviest_by_each_column_are_in_a_list_that_is_cut() {
    let model = with_a_late_band(40);
    let all = names(&model, 100);
    assert_eq!((all.len(), all[0].as_str(), all[40].as_str()), (41, "first 0", "late"));
    for most in [2, 6, 10, 40] {
        let mut expected = all[..most - 1].to_vec();
        expected.push("late".to_string());
        assert_eq!(names(&model, most), expected);
    }
    assert_eq!(names(&model, 1), ["first 0"]);
    assert_eq!(names(&model, 0), [""; 0]);
    let (ten, two) = (model.markdown(None, 10), model.markdown(None, 2));
    assert!(
        ten.contains("\nand 31 more (the largest of each column of durations, sizes and counts is above)\n"),
        "{ten}"
    );
    // There may be no room for each column.
    assert!(two.contains("\nand 39 more\n"), "{two}");
}

/// With more room, there are several by each column.
#[test]
fn a_quarter_of_the_room_is_for_the_heaviest_by_other_columns() {
    let log = log_of(|log| {
        begin(log, 7);
        for time in 0..10 {
            let late = (0..20).map(|nth| (format!("late {nth}"), 20_000)).filter(|_| time == 9);
            let first = (0..400).map(|nth| (format!("first {nth}"), 10_000));
            census(log, 1000 * (time + 1), first.chain(late));
        }
    });
    let model = model_in_steps(&log, 1 << 20);
    let late = names(&model, 200).iter().filter(|name| name.starts_with("late")).count();
    assert_eq!(late, 200 / 4 / 5);
}

/// As in a file of two runs with different flags.
#[test]
fn censuses_by_several_breakdowns_are_said() {
    let of = |breakdowns: &[u32]| {
        let log = log_of(|log| {
            for breakdown in breakdowns {
                begin(log, *breakdown);
                census(log, 1000, [("x".to_string(), 7)].into_iter());
            }
        });
        let facts = model_in_steps(&log, 1 << 20).facts(None);
        let section = facts.section("heap_profile").unwrap();
        let breakdown = section.figures.iter().find(|figure| figure.key == "breakdown").unwrap();
        let is_said = section.remarks.iter().any(|remark| remark.contains("several heap profiles"));
        (breakdown.value.clone(), is_said)
    };
    assert_eq!(of(&[7, 7]), (Value::words("closure type"), false));
    assert_eq!(of(&[7, 4, 7]), (Value::words("closure type, type description"), true));
}
