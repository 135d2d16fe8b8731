//! Logs that no runtime writes, or only a faulty one: a case of the corpus for every row of the format reference's
//! checklist (FORMAT 5.1) and of its list of false lengths (1.6).

mod blocks;
mod header;
mod lengths;
mod records;
mod streams;
mod values;

use ghc_eventlog::{
    Block, CapCreate, CapNo, CapsetId, CreateThread, EVENTS, EventInfo, EventType, LogWriter, Nanos, ProgramArgs,
    RtsIdentifier, RunThread, StopStatus, StopThread, Text, TextList, ThreadId,
};
use std::fmt::Write;

/// A log that is made here, and that a folder of the corpus has.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// The folder's name. Its number is the row of the checklist.
    pub name: &'static str,
    /// What is wrong with it, or what it is.
    pub what: &'static str,
    /// Makes it.
    pub make: fn() -> Vec<u8>,
}

/// Every case, in order of the checklist, false lengths last.
pub fn cases() -> impl Iterator<Item = &'static Case> {
    [header::CASES, records::CASES, blocks::CASES, values::CASES, streams::CASES, lengths::CASES].into_iter().flatten()
}

/// The cases as a table for the corpus's README.
pub fn table() -> String {
    let mut cases: Vec<_> = cases().collect();
    // "malformed" before "false-length", then by number.
    cases.sort_by_key(|case| (!case.name.starts_with("malformed"), case.name));
    table_of("what is wrong", cases.into_iter())
}

/// Cases as a table, whose second column is called as `what` says.
pub(crate) fn table_of<'c>(what: &str, cases: impl Iterator<Item = &'c Case>) -> String {
    let mut table = format!("| case | {what} |\n|---|---|\n");
    for case in cases {
        // Writing into a string cannot fail.
        let _ = writeln!(table, "| {} | {} |", case.name, case.what);
    }
    table
}

/// The event types that the cases use. A header with all types would be larger than the rest of the log.
fn types() -> Vec<EventType> {
    let used = |tag| matches!(tag, 0..=2 | 8..=10 | 16..=19 | 25 | 29 | 30 | 43..=45 | 49 | 52..=58 | 160..=169 | 201 | 210..=212);
    named_types(used)
}

/// The event types with these numbers. Their descriptions are their names, which never change, so the logs do not
/// change either.
pub(crate) fn named_types(used: impl Fn(u16) -> bool) -> Vec<EventType> {
    let named = |info: &EventInfo| EventType { description: info.name.into(), ..info.into() };
    EVENTS.iter().filter(|info| used(info.tag)).map(named).collect()
}

/// The same, with another size for one of them.
fn resized(tag: u16, size: u16) -> Vec<EventType> {
    let resize = |declared: EventType| if declared.tag == tag { EventType { size, ..declared } } else { declared };
    types().into_iter().map(resize).collect()
}

/// A log of these types, up to the end of its header.
fn log_of(types: &[EventType]) -> LogWriter {
    LogWriter::with_types(types)
}

/// A log, up to the end of its header.
fn log() -> LogWriter {
    log_of(&types())
}

/// The first block of a log since GHC 9.2, which describes the process.
pub(crate) fn process(log: &mut LogWriter) {
    log.block(Block::GLOBAL, |block| {
        let capset = CapsetId(0);
        block.event(us(1), RtsIdentifier { capset, text: Text(b"GHC-9.10.3 rts_thr") });
        block.event(us(2), ProgramArgs { capset, args: TextList(b"./program\0+RTS\0-l\0") });
        block.event(us(3), CapCreate { cap: CapNo(0) });
    });
}

/// A block of a capability with nothing wrong in it.
pub(crate) fn healthy(log: &mut LogWriter, cap: u16, from: u64) {
    log.block(hec(cap), |block| work(block, from));
}

/// Three short runs of thread 1, six events in 60 µs: enough to continue after damage.
fn work(block: &mut LogWriter, from: u64) {
    for at in [from, from + 20, from + 40] {
        run(block, 1, at, at + 10);
    }
}

/// A thread's run, in microseconds.
fn run(block: &mut LogWriter, thread: u32, from: u64, to: u64) {
    block.event(us(from), RunThread { thread: ThreadId(thread) });
    block.event(us(to), StopThread { thread: ThreadId(thread), status: StopStatus(3), info: Some(0) });
}

fn create(thread: u32) -> CreateThread {
    CreateThread { thread: ThreadId(thread) }
}

fn hec(cap: u16) -> Block {
    Block::of(CapNo(cap))
}

/// Microseconds.
pub(crate) fn us(micros: u64) -> Nanos {
    Nanos(micros * 1000)
}

/// An ordinary log of two capabilities.
fn ordinary() -> LogWriter {
    let mut log = log();
    process(&mut log);
    healthy(&mut log, 0, 100);
    healthy(&mut log, 1, 120);
    log.end();
    log
}

/// A log whose one block of work is written by `contents`, between healthy ones.
fn around(contents: impl FnOnce(&mut LogWriter)) -> Vec<u8> {
    around_in(&types(), contents)
}

fn around_in(types: &[EventType], contents: impl FnOnce(&mut LogWriter)) -> Vec<u8> {
    let mut log = log_of(types);
    process(&mut log);
    log.block(hec(0), |block| {
        work(block, 100);
        contents(block);
        work(block, 300);
    });
    healthy(&mut log, 1, 120);
    log.end();
    log.finish()
}

/// The log's bytes with some replaced from `at` on.
fn patched(mut log: Vec<u8>, at: usize, bytes: &[u8]) -> Vec<u8> {
    log[at..at + bytes.len()].copy_from_slice(bytes);
    log
}
