//! Searches for JavaScript: queries, their completions, and their hits.

use crate::{
    Arrangement, Log,
    convert::{Clock, track_number, unknown},
    jobs::Running,
    object,
};
use ghc_eventlog_model::{
    Arrangement as Arranged, FindOrder, FindWishes, Hit, HitBuckets, HitKind, Model, NameHits, Query, QueryError,
    limits,
};
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;
use wasm_bindgen::prelude::*;

/// Why a query cannot be read. Places in texts count UTF-16 units, as JavaScript does.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "QueryFault"))]
pub(crate) struct QueryFault {
    at: usize,
    /// What is wrong, and what is expected: a clause.
    reason: String,
}

/// What a search has found so far.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "FoundSoFar"))]
#[serde(rename_all = "camelCase")]
pub(crate) struct FoundSoFar {
    total: f64,
    /// Only kinds of which there are any.
    groups: Vec<HitGroup>,
    /// Which spans of the program it cannot find: clauses.
    remarks: Vec<String>,
    /// Whether spans of the program are missing until threads have been followed.
    waits_for_replay: bool,
}

/// The hits of one kind.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
struct HitGroup {
    #[cfg_attr(test, ts(type = "\"message\" | \"marker\" | \"span\" | \"gc\" | \"run\" | \"event\""))]
    kind: &'static str,
    title: &'static str,
    count: f64,
}

/// Something that was found.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Hit", optional_fields))]
pub(crate) struct HitInfo {
    kind: &'static str,
    time: f64,
    /// In nanoseconds; for a span.
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cap: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thread: Option<u32>,
    /// For an event: the name of its type.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    type_name: Option<String>,
    text: String,
    /// The track that shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    track: Option<f64>,
}

/// Names of one kind that a query finds.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct NameGroup {
    kind: &'static str,
    title: &'static str,
    count: f64,
    /// The first of them.
    names: Vec<NameInfo>,
}

/// A name that a query finds.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "NameFound", optional_fields))]
struct NameInfo {
    name: String,
    /// Where it is defined, or what it says; perhaps empty.
    detail: String,
    /// The query that finds what it stands for.
    #[serde(skip_serializing_if = "Option::is_none")]
    query: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    track: Option<f64>,
}

/// Completions of a query: each replaces what is between two places.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Completions"))]
pub(crate) struct CompletionsInfo {
    from: usize,
    to: usize,
    list: Vec<CompletionInfo>,
}

/// A completion: a word, and what it means.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS), ts(rename = "Completion"))]
struct CompletionInfo {
    text: String,
    about: String,
}

