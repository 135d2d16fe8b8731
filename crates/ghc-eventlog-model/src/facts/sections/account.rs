//! The account: where the capabilities' time went.

use super::threads::not_followed;
use crate::{
    facts::{
        Section,
        account::{Account, AccountPart, REASON_NOT_KNOWN},
        scope::Scope,
        typed::facts,
    },
    terms::absence::Absence,
    tracks::capability::IDLE,
};
use ghc_eventlog::Nanos;

/// What is said where some of the time in which capabilities were disabled is not known.
pub(super) const DISABLED_AT_LEAST: &str = "There are too many times in which capabilities do nothing to keep them all: when they were \
    disabled is known of the longest only. The other times of disabled capabilities count as idle.";

/// Whether there is any of it.
fn any(time: Option<Nanos>) -> bool {
    time > Some(Nanos(0))
}

// The keys of idle time are its reasons; those of blocked threads are the words of the text dump.
facts! {
    /// Where the time of the capabilities went: all parts together are the number of capabilities times the length of the log.
    /// Why capabilities were idle is known once threads have been followed, and of the whole log only.
    AccountFacts("account", "Where the time went") {
        /// The flag of the runtime without which the log does not say.
        pub lacks: Option<Absence>,
        /// The number of capabilities times the length of the log: the time that they had.
        pub capability: Option<Nanos> = ("capability_ns", "Capabilities × time", Duration, Timed),
        /// The time in which they ran Haskell threads. A thread in an unsafe foreign call counts as running.
        pub running: Option<Nanos> = ("running_ns", "Running Haskell", Duration, Timed),
        /// The time in which they worked in collections.
        pub gc: Option<Nanos> = ("gc_ns", "Collecting", Duration, Timed),
        /// The time in which they waited for a collection to begin, which is when all others have stopped, too.
        pub gc_sync: Option<Nanos> = ("gc_sync_ns", "Waiting for a collection to begin", Duration, Timed),
        /// The time in which a collection went on and they had nothing to do in it.
        pub gc_wait: Option<Nanos> = ("gc_wait_ns", "Waiting in a collection", Duration, Timed),
        /// The time in which they took censuses of the heap profile.
        pub census: Option<Nanos> = ("census_ns", "Taking a census", Duration, Timed).only_if(|account| any(account.census)),
        /// The time in which they were disabled, or did not exist yet or any more.
        pub disabled: Option<Nanos> = ("disabled_ns", "Disabled or not there", Duration, Timed).only_if(|account| any(account.disabled)),
        /// The time in which a thread would have run, but the runtime wrote the log to its file: an estimate.
        pub log_writing: Option<Nanos> = ("log_writing_ns", "Held up by writing the log", Duration, Timed).only_if(|account| any(account.log_writing)),
        /// The time of which the log does not say what they did, since events are missing.
        pub not_known: Option<Nanos> = ("not_known_ns", "Not in the log", Duration, Timed).only_if(|account| any(account.not_known)),
        /// The time in which they were idle while a collection was requested or went on, in which they took no part.
        pub collection_pending: Option<Nanos> = ("idle_ns.collection pending", "A collection is pending", Duration, Timed)
            .only_if(|account| any(account.collection_pending)),
        /// The time in which they were idle although a thread could run that last ran there.
        pub runnable_here: Option<Nanos> = ("idle_ns.runnable here", "Idle: a thread can run that last ran there", Duration, Timed)
            .only_if(|account| any(account.runnable_here)),
        /// The time in which they were idle although threads could run, which last ran on other capabilities.
        pub runnable_elsewhere: Option<Nanos> = ("idle_ns.runnable elsewhere", "Idle: threads can run that last ran elsewhere", Duration, Timed)
            .only_if(|account| any(account.runnable_elsewhere)),
        /// The time in which they were idle, no thread could run, and most of those that waited did so in takeMVar or putMVar.
        pub blocked_on_mvar: Option<Nanos> = ("idle_ns.blocked on an MVar", "Idle: threads are blocked on an MVar", Duration, Timed)
            .only_if(|account| any(account.blocked_on_mvar)),
        /// The time in which they were idle, no thread could run, and most of those that waited did so in readMVar.
        pub blocked_reading_mvar: Option<Nanos> = ("idle_ns.blocked reading an MVar", "Idle: threads are blocked reading an MVar", Duration, Timed)
            .only_if(|account| any(account.blocked_reading_mvar)),
        /// The time in which they were idle, no thread could run, and most of those that waited did so in STM, after retry.
        pub blocked_in_stm: Option<Nanos> = ("idle_ns.blocked in STM retry", "Idle: threads are blocked in STM retry", Duration, Timed)
            .only_if(|account| any(account.blocked_in_stm)),
        /// The time in which they were idle, no thread could run, and most of those that waited did so for values that other threads evaluated.
        pub blocked_on_black_hole: Option<Nanos> = ("idle_ns.blocked on black hole", "Idle: threads are blocked on black holes", Duration, Timed)
            .only_if(|account| any(account.blocked_on_black_hole)),
        /// The time in which they were idle, no thread could run, and most of those that waited did so in throwTo.
        pub blocked_in_throw_to: Option<Nanos> = ("idle_ns.blocked in throwTo", "Idle: threads are blocked in throwTo", Duration, Timed)
            .only_if(|account| any(account.blocked_in_throw_to)),
        /// The time in which they were idle, no thread could run, and most of them slept in threadDelay. Only programs built without -threaded log it.
        pub blocked_in_delay: Option<Nanos> = ("idle_ns.blocked on threadDelay", "Idle: threads are blocked in threadDelay", Duration, Timed)
            .only_if(|account| any(account.blocked_in_delay)),
        /// The time in which they were idle, no thread could run, and most of those that waited did so until a file or a socket had something to read.
        pub blocked_on_reading: Option<Nanos> = ("idle_ns.blocked on I/O read", "Idle: threads are blocked on reading", Duration, Timed)
            .only_if(|account| any(account.blocked_on_reading)),
        /// The time in which they were idle, no thread could run, and most of those that waited did so until a file or a socket could be written to.
        pub blocked_on_writing: Option<Nanos> = ("idle_ns.blocked on I/O write", "Idle: threads are blocked on writing", Duration, Timed)
            .only_if(|account| any(account.blocked_on_writing)),
        /// The time in which they were idle, no thread could run, and most of those that waited did so for asynchronous input or output (Windows only).
        pub blocked_on_async_io: Option<Nanos> = ("idle_ns.blocked on asyncDoProc", "Idle: threads are blocked on asynchronous I/O", Duration, Timed)
            .only_if(|account| any(account.blocked_on_async_io)),
        /// The time in which they were idle, no thread could run, and most of those that waited did so for input or output to be completed (Windows only).
        pub blocked_on_io_completion: Option<Nanos> = ("idle_ns.blocked on I/O completion", "Idle: threads are blocked on I/O completion", Duration, Timed)
            .only_if(|account| any(account.blocked_on_io_completion)),
        /// The time in which they were idle, no thread could run, and the log does not say why most of them waited.
        pub blocked_without_reason: Option<Nanos> = ("idle_ns.blocked", "Idle: threads are blocked", Duration, Timed)
            .only_if(|account| any(account.blocked_without_reason)),
        /// The time in which they were idle, no thread could run, and most of them were in foreign calls.
        pub foreign: Option<Nanos> = ("idle_ns.foreign call", "Idle: threads are in foreign calls", Duration, Timed)
            .only_if(|account| any(account.foreign)),
        /// The time in which they were idle and there was no thread besides those that ran. The threads do not count in which
        /// the runtime itself waits for input, output and timers.
        pub no_thread: Option<Nanos> = ("idle_ns.no thread", "Idle: there is no other thread", Duration, Timed)
            .only_if(|account| any(account.no_thread)),
        /// The time in which they were idle and it is not known what the threads did.
        pub reason_not_known: Option<Nanos> = ("idle_ns.reason not known", "Idle: why is not known", Duration, Timed)
            .only_if(|account| any(account.reason_not_known)),
    }
}

