//! Facts and tables for JavaScript. `web/js/wire.d.ts` is generated from this file (`wire.rs`).

use crate::{
    Arrangement, Log,
    convert::{Clock, track_number},
    found::{ValueInfo, plain},
    with_nulls,
};
use ghc_eventlog_model::{self as model, About, Facts, Model, TablePage, TableQuery, Unit, Within};
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;
use wasm_bindgen::prelude::*;

/// How many tables' orders are kept.
const ORDERS: usize = 2;

/// The figures and tables of a log, or of a range of it, in the order in which they are shown. Keys never change.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Facts"))]
pub(crate) struct FactsInfo {
    sections: Vec<SectionInfo>,
}

/// The facts about one subject.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Section", optional_fields))]
struct SectionInfo {
    /// The same key as in `summary --json`.
    key: &'static str,
    name: &'static str,
    /// How many things it is about, in its time.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<f64>,
    /// What these things are called: collections, threads.
    things: &'static str,
    figures: Vec<FigureInfo>,
    histograms: Vec<HistogramInfo>,
    tables: Vec<TableInfo>,
    /// Tables that are only shown on request.
    requests: Vec<RequestInfo>,
    /// Whether its tables are one below the other, because they are too wide to be beside its figures.
    stacked: bool,
    /// If the reader can choose the rows of the group of tracks that it is about: the group's key.
    #[serde(rename = "rowsOf", skip_serializing_if = "Option::is_none")]
    rows_of: Option<&'static str>,
    /// The formats of other tools that it can be exported to, each with its name.
    exports: &'static [(&'static str, &'static str)],
    #[serde(skip_serializing_if = "Option::is_none")]
    listing: Option<ListingInfo>,
    /// If it has a flame graph: the key of the table with the same numbers, and their unit. Samples have an order of
    /// time, bytes have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "[string, Unit]"))]
    flame: Option<(&'static str, &'static str)>,
    /// The flag of the runtime that would add these facts, if the log was written without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    flag: Option<&'static str>,
    /// Why there is nothing, if nothing happened. With a flag, it is not known which of the two is the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    none: Option<&'static str>,
    /// What whoever reads the figures should know of them, in sentences.
    #[serde(skip_serializing_if = "Option::is_none")]
    remark: Option<String>,
}

/// A number or a text, with a name.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Figure", optional_fields))]
struct FigureInfo {
    key: &'static str,
    name: &'static str,
    #[cfg_attr(test, ts(type = "Unit"))]
    unit: &'static str,
    value: ValueInfo,
    /// The time that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<f64>,
}

/// A table that is only shown on request, and the label of the button.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "TableOnRequest"))]
struct RequestInfo {
    label: String,
    table: TableInfo,
}

/// How often values occurred, in adjacent bins.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Histogram", optional_fields))]
#[serde(rename_all = "camelCase")]
struct HistogramInfo {
    key: &'static str,
    name: String,
    /// The unit of the values.
    #[cfg_attr(test, ts(type = "Unit"))]
    unit: &'static str,
    series: Vec<SeriesInfo>,
    bins: Vec<BinInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<RowsInfo>,
    /// Whether it is about the whole log although a range is selected.
    of_whole_log: bool,
}

/// One of the things that a histogram counts separately, with the palette role of its colour.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Series"))]
struct SeriesInfo {
    name: &'static str,
    role: &'static str,
}

/// How many values of each series are at least `from` and less than `to`.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Bin"))]
struct BinInfo {
    from: f64,
    to: f64,
    counts: Vec<f64>,
}

/// The table and the column that have a histogram's single values, by key.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "ColumnOfTable"))]
struct RowsInfo {
    table: &'static str,
    column: &'static str,
}

/// A table. Its rows are asked for page by page.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(optional_fields))]
struct TableInfo {
    key: &'static str,
    name: &'static str,
    columns: Vec<ColumnInfo>,
    /// How many rows are kept.
    rows: f64,
    /// If rows can be picked: the tooltip that says what picking one does. The first value of a row identifies it.
    #[serde(skip_serializing_if = "Option::is_none")]
    picks: Option<&'static str>,
    /// Which rows are kept, if not all.
    kept: &'static str,
    /// The key of the column whose largest values matter most, and come first.
    #[serde(skip_serializing_if = "Option::is_none")]
    heaviest: Option<&'static str>,
}

