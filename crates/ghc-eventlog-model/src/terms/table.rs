//! What a table is, and what is asked of it.

use crate::terms::{
    track::TrackId,
    value::{Unit, Value},
};
use alloc::{string::String, vec::Vec};
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
    /// What the reader sees of a row that is picked, in words, if rows can be: its first value tells which one it is.
    pub picks: Option<&'static str>,
    /// Which rows are kept where not all are, in words.
    pub kept: &'static str,
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
    /// The track that each row is drawn on at its time; empty if rows are on none.
    pub tracks: Vec<Option<TrackId>>,
    /// How many rows the query finds.
    pub found: usize,
    /// How many rows are kept.
    pub kept: usize,
    /// How many there were.
    pub of: u64,
}

/// The rows of a table whose value in a column is of some bin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Within {
    /// The column's key.
    pub column: String,
    /// The smallest value that belongs to it.
    pub from: u64,
    /// The smallest value that is too large for it.
    pub to: u64,
}