impl AccountFacts {
    pub(super) fn gather(scope: &Scope<'_>) -> Self {
        let lacks = scope.known().logged_classes().lacks(IDLE).map(Absence::of_flag);
        let Some(Account { all, parts, .. }) = scope.account() else { return Self { lacks, ..Self::default() } };
        // Of a range, and before the replay, no reason is known: that is not 0.
        let tells = scope.is_whole() && scope.replayed().is_some();
        let last = parts.len().saturating_sub(1);
        let is_told =
            |at: usize, part: &AccountPart| tells || at == last || !(part.is_idle() || part.key == "log_writing_ns");
        let mut times = parts.iter().enumerate().map(|(at, part)| Some(part.time).filter(|_| is_told(at, part)));
        let mut next = || times.next().flatten();
        // Fields are set in the order that is written here: that of the parts.
        Self {
            lacks,
            capability: Some(all),
            running: next(),
            gc: next(),
            gc_sync: next(),
            gc_wait: next(),
            census: next(),
            disabled: next(),
            log_writing: next(),
            not_known: next(),
            collection_pending: next(),
            runnable_here: next(),
            runnable_elsewhere: next(),
            blocked_on_mvar: next(),
            blocked_reading_mvar: next(),
            blocked_in_stm: next(),
            blocked_on_black_hole: next(),
            blocked_in_throw_to: next(),
            blocked_in_delay: next(),
            blocked_on_reading: next(),
            blocked_on_writing: next(),
            blocked_on_async_io: next(),
            blocked_on_io_completion: next(),
            blocked_without_reason: next(),
            foreign: next(),
            no_thread: next(),
            reason_not_known: next(),
        }
    }

