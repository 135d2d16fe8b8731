//! The texts that the page and its reports get, from logs with hostile texts and from damaged ones: no door lets a
//! hidden character through, and no code bypasses the doors.

use conformance::arranged;
use conformance::{
    Mutants, answered, exact_window, files, hostile_texts, model_in_steps, project, replay, shared_logs,
};
use ghc_eventlog::Nanos;
use ghc_eventlog_model::{Direction, FlameProfile, FlameQuery, LogText, Model, Place, TableQuery, Value, View};
use std::{env, fs, path::Path};

/// The test's own list of hidden characters.
fn hides(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}'..='\u{200f}' | '\u{2028}' | '\u{2029}')
}

/// The texts of a model, by where they are.
#[derive(Default)]
struct Texts {
    all: Vec<LogText<'static>>,
    values: Vec<Value>,
    /// Whether nothing is wrong with the log: then windows are exact.
    is_sound: bool,
}

impl Texts {
    fn text(&mut self, text: &LogText<'_>) {
        self.all.push(text.clone().into_owned());
    }

    fn of(model: &mut Model, log: &[u8], is_sound: bool) -> Self {
        let mut texts = Self { is_sound, ..Self::default() };
        let facts = model.facts(None);
        for section in &facts.sections {
            texts.values.extend(section.figures.iter().map(|figure| figure.value.clone()));
            section.histograms.iter().for_each(|histogram| texts.text(&histogram.name));
            let choices = section.listing.iter().flat_map(|listing| &listing.choices);
            choices.for_each(|choice| texts.text(&choice.name));
            let on_request = section.on_request.iter().map(|(_, table)| table);
            for table in section.tables.iter().chain(on_request) {
                let query = TableQuery { table: table.key.to_string(), ..TableQuery::default() };
                let order = model.order(query, None);
                texts.values.extend(model.page(&order, None, 0, 50).rows.into_iter().flatten());
            }
        }
        for profile in [FlameProfile::Time, FlameProfile::Heap] {
            let flame = model.flame(None, &FlameQuery { profile, ..FlameQuery::default() });
            for name in &flame.names {
                [&name.name, &name.module, &name.source].into_iter().for_each(|text| texts.text(text));
            }
        }
        let process = model.process();
        process.args.iter().chain(process.environment()).chain([&process.runtime]).for_each(|text| texts.text(text));
        texts.of_tracks(model, log);
        texts
    }

    /// Collects the timeline's texts: names, windows, and look-ups on each track.
    fn of_tracks(&mut self, model: &mut Model, log: &[u8]) {
        let Some((from, to)) = model.extent() else { return };
        let view = View { from, to: Nanos(to.0.saturating_add(1)), width: 40 };
        for track in model.tracks(&arranged(model)).into_iter().take(60) {
            self.text(&track.name);
            let window = if self.is_sound {
                exact_window(model, log, view, track.id)
            } else {
                let plan = model.plan(view);
                model.window(&arranged(model), &plan, track.id)
            };
            window.texts.iter().for_each(|text| self.text(text));
            let search = model.neighbour(&arranged(model), track.id, from, Direction::Next);
            let (Place::Span(info) | Place::Many { longest: info, .. }) = answered(model, log, search).0 else {
                continue;
            };
            self.text(&info.title);
            self.values.extend(info.fields.into_iter().map(|(_, value)| value));
        }
    }
}

fn assert_visible(text: &str, what: &str) {
    assert!(!text.chars().any(|letter| hides(letter) && letter != '\n'), "{what}: {text:?}");
}

/// Passes all texts of a log through the doors; returns how many there are.
fn check(log: &[u8], what: &str) -> usize {
    let mut model = model_in_steps(log, 1 << 16);
    replay(&mut model, log);
    let texts = Texts::of(&mut model, log, false);
    for value in &texts.values {
        assert!(!value.text(Nanos(0)).chars().any(hides), "{what}: {value:?}");
    }
    let of_values = texts.values.iter().filter_map(Value::log_text);
    let mut count = 0;
    for text in texts.all.iter().cloned().chain(of_values) {
        let doors = [
            text.for_page(),
            text.for_terminal(),
            text.for_html(),
            text.for_markdown(),
            text.for_csv(),
            text.for_tsv(),
            text.for_folded(),
            text.for_hp(),
            text.for_hp_head(),
        ];
        doors.iter().for_each(|shown| assert!(!shown.chars().any(hides), "{what}: {shown:?}"));
        count += 1;
    }
    assert_visible(&model.markdown(None, 30), what);
    count
}

#[test]
fn hostile_texts_reach_the_page_as_text() {
    let log = hostile_texts::log(hostile_texts::hostile);
    assert!(check(&log, "hostile") > 100);
    let mut model = model_in_steps(&log, 1 << 16);
    replay(&mut model, &log);
    let texts = Texts::of(&mut model, &log, true);
    // There must be some of each kind, or the test would check nothing.
    let is_hostile = |text: &LogText<'_>| text.for_comparing().contains("\x1b[2J");
    assert!(texts.all.iter().filter(|text| is_hostile(text)).count() > 20);
    assert!(texts.values.iter().filter_map(Value::log_text).filter(is_hostile).count() > 20);
}

