//! The sparks of each capability. A spark is counted where it was created, and where it was run: only the sums over all of them
//! fit together.

use super::caps::{self, Cap};
use crate::{
    facts::{
        scope::Scope,
        table::{Cells, Listed},
        value::Unit,
    },
    tracks::spark_rates::{CONVERTED, CREATED, DUD, FIZZLED, GCD, OVERFLOWED},
};
use core::ops;

pub(super) struct SparkCaps;

impl Listed for SparkCaps {
    type Row = Cap;
    const SECTION: &'static str = "sparks";
    const KEY: &'static str = "spark_caps";
    const NAME: &'static str = "Sparks by capability";
    const COLUMNS: &'static [Cells<Cap>] = &[
        Cells::new("cap", "Capability", Unit::Capability, |_, cap| cap.number()),
        Cells::new("created", "Created", Unit::Count, |scope, cap| cap.sparks(scope, CREATED)),
        Cells::new("converted", "Converted", Unit::Count, |scope, cap| cap.sparks(scope, CONVERTED)),
        Cells::new("overflowed", "Overflowed", Unit::Count, |scope, cap| cap.sparks(scope, OVERFLOWED)),
        Cells::new("dud", "Dud", Unit::Count, |scope, cap| cap.sparks(scope, DUD)),
        Cells::new("gcd", "GC'd", Unit::Count, |scope, cap| cap.sparks(scope, GCD)),
        Cells::new("fizzled", "Fizzled", Unit::Count, |scope, cap| cap.sparks(scope, FIZZLED)),
        Cells::new("remaining", "Still in the pool", Unit::Count, |scope, cap| cap.in_pool(scope)),
    ];

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..if caps::has_sparks(scope) { scope.session().caps.count() } else { 0 }
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<Cap> {
        Cap::at(scope, place)
    }
}
