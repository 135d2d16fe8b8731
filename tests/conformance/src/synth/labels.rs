//! `labels`: texts about as long as a record can be.

use super::program::{BLOCKED, MILLISECOND, Program, Writing, first_other_thread, workers};
use ghc_eventlog::{CapNo, Text, ThreadId, UserMarker, UserMsg};
use std::io::{self, Write};

const CAPS: u16 = 2;

/// Bytes of each text.
const LONG: usize = 60_000;

/// Texts between two collections.
const PER_COLLECTION: u64 = 10;

/// With this many texts.
pub(super) fn write(texts: u64, to: &mut dyn Write) -> io::Result<()> {
    let mut program = Program::start(CAPS, &Writing::default(), to);
    for number in 0..texts {
        let cap = CapNo((number % u64::from(CAPS)) as u16);
        tell(&mut program, cap, number);
        if number % PER_COLLECTION == PER_COLLECTION - 1 {
            program.collect();
        }
    }
    program.end()
}

/// Writes one text: by turns a new thread's label, a message and a marker.
fn tell(program: &mut Program<'_>, cap: CapNo, number: u64) {
    let text = long_text(&format!("text {number}, of a <b>length</b> that nobody reads; "));
    program.run_with(cap, workers(cap)[0], MILLISECOND, BLOCKED, |program| match number % 3 {
        0 => {
            let thread = ThreadId(first_other_thread(CAPS) + (number / 3) as u32);
            program.create(cap, thread, Some(&text));
        }
        1 => program.post(cap, UserMsg { text: Text(text.as_bytes()) }),
        _ => program.post(cap, UserMarker { text: Text(text.as_bytes()) }),
    });
}

/// The words again and again, as long as a text should be.
fn long_text(words: &str) -> String {
    let mut text = words.repeat(LONG.div_ceil(words.len()));
    text.truncate(LONG);
    text
}
