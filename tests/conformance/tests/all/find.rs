//! What searches find is what one finds who looks at all events, whatever the segments and the order; spans are found once, with
//! their lengths. `MUTANTS=200` tries 200 mutants of each log.

use conformance::{Mutants, files, long_logs, model_in_steps, part_of, project, replay, shared_logs};
use ghc_eventlog::{
    Block, CapNo, Chunk, CreateThread, Decoder, Header, LogWriter, Nanos, Record, Step, Text, ThreadId, ThreadLabel,
    UserMsg, info,
};
use ghc_eventlog_model::{
    FindOrder, FindWishes, Hit, HitBuckets, HitKind, Level, LogText, Model, NameHits, NameKind, Query, Wishes, work,
};
use std::{collections::BTreeMap, env, fs, time::Duration};

/// Larger logs take too long for this.
const LARGE: u64 = 200_000;

fn logs() -> Vec<(String, Vec<u8>)> {
    let hostile = files(&project().join("../shared/hostile"), ".eventlog");
    let mut logs = files(&project().join("tests/corpus"), "log.eventlog");
    assert!(logs.len() > 100, "the corpus is there");
    logs.extend(shared_logs().into_iter().chain(hostile));
    logs.retain(|path| fs::metadata(path).is_ok_and(|data| data.len() < LARGE));
    logs.iter().map(|path| (path.display().to_string(), fs::read(path).unwrap())).collect()
}

fn mutants(usual: usize) -> usize {
    env::var("MUTANTS").ok().and_then(|count| count.parse().ok()).unwrap_or(usual)
}

/// All hits, and how many there are.
fn found(model: &mut Model, log: &[u8], text: &str, order: FindOrder) -> (Vec<Hit>, u64) {
    let query = Query::parse(text).unwrap();
    let wishes = FindWishes { order, most_text: usize::MAX, ..FindWishes::default() };
    // Of most logs, not all hits have room.
    let mut find = model.find_within(&query, wishes, 1 << 16).unwrap();
    assert_eq!(work(&mut find, model, part_of(log)), Ok(true), "{text}");
    assert!(find.is_done());
    let mut hits = find.take_hits();
    if order != FindOrder::InTime {
        let kept = HitKind::ALL.into_iter().flat_map(|kind| find.hits(kind)).cloned();
        hits.extend(kept);
        hits.sort_by_key(|hit| (hit.time, hit.place));
    }
    (hits, find.total())
}

/// The nearest hits of each kind first: all of them.
const ALL: FindOrder = FindOrder::Nearest(Nanos(0), usize::MAX / 4);

/// An event as a simple search sees it.
struct Line {
    offset: u64,
    time: Nanos,
    cap: Option<CapNo>,
    name: String,
    text: String,
}

/// All events of a log but block markers.
fn lines(log: &[u8]) -> Vec<Line> {
    let (mut decoder, mut lines) = (Decoder::new(), Vec::new());
    let line = |record: &Record<'_>, header: &Header| {
        let mut text = Vec::new();
        ghc_eventlog_text::fields_to(&mut text, record, header, ghc_eventlog_text::Style::default());
        let name = info(record.tag).map_or("", |info| info.name).to_string();
        Line {
            offset: record.offset,
            time: record.time,
            cap: record.cap,
            name,
            text: String::from_utf8_lossy(&text).into_owned(),
        }
    };
    while let Ok(step) = decoder.next(Chunk { bytes: log, offset: 0, last: true }) {
        match step {
            Step::Event(record) if record.is_block_marker() => {}
            Step::Event(record) => lines.push(line(&record, decoder.header())),
            Step::Header | Step::Notice(_) => {}
            Step::Need(_) | Step::End => break,
        }
    }
    lines
}

/// A line of each of 12 types, chosen at random: a query made from it is tried on all lines.
fn of_each_type<'a>(lines: &'a [Line], random: &mut fastrand::Rng) -> Vec<&'a Line> {
    let last: BTreeMap<&str, &Line> = lines.iter().map(|line| (&*line.name, line)).collect();
    let mut chosen: Vec<&Line> = last.into_values().collect();
    random.shuffle(&mut chosen);
    chosen.truncate(12);
    chosen
}

/// A query, and what it means.
type Meaning = (String, Box<dyn Fn(&Line) -> bool>);

