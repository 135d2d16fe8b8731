//! Conditions of queries, each with what it means.

use super::{Everything, like::Like};
use ghc_eventlog::{Nanos, ThreadLabel, info};
use ghc_eventlog_model::{Hit, HitKind};

/// A condition.
#[derive(Debug, Clone)]
pub(super) enum Meant {
    Text(Like),
    Said(Like),
    Label(Like),
    Field(String, Like),
    /// A name of types, with stars and question marks.
    Type(String),
    Cap(u16),
    Thread(u32),
    Labelled(Like),
    Longer(u64),
    Shorter(u64),
    From(Nanos),
    To(Nanos),
    /// In ns since the log's first event.
    Since(u64),
}

impl Meant {
    pub(super) fn random(all: &Everything, random: &mut fastrand::Rng) -> Self {
        let Some(hit) = random.choice(&all.hits) else { return Self::Cap(0) };
        let fields = all.fields.get(&hit.place).filter(|_| !hit.kind.is_span());
        let label = || hit.thread.and_then(|thread| all.labels.get(&thread.0)).map_or("worker", String::as_str);
        let near = |random: &mut fastrand::Rng| Nanos(hit.time.0.saturating_add(random.u64(..1 << 20)));
        let of_length = |random: &mut fastrand::Rng| match (hit.length, random.u8(..4)) {
            (Some(length), 0) => length.0,
            (Some(length), 1) => length.0 / 2 + 1,
            (Some(length), 2) => length.0.saturating_add(1),
            (_, 3) => u64::MAX,
            _ => random.u64(1..1 << 30),
        };
        match random.u8(..16) {
            0..=3 => Self::Text(Like::random(&text_of(hit), random)),
            4 | 5 => {
                let said = fields.and_then(|fields| fields.iter().find(|(_, is_text, _)| *is_text));
                let text = said.and_then(|(_, _, ways)| ways.first()).map_or("message", String::as_str);
                Self::Said(Like::random(text, random))
            }
            6 => Self::Label(Like::random(label(), random)),
            7 | 8 => {
                let Some((name, _, ways)) = fields.and_then(|fields| random.choice(fields)) else {
                    return Self::Field("thread".into(), Like::Plain("1".into()));
                };
                let value = random.choice(ways).map_or("", String::as_str);
                let whole = |value: &str| Like::Plain(value.into());
                let like = if random.bool() { whole(value) } else { Like::random(value, random) };
                Self::Field((*name).to_owned(), like)
            }
            9 => match hit.kind {
                HitKind::Collection => Self::Type("gc".into()),
                HitKind::Run => Self::Type("run".into()),
                HitKind::Span => Self::Type("SPAN".into()),
                HitKind::Message if random.bool() => Self::Type("message".into()),
                HitKind::Marker if random.bool() => Self::Type("Marker".into()),
                _ => Self::Type(Self::type_like(hit, all, random)),
            },
            10 => Self::Cap(hit.cap.map_or(70, |cap| cap.0)),
            11 => Self::Thread(hit.thread.map_or(u32::MAX, |thread| thread.0)),
            12 => Self::Labelled(Like::random(label(), random)),
            13 if random.bool() => Self::Longer(of_length(random)),
            13 => Self::Shorter(of_length(random).max(1)),
            14 if random.bool() => Self::From(near(random)),
            14 => Self::To(near(random)),
            _ => Self::Since(match random.u8(..4) {
                0 => u64::MAX,
                _ => hit.time.0.saturating_sub(all.first.0),
            }),
        }
    }

    fn type_like(hit: &Hit, all: &Everything, random: &mut fastrand::Rng) -> String {
        let name = hit.tag.and_then(|tag| all.types.get(&tag)).map_or("GC_START", String::as_str);
        // Names of types that only a log has may have anything in them.
        let is_plain = name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        let name = if is_plain { name } else { "GC_START" };
        match random.u8(..3) {
            0 => name.to_ascii_lowercase(),
            1 => format!("{}*", name.get(..name.len() / 2).unwrap_or(name)),
            _ => format!("*{}", name.get(name.len() / 2..).unwrap_or(name).replacen('_', "?", 1)),
        }
    }

