//! Headers whose sizes are not GHC's, although nothing is damaged: another writer made the log, and its sizes are true
//! (FORMAT 5.1, row 20).

use conformance::{Decoded, decode_in_steps, malformed, model_in_steps};
use ghc_eventlog::{
    Block, BlockMarker, CapNo, Decoder, EVENTS, Event, EventInfo, EventType, LogWriter, Nanos, NoticeKind, Record,
    VARIABLE,
};
use ghc_eventlog_model::TableQuery;

/// A record as it was written or read: its offset, time, number, payload.
type Raw = (u64, u64, u16, Vec<u8>);

fn raw(_: &Decoder, record: Record<'_>) -> Raw {
    (record.offset, record.time.0, record.tag, record.payload.to_vec())
}

/// A log of a writer with sizes of its own, and its records.
fn other_writers_log(random: &mut fastrand::Rng, in_blocks: bool) -> (Vec<u8>, Vec<Raw>) {
    let mut types = Vec::new();
    for EventInfo { tag, variable, min_size, .. } in EVENTS {
        if *tag != BlockMarker::TAG && random.u8(..3) > 0 {
            // Most events have other sizes than GHC's.
            let size = match variable {
                true => VARIABLE,
                false if random.u8(..4) == 0 => *min_size as u16,
                false => random.u16(..30),
            };
            types.push(EventType { tag: *tag, size, description: format!("Other event {tag}").into() });
        } else if *tag == BlockMarker::TAG && in_blocks {
            types.push(EventType { tag: *tag, size: 14, description: "Block".into() });
        }
    }
    let own: Vec<_> = types.iter().filter(|of| of.tag != BlockMarker::TAG && of.size != VARIABLE).cloned().collect();
    let mut log = LogWriter::with_types(&types);
    let (mut written, mut time) = (Vec::new(), random.u64(1..1 << 40));
    for cap in 0..random.u16(1..6) {
        let mut events = |log: &mut LogWriter| {
            for _ in 0..random.usize(1..60) {
                let EventType { tag, size, .. } = *random.choice(&own).unwrap();
                time += random.u64(..100_000);
                // Fields are small numbers, mostly.
                let byte = |at| if at % 4 == 3 { random.u8(..) } else { 0 };
                let payload: Vec<u8> = (0..usize::from(size)).map(byte).collect();
                written.push((log.offset() as u64, time, tag, payload.clone()));
                log.record(Nanos(time), tag, Event::Unknown(&payload));
            }
        };
        match in_blocks {
            true => drop(log.block(Block::of(CapNo(cap)), events)),
            false => events(&mut log),
        }
    }
    log.end();
    (log.finish(), written)
}

fn is_event(record: &Raw) -> bool {
    record.2 != BlockMarker::TAG
}

#[test]
fn sizes_that_lead_to_the_end_mark_are_true_even_if_they_are_not_ghcs() {
    let mut random = fastrand::Rng::with_seed(34);
    for number in 0..400 {
        let (log, written) = other_writers_log(&mut random, number % 2 == 0);
        let Decoded { events, notices, error } = decode_in_steps(&log, log.len(), raw);
        let events: Vec<Raw> = events.into_iter().filter(is_event).collect();
        assert_eq!(error, None);
        let lost: u64 = notices.iter().map(|notice| notice.kind.lost_bytes()).sum();
        assert_eq!(lost, 0, "{number}: {notices:?}");
        assert!(events == written, "{number}: {} events of {}, {notices:?}", events.len(), written.len());
        for step in [1, 37, 4096] {
            let in_steps = decode_in_steps(&log, step, raw);
            assert!(
                in_steps.notices == notices && in_steps.events.into_iter().filter(is_event).eq(written.iter().cloned())
            );
        }
    }
}

/// Some bytes of the body are damaged: what is lost there is not all that follows.
#[test]
fn damage_does_not_make_true_sizes_false() {
    let mut random = fastrand::Rng::with_seed(35);
    for number in 0..200 {
        let (mut log, written) = other_writers_log(&mut random, true);
        if written.len() < 60 {
            continue;
        }
        let at = written[written.len() / 2].0 as usize;
        log[at..at + 2].copy_from_slice(&[0xee, 0xee]);
        let Decoded { events, .. } = decode_in_steps(&log, log.len(), raw);
        let read = written.iter().filter(|record| events.contains(record)).count();
        assert!(read * 10 >= written.len() * 8, "{number}: {read} of {}", written.len());
    }
}

fn case(name: &str) -> Vec<u8> {
    (malformed::cases().find(|case| case.name == name).unwrap().make)()
}

#[test]
fn a_log_of_march_2009_has_all_its_events_and_no_false_thread() {
    let log = case("malformed-20-march-2009");
    let Decoded { events, notices, .. } = decode_in_steps(&log, log.len(), |decoder, record| {
        assert!(!record.known, "{} has other fields", record.tag);
        assert!(decoder.header().has_other_fields(record.tag));
        record.tag
    });
    assert_eq!(events.len(), 60 * 5 + 6 * 3 + 2);
    let said: Vec<_> = notices.iter().map(|notice| notice.kind).collect();
    assert_eq!(said, [NoticeKind::NoBlockMarkers, NoticeKind::OtherFields { types: 13 }]);
    let model = model_in_steps(&log, log.len());
    assert_eq!(model.diagnostics().lost_bytes(), 0);
    // Number 9 is not the start of a collection here.
    let query = TableQuery { table: "events".into(), ..TableQuery::default() };
    let rows = model.page(&model.order(query, None), None, 0, usize::MAX).rows;
    let names: Vec<String> = rows.iter().map(|row| format!("{:?}", row[1])).collect();
    assert!(names.iter().any(|name| name.contains("Request sequential GC")), "{names:?}");
    assert!(!names.iter().any(|name| name.contains("GC_START")), "{names:?}");
}

/// With blocks, other fields show by a thread 0, which no program has.
#[test]
fn a_first_field_that_is_no_thread_makes_no_false_thread() {
    let log = case("malformed-20-other-fields");
    let known = |_: &Decoder, record: Record<'_>| (record.tag == 0).then_some((record.known, record.payload.len()));
    let Decoded { events, notices, .. } = decode_in_steps(&log, log.len(), known);
    assert_eq!(events.into_iter().flatten().collect::<Vec<_>>(), [(false, 10), (false, 10)]);
    assert_eq!(notices.first().map(|notice| notice.kind), Some(NoticeKind::OtherFields { types: 1 }));
    // An event that has only grown keeps its fields.
    let grown = case("malformed-20-larger");
    let Decoded { events, notices, .. } = decode_in_steps(&grown, grown.len(), |_, record| record.known);
    assert!(events.iter().all(|known| *known) && notices.is_empty(), "{notices:?}");
}
