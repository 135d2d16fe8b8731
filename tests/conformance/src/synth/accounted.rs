//! Made-up programs that count what their threads do, on any number of capabilities, and their logs, with blocks of any
//! size.

use fastrand::Rng;
use ghc_eventlog::{
    Block, CapNo, CreateThread, LogWriter, Nanos, RunThread, StopStatus, StopThread, ThreadId, ThreadWakeup,
};

/// How long the program's threads were in each state, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Account {
    /// They ran.
    pub running: u64,
    /// They could have run.
    pub runnable: u64,
    /// They were blocked.
    pub blocked: u64,
    /// They were in foreign calls.
    pub foreign: u64,
}

/// The properties of the program.
#[derive(Debug, Clone, Copy)]
pub struct Accounted {
    /// How many capabilities it has.
    pub caps: u16,
    /// How many events it logs, more or less.
    pub events: u64,
    /// A buffer with this many bytes is written as a block; for each capability randomly up to a quarter less.
    pub block: usize,
    /// When it begins, in nanoseconds.
    pub start: u64,
    /// The seed of the random numbers.
    pub seed: u64,
}

/// How many threads there are for each capability.
const THREADS_EACH: u32 = 3;

#[derive(Clone, Copy, PartialEq)]
enum Doing {
    Running,
    Runnable,
    Blocked,
    Foreign,
}

struct AccountedProgram<'s> {
    account: Account,
    /// What each thread does, and since when; the first one has the number 1.
    threads: Vec<(Doing, u64)>,
    /// The thread that each capability runs.
    running: Vec<Option<usize>>,
    buffers: Vec<(LogWriter, usize)>,
    time: u64,
    sink: &'s mut dyn FnMut(CapNo, Vec<u8>),
}

impl Accounted {
    /// Writes the blocks of such a program, each when it is full, and the last ones at the end. Returns what its
    /// threads did up to its last event.
    pub fn write(&self, sink: &mut dyn FnMut(CapNo, Vec<u8>)) -> Account {
        let mut random = Rng::with_seed(self.seed);
        let caps = usize::from(self.caps);
        let buffer = |random: &mut Rng| (LogWriter::empty(), self.block - random.usize(0..=self.block / 4));
        let mut program = AccountedProgram {
            account: Account::default(),
            threads: Vec::new(),
            running: vec![None; caps],
            buffers: (0..caps).map(|_| buffer(&mut random)).collect(),
            time: self.start,
            sink,
        };
        for number in 0..u32::from(self.caps) * THREADS_EACH {
            program.post(number as usize % caps, CreateThread { thread: ThreadId(number + 1) });
            program.threads.push((Doing::Runnable, program.time));
        }
        for _ in 0..self.events {
            program.step(&mut random);
        }
        program.end()
    }
}

impl AccountedProgram<'_> {
    fn post<'a>(&mut self, cap: usize, event: impl ghc_eventlog::KnownEvent<'a>) {
        self.time += 1;
        let (events, full) = &mut self.buffers[cap];
        events.event(Nanos(self.time), event);
        if events.offset() >= *full {
            self.flush(cap);
        }
    }

    fn flush(&mut self, cap: usize) {
        let events = std::mem::replace(&mut self.buffers[cap].0, LogWriter::empty()).finish();
        let of = Block { cap: Some(CapNo(cap as u16)), end_time: Some(Nanos(self.time)), ..Block::default() };
        let mut block = LogWriter::empty();
        block.block(of, |block| {
            block.bytes(&events);
        });
        (self.sink)(CapNo(cap as u16), block.finish());
    }

    /// Makes one step on one capability.
    fn step(&mut self, random: &mut Rng) {
        self.time += random.u64(0..50);
        let cap = random.usize(..self.running.len());
        let thread = random.usize(..self.threads.len());
        match (self.running[cap], self.threads[thread].0) {
            (Some(_), Doing::Blocked) if random.bool() => {
                self.post(cap, ThreadWakeup { thread: number(thread), cap: CapNo(cap as u16) });
                self.turn(thread, Doing::Runnable);
            }
            (Some(running), _) => self.stop(cap, running, random),
            (None, Doing::Runnable | Doing::Foreign) => {
                self.post(cap, RunThread { thread: number(thread) });
                self.turn(thread, Doing::Running);
                self.running[cap] = Some(thread);
            }
            // The timer wakes it up.
            (None, Doing::Blocked) => {
                self.post(cap, ThreadWakeup { thread: number(thread), cap: CapNo(cap as u16) });
                self.turn(thread, Doing::Runnable);
            }
            (None, Doing::Running) => {}
        }
    }

    fn stop(&mut self, cap: usize, thread: usize, random: &mut Rng) {
        let (status, doing) = [
            (StopStatus(3), Doing::Runnable),
            (StopStatus(6), Doing::Foreign),
            (StopStatus(7), Doing::Blocked),
            (StopStatus(9), Doing::Blocked),
            (StopStatus(12), Doing::Blocked),
        ][random.usize(..5)];
        self.post(cap, StopThread { thread: number(thread), status, info: Some(0) });
        self.turn(thread, doing);
        self.running[cap] = None;
    }

    /// Changes the state of a thread.
    fn turn(&mut self, thread: usize, doing: Doing) {
        let (before, since) = std::mem::replace(&mut self.threads[thread], (doing, self.time));
        let time = match before {
            Doing::Running => &mut self.account.running,
            Doing::Runnable => &mut self.account.runnable,
            Doing::Blocked => &mut self.account.blocked,
            Doing::Foreign => &mut self.account.foreign,
        };
        *time += self.time - since;
    }

    fn end(mut self) -> Account {
        for cap in 0..self.running.len() {
            if let Some(thread) = self.running[cap].take() {
                self.post(cap, StopThread { thread: number(thread), status: StopStatus(3), info: Some(0) });
                self.turn(thread, Doing::Runnable);
            }
        }
        (0..self.threads.len()).for_each(|thread| self.turn(thread, self.threads[thread].0));
        (0..self.running.len()).for_each(|cap| self.flush(cap));
        self.account
    }
}

fn number(thread: usize) -> ThreadId {
    ThreadId(thread as u32 + 1)
}
