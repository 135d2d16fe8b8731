//! The program's threads.

use crate::{
    facts::{Section, scope::Scope, tables::caps, typed::facts},
    keeping::{crossing::doing::Doing, quantiles::Quantiles},
    terms::{absence::Absence, track::State, value::Unit},
    tracks::capability::RUNNING,
};
use ghc_eventlog::{CreateThread, Nanos};

// The keys of the reasons to be blocked are the words of the text dump, without what they name.
facts! {
    /// The program's Haskell threads; times are the sums of all threads' times. All but the time that they ran is known
    /// once threads have been followed.
    ThreadsFacts("threads", "Threads") {
        /// Why the log does not say what threads did; if a flag is missing, at most their numbers are known.
        pub lacks: Option<Absence>,
        /// How many threads the log names; of a range, how many lived in it, which is known only if there is room for a row of each.
        pub count: Option<u64> = ("count", "Threads", Count, Repeatable),
        /// How many threads were created while the log was written. Known of the whole log only.
        pub created: Option<u64> = ("created", "Created in the log", Count, Repeatable),
        /// How many of the threads have no row, since there are too many: those that lived shortest and did least. They count in
        /// all sums.
        pub without_row: Option<u64> = ("without_row.count", "Threads without a row", Count, Repeatable)
            .only_if(|threads| threads.without_row.is_some()),
        /// None of the threads without a row lived longer, except those that had not finished when they lost their rows.
        pub longest_without_row: Option<Nanos> = ("without_row.max_life_ns", "Longest known life without a row", Duration, Timed)
            .only_if(|threads| threads.longest_without_row.is_some()),
        /// How long the threads without a row ran, all together; of a range, estimated at its ends.
        pub running_without_row: Option<Nanos> = ("without_row.running_ns", "Running, threads without a row", Duration, Timed)
            .only_if(|threads| threads.running_without_row.is_some()),
        /// How long the threads without a row were blocked, all together; of a range, estimated at its ends.
        pub blocked_without_row: Option<Nanos> = ("without_row.blocked_ns", "Blocked, threads without a row", Duration, Timed)
            .only_if(|threads| threads.blocked_without_row.is_some()),
        /// How long threads without a row could run, but waited for a capability.
        pub runnable_without_row: Option<Nanos> = ("without_row.runnable_ns", "Runnable, threads without a row", Duration, Timed)
            .only_if(|threads| threads.runnable_without_row.is_some()),
        /// How long threads without a row were in foreign calls.
        pub foreign_without_row: Option<Nanos> = ("without_row.foreign_ns", "In foreign calls, threads without a row", Duration, Timed)
            .only_if(|threads| threads.foreign_without_row.is_some()),
        /// How many threads were not followed, since too many were alive at the same time: all times but the running time lack theirs.
        /// Known of the whole log only.
        pub not_followed: Option<u64> = ("not_followed", "Threads not followed", Count, Repeatable)
            .only_if(|threads| threads.not_followed.is_some()),
        /// The time in which threads ran on capabilities, summed over all threads.
        pub running: Option<Nanos> = ("states_ns.running", "Running", Duration, Timed),
        /// The time in which threads could run but no capability had time for them, summed over all threads. If it is
        /// large, more capabilities could help.
        pub runnable: Option<Nanos> = ("states_ns.runnable", "Runnable", Duration, Timed),
        /// The time in which the program's own threads were in calls of foreign functions, summed over these threads.
        pub foreign_of_program: Option<Nanos> = ("foreign_ns.program", "In foreign calls, the program's threads", Duration, Timed)
            .only_if(|threads| threads.foreign_of_runtime.is_some()),
        /// The time in which the runtime's own threads were in calls of foreign functions, in which they wait for input,
        /// output and timers: it is long in every program, and no work. They are those that the base library labels
        /// IOManager or TimerManager.
        pub foreign_of_runtime: Option<Nanos> = ("foreign_ns.runtime", "In foreign calls, the runtime's threads", Duration, Timed)
            .only_if(|threads| threads.foreign_of_runtime.is_some()),
        /// The time in which threads were in calls of foreign functions, summed over all threads.
        pub foreign: Option<Nanos> = ("states_ns.foreign", "In foreign calls", Duration, Timed)
            .or_named("In foreign calls, all threads", |threads| threads.foreign_of_runtime.is_some()),
        /// The time of which the log does not say what threads did, since events are missing. Most logs have none.
        pub not_known: Option<Nanos> = ("states_ns.not_known", "Not known: its capability's events end", Duration, Timed)
            .only_if(|threads| threads.not_known > Some(Nanos(0))),
        /// The time in which threads waited for something, summed over all threads. It is split by reasons below.
        /// Threads that wait for work make it large, which is no harm.
        pub blocked: Option<Nanos> = ("blocked_ns", "Blocked", Duration, Timed),
        /// The time in which threads waited in takeMVar or putMVar until an MVar was filled or emptied, summed over all
        /// threads.
        pub blocked_on_mvar: Option<Nanos> = ("states_ns.blocked.blocked on an MVar", "Blocked on an MVar", Duration, Timed)
            .only_if(|threads| threads.blocked_on_mvar > Some(Nanos(0))),
        /// The time in which threads waited in readMVar until an MVar was filled, summed over all threads.
        pub blocked_reading_mvar: Option<Nanos> = ("states_ns.blocked.blocked reading an MVar", "Blocked reading an MVar", Duration, Timed)
            .only_if(|threads| threads.blocked_reading_mvar > Some(Nanos(0))),
        /// The time in which threads waited in STM, after retry, until a variable that they had read changed. It is
        /// summed over all threads.
        pub blocked_in_stm: Option<Nanos> = ("states_ns.blocked.blocked in STM retry", "Blocked in STM retry", Duration, Timed)
            .only_if(|threads| threads.blocked_in_stm > Some(Nanos(0))),
        /// The time in which threads waited for a black hole, which is a value that another thread is evaluating. If it
        /// is large, threads share lazy values and wait for each other.
        pub blocked_on_black_hole: Option<Nanos> = ("states_ns.blocked.blocked on black hole", "Blocked on a black hole", Duration, Timed)
            .only_if(|threads| threads.blocked_on_black_hole > Some(Nanos(0))),
        /// The time in which threads waited in throwTo until the other thread received the exception, summed over all
        /// threads.
        pub blocked_in_throw_to: Option<Nanos> = ("states_ns.blocked.blocked in throwTo", "Blocked in throwTo", Duration, Timed)
            .only_if(|threads| threads.blocked_in_throw_to > Some(Nanos(0))),
        /// The time in which threads slept in threadDelay. Only programs built without -threaded log it; in others, a
        /// thread that sleeps is blocked on an MVar or in STM.
        pub blocked_in_delay: Option<Nanos> = ("states_ns.blocked.blocked on threadDelay", "Blocked in threadDelay", Duration, Timed)
            .only_if(|threads| threads.blocked_in_delay > Some(Nanos(0))),
        /// The time in which threads waited until a file or a socket had something to read, summed over all threads.
        pub blocked_on_reading: Option<Nanos> = ("states_ns.blocked.blocked on I/O read", "Blocked on reading", Duration, Timed)
            .only_if(|threads| threads.blocked_on_reading > Some(Nanos(0))),
        /// The time in which threads waited until a file or a socket could be written to, summed over all threads.
        pub blocked_on_writing: Option<Nanos> = ("states_ns.blocked.blocked on I/O write", "Blocked on writing", Duration, Timed)
            .only_if(|threads| threads.blocked_on_writing > Some(Nanos(0))),
        /// The time in which threads waited for asynchronous input or output (Windows only), summed over all threads.
        pub blocked_on_async_io: Option<Nanos> = ("states_ns.blocked.blocked on asyncDoProc", "Blocked on asynchronous I/O", Duration, Timed)
            .only_if(|threads| threads.blocked_on_async_io > Some(Nanos(0))),
        /// The time in which threads waited for input or output to be completed (Windows only), summed over all
        /// threads.
        pub blocked_on_io_completion: Option<Nanos> = ("states_ns.blocked.blocked on I/O completion", "Blocked on I/O completion", Duration, Timed)
            .only_if(|threads| threads.blocked_on_io_completion > Some(Nanos(0))),
        /// The time in which threads were blocked and the log does not say why, summed over all threads.
        pub blocked_without_reason: Option<Nanos> = ("states_ns.blocked.blocked", "Blocked, no reason given", Duration, Timed)
            .only_if(|threads| threads.blocked_without_reason > Some(Nanos(0))),
        /// How often a thread ran after it had been woken up. Like the times from wake-up to run, it is known of the
        /// whole log only.
        pub wakeups: Option<u64> = ("latency_ns.count", "Runs after wake-ups", Count, Repeatable).only_if(|threads| threads.wakeups.is_some()),
        /// Half of the times from a thread's wake-up to its run were no longer than this, within 0.4 %. They are short
        /// as long as capabilities are free.
        pub latency_p50: Option<Nanos> = ("latency_ns.p50", "From wake-up to run, median", Duration, Timed)
            .only_if(|threads| threads.latency_p50.is_some()),
        /// 95 % of the times from a thread's wake-up to its run were no longer than this, within 0.4 %; one in twenty
        /// was longer.
        pub latency_p95: Option<Nanos> = ("latency_ns.p95", "95th percentile", Duration, Timed)
            .only_if(|threads| threads.latency_p95.is_some()),
        /// The longest time from a thread's wake-up to its run. Capabilities that are busy or collect garbage make it
        /// long.
        pub max_latency: Option<Nanos> = ("latency_ns.max", "Longest", Duration, Timed).only_if(|threads| threads.max_latency.is_some()),
    }
}

