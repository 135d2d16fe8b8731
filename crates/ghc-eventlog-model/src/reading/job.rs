//! Jobs: questions that read the file again, and so may take longer than a frame.

use crate::{reading::model::Model, terms::progress::Progress};
use alloc::vec::Vec;
use core::fmt;

/// A question that is being answered, piece by piece: a [`Plan`](crate::Plan) of a window, a [`Range`](crate::Range), a
/// [`LookUp`](crate::LookUp), [`EventRows`](crate::EventRows), a [`Replay`](crate::Replay). [`work`] reads what the job wants
/// and passes it to the job until it wants nothing more. A caller that cannot wait does the same one piece at a time, in any
/// order. It may drop the job before it is done, and may ask for the answer so far at any time.
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

    /// Takes what was read. Most jobs pass it to the model, where other questions can use it too; some look at the bytes
    /// themselves.
    ///
    /// # Errors
    /// If the bytes differ from those that the model was fed with: the job cannot be done.
    fn give(&mut self, model: &mut Model, offset: u64, bytes: &[u8]) -> Result<(), Changed> {
        model.supply(offset, bytes)?;
        self.take(model);
        Ok(())
    }

    /// Takes what it needs from the model. To be called after each piece, since the model does not keep all pieces.
    fn take(&mut self, model: &Model);

    /// How far the job is.
    fn progress(&self) -> Progress;
}

/// Works on a job until it wants nothing more. `read` takes an offset and a number of bytes, and returns those bytes of the
/// file.
///
/// Returns false if the job gave up: the file has changed since the model was fed with it, so reading it does not help.
///
/// # Errors
/// The errors of `read`.
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

/// How many times in a row a job may want more without making progress. Now and then, decoding a piece shows that more bytes
/// after its end are needed; for a file that has changed, that happens again and again.
const ROUNDS: usize = 4;

/// Detects that a job will never end. Ask it each time before reading what the job wants.
#[derive(Debug, Clone, Copy, Default)]
pub struct Patience {
    done: usize,
    rounds: usize,
}

impl Patience {
    /// Whether it is worth reading what a job wants at this progress.
    pub fn goes_on(&mut self, progress: Progress) -> bool {
        self.rounds = if progress.done > self.done { 0 } else { self.rounds + 1 };
        self.done = progress.done.max(self.done);
        self.rounds <= ROUNDS
    }
}

/// The file differs from what the model was fed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Changed;

impl fmt::Display for Changed {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("the file was changed after it was read")
    }
}

impl core::error::Error for Changed {}
