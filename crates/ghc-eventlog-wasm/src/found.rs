//! Answers to look-ups on tracks, for JavaScript: spans with everything that is known about them. Also the values of
//! tables.

use crate::{
    convert::{Clock, track_id},
    describe::Arranged,
};
use ghc_eventlog::Nanos;
use ghc_eventlog_model as model;
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

/// The answer to a look-up on a track.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Found"))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum PlaceInfo {
    Unknown {
        /// The flag of the runtime that would add it, if the log was written without it.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        lacks: Option<&'static str>,
    },
    Unread,
    Empty,
    Level {
        running: f64,
        of: f64,
        what: &'static str,
    },
    Span {
        span: SpanInfo,
        /// For a look-up of a wake-up: the time at which one thread woke the other.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        moment: Option<f64>,
    },
    Many {
        count: f64,
        /// Whether there are more than `count` spans.
        more: bool,
        /// What these spans are called.
        what: &'static str,
        /// The longest of them.
        span: SpanInfo,
    },
}

impl PlaceInfo {
    /// The answer for the track with this number.
    pub(crate) fn of(log: Arranged<'_>, number: f64, place: &model::Place, moment: Option<Nanos>) -> Self {
        let (clock, span) = (log.clock, |info| SpanInfo::of(log, number, info));
        match place {
            model::Place::Unknown(lacks) => Self::Unknown { lacks: *lacks },
            model::Place::Unread => Self::Unread,
            model::Place::Empty => Self::Empty,
            model::Place::Level { running, of, what } => Self::Level { running: *running, of: *of as f64, what },
            model::Place::Span(info) => Self::Span { span: span(info), moment: moment.map(|time| clock.float(time)) },
            model::Place::Many { count, more, what, longest } => {
                Self::Many { count: *count as f64, more: *more, what, span: span(longest) }
            }
        }
    }
}

/// A span with everything that is known about it.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Span", optional_fields))]
pub(crate) struct SpanInfo {
    track: f64,
    /// The track's name.
    on: String,
    /// The track's group, by its key.
    group: &'static str,
    /// The index of the track in the group.
    at: usize,
    /// Whether the reader has hidden that track.
    hidden: bool,
    /// The row of the span's thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    thread: Option<SlotInfo>,
    /// The lane of the capability that ran the thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    lane: Option<SlotInfo>,
    start: f64,
    end: f64,
    state: &'static str,
    role: &'static str,
    title: String,
    fields: Vec<FieldInfo>,
}

/// A track, and its index in its group.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "TrackSlot"))]
pub(crate) struct SlotInfo {
    track: f64,
    group: &'static str,
    at: usize,
    hidden: bool,
}

impl SlotInfo {
    pub(crate) fn of(log: Arranged<'_>, track: model::TrackId) -> Self {
        let place = log.model.place(log.by, track);
        let (group, at) = place.unwrap_or_default();
        Self { track: track.number() as f64, group, at, hidden: place.is_none() }
    }
}

/// A name and a value.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Field"))]
struct FieldInfo {
    name: &'static str,
    /// How to write the value. `unknown`: it is not in the log.
    #[cfg_attr(test, ts(type = "Unit | \"unknown\""))]
    kind: &'static str,
    value: ValueInfo,
}

/// A value. Times and durations are in nanoseconds, shares are parts of 1, offsets in the log are in bytes. Levels are
/// several numbers of bytes: the most in each of some equal pieces of the time. Two numbers of another unit: it is between them. Null if
/// it is not in the log.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Value"))]
#[serde(untagged)]
pub(crate) enum ValueInfo {
    Text(String),
    Number(f64),
    Numbers(Vec<f64>),
    Unknown(#[cfg_attr(test, ts(type = "null | undefined"))] ()),
}

impl SpanInfo {
    fn of(log: Arranged<'_>, number: f64, info: &model::SpanInfo) -> Self {
        let Arranged { model, by, clock } = log;
        let track = track_id(number);
        let place = model.place(by, track);
        let (group, at) = place.unwrap_or_default();
        let (thread, lane) = model.of_span(by, track, info);
        let slot = |track| SlotInfo::of(log, track);
        Self {
            track: number,
            on: model.track(by, track).map_or(String::new(), |track| track.name.for_page()),
            group,
            at,
            hidden: place.is_none(),
            thread: thread.map(slot),
            lane: lane.map(slot),
            start: clock.float(info.span.start),
            end: clock.float(info.span.end),
            state: info.state,
            role: info.role,
            title: info.title.for_page(),
            fields: info.fields.iter().map(|(name, value)| field(name, value, clock)).collect(),
        }
    }
}

fn field(name: &'static str, value: &model::Value, clock: Clock) -> FieldInfo {
    let kind = value.unit().map_or("unknown", model::Unit::name);
    FieldInfo { name, kind, value: plain(value, clock) }
}

/// A value for JavaScript: a number, a text, or several numbers; nothing if it is not in the log.
pub(crate) fn plain(value: &model::Value, clock: Clock) -> ValueInfo {
    match value {
        model::Value::Unknown => ValueInfo::Unknown(()),
        model::Value::Text(text) => ValueInfo::Text(text.for_page()),
        model::Value::Time(time) => ValueInfo::Number(clock.float(*time)),
        model::Value::Duration(duration) => ValueInfo::Number(duration.0 as f64),
        model::Value::Bytes(number) | model::Value::Count(number) | model::Value::Offset(number) => {
            ValueInfo::Number(*number as f64)
        }
        model::Value::BytesPerSecond(number) | model::Value::PerSecond(number) => ValueInfo::Number(*number as f64),
        model::Value::Share(share) => ValueInfo::Number(*share),
        model::Value::Thread(thread) => ValueInfo::Number(f64::from(thread.0)),
        model::Value::Capability(cap) => ValueInfo::Number(f64::from(cap.0)),
        model::Value::ByteTime(area) => ValueInfo::Number(*area as f64),
        model::Value::Growth(number) | model::Value::Change(number) | model::Value::Integer(number) => {
            ValueInfo::Number(*number as f64)
        }
        model::Value::Between(least, most) => ValueInfo::Numbers(vec![*least as f64, *most as f64]),
        model::Value::Levels(levels) => ValueInfo::Numbers(levels.iter().map(|level| *level as f64).collect()),
        model::Value::Stack(_) => ValueInfo::Text(value.log_text().unwrap_or_default().for_page()),
    }
}
