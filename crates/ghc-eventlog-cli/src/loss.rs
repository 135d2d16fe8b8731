//! Reports what could not be read, line by line on standard error, and decides the exit code.

use crate::{input::Broken, reading::Pause, say};
use ghc_eventlog::{Error, ErrorKind, Notice, NoticeKind};
use ghc_eventlog_model::Model;
use std::{fmt::Display, sync::OnceLock};

/// The exit codes of every command, as in its help.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0  all of the log was read
  1  something is missing: each loss is a line on standard error (`check` lists them among its findings); of events that
     cannot be understood, 100 at most.
     For `check` and whatever sums a log up, also if its figures are wrong: times go back, ends or begins are missing,
     or the log of another process follows, whose clock begins anew.
     A log that is cut off, or has no end mark, is missing its end; with --lenient that alone does not count.
     Also if the output or a temporary file cannot be written, for example because the disk is full
  2  nothing could be read: not a log, a header beyond repair, no such file, wrong arguments
  3  nothing is missing, or --lenient was given, and `summary --fail-on` found what it names";

/// Something of the log is missing.
pub(crate) const DAMAGED: u8 = 1;
/// Nothing can be read.
pub(crate) const UNREADABLE: u8 = 2;
/// There is a finding that is not wanted.
pub(crate) const FOUND: u8 = 3;

/// What is missing from a log, as far as it decides the exit code.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Outcome {
    lost: bool,
    cut_off: bool,
    block_beyond_end: bool,
    unreadable: bool,
}

/// How much a notice matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    /// Nothing is missing.
    Harmless,
    /// Nothing is missing, but something was guessed.
    Mended,
    /// The log's end is missing.
    CutOff,
    /// Something else is missing.
    Loss,
}

impl Outcome {
    pub(crate) fn notice(&mut self, kind: NoticeKind) -> Weight {
        match kind {
            NoticeKind::Cut { .. } => self.cut_off(),
            // If the log ends within a block and without an end mark, it is cut off there, and the missing bytes of the
            // block are that end.
            NoticeKind::NoEndMark => {
                self.block_beyond_end = false;
                self.cut_off()
            }
            NoticeKind::BlockBeyondEnd(_) => {
                self.block_beyond_end = true;
                Weight::Loss
            }
            kind if kind.is_loss() => self.loss(),
            NoticeKind::HeaderMark | NoticeKind::TypeMended { .. } | NoticeKind::SizeMended { .. } => Weight::Mended,
            _ => Weight::Harmless,
        }
    }

    /// Counts an error that ended the unpacking of a compressed log.
    pub(crate) fn broken(&mut self, broken: &Broken) -> Weight {
        if broken.is_cut() { self.cut_off() } else { self.loss() }
    }

    pub(crate) fn loss(&mut self) -> Weight {
        self.lost = true;
        Weight::Loss
    }

    fn cut_off(&mut self) -> Weight {
        self.cut_off = true;
        Weight::CutOff
    }

    /// Counts an error because of which nothing can be read. Returns whether it has yet to be reported.
    pub(crate) fn unreadable(&mut self, error: Error) -> bool {
        // If nothing of a log could be unpacked, it is not empty, and the reason was reported.
        let told = error.kind == ErrorKind::Empty && (self.lost || self.cut_off);
        self.unreadable = true;
        !told
    }

    /// The code of [`EXIT_CODES`].
    pub(crate) fn exit_code(&self, lenient: bool) -> u8 {
        match self {
            Self { unreadable: true, .. } => UNREADABLE,
            Self { lost: true, .. } | Self { block_beyond_end: true, .. } => DAMAGED,
            Self { cut_off: true, .. } if !lenient => DAMAGED,
            _ => 0,
        }
    }
}

/// What `--quiet` leaves out.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Quiet {
    /// Everything that does not change the exit code.
    pub(crate) notes: bool,
    /// Also that a log is cut off, because `--lenient` accepts that.
    pub(crate) cut_off: bool,
}

static QUIET: OnceLock<Quiet> = OnceLock::new();

