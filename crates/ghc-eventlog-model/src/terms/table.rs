//! What a table is, and how it is queried.

use crate::terms::{
    track::TrackId,
    value::{Unit, Value},
};
use alloc::{string::String, vec::Vec};
use ghc_eventlog::Nanos;

/// What a table is, without its rows.
#[derive(Debug, Clone, PartialEq)]
pub struct TableInfo {
    /// Its name for programs: it never changes.
    pub key: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// Its columns, from left to right.
    pub columns: Vec<Column>,
    /// How many rows are kept.
    pub rows: usize,
    /// What the page shows of a row that the user picks, in words. The row's first value identifies it. `None` if rows cannot
    /// be picked.
    pub picks: Option<&'static str>,
    /// Which rows are kept if not all are, in words.
    pub kept: &'static str,
    /// The key of the column whose largest values matter most, on the page and in lists with room for some rows only; `None` if the
    /// first ones do.
    pub heaviest: Option<&'static str>,
}

impl TableInfo {
    /// Its rows for a list that has room for `most` of them: as they are if all fit, else the heaviest first.
    #[must_use]
    pub fn query_for(&self, most: usize) -> TableQuery {
        let sort = self.heaviest.filter(|_| self.rows > most).unwrap_or_default();
        TableQuery { table: self.key.into(), sort: sort.into(), down: !sort.is_empty(), ..TableQuery::default() }
    }

    /// What a list that was cut to `rows` rows (`Model::order_for`) says of those that it has.
    #[must_use]
    pub fn among(&self, rows: usize) -> &'static str {
        let columns = self.columns.iter().filter(|column| column.weighs()).count();
        // With fewer rows, not each column has one.
        if columns == 0 || columns >= rows {
            ""
        } else {
            " (the largest of each column of durations, sizes and counts is above)"
        }
    }
}

/// A column of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Its name for programs, within its table: it never changes.
    pub key: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// What its values are.
    pub unit: Unit,
    /// Its role in the palette, if it has a colour.
    pub role: Option<&'static str>,
    /// Whether its values are parts of the row's known time, which is in the column `known_ns`.
    pub part: bool,
}

impl Column {
    /// Whether a row matters the more, the larger its value is.
    #[must_use]
    pub fn weighs(&self) -> bool {
        let is_number_of_row = matches!(self.key, "number" | "id" | "generation" | "capset");
        let has_no_weight = matches!(
            self.unit,
            Unit::Text | Unit::Time | Unit::Share | Unit::Thread | Unit::Capability | Unit::Offset | Unit::Levels
        );
        !is_number_of_row && !has_no_weight
    }
}

/// Which rows of a table are wanted, and in which order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TableQuery {
    /// The table's key.
    pub table: String,
    /// The key of the column to sort by; empty for the table's own order.
    pub sort: String,
    /// Whether the largest come first.
    pub down: bool,
    /// A text that the rows must contain, ignoring case; empty for all rows.
    pub filter: String,
    /// A range that a value of the rows must be in; `None` for all rows.
    pub within: Option<Within>,
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
    /// The time of each row, for rows about a moment.
    pub times: Vec<Option<Nanos>>,
    /// The track that each row is drawn on at its time; empty if the rows are not drawn.
    pub tracks: Vec<Option<TrackId>>,
    /// How many rows the query finds.
    pub found: usize,
    /// How many rows are kept.
    pub kept: usize,
    /// How many rows there were in the log.
    pub of: u64,
}

/// The rows of a table whose value in a column is in some bin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Within {
    /// The column's key.
    pub column: String,
    /// The smallest value in the bin.
    pub from: u64,
    /// The smallest value that is too large for the bin.
    pub to: u64,
}
