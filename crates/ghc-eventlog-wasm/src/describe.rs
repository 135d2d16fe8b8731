//! The small plain objects for JavaScript. `web/js/wire.d.ts` is generated from them (`wire.rs`).

use crate::{
    convert::{Clock, track_number},
    jobs::Wants,
};
use ghc_eventlog::Nanos;
use ghc_eventlog_model as model;
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

/// How far a log is read.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Status {
    /// In bytes.
    offset: f64,
    events: f64,
    /// First and last time of what is read; absent before the first event.
    #[serde(skip_serializing_if = "Option::is_none")]
    extent: Option<(f64, f64)>,
    /// The log's last time, if a preview has shown that it is later than the extent.
    #[serde(skip_serializing_if = "Option::is_none")]
    ahead: Option<f64>,
    /// Why the log cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl Status {
    pub(crate) fn of(model: &model::Model, clock: Clock) -> Self {
        Self {
            offset: model.offset() as f64,
            events: model.events() as f64,
            extent: model.extent().map(|(from, to)| (clock.float(from), clock.float(to))),
            ahead: model.ahead().map(|time| clock.float(time)),
            error: model.error().map(|error| error.to_string()),
        }
    }
}

/// A part of the file for the preview, in bytes.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Look"))]
pub(crate) struct LookInfo {
    offset: f64,
    length: f64,
    longer: f64,
}

impl From<model::Look> for LookInfo {
    fn from(model::Look { offset, length, longer }: model::Look) -> Self {
        Self { offset: offset as f64, length: length as f64, longer: longer as f64 }
    }
}

/// The groups of tracks, and the track that represents the whole log.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Tree", optional_fields))]
pub(crate) struct TreeInfo {
    groups: Vec<GroupInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    whole: Option<TrackInfo>,
}

/// A log, as its reader has arranged it, and the page's clock.
#[derive(Clone, Copy)]
pub(crate) struct Arranged<'a> {
    pub(crate) model: &'a model::Model,
    pub(crate) by: &'a model::Arrangement,
    pub(crate) clock: Clock,
}

impl TreeInfo {
    pub(crate) fn of(log: Arranged<'_>) -> Self {
        let track = |track: &model::Track| TrackInfo::of(log, track);
        Self {
            groups: log.model.groups(log.by).iter().map(|group| GroupInfo::of(group, track)).collect(),
            whole: log.model.track(log.by, model::TrackId::ACTIVITY).as_ref().map(track),
        }
    }
}

/// A group of tracks, under a heading.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Group", optional_fields))]
struct GroupInfo {
    key: &'static str,
    name: &'static str,
    /// How many tracks it has.
    tracks: usize,
    /// The numbers of tracks by shape, in order.
    parts: Vec<PartInfo>,
    /// Whether the heading is shown. It is not if it would only repeat the name of the one track.
    headed: bool,
    /// Whether its tracks are shown at first.
    open: bool,
    /// If the reader can choose the rows: how many things have tracks, and how many there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    shown: Option<(usize, usize)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<NoteInfo>,
    /// The track that is drawn when the group is folded.
    #[serde(skip_serializing_if = "Option::is_none")]
    picture: Option<TrackInfo>,
    /// The flag of the runtime that would add such tracks, if the log was written without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    lacks: Option<&'static str>,
    /// Why there are none, if nothing happened. With a flag, it is not known which of the two is the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    none: Option<&'static str>,
}

/// Tracks of one shape, one below the other.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "GroupPart"))]
struct PartInfo {
    #[cfg_attr(test, ts(type = "Shape"))]
    shape: &'static str,
    tracks: usize,
}

impl GroupInfo {
    fn of(group: &model::Group, info: impl Fn(&model::Track) -> TrackInfo) -> Self {
        Self {
            key: group.key,
            name: group.name,
            tracks: group.tracks,
            parts: group.parts.iter().map(|&(shape, tracks)| PartInfo { shape, tracks }).collect(),
            headed: group.headed,
            open: group.open,
            shown: group.shown,
            note: group.note.map(NoteInfo::from),
            picture: group.picture.as_ref().map(info),
            lacks: group.lacks.and_then(|absence| absence.flag),
            none: group.lacks.and_then(|absence| absence.none),
        }
    }
}

