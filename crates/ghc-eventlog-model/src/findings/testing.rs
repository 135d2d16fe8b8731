//! Small programs for the tests of rules: what happens on capabilities, one thing after the other, written as a log.
//!
//! ```text
//! Play::caps(2).run(0, 7, 3 * MS).collect(0, MS)
//!
//! cap 0    |7777777|oooo|
//! cap 1
//! ```

use super::{Finding, Findings, asked::Asked};
use crate::{Model, work};
use alloc::{string::String, vec::Vec};
use ghc_eventlog::{Block, CapNo, CostCentreStack, LogWriter, Nanos, Text, TextList, Value};

/// A millisecond in nanoseconds.
pub(super) const MS: u64 = 1_000_000;

/// When logs begin.
const BEGIN: u64 = 1000;

/// Why threads stop, as GHC numbers it.
pub(super) mod stop {
    pub(crate) const FINISHED: u64 = 5;
    pub(crate) const YIELDING: u64 = 3;
    pub(crate) const FOREIGN: u64 = 6;
    pub(crate) const MVAR: u64 = 7;
    pub(crate) const BLACK_HOLE: u64 = 8;
}

/// What a collection is like.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gc {
    pub(super) generation: u64,
    pub(super) length: u64,
    /// From the request to the begin.
    pub(super) wait: u64,
    pub(super) threads: u64,
    pub(super) copied: u64,
    pub(super) balanced: u64,
    /// How much longer the other capabilities take part.
    pub(super) late: u64,
}

impl Gc {
    pub(super) const MINOR: Self =
        Self { generation: 0, length: MS, wait: 0, threads: 1, copied: 1000, balanced: 0, late: 0 };
}

/// Names of what is no event: a block ends; damage.
const BLOCK_ENDS: &str = "block ends";
const DAMAGE: &str = "damage";

enum EventField {
    Number(u64),
    Text(String),
    /// Each followed by a NUL.
    List(Vec<u8>),
    /// A stack of one cost centre.
    Centre([[u8; 4]; 1]),
}

impl EventField {
    fn value(&self) -> Value<'_> {
        match self {
            Self::Number(number) => (*number).into(),
            Self::Text(text) => Value::Text(Text(text.as_bytes())),
            Self::List(list) => Value::List(TextList(list)),
            Self::Centre(centre) => Value::Stack(CostCentreStack(centre)),
        }
    }
}

struct Happening {
    time: u64,
    name: &'static str,
    fields: Vec<(&'static str, EventField)>,
}

/// What a program does.
pub(super) struct Play {
    now: u64,
    /// Of all capabilities, and of none.
    global: Vec<Happening>,
    by_cap: Vec<Vec<Happening>>,
    args: String,
    ends: bool,
}

impl Play {
    /// With so many capabilities, created at once.
    pub(super) fn caps(count: usize) -> Self {
        Self::caps_of(count, count)
    }

    /// The same with room for as many in all, which are to be created later.
    pub(super) fn caps_of(count: usize, all: usize) -> Self {
        let by_cap = (0..all).map(|_| Vec::new()).collect();
        // These classes are logged, whatever happens. An event of no class shows that a capability is there.
        let args = "prog +RTS -l".into();
        let mut play = Self { now: BEGIN, global: Vec::new(), by_cap, args, ends: true };
        for cap in 0..count {
            play = play.global("CAP_CREATE", &[("cap", cap as u64)]);
            play = play.event(cap, "CAPSET_ASSIGN_CAP", &[("capset", 0), ("cap", cap as u64)]);
        }
        play
    }

    /// Moves on.
    pub(super) fn wait(mut self, time: u64) -> Self {
        self.now += time;
        self
    }

    /// The time since the begin.
    pub(super) fn now(&self) -> u64 {
        self.now - BEGIN
    }

    /// Goes to a time after the begin, which may be earlier.
    pub(super) fn at(mut self, time: u64) -> Self {
        self.now = BEGIN + time;
        self
    }

