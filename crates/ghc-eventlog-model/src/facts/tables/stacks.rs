//! The stacks that the time profile met, each with the samples of just that stack.

use super::cost_centres::share;
use crate::{
    facts::{
        scope::Scope,
        table::{Cells, Listed, columns},
    },
    terms::value::{Unit, Value},
};
use core::ops;

pub(super) struct StacksTable;

impl Listed for StacksTable {
    /// The stack's place, and its samples.
    type Row = (u32, u64);
    const SECTION: &'static str = "time_profile";
    const KEY: &'static str = "stacks";
    const NAME: &'static str = "Stacks";
    const ABOUT: &'static str = "The stacks that the samples met, those with the most samples first.";
    columns! {
        /// The chain of calls or cost centres, from the outermost to the one that ran.
        Cells::new("stack", "Stack, from the outermost", Unit::Text, |scope, (node, _)| {
            let profiles = &scope.known().stores.profiles;
            let names = profiles.time.tree.stack(*node).into_iter().map(|frame| profiles.names.of_frame(frame).into());
            Value::Stack(names.collect())
        }),
        /// How many samples met exactly this stack.
        Cells::new("samples", "Samples", Unit::Count, |_, (_, own)| Value::Count(*own)),
        /// These samples as a share of all samples.
        Cells::new("share", "Share", Unit::Share, |scope, (_, own)| share(scope, *own)),
    }

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..scope.samples().map_or(0, |samples| samples.order.len())
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<(u32, u64)> {
        let samples = scope.samples()?;
        let node = *samples.order.get(place)?;
        Some((node, *samples.own.get(node as usize)?))
    }

    fn is_shown(scope: &Scope<'_>) -> bool {
        scope.samples().is_some()
    }
}
