//! Which classes of events were logged, and why a log has nothing of something.
//!
//! A class was logged if any of its events is there, or if the program's arguments turned it on. If neither says so, and the arguments do
//! not turn it off, it is not known: most programs have threads and collections, so that their absence shows; but many write no message.

use crate::{
    keeping::rts_flags::{RtsFlags, TraceClass},
    known::Known,
    terms::absence::Absence,
};
use ghc_eventlog::{
    CreateThread, GcEnd, GcIdle, GcStart, GcWork, HeapAllocated, HeapLive, HeapSize, MigrateThread,
    NonmovingHeapCensus, NonmovingPrunedSegments, RequestParGc, RequestSeqGc, RunThread, SparkCounters, SparkCreate,
    SparkRun, SparkSteal, StopThread, TaskCreate, TaskDelete, TaskMigrate, ThreadLabel, ThreadWakeup, TickyCounterDef,
    TickyCounterSample, UserBinaryMsg, UserMarker, UserMsg,
};

impl TraceClass {
    /// Events of the class: any of them shows that it was logged.
    const fn events(self) -> &'static [u16] {
        match self {
            Self::Scheduler => &[
                RunThread::TAG,
                StopThread::TAG,
                CreateThread::TAG,
                MigrateThread::TAG,
                ThreadWakeup::TAG,
                ThreadLabel::TAG,
                TaskCreate::TAG,
                TaskMigrate::TAG,
                TaskDelete::TAG,
            ],
            Self::Collections => &[
                GcStart::TAG,
                GcEnd::TAG,
                GcWork::TAG,
                GcIdle::TAG,
                RequestSeqGc::TAG,
                RequestParGc::TAG,
                HeapAllocated::TAG,
                HeapSize::TAG,
                HeapLive::TAG,
            ],
            Self::Sparks => &[SparkCounters::TAG],
            Self::FullSparks => &[SparkCreate::TAG, SparkRun::TAG, SparkSteal::TAG],
            Self::User => &[UserMsg::TAG, UserMarker::TAG, UserBinaryMsg::TAG],
            Self::NonMoving => &[NonmovingHeapCensus::TAG, NonmovingPrunedSegments::TAG],
            Self::Ticky => &[TickyCounterDef::TAG, TickyCounterSample::TAG],
        }
    }

    /// The flag that turns it on.
    pub(crate) const fn flag(self) -> &'static str {
        match self {
            Self::Scheduler => "-ls",
            Self::Collections => "-lg",
            Self::Sparks => "-lp",
            Self::FullSparks => "-lf",
            Self::User => "-lu",
            Self::NonMoving => "-ln",
            Self::Ticky => "-lT",
        }
    }
}

const NO_COLLECTION: &str = "There was no collection while the log was written.";

impl Known {
    /// Whether a class of events was logged; `None` if nothing says so.
    pub(crate) fn logs(&self, class: TraceClass) -> Option<bool> {
        if self.counts.has_any(class.events()) {
            return Some(true);
        }
        // If events are lost, those of the class may be among them.
        self.stores.process.flags().filter(|_| !self.has_losses())?.logs(class)
    }

    /// Why a log has none of the events of some numbers, all of one class; `None` if it has some.
    pub(crate) fn absence(&self, tags: &[u16], class: TraceClass) -> Option<Absence> {
        if self.counts.has_any(tags) {
            return None;
        }
        let logged = self.logs(class);
        let absence = match class {
            // No flag adds sparks to a program that cannot have them.
            TraceClass::Sparks | TraceClass::FullSparks if self.stores.process.is_single() => {
                Absence::of_none("The program was built without -threaded, so it has no sparks.")
            }
            // Nearly every program writes events of these classes: if there are none, they were not logged.
            _ if logged == Some(false) || logged.is_none() && class != TraceClass::User => {
                Absence::of_flag(class.flag())
            }
            TraceClass::User => Absence {
                flag: logged.is_none().then_some(class.flag()),
                none: Some("The program wrote no message: no traceEvent or traceMarker of it ran."),
            },
            TraceClass::Scheduler => Absence::of_none("Nothing of this happened while the log was written."),
            TraceClass::Sparks if self.counts.has_any(&[GcStart::TAG]) => {
                Absence::of_none("The runtime wrote no counters of sparks.")
            }
            TraceClass::Collections | TraceClass::Sparks | TraceClass::FullSparks => Absence::of_none(NO_COLLECTION),
            TraceClass::NonMoving => {
                Absence::of_none("The non-moving collector did nothing while the log was written.")
            }
            TraceClass::Ticky => Absence::of_none("The program was not built with -ticky."),
        };
        Some(absence)
    }

    /// The same for what is logged whatever the classes are: `flag` turns it on, and `is_on` says that it was.
    pub(crate) fn absence_of_feature(
        &self,
        tags: &[u16],
        (flag, is_on): (&'static str, bool),
        none: &'static str,
    ) -> Option<Absence> {
        let absence = if is_on { Absence::of_none(none) } else { Absence::of_flag(flag) };
        (!self.counts.has_any(tags)).then_some(absence)
    }

    /// Whether the program's arguments ask for something.
    fn asks(&self, what: impl Fn(&RtsFlags) -> bool) -> bool {
        self.stores.process.flags().is_some_and(what)
    }

    /// Why a log has no census of the heap.
    pub(crate) fn absence_of_censuses(&self, tags: &[u16]) -> Option<Absence> {
        let is_on = self.asks(|flags| flags.heap_profile) || self.counts.has_any(&[ghc_eventlog::HeapProfBegin::TAG]);
        self.absence_of_feature(tags, ("-l -hT", is_on), "No census was taken while the log was written.")
    }

    /// Why a log has no sample of a time profile.
    pub(crate) fn absence_of_samples(&self, tags: &[u16]) -> Option<Absence> {
        let is_on = self.asks(|flags| flags.time_profile) || self.counts.has_any(&[ghc_eventlog::ProfBegin::TAG]);
        self.absence_of_feature(tags, ("-l -p", is_on), "No sample was taken while the log was written.")
    }

    /// Why a log has nothing of the non-moving collector.
    pub(crate) fn absence_of_nonmoving(&self, tags: &[u16]) -> Option<Absence> {
        let none = "The non-moving collector did nothing while the log was written.";
        self.absence_of_feature(tags, ("-xn", self.asks(|flags| flags.nonmoving)), none)
    }
}
