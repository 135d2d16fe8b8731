//! Heap profiles by info table of all versions of GHC: what the bands are, even if the log does not say, what they are called, and
//! names from another log of the same program.

use conformance::{model_in_steps, project, whole_range};
use ghc_eventlog::{
    Block, CStr, CapsetId, CostCentreStack, HeapProfSampleBegin, HeapProfSampleCostCentre, HeapProfSampleEnd,
    HeapProfSampleString, InfoTable, Ipe, LogWriter, Nanos, ProgramArgs, RtsIdentifier, Text, TextList,
};
use ghc_eventlog_model::{Model, NamesRefused, TableQuery, Value};
use std::fs;

fn cstr(text: &str) -> CStr<'_> {
    CStr(Text(text.as_bytes()))
}

/// A log of a program with these arguments, each followed by a blank: censuses of some labels, and definitions of info tables with
/// these numbers and names.
fn log(args: &str, runtime: &str, labels: &[&str], tables: &[(u64, &str)]) -> Vec<u8> {
    let mut log = LogWriter::new();
    log.block(Block::GLOBAL, |log| {
        let (capset, args) = (CapsetId(0), args.replace(' ', "\0"));
        log.event(Nanos(1), RtsIdentifier { capset, text: Text(runtime.as_bytes()) });
        log.event(Nanos(1), ProgramArgs { capset, args: TextList(args.as_bytes()) });
        for time in [10, 20, 30].map(Nanos) {
            log.event(time, HeapProfSampleBegin { number: 0 });
            for label in labels {
                log.event(time, HeapProfSampleString { profile: 0, bytes: 100, label: cstr(label) });
            }
            log.event(time, HeapProfSampleEnd { number: 0 });
        }
        for (number, name) in tables {
            let (info_table, name, none) = (InfoTable(*number), cstr(name), cstr(""));
            let (type_name, closure_type, location) = (cstr("[]"), cstr("21"), cstr("Main.hs:1:2-3"));
            log.event(
                Nanos(40),
                Ipe {
                    info_table,
                    table_name: name,
                    closure_type,
                    type_name,
                    label: none,
                    module: cstr("Main"),
                    location,
                },
            );
        }
    });
    log.end();
    log.finish()
}

const GHC: &str = "GHC-10.0.1 rts_thr";

fn read(log: &[u8]) -> Model {
    model_in_steps(log, 1 << 16)
}

/// What a profile is broken down by, and what is said about that.
fn breakdown(model: &Model) -> (String, String) {
    let facts = model.facts(None);
    let section = facts.section("heap_profile").unwrap();
    (section.get("breakdown").unwrap().value.text(Nanos(0)), section.remark_text().unwrap_or_default())
}

fn bands(model: &Model) -> Vec<String> {
    let query = TableQuery { table: "bands".into(), ..TableQuery::default() };
    let page = model.page(&model.order(query, None), None, 0, usize::MAX);
    let mut names: Vec<String> = page.rows.iter().map(|row| row[0].text(Nanos(0))).collect();
    names.sort();
    names
}

fn corpus(case: &str) -> Vec<u8> {
    fs::read(project().join("tests/corpus").join(case).join("log.eventlog")).unwrap()
}

/// HEAP_PROF_BEGIN is written again at each start, and that is no damage.
#[test]
fn a_profile_of_ghc_10_has_names_and_a_filter() {
    let model = read(&corpus("written-heap-stable-ids"));
    assert_eq!(bands(&model), ["go_s4xZ_info", "no info table entry", "table"]);
    let facts = model.facts(None);
    let profile = facts.section("heap_profile").unwrap();
    assert_eq!(profile.get("breakdown").unwrap().value.text(Nanos(0)), "info table");
    assert_eq!(profile.get("filters").unwrap().value.text(Nanos(0)), "-hi300000001");
    assert!(profile.remark_text().unwrap().contains("restricts"), "{:?}", profile.remarks);
    assert_eq!(profile.get("censuses").unwrap().value, Value::Count(16));
    // All that is said is that there is another stream.
    let diagnostics = model.diagnostics();
    assert_eq!((diagnostics.count(), diagnostics.lost_bytes()), (1, 0), "{:?}", diagnostics.list());
}

#[test]
fn what_a_profile_is_broken_down_by_follows_from_arguments_or_labels() {
    let tables = [(0x500, "xs_info"), (0x600, "ys_info")];
    let said = |args: &str, labels: &[&str], tables: &[(u64, &str)]| breakdown(&read(&log(args, GHC, labels, tables)));
    let (by, remark) = said("p +RTS -l -hT ", &["0x500"], &tables);
    assert!(by == "closure type" && remark.contains("arguments"), "{by} {remark}");
    let (by, remark) = said("p +RTS -l ", &["0x500", "0x999"], &tables);
    assert!(by == "info table" && remark.contains("how they look"), "{by} {remark}");
    // Labels that match no info table, or one that is none, say nothing.
    for labels in [&["0x999"][..], &["0x500", "Maybe"]] {
        let (_, remark) = said("p +RTS -l ", labels, &tables);
        assert!(remark.contains("does not say what the bands are"), "{remark}");
    }
    let model = read(&corpus("written-heap-begun-late"));
    assert_eq!(
        (breakdown(&model).0.as_str(), bands(&model)),
        ("info table", vec!["go_s4xZ_info".into(), "table".into()])
    );
}

