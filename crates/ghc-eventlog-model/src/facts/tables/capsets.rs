//! Sets of capabilities.

use crate::{
    facts::{
        scope::Scope,
        table::{Cells, Listed, columns},
    },
    keeping::process::Capset,
    terms::value::{Unit, Value},
};
use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::ops;
use ghc_eventlog::CapNo;

pub(super) struct Capsets;

impl Listed for Capsets {
    type Row = Capset;
    const SECTION: &'static str = "process";
    const KEY: &'static str = "capsets";
    const NAME: &'static str = "Sets of capabilities";
    const ABOUT: &'static str = "Sets of capabilities that the log defines: all of one process, for example.";
    columns! {
        /// The number that the log calls the set by.
        Cells::new("capset", "Set", Unit::Count, |_, set| Value::Count(set.number.0.into())),
        /// What the capabilities of the set have in common.
        Cells::new("type", "Type", Unit::Text, |_, set| kind(set)),
        /// How many capabilities are in the set.
        Cells::new("count", "How many", Unit::Count, |_, set| Value::Count(set.members.len() as u64)),
        /// The numbers of the capabilities in the set.
        Cells::new("members", "Capabilities", Unit::Text, |_, set| Value::words(members(set.members.keys().copied()))),
    }

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..scope.model.process().capsets.len()
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<Capset> {
        scope.model.process().capsets.get(place).cloned()
    }

    /// They are of the whole log.
    fn is_shown(scope: &Scope<'_>) -> bool {
        scope.is_whole()
    }
}

fn kind(set: &Capset) -> Value {
    let Some(kind) = set.kind else { return Value::Unknown };
    Value::words(kind.text().map_or_else(|| format!("unknown ({})", kind.0), ToString::to_string))
}

/// Capabilities in order, those that follow one another as "0-3".
fn members(caps: impl Iterator<Item = CapNo>) -> String {
    let mut runs: Vec<(u16, u16)> = Vec::new();
    for CapNo(cap) in caps {
        match runs.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(cap) => *last = cap,
            _ => runs.push((cap, cap)),
        }
    }
    let text = |(first, last): &(u16, u16)| if first == last { format!("{first}") } else { format!("{first}-{last}") };
    runs.iter().map(text).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_that_follow_one_another_are_written_as_one() {
        let text = |caps: &[u16]| members(caps.iter().copied().map(CapNo));
        assert_eq!(text(&[0, 1, 2, 5, 7, 8]), "0-2, 5, 7-8");
        assert_eq!((text(&[]), text(&[u16::MAX])), (String::new(), "65535".to_string()));
    }
}
