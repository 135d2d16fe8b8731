//! The range that the other sections are about, if that is not all of the log.

use crate::{
    facts::{Section, scope::Scope},
    terms::value::{Unit, Value},
};

pub(super) fn section(scope: &Scope<'_>) -> Option<Section> {
    let (from, to) = scope.times().filter(|_| !scope.is_whole())?;
    let mut range = Section::new("range", "Range");
    range.value("from_ns", "From", Unit::Time, Value::Time(from));
    range.value("to_ns", "To", Unit::Time, Value::Time(to));
    range.duration("length_ns", "Length", scope.length());
    Some(range)
}
