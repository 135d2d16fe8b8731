//! Decides whether a header's sizes are true that are not GHC's: what follows the header is read in both ways.

use crate::{
    Nanos,
    decoder::Decoder,
    error::NoticeKind,
    events::info,
    header::{Header, Reading},
    limits::SIZES_TRIED_ON,
    stream::{Chunk, Record, Step},
};

/// What came of reading a log's begin in one way.
#[derive(Debug, Default)]
struct Trial {
    /// How many bytes could not be read, and whether the log's end mark was not found: it may have been taken for a part
    /// of an event.
    missed: (u64, bool),
    events: u64,
    /// Whether an event of another size than GHC's would be about thread 0, which no program has.
    has_thread_0: bool,
}

/// Settles how the sizes of a header are understood that are not GHC's. `here` begins after the header.
///
/// Either the header is damaged, or GHC declared what it did not write (FORMAT 1.6), or another writer made the log. The
/// sizes are true if less is missed with them than without. If no event has such a size, or GHC's sizes fit as
/// well, each event decides for itself.
#[cold]
pub(crate) fn decide(header: &mut Header, here: Chunk<'_>, before: Nanos) {
    let window = here.bytes.get(..SIZES_TRIED_ON).unwrap_or(here.bytes);
    let is_all = here.last && window.len() == here.bytes.len();
    // Both trials end where the window does, so what is cut off there is the same in both.
    let here = Chunk { bytes: window, last: true, ..here };
    let doubted = header.reading();
    let believed = Reading { sizes_are_true: true, ..doubted };
    let of_doubted = trial(header, doubted, here, before, is_all);
    let of_believed = trial(header, believed, here, before, is_all);
    let is_better = match of_believed.missed == of_doubted.missed {
        // Every release of GHC has blocks. Without them, times are no check: any bytes look like events.
        true if doubted.fields_are_others => true,
        // The one with fewer events takes some for fields of others.
        true => of_believed.events > of_doubted.events,
        false => of_believed.missed < of_doubted.missed,
    };
    let (reading, trial) = if is_better { (believed, of_believed) } else { (doubted, of_doubted) };
    let fields_are_others = reading.fields_are_others || trial.has_thread_0;
    header.read_as(Reading { fields_are_others, ..reading });
}

/// What a stripped copy has in place of fields that are not known (`ghc-eventlog-strip`): the thread was 0 in the log.
const STRIPPED: &[u8] = b"****";

fn trial(header: &Header, reading: Reading, here: Chunk<'_>, before: Nanos, is_all: bool) -> Trial {
    let mut header = header.clone();
    header.read_as(reading);
    let mut decoder = Decoder::of(header, here.offset, before);
    let mut trial = Trial::default();
    loop {
        match decoder.next(here) {
            Ok(Step::Event(record)) => {
                trial.events += 1;
                trial.has_thread_0 |= is_of_thread_0(decoder.header(), &record);
            }
            // What follows has a header of its own.
            Ok(Step::Notice(notice)) if notice.kind == NoticeKind::FurtherStream => return trial,
            Ok(Step::Notice(notice)) => {
                // What the file's end cuts off tells nothing.
                match notice.kind {
                    NoticeKind::Cut { .. } | NoticeKind::NoEndMark | NoticeKind::BlockBeyondEnd(_) => {
                        trial.missed.1 |= is_all;
                    }
                    kind => trial.missed.0 += kind.lost_bytes(),
                }
            }
            Ok(Step::Header | Step::Need(_) | Step::End) | Err(_) => return trial,
        }
    }
}

/// Whether an event of another size than GHC's begins with a thread, which is 0 in this one, although the bytes after
/// GHC's fields are not.
fn is_of_thread_0(header: &Header, record: &Record<'_>) -> bool {
    let Record { tag, payload, known, .. } = *record;
    let is_0 = payload.starts_with(&[0; 4]) || payload.starts_with(STRIPPED);
    let begins_with_thread = || info(tag).is_some_and(|info| info.fields.first() == Some(&"thread"));
    let has_more = || payload.get(record.decode().used..).unwrap_or_default().iter().any(|byte| *byte != 0);
    known && is_0 && header.has_other_size(tag) && begins_with_thread() && has_more()
}