/// Only `-hc` has stacks of cost centres, whatever the arguments say.
#[test]
fn stacks_are_of_cost_centres() {
    let mut log = LogWriter::new();
    log.block(Block::GLOBAL, |log| {
        let args = TextList(b"p\0+RTS\0-hy\0");
        log.event(Nanos(1), ProgramArgs { capset: CapsetId(0), args });
        log.event(Nanos(2), HeapProfSampleBegin { number: 0 });
        let stack = [1u32.to_be_bytes()];
        log.event(Nanos(2), HeapProfSampleCostCentre { profile: 0, bytes: 5, stack: CostCentreStack(&stack) });
    });
    log.end();
    assert_eq!(breakdown(&read(&log.finish())).0, "cost centre");
}

/// A profile without any names says how to get them.
#[test]
fn a_profile_without_names_says_how_to_get_them() {
    let (_, remark) = breakdown(&read(&log("p +RTS -hi ", GHC, &["0x500"], &[])));
    assert!(remark.contains("-finfo-table-map") && remark.contains("-lI"), "{remark}");
}

/// How many there are in a range is not known: not none, and not as many as in the whole log.
#[test]
fn info_tables_without_names_are_counted_of_the_whole_log_only() {
    let bytes = log("p +RTS -hi ", GHC, &["0x500"], &[]);
    let mut model = read(&bytes);
    let nameless = |model: &Model, range| {
        let facts = model.facts(range);
        facts.section("heap_profile").and_then(|profile| profile.get("nameless")).map(|figure| figure.value.clone())
    };
    assert_eq!(nameless(&model, None), Some(Value::Count(1)));
    let (range, _) = whole_range(&mut model, &bytes, Nanos(5), Nanos(25)).unwrap();
    assert_eq!(nameless(&model, Some(&range)), Some(Value::Unknown));
}

#[test]
fn names_come_from_another_log_of_the_same_program() {
    let stripped = |args: &str| read(&log(args, GHC, &["0x300000001", "0x300000002", "0x0"], &[]));
    let tables = [(0x3_0000_0001, "xs_info"), (0x9, "other_info")];
    let mut model = stripped("bin/p +RTS -l -hi ");
    let names_of = |model: &mut Model, from: &[u8]| {
        let mut other = model.other_log();
        // In pieces of any size.
        from.chunks(7).for_each(|piece| other.feed(piece));
        model.take_names(&other)
    };
    // Refused: another program, another GHC, no definitions, none of the names, no log at all.
    let refused = |args: &str, runtime: &str, tables: &[(u64, &str)]| {
        names_of(&mut stripped("bin/p +RTS -l -hi "), &log(args, runtime, &[], tables)).unwrap_err()
    };
    assert!(matches!(refused("q ", GHC, &tables), NamesRefused::OtherProgram(_)));
    assert!(matches!(refused("p ", "GHC-9.10.3 rts_thr", &tables), NamesRefused::OtherProgram(_)));
    assert_eq!(refused("p ", GHC, &[]), NamesRefused::NoTables);
    assert_eq!(refused("p ", GHC, &tables[1..]), NamesRefused::NoneFound);
    assert_eq!(names_of(&mut model, b"no log").unwrap_err(), NamesRefused::NoTables);
    // A log that names one of the info tables in another way is of another build.
    let own = log("p +RTS -hi ", GHC, &["0x300000001", "0x9"], &[(0x9, "mine_info")]);
    assert_eq!(names_of(&mut read(&own), &log("p ", GHC, &[], &tables)), Err(NamesRefused::OtherBuild(InfoTable(9))));
    assert_eq!(bands(&model), ["0x300000001", "0x300000002", "no info table entry"]);
    let found = names_of(&mut model, &log("/elsewhere/p ", GHC, &[], &tables)).unwrap();
    assert_eq!((found.found, found.missing, found.is_same_program), (1, 2, true));
    assert_eq!(found.sentence().for_terminal(), "1 of 2 missing names of info tables were found.");
    assert_eq!(bands(&model), ["0x300000002", "no info table entry", "xs_info"]);
    // They are not the log's own.
    assert!(model.facts(None).section("definitions").is_none());
    assert!(breakdown(&model).1.contains("from another log"));
    // Nothing else is missing there.
    assert_eq!(names_of(&mut model, &log("p ", GHC, &[], &tables)), Err(NamesRefused::NoneFound));
    let mut own = read(&log("p +RTS -hi ", GHC, &["0x9"], &[(0x9, "other_info")]));
    assert_eq!(names_of(&mut own, &log("p ", GHC, &[], &tables)), Err(NamesRefused::NothingMissing));
    // Without the arguments, nothing says that both are of one program.
    let found = names_of(&mut stripped(""), &log("p ", GHC, &["Maybe"], &tables));
    assert!(found.is_err() || !found.unwrap().is_same_program);
}