impl ThreadsFacts {
    pub(super) fn gather(scope: &Scope<'_>) -> Self {
        let lacks = scope.known().logged_classes().lacks(RUNNING).map(Absence::of_flag);
        let threads = scope.model.threads();
        let count = scope.of_whole(threads.count());
        let created = scope.of_whole(scope.events(&[CreateThread::TAG]));
        if lacks.is_some_and(Absence::is_unlogged) {
            // Threads may be created and labelled in a log in which none runs.
            let is_told = |count: &u64| *count > 0;
            return Self { lacks, count: count.filter(is_told), created: created.filter(is_told), ..Self::default() };
        }
        let (all, rowless) = (scope.threads(), scope.without_row());
        let of_rowless = |doing| rowless.map(|did| did.time(doing));
        // In a range, what capabilities did is exact.
        let by_caps = threads.is_capped() && !scope.is_whole() || not_followed(scope) > 0;
        let time = |doing| all.map(|all| all.sum.time(doing)).filter(is_counted);
        let [mvar, mvar_read, stm, black_hole, throw_to, delay, read, write, async_io, io_completion, no_reason] =
            all.map(|all| all.blocked.map(|time| Some(time).filter(is_counted))).unwrap_or_default();
        let of_runtime = scope.foreign_of_runtime();
        let latency = scope.known().replayed.as_ref().filter(|_| scope.is_whole());
        let latency = latency.map(|replayed| &replayed.lives.latency);
        let any = latency.filter(|latency| latency.count() > 0);
        let percentile = |percent| any.and_then(|latency| latency.at(percent)).map(Nanos);
        Self {
            lacks,
            count: match scope.range {
                None => count,
                Some(_) => scope.living().filter(|_| !threads.is_capped()),
            },
            created,
            without_row: threads.without_row().and_then(|without| scope.of_whole(without.count)),
            longest_without_row: threads.without_row().and_then(|without| scope.of_whole(without.longest)),
            running_without_row: of_rowless(Doing::Running),
            blocked_without_row: of_rowless(Doing::Blocked),
            runnable_without_row: of_rowless(Doing::Runnable),
            foreign_without_row: of_rowless(Doing::Foreign),
            not_followed: scope.of_whole(not_followed(scope)).filter(|count| *count > 0),
            running: time(Doing::Running).filter(|_| !by_caps).or_else(|| caps::all(scope, RUNNING)),
            runnable: time(Doing::Runnable),
            foreign_of_program: time(Doing::Foreign).zip(of_runtime).map(|(all, runtime)| all.since(runtime)),
            foreign_of_runtime: of_runtime,
            foreign: time(Doing::Foreign),
            not_known: time(Doing::NotKnown),
            blocked: time(Doing::Blocked),
            blocked_on_mvar: mvar,
            blocked_reading_mvar: mvar_read,
            blocked_in_stm: stm,
            blocked_on_black_hole: black_hole,
            blocked_in_throw_to: throw_to,
            blocked_in_delay: delay,
            blocked_on_reading: read,
            blocked_on_writing: write,
            blocked_on_async_io: async_io,
            blocked_on_io_completion: io_completion,
            blocked_without_reason: no_reason,
            wakeups: latency.map(Quantiles::count),
            latency_p50: percentile(50),
            latency_p95: percentile(95),
            max_latency: any.map(|latency| Nanos(latency.most())),
        }
    }

