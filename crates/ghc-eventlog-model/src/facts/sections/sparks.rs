//! Sparks.

use crate::facts::{Section, scope::Scope, value::Unit};
use ghc_eventlog::{SparkCounters, SparkCreate, SparkRun};

const TAGS: &[u16] = &[SparkCounters::TAG, SparkCreate::TAG, SparkRun::TAG];

pub(super) fn section(scope: &Scope<'_>) -> Option<Section> {
    let samples = scope.events(&[SparkCounters::TAG]);
    let sparks = Section::new("sparks", "Sparks").lacks(scope.lacks(TAGS, "-lp")).figure(
        "samples",
        "Samples of their counters",
        Unit::Count,
        Some(samples),
    );
    scope.of_whole(sparks)
}