/// A track's description of itself.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Track", optional_fields))]
pub(crate) struct TrackInfo {
    id: f64,
    name: String,
    /// What it shows, by its key in `explained.json`.
    kind: &'static str,
    /// Its group's key.
    group: &'static str,
    #[cfg_attr(test, ts(type = "Shape"))]
    shape: &'static str,
    /// The palette role of the track's colour, if it has only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    /// For a line the largest value, for bands the largest sum, with the unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    scale: Option<ScaleInfo>,
    states: Vec<StateInfo>,
    note: NoteInfo,
    /// The time for which the log has it; absent if that is the whole log.
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<(f64, f64)>,
    /// For a track that represents others: whether these have tracks of their own, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    unfolded: Option<bool>,
    /// For a thread: what it waited for most; absent if it did not wait, or that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    waited: Option<WaitedInfo>,
}

/// What a thread waited for most.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Waited", optional_fields))]
struct WaitedInfo {
    reason: &'static str,
    /// Nanoseconds.
    time: f64,
    /// The thread that most of all its waiting was for, if there is such a one.
    #[serde(skip_serializing_if = "Option::is_none")]
    thread: Option<u32>,
    /// That thread's label.
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
}

/// One state of a track, with the time spent in it.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "State", optional_fields))]
struct StateInfo {
    name: &'static str,
    role: &'static str,
    /// Nanoseconds over the whole log; absent if the track has no totals, or the log does not have the state.
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<f64>,
    /// The flag of the runtime that would add it, if the log was written without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    lacks: Option<&'static str>,
}

/// The unit of a line's values, and the largest of them.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Scale", optional_fields))]
struct ScaleInfo {
    most: f64,
    /// How far the smallest value is below 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    below: Option<f64>,
    /// The largest value of this line on any capability; absent if it is not a capability's.
    #[serde(skip_serializing_if = "Option::is_none")]
    alike: Option<f64>,
    #[cfg_attr(test, ts(type = "Unit"))]
    unit: &'static str,
}

/// A figure that summarises a track.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Note"))]
#[serde(untagged)]
enum NoteInfo {
    Share {
        share: f64,
    },
    Number {
        number: f64,
    },
    Time {
        time: f64,
    },
    Most {
        most: f64,
        #[cfg_attr(test, ts(type = "Unit"))]
        unit: &'static str,
    },
    Count {
        count: f64,
        longest: f64,
    },
    Lacks {
        lacks: &'static str,
    },
}

impl From<model::Note> for NoteInfo {
    fn from(note: model::Note) -> Self {
        match note {
            model::Note::Share(share) => Self::Share { share },
            model::Note::Number(number) => Self::Number { number: number as f64 },
            model::Note::Time(time) => Self::Time { time: time.0 as f64 },
            model::Note::Most(most, unit) => Self::Most { most: most as f64, unit: unit.name() },
            model::Note::Lacks(lacks) => Self::Lacks { lacks },
            model::Note::Count(count, longest) => Self::Count { count: count as f64, longest: longest.0 as f64 },
        }
    }
}

impl TrackInfo {
    pub(crate) fn of(Arranged { model, by, clock }: Arranged<'_>, track: &model::Track) -> Self {
        let totals = model.totals(by, track.id);
        let state = |(at, state): (usize, &model::State)| {
            let lacks = track.lacks.get(at).copied().flatten();
            let total = totals.get(at).filter(|_| lacks.is_none()).map(|total| total.0 as f64);
            StateInfo { name: state.name, role: state.role, total, lacks }
        };
        Self {
            id: track_number(track.id),
            name: track.name.for_page(),
            kind: track.id.kind(),
            group: track.group,
            shape: track.shape.name(),
            role: match track.shape {
                model::Shape::Line { role, .. } | model::Shape::Points { role } => Some(role),
                model::Shape::States | model::Shape::Level | model::Shape::Bands { .. } | model::Shape::Names => None,
            },
            scale: match track.shape {
                model::Shape::Line { unit, most, .. } | model::Shape::Bands { unit, most } => {
                    let below = match track.shape {
                        model::Shape::Line { below, .. } if below > 0 => Some(below as f64),
                        _ => None,
                    };
                    let alike = model.alike(by, track.id).map(|most| most as f64);
                    Some(ScaleInfo { most: most as f64, below, alike, unit: unit.name() })
                }
                _ => None,
            },
            states: track.states.iter().enumerate().map(state).collect(),
            known: track.known.map(|(from, to)| (clock.float(from), clock.float(to))),
            unfolded: by.unfolds(track.id),
            waited: model.mostly_waited(by, track.id).map(|most| WaitedInfo {
                reason: most.reason.text(),
                time: most.time.0 as f64,
                thread: most.thread.map(|thread| thread.0),
                label: most.thread.and_then(|thread| model.threads().label(thread)).map(|label| label.for_page()),
            }),
            note: track.note.into(),
        }
    }
}

