//! Facts and tables as JS sees them: `web/js/wire.d.ts` is made of this file (`wire.rs`).

use crate::{
    convert::{Clock, track_number},
    found::{ValueInfo, plain},
};
use ghc_eventlog_model as model;
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

/// What is said of a log, or of a range of it, in figures and tables, in the order in which it is shown. Keys never change.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Facts"))]
pub(crate) struct FactsInfo {
    sections: Vec<SectionInfo>,
}

/// What is said of one subject.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Section", optional_fields))]
struct SectionInfo {
    /// As `summary --json` has it.
    key: &'static str,
    name: &'static str,
    /// The number of what is counted there: collections, threads.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<f64>,
    figures: Vec<FigureInfo>,
    histograms: Vec<HistogramInfo>,
    tables: Vec<TableInfo>,
    /// Tables that are only shown to those who ask for them.
    requests: Vec<RequestInfo>,
    /// Whether its tables stand one below the other: they are too wide to stand beside its figures.
    stacked: bool,
    /// The key of the group of tracks whose rows it is about, if the reader can choose those.
    #[serde(rename = "rowsOf", skip_serializing_if = "Option::is_none")]
    rows_of: Option<&'static str>,
    /// What it can be written as for other tools: formats, and what they are called.
    exports: &'static [(&'static str, &'static str)],
    #[serde(skip_serializing_if = "Option::is_none")]
    listing: Option<ListingInfo>,
    /// It has a flame graph: the key of the table that has the same numbers, and what they are: counted samples, which have an order of
    /// time, or bytes, which have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "[string, Unit]"))]
    flame: Option<(&'static str, &'static str)>,
    /// The flag of the runtime without which the log cannot tell what it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    flag: Option<&'static str>,
    /// What a reader of the figures should know.
    #[serde(skip_serializing_if = "Option::is_none")]
    remark: Option<&'static str>,
}

/// A number, or a text, with a name.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Figure", optional_fields))]
struct FigureInfo {
    key: &'static str,
    name: &'static str,
    #[cfg_attr(test, ts(type = "Unit"))]
    unit: &'static str,
    value: ValueInfo,
    /// The moment that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<f64>,
}

/// A table that is only shown to those who ask for it, and the words to ask by.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "TableOnRequest"))]
struct RequestInfo {
    label: String,
    table: TableInfo,
}

/// How often which values were, in bins without a gap between them.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Histogram", optional_fields))]
#[serde(rename_all = "camelCase")]
struct HistogramInfo {
    key: &'static str,
    name: String,
    /// Of the values.
    #[cfg_attr(test, ts(type = "Unit"))]
    unit: &'static str,
    series: Vec<SeriesInfo>,
    bins: Vec<BinInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<RowsInfo>,
    /// Whether it is of the whole log, though a range is selected.
    of_whole_log: bool,
}

/// What a histogram counts apart, with its colour in the palette.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Series"))]
struct SeriesInfo {
    name: &'static str,
    role: &'static str,
}

/// Values from one to below another, and how many there are of each series.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Bin"))]
struct BinInfo {
    from: f64,
    to: f64,
    counts: Vec<f64>,
}

/// Where a histogram's values stand one by one, by key.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "ColumnOfTable"))]
struct RowsInfo {
    table: &'static str,
    column: &'static str,
}

/// A table: its rows come page by page.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(optional_fields))]
struct TableInfo {
    key: &'static str,
    name: &'static str,
    columns: Vec<ColumnInfo>,
    /// How many are kept.
    rows: f64,
    /// What is told of a row that is picked, in words, if rows can be: its first value tells which one it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    picks: Option<&'static str>,
    /// Which rows are kept, where not all are.
    kept: &'static str,
}

/// A table whose rows are read from the log again: they come in one order, and are filtered by the keys of some choices, with commas
/// between them.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Listing"))]
struct ListingInfo {
    table: TableInfo,
    choices: Vec<ChoiceInfo>,
}

/// Rows of a listing that can be chosen.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "RowChoice"))]
struct ChoiceInfo {
    key: String,
    name: String,
    count: f64,
}

impl ListingInfo {
    fn of(listing: &model::Listing) -> Self {
        let choice = |choice: &model::Choice| ChoiceInfo {
            key: choice.key.to_string(),
            name: choice.name.for_page(),
            count: choice.count as f64,
        };
        Self { table: TableInfo::of(&listing.table), choices: listing.choices.iter().map(choice).collect() }
    }
}

