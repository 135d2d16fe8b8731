//! `show caps` and `show threads`: each capability's, or each thread's, events together (SHOW 11).

use super::{merge, pieces::Pieces};
use crate::{
    input::Source,
    loss::Losses,
    text::{self, Style},
};
use ghc_eventlog::{
    CapNo, CreateSparkThread, CreateThread, MigrateThread, Record, RunThread, StopThread, ThreadId, ThreadRunnable,
    ThreadWakeup,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Display,
    io::{self, Write},
};

/// Bytes of text held at a time; a log with more is gone through several times.
const HELD: usize = 64 << 20;

pub(crate) fn caps(
    source: &mut Source,
    pieces: &Pieces,
    style: Style,
    losses: &mut Losses,
    out: &mut impl Write,
) -> io::Result<()> {
    out.write_all(b"Cap Indexed Events:\n")?;
    let mut caps: Vec<Option<CapNo>> = pieces.list.iter().flat_map(|piece| piece.caps.iter().copied()).collect();
    caps.sort_unstable();
    caps.dedup();
    let mut text = Vec::new();
    for cap in caps {
        let mut begun = false;
        merge::in_order(
            source,
            pieces,
            |piece| piece.caps.contains(&cap),
            |record, header| {
                if record.cap != cap {
                    return Ok(true);
                }
                text.clear();
                if let Some(loss) = text::line(&mut text, record, header, style) {
                    losses.event(&loss, record.offset);
                }
                if !text.is_empty() {
                    if !std::mem::replace(&mut begun, true) {
                        writeln!(out, "{}", haskell(cap))?;
                    }
                    out.write_all(b"  ")?;
                    out.write_all(&text)?;
                }
                Ok(true)
            },
        )?;
    }
    out.write_all(b"\n")
}

pub(crate) fn threads(
    source: &mut Source,
    pieces: &Pieces,
    style: Style,
    losses: &mut Losses,
    out: &mut impl Write,
) -> io::Result<()> {
    out.write_all(b"Thread Indexed Events:\n")?;
    // Passes over the log, each for the threads behind those of the pass before, as many as fit.
    let mut from = None;
    // A thread's events may be made into text more than once before they are printed.
    let mut told = BTreeSet::new();
    loop {
        let mut batch = Batch { from, ..Batch::default() };
        let mut running = Running::default();
        merge::in_order(
            source,
            pieces,
            |_| true,
            |record, header| {
                let (key, goes_on) = running.key(record);
                batch.add(key, |text| {
                    let loss = text::line(text, record, header, style);
                    if let Some(loss) = loss.filter(|_| told.insert(record.offset)) {
                        losses.event(&loss, record.offset);
                    }
                });
                Ok(goes_on)
            },
        )?;
        for (key, text) in &batch.texts {
            writeln!(out, "{}", haskell(key.0))?;
            out.write_all(text)?;
        }
        match batch.left {
            None => break,
            left => from = left,
        }
    }
    out.write_all(b"\n")
}

/// A thread's key: none before all others, as in Haskell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key(Option<ThreadId>);

/// The texts of some threads that follow one another.
#[derive(Default)]
struct Batch {
    /// The first of them.
    from: Option<Key>,
    texts: BTreeMap<Key, Vec<u8>>,
    bytes: usize,
    /// The first one behind them, if there are more.
    left: Option<Key>,
}

impl Batch {
    fn add(&mut self, key: Key, write: impl FnOnce(&mut Vec<u8>)) {
        if self.from.is_some_and(|from| key < from) || self.left.is_some_and(|left| key >= left) {
            return;
        }
        let text = self.texts.entry(key).or_default();
        let before = text.len();
        text.extend_from_slice(b"  ");
        write(text);
        if text.len() == before + 2 {
            // Nothing is shown of this event.
            text.truncate(before);
            if before == 0 {
                self.texts.remove(&key);
            }
            return;
        }
        self.bytes += text.len() - before;
        // Too much: the last thread goes to a later pass. One thread alone must fit.
        while self.bytes > HELD
            && self.texts.len() > 1
            && let Some((key, text)) = self.texts.pop_last()
        {
            self.bytes -= text.len();
            self.left = Some(key);
        }
    }
}

/// Which thread runs on which capability.
#[derive(Default)]
struct Running(BTreeMap<CapNo, ThreadId>);

impl Running {
    /// The thread that an event belongs to, and whether the listing goes on behind it: it ends where runs and stops do
    /// not fit together.
    fn key(&mut self, record: &Record<'_>) -> (Key, bool) {
        let payload = record.payload;
        let running = record.cap.and_then(|cap| self.0.get(&cap).copied());
        if !record.known {
            return (Key(running), true);
        }
        let own = |thread| (Key(Some(thread)), true);
        match record.tag {
            RunThread::TAG => {
                let thread = RunThread::read(payload).thread;
                (Key(Some(thread)), self.run(record.cap, thread))
            }
            StopThread::TAG if payload.len() >= 10 => {
                let thread = StopThread::read(payload).thread;
                (Key(Some(thread)), record.cap.is_some() && self.stop(thread))
            }
            CreateThread::TAG => own(CreateThread::read(payload).thread),
            ThreadRunnable::TAG => own(ThreadRunnable::read(payload).thread),
            MigrateThread::TAG => own(MigrateThread::read(payload).thread),
            CreateSparkThread::TAG => own(CreateSparkThread::read(payload).thread),
            ThreadWakeup::TAG => {
                let wakeup = ThreadWakeup::read(payload);
                (Key(Some(wakeup.thread).filter(|_| record.cap == Some(wakeup.cap))), true)
            }
            _ => (Key(running), true),
        }
    }

    fn run(&mut self, cap: Option<CapNo>, thread: ThreadId) -> bool {
        let Some(cap) = cap else { return false };
        let free = !self.0.contains_key(&cap) && !self.0.values().any(|&other| other == thread);
        self.0.insert(cap, thread);
        free
    }

    fn stop(&mut self, thread: ThreadId) -> bool {
        let before = self.0.len();
        self.0.retain(|_, &mut running| running != thread);
        self.0.len() < before
    }
}

/// As Haskell shows it.
fn haskell(key: Option<impl Display>) -> String {
    key.map_or("Nothing".to_string(), |key| format!("Just {key}"))
}
