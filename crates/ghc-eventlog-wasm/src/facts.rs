//! Facts and tables as JS sees them. `web/js/protocol.js` has the same as JSDoc types.

use crate::{
    convert::{Clock, track_number},
    describe::{ValueInfo, plain},
};
use ghc_eventlog_model as model;
use serde::Serialize;

/// What there is to say of a log, or of a range of it.
#[derive(Serialize)]
pub(crate) struct FactsInfo {
    sections: Vec<SectionInfo>,
}

#[derive(Serialize)]
struct SectionInfo {
    key: &'static str,
    name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<f64>,
    figures: Vec<FigureInfo>,
    histograms: Vec<HistogramInfo>,
    tables: Vec<TableInfo>,
    requests: Vec<RequestInfo>,
    stacked: bool,
    #[serde(rename = "rowsOf", skip_serializing_if = "Option::is_none")]
    rows_of: Option<&'static str>,
    exports: &'static [(&'static str, &'static str)],
    #[serde(skip_serializing_if = "Option::is_none")]
    listing: Option<ListingInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    flame: Option<(&'static str, &'static str)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    flag: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remark: Option<&'static str>,
}

#[derive(Serialize)]
struct FigureInfo {
    key: &'static str,
    name: &'static str,
    unit: &'static str,
    value: ValueInfo,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<f64>,
}

/// A table that is only shown to those who ask for it.
#[derive(Serialize)]
struct RequestInfo {
    label: String,
    table: TableInfo,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HistogramInfo {
    key: &'static str,
    name: String,
    unit: &'static str,
    series: Vec<SeriesInfo>,
    bins: Vec<BinInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<RowsInfo>,
    of_whole_log: bool,
}

/// What is counted apart.
#[derive(Serialize)]
struct SeriesInfo {
    name: &'static str,
    role: &'static str,
}

#[derive(Serialize)]
struct BinInfo {
    from: f64,
    to: f64,
    counts: Vec<f64>,
}

/// Where the values stand one by one.
#[derive(Serialize)]
struct RowsInfo {
    table: &'static str,
    column: &'static str,
}

#[derive(Serialize)]
struct TableInfo {
    key: &'static str,
    name: &'static str,
    columns: Vec<ColumnInfo>,
    rows: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    picks: Option<&'static str>,
    kept: &'static str,
}

/// A table whose rows are read from the log again.
#[derive(Serialize)]
struct ListingInfo {
    table: TableInfo,
    choices: Vec<ChoiceInfo>,
}

#[derive(Serialize)]
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

#[derive(Serialize)]
struct ColumnInfo {
    key: &'static str,
    name: &'static str,
    unit: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
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

/// Some rows of a table.
#[derive(Serialize)]
pub(crate) struct PageInfo {
    table: String,
    from: f64,
    rows: Vec<Vec<ValueInfo>>,
    times: Vec<Option<f64>>,
    tracks: Vec<Option<f64>>,
    found: f64,
    kept: f64,
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
