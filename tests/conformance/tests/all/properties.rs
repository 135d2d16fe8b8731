//! Properties of every log, good or bad.

use conformance::{Decoded, decode_in_steps, files, model_in_steps, project, shared_logs, tiled};
use ghc_eventlog::{BlockMarker, Chunk, Decoder, Nanos, Record, Step};
use std::{fs, path::PathBuf};

fn every_log() -> Vec<PathBuf> {
    let mut logs = files(&project().join("tests/corpus"), ".eventlog");
    assert!(logs.len() > 6, "the corpus is there");
    logs.extend(shared_logs());
    logs
}

/// What two decoders must agree on: offset, time, number, capability and length of every event.
type Event = (u64, u64, u16, Option<u16>, usize);

fn event(_: &Decoder, record: Record<'_>) -> Event {
    let used = record.decode().used;
    (record.offset, record.time.0, record.tag, record.cap.map(|cap| cap.0), record.payload.len() + used)
}

fn whole(log: &[u8]) -> Decoded<Event> {
    decode_in_steps(log, log.len(), event)
}

#[test]
fn any_chunking_gives_the_same_events_and_errors() {
    for path in every_log() {
        let log = fs::read(&path).unwrap();
        let whole = whole(&log);
        for step in [1, 7, 64, 1000, 4099] {
            assert_eq!(decode_in_steps(&log, step, event), whole, "{} in steps of {step}", path.display());
        }
    }
}

/// Logs up to this many bytes are tried at every byte, larger ones at intervals.
const SMALL: usize = 8000;

/// The distance between the offsets at which a log is tried: never a multiple of two, so that no field is always
/// missed.
fn stride(log: &[u8], places: usize) -> usize {
    if log.len() <= SMALL { 1 } else { (log.len() / places) | 1 }
}

/// Cut anywhere, a log never causes a panic, and has the same events before the cut as the whole log, except the last
/// one: what would confirm it may be cut off.
#[test]
fn a_log_cut_anywhere_keeps_what_is_before_the_cut() {
    for path in every_log() {
        let log = fs::read(&path).unwrap();
        let whole = whole(&log);
        let undamaged = !whole.notices.iter().any(|notice| notice.kind.is_loss());
        for cut in (0..log.len()).step_by(stride(&log, 400)) {
            let part = decode_in_steps(&log[..cut], cut.max(1), event);
            let before = whole.events.iter().take_while(|event| event.0 <= cut as u64).count();
            let sure = if undamaged { before.saturating_sub(2) } else { 0 };
            assert!(part.events.len() >= sure, "{} cut at {cut}", path.display());
            assert_eq!(part.events[..sure], whole.events[..sure], "{} cut at {cut}", path.display());
        }
    }
}

/// With one byte changed, a log never causes a panic, an endless loop, or a request for more bytes than there are.
#[test]
fn a_changed_byte_is_survived() {
    for path in every_log() {
        let mut log = fs::read(&path).unwrap();
        for at in (0..log.len()).step_by(stride(&log, 150)) {
            for flip in [0x01, 0x80, 0xff] {
                log[at] ^= flip;
                decode_in_steps(&log, log.len(), event);
                log[at] ^= flip;
            }
        }
    }
}

/// If one block in a hundred of a long log is destroyed from its first byte to its last, nearly all events are still
/// read.
#[test]
fn the_blocks_after_a_destroyed_one_are_read() {
    let log = tiled(&fs::read(project().join("tests/corpus/threaded/log.eventlog")).unwrap(), 250);
    let mut blocks = Vec::new();
    let good = decode_in_steps(&log, log.len(), |_, record| {
        if record.tag == BlockMarker::TAG {
            blocks.push((record.offset as usize, BlockMarker::read(record.payload).size as usize));
        }
        (record.offset, record.time.0, record.tag)
    });
    assert!(blocks.len() > 500);
    let mut damaged = log.clone();
    let mut random = fastrand::Rng::with_seed(1);
    for (offset, size) in blocks.into_iter().skip(50).step_by(100) {
        random.fill(&mut damaged[offset..offset + size]);
    }
    let read = decode_in_steps(&damaged, damaged.len(), |_, record| (record.offset, record.time.0, record.tag));
    let kept = read.events.iter().filter(|event| good.events.binary_search(event).is_ok()).count();
    let share = kept as f64 / good.events.len() as f64;
    println!("recovered {:.2} % of the events; {} were never there", share * 100.0, read.events.len() - kept);
    assert!(share > 0.95, "{share}");
}

