//! What a figure, a column or a kind of tracks means, for people.

use crate::terms::value::Unit;

/// A thing that the facts have, and what it is, in a sentence or two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Explained {
    /// What kind of thing it is.
    pub thing: Thing,
    /// The key of its section; of a kind of tracks, that of the group that they are in.
    pub section: &'static str,
    /// The key of its table, if it is one, or a column of one.
    pub table: Option<&'static str>,
    /// What programs call it: a figure within its section, a column within its table.
    pub key: &'static str,
    /// What people call it.
    pub name: &'static str,
    /// What its values are; `None` if it has none itself.
    pub unit: Option<Unit>,
    /// What it is: plain English, without markup.
    pub about: &'static str,
}

/// What can be [explained](crate::explanations).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thing {
    /// A section of the facts.
    Section,
    /// A figure of a section.
    Figure,
    /// A table of a section.
    Table,
    /// A column of a table.
    Column,
    /// A kind of tracks on the timeline.
    Track,
}
