//! Typed facts: what is known of a subject, in the fields of a plain struct. Sections, rules, comparisons and exports read the same
//! structs; the figures of a section are made from its struct.

use super::{Figure, Section};
use crate::terms::value::{Unit, Value};
use alloc::string::ToString;
use ghc_eventlog::Nanos;
use ghc_eventlog_text::LogText;

/// What to expect of a fact when the same program runs again with the same input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// About the same: numbers of things, sizes, settings. A difference comes from the program or its input.
    Repeatable,
    /// Another one each time, since it is a time, is measured by one, or belongs to that one run. Only a large difference means something.
    Timed,
}

/// A value, and the moment that it is about, if that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dated<T> {
    /// The value.
    pub value: T,
    /// The moment.
    pub at: Option<Nanos>,
}

/// Makes a struct of typed facts from a list of its fields. A field that is shown as a figure says how, after `=`: key, name, unit,
/// class. The key is what programs call it: it never changes, and ends in `_ns` or `_bytes` if the value is a time or a size.
///
/// The documentation of such a field is what users read about the figure, and that of the struct what they read about the section: one
/// or two sentences in plain English, without links and names of Rust. The page shows them as hints, `docs/reading.md` lists them.
///
/// ```text
/// facts! {
///     /// The memory that holds the program's data.
///     HeapFacts("heap", "Heap") {
///         /// Why the log does not say; if a flag is missing, nothing else is known.
///         pub lacks: Option<Absence>,
///         /// How many bytes the program allocated in all.
///         pub allocated: Option<u64> = ("allocated_bytes", "Allocated", Bytes, Repeatable),
///         …
///     }
/// }
/// ```
///
/// becomes
///
/// ```text
/// /// The memory that holds the program's data.
/// #[derive(Debug, Clone, PartialEq, Default)]
/// pub struct HeapFacts {
///     /// Why the log does not say; if a flag is missing, nothing else is known.
///     pub lacks: Option<Absence>,
///     /// How many bytes the program allocated in all.
///     pub allocated: Option<u64>,
///     …
/// }
///
/// impl Subject for HeapFacts {
///     const KEY: &'static str = "heap";
///     const NAME: &'static str = "Heap";
///     const ROWS: &'static [FigureRow<Self>] = &[
///         FigureRow::new("allocated_bytes", "Allocated", Unit::Bytes, Class::Repeatable, |facts| facts.allocated.show(Unit::Bytes)),
///         …
///     ];
///     const ABOUT: &'static str = "The memory that holds the program's data.";
///     const ABOUT_FIELDS: &'static [(Option<&'static str>, &'static str)] =
///         &[(None, "Why the log …"), (Some("allocated_bytes"), "How many bytes the program allocated in all."), …];
/// }
/// ```
///
/// After the brackets may come what else a [`FigureRow`] has: `.only_if(…)`, `.or_named(…)`.
macro_rules! facts {
    (
        $(#[doc = $about:literal])*
        $Facts:ident($section:literal, $title:literal) {
            $(
                $(#[doc = $doc:literal])*
                $vis:vis $field:ident: $Type:ty
                    $(= ($key:expr, $name:expr, $unit:ident, $class:ident) $(.$how:ident($($with:expr),*))*)?
            ),* $(,)?
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Debug, Clone, PartialEq, Default)]
        pub struct $Facts {
            $($(#[doc = $doc])* $vis $field: $Type,)*
        }

        impl $crate::facts::typed::Subject for $Facts {
            const KEY: &'static str = $section;
            const NAME: &'static str = $title;
            const ROWS: &'static [$crate::facts::typed::FigureRow<Self>] = &[
                $($(
                    $crate::facts::typed::FigureRow::new(
                        $key,
                        $name,
                        $crate::terms::value::Unit::$unit,
                        $crate::facts::typed::Class::$class,
                        |facts: &Self| {
                            $crate::facts::typed::Field::show(&facts.$field, $crate::terms::value::Unit::$unit)
                        },
                    )
                    $(.$how($($with),*))*,
                )?)*
            ];
            const ABOUT: &'static str = concat!($($about),*).trim_ascii();
            const ABOUT_FIELDS: &'static [(Option<&'static str>, &'static str)] =
                &[$(($crate::facts::typed::key_of(&[$($key)?]), concat!($($doc),*).trim_ascii())),*];
        }
    };
}

pub(crate) use facts;

/// What [`facts!`] makes.
pub(crate) trait Subject: 'static {
    /// What programs call the section.
    const KEY: &'static str;
    /// What people call it.
    const NAME: &'static str;
    /// The fields that are shown, in order.
    const ROWS: &'static [FigureRow<Self>];
    /// What it is about, in a sentence for people. The page has these texts from elsewhere: nothing in the binding may use them.
    const ABOUT: &'static str;
    /// The same of each field, with its key if it is shown.
    const ABOUT_FIELDS: &'static [(Option<&'static str>, &'static str)];
}

/// The key of a field that is shown, in [`facts!`].
pub(crate) const fn key_of(keys: &[&'static str]) -> Option<&'static str> {
    if let [key] = keys { Some(*key) } else { None }
}

/// How a field is shown as a figure.
pub(crate) struct FigureRow<Facts: ?Sized + 'static> {
    key: &'static str,
    name: &'static str,
    unit: Unit,
    class: Class,
    value: fn(&Facts) -> (Value, Option<Nanos>),
    shown: Option<Holds<Facts>>,
    other_name: Option<(&'static str, Holds<Facts>)>,
}

/// Whether something is true of facts.
type Holds<Facts> = fn(&Facts) -> bool;

impl<Facts> FigureRow<Facts> {
    pub(crate) const fn new(
        key: &'static str,
        name: &'static str,
        unit: Unit,
        class: Class,
        value: fn(&Facts) -> (Value, Option<Nanos>),
    ) -> Self {
        Self { key, name, unit, class, value, shown: None, other_name: None }
    }

    /// There is no such figure unless this holds: for what few logs have.
    pub(crate) const fn only_if(mut self, shown: Holds<Facts>) -> Self {
        self.shown = Some(shown);
        self
    }

    /// People call it by another name where this holds.
    pub(crate) const fn or_named(mut self, name: &'static str, named: Holds<Facts>) -> Self {
        self.other_name = Some((name, named));
        self
    }

    /// What people call the figure, unless facts have it be called otherwise.
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    pub(crate) fn unit(&self) -> Unit {
        self.unit
    }

    fn figure(&self, facts: &Facts) -> Option<Figure> {
        if self.shown.is_some_and(|shown| !shown(facts)) {
            return None;
        }
        let Self { key, name, unit, class, .. } = *self;
        let name = self.other_name.filter(|(_, named)| named(facts)).map_or(name, |(other, _)| other);
        let (value, time) = (self.value)(facts);
        Some(Figure { key, name, unit, class, value, time })
    }
}

impl Section {
    /// A section with the figures of some facts.
    pub(crate) fn of<Facts: Subject>(facts: &Facts) -> Self {
        let figures = Facts::ROWS.iter().filter_map(|row| row.figure(facts)).collect();
        Self { figures, ..Self::new(Facts::KEY, Facts::NAME) }
    }
}

/// What a field of typed facts can be.
pub(crate) trait Field {
    /// Its value in a unit, and the moment that it is about.
    fn show(&self, unit: Unit) -> (Value, Option<Nanos>);
}

impl<T: Field> Field for Option<T> {
    fn show(&self, unit: Unit) -> (Value, Option<Nanos>) {
        self.as_ref().map_or((Value::Unknown, None), |known| known.show(unit))
    }
}

impl<T: Field> Field for Dated<T> {
    fn show(&self, unit: Unit) -> (Value, Option<Nanos>) {
        (self.value.show(unit).0, self.at)
    }
}

impl Field for u64 {
    fn show(&self, unit: Unit) -> (Value, Option<Nanos>) {
        (unit.value(*self), None)
    }
}

impl Field for (u64, u64) {
    fn show(&self, _: Unit) -> (Value, Option<Nanos>) {
        (Value::Between(self.0, self.1), None)
    }
}

impl Field for u32 {
    fn show(&self, unit: Unit) -> (Value, Option<Nanos>) {
        u64::from(*self).show(unit)
    }
}

impl Field for Nanos {
    fn show(&self, unit: Unit) -> (Value, Option<Nanos>) {
        self.0.show(unit)
    }
}

impl Field for f64 {
    fn show(&self, _: Unit) -> (Value, Option<Nanos>) {
        (Value::Share(*self), None)
    }
}

impl Field for bool {
    fn show(&self, _: Unit) -> (Value, Option<Nanos>) {
        (Value::words(if *self { "yes" } else { "no" }.to_string()), None)
    }
}

impl Field for LogText<'static> {
    fn show(&self, _: Unit) -> (Value, Option<Nanos>) {
        (Value::Text(self.clone()), None)
    }
}
