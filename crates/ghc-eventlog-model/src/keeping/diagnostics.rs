//! What the user should know about how well a log could be read.

use crate::{
    keeping::{
        store::{Purpose, Store},
        threads::WithoutRow,
    },
    limits,
    terms::launcher::Launcher,
};
use alloc::vec::Vec;
use core::fmt;
use ghc_eventlog::{CapNo, Nanos, Notice, NoticeKind};
use ghc_eventlog_text::LogText;

/// Something that the user should know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Diagnostic {
    /// What.
    pub kind: DiagnosticKind,
    /// The time of the last event before it, on the capability whose block it was found in; `None` if there was none.
    pub time: Option<Nanos>,
}

/// The subject of a [`Diagnostic`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiagnosticKind {
    /// A notice of the decoder.
    Decoder(Notice),
    /// There are no events.
    NoEvents,
    /// Times go back within one capability's events by more than clocks explain. Reported once for each capability.
    TimeBack {
        /// The capability; `None` for the global events.
        cap: Option<CapNo>,
        /// Where it was seen first.
        offset: u64,
        /// How far back.
        by: Nanos,
    },
    /// Something that an undamaged log cannot have: ends or beginnings are missing.
    Unpaired {
        /// Runs, and phases of collections, that were followed by something else before they had ended.
        unended: u64,
        /// Stops of threads that were not running.
        unbegun: u64,
    },
    /// Events of threads that contradict each other, in order of time.
    Impossible {
        /// How often a thread started to run that was running already, or had finished.
        runs: u64,
        /// The total time for which two capabilities say that they ran the same thread.
        twice: Nanos,
    },
    /// This number of messages end a span that has not begun.
    UnbegunSpans(u64),
    /// This number of spans were not followed until they ended: too many others were open.
    TooManySpans(u64),
    /// This number of waits for black holes are missing: there were too many pairs of a waiting thread and an owner.
    TooManyOwners(u64),
    /// There are more threads than rows: the lightest have no row, no label and no times of their own. The totals count all of them.
    TooManyThreads(WithoutRow),
    /// Labels need more room than there is: this number of them are missing.
    TooManyLabels(u64),
    /// Up to this number of names of info tables, cost centres and ticky counters are not shown: the log defines more than are kept while it
    /// is read, and it was not read again for them.
    NamesNotRead(u64),
    /// There is no room for this number of names of info tables, cost centres and frames that profiles use.
    TooManyNames(u64),
    /// There are more collections than rows; the totals count all of them.
    TooManyCollections,
    /// There are more tasks, or more moves of tasks, than are kept.
    TooManyTasks,
    /// Capabilities were disabled more often than is kept.
    TooOftenDisabled,
    /// There are more capabilities than lanes.
    TooManyCaps,
    /// Most of the file could not be read.
    MostlyLost {
        /// How many bytes could not be read,
        bytes: u64,
        /// and how many there are.
        of: u64,
    },
    /// The first and the last event are so far apart that the time of one of them must be wrong.
    FarApart(Nanos),
    /// A class of events was switched off and on again while the program ran.
    Paused {
        /// What is not known meanwhile.
        what: &'static str,
        /// How often.
        count: u64,
    },
    /// The log of another process follows in the file.
    OtherProcess {
        /// Where it begins.
        offset: u64,
        /// The operating system's number of it, if the log says so early.
        pid: Option<u32>,
        /// What is added to the numbers of its threads.
        added: u32,
        /// If its clock begins anew: when the log before it ends, on that one's clock.
        begins_anew: Option<Nanos>,
    },
    /// The log is of a program that starts others, and probably was to be of the other one.
    OfLauncher(Launcher),
    /// The user stopped reading here.
    Stopped {
        /// How far it was read.
        offset: u64,
    },
}

impl DiagnosticKind {
    /// Whether the log's end is missing.
    pub(crate) fn is_end_missing(&self) -> bool {
        match self {
            Self::Decoder(notice) => matches!(notice.kind, NoticeKind::NoEndMark | NoticeKind::Cut { .. }),
            Self::Stopped { .. } => true,
            _ => false,
        }
    }

    /// Where in the log it was found, in bytes from its start; `None` if it is not about one place.
    #[must_use]
    pub fn offset(&self) -> Option<u64> {
        match self {
            Self::Decoder(notice) => Some(notice.offset),
            Self::TimeBack { offset, .. } | Self::Stopped { offset } | Self::OtherProcess { offset, .. } => {
                Some(*offset)
            }
            _ => None,
        }
    }

    /// How many bytes could not be read there; `None` if it is not about lost bytes.
    #[must_use]
    pub fn lost_bytes(&self) -> Option<u64> {
        match self {
            Self::Decoder(notice) => Some(notice.kind.lost_bytes()).filter(|bytes| *bytes > 0),
            _ => None,
        }
    }

