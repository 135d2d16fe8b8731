//! What frames are called: the only place that knows what they stand for. A frame is the place of a cost centre among those of the time
//! profile; numbers after those are capabilities.

use super::{FlameFrame, FlameName};
use crate::{
    facts::profiles::centre_name, keeping::texts::TextId, profiles::names::CostCentre, reading::session::Session,
};
use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

fn name(session: &Session, frame: u32) -> String {
    centre_name(session, session.profiles.time.id(frame))
}

/// Its module; empty if the log does not tell.
pub(crate) fn module(session: &Session, frame: u32) -> &str {
    defined(session, frame, |centre| centre.module)
}

fn source(session: &Session, frame: u32) -> &str {
    defined(session, frame, |centre| centre.source)
}

/// What its definition says.
fn defined(session: &Session, frame: u32, text: fn(&CostCentre) -> TextId) -> &str {
    let names = &session.profiles.names;
    let centre = session.profiles.time.id(frame).and_then(|id| names.centre(id));
    centre.map_or("", |centre| names.text(text(centre)))
}

/// How many frames have names of their own.
fn count(session: &Session) -> u32 {
    session.profiles.time.centres().len() as u32
}

/// By frame, whether a text is in its name or its module; empty if there is no text.
pub(super) fn matching(session: &Session, text: &str) -> Vec<bool> {
    let wanted = text.to_lowercase();
    let has = |text: &str| text.to_lowercase().contains(wanted.as_str());
    let frames = if wanted.is_empty() { 0 } else { count(session) };
    (0..frames).map(|frame| has(&name(session, frame)) || has(module(session, frame))).collect()
}

/// Names all frames: until now, each has in place of its name what that is of.
pub(super) fn name_all(session: &Session, frames: &mut [FlameFrame], matches: &[bool]) -> Vec<FlameName> {
    let (mut names, mut places) = (Vec::new(), Vec::new());
    let of_caps = count(session);
    for frame in frames {
        let (of, at) = (frame.name, frame.name as usize);
        if places.len() <= at {
            places.resize(at + 1, u32::MAX);
        }
        let Some(place) = places.get_mut(at) else { continue };
        if *place == u32::MAX {
            *place = names.len() as u32;
            names.push(if of < of_caps {
                let [module, source] = [module(session, of), source(session, of)].map(ToString::to_string);
                let matches = matches.get(at).copied().unwrap_or(false);
                FlameName { frame: Some(of), name: name(session, of), module, source, matches }
            } else {
                FlameName { name: format!("HEC {}", of - of_caps), ..FlameName::default() }
            });
        }
        frame.name = *place;
    }
    names
}
