//! Tables: pages, order, filters, and as Markdown.

use super::{all, figures::unit_in_key, models, query, tables};
use conformance::{model_in_steps, project};
use ghc_eventlog::{Block, CapNo, CreateThread, LogWriter, Nanos, ThreadId};
use ghc_eventlog_model::{LogText, TableQuery, Value, Within};
use std::fs;

#[test]
fn pages_of_any_size_have_the_same_rows() {
    for (name, model, _) in models() {
        for table in tables(&model.facts(None)) {
            let order = model.order(query(table.key), None);
            let whole = model.page(&order, None, 0, usize::MAX);
            assert_eq!((whole.found, whole.kept), (whole.rows.len(), table.rows), "{name}, {}", table.key);
            for size in [1, 7, 100] {
                let mut rows = Vec::new();
                for from in (0..whole.found + size).step_by(size) {
                    let page = model.page(&order, None, from, size);
                    assert_eq!((page.found, page.kept, page.of), (whole.found, whole.kept, whole.of), "{name}");
                    assert!(page.rows.len() <= size && page.rows.len() == page.times.len());
                    rows.extend(page.rows);
                }
                assert_eq!(rows, whole.rows, "{name}, {}, {size}", table.key);
            }
        }
    }
}

/// The sort key of a value: a number or a text.
fn rank(value: &Value) -> Option<(f64, String)> {
    let number = |number: u64| Some((number as f64, String::new()));
    match value {
        // Pictures have no order.
        Value::Unknown | Value::Between(..) | Value::Levels(_) => None,
        Value::Text(text) => Some((0.0, text.for_comparing().to_lowercase())),
        Value::Time(time) | Value::Duration(time) => number(time.0),
        Value::Bytes(value) | Value::Count(value) | Value::Offset(value) => number(*value),
        Value::BytesPerSecond(value) | Value::PerSecond(value) => number(*value),
        Value::Share(share) => Some((*share, String::new())),
        Value::Thread(thread) => number(thread.0.into()),
        Value::Capability(cap) => number(cap.0.into()),
        Value::ByteTime(area) => Some((*area as f64, String::new())),
        Value::Growth(number) | Value::Change(number) | Value::Integer(number) => Some((*number as f64, String::new())),
        Value::Stack(names) => Some((0.0, LogText::joined(names, " ").for_comparing().to_lowercase())),
    }
}

#[test]
fn sorted_tables_are_sorted_and_have_the_same_rows() {
    let text = |rows: &[Vec<Value>]| {
        let mut rows: Vec<String> = rows.iter().map(|row| format!("{row:?}")).collect();
        rows.sort_unstable();
        rows
    };
    let mut sorted = 0;
    for (name, model, _) in models() {
        for table in tables(&model.facts(None)) {
            let as_it_is = text(&all(&model, query(table.key), None).rows);
            for (at, column) in table.columns.iter().enumerate() {
                for down in [false, true] {
                    let page = all(&model, TableQuery { sort: column.key.into(), down, ..query(table.key) }, None);
                    assert_eq!(text(&page.rows), as_it_is, "{name}, {} by {}", table.key, column.key);
                    let ranks: Vec<_> = page.rows.iter().map(|row| rank(&row[at])).collect();
                    let known = ranks.iter().take_while(|rank| rank.is_some()).count();
                    assert!(ranks[known..].iter().all(Option::is_none), "{name}: what is not known comes last");
                    let in_order = |pair: &[Option<(f64, String)>]| {
                        if down { pair[0] >= pair[1] } else { pair[0] <= pair[1] }
                    };
                    assert!(ranks[..known].windows(2).all(in_order), "{name}, {} by {}", table.key, column.key);
                    sorted += usize::from(known > 2 && ranks[0] != ranks[known - 1]);
                }
            }
        }
    }
    assert!(sorted > 500, "{sorted}");
}

#[test]
fn a_filter_finds_the_rows_that_show_its_text() {
    let (mut some, mut none) = (0, 0);
    for (name, model, _) in models() {
        let origin = model.extent().map_or(Nanos(0), |(first, _)| first);
        for table in tables(&model.facts(None)) {
            let whole = all(&model, query(table.key), None).rows;
            for filter in ["major", "MAJOR gc", "hec 1", "1", "µS", "kib", "manager", "12\u{202f}", "no such text"] {
                let plain = filter.replace('\u{202f}', "").to_lowercase();
                let shows =
                    |row: &&Vec<Value>| row.iter().any(|value| value.text(origin).to_lowercase().contains(&plain));
                let expected: Vec<_> = whole.iter().filter(shows).cloned().collect();
                let wanted = TableQuery { filter: filter.into(), ..query(table.key) };
                let found = all(&model, wanted.clone(), None);
                assert_eq!(found.rows, expected, "{name}, {}, {filter}", table.key);
                assert_eq!((found.found, found.kept), (expected.len(), table.rows), "{name}");
                if let Some(first) = table.columns.first() {
                    let sorted = all(&model, TableQuery { sort: first.key.into(), down: true, ..wanted }, None);
                    assert_eq!(sorted.found, expected.len(), "{name}");
                }
                some += usize::from(!expected.is_empty() && expected.len() < whole.len());
                none += usize::from(expected.is_empty());
            }
        }
    }
    assert!(some > 200 && none > 200, "{some}, {none}");
}

