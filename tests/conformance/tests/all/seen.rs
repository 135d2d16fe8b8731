//! Everything in a log is visible: every type of event is shown somewhere. Types that no kind of track shows have
//! points with their texts, and so have single sparks.

use conformance::arranged;
use conformance::{Mutants, answered, decode_in_steps, files, model_in_steps, project, whole_range};
use ghc_eventlog::{
    Block, BlockMarker, CapNo, EVENTS, Event, EventType, LogWriter, Nanos, Record, SparkCounters, ThreadId,
    ThreadWakeup, known_types,
};
use ghc_eventlog_model::{
    Direction, EventsWish, Job, Model, Place, Shape, SpanInfo, TableQuery, Track, TrackId, Value, View, limits,
};
use std::{collections::BTreeMap, env, fmt::Write as _, fs};

/// The list in the docs, as the model has it.
fn listed() -> String {
    let mut text = String::from(HEAD);
    for info in EVENTS {
        let places = Model::seen(info.tag);
        assert!(!places.is_empty(), "{} is not seen anywhere", info.name);
        writeln!(text, "| {} | {} | {} | {} |", info.tag, info.name, info.doc, places.join("; ")).unwrap();
    }
    text
}

const HEAD: &str = "\
# Where each event is seen

Every type of GHC's table, and where a person sees its events in the page, beside the list of all events in the tab Events. What
has no place of its own is a row of points under \"Other events\", as are numbers that no table has, and events in a form that is
not known. `BLESS=1 cargo test -p conformance --test all seen::` writes this list.

| number | type | what it says | seen in |
|---|---|---|---|
";

#[test]
fn the_docs_say_where_each_type_is_seen() {
    let path = project().join("web/EVENTS.md");
    if env::var_os("BLESS").is_some() {
        fs::write(&path, listed()).unwrap();
    }
    assert_eq!(fs::read_to_string(path).unwrap(), listed(), "BLESS=1 writes it anew");
}

/// Whether an event is about a single spark. Each such type has points among the tracks of sparks.
fn is_spark(tag: u16) -> bool {
    Model::seen(tag) == ["Sparks"] && tag != SparkCounters::TAG
}

/// Whether an event is one that no kind of track shows, or about a single spark.
fn is_other(tag: u16, known: bool) -> bool {
    !known || is_spark(tag) || Model::seen(tag).contains(&"Other events")
}

/// These events of a log, by type: the time, the capability and the text of each.
fn others(log: &[u8]) -> BTreeMap<u16, Vec<(Nanos, String)>> {
    let mut others: BTreeMap<u16, Vec<(Nanos, String)>> = BTreeMap::new();
    decode_in_steps(log, 1 << 16, |decoder, record| {
        if !record.is_block_marker() && is_other(record.tag, record.known) {
            let text = ghc_eventlog_text::fields(&record, decoder.header());
            others.entry(record.tag).or_default().push((record.time, text.for_json()));
        }
    });
    others
}

/// The tracks of their types, in order of their numbers.
fn tracks(model: &Model) -> Vec<Track> {
    let of_group = |group| model.tracks_of(&arranged(model), group, 0, usize::MAX);
    let points = |track: &Track| matches!(track.shape, Shape::Points { .. });
    let mut tracks: Vec<Track> = ["sparks", "other"].into_iter().flat_map(of_group).filter(points).collect();
    tracks.sort_by_key(|track| tag_of(track.id));
    tracks
}

fn tag_of(track: TrackId) -> u16 {
    track.number() as u16
}

/// The text of an event.
fn text_of(info: &SpanInfo) -> Option<&str> {
    let (_, value) = info.fields.iter().find(|(name, _)| *name == "Event")?;
    if let Value::Text(text) = value { Some(text.for_comparing()) } else { None }
}

