//! Compares the decoder with the dumps of the reference implementation, if they are available.

use conformance::{decode_in_steps, shared_logs};
use std::{fs, path::Path};

/// Time and capability of every event of a dump, in its order.
fn reference(dump: &Path) -> Option<Vec<(u64, Option<u16>)>> {
    let text = fs::read_to_string(dump).ok()?;
    let events = text.split_once("\nEvents:\n")?.1;
    let event = |line: &str| {
        let (time, rest) = line.split_once(": ")?;
        let cap = rest.strip_prefix("cap ").and_then(|rest| rest.split_once(": ")?.0.parse().ok());
        Some((time.parse().ok()?, cap))
    };
    Some(events.lines().filter_map(event).collect())
}

/// Messages may hold line ends, and what follows one may look like an event; none of the logs goes that far.
#[test]
fn every_event_of_the_reference_dump_is_read_at_its_time_and_place() {
    for log in shared_logs() {
        let Some(expected) = reference(&log.with_extension("show")) else { continue };
        let bytes = fs::read(&log).unwrap();
        let mut decoded = decode_in_steps(&bytes, 1 << 20, |_, record| (record.time.0, record.cap.map(|cap| cap.0)));
        decoded.events.sort_by_key(|event| event.0);
        let differ = decoded.events.iter().zip(&expected).position(|(ours, theirs)| ours != theirs);
        assert_eq!(differ, None, "{}: {:?}", log.display(), decoded.notices);
        assert_eq!(decoded.events.len(), expected.len(), "{}: {:?}", log.display(), decoded.notices);
    }
}