/// Whether a line has a part, whatever the capitals.
fn has(part: &str) -> impl Fn(&Line) -> bool + use<> {
    let part = part.to_lowercase();
    move |line| line.text.to_ascii_lowercase().contains(&part)
}

fn meanings(lines: &[Line], random: &mut fastrand::Rng) -> Vec<Meaning> {
    let mut meanings: Vec<Meaning> = Vec::new();
    let mut means = |text: String, meaning: Box<dyn Fn(&Line) -> bool>| meanings.push((text, meaning));
    for word in ["thread", "12", "7", "0", "beef", "gc", "cap 1", "blocked on", "size", "no such text"] {
        means(format!("\"{word}\""), Box::new(has(word)));
        means(format!("-\"{word}\""), Box::new(move |line| !has(word)(line)));
    }
    means(
        "thread*1".into(),
        Box::new(|line| line.text.to_lowercase().split_once("thread").is_some_and(|(_, rest)| rest.contains('1'))),
    );
    means("/threads? 1/".into(), Box::new(|line| ["thread 1", "threads 1"].iter().any(|part| has(part)(line))));
    means("type:RUN_THREAD".into(), Box::new(|line| line.name == "RUN_THREAD"));
    means("type:gc_* -type:GC_START".into(), Box::new(|line| line.name.starts_with("GC_") && line.name != "GC_START"));
    means("type:marker".into(), Box::new(|line| line.name == "USER_MARKER"));
    means("cap:0".into(), Box::new(|line| line.cap == Some(CapNo(0))));
    means(
        "cap:1 -type:thread".into(),
        Box::new(|line| {
            let of_threads = ["CREATE_THREAD", "RUN_THREAD", "STOP_THREAD", "THREAD_", "MIGRATE_THREAD"];
            line.cap == Some(CapNo(1)) && !of_threads.iter().any(|begin| line.name.starts_with(begin))
        }),
    );
    if let Some(line) = random.choice(lines) {
        let (from, to) = (line.time, line.time.plus(Nanos(random.u64(..1 << 24))));
        means(format!("from:@{} to:@{}", from.0, to.0), Box::new(move |line| from <= line.time && line.time < to));
        let numbers = line.text.split(|letter: char| !letter.is_ascii_digit()).filter(|number| !number.is_empty());
        for number in numbers.map(String::from).take(3) {
            means(number.clone(), Box::new(has(&number)));
            let expression = format!("/{number}($|[^0-9])/");
            let ends = move |line: &Line| {
                let mut runs = line.text.split(|letter: char| !letter.is_ascii_digit());
                runs.any(|run| run.ends_with(&number))
            };
            means(expression, Box::new(ends));
        }
    }
    for line in of_each_type(lines, random) {
        let letters: Vec<char> = line.text.chars().filter(|letter| letter.is_ascii() && !letter.is_control()).collect();
        let at = random.usize(..letters.len().max(1));
        let part: String = letters.iter().skip(at).take(random.usize(3..12)).collect();
        let written = part.replace('\\', "\\\\").replace('"', "\\\"");
        let has_capitals = part.chars().any(char::is_uppercase);
        means(
            format!("\"{written}\""),
            Box::new(move |line| if has_capitals { line.text.contains(&part) } else { has(&part)(line) }),
        );
    }
    meanings
}

/// Compares searches with looking at all events. Returns how many were found.
fn agrees(log: &[u8], step: usize, seed: u64, what: &str) -> usize {
    let lines = lines(log);
    let mut model = model_in_steps(log, step);
    if model.error().is_some() {
        return 0;
    }
    replay(&mut model, log);
    let mut all = 0;
    for (text, meaning) in meanings(&lines, &mut fastrand::Rng::with_seed(seed)) {
        let mut expected: Vec<(Nanos, u64)> =
            lines.iter().filter(|line| meaning(line)).map(|line| (line.time, line.offset)).collect();
        expected.sort_unstable();
        for order in [ALL, FindOrder::InTime] {
            let (hits, total) = found(&mut model, log, &text, order);
            assert_eq!(hits.len() as u64, total, "{what}: {text}");
            let events = hits.iter().filter(|hit| !hit.kind.is_span());
            let events: Vec<(Nanos, u64)> = events.map(|hit| (hit.time, hit.place)).collect();
            let differs = events.iter().zip(&expected).position(|(one, other)| one != other);
            assert_eq!((events.len(), differs), (expected.len(), None), "{what}: {text} {order:?}");
            assert!(order != FindOrder::InTime || hits.is_sorted_by_key(|hit| hit.time), "{what}: {text}");
        }
        all += expected.len();
    }
    all
}