#[test]
fn a_filter_takes_any_way_to_write_microseconds() {
    let log = fs::read(project().join("tests/corpus/threaded/log.eventlog")).unwrap();
    let model = model_in_steps(&log, 1 << 20);
    let found = |filter: &str| all(&model, TableQuery { filter: filter.into(), ..query("collections") }, None).rows;
    let (micro_sign, kept) = (found("\u{b5}s"), all(&model, query("collections"), None).rows.len());
    assert!(!micro_sign.is_empty() && found("no such text").is_empty());
    for filter in ["\u{3bc}s", "\u{39c}S", "us", "US"] {
        assert_eq!(found(filter), micro_sign, "{filter}");
    }
    let first = &micro_sign[0];
    let pause = first.iter().map(|value| value.text(Nanos(0))).find(|text| text.ends_with("\u{b5}s")).unwrap();
    let exact = found(&pause.replace('\u{b5}', "u"));
    assert!(exact.contains(first) && exact.len() < kept, "{pause}: {} of {kept}", exact.len());
}

/// A histogram counts the rows of its table, also in a range.
#[test]
fn a_bar_of_a_histogram_has_as_many_rows_as_it_says() {
    let mut bars = 0;
    for (name, model, range) in models() {
        for range in [None, range.as_ref()] {
            let facts = model.facts(range);
            for section in &facts.sections {
                for histogram in &section.histograms {
                    let Some((table, column)) = histogram.rows else { continue };
                    unit_in_key(column, histogram.unit);
                    let mut counted = 0;
                    for pair in histogram.bins.windows(2) {
                        assert_eq!(pair[0].to, pair[1].from, "{name}");
                    }
                    for bin in &histogram.bins {
                        let within = Within { column: column.into(), from: bin.from, to: bin.to };
                        let found = all(&model, TableQuery { within: Some(within), ..query(table) }, range);
                        let count: u64 = bin.counts.iter().sum();
                        assert_eq!(found.rows.len() as u64, count, "{name}, {} from {}", histogram.key, bin.from);
                        counted += found.rows.len();
                        bars += usize::from(count > 0);
                    }
                    assert_eq!(counted, all(&model, query(table), range).rows.len(), "{name}, {}", histogram.key);
                }
            }
        }
    }
    assert!(bars > 100, "{bars}");
}

#[test]
fn a_table_in_markdown_says_how_many_rows_it_leaves_out_if_any() {
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |block| {
        for thread in 1..=3 {
            block.event(Nanos(1), CreateThread { thread: ThreadId(thread) });
        }
    });
    let log = log.finish();
    let model = model_in_steps(&log, log.len());
    let threads = |top: usize| {
        let markdown = model.markdown(None, top);
        let (_, table) = markdown.split_once("**Threads**").expect("a table of threads");
        table.split("</details>").next().unwrap_or_default().contains(" more\n").then(|| table.contains("and 1 more\n"))
    };
    assert_eq!([threads(1), threads(2), threads(3), threads(4)], [Some(false), Some(true), None, None]);
}

#[test]
fn a_page_says_of_which_table_it_is_and_where() {
    for (name, model, range) in models() {
        for table in tables(&model.facts(range.as_ref())) {
            let order = model.order(query(table.key), range.as_ref());
            let page = model.page(&order, range.as_ref(), 1, 1);
            assert_eq!((&*page.table, page.from), (table.key, 1), "{name}");
        }
    }
}

#[test]
fn unknown_tables_have_no_rows() {
    let log = fs::read(project().join("tests/corpus/threaded/log.eventlog")).unwrap();
    let model = model_in_steps(&log, 1 << 20);
    let page = all(&model, query("no such table"), None);
    assert_eq!((page.found, page.kept, page.of, page.rows.len()), (0, 0, 0, 0));
    // Sorting by an unknown column gives the table's own order.
    let odd = all(&model, TableQuery { sort: "no such column".into(), ..query("threads") }, None);
    assert_eq!(odd.rows, all(&model, query("threads"), None).rows);
    let beyond = model.page(&model.order(query("threads"), None), None, usize::MAX, usize::MAX);
    assert_eq!((beyond.rows.len(), beyond.found), (0, odd.found));
}
