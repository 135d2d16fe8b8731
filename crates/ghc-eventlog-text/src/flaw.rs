//! Checks an event's fields without writing them as text.

use super::{Style, body};
use alloc::{string::String, vec::Vec};
use ghc_eventlog::{
    CostCentre, Header, HeapProfBegin, HeapProfSampleString, Ipe, LocalMessage, LogMsg, PerfName, ProgramArgs,
    ProgramEnv, ReceiveMessage, Record, RtsIdentifier, SendMessage, StopThread, ThreadLabel, TickyCounterDef,
    UserMarker, UserMsg,
};

/// What is wrong with an event's fields: the same as [`super::line`] returns in the default style.
#[inline]
pub fn flaw(record: &Record<'_>) -> Option<String> {
    if is_sound(record) { None } else { looked_at(record) }
}

#[cold]
#[inline(never)]
fn looked_at(record: &Record<'_>) -> Option<String> {
    // Only the text would need the header.
    body::body(&mut Vec::new(), record, &Header::default(), Style::default())
}

/// Whether a short check shows that nothing is wrong.
#[inline]
fn is_sound(record: &Record<'_>) -> bool {
    match record.tag {
        StopThread::TAG => stops_for_a_known_reason(record.payload),
        // If each byte is ASCII, so is the text among them.
        ThreadLabel::TAG
        | RtsIdentifier::TAG
        | ProgramArgs::TAG
        | ProgramEnv::TAG
        | LogMsg::TAG
        | UserMsg::TAG
        | UserMarker::TAG
        | PerfName::TAG
        | CostCentre::TAG
        | TickyCounterDef::TAG => record.payload.is_ascii(),
        // Logs are full of these. Only their text is checked: half of the other bytes are not ASCII.
        HeapProfSampleString::TAG => record.payload.get(HeapProfSampleString::MIN_SIZE..).is_some_and(<[u8]>::is_ascii),
        HeapProfBegin::TAG | SendMessage::TAG | ReceiveMessage::TAG | LocalMessage::TAG | Ipe::TAG => false,
        // In other events, any number is valid.
        _ => true,
    }
}

/// Whether the reason is one that all runtimes have. The rest of the payload does not matter.
#[inline]
fn stops_for_a_known_reason(payload: &[u8]) -> bool {
    let [_, _, _, _, 0, reason, ..] = payload else { return false };
    matches!(reason, 0..=3 | 5..=13 | 18..=20)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "that is how tests fail")]
mod tests {
    use super::*;
    use crate::line;
    use alloc::vec;
    use ghc_eventlog::{EVENTS, Nanos};

    /// Random payloads of every event type, so that texts, reasons and counts are wrong in all ways.
    #[test]
    fn the_short_check_agrees_with_the_text() {
        let mut random = fastrand::Rng::with_seed(9);
        let (mut flawed, mut sound) = (0, 0);
        for info in EVENTS {
            for round in 0..400 {
                let mut payload = vec![0; info.min_size + random.usize(..40)];
                random.fill(&mut payload);
                for byte in &mut payload {
                    // Numbers are usually small, and texts nearly always ASCII.
                    match round % 4 {
                        0 => {}
                        1 => *byte &= 0x7f,
                        2 => *byte &= 0x0f,
                        _ => *byte = if random.u8(..) < 250 { *byte & 0x1f } else { *byte },
                    }
                }
                if let Some(reason) = payload.get_mut(4).filter(|_| random.bool()) {
                    *reason = 0;
                }
                let record = Record {
                    offset: 0,
                    time: Nanos(0),
                    tag: info.tag,
                    cap: None,
                    known: random.u8(..) > 9,
                    payload: &payload,
                };
                let said = line(&mut Vec::new(), &record, &Header::default(), Style::default());
                assert_eq!(flaw(&record), said, "{} {payload:x?}", info.name);
                if said.is_some() { flawed += 1 } else { sound += 1 }
            }
        }
        assert!(flawed > 1000 && sound > 1000, "{flawed} flawed, {sound} sound");
    }
}
