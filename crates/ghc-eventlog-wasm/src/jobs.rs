//! Jobs by number: JS says which one it goes on with.

use ghc_eventlog_model::{Changed, EventRows, Job, Model, Progress, Range, Replay, Search};

/// Most jobs at the same time: whoever asks anew drops the old one, but a page that crashed meanwhile cannot.
const MOST: usize = 64;

/// What is being worked out.
pub(crate) enum Running {
    Range(Box<Range>),
    /// What is being looked up, with its track.
    Search(f64, Box<Search>),
    /// Rows that are being read.
    Rows(Box<EventRows>),
    /// The log, gone through in order of time.
    Replay(Box<Replay>),
}

/// Those that were begun and not dropped.
#[derive(Default)]
pub(crate) struct Jobs {
    /// With their numbers, the oldest first.
    running: Vec<(u32, Running)>,
    last: u32,
}

impl Running {
    fn job(&mut self) -> &mut dyn Job {
        match self {
            Self::Range(range) => &mut **range,
            Self::Search(_, search) => &mut **search,
            Self::Rows(rows) => &mut **rows,
            Self::Replay(replay) => &mut **replay,
        }
    }
}

impl Jobs {
    /// Takes a job; its number.
    pub(crate) fn begin(&mut self, running: Running) -> u32 {
        if self.running.len() >= MOST {
            self.running.remove(0);
        }
        self.last += 1;
        self.running.push((self.last, running));
        self.last
    }

    /// What a job wants to be read, and how far it is; nothing of one that is not there.
    pub(crate) fn wants(&mut self, number: u32, model: &Model) -> (Vec<(u64, u64)>, Progress) {
        let job = self.get_mut(number).map(Running::job);
        job.map_or_else(Default::default, |job| (job.reads(model), job.progress()))
    }

    /// Gives a job what it wanted to be read; nothing to one that is not there.
    pub(crate) fn give(&mut self, number: u32, model: &mut Model, offset: u64, bytes: &[u8]) -> Result<(), Changed> {
        self.get_mut(number).map_or(Ok(()), |running| running.job().give(model, offset, bytes))
    }

    pub(crate) fn get(&self, number: u32) -> Option<&Running> {
        self.running.iter().find(|(of, _)| *of == number).map(|(_, running)| running)
    }

    fn get_mut(&mut self, number: u32) -> Option<&mut Running> {
        self.running.iter_mut().find(|(of, _)| *of == number).map(|(_, running)| running)
    }

    pub(crate) fn end(&mut self, number: u32) -> Option<Running> {
        let place = self.running.iter().position(|(of, _)| *of == number)?;
        Some(self.running.remove(place).1)
    }
}
