//! The variables of the program's environment, for those who ask for them.

use crate::{
    facts::{
        scope::Scope,
        table::{Cells, Listed, columns},
    },
    terms::value::{Unit, Value},
};
use alloc::{format, string::String};
use core::ops;
use ghc_eventlog_text::LogText;

pub(super) struct Environment;

impl Listed for Environment {
    type Row = LogText<'static>;
    const SECTION: &'static str = "process";
    const KEY: &'static str = "environment";
    const NAME: &'static str = "Environment";
    const ABOUT: &'static str =
        "The variables of the program's environment. They may have secrets in them, so they are shown on request only.";
    columns! {
        /// A variable's name, an equals sign, and its value.
        Cells::new("variable", "Variable", Unit::Text, |_, variable| Value::words(variable.clone())),
    }

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..scope.model.process().environment().len()
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<LogText<'static>> {
        scope.model.process().environment().get(place).cloned()
    }

    fn is_shown(scope: &Scope<'_>) -> bool {
        scope.is_whole() && !scope.model.process().environment().is_empty()
    }

    /// It may tell secrets.
    fn asked_by(scope: &Scope<'_>) -> Option<String> {
        let count = scope.model.process().environment().len();
        let variables = if count == 1 { "variable" } else { "variables" };
        Some(format!("Show the environment ({count} {variables})"))
    }
}