    /// Whether something in the log is missing or could not be understood.
    #[must_use]
    pub fn is_loss(&self) -> bool {
        match self {
            Self::Decoder(notice) => notice.kind.is_loss() || notice.kind == NoticeKind::NoEndMark,
            Self::NoEvents | Self::TimeBack { .. } | Self::Unpaired { .. } => true,
            Self::TooManyThreads(_) | Self::TooManyLabels(_) | Self::TooManyCollections | Self::TooManyCaps => true,
            Self::TooManyTasks | Self::TooOftenDisabled => true,
            Self::TooManySpans(_) | Self::TooManyOwners(_) => true,
            Self::NamesNotRead(_) | Self::TooManyNames(_) => true,
            // Clocks of two capabilities may differ, and a program may write what it likes.
            Self::Impossible { .. } | Self::UnbegunSpans(_) => false,
            Self::Stopped { .. } | Self::MostlyLost { .. } => true,
            Self::OfLauncher(_) | Self::FarApart(_) | Self::OtherProcess { .. } | Self::Paused { .. } => false,
        }
    }
}

impl fmt::Display for DiagnosticKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decoder(notice) => notice.fmt(f),
            Self::NoEvents => {
                write!(f, "no events: the program was killed before its first flush, or had nothing to log")
            }
            Self::TimeBack { cap: Some(cap), offset, by } => {
                write!(f, "the times of capability {cap} go back by {by} (byte {offset})")
            }
            Self::TimeBack { cap: None, offset, by } => {
                write!(f, "the times of events without a capability go back by {by} (byte {offset})")
            }
            Self::Unpaired { unended, unbegun } => {
                let parts = [(unended, "end", "a run or collection"), (unbegun, "start", "a run")];
                let mut before = "missing: ";
                for (count, what, of) in parts.into_iter().filter(|(count, ..)| **count > 0) {
                    write!(f, "{before}{count} {what}{} of {of}", if *count == 1 { "" } else { "s" })?;
                    before = ", ";
                }
                Ok(())
            }
            Self::Impossible { runs, twice } => {
                let mut before = "by the log's times, ";
                if *runs > 0 {
                    write!(f, "{before}threads ran {} that ran already or had finished", times(*runs))?;
                    before = ", and ";
                }
                if *twice > Nanos(0) {
                    write!(f, "{before}two capabilities ran the same thread for {twice}")?;
                }
                Ok(())
            }
            Self::UnbegunSpans(1) => write!(f, "1 message ends a span that none has begun"),
            Self::UnbegunSpans(count) => write!(f, "{count} messages end a span that none has begun"),
            Self::TooManySpans(count) => {
                let most = limits::MAX_OPEN_SPANS;
                write!(
                    f,
                    "more than {most} spans were open at the same time: {count} were not followed until they ended"
                )
            }
            Self::TooManyOwners(count) => {
                write!(
                    f,
                    "too many threads waited for black holes of too many: {count} of these waits are not in the table"
                )
            }
            Self::TooManyThreads(WithoutRow { count, is_exact, open, longest }) => {
                let most = if *is_exact { "" } else { "at most " };
                write!(f, "too many threads for a row each: {most}{count} have none; the totals count them")?;
                match open {
                    0 => write!(f, ". None of them lived longer than {longest}"),
                    _ => write!(f, ". All but {open} of them lived no longer than {longest}"),
                }
            }
            Self::NamesNotRead(count) => write!(
                f,
                "up to {count} names of info tables, cost centres and ticky counters are left out: the log defines more than are kept at first, and was not read again for them"
            ),
            Self::TooManyNames(1) => write!(f, "1 name in profiles is left out: there is no room for more"),
            Self::TooManyNames(count) => write!(f, "{count} names in profiles are left out: there is no room for more"),
            Self::TooManyLabels(1) => write!(f, "1 thread label is left out: there is no room for more"),
            Self::TooManyLabels(count) => write!(f, "{count} thread labels are left out: there is no room for more"),
            Self::TooManyCollections => {
                write!(f, "more than {} collections: the others are in the totals only", limits::MAX_COLLECTIONS)
            }
            Self::TooManyTasks => {
                write!(f, "too many tasks, or too many of their moves: only those that lasted longest are drawn")
            }
            Self::TooOftenDisabled => {
                write!(
                    f,
                    "capabilities were disabled more than {} times: what is not among the longest is drawn as idle",
                    limits::MAX_DISABLED
                )
            }
            Self::TooManyCaps => {
                write!(f, "more than {} capabilities: the others are neither drawn nor counted", limits::MAX_CAPS)
            }
            // These three are shown before everything else, so they begin like sentences.
            Self::MostlyLost { bytes, of } => {
                write!(
                    f,
                    "Most of this file could not be read: {bytes} of its {of} bytes. What is shown is of the rest"
                )
            }
            Self::OfLauncher(Launcher { name, instead, .. }) => {
                write!(f, "This log is of `{name}` itself. To record your program: `{instead}`")
            }
            Self::FarApart(length) => {
                let years = length.0 / limits::LONGEST_LOG.0;
                let years = fmt::from_fn(|f| write!(f, "{years} year{}", if years == 1 { "" } else { "s" }));
                write!(
                    f,
                    "This log goes over {years}: at least one of its times is wrong. Everything else is too short to be seen beside it; select the range of time that you know"
                )
            }
            Self::Paused { what, count } => {
                let count = times(*count);
                write!(
                    f,
                    "{what} was not logged {count} for a while: its class of events was switched off, and on again or until the end"
                )
            }
            Self::OtherProcess { offset, pid, added, begins_anew } => {
                f.write_str("the log of another process")?;
                pid.map_or(Ok(()), |pid| write!(f, ", {pid},"))?;
                write!(
                    f,
                    " follows: {added} is added to the numbers of its threads, so that they are not taken for others (byte {offset})"
                )?;
                // Its lanes are those of the first one, in which each moment is only once.
                begins_anew.map_or(Ok(()), |until| {
                    write!(
                        f,
                        ". Its clock begins anew, and its times stay as they are: what its capabilities and threads did before {until}, when the one before it ends, is neither drawn nor counted"
                    )
                })
            }
            Self::Stopped { offset } => write!(f, "stopped at byte {offset}; later events are missing"),
        }
    }
}

