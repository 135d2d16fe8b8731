//! What frames are called: the only place that knows what they stand for. A frame is its place among those of the time profile; numbers
//! after those are capabilities.

use super::{FlameFrame, FlameName};
use crate::{
    facts::table::contains, keeping::texts::TextId, profiles::frames::Frame, reading::session::Session,
    sorting::by_least,
};
use alloc::{format, string::String, vec::Vec};

/// What it is; `None` for a capability.
fn frame_of(session: &Session, frame: u32) -> Option<Frame> {
    session.profiles.time.met().get(frame as usize).copied()
}

#[inline(never)]
fn name(session: &Session, frame: u32) -> String {
    frame_of(session, frame).map_or(String::new(), |frame| session.profiles.names.of_frame(frame))
}

/// Its module: the empty text if the log does not tell.
#[inline(never)]
pub(crate) fn module(session: &Session, frame: u32) -> TextId {
    frame_of(session, frame).and_then(|frame| session.profiles.names.module_id_of(frame)).unwrap_or_default()
}

/// How many frames have names of their own.
fn count(session: &Session) -> u32 {
    session.profiles.time.met().len() as u32
}

/// By frame, whether a text is in its name or its module; empty if there is no text.
#[inline(never)]
pub(super) fn matching(session: &Session, text: &str) -> Vec<bool> {
    let wanted = text.to_lowercase();
    let frames = if wanted.is_empty() { 0 } else { count(session) };
    let mut matches = Vec::new();
    for frame in 0..frames {
        let mut text = name(session, frame);
        text.push('\n');
        text.push_str(session.profiles.names.text(module(session, frame)));
        matches.push(contains(&text.to_lowercase(), &wanted));
    }
    matches
}

/// Names all frames: until now, each has in place of its name what that is of.
#[inline(never)]
pub(super) fn name_all<'m>(session: &'m Session, frames: &mut [FlameFrame], matches: &[bool]) -> Vec<FlameName<'m>> {
    let (mut names, mut last) = (Vec::new(), None);
    // Frames of one name follow one another.
    for at in by_least(frames.len(), |at| frames.get(at as usize).map_or(0, |frame| frame.name.into())) {
        let Some(frame) = frames.get_mut(at as usize) else { continue };
        if last != Some(frame.name) {
            last = Some(frame.name);
            names.push(named(session, frame.name, matches.get(frame.name as usize).copied().unwrap_or(false)));
        }
        frame.name = names.len() as u32 - 1;
    }
    names
}

fn named(session: &Session, of: u32, matches: bool) -> FlameName<'_> {
    let names = &session.profiles.names;
    let module = names.text(module(session, of));
    let source = frame_of(session, of).and_then(|frame| names.source_of(frame)).unwrap_or_default();
    match of.checked_sub(count(session)) {
        None => FlameName { frame: Some(of), name: name(session, of), module, source, matches },
        Some(cap) => FlameName { frame: None, name: format!("HEC {cap}"), module, source, matches },
    }
}
