//! The list of events for JavaScript: its rows, how many there are, which row is at a moment, and all of one event.

use crate::{
    Log,
    convert::{Clock, track_number},
    found::{ValueInfo, plain},
    jobs::Running,
    object, with_nulls,
};
use ghc_eventlog_model::{EventRows, EventsWish, ReadEvent, TablePage, Unit};
use js_sys::Uint8Array;
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;
use wasm_bindgen::prelude::*;

/// Some rows of the list of events.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "EventsPage"))]
pub(crate) struct EventsPage {
    from: f64,
    /// The values of each row, in the order of the columns.
    rows: Vec<Vec<ValueInfo>>,
    /// The time of each row.
    times: Vec<Option<f64>>,
    /// The track of the capability that logged each row, if it has one.
    tracks: Vec<Option<f64>>,
    /// How many rows are known, as far as the log has been searched.
    found: f64,
    /// How many rows there would be without a filter.
    kept: f64,
    /// How many events the log has.
    of: f64,
    /// Whether no more rows will be found.
    complete: bool,
    columns: Vec<EventColumn>,
}

/// A column of the list of events: one of its own, or a field of the only type.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
struct EventColumn {
    key: String,
    name: &'static str,
    #[cfg_attr(test, ts(type = "Unit"))]
    unit: &'static str,
    /// Never: no event is a part of another.
    part: bool,
}

/// How far the events that fit a query have been counted.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "EventsCounted"))]
pub(crate) struct EventsCounted {
    found: f64,
    done: bool,
}

/// All of one event. Its bytes come besides.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "ReadEvent", optional_fields))]
pub(crate) struct ReadEventInfo {
    /// Its place among all events, in the order of the file, from 1 on.
    number: f64,
    time: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    cap: Option<u16>,
    /// The thread that ran there.
    #[serde(skip_serializing_if = "Option::is_none")]
    ran: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    /// The name of its type, and its number.
    #[serde(rename = "type")]
    type_name: String,
    tag: u16,
    /// What such an event means; perhaps empty.
    about: &'static str,
    /// What it says, however long that is.
    text: String,
    fields: Vec<EventFieldInfo>,
    /// Where it begins in the file, in bytes.
    offset: f64,
    /// The event as `ghc-eventlog find --json` prints it.
    json: String,
}

/// A field of an event.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "EventField"))]
struct EventFieldInfo {
    name: &'static str,
    #[cfg_attr(test, ts(type = "Unit | \"unknown\""))]
    kind: &'static str,
    value: ValueInfo,
}

#[wasm_bindgen]
impl Log {
    /// Begins to read rows of the list of events. Returns the number of a [job](Log::job), whose answer is
    /// [`Log::event_rows_read`], or for `lines` [`Log::event_lines_read`]. `types` is a list of numbers of types, separated by
    /// commas; empty for all. With `range`, only those in the range taken last. `undefined` if there is no such range, and if
    /// `query` cannot be read: see [`Log::query_fault`].
    #[allow(clippy::too_many_arguments, reason = "scalars are what crosses for nothing")]
    pub fn event_rows(
        &mut self,
        by_time: bool,
        types: &str,
        query: &str,
        range: bool,
        from: usize,
        count: usize,
        lines: bool,
    ) -> Option<u32> {
        let wish = self.events_wish(by_time, types, query, range)?;
        let rows = match lines {
            true => self.model.event_lines(&wish, from, count),
            false => self.model.event_rows(&wish, from, count),
        };
        Some(self.jobs.begin(Running::Rows(Box::new(rows.ok()?))))
    }

