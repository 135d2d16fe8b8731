//! How far something is.

/// How far a job is: `done` of `of` pieces of the file. `of` is what is known by now; it may grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// How many pieces have been taken, or were found not to be needed.
    pub done: usize,
    /// How many pieces there are.
    pub of: usize,
}