    pub(super) fn section(&self, scope: &Scope<'_>) -> Option<Section> {
        let mut section = Section::of(self).stacked().needs(self.lacks).count(self.count, "threads");
        let replayed = scope.known().replayed.as_ref().filter(|_| scope.is_whole());
        if let Some(replayed) = replayed {
            let woken = State { name: "from wake-up to run", role: "runnable" };
            let counted = [(woken, replayed.lives.latencies)];
            section.histogram("latencies", "From wake-up to run", Unit::Duration, &counted, None);
        }
        let may_be_followed = scope.known().is_finished() && scope.known().crosses_capabilities();
        if scope.threads().is_none() && scope.is_whole() && may_be_followed {
            section.remark(
                "What threads did besides running is known once threads have been followed: unfold the group Threads on the timeline for that.",
            );
        } else if replayed.is_some_and(|replayed| !replayed.is_done) {
            section.remark("These are the figures so far: threads have not been followed to the end of the log.");
        }
        if scope.threads().is_some_and(|all| !all.sum.times.iter().all(is_counted)) {
            section.remark("All threads together were in a state for longer than 584 years: that is not counted.");
        }
        if scope.model.threads().is_capped() {
            section.remark(match (not_followed(scope), scope.is_whole()) {
                (0, true) => {
                    "There are more threads than there is room for: only those that lived longest or ran longest have a row, and as many of those with a label as there is room for. The sums count all."
                }
                (_, false) if scope.threads().is_none() => {
                    "There are more threads than there is room for, and too much of the log to read again: of this range, it is not known what \
                     threads did besides running."
                }
                (0, false) => {
                    "There are more threads than there is room for: only those that lived longest or ran longest have a row, and as many of those with a label as there is room for. The sums count all; besides running, \
                     what they did near the ends of the range is estimated."
                }
                _ => {
                    "There are more threads than there is room for, and too many lived at the same time to follow all: times besides running \
                     lack what some of them did."
                }
            });
        }
        if scope.is_whole() && scope.model.threads().without_row().is_some_and(|without| !without.is_exact) {
            section.remark("The numbers of threads are too far apart to remember all, so some threads are counted twice: there are at most as many as it says, with and without a row.");
        }
        if replayed.is_some_and(|replayed| replayed.lives.are_waits_beyond) {
            section.remark(
                "What a thread was mostly blocked on is only known of those threads that may have waited longest.",
            );
        }
        scope.about_labels().into_iter().for_each(|missing| section.remark(missing));
        Some(section)
    }
}

/// How many threads without a row could not be followed.
pub(super) fn not_followed(scope: &Scope<'_>) -> u64 {
    scope.known().replayed.as_ref().map_or(0, |replayed| replayed.lives.rowless.not_followed)
}

/// Whether a sum of times fits into 64 bits: sums do not go beyond the largest one.
fn is_counted(time: &Nanos) -> bool {
    *time < Nanos::MAX
}