    /// What happens several times.
    pub(super) fn each(self, times: u64, what: impl Fn(Self) -> Self) -> Self {
        (0..times).fold(self, |play, _| what(play))
    }

    /// The same with the number of the time.
    pub(super) fn each_of(self, times: u64, what: impl Fn(Self, u64) -> Self) -> Self {
        (0..times).fold(self, what)
    }

    fn add(&mut self, cap: Option<usize>, name: &'static str, fields: Vec<(&'static str, EventField)>) {
        let all = cap.map_or(&mut self.global, |cap| &mut self.by_cap[cap]);
        all.push(Happening { time: self.now, name, fields });
    }

    /// An event of a capability.
    pub(super) fn event(mut self, cap: usize, name: &'static str, fields: &[(&'static str, u64)]) -> Self {
        self.add(Some(cap), name, fields.iter().map(|(name, number)| (*name, EventField::Number(*number))).collect());
        self
    }

    /// An event of no capability.
    pub(super) fn global(mut self, name: &'static str, fields: &[(&'static str, u64)]) -> Self {
        self.add(None, name, fields.iter().map(|(name, number)| (*name, EventField::Number(*number))).collect());
        self
    }

    /// An event with a text, of a capability.
    pub(super) fn text(mut self, cap: usize, name: &'static str, thread: Option<u64>, text: &str) -> Self {
        let text = (if thread.is_some() { "label" } else { "text" }, EventField::Text(text.into()));
        let thread = thread.map(|thread| ("thread", EventField::Number(thread)));
        self.add(Some(cap), name, thread.into_iter().chain([text]).collect());
        self
    }

    /// Bytes of a band in a census.
    pub(super) fn band(mut self, cap: usize, label: &str, bytes: u64) -> Self {
        let numbers = [("profile", 0), ("bytes", bytes)].map(|(name, number)| (name, EventField::Number(number)));
        let label = ("label", EventField::Text(label.into()));
        self.add(Some(cap), "HEAP_PROF_SAMPLE_STRING", numbers.into_iter().chain([label]).collect());
        self
    }

    /// Defines a cost centre.
    pub(super) fn cost_centre(mut self, id: u64, label: &str, source: &str) -> Self {
        let texts = [("label", label), ("module", "Main"), ("location", source)];
        let texts = texts.map(|(name, text)| (name, EventField::Text(text.into())));
        let numbers = [("id", id), ("flags", 0)].map(|(name, number)| (name, EventField::Number(number)));
        self.add(Some(0), "HEAP_PROF_COST_CENTRE", numbers.into_iter().chain(texts).collect());
        self
    }

    /// A sample of the time profile, in a cost centre.
    pub(super) fn sample(mut self, centre: u32) -> Self {
        let fields = [
            ("cap", EventField::Number(0)),
            ("tick", EventField::Number(0)),
            ("stack", EventField::Centre([centre.to_be_bytes()])),
        ];
        self.add(Some(0), "PROF_SAMPLE_COST_CENTRE", fields.into_iter().collect());
        self
    }

    /// The program and its arguments, with spaces between them.
    pub(super) fn args(self, line: &str) -> Self {
        Self { args: line.into(), ..self }
    }

    /// The runtime that it was built with, such as "GHC-9.12.2 rts_thr".
    pub(super) fn runtime(mut self, name: &str) -> Self {
        let fields = [("capset", EventField::Number(0)), ("text", EventField::Text(name.into()))];
        self.add(None, "RTS_IDENTIFIER", fields.into_iter().collect());
        self
    }

    /// Its environment.
    pub(super) fn env(self, line: &str) -> Self {
        self.list("PROGRAM_ENV", "env", line)
    }

    fn list(mut self, name: &'static str, field: &'static str, line: &str) -> Self {
        let list = line.split(' ').flat_map(|item| item.bytes().chain([0])).collect();
        self.add(
            None,
            name,
            [("capset", EventField::Number(0)), (field, EventField::List(list))].into_iter().collect(),
        );
        self
    }

    /// The runtime's parameters.
    pub(super) fn heap_info(self, nursery: u64, most: u64) -> Self {
        let sizes =
            [("alloc_area_bytes", nursery), ("max_heap_bytes", most), ("mblock_bytes", 1 << 20), ("block_bytes", 4096)];
        let fields: Vec<_> = [("capset", 0), ("generations", 2)].into_iter().chain(sizes).collect();
        self.global("HEAP_INFO_GHC", &fields)
    }

    /// A thread runs for a time, and yields.
    pub(super) fn run(self, cap: usize, thread: u64, length: u64) -> Self {
        self.run_to(cap, thread, length, stop::YIELDING)
    }

    /// A thread runs for a time, and stops for a reason.
    pub(super) fn run_to(self, cap: usize, thread: u64, length: u64, status: u64) -> Self {
        self.run_for(cap, thread, length, status, 0)
    }

    /// The same with the owner of the black hole that it waits for.
    pub(super) fn run_for(self, cap: usize, thread: u64, length: u64, status: u64, info: u64) -> Self {
        let play = self.event(cap, "RUN_THREAD", &[("thread", thread)]).wait(length);
        play.event(cap, "STOP_THREAD", &[("thread", thread), ("status", status), ("info", info)])
    }

    /// Something happens while a thread runs, which stops for a reason afterwards.
    pub(super) fn run_with(self, cap: usize, thread: u64, within: impl FnOnce(Self) -> Self, status: u64) -> Self {
        let play = within(self.event(cap, "RUN_THREAD", &[("thread", thread)]));
        play.event(cap, "STOP_THREAD", &[("thread", thread), ("status", status), ("info", 0)])
    }

    /// Threads run at the same time, one on each capability from the first on.
    pub(super) fn run_all(mut self, threads: &[u64], length: u64) -> Self {
        let from = self.now;
        for (cap, thread) in threads.iter().enumerate() {
            self.now = from;
            self = self.run(cap, *thread, length);
        }
        self
    }

    /// A thread is woken up by what runs on a capability.
    pub(super) fn wake(self, cap: usize, thread: u64) -> Self {
        self.event(cap, "THREAD_WAKEUP", &[("thread", thread), ("cap", cap as u64)])
    }

    /// A minor collection by a capability.
    pub(super) fn collect(self, cap: usize, length: u64) -> Self {
        self.gc(cap, Gc { length, ..Gc::MINOR })
    }

    /// A major collection by a capability.
    pub(super) fn major(self, cap: usize, length: u64) -> Self {
        self.gc(cap, Gc { generation: 1, length, ..Gc::MINOR })
    }

    /// A collection led by a capability. With more threads than one, all capabilities take part.
    pub(super) fn gc(mut self, cap: usize, gc: Gc) -> Self {
        let is_parallel = gc.threads > 1;
        self = self.event(cap, if is_parallel { "REQUEST_PAR_GC" } else { "REQUEST_SEQ_GC" }, &[]).wait(gc.wait);
        let begin = self.now;
        if is_parallel {
            for other in (0..self.by_cap.len()).filter(|other| *other != cap) {
                self.now = begin;
                self = self.event(other, "GC_START", &[]).event(other, "GC_WORK", &[]).wait(gc.length / 2);
                self =
                    self.event(other, "GC_IDLE", &[]).wait(gc.length - gc.length / 2 - 1).event(other, "GC_DONE", &[]);
                self = self.wait(gc.late + 1).event(other, "GC_END", &[]);
            }
        }
        self.now = begin;
        let stats = [
            ("capset", 0),
            ("generation", gc.generation),
            ("copied_bytes", gc.copied),
            ("slop_bytes", 0),
            ("fragmentation_bytes", 0),
            ("par_threads", gc.threads),
            ("par_max_copied_bytes", gc.copied - gc.balanced),
            ("par_total_copied_bytes", gc.copied),
            ("par_balanced_copied_bytes", gc.balanced),
        ];
        self.event(cap, "GC_START", &[])
            .event(cap, "GC_WORK", &[])
            .wait(gc.length)
            .event(cap, "GC_DONE", &[])
            .event(cap, "GC_GLOBAL_SYNC", &[])
            .event(cap, "GC_STATS_GHC", &stats)
            .event(cap, "GC_END", &[])
    }

    /// A size of the heap, by the event that has it.
    pub(super) fn bytes(self, cap: usize, name: &'static str, bytes: u64) -> Self {
        self.event(cap, name, &[("capset", 0), ("bytes", bytes)])
    }

    /// The runtime writes the events of the first capability so far to the file, which takes a time.
    pub(super) fn written(mut self, time: u64) -> Self {
        self.add(Some(0), BLOCK_ENDS, Vec::new());
        self.wait(time)
    }

    /// Bytes that are no event come after the first capability's.
    pub(super) fn damaged(mut self) -> Self {
        self.add(Some(0), DAMAGE, Vec::new());
        self
    }

    /// The log has no end mark.
    pub(super) fn cut_off(mut self) -> Self {
        self.ends = false;
        self
    }

    /// The log.
    pub(super) fn log(mut self) -> Vec<u8> {
        let end = self.by_cap.iter().flatten().map(|happening| happening.time).max().unwrap_or(self.now);
        self.now = BEGIN;
        let args = core::mem::take(&mut self.args);
        self = self.list("PROGRAM_ARGS", "args", &args);
        self.now = end;
        for cap in 0..self.by_cap.len() as u64 {
            self = self.global("CAP_DELETE", &[("cap", cap)]);
        }
        let mut log = LogWriter::new();
        let all = [None].into_iter().chain((0..self.by_cap.len()).map(Some));
        for (block, happenings) in all.zip([self.global].into_iter().chain(self.by_cap)) {
            if happenings.is_empty() {
                continue;
            }
            let block = block.map_or(Block::GLOBAL, |cap| Block::of(CapNo(cap as u16)));
            let mut happenings: Vec<&Happening> = happenings.iter().collect();
            happenings.sort_by_key(|happening| happening.time);
            for of_block in happenings.split_inclusive(|happening| happening.name == BLOCK_ENDS) {
                // The runtime begins a block before its first event, and closes it after its last one.
                let time = |happening: Option<&&Happening>| happening.map(|happening| happening.time);
                let begin = time(of_block.first()).map(|time| Nanos(time - 1));
                let end = time(of_block.last()).map(|time| Nanos(time + 1));
                let block = Block { time: begin, end_time: end, ..block };
                log.block(block, |log| of_block.iter().for_each(|happening| happening.write(log)));
            }
        }
        if self.ends {
            log.end();
        }
        log.finish()
    }
}