    /// The rows that a job has read: an `EventsPage`. This ends the job. `undefined` if the job is not done.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn event_rows_read(&mut self, job: u32) -> Result<JsValue, JsValue> {
        let Some(Running::Rows(rows)) = self.jobs.end(job) else { return Ok(JsValue::UNDEFINED) };
        match rows.page() {
            Some(page) => with_nulls(&EventsPage::of(page, &rows, self.clock)),
            None => Ok(JsValue::UNDEFINED),
        }
    }

    /// The lines that a job has read, each with its end. This ends the job. `undefined` if the job is not done.
    #[must_use]
    pub fn event_lines_read(&mut self, job: u32) -> Option<String> {
        let Some(Running::Rows(rows)) = self.jobs.end(job) else { return None };
        rows.lines().map(|lines| lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect())
    }

    /// Begins to count the events that fit a query. Returns the number of a [job](Log::job); [`Log::events_counted`] says at
    /// any time how far it is. What has been counted stays known when the job is [dropped](Log::drop_job). `undefined` as
    /// [`Log::event_rows`], and as long as the log is being read.
    pub fn count_events(&mut self, by_time: bool, types: &str, query: &str, range: bool) -> Option<u32> {
        let wish = self.events_wish(by_time, types, query, range)?;
        let count = self.model.count_events(&wish).ok()??;
        Some(self.jobs.begin(Running::CountEvents(Box::new(count))))
    }

    /// How far a job has counted: an `EventsCounted`; `undefined` if it was dropped.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn events_counted(&mut self, job: u32) -> Result<JsValue, JsValue> {
        let Some(Running::CountEvents(count)) = self.jobs.get_mut(job) else { return Ok(JsValue::UNDEFINED) };
        object(&EventsCounted { found: count.found() as f64, done: count.is_done() })
    }

    /// Begins to find the row of the first event at a time or later. Returns the number of a [job](Log::job), whose answer is
    /// [`Log::event_place_found`]. `undefined` as [`Log::count_events`].
    pub fn event_place(&mut self, by_time: bool, types: &str, query: &str, range: bool, time: f64) -> Option<u32> {
        let wish = self.events_wish(by_time, types, query, range)?;
        let place = self.model.event_place(&wish, self.clock.nanos(time)).ok()??;
        Some(self.jobs.begin(Running::EventPlace(Box::new(place))))
    }

    /// The row that a job has found. This ends the job. `undefined` if the job is not done.
    #[must_use]
    pub fn event_place_found(&mut self, job: u32) -> Option<f64> {
        let Some(Running::EventPlace(place)) = self.jobs.end(job) else { return None };
        place.row().map(|row| row as f64)
    }

    /// Begins to read the event at an offset of the file. Returns the number of a [job](Log::job); when it is done, call
    /// [`Log::event_bytes`] and [`Log::event_read`].
    pub fn event_details(&mut self, offset: f64) -> u32 {
        let details = self.model.event_details(offset as u64);
        self.jobs.begin(Running::EventDetails(Box::new(details)))
    }

    /// The bytes of the event that a job has read. `undefined` if there is none.
    #[must_use]
    pub fn event_bytes(&mut self, job: u32) -> Option<Uint8Array> {
        let Some(Running::EventDetails(details)) = self.jobs.get_mut(job) else { return None };
        details.event().map(|event| Uint8Array::from(event.bytes.as_slice()))
    }

    /// The event that a job has read: a `ReadEvent`. This ends the job. `undefined` if there is none.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn event_read(&mut self, job: u32) -> Result<JsValue, JsValue> {
        let Some(Running::EventDetails(details)) = self.jobs.end(job) else { return Ok(JsValue::UNDEFINED) };
        match details.event() {
            Some(event) => with_nulls(&ReadEventInfo::of(event, self.clock)),
            None => Ok(JsValue::UNDEFINED),
        }
    }

    fn events_wish(&self, by_time: bool, types: &str, query: &str, range: bool) -> Option<EventsWish> {
        let within = if range { Some(self.range.as_ref()?.times()) } else { None };
        let numbers = types.split(',').filter_map(|number| number.parse().ok()).collect();
        let types = (!types.is_empty()).then_some(numbers);
        Some(EventsWish { by_time, types, query: query.into(), within })
    }
}

impl EventsPage {
    fn of(page: &TablePage, rows: &EventRows, clock: Clock) -> Self {
        let fields = rows.field_columns();
        let columns = rows.columns().into_iter().enumerate().map(|(at, column)| EventColumn {
            // A field may be called as one of the list's own columns.
            key: if fields.contains(&at) { format!("field.{}", column.key) } else { column.key.into() },
            name: column.name,
            unit: column.unit.name(),
            part: column.part,
        });
        Self {
            from: page.from as f64,
            rows: page.rows.iter().map(|row| row.iter().map(|value| plain(value, clock)).collect()).collect(),
            times: page.times.iter().map(|time| time.map(|time| clock.float(time))).collect(),
            tracks: page.tracks.iter().map(|track| track.map(track_number)).collect(),
            found: page.found as f64,
            kept: page.kept as f64,
            of: page.of as f64,
            complete: rows.is_complete(),
            columns: columns.collect(),
        }
    }
}

impl ReadEventInfo {
    fn of(event: &ReadEvent, clock: Clock) -> Self {
        let field = |(name, value): &(&'static str, ghc_eventlog_model::Value)| EventFieldInfo {
            name,
            kind: value.unit().map_or("unknown", Unit::name),
            value: plain(value, clock),
        };
        Self {
            number: event.number as f64,
            time: clock.float(event.time),
            cap: event.cap.map(|cap| cap.0),
            ran: event.ran.map(|thread| thread.0),
            label: event.label.as_ref().map(ghc_eventlog_model::LogText::for_page),
            type_name: event.name.for_page(),
            tag: event.tag,
            about: event.about,
            text: event.text.for_page(),
            fields: event.fields.iter().map(field).collect(),
            offset: event.offset as f64,
            json: event.line.clone(),
        }
    }
}
