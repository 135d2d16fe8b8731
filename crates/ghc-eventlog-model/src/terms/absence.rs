//! Why a log has nothing of something: it was not logged, or there was nothing to log.

/// Why a log has nothing of something. At least one of the two is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Absence {
    /// The flag of the runtime that logs it. `None`: it was logged, so that no flag would help.
    pub flag: Option<&'static str>,
    /// What did not happen, as a sentence, where that may be the reason. With a flag: nothing says which of the two it is.
    pub none: Option<&'static str>,
}

impl Absence {
    /// It was not logged.
    pub(crate) const fn of_flag(flag: &'static str) -> Self {
        Self { flag: Some(flag), none: None }
    }

    /// It was logged, and there was nothing.
    pub(crate) const fn of_none(none: &'static str) -> Self {
        Self { flag: None, none: Some(none) }
    }

    /// Whether it is not known whether there was anything.
    #[must_use]
    pub fn is_unlogged(self) -> bool {
        self.flag.is_some()
    }
}