/// A table whose rows are read from the log again. They have a fixed order. A filter is a list of keys of choices,
/// separated by commas.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Listing"))]
struct ListingInfo {
    table: TableInfo,
    choices: Vec<ChoiceInfo>,
}

/// A choice of rows of a listing.
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
    /// The palette role of its colour.
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    /// Whether its values are parts of the row's value in the column `known_ns`.
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
            things: section.things,
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
            none: section.none,
            remark: section.remark_text(),
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
            heaviest: table.heaviest,
        }
    }
}

/// Some consecutive rows of a table.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "TablePage"))]
pub(crate) struct PageInfo {
    /// The table's key.
    table: String,
    from: f64,
    /// The values of each row, in the order of the columns.
    rows: Vec<Vec<ValueInfo>>,
    /// The time of each row, if it is about a moment.
    times: Vec<Option<f64>>,
    /// The track on which each row is drawn at that time, if it is on one; empty if no row is.
    tracks: Vec<Option<f64>>,
    /// How many rows match the filter.
    found: f64,
    /// How many rows are kept.
    kept: f64,
    /// How many rows the log has.
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

#[wasm_bindgen]
impl Log {
    /// All figures, and the descriptions of all tables: a `Facts`. For the whole log, or for the range
    /// [taken](Log::take_range) last; empty if there is no such range.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn facts(&self, arrangement: &mut Arrangement, range: bool) -> Result<JsValue, JsValue> {
        let arrangement = Some(arrangement.of(self));
        let facts = match (&self.range, range) {
            (None, true) => Facts::default(),
            (of, _) => self.model.facts(About { range: of.as_ref().filter(|_| range), arrangement }),
        };
        with_nulls(&FactsInfo::of(&facts, self.clock))
    }

    /// The [facts](Log::facts) as Markdown, with at most `top` rows of each table; null if there is no such range.
    #[must_use]
    #[wasm_bindgen(unchecked_return_type = "string | null")]
    pub fn markdown(&self, range: bool, top: usize) -> JsValue {
        match (&self.range, range) {
            (_, false) => self.model.markdown(None, top).into(),
            (Some(range), true) => self.model.markdown(Some(range), top).into(),
            (None, true) => JsValue::NULL,
        }
    }

    /// Some rows of a table, for the whole log or for the range taken last: a `TablePage`. `sort` is a column's key, or
    /// empty for the table's own order; `down` puts the largest first. `filter` is a text that the rows contain. Unless
    /// `column` is empty, the rows' values in it are at least `least` and less than `below`.
    ///
    /// # Errors
    /// See [`Log::status`].
    #[allow(clippy::too_many_arguments, reason = "scalars are what crosses for nothing")]
    pub fn table(
        &mut self,
        arrangement: &mut Arrangement,
        table: &str,
        range: bool,
        sort: &str,
        down: bool,
        filter: &str,
        column: &str,
        least: f64,
        below: f64,
        from: usize,
        count: usize,
    ) -> Result<JsValue, JsValue> {
        let is_time = Model::unit_of(table, column) == Some(Unit::Time);
        let bound = |value: f64| if is_time { self.clock.nanos(value).0 } else { value as u64 };
        let within = Within { column: column.into(), from: bound(least), to: bound(below) };
        let within = Some(within).filter(|within| !within.column.is_empty());
        let query = TableQuery { table: table.into(), sort: sort.into(), down, filter: filter.into(), within };
        if range && self.range.is_none() {
            return with_nulls(&PageInfo::of(
                TablePage { table: query.table, from, ..TablePage::default() },
                self.clock,
            ));
        }
        let arrangement = Some(arrangement.of(self));
        let Self { model, range: taken, ordered, clock, .. } = self;
        let about = About { range: taken.as_ref().filter(|_| range), arrangement };
        let of = (model.revision(), range.then_some(self.ranges));
        // The panel and the timeline ask for different tables by turns.
        ordered.retain(|(was, _)| *was == of);
        let place = ordered.iter().position(|(_, order)| *order.query() == query);
        let newest = place.map_or_else(|| (of, model.order(query, about)), |place| ordered.remove(place));
        let page = PageInfo::of(model.page(&newest.1, about, from, count), *clock);
        ordered.push(newest);
        ordered.drain(..ordered.len().saturating_sub(ORDERS));
        with_nulls(&page)
    }
}
