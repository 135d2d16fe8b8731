//! What is known of the frames of the time profile.

use crate::{keeping::texts::TextId, known::Known, profiles::Profiles};

/// The module of a frame of the time profile; the empty text if the log does not say.
pub(crate) fn module(known: &Known, frame: u32) -> TextId {
    let Profiles { time, names, .. } = &known.stores.profiles;
    let frame = time.tree.met().get(frame as usize);
    frame.and_then(|frame| names.module_id_of(*frame)).unwrap_or_default()
}