/// Damage in the data costs little: with one byte changed in each hundredth of a log, nearly all events are still read.
#[test]
fn damage_costs_little() {
    for path in every_log() {
        let log = fs::read(&path).unwrap();
        let good = whole(&log);
        let Some(first) = good.events.first().filter(|_| good.events.len() > 500) else { continue };
        let mut damaged = log.clone();
        for part in 1..100 {
            let at = first.0 as usize + 24 + (log.len() - first.0 as usize - 24) * part / 100;
            damaged[at] ^= 0xff;
        }
        // A changed capability in a block marker cannot be seen, so it is left out of the comparison.
        let place = |event: &Event| (event.0, event.1, event.2);
        let read = whole(&damaged);
        let kept = read.events.iter().map(place);
        let kept = kept.filter(|event| good.events.binary_search_by_key(event, place).is_ok()).count();
        let share = kept as f64 / good.events.len() as f64;
        assert!(share > 0.8, "{}: {share}", path.display());
    }
}

/// From any position, a decoder continues as if it had never stopped.
#[test]
fn decoding_goes_on_from_any_position() {
    for path in every_log() {
        let log = fs::read(&path).unwrap();
        let chunk = Chunk { bytes: &log, offset: 0, last: true };
        let mut decoder = Decoder::new();
        let mut positions = Vec::new();
        let mut events = Vec::new();
        while let Ok(step) = decoder.next(chunk) {
            match step {
                Step::Event(record) => events.push(event(&decoder, record)),
                Step::Header => {}
                Step::Notice(_) => continue,
                Step::Need(_) | Step::End => break,
            }
            positions.push((decoder.position(), events.len()));
        }
        let stride = (positions.len() / 300).max(1);
        for &(position, done) in positions.iter().step_by(stride) {
            let expected = &events[done..events.len().min(done + 300)];
            let mut resumed = decoder.resumed(position);
            let mut found = Vec::new();
            while found.len() < expected.len() {
                match resumed.next(chunk) {
                    Ok(Step::Event(record)) => found.push(event(&resumed, record)),
                    Ok(Step::Header | Step::Notice(_)) => {}
                    Ok(Step::Need(_) | Step::End) | Err(_) => break,
                }
            }
            assert_eq!(found, expected, "{} from {position:?}", path.display());
        }
    }
}

/// Damage costs events, but hardly ever makes a log centuries long.
#[test]
fn damage_does_not_stretch_a_log() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut absurd = Vec::new();
    let mut tries = 0;
    for name in ["threaded", "sparks-full", "heap-closure", "time-profile"] {
        let path = project().join("tests/corpus").join(name).join("log.eventlog");
        let log = fs::read(&path).unwrap();
        let data = log.windows(4).position(|bytes| bytes == b"datb").unwrap() + 4;
        let (_, end) = model_in_steps(&log, log.len()).extent().unwrap();
        for kind in 0..3 {
            for _ in 0..200 {
                let mut log = log.clone();
                let length = if kind == 0 { 1 } else { random.usize(20..4096) };
                let at = random.usize(data..log.len() - length);
                for byte in &mut log[at..at + length] {
                    *byte = if kind == 1 { 0 } else { random.u8(..) };
                }
                tries += 1;
                let Some((_, to)) = model_in_steps(&log, log.len()).extent() else { continue };
                if to > Nanos(end.0 * 2 + 10_000_000_000) {
                    absurd.push((name, kind, at, length, to));
                }
            }
        }
    }
    // If a block's marker is lost with what follows it, nothing shows which times are right.
    assert!(absurd.len() < tries / 300, "{} of {tries}: {:?}", absurd.len(), &absurd[..absurd.len().min(12)]);
}
