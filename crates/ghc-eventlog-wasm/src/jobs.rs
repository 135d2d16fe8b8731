//! The running jobs by number. JavaScript says which one to continue.

use ghc_eventlog_model::{
    Changed, CountEvents, EventDetails, EventPlace, EventRows, Find, Job, LateNames, LookUp, Model, Patience, Plan,
    Progress, Range, Replay, WhyIdle,
};

/// The most jobs at the same time. A newer question drops the older one's job, but only after the bytes that it reads
/// have come, which takes long from a slow server. A page that crashed never drops its jobs.
const MOST: usize = 64;

/// A running job.
pub(crate) enum Running {
    /// A window of time.
    Window(Box<Plan>),
    Range(Box<Range>),
    /// A look-up, with its track.
    LookUp(f64, Box<LookUp>),
    /// Why a capability was idle.
    WhyIdle(Box<WhyIdle>),
    /// Rows of the list of events.
    Rows(Box<EventRows>),
    /// Events that fit a query are counted.
    CountEvents(Box<CountEvents>),
    /// Which row of the list is at a moment.
    EventPlace(Box<EventPlace>),
    /// All of one event.
    EventDetails(Box<EventDetails>),
    /// A replay of the log in order of time.
    Replay(Box<Replay>),
    /// A search.
    Find(Box<Find>),
    /// Names that profiles use are read again.
    Names(Box<LateNames>),
}

/// The jobs that were begun and not dropped.
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

/// What a job needs to read.
#[derive(Default)]
pub(crate) struct Wants {
    /// Each as offset and length.
    pub(crate) reads: Vec<(u64, u64)>,
    pub(crate) progress: Progress,
    /// Whether it reads nothing more because the file has changed or the job was dropped.
    pub(crate) gave_up: bool,
}

impl Running {
    fn job(&mut self) -> &mut dyn Job {
        match self {
            Self::Window(plan) => &mut **plan,
            Self::Range(range) => &mut **range,
            Self::LookUp(_, search) => &mut **search,
            Self::WhyIdle(why) => &mut **why,
            Self::Rows(rows) => &mut **rows,
            Self::CountEvents(count) => &mut **count,
            Self::EventPlace(place) => &mut **place,
            Self::EventDetails(details) => &mut **details,
            Self::Replay(replay) => &mut **replay,
            Self::Find(find) => &mut **find,
            Self::Names(names) => &mut **names,
        }
    }
}

impl Jobs {
    /// Adds a job; returns its number.
    pub(crate) fn begin(&mut self, running: Running) -> u32 {
        if self.running.len() >= MOST {
            self.drop_oldest();
        }
        self.last += 1;
        self.running.push(Begun { number: self.last, running, patience: Patience::default() });
        self.last
    }

    /// Makes room for a job. The replay stays: it is older than most jobs, and one replay serves all readers. So do names, and a search,
    /// whose hits are looked at for as long as it is there.
    fn drop_oldest(&mut self) {
        let is_question =
            |begun: &Begun| !matches!(begun.running, Running::Replay(_) | Running::Find(_) | Running::Names(_));
        let place = self.running.iter().position(is_question).unwrap_or(0);
        self.running.remove(place);
    }

    /// What a job needs to read, and how far it is. A job that was dropped, because too many were begun after it, has
    /// given up.
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

    /// Passes bytes to the job that needs them. Does nothing if the job was dropped.
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
    fn questions_do_not_drop_the_replay() {
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