#[test]
fn events_are_found_as_by_looking_at_all_of_them() {
    let (mut found, mut tried) = (0, 0);
    for (name, log) in logs() {
        let all = Mutants::new(&log, 1).take(mutants(2));
        for (number, mutant) in std::iter::once(log.clone()).chain(all).enumerate() {
            found += agrees(
                &mutant,
                [100, 5000, usize::MAX][number % 3],
                number as u64,
                &format!("{name}, mutant {number}"),
            );
            tried += 1;
        }
    }
    println!("{tried} logs, {found} hits");
    assert!(tried > 300 && found > 100_000, "{tried} logs, {found} hits");
}

/// They have many segments.
#[test]
fn long_logs_are_searched_segment_by_segment() {
    for (name, log) in long_logs().into_iter().take(6) {
        assert!(agrees(&log, 1 << 20, 7, &name) > 1000, "{name}");
    }
}

/// Also those that begin in one segment and end in another.
#[test]
fn spans_are_found_once_with_their_lengths() {
    let (mut runs, mut collections, mut spans) = (0, 0, 0);
    let short = logs().into_iter().flat_map(|(name, log)| {
        let mutants: Vec<Vec<u8>> = Mutants::new(&log, 3).take(mutants(2)).collect();
        std::iter::once(log).chain(mutants).map(move |log| (name.clone(), log))
    });
    for (name, log) in short.chain(long_logs()) {
        let mut model = model_in_steps(&log, 1 << 16);
        if model.error().is_some() {
            continue;
        }
        replay(&mut model, &log);
        let (hits, _) = found(&mut model, &log, "type:run", ALL);
        let of_caps = |hit: &&Hit| hit.cap.is_some();
        let ran: u64 = hits.iter().filter(of_caps).filter_map(|hit| hit.length).map(|length| length.0).sum();
        let threads = model.threads();
        let (all, time) = threads.rows().iter().fold((0, 0), |(runs, ran), row| (runs + row.runs, ran + row.ran.0));
        if !threads.is_capped() && hits.iter().all(|hit| hit.cap.is_some()) {
            assert_eq!((hits.len() as u64, ran), (all, time), "{name}");
        }
        runs += hits.len();
        // The longest may be the one that is open when the log ends.
        let longest = hits.iter().filter_map(|hit| hit.length).max().unwrap_or_default();
        for least in [longest.0, longest.0 / 3] {
            let (long, _) = found(&mut model, &log, &format!("type:run longer:{least}ns"), ALL);
            let expected = hits.iter().filter(|hit| hit.length.is_some_and(|length| length.0 >= least));
            assert_eq!(long, expected.cloned().collect::<Vec<_>>(), "{name}: {least} ns");
        }
        let (hits, _) = found(&mut model, &log, "type:GC", ALL);
        let total = model.collections().total();
        let paused: u64 = hits.iter().filter_map(|hit| hit.length).map(|length| length.0).sum();
        assert_eq!((hits.len() as u64, paused), (total.count, total.elapsed.0), "{name}");
        collections += hits.len();
        let (long, _) = found(&mut model, &log, "type:GC longer:200us", ALL);
        let expected = hits.iter().filter(|hit| hit.length.is_some_and(|length| length.0 >= 200_000));
        assert_eq!(long, expected.cloned().collect::<Vec<_>>(), "{name}");
        spans += found(&mut model, &log, "type:span", ALL).0.len();
    }
    println!("{runs} runs, {collections} collections, {spans} spans");
    assert!(
        runs > 100_000 && collections > 10_000 && spans > 1000,
        "{runs} runs, {collections} collections, {spans} spans"
    );
}

