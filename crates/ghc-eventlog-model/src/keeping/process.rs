//! What the log says about the process that wrote it.

use crate::{
    keeping::{
        rts_flags::{AskedBreakdown, RtsFlags},
        sorted::{self, Sorted},
        store::{Event, Purpose, Store},
    },
    limits,
    terms::tags::Tags,
};
use alloc::{format, vec::Vec};
use ghc_eventlog::{
    Breakdown, CapNo, CapsetAssignCap, CapsetCreate, CapsetId, CapsetType, HeapInfo, Nanos, OsProcessPid,
    OsProcessPpid, ProgramArgs, ProgramEnv, RtsIdentifier, Text, TextList, WallClockTime,
};
use ghc_eventlog_text::LogText;

/// The process's own description; fields that the log lacks are empty. A restarted log repeats it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Process {
    /// The program and its arguments, including the `+RTS` ones.
    pub args: Vec<LogText<'static>>,
    /// What they say of the runtime, in all processes of the file; `None` before there are any.
    flags: Option<RtsFlags>,
    /// Whether its runtime is known to be the one without threads.
    single: bool,
    /// The runtime, such as "GHC-9.10.3 rts_thr".
    pub runtime: LogText<'static>,
    /// Whether that runtime is one of programs built with -prof; `None` if the log does not tell.
    pub(crate) is_profiled: Option<bool>,
    /// The time since the Unix epoch, in seconds and nanoseconds, at a moment of the log's clock.
    pub wall_clock: Option<(u64, u32, Nanos)>,
    /// The same at each moment that the log has it for: when logging is restarted, or another process goes on in the same
    /// file. In file order; of very many the first one, the last one, and some in between.
    pub wall_clocks: Vec<(u64, u32, Nanos)>,
    /// The operating system's number of the process.
    pub pid: Option<u32>,
    /// The operating system's number of its parent.
    pub ppid: Option<u32>,
    /// The heap's parameters.
    pub heap: Option<HeapInfo>,
    /// The sets of capabilities, in order of appearance.
    pub(crate) capsets: Vec<Capset>,
    /// The environment's variables. They may contain secrets, so nothing shows them unless the user asks.
    environment: Vec<LogText<'static>>,
}

/// A set of capabilities.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Capset {
    pub(crate) number: CapsetId,
    /// `None` if its creation is not in the log.
    pub(crate) kind: Option<CapsetType>,
    /// All capabilities that were ever assigned to it: at the program's end none is left.
    pub(crate) members: Sorted<CapNo, ()>,
}

impl Process {
    /// A set, created if necessary; `None` when there are too many already.
    fn capset(&mut self, number: CapsetId) -> Option<&mut Capset> {
        let place = self.capsets.iter().position(|set| set.number == number).unwrap_or(self.capsets.len());
        if place == self.capsets.len() && place < limits::MAX_CAPSETS {
            self.capsets.push(Capset { number, kind: None, members: Sorted::new() });
        }
        self.capsets.get_mut(place)
    }

    /// What its arguments say of the runtime; `None` if there are none.
    pub(crate) fn flags(&self) -> Option<&RtsFlags> {
        self.flags.as_ref()
    }

    /// What its arguments break the heap profile down by; `None` if they do not say.
    pub(crate) fn breakdown(&self) -> Option<Breakdown> {
        match self.flags()?.breakdown? {
            AskedBreakdown::By(breakdown) => Some(breakdown),
            AskedBreakdown::ByDefault => Some(Breakdown(if self.is_profiled == Some(true) { 1 } else { 7 })),
        }
    }

    /// The arguments that restrict the heap profile to a part of the data.
    pub(crate) fn heap_filters(&self) -> &[LogText<'static>] {
        self.flags().map_or(&[], |flags| &flags.filters)
    }

    /// Whether its runtime is known to be the one without threads: "GHC-9.10.3 rts_l", not "GHC-9.10.3 rts_thr_l".
    pub(crate) fn is_single(&self) -> bool {
        self.single
    }

    /// Whether its runtime is one in which the program can switch classes of events off and on: since GHC 10.
    pub(crate) fn can_pause(&self) -> bool {
        let version = self.runtime.for_comparing().strip_prefix("GHC-");
        let major = version.and_then(|version| version.split('.').next()).and_then(|major| major.parse::<u32>().ok());
        major.is_some_and(|major| major >= 10)
    }

    /// The variables of its environment, as "NAME=value". They may contain secrets: show them only when the user asks. Logged
    /// until GHC 8.6.
    #[must_use]
    pub fn environment(&self) -> &[LogText<'static>] {
        &self.environment
    }
}

impl Store for Process {
    const TAGS: Tags = Tags::of(&[
        ProgramArgs::TAG,
        ProgramEnv::TAG,
        RtsIdentifier::TAG,
        WallClockTime::TAG,
        OsProcessPid::TAG,
        OsProcessPpid::TAG,
        HeapInfo::TAG,
        CapsetCreate::TAG,
        CapsetAssignCap::TAG,
    ]);

