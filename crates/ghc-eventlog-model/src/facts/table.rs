//! Tables: typed columns, and rows that come page by page, in any order, as far as they are kept.

mod order;

use super::{scope::Scope, tables};
use crate::{
    facts::scope::About,
    limits,
    reading::model::Model,
    terms::{
        table::{Column, TableInfo, TablePage, TableQuery},
        track::TrackId,
        value::{Unit, Value},
    },
};
use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use core::ops::{self, ControlFlow};
use ghc_eventlog::Nanos;
use order::{cut, order_of};

/// The rows that a [`TableQuery`] finds, in its order: good for all its pages until the log is read further. Four bytes for
/// each row that is kept, or fewer.
#[derive(Debug, Clone)]
pub struct TableOrder {
    query: TableQuery,
    /// The places of the rows; `None` if it is all of them, as they are.
    places: Option<Vec<u32>>,
}

/// What is kept of most tables: see [`crate::keeping::rows`].
const EVENLY: &str = "an even selection that includes the smallest and the largest";

/// A table: what one file in `tables/` says of it.
pub(crate) trait Listed: Sync + 'static {
    /// What a row is made of.
    type Row;
    /// The key of the section that it belongs to.
    const SECTION: &'static str;
    const KEY: &'static str;
    const NAME: &'static str;
    /// What its rows are, in a sentence for people. The page has these texts from elsewhere: nothing in the binding may use them.
    const ABOUT: &'static str;
    /// Its columns: see [`columns!`].
    const COLUMNS: &'static [Cells<Self::Row>];
    /// What is in each of them, in a sentence for people.
    const ABOUT_COLUMNS: &'static [&'static str];
    /// The track that rows are drawn on, if it is one.
    const TRACK: Option<TrackId> = None;
    /// What is shown of a row that is picked, in words, if rows can be.
    const PICKS: Option<&'static str> = None;
    /// Which rows are kept where not all are, in words.
    const KEPT: &'static str = EVENLY;

    /// The column whose largest values matter most: the page has them first, and so have lists with room for some rows only.
    const HEAVIEST: Option<&'static str> = None;

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

    /// The track that a row is drawn on at its time, where rows have tracks of their own: see [`Self::TRACK`] for one of all.
    fn track(_scope: &Scope<'_>, _row: &Self::Row) -> Option<TrackId> {
        Self::TRACK
    }

    /// Whether it has anything to show.
    fn is_shown(_scope: &Scope<'_>) -> bool {
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

/// Makes [`Listed::COLUMNS`] of a table's columns. The comment of each is what users read about it: one or two sentences in plain
/// English. They become [`Listed::ABOUT_COLUMNS`].
macro_rules! columns {
    ($($(#[doc = $doc:literal])+ $($make:ident)::+($($with:tt)*)),* $(,)?) => {
        const COLUMNS: &'static [$crate::facts::table::Cells<Self::Row>] = &[$($($make)::+($($with)*)),*];
        const ABOUT_COLUMNS: &'static [&'static str] = &[$(concat!($($doc),*).trim_ascii()),*];
    };
}

pub(crate) use columns;

/// A column, and what stands in it.
pub(crate) struct Cells<Row: 'static> {
    column: Column,
    value: fn(&Scope<'_>, &Row) -> Value,
}

impl<Row> Cells<Row> {
    /// The column, without what stands in it.
    pub(crate) fn column(&self) -> Column {
        self.column
    }

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
    /// What people call it.
    fn name(&self) -> &'static str;
    /// What is shown of a row that is picked.
    fn picks(&self) -> Option<&'static str>;
    /// Which rows are kept where not all are.
    fn kept(&self) -> &'static str;

    /// See [`Listed::HEAVIEST`].
    fn heaviest(&self) -> Option<&'static str>;
    fn is_shown(&self, scope: &Scope<'_>) -> bool;
    fn asked_by(&self, scope: &Scope<'_>) -> Option<String>;
    /// The column at a place, if there are so many.
    fn column(&self, place: usize) -> Option<Column>;
    fn shows(&self, scope: &Scope<'_>, column: &Column) -> bool;
    /// The places of the rows that are kept.
    fn places(&self, scope: &Scope<'_>) -> ops::Range<usize>;
    /// How many there were, whatever is kept.
    fn of(&self, scope: &Scope<'_>) -> u64;
    /// Gives what a row has in some columns to `take`, one after the other, as long as it wants more; when the row was, if there
    /// is such a row, and it is about a moment.
    fn row(&self, scope: &Scope<'_>, place: usize, columns: &[usize], take: Take<'_>) -> Option<Option<Nanos>>;
    /// The track that a row is drawn on, if it is on one.
    fn track(&self, scope: &Scope<'_>, place: usize) -> Option<TrackId>;
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

    fn is_shown(&self, scope: &Scope<'_>) -> bool {
        T::is_shown(scope)
    }

    fn name(&self) -> &'static str {
        T::NAME
    }

    fn picks(&self) -> Option<&'static str> {
        T::PICKS
    }

    fn kept(&self) -> &'static str {
        T::KEPT
    }

    fn heaviest(&self) -> Option<&'static str> {
        T::HEAVIEST
    }

    fn asked_by(&self, scope: &Scope<'_>) -> Option<String> {
        T::asked_by(scope)
    }

    fn column(&self, place: usize) -> Option<Column> {
        T::COLUMNS.get(place).map(|cells| cells.column)
    }

    fn shows(&self, scope: &Scope<'_>, column: &Column) -> bool {
        T::shows(scope, column)
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

    fn track(&self, scope: &Scope<'_>, place: usize) -> Option<TrackId> {
        T::track(scope, &T::row(scope, place)?)
    }
}

impl dyn Table + '_ {
    /// What it is, without its rows.
    pub(crate) fn info(&self, scope: &Scope<'_>) -> TableInfo {
        let columns = self.shown(scope).into_iter().map(|(_, column)| column).collect();
        let rows = self.places(scope).len();
        let (picks, kept, heaviest) = (self.picks(), self.kept(), self.heaviest());
        TableInfo { key: self.key(), name: self.name(), columns, rows, picks, kept, heaviest }
    }

    /// The columns that are shown, each with its place among all of them.
    pub(crate) fn shown(&self, scope: &Scope<'_>) -> Vec<(usize, Column)> {
        let all = (0..).map_while(|place| Some((place, self.column(place)?)));
        all.filter(|(_, column)| self.shows(scope, column)).collect()
    }
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
            page.tracks.push(place.and_then(|place| table.track(scope, place)));
        }
    }
}

impl Model {
    /// What the values are in a column of a table; `None` if there is no such column.
    #[must_use]
    pub fn unit_of(table: &str, column: &str) -> Option<Unit> {
        let table = tables::find(table)?;
        let mut columns = (0..).map_while(|place| table.column(place));
        columns.find(|its| its.key == column).map(|its| its.unit)
    }

    /// The rows that a query finds, in its order. That is the work; its [pages](Model::page) are cheap.
    #[must_use]
    pub fn order<'a>(&'a self, query: TableQuery, about: impl Into<About<'a>>) -> TableOrder {
        let scope = Scope::of(self, about);
        let places = tables::find(&query.table).and_then(|table| order_of(table, &scope, &query));
        TableOrder { query, places }
    }

    /// The same for a list that has room for `most` rows: if there are more, it has the heaviest by each column that
    /// [weighs](Column::weighs), too.
    #[must_use]
    pub fn order_for<'a>(&'a self, query: TableQuery, most: usize, about: impl Into<About<'a>>) -> TableOrder {
        let scope = Scope::of(self, about);
        let places = tables::find(&query.table).and_then(|table| cut(table, &scope, &query, most));
        TableOrder { query, places }
    }

    /// Some rows of a table, [`limits::MAX_PAGE`] at most; `range` is that of the order. Empty for a table that there is not.
    #[must_use]
    pub fn page<'a>(&'a self, order: &TableOrder, about: impl Into<About<'a>>, from: usize, count: usize) -> TablePage {
        let scope = Scope::of(self, about);
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

    /// The place in the table's own order of the row that comes after `before` others.
    #[must_use]
    pub fn place(&self, before: usize) -> usize {
        self.places.as_ref().and_then(|places| places.get(before)).map_or(before, |place| *place as usize)
    }
}