/// All points of a track, each with what it says, found one after the other.
fn points(model: &mut Model, log: &[u8], track: TrackId) -> Vec<(Nanos, String)> {
    let (mut points, mut at) = (Vec::new(), Nanos(0));
    let first = model.look_up(&arranged(model), track, Nanos(0), Nanos(1));
    let mut found = answered(model, log, first).0;
    loop {
        if let Place::Span(info) | Place::Many { longest: info, .. } = &found {
            points.push((info.span.start, text_of(info).expect("it can be read").to_string()));
        }
        let next = model.neighbour(&arranged(model), track, at, Direction::Next);
        found = answered(model, log, next).0;
        let Place::Span(info) = &found else { return points };
        assert!(info.span.start > at);
        at = info.span.start;
    }
}

#[test]
fn other_events_have_a_row_for_each_type_and_say_what_the_log_says() {
    let (mut types, mut sparks, mut unknown, mut told, mut halves) = (0, 0, 0, 0, 0);
    for (seed, path) in files(&project().join("tests/corpus"), "log.eventlog").iter().enumerate() {
        let log = fs::read(path).unwrap();
        let forms = [log.clone()].into_iter().chain(Mutants::new(&log, seed as u64).take(2));
        for (form, log) in forms.enumerate() {
            let name = format!("{}, form {form}", path.display());
            let expected = others(&log);
            let mut model = model_in_steps(&log, 10_000);
            let tracks = tracks(&model);
            let numbers: Vec<u16> = tracks.iter().map(|track| tag_of(track.id)).collect();
            assert_eq!(numbers, expected.keys().copied().take(numbers.len()).collect::<Vec<_>>(), "{name}");
            assert!(numbers.len() == expected.len().min(limits::MAX_OTHER_TYPES), "{name}");
            let half = model.extent().and_then(|(first, last)| {
                let middle = first.plus(Nanos(last.since(first).0 / 2));
                whole_range(&mut model, &log, first, middle).map(|(range, _)| (range, first, middle))
            });
            for track in &tracks {
                let all = &expected[&tag_of(track.id)];
                let (group, place) = model.place(&arranged(&model), track.id).unwrap();
                assert_eq!(group, if is_spark(tag_of(track.id)) { "sparks" } else { "other" }, "{name}");
                assert_eq!(model.tracks_of(&arranged(&model), group, place, 1)[0].id, track.id, "{name}");
                sparks += usize::from(group == "sparks");
                assert_eq!(track.note, ghc_eventlog_model::Note::Number(all.len() as u64), "{name}");
                if let Some((range, first, middle)) = &half {
                    let within = all.iter().filter(|(time, _)| first <= time && time < middle).count() as u64;
                    let counted =
                        model.range_totals(&arranged(&model), range, track.id).and_then(|totals| totals.count);
                    assert_eq!(counted, Some(within), "{name}, {}", track.name.for_comparing());
                    halves += u64::from(0 < within && within < all.len() as u64);
                }
                unknown += usize::from(ghc_eventlog::info(tag_of(track.id)).is_none());
                if all.len() > 200 || form > 0 {
                    continue;
                }
                // Of those that have the same time one is found.
                for (time, text) in points(&mut model, &log, track.id) {
                    let is_it = |(at, said): &(Nanos, String)| *at == time && *said == text;
                    assert!(all.iter().any(is_it), "{name}, {}: {text} at {time:?}", track.name.for_comparing());
                    told += 1;
                }
            }
            types += tracks.len();
        }
    }
    assert!(types > 500 && sparks > 15, "{types} types, {sparks} of sparks");
    assert!(unknown > 3 && told > 1000, "{unknown} unknown, {told} told");
    assert!(halves > 100, "{halves} have some in either half");
}

#[test]
fn unknown_numbers_have_the_names_that_the_header_gives_them() {
    let log = fs::read(project().join("tests/corpus/malformed-19-unknown-types/log.eventlog")).unwrap();
    let model = model_in_steps(&log, 1000);
    let names: Vec<(u16, String)> =
        tracks(&model).into_iter().map(|track| (tag_of(track.id), track.name.for_json())).collect();
    let header = decode_in_steps(&log, 1000, |decoder, _| decoder.header().clone()).events.pop().unwrap();
    for number in [300, 301, 302] {
        let described = header.declared(number).unwrap().description.to_string();
        assert!(names.contains(&(number, described)), "{names:?}");
    }
}

