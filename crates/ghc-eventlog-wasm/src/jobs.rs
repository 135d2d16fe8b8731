//! Jobs by number: JS says which one it goes on with.

use ghc_eventlog_model::{Changed, EventRows, Job, LookUp, Model, Patience, Plan, Progress, Range, Replay};

/// Most jobs at the same time: whoever asks anew drops the old one, but not before what it reads has come, which takes long from a slow
/// server; and a page that crashed meanwhile cannot.
const MOST: usize = 64;

/// What is being worked out.
pub(crate) enum Running {
    /// A window of time.
    Window(Box<Plan>),
    Range(Box<Range>),
    /// What is being looked up, with its track.
    LookUp(f64, Box<LookUp>),
    /// Rows that are being read.
    Rows(Box<EventRows>),
    /// The log, gone through in order of time.
    Replay(Box<Replay>),
}

/// Those that were begun and not dropped.
#[derive(Default)]
pub(crate) struct Jobs {
    /// The oldest first.
    running: Vec<Begun>,
    last: u32,
}

struct Begun {
    number: u32,
    running: Running,
    patience: Patience,
}

/// What a job wants.
#[derive(Default)]
pub(crate) struct Wants {
    /// As offset and length.
    pub(crate) reads: Vec<(u64, u64)>,
    pub(crate) progress: Progress,
    /// Whether it wants nothing since nothing that is read brings it on, or since it was dropped.
    pub(crate) gave_up: bool,
}

impl Running {
    fn job(&mut self) -> &mut dyn Job {
        match self {
            Self::Window(plan) => &mut **plan,
            Self::Range(range) => &mut **range,
            Self::LookUp(_, search) => &mut **search,
            Self::Rows(rows) => &mut **rows,
            Self::Replay(replay) => &mut **replay,
        }
    }
}

impl Jobs {
    /// Takes a job; its number.
    pub(crate) fn begin(&mut self, running: Running) -> u32 {
        if self.running.len() >= MOST {
            self.drop_oldest();
        }
        self.last += 1;
        self.running.push(Begun { number: self.last, running, patience: Patience::default() });
        self.last
    }

    /// Makes room. The log is gone through by one job for all readers, which is older than most: that one stays.
    fn drop_oldest(&mut self) {
        let is_question = |begun: &Begun| !matches!(begun.running, Running::Replay(_));
        let place = self.running.iter().position(is_question).unwrap_or(0);
        self.running.remove(place);
    }

    /// What a job wants to be read, and how far it is. A job that is not there any more, since too many were begun after it, has given up.
    pub(crate) fn wants(&mut self, number: u32, model: &mut Model) -> Wants {
        let Some(Begun { running, patience, .. }) = self.begun(number) else {
            return Wants { gave_up: true, ..Wants::default() };
        };
        let job = running.job();
        let (reads, progress) = (job.reads(model), job.progress());
        if reads.is_empty() || patience.goes_on(progress) {
            return Wants { reads, progress, gave_up: false };
        }
        Wants { reads: Vec::new(), progress, gave_up: true }
    }

    /// Gives a job what it wanted to be read; nothing to one that is not there.
    pub(crate) fn give(&mut self, number: u32, model: &mut Model, offset: u64, bytes: &[u8]) -> Result<(), Changed> {
        self.get_mut(number).map_or(Ok(()), |running| running.job().give(model, offset, bytes))
    }

    pub(crate) fn get_mut(&mut self, number: u32) -> Option<&mut Running> {
        self.begun(number).map(|begun| &mut begun.running)
    }

    fn begun(&mut self, number: u32) -> Option<&mut Begun> {
        self.running.iter_mut().find(|begun| begun.number == number)
    }

    pub(crate) fn end(&mut self, number: u32) -> Option<Running> {
        let place = self.running.iter().position(|begun| begun.number == number)?;
        Some(self.running.remove(place).running)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ghc_eventlog_model::View;
    use std::fs;

    #[test]
    fn questions_do_not_drop_what_goes_through_the_log() {
        let mut model = Model::new();
        model.feed(&fs::read(conformance::project().join("tests/corpus/threaded/log.eventlog")).unwrap());
        model.finish();
        let mut jobs = Jobs::default();
        let replay = jobs.begin(Running::Replay(Box::new(model.replay().unwrap())));
        let (from, to) = model.extent().unwrap();
        let plan = model.plan(View { from, to, width: 100 });
        let windows: Vec<u32> = (0..MOST + 5).map(|_| jobs.begin(Running::Window(Box::new(plan.clone())))).collect();
        assert!(jobs.get_mut(replay).is_some());
        assert!(jobs.wants(windows[0], &mut model).gave_up, "the oldest was dropped");
        assert!(!jobs.wants(windows[MOST], &mut model).gave_up);
        let there: Vec<u32> = windows.into_iter().filter(|window| jobs.get_mut(*window).is_some()).collect();
        assert_eq!((there.len(), there.last()), (MOST - 1, Some(&jobs.last)));
    }
}
