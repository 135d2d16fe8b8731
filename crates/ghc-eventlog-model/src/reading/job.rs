//! Jobs: questions that read the file again, and so may take longer than a frame.

use crate::{reading::model::Model, terms::progress::Progress};
use alloc::vec::Vec;
use core::fmt;

/// A question that is being answered, piece by piece: a [`Plan`](crate::Plan) of a window, a [`Range`](crate::Range), a
/// [`LookUp`](crate::LookUp), [`EventRows`](crate::EventRows), a [`Replay`](crate::Replay). [`work`] reads what it wants and gives it to
/// the job until it wants nothing more. Whoever cannot wait does the same a piece at a time, in any order, and may drop the job before it
/// is done; what there is of its answer can be asked for at any time.
///
/// ```
/// use ghc_eventlog_model::{Model, work};
///
/// # let mut model = Model::new();
/// # model.finish();
/// # let file: &[u8] = &[];
/// let mut range = model.range(Default::default(), Default::default()).ok_or("the log is still being read")?;
/// let read = |offset: u64, length: u64| Ok::<_, std::io::Error>(&file[offset as usize..(offset + length) as usize]);
/// assert!(work(&mut range, &mut model, read)?, "the file has changed");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Job {
    /// What must be read of the file next, as offset and length; none once it is done.
    fn reads(&mut self, model: &mut Model) -> Vec<(u64, u64)>;

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

/// Works on a job until it wants nothing more: `read` reads so many bytes of the file from an offset on.
///
/// Returns false if the job gave up: the file has changed since the model was fed with it, so that what is read does not help.
///
/// # Errors
/// Those of `read`.
pub fn work<Bytes: AsRef<[u8]>, Error>(
    job: &mut dyn Job,
    model: &mut Model,
    mut read: impl FnMut(u64, u64) -> Result<Bytes, Error>,
) -> Result<bool, Error> {
    let mut patience = Patience::default();
    loop {
        let reads = job.reads(model);
        if reads.is_empty() {
            return Ok(true);
        }
        if !patience.goes_on(job.progress()) {
            return Ok(false);
        }
        for (offset, length) in reads {
            if job.give(model, offset, read(offset, length)?.as_ref()).is_err() {
                return Ok(false);
            }
        }
    }
}

/// How often a job may want something more without getting on. What it is given shows now and then that a longer look beyond its end is
/// needed; a file that has changed shows that again and again.
const ROUNDS: usize = 4;

/// Tells when a job will not come to an end. To be asked each time before what it wants is read.
#[derive(Debug, Clone, Copy, Default)]
pub struct Patience {
    done: usize,
    rounds: usize,
}

impl Patience {
    /// Whether it is worth reading what a job wants that is so far.
    pub fn goes_on(&mut self, progress: Progress) -> bool {
        self.rounds = if progress.done > self.done { 0 } else { self.rounds + 1 };
        self.done = progress.done.max(self.done);
        self.rounds <= ROUNDS
    }
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