/// For a log with an event of each type of the table, exactly the types that the list calls other events or single
/// sparks are shown there.
#[test]
fn the_list_is_true_of_a_log_that_has_every_type() {
    let mut log = LogWriter::new();
    let payload = [0; 400];
    log.block(Block::of(CapNo(0)), |block| {
        for info in EVENTS.iter().filter(|info| info.tag != BlockMarker::TAG) {
            let fields = Record {
                offset: 0,
                time: Nanos(0),
                tag: info.tag,
                cap: None,
                known: true,
                payload: &payload[..info.min_size],
            };
            block.record(Nanos(u64::from(info.tag)), info.tag, fields.event());
        }
    });
    log.end();
    let model = model_in_steps(&log.finish(), 10_000);
    let expected = EVENTS.iter().filter(|info| is_other(info.tag, true)).map(|info| (info.tag, info.name.to_string()));
    let found: Vec<(u16, String)> =
        tracks(&model).into_iter().map(|track| (tag_of(track.id), track.name.for_json())).collect();
    assert_eq!(found, expected.collect::<Vec<_>>());
    assert_eq!(model.events(), EVENTS.len() as u64 - 1);
}

/// Each pixel has as many points as there are events in its time.
#[test]
fn pixels_count_the_events() {
    let log = fs::read(project().join("tests/corpus/threaded/log.eventlog")).unwrap();
    let mut model = model_in_steps(&log, 10_000);
    let (from, to) = model.extent().unwrap();
    let view = View { from, to: to.plus(Nanos(1)), width: 700 };
    let plan = model.plan(view);
    for (tag, events) in others(&log) {
        let track = tracks(&model).into_iter().find(|track| tag_of(track.id) == tag).unwrap();
        let window = model.window(&arranged(&model), &plan, track.id);
        let mut counts = vec![0; 700];
        for (time, _) in &events {
            counts[(time.since(from).0 as f64 / view.pixel()) as usize] += 1;
        }
        assert_eq!((window.exact, window.counts), (true, counts), "{tag}");
    }
}

/// Unknown events are shown as bytes.
#[test]
fn unknown_events_are_shown_as_bytes() {
    let log = fs::read(project().join("tests/corpus/malformed-19-unknown-types/log.eventlog")).unwrap();
    let mut model = model_in_steps(&log, 1000);
    let payloads = decode_in_steps(&log, 1000, |_, record| (record.tag, record.time, record.payload.to_vec())).events;
    for (number, bytes) in [(300, true), (301, true), (302, false)] {
        let track = tracks(&model).into_iter().find(|track| tag_of(track.id) == number).unwrap();
        let (_, time, payload) = payloads.iter().find(|(tag, ..)| *tag == number).unwrap();
        let search = model.look_up(&arranged(&model), track.id, *time, time.plus(Nanos(1)));
        let Place::Span(info) = answered(&mut model, &log, search).0 else { panic!("{number}") };
        let told = info.fields.iter().find(|(name, _)| *name == "Bytes").map(|(_, value)| value.clone());
        let expected: Vec<String> = payload.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(told, bytes.then(|| Value::words(expected.join(" "))), "{number}");
    }
}

/// There may be very many of a type: few are kept, all are counted, and the picture has them all.
#[test]
fn very_many_events_are_all_counted_but_few_are_kept() {
    let mut log = LogWriter::new();
    for block in 0..2000 {
        log.block(Block::of(CapNo(0)), |events| {
            for event in 0..100 {
                let thread = ThreadId(7);
                events.event(Nanos(block * 100_000 + event * 1000), ThreadWakeup { thread, cap: CapNo(0) });
            }
        });
    }
    log.end();
    let log = log.finish();
    let mut model = model_in_steps(&log, 1 << 20);
    let track = tracks(&model).into_iter().next().unwrap();
    let all = others(&log)[&tag_of(track.id)].len() as u64;
    assert!(all > 100 * limits::MAX_OTHER_POINTS as u64, "{all}");
    assert_eq!(track.note, ghc_eventlog_model::Note::Number(all));
    let (from, to) = model.extent().unwrap();
    let plan = model.plan(View { from, to: to.plus(Nanos(1)), width: 100 });
    let window = model.window(&arranged(&model), &plan, track.id);
    let drawn: u64 = window.counts.iter().map(|count| u64::from(*count)).sum();
    assert!((all * 95 / 100..=all * 105 / 100).contains(&drawn), "{drawn} of {all}");
    let (least, most) = (window.counts.iter().min(), window.counts.iter().max());
    assert!(least >= Some(&((all / 150) as u32)) && most <= Some(&((all / 70) as u32)), "{least:?} to {most:?}");
    assert!(model.bytes_held() < 30 << 20);
}

