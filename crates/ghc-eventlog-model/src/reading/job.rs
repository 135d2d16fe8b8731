//! Jobs: questions that read the file again, and so may take longer than a frame.

use crate::reading::model::Model;
use alloc::vec::Vec;
use core::fmt;

/// A question that is being answered, piece by piece: [`Range`](crate::Range), [`Search`](crate::Search),
/// [`EventRows`](crate::EventRows). Whoever asked reads what it wants, in any order, and gives it to the job, until it wants
/// nothing more; or drops it before that.
///
/// ```
/// use ghc_eventlog_model::{Changed, Job, Model};
///
/// fn work(job: &mut dyn Job, model: &mut Model, file: &[u8]) -> Result<(), Changed> {
///     loop {
///         let reads = job.reads(model);
///         if reads.is_empty() {
///             return Ok(());
///         }
///         for (offset, length) in reads {
///             job.give(model, offset, &file[offset as usize..(offset + length) as usize])?;
///         }
///     }
/// }
/// # let mut model = Model::new();
/// # model.finish();
/// # work(&mut model.range(Default::default(), Default::default()).unwrap(), &mut model, &[]).unwrap();
/// ```
pub trait Job {
    /// What must be read of the file next, as offset and length; none once it is done.
    fn reads(&self, model: &Model) -> Vec<(u64, u64)>;

    /// Is given what was read. Most jobs look at what the model makes of it, and so do others; some at the bytes themselves.
    ///
    /// # Errors
    /// When they are not what the model was fed with: the job cannot be done.
    fn give(&mut self, model: &mut Model, offset: u64, bytes: &[u8]) -> Result<(), Changed> {
        model.supply(offset, bytes)?;
        self.take(model);
        Ok(())
    }

    /// Takes what was supplied last to the model. To be called after each piece: the model does not keep all of them.
    fn take(&mut self, model: &Model);

    /// How far it is.
    fn progress(&self) -> Progress;
}

/// The file is not what it was when the model was fed with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Changed;

impl fmt::Display for Changed {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("the file was changed after it was read")
    }
}

impl core::error::Error for Changed {}

/// How far a job is: `done` of `of` pieces of the file, as far as it is known now how many those are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// How many pieces have been taken, or were found not to be needed.
    pub done: usize,
    /// How many there are.
    pub of: usize,
}