/// "once", "2 times" and so on.
fn times(count: u64) -> impl fmt::Display {
    fmt::from_fn(move |f| if count == 1 { write!(f, "once") } else { write!(f, "{count} times") })
}

/// What decides whether something must be said before anything is shown of a log.
#[derive(Debug, Clone, Copy)]
pub struct Gist<'a> {
    /// How many bytes have been read,
    pub bytes: u64,
    /// and how many of them could not be understood.
    pub lost_bytes: u64,
    /// The program and its arguments.
    pub args: &'a [LogText<'a>],
    /// How many events there are, and the time from the first to the last one; `None` if more may come.
    pub all: Option<(u64, Nanos)>,
}

impl Gist<'_> {
    /// What must be said first, the gravest first.
    #[must_use]
    pub fn foremost(&self) -> Vec<DiagnosticKind> {
        let Self { bytes, lost_bytes, args, all } = *self;
        let mostly_lost = lost_bytes > bytes / 2;
        let is_short = |(events, length)| events < limits::LAUNCHER_EVENTS || length < limits::LAUNCHER_TIME;
        let launcher = Launcher::of(args).filter(|launcher| launcher.runs || all.is_some_and(is_short));
        let lost = mostly_lost.then_some(DiagnosticKind::MostlyLost { bytes: lost_bytes, of: bytes });
        let far = all.map(|(_, length)| length).filter(|length| *length >= limits::LONGEST_LOG);
        lost.into_iter()
            .chain(far.map(DiagnosticKind::FarApart))
            .chain(launcher.map(DiagnosticKind::OfLauncher))
            .collect()
    }
}

/// The gravest diagnostics in full, and the number of all.
#[derive(Debug, Default)]
pub struct Diagnostics {
    kept: Vec<Diagnostic>,
    count: u64,
    lost_bytes: u64,
    /// Whether the file has a stream that could not be read at all, not even its header.
    has_unread_stream: bool,
    /// The least that one of those that are kept weighs, or less.
    lightest: u64,
    /// Counted while reading, reported at the end.
    pub(crate) unended: u64,
    pub(crate) unbegun: u64,
    /// The same for what was not logged, if a class of events was switched off: ends, and begins.
    pub(crate) unlogged: (u64, u64),
    /// How many bytes blocks lack by their own sizes.
    pub(crate) lacking: u64,
    /// How many events' times go back by more than clocks explain, and how far at most.
    pub(crate) back: (u64, Nanos),
    /// Whether the log of another process follows whose clock begins anew.
    pub(crate) has_other_clock: bool,
    /// How many diagnostics are kept, and how many there are, without those of the replay.
    of_first_pass: Option<(usize, u64)>,
}

impl Diagnostics {
    /// The diagnostics kept in full, in the order in which they were found: all, or those about the most lost bytes, and those about no
    /// place. Up to [`limits::MAX_DIAGNOSTICS`], and those of the replay.
    #[must_use]
    pub fn list(&self) -> &[Diagnostic] {
        &self.kept
    }

    /// How many diagnostics there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// How many bytes of the log could not be read, summed over all diagnostics: see [`NoticeKind::lost_bytes`].
    #[must_use]
    pub fn lost_bytes(&self) -> u64 {
        self.lost_bytes
    }

