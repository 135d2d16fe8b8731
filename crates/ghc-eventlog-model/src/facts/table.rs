//! Tables: typed columns, and rows that come page by page, in any order, as far as they are kept.

use super::{
    histogram::Within,
    scope::Scope,
    tables,
    value::{Unit, Value},
};
use crate::{asking::range::Range, limits, model::Model, tracks::TrackId};
use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use core::ops;
use ghc_eventlog::Nanos;

/// What a table is, without its rows.
#[derive(Debug, Clone, PartialEq)]
pub struct TableInfo {
    /// What programs call it: never changed.
    pub key: &'static str,
    /// What people call it.
    pub name: &'static str,
    /// Its columns, from left to right.
    pub columns: Vec<Column>,
    /// How many rows are kept.
    pub rows: usize,
    /// The track that its rows are drawn on, if it is one: each where its [time](TablePage::times) is.
    pub track: Option<TrackId>,
}

/// A column of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// What programs call it, within its table: never changed.
    pub key: &'static str,
    /// What people call it.
    pub name: &'static str,
    /// What its values are.
    pub unit: Unit,
    /// Its role in the palette, if it has a colour.
    pub role: Option<&'static str>,
    /// Whether its values are parts of the time that is known of their row, which stands in the column `known_ns`.
    pub part: bool,
}

/// Which rows of a table are wanted, and in which order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TableQuery {
    /// The table's key.
    pub table: String,
    /// The key of the column that they are sorted by; empty for the table's own order.
    pub sort: String,
    /// Whether the largest come first.
    pub down: bool,
    /// What they have in them, in whatever case; empty for all rows.
    pub filter: String,
    /// What they have in a column; `None` for all rows.
    pub within: Option<Within>,
}

/// The rows that a [`TableQuery`] finds, in its order: good for all its pages until the log is read further. Four bytes for
/// each row that is kept, or fewer.
#[derive(Debug, Clone)]
pub struct TableOrder {
    query: TableQuery,
    /// The places of the rows; `None` if it is all of them, as they are.
    places: Option<Vec<u32>>,
}

/// Some rows of a table, one after the other.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TablePage {
    /// The table's key.
    pub table: String,
    /// How many rows come before these.
    pub from: usize,
    /// Their values, by column.
    pub rows: Vec<Vec<Value>>,
    /// When each of them was, if it is about a moment.
    pub times: Vec<Option<Nanos>>,
    /// How many rows the query finds.
    pub found: usize,
    /// How many rows are kept.
    pub kept: usize,
    /// How many there were.
    pub of: u64,
}