/// Of the hits, the nearest to a time are kept; all are counted, and where they are.
#[test]
fn the_nearest_hits_are_kept() {
    let (name, log) = long_logs().swap_remove(0);
    let mut model = model_in_steps(&log, 1 << 16);
    let (first, last) = model.extent().unwrap();
    let (all, total) = found(&mut model, &log, "thread", ALL);
    let near = Nanos((first.0 + last.0) / 2);
    let far = |hit: &Hit| hit.time.0.abs_diff(near.0);
    let wishes = FindWishes {
        order: FindOrder::Nearest(near, 10),
        buckets: HitBuckets { from: first, to: Nanos(last.0 + 1), count: 77 },
        most_text: usize::MAX,
        ..FindWishes::default()
    };
    let mut find = model.find(&Query::parse("thread").unwrap(), wishes).unwrap();
    let mut reads = 0;
    while !find.is_done() && reads < 1 {
        let wanted = ghc_eventlog_model::Job::reads(&mut find, &mut model);
        let (offset, length) = wanted[0];
        let bytes = &log[offset as usize..(offset + length) as usize];
        ghc_eventlog_model::Job::give(&mut find, &mut model, offset, bytes).unwrap();
        reads += 1;
    }
    let nearest = find.hits(HitKind::Event).iter().map(|hit| far(hit)).min();
    assert!(nearest < Some(Duration::from_millis(50).as_nanos() as u64), "{name}: the first part has the nearest hit");
    assert_eq!(work(&mut find, &mut model, part_of(&log)), Ok(true));
    assert_eq!(find.total(), total);
    assert_eq!(find.in_buckets().iter().map(|count| u64::from(*count)).sum::<u64>(), total);
    let kept: Vec<u64> = find.hits(HitKind::Event).iter().map(|hit| far(hit)).collect();
    let mut expected: Vec<u64> = all.iter().filter(|hit| hit.kind == HitKind::Event).map(far).collect();
    expected.sort_unstable();
    assert_eq!((kept.len(), kept.iter().max()), (10, expected.get(9)), "{name}");
}

/// Whatever is typed, and whatever the log.
/// Labels that differ only in the middle, where long ones are cut when there is no room for all: what is not found is said.
#[test]
fn where_labels_are_cut_a_search_says_so() {
    let long = |number: usize| format!("{}{number:08}{}", "a".repeat(2000), "z".repeat(2000));
    let log = |count: usize| {
        let mut log = LogWriter::new();
        log.block(Block::of(CapNo(0)), |block| {
            for at in 0..count {
                let (time, thread, label) = (Nanos(at as u64 * 10), ThreadId(at as u32 + 1), long(at));
                block.event(time, CreateThread { thread });
                block.event(time, ThreadLabel { thread, label: Text(label.as_bytes()) });
                for word in ["START", "STOP"] {
                    block.event(time, UserMsg { text: Text(format!("{word} {label}").as_bytes()) });
                }
            }
        });
        log.end();
        log.finish()
    };
    let remarks = |log: &[u8], query: &str| {
        let mut model = model_in_steps(log, 1 << 20);
        assert!(replay(&mut model, log));
        let mut find = model.find(&Query::parse(query).unwrap(), FindWishes::default()).unwrap();
        assert_eq!(work(&mut find, &mut model, part_of(log)), Ok(true));
        (find.total(), find.remarks(&model).join("; "))
    };
    let (few, many) = (log(20), log(3000));
    assert_eq!(remarks(&few, "type:span label:00000007"), (1, String::new()));
    for (query, of) in
        [("type:span label:00000007", "spans"), ("type:span 00000007", "spans"), ("thread:a00000007z", "threads")]
    {
        let (_, said) = remarks(&many, query);
        assert!(said.contains(&format!("no room for the whole labels of all {of}")), "{query}: {said}");
    }
    assert_eq!(remarks(&many, "type:gc cap:0").1, "");
}

#[test]
fn any_text_is_a_query_or_an_error() {
    const PARTS: [&str; 26] = [
        "thread:", "cap:", "type:", "text:", "label:", "longer:", "shorter:", "from:", "to:", "GC", "run", "span", "1",
        "10ms", "\"", "/", "\\", "*", "?", "-", "=", "@", " ", "λ", "[a-", ")",
    ];
    let mut random = fastrand::Rng::with_seed(env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1));
    let logs: Vec<(String, Vec<u8>)> = logs().into_iter().filter(|(_, log)| log.len() < 20_000).collect();
    let (mut queries, mut errors) = (0, 0);
    for (name, log) in &logs {
        for mutant in Mutants::new(log, 5).take(mutants(2)) {
            let mut model = model_in_steps(&mutant, 999);
            replay(&mut model, &mutant);
            for _ in 0..20 {
                let text: String = (0..random.usize(1..7)).map(|_| *random.choice(&PARTS).unwrap()).collect();
                let completions = model.complete(&text, random.usize(..=text.len()));
                assert!(text.get(completions.from..completions.to).is_some(), "{text}");
                let Ok(query) =
                    Query::parse(&text).inspect_err(|error| assert!(error.at <= text.len(), "{text}: {error}"))
                else {
                    errors += 1;
                    continue;
                };
                let _ = (model.check_query(&query), model.find_names(&query));
                if let Some(mut find) = model.find(&query, FindWishes::default()) {
                    assert_eq!(work(&mut find, &mut model, part_of(&mutant)), Ok(true), "{name}: {text}");
                    queries += 1;
                }
            }
        }
    }
    assert!(queries > 1000 && errors > 1000, "{queries} queries, {errors} errors");
}

