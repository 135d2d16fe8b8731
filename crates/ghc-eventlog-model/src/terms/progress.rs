//! How far something is.

/// How far a job is: `done` of `of` pieces of the file, as far as it is known now how many those are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// How many pieces have been taken, or were found not to be needed.
    pub done: usize,
    /// How many there are.
    pub of: usize,
}
