//! `wide`: more capabilities than the replay can hold segments for at one moment.

use super::accounted::Accounted;
use ghc_eventlog::LogWriter;
use std::io::{self, Write};

const CAPS: u16 = 256;

/// With this many events.
pub(super) fn write(events: u64, to: &mut dyn Write) -> io::Result<()> {
    let mut result = to.write_all(&LogWriter::new().finish());
    Accounted { caps: CAPS, events, block: 2 << 20, start: 0, seed: 1 }.write(&mut |_, block| {
        if result.is_ok() {
            result = to.write_all(&block);
        }
    });
    result?;
    let mut end = LogWriter::empty();
    end.end();
    to.write_all(&end.finish())
}
