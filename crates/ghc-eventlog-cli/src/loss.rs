//! What could not be read, told on standard error line by line, and the exit code that follows from it.

use crate::{DAMAGED, input::Broken};
use ghc_eventlog::{Error, ErrorKind, Notice, NoticeKind};
use std::fmt::Display;

/// What has been told so far.
pub(crate) struct Losses {
    name: String,
    damaged: bool,
    cut_off: bool,
}

impl Losses {
    pub(crate) fn new(name: &str) -> Self {
        Self { name: name.to_string(), damaged: false, cut_off: false }
    }

    /// Tells what the decoder says, if the reference gives up there or something is missing.
    pub(crate) fn notice(&mut self, notice: Notice) {
        match notice.kind {
            NoticeKind::Cut { .. } | NoticeKind::NoEndMark => {
                self.cut_off = true;
                eprintln!("{}: warning: {notice}", self.name);
            }
            NoticeKind::FurtherStream => self.tell(notice),
            kind if kind.is_loss() => self.tell(notice),
            _ => {}
        }
    }

    /// Tells what ended the unpacking of a compressed log too early.
    pub(crate) fn unpacking(&mut self, broken: Option<&Broken>) {
        match broken {
            Some(broken) if broken.is_cut() => {
                self.cut_off = true;
                eprintln!("{}: warning: {broken}", self.name);
            }
            Some(broken) => self.tell(broken),
            None => {}
        }
    }

    /// Tells of an event that could not be understood.
    pub(crate) fn event(&mut self, what: &str, offset: u64) {
        self.tell(format_args!("{what} at offset {offset}"));
    }

    /// Tells that nothing can be read.
    pub(crate) fn unreadable(&mut self, error: Error) {
        // A log of which nothing could be unpacked is not empty.
        let told = error.kind == ErrorKind::Empty && (self.damaged || self.cut_off);
        self.damaged = true;
        if !told {
            self.tell(error);
        }
    }

    fn tell(&mut self, what: impl Display) {
        self.damaged = true;
        eprintln!("{}: {what}", self.name);
    }

    /// 0 if all was read; cut-off logs count as that too for the lenient.
    pub(crate) fn exit_code(&self, lenient: bool) -> u8 {
        if self.damaged || self.cut_off && !lenient { DAMAGED } else { 0 }
    }
}