    fn of(_: Purpose) -> Self {
        Self::default()
    }

    fn step(&mut self, event: Event<'_>) {
        let Event { tag, time, payload, .. } = event;
        match tag {
            ProgramArgs::TAG => {
                let ProgramArgs { args, .. } = ProgramArgs::read(payload);
                let flags = RtsFlags::of(&args);
                self.flags = Some(match self.flags.take() {
                    Some(earlier) => earlier.and(flags),
                    None => flags,
                });
                self.args = kept(&args, limits::MAX_ARGS);
            }
            ProgramEnv::TAG => self.environment = kept(&ProgramEnv::read(payload).env, limits::MAX_ENVIRONMENT),
            RtsIdentifier::TAG => {
                let text = RtsIdentifier::read(payload).text;
                let Text(name) = text;
                let has = |part: &[u8]| name.windows(part.len()).any(|window| window == part);
                self.single = has(b" rts") && !has(b"_thr");
                (self.runtime, self.is_profiled) = (LogText::from(text).into_owned(), is_profiled(text));
            }
            WallClockTime::TAG => {
                let clock = WallClockTime::read(payload);
                // A restart repeats it; the first one is nearest to the start.
                self.wall_clock.get_or_insert((clock.seconds, clock.nanoseconds, time));
                if self.wall_clocks.len() >= limits::MAX_WALL_CLOCKS {
                    // The one goes whose neighbours are closest.
                    let around = |three: &[(u64, u32, Nanos)]| {
                        three.last().zip(three.first()).map(|(to, from)| to.2.since(from.2))
                    };
                    let gap = self.wall_clocks.windows(3).zip(1..).min_by_key(|(three, _)| around(three));
                    gap.map(|(_, place)| place).map(|place: usize| self.wall_clocks.remove(place));
                }
                self.wall_clocks.push((clock.seconds, clock.nanoseconds, time));
            }
            OsProcessPid::TAG => self.pid = Some(OsProcessPid::read(payload).pid),
            OsProcessPpid::TAG => self.ppid = Some(OsProcessPpid::read(payload).ppid),
            HeapInfo::TAG => self.heap = Some(HeapInfo::read(payload)),
            CapsetCreate::TAG => {
                let CapsetCreate { capset, kind } = CapsetCreate::read(payload);
                if let Some(set) = self.capset(capset) {
                    set.kind = Some(kind);
                }
            }
            CapsetAssignCap::TAG => {
                let CapsetAssignCap { capset, cap } = CapsetAssignCap::read(payload);
                if let Some(set) = self.capset(capset).filter(|set| set.members.len() < limits::MAX_CAPS) {
                    set.members.insert(cap, ());
                }
            }
            _ => {}
        }
    }

    fn bytes_held(&self) -> usize {
        let texts = self.args.iter().chain(&self.environment).chain([&self.runtime]);
        let texts: usize = texts.map(|text| size_of_val(text) + text.bytes_held()).sum();
        let members: usize = self.capsets.iter().map(|set| sorted::bytes_held(&set.members)).sum();
        let clocks = self.wall_clocks.capacity() * size_of::<(u64, u32, Nanos)>();
        let capsets = self.capsets.capacity() * size_of::<Capset>();
        texts + self.flags.as_ref().map_or(0, RtsFlags::bytes_held) + clocks + capsets + members
    }
}

/// Whether a runtime is one of programs built with -prof: such as "GHC-9.10.3 rts_thr_p", whose name lists the ways in
/// which it was built.
fn is_profiled(runtime: Text<'_>) -> Option<bool> {
    let mut ways = runtime.0.rsplit(|byte| *byte == b' ').next()?.split(|byte| *byte == b'_');
    (ways.next()? == b"rts").then(|| ways.any(|way| way == b"p"))
}

/// The texts of a list. Of very many, the first and the last ones: flags of the runtime are often the last.
fn kept(list: &TextList<'_>, most: usize) -> Vec<LogText<'static>> {
    let count = list.iter().count();
    let own = |text: Text<'_>| LogText::from(text).into_owned();
    if count <= most {
        return list.iter().map(own).collect();
    }
    let missing = LogText::from(format!("… ({} more) …", count + 1 - most));
    let first = list.iter().take(most / 2).map(own);
    first.chain([missing]).chain(list.iter().skip(count + 1 - most + most / 2).map(own)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runtime_names_the_ways_in_which_it_was_built() {
        let of = |text: &str| is_profiled(Text(text.as_bytes()));
        assert_eq!(
            ["GHC-9.10.3 rts_p", "GHC-9.0.2 rts_thr_debug_p", "GHC-9.2.8 rts_thr_p_dyn"].map(of),
            [Some(true); 3]
        );
        assert_eq!(["GHC-9.10.3 rts", "GHC-9.10.3 rts_thr", "GHC-9.4.7 rts_v", "rts_pp"].map(of), [Some(false); 4]);
        assert_eq!(["", "GHC-9.10.3", "another_p", "GHC-9 rts p"].map(of), [None; 4]);
    }
}