/// A table: what one file in `tables/` says of it.
pub(crate) trait Listed: Sync + 'static {
    /// What a row is made of.
    type Row;
    /// The key of the section that it belongs to.
    const SECTION: &'static str;
    const KEY: &'static str;
    const NAME: &'static str;
    const COLUMNS: &'static [Cells<Self::Row>];
    /// The track that rows are drawn on, if it is one.
    const TRACK: Option<TrackId> = None;

    /// The places of the rows that are kept.
    fn places(scope: &Scope<'_>) -> ops::Range<usize>;

    /// The row at a place.
    fn row(scope: &Scope<'_>, place: usize) -> Option<Self::Row>;

    /// How many there were, whatever is kept.
    fn of(scope: &Scope<'_>) -> u64 {
        Self::places(scope).len() as u64
    }

    /// When a row was.
    fn time(_row: &Self::Row) -> Option<Nanos> {
        None
    }

    /// Whether there is anything to be told.
    fn is_told(_scope: &Scope<'_>) -> bool {
        true
    }

    /// What asks for it, in words, if it is only shown to those who do.
    fn asked_by(_scope: &Scope<'_>) -> Option<String> {
        None
    }

    /// Whether a column is shown.
    fn shows(_scope: &Scope<'_>, _column: &Column) -> bool {
        true
    }
}

/// A column, and what stands in it.
pub(crate) struct Cells<Row: 'static> {
    column: Column,
    value: fn(&Scope<'_>, &Row) -> Value,
}

impl<Row> Cells<Row> {
    pub(crate) const fn new(
        key: &'static str,
        name: &'static str,
        unit: Unit,
        value: fn(&Scope<'_>, &Row) -> Value,
    ) -> Self {
        Self { column: Column { key, name, unit, role: None, part: false }, value }
    }

    /// With a colour.
    pub(crate) const fn coloured(
        key: &'static str,
        name: &'static str,
        unit: Unit,
        role: &'static str,
        value: fn(&Scope<'_>, &Row) -> Value,
    ) -> Self {
        Self { column: Column { key, name, unit, role: Some(role), part: false }, value }
    }

    /// A duration that is a part of the time known of the row.
    pub(crate) const fn part(
        key: &'static str,
        name: &'static str,
        role: &'static str,
        value: fn(&Scope<'_>, &Row) -> Value,
    ) -> Self {
        Self { column: Column { key, name, unit: Unit::Duration, role: Some(role), part: true }, value }
    }
}

/// A table, whatever its rows are made of.
pub(crate) trait Table: Sync {
    fn section(&self) -> &'static str;
    fn key(&self) -> &'static str;
    fn is_told(&self, scope: &Scope<'_>) -> bool;
    fn info(&self, scope: &Scope<'_>) -> TableInfo;
    fn asked_by(&self, scope: &Scope<'_>) -> Option<String>;
    /// The rows that a query finds, in its order.
    fn order(&self, scope: &Scope<'_>, query: &TableQuery) -> Option<Vec<u32>>;
    /// Adds some of them to a page.
    fn fill(&self, scope: &Scope<'_>, order: Option<&[u32]>, count: usize, page: &mut TablePage);
}

impl<T: Listed> Table for T {
    fn section(&self) -> &'static str {
        T::SECTION
    }

    fn key(&self) -> &'static str {
        T::KEY
    }

    fn is_told(&self, scope: &Scope<'_>) -> bool {
        T::is_told(scope)
    }

    fn info(&self, scope: &Scope<'_>) -> TableInfo {
        let columns = shown::<T>(scope).map(|cells| cells.column).collect();
        TableInfo { key: T::KEY, name: T::NAME, columns, rows: T::places(scope).len(), track: T::TRACK }
    }

    fn asked_by(&self, scope: &Scope<'_>) -> Option<String> {
        T::asked_by(scope)
    }

    fn order(&self, scope: &Scope<'_>, query: &TableQuery) -> Option<Vec<u32>> {
        let sort = shown::<T>(scope).find(|cells| cells.column.key == query.sort);
        if query.filter.is_empty() && query.within.is_none() && sort.is_none() {
            return None;
        }
        let mut places = filtered::<T>(scope, &query.filter);
        if let Some(within) = &query.within {
            keep_within::<T>(scope, within, &mut places);
        }
        if let Some(cells) = sort {
            sort_by::<T>(scope, cells, query.down, &mut places);
        }
        Some(places)
    }

    fn fill(&self, scope: &Scope<'_>, order: Option<&[u32]>, count: usize, page: &mut TablePage) {
        let kept = T::places(scope);
        page.kept = kept.len();
        page.of = T::of(scope);
        page.found = order.map_or(kept.len(), <[u32]>::len);
        let cells: Vec<_> = shown::<T>(scope).collect();
        for at in page.from..page.found.min(page.from.saturating_add(count)) {
            let place = order.map_or(Some(kept.start + at), |order| order.get(at).map(|place| *place as usize));
            let Some(row) = place.and_then(|place| T::row(scope, place)) else { continue };
            page.rows.push(cells.iter().map(|cells| (cells.value)(scope, &row)).collect());
            page.times.push(T::time(&row));
        }
    }
}

/// The columns that are shown.
fn shown<T: Listed>(scope: &Scope<'_>) -> impl Iterator<Item = &'static Cells<T::Row>> {
    T::COLUMNS.iter().filter(|cells| T::shows(scope, &cells.column))
}

/// The places of the rows that show a text in one of their columns.
fn filtered<T: Listed>(scope: &Scope<'_>, filter: &str) -> Vec<u32> {
    let places = T::places(scope).map(|place| place as u32);
    if filter.is_empty() {
        return places.collect();
    }
    let cells = shown::<T>(scope).map(|cells| (cells, plain(filter, cells.column.unit)));
    let cells: Vec<_> = cells.filter(|(cells, wanted)| may_show(cells.column.unit, wanted)).collect();
    let origin = scope.model.extent().map_or(Nanos(0), |(first, _)| first);
    let mut text = String::new();
    let mut shows = |place: u32| {
        let mut in_row = |row: &T::Row| {
            cells
                .iter()
                .any(|(cells, wanted)| has(&(cells.value)(scope, row), cells.column.unit, wanted, origin, &mut text))
        };
        T::row(scope, place as usize).is_some_and(|row| in_row(&row))
    };
    places.filter(|place| shows(*place)).collect()
}

/// Whether a value, in words, has a text in it. `text` is room for the words.
fn has(value: &Value, unit: Unit, wanted: &str, origin: Nanos, text: &mut String) -> bool {
    text.clear();
    // Writing into a string cannot fail.
    let _ = value.write(origin, text);
    text.make_ascii_lowercase();
    if text.is_ascii() { text.contains(wanted) } else { plain(text, unit).contains(wanted) }
}

/// Leaves those places whose rows have what is wanted in a column; none if there is no such column.
fn keep_within<T: Listed>(scope: &Scope<'_>, Within { column, from, to }: &Within, places: &mut Vec<u32>) {
    let Some(cells) = shown::<T>(scope).find(|cells| cells.column.key == column) else { return places.clear() };
    let value = |row: T::Row| number(&(cells.value)(scope, &row));
    let is_within =
        |place: &u32| T::row(scope, *place as usize).and_then(value).is_some_and(|at| (*from..*to).contains(&at));
    places.retain(is_within);
}

/// A text as it is compared with others: in small letters, without the thin spaces between groups of digits, and with the micro
/// sign for the Greek mu, which looks the same. In times, both are the u that people type.
fn plain(text: &str, unit: Unit) -> String {
    let micro = if matches!(unit, Unit::Time | Unit::Duration) { "u" } else { "\u{b5}" };
    text.replace('\u{202f}', "").to_lowercase().replace(['\u{b5}', '\u{3bc}'], micro)
}

/// Whether a value of some unit can have a text in it, by its letters: most columns are of numbers, and most filters are not.
fn may_show(unit: Unit, wanted: &str) -> bool {
    let others = match unit {
        Unit::Text => return true,
        Unit::Time | Unit::Duration => ". :nsumhi",
        Unit::Bytes => ". bkmgti",
        Unit::BytesPerSecond => ". bkmgti/s",
        Unit::PerSecond => "/s",
        Unit::Share => ". <>%",
        Unit::Capability => " hec",
        Unit::Count | Unit::Thread | Unit::Offset => "",
    };
    wanted.chars().all(|letter| letter.is_ascii_digit() || others.contains(letter))
}

/// Sorts places, which are in the table's own order, by the values of a column, equal ones as they were; what is not known comes
/// last either way.
fn sort_by<T: Listed>(scope: &Scope<'_>, cells: &Cells<T::Row>, down: bool, places: &mut [u32]) {
    let value = |place: u32| T::row(scope, place as usize).map_or(Value::Unknown, |row| (cells.value)(scope, &row));
    if cells.column.unit == Unit::Text {
        let mut keys: Vec<(Option<String>, u32)> =
            places.iter().map(|place| (letters(value(*place)), *place)).collect();
        sort_letters(&mut keys, down);
        places.iter_mut().zip(keys).for_each(|(place, (_, sorted))| *place = sorted);
        return;
    }
    // Numbers are sorted by far more often, and there may be a hundred thousand.
    let key = |place: u32| match number(&value(place)) {
        Some(number) => (false, if down { !number } else { number }, place),
        None => (true, 0, place),
    };
    let mut keys: Vec<(bool, u64, u32)> = places.iter().map(|place| key(*place)).collect();
    sort_numbers(&mut keys);
    places.iter_mut().zip(keys).for_each(|(place, (_, _, sorted))| *place = sorted);
}

/// Sorting is much code, and is there once for all tables.
#[inline(never)]
fn sort_letters(keys: &mut [(Option<String>, u32)], down: bool) {
    keys.sort_by(|(one, _), (other, _)| {
        let order = if down { other.cmp(one) } else { one.cmp(other) };
        one.is_none().cmp(&other.is_none()).then(order)
    });
}

/// The same by numbers.
#[inline(never)]
fn sort_numbers(keys: &mut [(bool, u64, u32)]) {
    keys.sort_unstable();
}

/// What texts are sorted by.
fn letters(value: Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(text.to_lowercase()),
        _ => None,
    }
}

/// What all other values are sorted by.
fn number(value: &Value) -> Option<u64> {
    Some(match value {
        Value::Unknown | Value::Text(_) => return None,
        Value::Time(time) | Value::Duration(time) => time.0,
        Value::Bytes(number) | Value::Count(number) | Value::Offset(number) => *number,
        Value::BytesPerSecond(number) | Value::PerSecond(number) => *number,
        // The bits of numbers that are not negative are in the order of the numbers.
        Value::Share(share) => share.max(0.0).to_bits(),
        Value::Thread(thread) => thread.0.into(),
        Value::Capability(cap) => cap.0.into(),
    })
}

impl Model {
    /// The rows that a query finds, in its order. That is the work; its [pages](Model::page) are cheap.
    #[must_use]
    pub fn order(&self, query: TableQuery, range: Option<&Range>) -> TableOrder {
        let scope = Scope { model: self, range };
        let places = tables::find(&query.table).and_then(|table| table.order(&scope, &query));
        TableOrder { query, places }
    }

    /// Some rows of a table, [`limits::MAX_PAGE`] at most; `range` is that of the order. Empty for a table that there is not.
    #[must_use]
    pub fn page(&self, order: &TableOrder, range: Option<&Range>, from: usize, count: usize) -> TablePage {
        let scope = Scope { model: self, range };
        let mut page = TablePage { table: order.query.table.to_string(), from, ..TablePage::default() };
        if let Some(table) = tables::find(&order.query.table) {
            table.fill(&scope, order.places.as_deref(), count.min(limits::MAX_PAGE), &mut page);
        }
        page
    }
}

impl TableOrder {
    /// What it was made for.
    #[must_use]
    pub fn query(&self) -> &TableQuery {
        &self.query
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_micro_sign_may_be_typed_in_several_ways() {
        // The micro sign, the Greek letter, small and capital, and what there is on every keyboard.
        for typed in ["595.3 \u{b5}s", "595.3 \u{3bc}s", "595.3 \u{39c}S", "595.3 us", "595.3 US"] {
            for unit in [Unit::Time, Unit::Duration] {
                assert_eq!(plain(typed, unit), "595.3 us", "{typed}");
                assert!(may_show(unit, &plain(typed, unit)), "{typed}");
            }
        }
    }

    #[test]
    fn in_words_mu_is_no_u() {
        assert_eq!(plain("\u{3bc}-Worker", Unit::Text), plain("\u{b5}-worker", Unit::Text));
        assert_ne!(plain("\u{3bc}-worker", Unit::Text), plain("u-worker", Unit::Text));
    }

    #[test]
    fn groups_of_digits_need_no_spaces() {
        assert_eq!(plain("12\u{202f}345", Unit::Count), "12345");
    }
}
