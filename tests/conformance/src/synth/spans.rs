//! `spans`: a server that marks its requests, and the parts of them, as user spans.

use super::program::{MICROSECOND, MILLISECOND, Program, WORKERS, Writing, YIELDING, workers};
use ghc_eventlog::{CapNo, Text, ThreadId, UserMarker};
use std::io::{self, Write};

const CAPS: u16 = 4;

/// Spans in a request: the request, its user's, and in there a query and what is made of it.
const IN_A_REQUEST: u64 = 4;

/// Requests of each capability between two collections.
const BETWEEN_COLLECTIONS: u64 = 200;

/// Each user has a label.
const USERS: u64 = 100_000;

/// The user whose requests take long.
const SLOW: u64 = 77_777;

/// With at least this many spans.
pub(super) fn write(spans: u64, to: &mut dyn Write) -> io::Result<()> {
    let mut program = Program::start(CAPS, &Writing::default(), to);
    let mut number = 0;
    while number * IN_A_REQUEST < spans {
        for cap in program.all_caps() {
            for run in 0..BETWEEN_COLLECTIONS {
                number += 1;
                request(&mut program, cap, workers(cap)[run as usize % WORKERS], number);
            }
        }
        program.collect();
    }
    program.end()
}

/// Users come by turns, in an order that looks like none: all of them, once in [`USERS`] requests.
fn request(program: &mut Program<'_>, cap: CapNo, thread: ThreadId, number: u64) {
    let user = number * 7_919 % USERS;
    let (route, slow) = (number % 40, user == SLOW);
    program.run_with(cap, thread, MICROSECOND, YIELDING, |program| {
        within(program, cap, &format!("GET /route/{route}"), |program| {
            within(program, cap, &format!("user {user}"), |program| {
                within(program, cap, "query", |program| {
                    let took = program.random.u64(2 * MICROSECOND..20 * MICROSECOND);
                    program.cap(cap).clock += if slow { 50 * MILLISECOND } else { took };
                });
                within(program, cap, "render", |_| {});
            });
        });
    });
}

/// A user span, with something in it.
fn within(program: &mut Program<'_>, cap: CapNo, label: &str, contents: impl FnOnce(&mut Program<'_>)) {
    let mark = |program: &mut Program<'_>, word: &str| {
        let text = format!("{word} {label}");
        program.post(cap, UserMarker { text: Text(text.as_bytes()) });
        program.cap(cap).clock += MICROSECOND;
    };
    mark(program, "START");
    contents(program);
    mark(program, "STOP");
}
