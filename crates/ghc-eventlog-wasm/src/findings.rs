//! Findings and the account for JavaScript.

use crate::{
    Log,
    convert::{Clock, track_number},
    object,
};
use ghc_eventlog_model as model;
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;
use wasm_bindgen::prelude::*;

/// What is worth knowing of a program: one finding for each rule, the gravest first.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Findings"))]
pub(crate) struct FindingsInfo {
    /// Where the time went, in a line.
    verdict: String,
    findings: Vec<FindingInfo>,
    /// How many of them wait for the replay.
    waiting: usize,
}

/// What a rule says.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Finding", optional_fields))]
#[serde(rename_all = "camelCase")]
struct FindingInfo {
    /// The rule, as in `summary --json`.
    id: &'static str,
    title: &'static str,
    #[cfg_attr(test, ts(type = "\"warning\" | \"info\" | \"fine\" | \"waiting\" | \"not_applicable\""))]
    level: &'static str,
    text: String,
    /// Where to look, the most telling first.
    evidence: Vec<EvidenceInfo>,
    /// What could be gained, in nanoseconds or in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    stake_ns: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stake_bytes: Option<f64>,
    /// What to try, with flags in backticks; empty if there is nothing.
    remedy: String,
    /// The flag of the runtime that would supply what the rule needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    needs: Option<&'static str>,
}

/// A stretch of time, and whose it is, as far as that is known.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Evidence", optional_fields))]
struct EvidenceInfo {
    from: f64,
    to: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    cap: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thread: Option<u32>,
    /// What is there, in a few words; perhaps empty.
    label: String,
    /// The track that shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    track: Option<f64>,
    /// The tracks of its capability and of its thread, if they are others.
    also: Vec<f64>,
}

/// Where the capabilities' time went: the parts add up to `all`.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Account"))]
pub(crate) struct AccountInfo {
    caps: f64,
    /// The length of the time that it is about, in nanoseconds.
    time: f64,
    /// That of all capabilities together.
    all: f64,
    /// In the order in which they are shown; those of no time are left out.
    parts: Vec<AccountPartInfo>,
}

/// What a part of the capabilities' time went to.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "AccountPart", optional_fields))]
struct AccountPartInfo {
    /// As in `summary --json`: `account.running_ns`, `account.idle_ns.no thread`. `explained.json` has a sentence for
    /// each.
    key: &'static str,
    name: &'static str,
    /// The palette role of its colour.
    role: &'static str,
    /// Whether capabilities were idle.
    idle: bool,
    time: f64,
    /// Its longest stretch, once that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    longest: Option<EvidenceInfo>,
}

/// A reason for which a capability was idle.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "IdleReason", optional_fields))]
pub(crate) struct IdleReasonInfo {
    /// The key of the part of the account: `explained.json` has a sentence for each.
    key: &'static str,
    name: &'static str,
    /// Nanoseconds.
    time: f64,
    /// The threads that it is about, or some of them.
    threads: Vec<NamedThread>,
    /// The capability that had requested the collection.
    #[serde(skip_serializing_if = "Option::is_none")]
    cap: Option<u16>,
}

/// A thread, and its label.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(optional_fields))]
struct NamedThread {
    thread: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    /// Its track.
    #[serde(skip_serializing_if = "Option::is_none")]
    track: Option<f64>,
}

/// Why a capability was idle.
pub(crate) fn idle_reasons(model: &model::Model, reasons: &[model::IdleReason]) -> Vec<IdleReasonInfo> {
    let named = |thread: &ghc_eventlog::ThreadId| NamedThread {
        thread: thread.0,
        label: model.threads().label(*thread).map(|label| label.for_page()),
        track: model.thread_track(*thread).map(track_number),
    };
    let info = |reason: &model::IdleReason| IdleReasonInfo {
        key: reason.key,
        name: reason.name,
        time: reason.time.0 as f64,
        threads: reason.threads.iter().map(named).collect(),
        cap: reason.cap.map(|cap| cap.0),
    };
    reasons.iter().map(info).collect()
}

impl FindingsInfo {
    pub(crate) fn of(model: &model::Model, clock: Clock) -> Self {
        let model::Findings { verdict, list, waiting, .. } = model.findings();
        let origin = origin(model);
        let finding = |finding: &model::Finding| FindingInfo {
            id: finding.id,
            title: finding.title,
            level: finding.level.name(),
            text: finding.text.for_page(origin),
            evidence: finding.evidence.iter().map(|evidence| EvidenceInfo::of(evidence, model, clock)).collect(),
            stake_ns: if let model::Stake::Time(time) = finding.stake { Some(time.0 as f64) } else { None },
            stake_bytes: if let model::Stake::Bytes(bytes) = finding.stake { Some(bytes as f64) } else { None },
            remedy: finding.remedy.clone(),
            needs: finding.needs,
        };
        Self { verdict: verdict.for_page(origin), findings: list.iter().map(finding).collect(), waiting }
    }
}

/// When the log begins.
fn origin(model: &model::Model) -> ghc_eventlog::Nanos {
    model.extent().map(|(first, _)| first).unwrap_or_default()
}

/// A finding as Markdown; empty if there is no such rule.
pub(crate) fn markdown(model: &model::Model, id: &str) -> String {
    model.findings().get(id).map(|finding| finding.markdown(origin(model))).unwrap_or_default()
}

impl EvidenceInfo {
    fn of(evidence: &model::Evidence, model: &model::Model, clock: Clock) -> Self {
        Self {
            from: clock.float(evidence.from),
            to: clock.float(evidence.to),
            cap: evidence.cap.map(|cap| cap.0),
            thread: evidence.thread.map(|thread| thread.0),
            label: evidence.label.for_page(),
            track: evidence.track.map(track_number),
            also: model.also_marked(evidence).map(track_number).collect(),
        }
    }
}

impl AccountInfo {
    pub(crate) fn of(account: &model::Account, model: &model::Model, clock: Clock) -> Self {
        let part = |part: &model::AccountPart| AccountPartInfo {
            key: part.key,
            name: part.name,
            role: part.role,
            idle: part.is_idle() && !part.is_pending(),
            time: part.time.0 as f64,
            longest: part.longest.as_ref().map(|longest| EvidenceInfo::of(longest, model, clock)),
        };
        let any = |part: &&model::AccountPart| part.time.0 > 0;
        Self {
            caps: account.caps as f64,
            time: account.time.0 as f64,
            all: account.all.0 as f64,
            parts: account.parts.iter().filter(any).map(part).collect(),
        }
    }
}

#[wasm_bindgen]
impl Log {
    /// What is worth knowing of the program, as far as the log has been read: a `Findings`. Some rules wait for the
    /// [replay](Log::replay).
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn findings(&self) -> Result<JsValue, JsValue> {
        object(&FindingsInfo::of(&self.model, self.clock))
    }

    /// A finding as Markdown, by the id of its rule; empty if there is no such rule.
    #[must_use]
    pub fn finding_markdown(&self, id: &str) -> String {
        markdown(&self.model, id)
    }

    /// Where the capabilities' time went, in the whole log or in the range [taken](Log::take_range) last: an `Account`.
    /// `undefined` if that is not known, or there is no such range. Why capabilities were idle is only known of the whole
    /// log, after the [replay](Log::replay).
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn account(&self, range: bool) -> Result<JsValue, JsValue> {
        let account = match (&self.range, range) {
            (None, true) => None,
            (of, _) => self.model.account(of.as_ref().filter(|_| range)),
        };
        object(&account.map(|account| AccountInfo::of(&account, &self.model, self.clock)))
    }
}