/// What the log says about its process. Fields that it does not have are absent.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Process", optional_fields))]
pub(crate) struct ProcessInfo {
    args: Vec<String>,
    runtime: String,
    /// From each time on, the date at time 0 in milliseconds since the Unix epoch: logging may be restarted.
    clocks: Vec<(f64, f64)>,
}

impl ProcessInfo {
    pub(crate) fn of(process: &model::Process, clock: Clock) -> Self {
        let epoch = |(seconds, nanos, at)| seconds as f64 * 1e3 + f64::from(nanos) / 1e6 - clock.float(at) / 1e6;
        let args = process.args.iter().map(model::LogText::for_page).collect();
        let clocks = process.wall_clocks.iter().map(|known| (clock.float(known.2), epoch(*known))).collect();
        Self { args, runtime: process.runtime.for_page(), clocks }
    }
}

/// Something that the user should know about the log.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(optional_fields))]
pub(crate) struct Notice {
    text: String,
    /// Whether something of the log is missing.
    loss: bool,
    /// Whether it must be said before anything is shown of the log. Such notices come first.
    first: bool,
    /// The time of the last event before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<f64>,
    /// Whether it says that the user stopped the reading. (The page shows how far that was.)
    stopped: bool,
}

impl Notice {
    /// What must be said first; the diagnostics that are kept, and one for all others.
    pub(crate) fn all(model: &model::Model, clock: Clock) -> Vec<Self> {
        let diagnostics = model.diagnostics();
        let of = |kind: &model::DiagnosticKind, time: Option<Nanos>, first: bool| Self {
            text: kind.to_string(),
            loss: kind.is_loss(),
            first,
            time: time.map(|time| clock.float(time)),
            stopped: matches!(kind, model::DiagnosticKind::Stopped { .. }),
        };
        let mut notices: Vec<Self> = model.foremost().iter().map(|kind| of(kind, None, true)).collect();
        notices.extend(diagnostics.list().iter().map(|diagnostic| of(&diagnostic.kind, diagnostic.time, false)));
        let more = diagnostics.count() - diagnostics.list().len() as u64;
        if more > 0 {
            let text = format!("and {more} more");
            notices.push(Self { text, loss: true, first: false, time: None, stopped: false });
        }
        notices
    }
}

/// A planned window.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Plan"))]
pub(crate) struct PlanInfo {
    /// The number of its job.
    pub(crate) job: u32,
    /// The window that will be shown. It does not begin before the page's clock.
    pub(crate) from: f64,
    pub(crate) to: f64,
}

/// What a job needs to read, and how far it is.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Job", rename_all = "camelCase"))]
#[serde(rename_all = "camelCase")]
pub(crate) struct JobInfo {
    /// The parts of the file to read, each as offset and length.
    #[cfg_attr(test, ts(type = "Array<[number, number]>"))]
    reads: Vec<(u64, u64)>,
    /// Progress in pieces of the file; the total is what is known so far.
    done: f64,
    of: f64,
    /// Whether it reads nothing more because the file has changed.
    gave_up: bool,
}

impl JobInfo {
    pub(crate) fn of(Wants { reads, progress, gave_up }: Wants) -> Self {
        Self { reads, done: progress.done as f64, of: progress.of as f64, gave_up }
    }
}
