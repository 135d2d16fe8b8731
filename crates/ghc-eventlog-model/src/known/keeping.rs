//! What is kept of what the machines find.

use crate::keeping::{
    collections::Collections, diagnostics::Diagnostics, lives::Lives, moments::Moments, nonmoving::NonMoving,
    overview::Overview, rests::Rests, samples::Samples, spark_runs::SparkRuns, tasks::Tasks, threads::Threads,
};

/// What is kept of what the machines find.
#[derive(Debug)]
pub(crate) struct Keeping {
    pub(crate) overview: Overview,
    pub(crate) threads: Threads,
    pub(crate) collections: Collections,
    pub(crate) nonmoving: NonMoving,
    pub(crate) tasks: Tasks,
    pub(crate) lives: Lives,
    pub(crate) rests: Rests,
    pub(crate) samples: Samples,
    pub(crate) moments: Moments,
    pub(crate) spark_runs: SparkRuns,
    pub(crate) diagnostics: Diagnostics,
}

impl Keeping {
    /// Of a log of so many bytes, as far as that is known.
    pub(crate) fn new(log_bytes: Option<u64>) -> Self {
        Self::with(Overview::new(log_bytes), Samples::default())
    }

    /// Without what is only drawn.
    pub(crate) fn of_figures() -> Self {
        Self::with(Overview::none(), Samples::of_figures())
    }

    fn with(mut overview: Overview, samples: Samples) -> Self {
        let collections = Collections::new(&mut overview);
        Self {
            overview,
            threads: Threads::default(),
            collections,
            nonmoving: NonMoving::default(),
            tasks: Tasks::default(),
            lives: Lives::default(),
            rests: Rests::default(),
            samples,
            moments: Moments::default(),
            spark_runs: SparkRuns::default(),
            diagnostics: Diagnostics::default(),
        }
    }
}
