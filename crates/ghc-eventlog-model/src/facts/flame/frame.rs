//! What frames are called: the only place that knows what they stand for. A frame is its place among those of its profile; numbers after
//! those are capabilities, or of a heap profile all that is no stack.

use super::{FlameFrame, FlameName};
use crate::{
    keeping::texts::TextId,
    profiles::{frames::OTHERS, names::Names},
    sorting::by_least,
    terms::{frame::Frame, small_letters::small_letters},
};
use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use ghc_eventlog_text::LogText;

/// The frames of a profile.
#[derive(Clone, Copy)]
pub(super) struct Frames<'m, 't> {
    pub(super) names: &'m Names,
    pub(super) met: &'t [Frame],
    /// Whether what comes after them are capabilities.
    pub(super) has_caps: bool,
}

impl<'m> Frames<'m, '_> {
    /// What it is; `None` for what comes after them.
    fn get(&self, frame: u32) -> Option<Frame> {
        self.met.get(frame as usize).copied()
    }

    fn name(&self, frame: u32) -> String {
        self.get(frame).map_or(String::new(), |frame| self.names.of_frame(frame))
    }

    pub(super) fn module(&self, frame: u32) -> TextId {
        self.get(frame).and_then(|frame| self.names.module_id_of(frame)).unwrap_or_default()
    }

    /// Its place in the source; empty if the log does not say.
    pub(super) fn source(&self, frame: u32) -> String {
        self.get(frame).and_then(|frame| self.names.source_of(frame)).unwrap_or_default()
    }

    /// By frame, whether a text is in its name or its module; empty if there is no text.
    pub(super) fn matching(&self, text: &str) -> Vec<bool> {
        let wanted = small_letters(text);
        let frames = if wanted.is_empty() { 0 } else { self.met.len() as u32 };
        let mut matches = Vec::new();
        for frame in 0..frames {
            let mut text = self.name(frame);
            text.push('\n');
            text.push_str(self.names.text(self.module(frame)));
            matches.push(small_letters(&text).contains(&wanted));
        }
        matches
    }

    /// Names all frames. A frame's `name` is the number of what it is of before, and its place in the result afterwards.
    pub(super) fn name_all(&self, frames: &mut [FlameFrame], matches: &[bool]) -> Vec<FlameName<'m>> {
        let (mut names, mut last) = (Vec::new(), None);
        let (mut texts, mut of) = (Vec::new(), Vec::new());
        // Frames of one name follow one another.
        for at in by_least(frames.len(), |at| frames.get(at as usize).map_or(0, |frame| frame.name.into())) {
            let Some(frame) = frames.get_mut(at as usize) else { continue };
            if last != Some(frame.name) {
                last = Some(frame.name);
                let matches = matches.get(frame.name as usize).copied().unwrap_or(false);
                names.push(self.named(frame.name, matches));
                texts.push(self.shown_name(frame.name));
                of.push(self.get(frame.name).into_iter().collect());
            }
            frame.name = names.len() as u32 - 1;
        }
        self.names.tell_apart(&of, &mut texts);
        names.iter_mut().zip(texts).for_each(|(name, text)| name.name = text.into());
        names
    }

    pub(super) fn named(&self, of: u32, matches: bool) -> FlameName<'m> {
        let module = self.names.text(self.module(of));
        let source = self.source(of);
        let frame = self.get(of).map(|_| of);
        FlameName { frame, name: LogText::default(), module: module.into(), source: source.into(), matches }
    }

    /// What it is called, as others may be, too.
    pub(super) fn shown_name(&self, of: u32) -> String {
        match of.checked_sub(self.met.len() as u32) {
            None => self.name(of),
            Some(cap) if self.has_caps => format!("cap {cap}"),
            Some(_) => OTHERS.to_string(),
        }
    }
}