impl Happening {
    fn write(&self, log: &mut LogWriter) {
        match self.name {
            BLOCK_ENDS => return,
            DAMAGE => {
                log.bytes(&[0xee; 100]);
                return;
            }
            _ => {}
        }
        let fields: Vec<_> = self.fields.iter().map(|(name, field)| (*name, field.value())).collect();
        let written = log.named(Nanos(self.time), self.name, &fields).map(|_| ());
        written.unwrap_or_else(|error| panic!("{}: {error}", self.name));
    }
}

/// What is found in a log.
pub(super) fn findings(play: Play) -> Findings {
    model(play).findings()
}

/// What rules ask about it.
pub(super) fn asked<R>(play: Play, answer: impl FnOnce(&Asked<'_>) -> R) -> R {
    answer(&Asked::of(&model(play)))
}

/// A log that has been replayed.
pub(super) fn model(play: Play) -> Model {
    let log = play.log();
    let mut model = Model::of_figures();
    model.feed(&log);
    model.finish();
    if let Some(mut replay) = model.replay() {
        let read = |offset: u64, length: u64| Ok::<_, ()>(&log[offset as usize..(offset + length) as usize]);
        assert!(work(&mut replay, &mut model, read).unwrap());
    }
    model
}

/// What a rule finds in it.
pub(super) fn finding(id: &str, play: Play) -> Finding {
    findings(play).get(id).unwrap_or_else(|| panic!("no rule {id}")).clone()
}
