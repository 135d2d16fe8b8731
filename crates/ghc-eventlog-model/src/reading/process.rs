//! What the log says of the process that wrote it.

use crate::limits;
use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use ghc_eventlog::{Nanos, ProgramArgs, RtsIdentifier, Text, WallClockTime};

/// The process's own description; what the log lacks is empty. A restarted log repeats it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Process {
    /// The program and its arguments, `+RTS` ones included.
    pub args: Vec<String>,
    /// The runtime, as "GHC-9.10.3 rts_thr".
    pub runtime: String,
    /// Seconds and nanoseconds since the Unix epoch at a moment of the log's clock.
    pub wall_clock: Option<(u64, u32, Nanos)>,
}

impl Process {
    pub(crate) fn step(&mut self, tag: u16, time: Nanos, payload: &[u8]) {
        match tag {
            ProgramArgs::TAG => {
                let args = ProgramArgs::read(payload).args;
                self.args = args.iter().take(limits::MAX_ARGS).map(short).collect();
            }
            RtsIdentifier::TAG => self.runtime = short(RtsIdentifier::read(payload).text),
            WallClockTime::TAG => {
                let clock = WallClockTime::read(payload);
                // A restart tells it again; the first is nearest to the start.
                self.wall_clock.get_or_insert((clock.seconds, clock.nanoseconds, time));
            }
            _ => {}
        }
    }
}

fn short(text: Text<'_>) -> String {
    Text(text.0.get(..limits::MAX_TEXT).unwrap_or(text.0)).to_string()
}