/// A column of a table.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Column", optional_fields))]
struct ColumnInfo {
    key: &'static str,
    name: &'static str,
    #[cfg_attr(test, ts(type = "Unit"))]
    unit: &'static str,
    /// Its colour in the palette.
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    /// Whether its values are parts of what the row has in the column `known_ns`.
    part: bool,
}

impl FactsInfo {
    pub(crate) fn of(facts: &model::Facts, clock: Clock) -> Self {
        Self { sections: facts.sections.iter().map(|section| SectionInfo::of(section, clock)).collect() }
    }
}

impl SectionInfo {
    fn of(section: &model::Section, clock: Clock) -> Self {
        Self {
            key: section.key,
            name: section.name,
            count: section.count.map(|count| count as f64),
            figures: section.figures.iter().map(|figure| FigureInfo::of(figure, clock)).collect(),
            histograms: section.histograms.iter().map(HistogramInfo::of).collect(),
            tables: section.tables.iter().map(TableInfo::of).collect(),
            listing: section.listing.as_ref().map(ListingInfo::of),
            requests: section.on_request.iter().map(RequestInfo::of).collect(),
            stacked: section.stacked,
            rows_of: section.rows_of,
            exports: section.exports,
            flame: section.flame.map(|flame| (flame.table, flame.unit.name())),
            flag: section.flag,
            remark: section.remark,
        }
    }
}

impl FigureInfo {
    fn of(figure: &model::Figure, clock: Clock) -> Self {
        Self {
            key: figure.key,
            name: figure.name,
            unit: figure.unit.name(),
            value: plain(&figure.value, clock),
            time: figure.time.map(|time| clock.float(time)),
        }
    }
}

impl RequestInfo {
    fn of((label, table): &(String, model::TableInfo)) -> Self {
        Self { label: label.clone(), table: TableInfo::of(table) }
    }
}

impl HistogramInfo {
    fn of(histogram: &model::Histogram) -> Self {
        let bin = |bin: &model::Bin| BinInfo {
            from: bin.from as f64,
            to: bin.to as f64,
            counts: bin.counts.iter().map(|count| *count as f64).collect(),
        };
        let series = |state: &model::State| SeriesInfo { name: state.name, role: state.role };
        Self {
            key: histogram.key,
            name: histogram.name.for_page(),
            unit: histogram.unit.name(),
            series: histogram.series.iter().map(series).collect(),
            bins: histogram.bins.iter().map(bin).collect(),
            rows: histogram.rows.map(|(table, column)| RowsInfo { table, column }),
            of_whole_log: histogram.of_whole_log,
        }
    }
}

impl TableInfo {
    fn of(table: &model::TableInfo) -> Self {
        let column = |column: &model::Column| {
            let model::Column { key, name, unit, role, part } = *column;
            ColumnInfo { key, name, unit: unit.name(), role, part }
        };
        Self {
            key: table.key,
            name: table.name,
            columns: table.columns.iter().map(column).collect(),
            rows: table.rows as f64,
            picks: table.picks,
            kept: table.kept,
        }
    }
}

/// Some rows of a table, from one on.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "TablePage"))]
pub(crate) struct PageInfo {
    /// Its key.
    table: String,
    from: f64,
    /// Their values, by column.
    rows: Vec<Vec<ValueInfo>>,
    /// When each row was, if it is about a moment.
    times: Vec<Option<f64>>,
    /// The track that each row is drawn on at that time, if it is on one; empty if none is.
    tracks: Vec<Option<f64>>,
    /// How many rows pass the filter.
    found: f64,
    /// How many are kept.
    kept: f64,
    /// How many there were in the log.
    of: f64,
}

impl PageInfo {
    pub(crate) fn of(page: model::TablePage, clock: Clock) -> Self {
        let row = |row: &Vec<model::Value>| row.iter().map(|value| plain(value, clock)).collect();
        Self {
            table: page.table,
            from: page.from as f64,
            rows: page.rows.iter().map(row).collect(),
            times: page.times.iter().map(|time| time.map(|time| clock.float(time))).collect(),
            tracks: page.tracks.iter().map(|track| track.map(track_number)).collect(),
            found: page.found as f64,
            kept: page.kept as f64,
            of: page.of as f64,
        }
    }
}
