//! The process that wrote the log.

use crate::{
    facts::{Section, scope::Scope, typed::facts},
    keeping::process::Process,
};
use alloc::{format, string::String};
use ghc_eventlog_text::LogText;

/// Nanoseconds of a second.
const SECOND: u128 = 1_000_000_000;

facts! {
    /// The process that wrote the log, and how its runtime was set up. It is the same for every range.
    ProcessFacts("process", "Process") {
        /// The name by which the program was started.
        pub program: Option<LogText<'static>> = ("program", "Program", Text, Repeatable),
        /// The arguments that the program was started with, those for the runtime (+RTS) included.
        pub args: Option<LogText<'static>> = ("args", "Arguments", Text, Repeatable),
        /// The version of GHC whose runtime the program has, and which variant of it: rts_thr is the one built with
        /// -threaded.
        pub runtime: Option<LogText<'static>> = ("rts", "Runtime", Text, Repeatable),
        /// The date and the time of day at which the log begins, in UTC.
        pub started: Option<LogText<'static>> = ("started", "Log begins", Text, Timed),
        /// The operating system's number of the process.
        pub pid: Option<u32> = ("pid", "Process number", Text, Timed),
        /// The operating system's number of the process that started the program.
        pub ppid: Option<u32> = ("ppid", "Process number of the parent", Text, Timed),
        /// How many generations the heap has. New data is in generation 0; what survives moves to an older generation,
        /// which is collected less often. The default is 2.
        pub generations: Option<u64> = ("heap.generations", "Generations", Count, Repeatable),
        /// The most memory that the heap may have, as set by -M. Without that flag there is no limit, and no value
        /// here.
        pub max_heap: Option<u64> = ("heap.max_bytes", "Largest heap allowed", Bytes, Repeatable),
        /// How much memory a capability may fill before a minor collection is due, as set by -A. The default is 4 MiB
        /// since GHC 9.2, and 1 MiB before; a larger area means fewer collections.
        pub alloc_area: Option<u64> = ("heap.alloc_area_bytes", "Allocation area", Bytes, Repeatable),
        /// The size of a megablock: the runtime gets memory from the operating system in pieces of this size. It is
        /// usually 1 MiB.
        pub mblock: Option<u64> = ("heap.mblock_bytes", "Megablock", Bytes, Repeatable),
        /// The size of a block: the runtime divides megablocks into pieces of this size. It is usually 4 KiB.
        pub block: Option<u64> = ("heap.block_bytes", "Block", Bytes, Repeatable),
    }
}

impl ProcessFacts {
    pub(super) fn gather(scope: &Scope<'_>) -> Self {
        let Process { args, runtime, pid, ppid, heap, .. } = scope.model.process();
        let (program, args) = args.split_first().unzip();
        Self {
            program: program.cloned(),
            args: args.map(|args| LogText::joined(args, " ")),
            runtime: Some(runtime.clone()).filter(|runtime| !runtime.is_empty()),
            started: started(scope).map(LogText::from),
            pid: *pid,
            ppid: *ppid,
            generations: heap.map(|heap| heap.generations.into()),
            // 0 is no limit.
            max_heap: heap.map(|heap| heap.max_heap_bytes).filter(|most| *most > 0),
            alloc_area: heap.map(|heap| heap.alloc_area_bytes),
            mblock: heap.map(|heap| heap.mblock_bytes),
            block: heap.map(|heap| heap.block_bytes),
        }
    }

    pub(super) fn section(&self, scope: &Scope<'_>) -> Option<Section> {
        scope.of_whole(Section::of(self))
    }
}

/// When the log begins, as a date and time of day in UTC.
fn started(scope: &Scope<'_>) -> Option<String> {
    let (seconds, nanos, at) = scope.model.process().wall_clock?;
    let (first, _) = scope.model.extent()?;
    let then = u128::from(seconds) * SECOND + u128::from(nanos) + u128::from(first.since(at).0);
    date(u64::try_from(then.checked_sub(at.since(first).0.into())? / SECOND).ok()?)
}

/// The last second of the year 9999.
const LAST: u64 = 253_402_300_799;

/// Seconds since the Unix epoch as "2024-05-01T12:34:56Z"; `None` from the year 10000 on.
fn date(seconds: u64) -> Option<String> {
    if seconds > LAST {
        return None;
    }
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // The calendar repeats itself every 400 years, which have 146 097 days. Years begin in March: the leap day comes last.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // Months from March on, of 31, 30, 31, 30, 31 days, and again.
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = 400 * era + year + u64::from(month <= 2);
    let (hours, minutes, seconds) = (second / 3600, second / 60 % 60, second % 60);
    Some(format!("{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}Z"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        let cases = [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_709_164_800, "2024-02-29T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (1_700_000_000, "2023-11-14T22:13:20Z"),
            (LAST, "9999-12-31T23:59:59Z"),
        ];
        cases.into_iter().for_each(|(seconds, expected)| assert_eq!(date(seconds).as_deref(), Some(expected)));
        assert_eq!(date(LAST + 1), None);
        assert_eq!(date(u64::MAX), None);
    }
}
