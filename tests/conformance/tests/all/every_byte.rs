//! Every byte of a log is part of an event, of a header, of an end mark, or of exactly one notice that counts it as lost.

use conformance::{Mutants, files, model_in_steps, project, shared_logs};
use ghc_eventlog::{Chunk, Decoder, LogWriter, NoticeKind, Step};
use ghc_eventlog_model::Model;
use std::{env, fs, ops::Range, path::PathBuf};

/// The kind of a part of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Event,
    /// From its start to the first event, or to where nothing more of it can be read.
    Header,
    /// With the lost bytes that the notice names.
    Lost(u64),
}

/// The parts of a log according to the decoder, in its order; `None` if the header cannot be read.
///
/// Only the ends of headers come from the decoder's offset. The length of an event comes from its record.
fn parts(log: &[u8]) -> Option<Vec<(Range<u64>, Part)>> {
    let mut decoder = Decoder::new();
    let mut parts = Vec::new();
    let mut header = Some(0);
    loop {
        match decoder.next(Chunk { bytes: log, offset: 0, last: true }).ok()? {
            Step::Need(_) | Step::End => return Some(parts),
            Step::Event(record) => {
                let sized = if is_variable(log, record.offset, record.payload) { 2 } else { 0 };
                let length = 10 + sized + record.payload.len() as u64;
                parts.push((record.offset..record.offset + length, Part::Event));
            }
            Step::Header => parts.extend(header.take().map(|from| (from..decoder.offset(), Part::Header))),
            Step::Notice(notice) => {
                let lost = notice.kind.lost_bytes();
                match notice.kind {
                    NoticeKind::FurtherStream => header = Some(notice.offset),
                    NoticeKind::FurtherHeader(_) => {
                        parts.extend(header.take().map(|from| (from..decoder.offset(), Part::Header)));
                    }
                    _ => {}
                }
                if lost > 0 {
                    parts.push((notice.offset..notice.offset + lost, Part::Lost(lost)));
                }
            }
        }
    }
}

/// Whether a record carries its own length, from where its payload is in the log.
fn is_variable(log: &[u8], offset: u64, payload: &[u8]) -> bool {
    payload.as_ptr() as usize - log.as_ptr() as usize == offset as usize + 12
}

/// The bytes that are not part of anything. Lost bytes of a header are within it; all other parts must not overlap.
fn gaps(log: &[u8], parts: &[(Range<u64>, Part)]) -> Vec<Range<u64>> {
    let headers: Vec<_> =
        parts.iter().filter(|(_, part)| *part == Part::Header).map(|(range, _)| range.clone()).collect();
    let within =
        |range: &Range<u64>| headers.iter().any(|header| header.start <= range.start && range.end <= header.end);
    let mut apart: Vec<_> = parts.iter().filter(|(range, part)| *part == Part::Header || !within(range)).collect();
    apart.sort_by_key(|(range, _)| range.start);
    let mut inside: Vec<_> = parts.iter().filter(|(range, part)| *part != Part::Header && within(range)).collect();
    inside.sort_by_key(|(range, _)| range.start);
    assert!(inside.windows(2).all(|two| two[0].0.end <= two[1].0.start), "lost twice in a header: {inside:?}");
    let (mut at, mut gaps) = (0, Vec::new());
    for (range, part) in apart {
        assert!(range.start >= at, "{range:?} is {part:?}, but so is what is before {at}");
        if range.start > at {
            gaps.push(at..range.start);
        }
        at = range.end;
    }
    if at < log.len() as u64 {
        gaps.push(at..log.len() as u64);
    }
    gaps
}

/// Checks a log. Returns `None` if nothing of it could be read, otherwise whether anything was lost.
fn holds(log: &[u8], name: &str) -> Option<bool> {
    let parts = parts(log)?;
    for gap in gaps(log, &parts) {
        let bytes = &log[gap.start as usize..gap.end as usize];
        let between_streams = bytes.strip_prefix(b"\xff\xff").is_some_and(|rest| {
            rest.is_empty()
                || rest.len().is_multiple_of(24) && rest.chunks(24).all(|block| block.starts_with(b"\0\x12"))
        });
        assert!(between_streams, "{name}: {gap:?} is part of nothing: {:x?}", &bytes[..bytes.len().min(40)]);
    }
    let lost: u64 = parts.iter().map(|(_, part)| if let Part::Lost(bytes) = part { *bytes } else { 0 }).sum();
    let model = model(log);
    assert_eq!(model.diagnostics().lost_bytes(), lost, "{name}");
    assert_eq!(model.offset(), log.len() as u64, "{name}");
    Some(lost > 0)
}

fn model(log: &[u8]) -> Model {
    model_in_steps(log, log.len().max(1))
}