#[wasm_bindgen]
impl Log {
    /// Why a query cannot be read: a `QueryFault`; `undefined` if it can.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn query_fault(&self, query: &str) -> Result<JsValue, JsValue> {
        let fault = |error: QueryError| QueryFault { at: utf16(query, error.at), reason: error.reason.for_page() };
        object(&self.query(query).err().map(fault))
    }

    /// The completions of a query at a cursor, which counts UTF-16 units: a `Completions`.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn complete(&self, query: &str, cursor: usize) -> Result<JsValue, JsValue> {
        let completions = self.model.complete(query, bytes(query, cursor));
        let list = completions.list.iter();
        let list = list.map(|one| CompletionInfo { text: one.text.for_page(), about: one.about.for_page() });
        let (from, to) = (utf16(query, completions.from), utf16(query, completions.to));
        object(&CompletionsInfo { from, to, list: list.collect() })
    }

    /// The names that a query finds, without reading the log: an array of `NameGroup`; empty if the query cannot be read.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn find_names(&self, query: &str) -> Result<JsValue, JsValue> {
        let Ok(query) = self.query(query) else { return object(&[(); 0]) };
        let mut groups = self.model.find_names(&query);
        groups.extend(self.model.find_findings(&query));
        object(&groups.iter().map(NameGroup::of).collect::<Vec<_>>())
    }

    /// Begins to find what a query describes, the nearest to a time first. Returns the number of a [job](Log::job):
    /// [`Log::found_so_far`] and the functions after it can be called at any time, until it is [dropped](Log::drop_job). Hits are
    /// counted in `buckets` stretches of time from one time to another. `undefined` if the query cannot be read, and as long as the
    /// log is being read.
    pub fn find(&mut self, query: &str, near: f64, from: f64, to: f64, buckets: usize) -> Option<u32> {
        let query = self.query(query).ok()?;
        let [near, from, to] = [near, from, to].map(|time| self.clock.nanos(time));
        let order = FindOrder::Nearest(near, limits::MAX_HITS);
        let buckets = HitBuckets { from, to, count: buckets.min(MOST_BUCKETS) };
        let find = self.model.find(&query, FindWishes { order, buckets, ..FindWishes::default() })?;
        Some(self.jobs.begin(Running::Find(Box::new(find))))
    }

    /// How much a search has found so far: a `FoundSoFar`; `undefined` if it was dropped.
    ///
    /// # Errors
    /// See [`Log::status`].
    pub fn found_so_far(&mut self, job: u32) -> Result<JsValue, JsValue> {
        let Some(Running::Find(find)) = self.jobs.get_mut(job) else { return Ok(JsValue::UNDEFINED) };
        let group = |kind: HitKind| HitGroup { kind: kind.name(), title: kind.title(), count: find.count(kind) as f64 };
        let groups = HitKind::ALL.into_iter().filter(|kind| find.count(*kind) > 0).map(group).collect();
        object(&FoundSoFar {
            total: find.total() as f64,
            groups,
            remarks: find.remarks(&self.model),
            waits_for_replay: find.waits_for_replay(),
        })
    }

    /// Some kept hits of a kind, in order of time, from the index `from` on: an array of `Hit`.
    ///
    /// # Errors
    /// When there is no kind of this name. Also see [`Log::status`].
    pub fn hits(
        &mut self,
        arrangement: &mut Arrangement,
        job: u32,
        kind: &str,
        from: usize,
        count: usize,
    ) -> Result<JsValue, JsValue> {
        let kind =
            HitKind::ALL.into_iter().find(|one| one.name() == kind).ok_or_else(|| unknown("kind of hits", kind))?;
        let arrangement = arrangement.of(self);
        let Some(Running::Find(find)) = self.jobs.get_mut(job) else { return object(&[(); 0]) };
        let hits = find.hits(kind).into_iter().skip(from).take(count.min(limits::MAX_HITS));
        object(&hits.map(|hit| HitInfo::of(hit, &self.model, arrangement, self.clock)).collect::<Vec<_>>())
    }

    /// How many hits a search has found in each stretch of time; empty if it was dropped.
    #[must_use]
    pub fn hits_in_buckets(&mut self, job: u32) -> Vec<u32> {
        match self.jobs.get_mut(job) {
            Some(Running::Find(find)) => find.in_buckets().to_vec(),
            _ => Vec::new(),
        }
    }

    /// A query whose types exist.
    fn query(&self, text: &str) -> Result<Query, QueryError> {
        let query = Query::parse(text)?;
        self.model.check_query(&query).map(|()| query)
    }
}

/// The most stretches of time in which hits are counted: a screen is no wider.
const MOST_BUCKETS: usize = 1 << 14;

/// A place in a text, from bytes to UTF-16 units.
fn utf16(text: &str, at: usize) -> usize {
    text.get(..at).unwrap_or(text).encode_utf16().count()
}

/// The reverse of [`utf16`].
fn bytes(text: &str, at: usize) -> usize {
    let mut units = 0;
    let end = text.char_indices().find(|(_, letter)| {
        let is_there = units >= at;
        units += letter.len_utf16();
        is_there
    });
    end.map_or(text.len(), |(end, _)| end)
}

impl HitInfo {
    fn of(hit: &Hit, model: &Model, arrangement: &Arranged, clock: Clock) -> Self {
        Self {
            kind: hit.kind.name(),
            time: clock.float(hit.time),
            length: hit.length.map(|length| length.0 as f64),
            cap: hit.cap.map(|cap| cap.0),
            thread: hit.thread.map(|thread| thread.0),
            type_name: hit.tag.map(|tag| model.type_name(tag).for_page()),
            text: hit.text.for_page() + if hit.unfinished { " (not over)" } else { "" },
            track: model.track_of_hit(arrangement, hit).map(track_number),
        }
    }
}

impl NameGroup {
    fn of(hits: &NameHits) -> Self {
        let names = hits.names.iter().map(|hit| NameInfo {
            name: hit.name.for_page(),
            detail: hit.detail.for_page(),
            query: hit.query.as_ref().map(ghc_eventlog_model::LogText::for_page),
            track: hit.track.map(track_number),
        });
        Self { kind: hits.kind.name(), title: hits.kind.title(), count: hits.count as f64, names: names.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_as_javascript_does() {
        let text = "aλ😀b";
        for (at, units) in [(0, 0), (1, 1), (3, 2), (7, 4), (8, 5)] {
            assert_eq!((utf16(text, at), bytes(text, units)), (units, at));
        }
        assert_eq!((bytes(text, 99), utf16(text, 99)), (8, 5));
    }
}
