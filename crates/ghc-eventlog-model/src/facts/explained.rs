//! What every figure, every column and every kind of tracks means, in a sentence each, for people. The sentence stands where the thing
//! is: see [`facts!`](super::typed::facts), [`columns!`](super::table::columns) and [`Kind::ABOUT`](crate::tracks::kind::Kind::ABOUT). The page and `docs/reading.md`
//! have these texts from here, at the time when they are made; nothing in the binding uses them.

use super::{
    sections::{self, EventsFacts},
    table::{Cells, Listed},
    tables,
    typed::Subject,
};
use crate::{
    asking::events::listing,
    terms::{
        explained::{Explained, Thing},
        table::Column,
    },
    tracks,
};
use alloc::vec::Vec;
use core::iter;

/// All that the facts can have, explained: each section, after it its figures, and then its tables, each followed by its columns; and at
/// the end the kinds of tracks, in the order of the page. A log has some of all that.
///
/// ```
/// use ghc_eventlog_model::{Thing, explanations};
///
/// let slop = explanations().find(|its| its.thing == Thing::Figure && its.key == "slop_bytes").expect("it is there");
/// assert_eq!((slop.section, slop.name), ("gc", "Slop of all collections"));
/// println!("{}: {}", slop.name, slop.about);
///
/// let columns = explanations().filter(|its| its.table == Some("collections") && its.thing == Thing::Column);
/// assert_eq!(columns.map(|its| its.key).next(), Some("start_ns"));
/// ```
pub fn explanations() -> impl Iterator<Item = Explained> {
    let tables: Vec<Vec<Explained>> = tables::explained().into_iter().chain([of_listing()]).collect();
    let sections = sections::explained().into_iter().flat_map(move |section| {
        let key = section.first().map(|its| its.section);
        let its_tables: Vec<Explained> =
            tables.iter().flatten().filter(|table| Some(table.section) == key).copied().collect();
        section.into_iter().chain(its_tables)
    });
    sections.chain(tracks::explained())
}

/// A section, and its figures.
pub(super) fn of_section<Facts: Subject>() -> Vec<Explained> {
    let section = Explained {
        thing: Thing::Section,
        section: Facts::KEY,
        table: None,
        key: Facts::KEY,
        name: Facts::NAME,
        unit: None,
        about: Facts::ABOUT,
    };
    let shown = Facts::ABOUT_FIELDS.iter().filter_map(|(key, about)| Some(((*key)?, *about)));
    let figures = Facts::ROWS.iter().zip(shown).map(|(row, (key, about))| Explained {
        thing: Thing::Figure,
        key,
        name: row.name(),
        unit: Some(row.unit()),
        about,
        ..section
    });
    iter::once(section).chain(figures).collect()
}

/// A table, and its columns.
pub(super) fn of_table<T: Listed>() -> Vec<Explained> {
    let table = table(T::SECTION, T::KEY, T::NAME, T::ABOUT);
    with_columns(table, T::COLUMNS.iter().map(Cells::column), T::ABOUT_COLUMNS)
}

/// The list of all events: it is no such table, since no rows of it are kept.
fn of_listing() -> Vec<Explained> {
    let table = table(EventsFacts::KEY, listing::KEY, listing::NAME, listing::ABOUT);
    with_columns(table, listing::COLUMNS.into_iter(), &listing::ABOUT_COLUMNS)
}

fn table(section: &'static str, key: &'static str, name: &'static str, about: &'static str) -> Explained {
    Explained { thing: Thing::Table, section, table: Some(key), key, name, unit: None, about }
}

fn with_columns(table: Explained, columns: impl Iterator<Item = Column>, about: &[&'static str]) -> Vec<Explained> {
    let columns = columns.zip(about).map(|(column, about)| {
        let Column { key, name, unit, .. } = column;
        Explained { thing: Thing::Column, key, name, unit: Some(unit), about, ..table }
    });
    iter::once(table).chain(columns).collect()
}