    /// Whether the diagnostics report nothing missing from what the file has.
    pub(crate) fn is_all_read(&self) -> bool {
        self.lost_bytes == 0 && !self.has_unread_stream && !self.has_disorder()
    }

    /// Whether all bytes of some part could be read, and its figures are wrong nevertheless: events are missing, or are not where or when
    /// they belong.
    pub(crate) fn has_disorder(&self) -> bool {
        self.lacking + self.unended + self.unbegun + self.back.0 > 0 || self.has_other_clock
    }

    /// What of that no notice of the decoder reports.
    pub fn disorder(&self) -> impl Iterator<Item = DiagnosticKind> {
        let is_wrong = |kind: &DiagnosticKind| {
            matches!(kind, DiagnosticKind::TimeBack { .. } | DiagnosticKind::OtherProcess { begins_anew: Some(_), .. })
        };
        let &Self { unended, unbegun, .. } = self;
        // In the list are also those that a program's own choice of events may explain.
        let unpaired = (unended + unbegun > 0).then_some(DiagnosticKind::Unpaired { unended, unbegun });
        self.kept.iter().map(|kept| kept.kind).filter(is_wrong).chain(unpaired)
    }

    /// Whether a diagnostic would be kept.
    pub(crate) fn takes(&self, kind: DiagnosticKind) -> bool {
        self.kept.len() < limits::MAX_DIAGNOSTICS || weight(kind) > self.lightest
    }

    /// Makes room for a heavier one, if there is a lighter one.
    #[cold]
    fn make_room(&mut self, heavier: u64) -> bool {
        let weights = || self.kept.iter().map(|kept| weight(kept.kind));
        self.lightest = weights().min().unwrap_or(u64::MAX);
        let lightest = weights().rposition(|weight| weight == self.lightest).filter(|_| self.lightest < heavier);
        lightest.map(|place| self.kept.remove(place)).is_some()
    }

    /// Replaces the diagnostics of the last replay by new ones.
    pub(crate) fn found_again(&mut self, kinds: impl IntoIterator<Item = DiagnosticKind>) {
        let (kept, count) = *self.of_first_pass.get_or_insert((self.kept.len(), self.count));
        self.kept.truncate(kept);
        self.count = count;
        // There is one of each kind at most.
        for kind in kinds {
            self.count += 1;
            self.kept.push(Diagnostic { kind, time: None });
        }
    }

    /// Whether names in profiles are left out.
    pub(crate) fn lacks_names(&self) -> bool {
        let is_of_names =
            |one: &Diagnostic| matches!(one.kind, DiagnosticKind::NamesNotRead(_) | DiagnosticKind::TooManyNames(_));
        self.kept.iter().any(is_of_names)
    }

    /// Replaces what the first pass said of names that are left out.
    pub(crate) fn replace_missing_names(&mut self, now: Option<DiagnosticKind>) {
        let is_of_names = |one: &Diagnostic| matches!(one.kind, DiagnosticKind::NamesNotRead(_));
        let Some(at) = self.kept.iter().position(is_of_names) else { return };
        match (now, self.kept.get_mut(at)) {
            (Some(kind), Some(one)) => one.kind = kind,
            _ => {
                self.kept.remove(at);
                self.count -= 1;
                if let Some((kept, count)) = &mut self.of_first_pass {
                    (*kept, *count) = (*kept - 1, *count - 1);
                }
            }
        }
    }

    pub(crate) fn add(&mut self, kind: DiagnosticKind, time: Option<Nanos>) {
        self.count += 1;
        self.lost_bytes += kind.lost_bytes().unwrap_or(0);
        if let DiagnosticKind::Decoder(Notice { kind: NoticeKind::BlockLacks(bytes), .. }) = kind {
            self.lacking += bytes;
        }
        self.has_other_clock |= matches!(kind, DiagnosticKind::OtherProcess { begins_anew: Some(_), .. });
        // Its header may end where the file does: then it loses no byte.
        self.has_unread_stream |=
            matches!(kind, DiagnosticKind::Decoder(Notice { kind: NoticeKind::FurtherHeader(_), .. }));
        if self.kept.len() < limits::MAX_DIAGNOSTICS || (self.takes(kind) && self.make_room(weight(kind))) {
            self.kept.push(Diagnostic { kind, time });
        }
    }
}

/// What a diagnostic weighs: the bytes that were lost there. Those about no place, of which there are few, weigh most.
fn weight(kind: DiagnosticKind) -> u64 {
    if kind.offset().is_none() { u64::MAX } else { kind.lost_bytes().unwrap_or(0) }
}

impl Store for Diagnostics {
    fn of(_: Purpose) -> Self {
        Self::default()
    }

    fn bytes_held(&self) -> usize {
        self.kept.capacity() * size_of::<Diagnostic>()
    }
}

#[cfg(test)]
mod tests;
