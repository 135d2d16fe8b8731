//! What the profiles name, for those who write them as other tools read them.

use crate::{
    known::{
        Known,
        band_names::{BY_INFO_TABLE, nameless},
    },
    profiles::{
        frames::MAIN,
        names::{Names, SameFrames},
        stacks::TimeProfile,
    },
    reading::model::Model,
    terms::frame::Frame,
};
use alloc::{string::String, vec::Vec};
use ghc_eventlog::{CapNo, CostCentreStack, InfoTable, Nanos, Text, ThreadId};
use ghc_eventlog_text::LogText;

/// The profiles of a log, as far as a model has read it: see [`Model::profiled`].
#[derive(Debug, Clone, Copy)]
pub struct Profiled<'m> {
    known: &'m Known,
}

impl Model {
    /// Names and counts of its profiles, for those who write them in other forms.
    #[must_use]
    pub fn profiled(&self) -> Profiled<'_> {
        Profiled { known: &self.known }
    }
}

impl<'m> Profiled<'m> {
    fn time(&self) -> &'m TimeProfile {
        &self.known.stores.profiles.time
    }

    fn names(&self) -> &'m Names {
        &self.known.stores.profiles.names
    }

    /// How many censuses the heap profile has.
    #[must_use]
    pub fn censuses(&self) -> u64 {
        self.known.stores.profiles.heap.times.count
    }

    /// How many samples the time profile has.
    #[must_use]
    pub fn samples(&self) -> u64 {
        self.time().samples
    }

    /// How long a tick of the time profile takes; `None` if the log does not tell.
    #[must_use]
    pub fn tick(&self) -> Option<Nanos> {
        self.time().tick()
    }

    /// Whether the log has its censuses in order of time.
    #[must_use]
    pub fn is_in_order(&self) -> bool {
        self.known.stores.profiles.heap.is_in_order()
    }

    /// The capabilities that samples are of, in order; not those of samples of threads.
    pub fn sampled_caps(&self) -> impl Iterator<Item = CapNo> + 'm {
        self.time().caps().iter().map(|of| of.cap)
    }

    /// Whether there were too many threads to count the samples of all: some may have more than it seems.
    #[must_use]
    pub fn are_threads_missing(&self) -> bool {
        self.time().without_thread > 0
    }

    /// The threads that samples are of, those with the most samples first.
    pub fn sampled_threads(&self) -> impl Iterator<Item = ThreadId> + 'm {
        self.time().threads().iter().map(|of| of.id)
    }

    /// The frames that the stacks of samples are made of.
    pub fn frames(&self) -> impl Iterator<Item = Frame> + 'm {
        self.time().tree.met().iter().copied()
    }

    /// Which frames of stacks in messages are the same one in [`Self::frames`].
    #[must_use]
    pub fn same_frames(&self) -> SameFrames {
        self.names().same()
    }

    /// What one of them is called.
    #[must_use]
    pub fn frame_name(&self, frame: Frame) -> LogText<'static> {
        self.names().of_frame(frame).into()
    }

    /// Its module, if the log says.
    #[must_use]
    pub fn frame_module(&self, frame: Frame) -> Option<LogText<'m>> {
        self.names().module_of(frame).map(LogText::from)
    }

    /// Its place in the source, if the log says.
    #[must_use]
    pub fn frame_source(&self, frame: Frame) -> Option<LogText<'static>> {
        self.names().source_of(frame).map(LogText::from)
    }

    /// Whether some samples count for the outer part of their stacks, since there are too many stacks.
    #[must_use]
    pub fn are_stacks_shortened(&self) -> bool {
        self.time().tree.lacks_up_to > 0 || self.time().cut > 0
    }

    /// The stacks that have samples, from the outermost frame to the innermost, each with how many of just that one.
    pub fn stacks(&self) -> impl Iterator<Item = (Vec<LogText<'static>>, u64)> + 'm {
        let (names, time) = (self.names(), self.time());
        (0..).zip(&time.tree.nodes).filter(|(_, node)| node.own > 0).map(move |(at, node)| {
            (time.tree.stack(at).into_iter().map(|frame| names.of_frame(frame).into()).collect(), node.own)
        })
    }

    /// The name of the band with this label: of `-hi`, the info table's name and address.
    #[must_use]
    pub fn label_name(&self, label: Text<'_>) -> LogText<'static> {
        let text = String::from_utf8_lossy(label.0);
        let profiles = &self.known.stores.profiles;
        if self.known.breakdown() != Some(BY_INFO_TABLE) {
            return LogText::from(text).into_owned();
        }
        let address = text.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok());
        let table = address.map(InfoTable);
        let name = table.and_then(|table| profiles.names.of_table(table)).or(nameless(table));
        // There may be several of one name.
        name.map_or_else(|| LogText::from(&*text).into_owned(), |name| alloc::format!("{name} {text}").into())
    }

    /// The name of a band by cost-centre stack: its cost centres from the innermost to the outermost, joined by `/`; `Module.CAF` for a
    /// module's constants, as in the runtime's own profiles.
    #[must_use]
    pub fn stack_name(&self, stack: CostCentreStack<'_>) -> LogText<'static> {
        if stack.depth() == 0 {
            return MAIN.into();
        }
        let names = &self.known.stores.profiles.names;
        stack.iter().map(|id| names.of_centre_in_module(id)).collect::<Vec<_>>().join("/").into()
    }
}
