//! The sparks of each capability. A spark is counted where it was created, and where it was run: only the sums over all of them
//! fit together.

use super::caps::{self, Cap, with_sparks};
use crate::{
    facts::{
        scope::Scope,
        table::{Cells, Listed},
    },
    terms::value::Unit,
    tracks::spark_rates::{CONVERTED, CREATED, DUD, FIZZLED, GCD, OVERFLOWED},
};
use core::ops;

pub(super) struct SparkCaps;

impl Listed for SparkCaps {
    type Row = Cap;
    const SECTION: &'static str = "sparks";
    const KEY: &'static str = "spark_caps";
    const NAME: &'static str = "Sparks by capability";
    const ABOUT: &'static str = "The sparks of each capability. A spark is counted where it was created and where it was run, so only the \
        sums of all capabilities add up.";
    with_sparks! {
        "", "Created";
        /// The number of the capability, from 0 on. ThreadScope calls a capability HEC (Haskell execution context).
        Cells::new("cap", "Capability", Unit::Capability, |_, cap| cap.number()),
    }

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..if caps::has_sparks(scope) { scope.known().caps.count() } else { 0 }
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<Cap> {
        Cap::at(scope, place)
    }
}