    pub(super) fn section(&self, scope: &Scope<'_>) -> Option<Section> {
        let mut account = Section::of(self).needs(self.lacks);
        for figure in account.figures.iter_mut().filter(|figure| figure.key == REASON_NOT_KNOWN) {
            figure.name = scope.why_not_known();
        }
        account.parts_of = Some("capability_ns");
        if !scope.is_whole() && scope.known().stores.log_writes.held_up > Nanos(0) {
            account.remark(
                "Of a range, it is not known how long writing the log held threads up: that counts as running.",
            );
        }
        if scope.misses_disabled() {
            account.remark(DISABLED_AT_LEAST);
        }
        if not_followed(scope) > 0 {
            account.remark(
                "Too many threads lived at the same time to follow all: why capabilities were idle is estimated.",
            );
        }
        Some(account)
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        Model,
        facts::{scope::Scope, typed::Subject},
        work,
    };
    use alloc::vec::Vec;
    use ghc_eventlog::{Block, CapNo, GcEnd, GcStart, LogWriter, Nanos, RunThread, StopStatus, StopThread, ThreadId};

    /// Each part of the account is a figure, of the same key and name, and in the same place.
    #[test]
    fn figures_are_the_parts() {
        let mut log = LogWriter::new();
        log.block(Block::of(CapNo(0)), |block| {
            block.event(Nanos(1000), RunThread { thread: ThreadId(7) });
            block.event(Nanos(5000), StopThread { thread: ThreadId(7), status: StopStatus(5), info: None });
            block.event(Nanos(5000), GcStart {}).event(Nanos(6000), GcEnd {});
        });
        let log = log.finish();
        let mut model = Model::of_figures();
        model.feed(&log);
        model.finish();
        let last = |model: &Model| Scope::of(model, None).account().unwrap().parts.last().map(|part| part.name);
        assert_eq!(last(&model), Some("Idle: why is known once threads have been followed"));
        let mut replay = model.replay().unwrap();
        let read = |offset: u64, length: u64| Ok::<_, ()>(&log[offset as usize..(offset + length) as usize]);
        assert_eq!(work(&mut replay, &mut model, read), Ok(true));
        let account = Scope::of(&model, None).account().unwrap();
        let parts: Vec<_> = account.parts.iter().map(|part| (part.key, part.name)).collect();
        let rows: Vec<_> = super::AccountFacts::ABOUT_FIELDS.iter().filter_map(|(key, _)| *key).collect();
        let names: Vec<_> = super::AccountFacts::ROWS.iter().map(|row| row.name()).collect();
        let figures: Vec<_> = rows.into_iter().zip(names).skip(1).collect();
        assert_eq!(parts, figures);
    }
}
