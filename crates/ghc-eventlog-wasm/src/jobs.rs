//! Jobs by number: JS says which one it goes on with.

use ghc_eventlog_model::{Changed, EventRows, Job, Model, Progress, Range, Search};
use std::collections::BTreeMap;

/// Most jobs at the same time: whoever asks anew drops the old one, but a page that crashed meanwhile cannot.
const MOST: usize = 64;

/// What is being worked out.
pub(crate) enum Running {
    Range(Range),
    /// What is being looked up, with its track.
    Search(f64, Box<Search>),
    /// Rows that are being read.
    Rows(Box<EventRows>),
}

/// Those that were begun and not dropped.
#[derive(Default)]
pub(crate) struct Jobs {
    running: BTreeMap<u32, Running>,
    last: u32,
}

impl Running {
    fn job(&mut self) -> &mut dyn Job {
        match self {
            Self::Range(range) => range,
            Self::Search(_, search) => &mut **search,
            Self::Rows(rows) => &mut **rows,
        }
    }
}

impl Jobs {
    /// Takes a job; its number.
    pub(crate) fn begin(&mut self, running: Running) -> u32 {
        if self.running.len() >= MOST {
            self.running.pop_first();
        }
        self.last += 1;
        self.running.insert(self.last, running);
        self.last
    }

    /// What a job wants to be read, and how far it is; nothing of one that is not there.
    pub(crate) fn wants(&mut self, number: u32, model: &Model) -> (Vec<(u64, u64)>, Progress) {
        let job = self.running.get_mut(&number).map(Running::job);
        job.map_or_else(Default::default, |job| (job.reads(model), job.progress()))
    }

    /// Gives a job what it wanted to be read; nothing to one that is not there.
    pub(crate) fn give(&mut self, number: u32, model: &mut Model, offset: u64, bytes: &[u8]) -> Result<(), Changed> {
        self.running.get_mut(&number).map_or(Ok(()), |running| running.job().give(model, offset, bytes))
    }

    pub(crate) fn get(&self, number: u32) -> Option<&Running> {
        self.running.get(&number)
    }

    pub(crate) fn end(&mut self, number: u32) -> Option<Running> {
        self.running.remove(&number)
    }
}