/// Even if a further header of the file does not declare it, or describes it differently.
#[test]
fn a_type_has_one_name() {
    let log = |descriptions: &[(u16, &str)]| {
        let of = |&(tag, description): &(u16, &str)| EventType { tag, size: 0, description: description.into() };
        let types: Vec<EventType> = known_types().into_iter().chain(descriptions.iter().map(of)).collect();
        let mut log = LogWriter::with_types(&types);
        log.block(Block::of(CapNo(0)), |block| {
            for (tag, _) in descriptions {
                block.record(Nanos(1), *tag, Event::Unknown(&[]));
            }
        });
        log.end();
        log.finish()
    };
    let whole = [log(&[(300, "a thing"), (301, ""), (302, "before")]), log(&[(302, "after")])].concat();
    let mut model = model_in_steps(&whole, 1 << 16);
    let names = ["a thing", "type 301", "before"];
    let text = |value: &Value| if let Value::Text(text) = value { text.for_json() } else { panic!("{value:?}") };
    assert_eq!(tracks(&model).iter().map(|track| track.name.for_comparing()).collect::<Vec<_>>(), names);
    let facts = model.facts(None);
    let choices = &facts.section("events").unwrap().listing.as_ref().unwrap().choices;
    assert_eq!(choices.iter().map(|choice| choice.name.clone()).collect::<Vec<_>>(), names);
    let order = model.order(TableQuery { table: "events".into(), ..TableQuery::default() }, None);
    let page = model.page(&order, None, 0, 10);
    assert_eq!(page.rows.iter().map(|row| text(&row[1])).collect::<Vec<_>>(), names);
    let mut job = model.event_rows(&EventsWish::default(), 0, 10).unwrap();
    while let [(offset, length), ..] = job.reads(&mut model)[..] {
        job.give(&mut model, offset, &whole[offset as usize..(offset + length) as usize]).unwrap();
    }
    let types: Vec<String> = job.page().unwrap().rows.iter().map(|row| text(&row[4])).collect();
    assert_eq!(types, ["a thing", "type 301", "before", "before"]);
}

/// The runs of places are those of a look at each row's name.
#[test]
fn rows_are_found_by_their_names() {
    let (mut found, mut cut) = (0, 0);
    for path in files(&project().join("tests/corpus"), "log.eventlog") {
        let model = model_in_steps(&fs::read(&path).unwrap(), 10_000);
        for group in model.groups(&arranged(&model)) {
            let names: Vec<String> = model
                .tracks_of(&arranged(&model), group.key, 0, usize::MAX)
                .iter()
                .map(|track| track.name.for_comparing().to_lowercase())
                .collect();
            for text in ["", "1", "GC", "wörker", "al", "no such row"] {
                let wanted: Vec<usize> =
                    (0..names.len()).filter(|place| names[*place].contains(&text.to_lowercase())).collect();
                let runs = model.rows_named(&arranged(&model), group.key, text, usize::MAX);
                let places: Vec<usize> = runs.iter().cloned().flatten().collect();
                assert_eq!(places, wanted, "{text} in {} of {}", group.key, path.display());
                assert!(runs.windows(2).all(|pair| pair[0].end < pair[1].start), "neighbours are one run");
                found += places.len();
                let first = model.rows_named(&arranged(&model), group.key, text, 1);
                assert_eq!(first.as_slice(), &runs[..runs.len().min(1)]);
                cut += usize::from(runs.len() > 1);
            }
        }
    }
    assert!(found > 1000 && cut > 10, "{found} rows, {cut} times several runs");
}
