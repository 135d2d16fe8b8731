//! Sparks.

use crate::facts::{Section, scope::Scope};
use ghc_eventlog::{SparkCounters, SparkCreate, SparkRun};

const TAGS: &[u16] = &[SparkCounters::TAG, SparkCreate::TAG, SparkRun::TAG];

pub(super) fn section(scope: &Scope<'_>) -> Option<Section> {
    let samples = scope.events(&[SparkCounters::TAG]);
    let mut sparks = Section::new("sparks", "Sparks").needs(scope.lacks(TAGS, "-lp"));
    sparks.number("samples", "Samples of their counters", samples);
    scope.of_whole(sparks)
}