fn every_log() -> Vec<PathBuf> {
    let mut logs = files(&project().join("tests/corpus"), ".eventlog");
    logs.extend(shared_logs());
    logs
}

#[test]
fn every_byte_of_a_log_is_part_of_something_once() {
    let tries = env::var("MUTANTS").ok().and_then(|tries| tries.parse().ok()).unwrap_or(25);
    let (mut readable, mut lossy) = (0, 0);
    for (seed, path) in every_log().iter().enumerate() {
        let log = fs::read(path).unwrap();
        holds(&log, &path.display().to_string());
        if log.len() > 300_000 {
            continue;
        }
        for (number, mutant) in Mutants::new(&log, seed as u64).take(tries).enumerate() {
            let lost = holds(&mutant, &format!("{}, mutant {number}", path.display()));
            readable += usize::from(lost.is_some());
            lossy += usize::from(lost == Some(true));
        }
    }
    println!("{readable} mutants that can be read, {lossy} with losses");
    assert!(lossy > 10 * tries && readable > lossy, "{readable} {lossy}");
}

/// Several streams, whose headers, and what is between them, are damaged.
#[test]
fn every_byte_of_several_streams_is_part_of_something_once() {
    let tries = env::var("MUTANTS").ok().and_then(|tries| tries.parse().ok()).unwrap_or(25) * 40;
    let streams = ["malformed-39-second-stream", "malformed-39-marker-between", "malformed-03-junk-before", "resized"];
    let read = |name: &str| fs::read(project().join("tests/corpus").join(name).join("log.eventlog")).unwrap();
    let mut random = fastrand::Rng::with_seed(5);
    let mut lossy = 0;
    for number in 0..tries {
        let mut log = Vec::new();
        for _ in 0..random.usize(1..4) {
            let mut stream = read(random.choice(streams).unwrap());
            // Anywhere in its header, or after it.
            let header = stream.windows(4).position(|bytes| bytes == b"datb").unwrap() + 4;
            for _ in 0..random.usize(..3) {
                let end = if random.bool() { header } else { stream.len() };
                let at = random.usize(..end);
                match random.u8(..4) {
                    0 => stream[at] ^= 1 << random.u8(..8),
                    1 => drop(stream.drain(at..(at + random.usize(1..70)).min(stream.len()))),
                    2 => {
                        drop(stream.splice(at..at, (0..random.usize(1..70)).map(|_| random.u8(..)).collect::<Vec<_>>()))
                    }
                    _ if random.u8(..4) == 0 => stream.truncate(at.max(50)),
                    _ => {}
                }
                if stream.len() < header {
                    break;
                }
            }
            log.extend(stream);
        }
        lossy += usize::from(holds(&log, &format!("streams {number}")) == Some(true));
    }
    println!("{tries} logs of several streams, {lossy} with losses");
    assert!(lossy > tries / 4, "{lossy}");
}

fn is_complete(model: &Model) -> bool {
    let facts = model.facts(None);
    let complete = format!("{:?}", facts.section("log").unwrap().get("complete").unwrap().value);
    assert!(complete.contains("\"yes\"") != complete.contains("\"no\""), "{complete}");
    complete.contains("\"yes\"")
}

/// If the file ends within the second header, the log is not complete, even if no byte is lost.
#[test]
fn a_log_whose_second_header_is_cut_is_not_complete() {
    let log = fs::read(project().join("tests/corpus/malformed-39-second-stream/log.eventlog")).unwrap();
    let ends = |mark: &[u8]| log.windows(mark.len()).rposition(|bytes| bytes == mark).unwrap();
    let (from, to) = (ends(b"hdrb"), ends(b"datb") + 4);
    let mut without_loss = 0;
    for cut in from + 9..to {
        let model = model(&log[..cut]);
        assert!(!is_complete(&model), "cut at {cut}");
        without_loss += usize::from(model.diagnostics().lost_bytes() == 0);
    }
    assert!(without_loss > 3, "cut between two types");
    assert!(is_complete(&model(&log)));
}

/// A second header that ends too early, and a block after it, whose bytes never were events.
#[test]
fn what_follows_a_header_that_cannot_be_read_is_lost() {
    let first = fs::read(project().join("tests/corpus/malformed-39-second-stream/log.eventlog")).unwrap();
    let first = &first[..first.windows(2).rposition(|bytes| bytes == b"\xff\xff").unwrap() + 2];
    let rest = LogWriter::new().finish();
    let log = [first, &rest[..60], &[0x5a; 300]].concat();
    let model = model(&log);
    let lost = model.diagnostics().lost_bytes();
    assert!((300..360).contains(&lost), "{lost}");
    assert!(!is_complete(&model));
    assert_eq!(holds(&log, "a second header cut"), Some(true));
}
