//! What could not be read, told on standard error line by line, and the exit code that follows from it.

use crate::{input::Broken, reading::Pause, say};
use ghc_eventlog::{Error, ErrorKind, Notice, NoticeKind};
use std::{fmt::Display, sync::OnceLock};

/// The codes that every command ends with, as its help tells them.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0  all of the log was read
  1  something is missing: each loss is a line on standard error (`check` lists them among its findings).
     A log that is cut off, or has no end mark, is missing its end; with --lenient that alone does not count.
     The same where the output or a temporary file cannot be written, as on a full disk
  2  nothing could be read: not a log, a header beyond repair, no such file, wrong arguments";

/// Something of the log is missing.
pub(crate) const DAMAGED: u8 = 1;
/// Nothing can be read.
pub(crate) const UNREADABLE: u8 = 2;

/// What is missing from a log, as far as the exit code is concerned.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Outcome {
    lost: bool,
    cut_off: bool,
    block_beyond_end: bool,
    unreadable: bool,
}

/// What a notice means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    /// Nothing is missing.
    Harmless,
    /// Nothing is missing, but some of it was guessed.
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
            // Where the log ends within a block and without an end mark, it is that end that the block lacks.
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

    /// Takes into account what ended the unpacking of a compressed log too early.
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

    /// Takes into account why nothing can be read; whether that has not been told yet.
    pub(crate) fn unreadable(&mut self, error: Error) -> bool {
        // A log of which nothing could be unpacked is not empty.
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
    /// Whatever the exit code does not depend on.
    pub(crate) notes: bool,
    /// That a log is cut off, too: the exit code is to be the same.
    pub(crate) cut_off: bool,
}

static QUIET: OnceLock<Quiet> = OnceLock::new();

impl Quiet {
    /// Has all commands keep to it; the first call counts.
    pub(crate) fn set(self) {
        QUIET.get_or_init(|| self);
    }

    fn get() -> Self {
        QUIET.get().copied().unwrap_or_default()
    }
}

/// What has been told so far.
pub(crate) struct Losses {
    name: String,
    outcome: Outcome,
    silent: bool,
}

impl Losses {
    /// For what has been told already, or is of no use to anybody.
    pub(crate) fn silent() -> Self {
        Self { silent: true, ..Self::new("") }
    }

    /// For a log that messages call `name`.
    pub(crate) fn new(name: &str) -> Self {
        Self { name: name.to_string(), outcome: Outcome::default(), silent: false }
    }

    /// Tells what the decoder says, if something is missing.
    pub(crate) fn notice(&mut self, notice: Notice) {
        let weight = self.outcome.notice(notice.kind);
        self.tell(weight, notice);
    }

    /// Tells what ended the unpacking of a compressed log too early.
    pub(crate) fn unpacking(&mut self, broken: Option<&Broken>) {
        if let Some(broken) = broken {
            let weight = self.outcome.broken(broken);
            self.tell(weight, broken);
        }
    }

    /// Tells of an event that could not be understood.
    pub(crate) fn event(&mut self, what: &str, offset: u64) {
        self.loss(format_args!("{what} at offset {offset}"));
    }

    /// Tells of any other loss.
    pub(crate) fn loss(&mut self, what: impl Display) {
        let weight = self.outcome.loss();
        self.tell(weight, what);
    }

    /// Tells of something for which nothing of the log is missing.
    pub(crate) fn note(&self, what: impl Display) {
        if !Quiet::get().notes {
            self.warn(what);
        }
    }

    fn warn(&self, what: impl Display) {
        if !self.silent {
            say::warning(&self.name, what);
        }
    }

    /// Tells why reading ended, if not with the log.
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

    /// The code of [`EXIT_CODES`].
    pub(crate) fn exit_code(&self, lenient: bool) -> u8 {
        self.outcome.exit_code(lenient)
    }
}