/// Every name that a log has is found by itself.
#[test]
fn names_are_found() {
    let (mut threads, mut labels, mut findings) = (0, 0, 0);
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    // A query cannot be as long as the longest name, and the middle of a long one is not in a hit.
    let begin = |name: &str| name[..name.floor_char_boundary(100)].to_string();
    for (name, log) in logs() {
        let mut model = model_in_steps(&log, 1 << 16);
        replay(&mut model, &log);
        let found = |text: &str, kind: NameKind| {
            let groups = model.find_names(&Query::parse(text).unwrap());
            let group = groups.into_iter().find(|group| group.kind == kind);
            group.unwrap_or_else(|| panic!("{name}: {text} finds no {}", kind.name()))
        };
        let has = |group: &NameHits, part: &str| {
            let is_it = |text: &LogText<'_>| text.for_comparing().contains(part);
            group.names.iter().any(|hit| is_it(&hit.name) || is_it(&hit.detail)) || group.count > 200
        };
        for thread in model.threads().rows().iter().take(20) {
            let number = thread.id.0.to_string();
            assert!(has(&found(&number, NameKind::Thread), &number), "{name}: {number}");
            if let Some(label) = model.threads().label(thread.id) {
                let label = begin(label.for_comparing());
                assert!(has(&found(&quoted(&label), NameKind::Thread), &label), "{name}: {label}");
                threads += 1;
            }
        }
        for label in model.span_labels().iter().take(20).map(|label| begin(label.for_comparing())) {
            assert!(has(&found(&format!("label:{}", quoted(&label)), NameKind::Label), &label), "{name}: {label}");
            labels += 1;
        }
        for finding in model.findings().list.iter().filter(|finding| finding.level >= Level::Fine) {
            let hits = model.find_findings(&Query::parse(&quoted(finding.title)).unwrap());
            assert!(hits.is_some_and(|hits| has(&hits, finding.title)), "{name}: {}", finding.title);
            findings += 1;
        }
    }
    assert!(threads > 100 && labels > 20 && findings > 1000, "{threads} threads, {labels} labels, {findings} findings");
}

/// Where not all spans are kept, those of a short time are read again: each is seen on the row of its own label.
#[test]
fn spans_that_are_read_again_are_seen_on_the_rows_of_their_labels() {
    let mut log = LogWriter::new();
    let label = |at: u64| ["a", "b", "c"][(at * 7919 % 5 % 3) as usize];
    for block in 0..70 {
        log.block(Block::of(CapNo(0)), |events| {
            for at in block * 1000..(block + 1) * 1000 {
                for (after, word) in [(0, "START"), (20 + at % 50, "STOP")] {
                    let text = format!("{word} {}", label(at));
                    events.event(Nanos(1000 + at * 100 + after), UserMsg { text: Text(text.as_bytes()) });
                }
            }
        });
    }
    log.end();
    let log = log.finish();
    let mut model = model_in_steps(&log, 1 << 16);
    assert!(replay(&mut model, &log));
    let arrangement = model.arrange(Wishes::default(), None);
    let (hits, _) = found(&mut model, &log, "type:span from:@5000000 to:@5002000", ALL);
    assert_eq!(hits.len(), 20);
    let mut rows: BTreeMap<String, Vec<_>> = BTreeMap::new();
    for hit in &hits {
        let row = model.track_of_hit(&arrangement, hit).expect("a row");
        let of = rows.entry(hit.text.for_comparing().to_string()).or_default();
        of.push(row);
    }
    assert_eq!(rows.len(), 3);
    for row in rows.values_mut() {
        row.dedup();
    }
    let mut all: Vec<_> = rows.into_values().flatten().collect();
    assert_eq!(all.len(), 3, "one for each label: {all:?}");
    all.dedup();
    assert_eq!(all.len(), 3);
}
