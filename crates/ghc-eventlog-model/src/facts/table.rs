//! Tables: typed columns, and rows that come page by page, in any order, as far as they are kept.

use super::{
    histogram::Within,
    scope::Scope,
    tables,
    value::{Unit, Value},
};
use crate::{asking::range::Range, limits, model::Model, sorting::sort_pairs, tracks::TrackId};
use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use core::ops::{self, ControlFlow};
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

/// A table, whatever its rows are made of: as little as needs to be there once for each. Columns are named by their places among
/// all that the table has.
pub(crate) trait Table: Sync {
    fn section(&self) -> &'static str;
    fn key(&self) -> &'static str;
    fn is_told(&self, scope: &Scope<'_>) -> bool;
    fn info(&self, scope: &Scope<'_>) -> TableInfo;
    fn asked_by(&self, scope: &Scope<'_>) -> Option<String>;
    /// The columns that are shown.
    fn shown(&self, scope: &Scope<'_>) -> Vec<(usize, Column)>;
    /// The places of the rows that are kept.
    fn places(&self, scope: &Scope<'_>) -> ops::Range<usize>;
    /// How many there were, whatever is kept.
    fn of(&self, scope: &Scope<'_>) -> u64;
    /// Gives what a row has in some columns to `take`, one after the other, as long as it wants more; when the row was, if there
    /// is such a row, and it is about a moment.
    fn row(&self, scope: &Scope<'_>, place: usize, columns: &[usize], take: Take<'_>) -> Option<Option<Nanos>>;
}

/// What takes the values of a row.
type Take<'t> = &'t mut dyn FnMut(Value) -> ControlFlow<()>;

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
        let columns = self.shown(scope).into_iter().map(|(_, column)| column).collect();
        TableInfo { key: T::KEY, name: T::NAME, columns, rows: T::places(scope).len(), track: T::TRACK }
    }

    fn asked_by(&self, scope: &Scope<'_>) -> Option<String> {
        T::asked_by(scope)
    }

    fn shown(&self, scope: &Scope<'_>) -> Vec<(usize, Column)> {
        let all = T::COLUMNS.iter().map(|cells| cells.column).enumerate();
        all.filter(|(_, column)| T::shows(scope, column)).collect()
    }

    fn places(&self, scope: &Scope<'_>) -> ops::Range<usize> {
        T::places(scope)
    }

    fn of(&self, scope: &Scope<'_>) -> u64 {
        T::of(scope)
    }

    fn row(&self, scope: &Scope<'_>, place: usize, columns: &[usize], take: Take<'_>) -> Option<Option<Nanos>> {
        let row = T::row(scope, place)?;
        let mut cells = columns.iter().filter_map(|column| T::COLUMNS.get(*column));
        let _ = cells.try_for_each(|cells| take((cells.value)(scope, &row)));
        Some(T::time(&row))
    }
}

/// The rows that a query finds, in its order; `None` if it is all of them as they are.
fn order_of(table: &dyn Table, scope: &Scope<'_>, query: &TableQuery) -> Option<Vec<u32>> {
    let shown = table.shown(scope);
    let sort = shown.iter().find(|(_, column)| column.key == query.sort);
    if query.filter.is_empty() && query.within.is_none() && sort.is_none() {
        return None;
    }
    let mut places = filtered(table, scope, &shown, &query.filter);
    if let Some(within) = &query.within {
        keep_within(table, scope, &shown, within, &mut places);
    }
    if let Some(column) = sort {
        sort_by(table, scope, *column, query.down, &mut places);
    }
    Some(places)
}

/// Adds some of the rows that were found to a page.
fn fill(table: &dyn Table, scope: &Scope<'_>, order: Option<&[u32]>, count: usize, page: &mut TablePage) {
    let kept = table.places(scope);
    page.kept = kept.len();
    page.of = table.of(scope);
    page.found = order.map_or(kept.len(), <[u32]>::len);
    let columns: Vec<usize> = table.shown(scope).into_iter().map(|(at, _)| at).collect();
    for at in page.from..page.found.min(page.from.saturating_add(count)) {
        let place = order.map_or(Some(kept.start + at), |order| order.get(at).map(|place| *place as usize));
        let mut values = Vec::with_capacity(columns.len());
        let mut take = |value: Value| {
            values.push(value);
            ControlFlow::Continue(())
        };
        let time = place.and_then(|place| table.row(scope, place, &columns, &mut take));
        if let Some(time) = time {
            page.rows.push(values);
            page.times.push(time);
        }
    }
}

/// What a row has in a column; unknown if there is no such row.
fn value_at(table: &dyn Table, scope: &Scope<'_>, place: u32, column: usize) -> Value {
    let mut found = Value::Unknown;
    let mut take = |value: Value| {
        found = value;
        ControlFlow::Continue(())
    };
    let _ = table.row(scope, place as usize, &[column], &mut take);
    found
}

/// The places of the rows that show a text in one of their columns.
fn filtered(table: &dyn Table, scope: &Scope<'_>, shown: &[(usize, Column)], filter: &str) -> Vec<u32> {
    let places = table.places(scope).map(|place| place as u32);
    if filter.is_empty() {
        return places.collect();
    }
    let wanted = shown.iter().map(|(at, column)| (*at, (column.unit, plain(filter, column.unit))));
    let (columns, wanted): (Vec<usize>, Vec<(Unit, String)>) =
        wanted.filter(|(_, (unit, wanted))| may_show(*unit, wanted)).unzip();
    let origin = scope.model.extent().map_or(Nanos(0), |(first, _)| first);
    let mut text = String::new();
    let mut shows = |place: &u32| {
        let (mut rest, mut found) = (wanted.iter(), false);
        let mut take = |value: Value| {
            found = rest.next().is_some_and(|(unit, wanted)| has(&value, *unit, wanted, origin, &mut text));
            if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let _ = table.row(scope, *place as usize, &columns, &mut take);
        found
    };
    places.filter(|place| shows(place)).collect()
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
fn keep_within(
    table: &dyn Table,
    scope: &Scope<'_>,
    shown: &[(usize, Column)],
    within: &Within,
    places: &mut Vec<u32>,
) {
    let Within { column, from, to } = within;
    let Some((column, _)) = shown.iter().find(|(_, shown)| shown.key == column) else { return places.clear() };
    let is_within = |place: &u32| {
        number(&value_at(table, scope, *place, *column)).is_some_and(|number| (*from..*to).contains(&number))
    };
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
fn sort_by(table: &dyn Table, scope: &Scope<'_>, (at, column): (usize, Column), down: bool, places: &mut [u32]) {
    let value = |place: u32| value_at(table, scope, place, at);
    if column.unit == Unit::Text {
        let mut keys: Vec<(Option<String>, u32)> =
            places.iter().map(|place| (letters(value(*place)), *place)).collect();
        keys.sort_by(|(one, _), (other, _)| {
            let order = if down { other.cmp(one) } else { one.cmp(other) };
            one.is_none().cmp(&other.is_none()).then(order)
        });
        places.iter_mut().zip(keys).for_each(|(place, (_, sorted))| *place = sorted);
        return;
    }
    // Numbers are sorted by far more often, and there may be a hundred thousand.
    let (mut known, mut unknown) = (Vec::with_capacity(places.len()), Vec::new());
    for place in places.iter().copied() {
        match number(&value(place)) {
            Some(number) => known.push((if down { !number } else { number }, place)),
            None => unknown.push(place),
        }
    }
    sort_pairs(&mut known);
    let sorted = known.into_iter().map(|(_, place)| place).chain(unknown);
    places.iter_mut().zip(sorted).for_each(|(place, sorted)| *place = sorted);
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
        let places = tables::find(&query.table).and_then(|table| order_of(table, &scope, &query));
        TableOrder { query, places }
    }

    /// Some rows of a table, [`limits::MAX_PAGE`] at most; `range` is that of the order. Empty for a table that there is not.
    #[must_use]
    pub fn page(&self, order: &TableOrder, range: Option<&Range>, from: usize, count: usize) -> TablePage {
        let scope = Scope { model: self, range };
        let mut page = TablePage { table: order.query.table.to_string(), from, ..TablePage::default() };
        if let Some(table) = tables::find(&order.query.table) {
            fill(table, &scope, order.places.as_deref(), count.min(limits::MAX_PAGE), &mut page);
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