#[test]
fn texts_of_damaged_logs_have_no_hidden_characters() {
    let count = env::var("MUTANTS").ok().and_then(|count| count.parse().ok()).unwrap_or(3);
    let harmful = hostile_texts::log(hostile_texts::hostile);
    let mut logs = files(&project().join("tests/corpus"), "log.eventlog");
    let shared = ["unsafe", "hostile"].map(|folder| files(&project().join("../shared").join(folder), ".eventlog"));
    logs.extend(shared.into_iter().flatten().chain(shared_logs()));
    let (mut texts, mut tried) = (0, 0);
    let named = logs.iter().filter(|path| fs::metadata(path).is_ok_and(|data| data.len() < 100_000));
    let read = named.map(|path| (fs::read(path).unwrap(), path.display().to_string(), count));
    for (log, name, count) in read.chain([(harmful, "harmful".to_string(), 60 * count)]) {
        for (number, mutant) in std::iter::once(log.clone()).chain(Mutants::new(&log, 1).take(count)).enumerate() {
            texts += check(&mutant, &format!("{name}, mutant {number}"));
            tried += 1;
        }
    }
    println!("{tried} logs, {texts} texts");
    assert!(tried > 400 && texts > 50_000, "{tried} logs, {texts} texts");
}

/// The files that may use the raw text: to compare, search and sort it, or to pass it to a JSON serializer.
const AS_IT_IS: [(&str, &[&str]); 2] = [
    (
        "for_comparing(",
        &[
            "ghc-eventlog-text/src/log_text.rs",
            "ghc-eventlog-text/src/doors.rs",
            "ghc-eventlog-model/src/asking/find/names.rs",
            "ghc-eventlog-model/src/asking/named_rows.rs",
            "ghc-eventlog-model/src/asking/query/complete.rs",
            "ghc-eventlog-model/src/asking/query/types.rs",
            "ghc-eventlog-model/src/facts/table/order.rs",
            "ghc-eventlog-model/src/keeping/rts_flags.rs",
            "ghc-eventlog-model/src/keeping/process.rs",
            "ghc-eventlog-model/src/reading/other_log.rs",
        ],
    ),
    (
        "for_json",
        &[
            "ghc-eventlog-text/src/doors.rs",
            "ghc-eventlog-model/src/asking/events/listing.rs",
            "ghc-eventlog-model/src/findings/sentence.rs",
            "ghc-eventlog-cli/src/check.rs",
            "ghc-eventlog-cli/src/find.rs",
            "ghc-eventlog-cli/src/summary/json/lists.rs",
            "ghc-eventlog-cli/src/summary/json/parts.rs",
            "ghc-eventlog-cli/src/summary/json/values.rs",
            "ghc-eventlog-export/src/speedscope.rs",
        ],
    ),
];

/// Public functions and fields of the model that have a `String`: words of ours, what the reader has typed or chosen, and finished output.
const STRINGS: [&str; 25] = [
    "remark_text",
    "remarks",
    "limits",
    "usual",
    "for_page",
    "for_json",
    "for_markdown",
    "findings_in_markdown",
    "histogram_of",
    "text",
    "markdown",
    "hidden_counters",
    "table",
    "sort",
    "filter",
    "search",
    "column",
    "on_request",
    "file",
    "written_duration",
    // What rules advise.
    "remedy",
    "other_remedy",
    // What a reader asks for, and lines of JSON.
    "query",
    "lines",
    "line",
];

#[test]
fn no_code_bypasses_the_doors() {
    let mut found = Vec::new();
    let mut named = Vec::new();
    sources(&project().join("crates"), &mut |path, source| {
        // Texts in tests are never shown.
        let source = source.split("#[cfg(test)]").next().unwrap_or_default();
        for (door, files) in AS_IT_IS.iter().filter(|_| !path.ends_with("tests.rs")) {
            if source.contains(door) && !files.iter().any(|known| path.ends_with(known)) {
                found.push(format!("{path}: {door}"));
            }
        }
        if path.ends_with("ghc-eventlog-text/src/log_text.rs") || path.ends_with("ghc-eventlog/src/text.rs") {
            assert!(!["Display for", "Deref for", "AsRef<"].iter().any(|way| source.contains(way)), "{path}");
        }
        if path.contains("ghc-eventlog-model/src") {
            named.extend(source.lines().filter_map(gives_a_string).map(str::to_string));
        }
    });
    assert!(found.is_empty(), "{found:?}: texts of a log are written by a door of `doors.rs`");
    named.retain(|name| !STRINGS.contains(&name.as_str()));
    assert!(named.is_empty(), "{named:?}: the model gives texts of a log as `LogText`");
}

/// The name of a public field or function with a string that is not constant.
fn gives_a_string(line: &str) -> Option<&str> {
    let rest = line.trim().strip_prefix("pub ")?;
    let (name, given) = match rest.strip_prefix("fn ") {
        Some(function) => (function.split(['(', '<']).next()?, function.split_once("->")?.1),
        None => rest.split_once(": ")?,
    };
    let of_ours = given.replace("'static str", "");
    (of_ours.contains("String") || of_ours.contains("str>") || of_ours.contains("&str")).then_some(name)
}

/// Every Rust file of the crates' sources.
fn sources(folder: &Path, each: &mut impl FnMut(&str, &str)) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !["tests", "target"].iter().any(|name| path.ends_with(name)) {
            sources(&path, each);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            each(path.to_str().unwrap(), &fs::read_to_string(&path).unwrap());
        }
    }
}
