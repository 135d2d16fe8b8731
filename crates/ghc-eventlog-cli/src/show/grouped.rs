//! `show caps` and `show threads`: print the events of each capability or thread together (SHOW 11).
//!
//! The log is read once, in order of time, and its records are sorted by group: in memory if they fit, otherwise as
//! runs in temporary files, which are merged while they are printed.

use super::{
    Bounds, Printer,
    merge::{self, Merge},
    pieces::Pieces,
    run::{self, Item, Run, Writer},
};
use crate::{input::Source, progress};
use ghc_eventlog::{
    CapNo, CreateSparkThread, CreateThread, MigrateThread, Record, RunThread, StopThread, ThreadId, ThreadRunnable,
    ThreadWakeup,
};
use std::{
    collections::BTreeMap,
    io::{self, Write},
};

pub(super) fn caps(
    source: &mut Source,
    pieces: &Pieces,
    bounds: Bounds,
    printer: &mut Printer<'_>,
    out: &mut impl Write,
) -> io::Result<()> {
    out.write_all(b"Cap Indexed Events:\n")?;
    let mut sorter = Sorter::new(bounds);
    merge::in_order(source, pieces, bounds, |item| {
        let group = group(item.record.cap.map(|cap| cap.0.into()));
        sorter.add(&Item { group, ..*item })
    })?;
    print(sorter, printer, out)
}

pub(super) fn threads(
    source: &mut Source,
    pieces: &Pieces,
    bounds: Bounds,
    printer: &mut Printer<'_>,
    out: &mut impl Write,
) -> io::Result<()> {
    out.write_all(b"Thread Indexed Events:\n")?;
    let mut sorter = Sorter::new(bounds);
    let mut running = Running::default();
    let mut goes_on = true;
    merge::in_order(source, pieces, bounds, |item| {
        if !goes_on {
            // It is not listed, but its flaws are reported.
            printer.line(item);
            return Ok(());
        }
        let thread;
        (thread, goes_on) = running.thread_of(&item.record);
        let group = group(thread.map(|thread| thread.0));
        sorter.add(&Item { group, ..*item })?;
        if !goes_on {
            printer.losses.note(format_args!(
                "the listing of threads ends at offset {}, as it does in ghc-events: a thread runs or stops there that \
                 cannot, by what was logged before",
                item.record.offset
            ));
        }
        Ok(())
    })?;
    print(sorter, printer, out)
}

/// The sort key of a capability or thread. `None` comes first, as in Haskell.
fn group(number: Option<u32>) -> u64 {
    number.map_or(0, |number| u64::from(number) + 1)
}

/// A group as Haskell shows it.
fn haskell(group: u64) -> String {
    group.checked_sub(1).map_or("Nothing".to_string(), |number| format!("Just {number}"))
}

fn print(sorter: Sorter, printer: &mut Printer<'_>, out: &mut impl Write) -> io::Result<()> {
    let mut before = None;
    progress::begin("printing", None);
    sorter.sorted()?.rest(|item| {
        let text = printer.line(item);
        progress::add(text.len() as u64);
        // A group without any lines is left out.
        if !text.is_empty() {
            if before.replace(item.group) != Some(item.group) {
                writeln!(out, "{}", haskell(item.group))?;
            }
            out.write_all(b"  ")?;
            out.write_all(text)?;
        }
        Ok(())
    })?;
    out.write_all(b"\n")
}

/// Sorts any number of records by group. They must come in order of time, and keep this order within each group.
struct Sorter {
    /// Encoded, one after the other.
    items: Vec<u8>,
    /// Group and offset of each item in `items`.
    places: Vec<(u64, usize)>,
    bounds: Bounds,
    spilled: Merge,
    has_spilled: bool,
}

impl Sorter {
    fn new(bounds: Bounds) -> Self {
        let spilled = Merge::new(bounds);
        Self { items: Vec::new(), places: Vec::new(), bounds, spilled, has_spilled: false }
    }

    fn add(&mut self, item: &Item<'_>) -> io::Result<()> {
        self.places.push((item.group, self.items.len()));
        run::encode(item, &mut self.items);
        let bytes = self.items.len() + self.places.len() * size_of::<(u64, usize)>();
        if bytes > self.bounds.sorted_bytes { self.spill() } else { Ok(()) }
    }

    fn spill(&mut self) -> io::Result<()> {
        let mut writer = Writer::new()?;
        self.each_in_order(|item| writer.add_encoded(item))?;
        self.items.clear();
        self.places.clear();
        self.has_spilled = true;
        self.spilled.add_run(writer.finish(0)?)
    }

    fn each_in_order(&mut self, mut take: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        // A stable sort keeps the order of time within a group.
        self.places.sort_by_key(|(group, _)| *group);
        for &(_, at) in &self.places {
            let item = self.items.get(at..).unwrap_or_default();
            let length = run::decoded(item).map_or(0, |(_, length)| length);
            take(item.get(..length).unwrap_or_default())?;
        }
        Ok(())
    }

    fn sorted(mut self) -> io::Result<Merge> {
        if self.has_spilled {
            self.spill()?;
        } else {
            let mut sorted = Vec::with_capacity(self.items.len());
            self.each_in_order(|item| {
                sorted.extend_from_slice(item);
                Ok(())
            })?;
            self.spilled.add_run(Run::in_memory(sorted))?;
        }
        Ok(self.spilled)
    }
}

/// Which thread runs on which capability. A thread runs on one at most.
#[derive(Default)]
struct Running {
    threads: BTreeMap<CapNo, ThreadId>,
    caps: BTreeMap<ThreadId, CapNo>,
}

impl Running {
    /// The thread that an event belongs to, and whether the listing continues after it. The listing ends where runs and
    /// stops contradict each other.
    fn thread_of(&mut self, record: &Record<'_>) -> (Option<ThreadId>, bool) {
        let payload = record.payload;
        let running = record.cap.and_then(|cap| self.threads.get(&cap).copied());
        if !record.known {
            return (running, true);
        }
        let own = |thread| (Some(thread), true);
        match record.tag {
            RunThread::TAG => {
                let thread = RunThread::read(payload).thread;
                (Some(thread), self.run(record.cap, thread))
            }
            StopThread::TAG if payload.len() >= 10 => {
                let thread = StopThread::read(payload).thread;
                (Some(thread), record.cap.is_some() && self.stop(thread))
            }
            CreateThread::TAG => own(CreateThread::read(payload).thread),
            ThreadRunnable::TAG => own(ThreadRunnable::read(payload).thread),
            MigrateThread::TAG => own(MigrateThread::read(payload).thread),
            CreateSparkThread::TAG => own(CreateSparkThread::read(payload).thread),
            ThreadWakeup::TAG => {
                let wakeup = ThreadWakeup::read(payload);
                (Some(wakeup.thread).filter(|_| record.cap == Some(wakeup.cap)), true)
            }
            _ => (running, true),
        }
    }

    /// Starts a run; returns whether both thread and capability were free.
    fn run(&mut self, cap: Option<CapNo>, thread: ThreadId) -> bool {
        let Some(cap) = cap else { return false };
        let other_thread = self.threads.insert(cap, thread);
        let other_cap = self.caps.insert(thread, cap);
        other_thread.is_none() && other_cap.is_none()
    }

    /// Stops a thread; returns whether it was running.
    fn stop(&mut self, thread: ThreadId) -> bool {
        self.caps.remove(&thread).is_some_and(|cap| self.threads.remove(&cap).is_some())
    }
}