    /// As a query has it.
    pub(super) fn written(&self) -> String {
        match self {
            Self::Text(like) => like.written(),
            Self::Said(like) => format!("text:{}", like.written()),
            Self::Label(like) => format!("label:{}", like.written()),
            Self::Field(name, like) => format!("{name}={}", like.written()),
            Self::Type(name) => format!("type:{name}"),
            Self::Cap(cap) => format!("cap:{cap}"),
            Self::Thread(thread) => format!("thread:{thread}"),
            // Digits alone would be a number.
            Self::Labelled(like) => format!("thread:{}", like.written()),
            Self::Longer(nanos) => format!("longer:{nanos}ns"),
            Self::Shorter(nanos) => format!("shorter:{nanos}ns"),
            Self::From(time) => format!("from:@{}", time.0),
            Self::To(time) => format!("to:@{}ns", time.0),
            Self::Since(nanos) => format!("from:{nanos}ns"),
        }
    }

    pub(super) fn is_readable(&self) -> bool {
        match self {
            Self::Text(like) | Self::Said(like) | Self::Label(like) | Self::Field(_, like) | Self::Labelled(like) => {
                like.is_readable()
            }
            _ => true,
        }
    }

    /// Whether something is as it says; `None` if that is not known here.
    pub(super) fn holds(&self, hit: &Hit, all: &Everything) -> Option<bool> {
        let is_span = hit.kind.is_span();
        let fields = all.fields.get(&hit.place).filter(|_| !is_span).map_or(&[][..], Vec::as_slice);
        let label_of = |hit: &Hit| hit.thread.and_then(|thread| all.labels.get(&thread.0));
        let end = hit.time.0.saturating_add(hit.length.map_or(0, |length| length.0));
        let since = |from: u64| if is_span { from < end || from <= hit.time.0 } else { from <= hit.time.0 };
        Some(match self {
            // What is said of the program's spans is not among the hits.
            Self::Text(_) | Self::Label(_) | Self::Field(..) if hit.kind == HitKind::Span => return None,
            Self::Text(like) => !is_span && like.is_in(&text_of(hit), false),
            Self::Said(like) => {
                let said = fields.iter().filter(|(_, is_text, _)| *is_text);
                said.flat_map(|(.., ways)| ways).any(|way| like.is_in(way, false))
            }
            Self::Label(like) if hit.kind == HitKind::Run => {
                label_of(hit).is_some_and(|label| like.is_in(label, false))
            }
            Self::Label(like) => {
                let labels = fields.iter().filter(|(name, ..)| *name == "label" && hit.tag == Some(ThreadLabel::TAG));
                labels.flat_map(|(.., ways)| ways).any(|way| like.is_in(way, false))
            }
            // The model numbers the threads of later processes anew.
            Self::Field(name, _) if name == "thread" && !all.is_one_process => return None,
            Self::Field(wanted, like) => {
                let wanted = fields.iter().filter(|(name, ..)| name == wanted);
                wanted.flat_map(|(.., ways)| ways).any(|way| like.is_in(way, true))
            }
            Self::Type(name) => match (name.to_ascii_lowercase().as_str(), hit.kind) {
                ("gc", kind) => kind == HitKind::Collection,
                ("run", kind) => kind == HitKind::Run,
                ("span", kind) => kind == HitKind::Span,
                ("message", kind) => kind == HitKind::Message,
                ("marker", kind) => kind == HitKind::Marker,
                (glob, _) => {
                    let own = hit.tag.and_then(|tag| all.types.get(&tag)).map(String::as_str);
                    // A log may describe a type in its own way.
                    let ghcs = hit.tag.and_then(info).map(|info| info.name);
                    own.into_iter().chain(ghcs).any(|name| Like::Glob(glob.into()).is_in(name, true))
                }
            },
            Self::Cap(cap) => hit.cap.is_some_and(|of| of.0 == *cap),
            Self::Thread(thread) => hit.thread.is_some_and(|of| of.0 == *thread),
            Self::Labelled(like) => label_of(hit).is_some_and(|label| like.is_in(label, false)),
            Self::Longer(least) => hit.length.is_some_and(|length| *least <= length.0),
            Self::Shorter(most) => hit.length.is_some_and(|length| length.0 < *most),
            Self::From(time) => since(time.0),
            Self::To(time) => hit.time < *time,
            Self::Since(nanos) => since(all.first.0.saturating_add(*nanos)),
        })
    }
}

fn text_of(hit: &Hit) -> String {
    hit.text.for_comparing().to_owned()
}