impl Quiet {
    /// Sets it for the whole program. Only the first call counts.
    pub(crate) fn set(self) {
        QUIET.get_or_init(|| self);
    }

    fn get() -> Self {
        QUIET.get().copied().unwrap_or_default()
    }
}

/// Reports losses, and remembers them for the exit code.
pub(crate) struct Losses {
    name: String,
    outcome: Outcome,
    silent: bool,
    unclear: Unclear,
}

/// Events that could not be understood: nothing of the log is lost by that.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Unclear {
    pub(crate) count: u64,
    /// Where the first of them is.
    pub(crate) first: u64,
}

/// Lines about such events at most: a program whose messages are no UTF-8 may have one for each.
const MOST_LINES: u64 = 100;

impl Losses {
    /// Reports nothing, for losses that were reported already or that do not matter.
    pub(crate) fn silent() -> Self {
        let mut losses = Self::new("");
        losses.silent = true;
        losses
    }

    /// For a log whose name in messages is `name`.
    pub(crate) fn new(name: &str) -> Self {
        Self { name: name.to_string(), outcome: Outcome::default(), silent: false, unclear: Unclear::default() }
    }

    /// Reports a notice of the decoder, if something is missing.
    pub(crate) fn notice(&mut self, notice: Notice) {
        let weight = self.outcome.notice(notice.kind);
        self.tell(weight, notice);
    }

    /// Reports an error that ended the unpacking of a compressed log.
    pub(crate) fn unpacking(&mut self, broken: Option<&Broken>) {
        if let Some(broken) = broken {
            let weight = self.outcome.broken(broken);
            self.tell(weight, broken);
        }
    }

    /// Reports an event that could not be understood.
    pub(crate) fn event(&mut self, what: &str, offset: u64) {
        let Unclear { count, first } = self.unclear;
        self.unclear = Unclear { count: count + 1, first: if count == 0 { offset } else { first } };
        let weight = self.outcome.loss();
        if count < MOST_LINES {
            self.tell(weight, format_args!("{what} at offset {offset}"));
        }
    }

    /// Reports any other loss.
    pub(crate) fn loss(&mut self, what: impl Display) {
        let weight = self.outcome.loss();
        self.tell(weight, what);
    }

    /// Reports why figures are wrong although everything could be read.
    pub(crate) fn disorder(&mut self, model: &Model) {
        model.diagnostics().disorder().for_each(|kind| self.loss(kind));
    }

    /// Reports something odd that is no loss.
    pub(crate) fn note(&self, what: impl Display) {
        if !Quiet::get().notes {
            self.warn(what);
        }
    }

    /// The same, whether or not the reader wants to be told.
    pub(crate) fn warn(&self, what: impl Display) {
        if !self.silent {
            say::warning(&self.name, what);
        }
    }

    /// Reports why reading ended, if that was not the end of the log.
    pub(crate) fn end(&mut self, pause: &Pause) {
        match pause {
            Pause::Unreadable(error) => {
                if self.outcome.unreadable(*error) {
                    self.tell(Weight::Loss, error);
                }
            }
            Pause::More | Pause::Starved | Pause::End => {}
        }
    }

    fn tell(&self, weight: Weight, what: impl Display) {
        match weight {
            Weight::Loss if !self.silent => say::error(&self.name, what),
            Weight::CutOff if !Quiet::get().cut_off => self.warn(what),
            Weight::Mended => self.note(what),
            Weight::Loss | Weight::CutOff | Weight::Harmless => {}
        }
    }

    /// The events that could not be understood.
    pub(crate) fn unclear(&self) -> Unclear {
        self.unclear
    }

    /// The code of [`EXIT_CODES`].
    pub(crate) fn exit_code(&self, lenient: bool) -> u8 {
        self.outcome.exit_code(lenient)
    }
}

/// Says how many lines were left out.
impl Drop for Losses {
    fn drop(&mut self) {
        let more = self.unclear.count.saturating_sub(MOST_LINES);
        if more > 0 {
            self.tell(Weight::Loss, format_args!("{more} more events that cannot be understood"));
        }
    }
}
