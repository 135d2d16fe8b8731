//! What is not simply the figures and lists of a section.

use super::{
    super::Summary,
    values::{empty, figures, put, texts},
};
use ghc_eventlog::Nanos;
use ghc_eventlog_model::{DiagnosticKind, Evidence, Facts, Finding, Process, Section, Stake, TypedFacts};
use serde_json::{Map, Value as Json, json};

/// Where the capabilities' time went. Reasons to be idle for no time are left out.
pub(super) fn account(summary: &Summary) -> Json {
    let Some(account) = summary.model.account(summary.range.as_ref()) else { return Json::Null };
    let mut object = empty(&["capability_ns"]);
    put(&mut object, "capability_ns", account.all.0.into());
    let mut idle = Map::new();
    for part in &account.parts {
        // A reason may have dots.
        match part.key.strip_prefix("idle_ns.") {
            Some(reason) if part.time.0 > 0 => _ = idle.insert(reason.to_string(), part.time.0.into()),
            Some(_) => {}
            // Of a range, that is not known, and counts as running.
            None if part.key == "log_writing_ns" && summary.range.is_some() => put(&mut object, part.key, Json::Null),
            None => put(&mut object, part.key, part.time.0.into()),
        }
    }
    object.insert("idle_ns".into(), idle.into());
    object.into()
}

/// What is worth knowing of the program: null for a range.
pub(super) fn findings(summary: &Summary) -> Json {
    if summary.range.is_some() {
        return Json::Null;
    }
    let origin = summary.origin();
    let evidence = |evidence: &Evidence| {
        json!({
            "from_ns": evidence.from.since(origin).0,
            "to_ns": evidence.to.since(origin).0,
            "cap": evidence.cap.map(|cap| cap.0),
            "thread": evidence.thread.map(|thread| thread.0),
            "label": evidence.label.for_json(),
        })
    };
    let finding = |finding: &Finding| {
        json!({
            "id": finding.id,
            "level": finding.level.name(),
            "title": finding.title,
            "text": finding.text.for_json(origin),
            "evidence": finding.evidence.iter().map(evidence).collect::<Vec<_>>(),
            "at_stake_ns": if let Stake::Time(time) = finding.stake { Some(time.0) } else { None },
            "at_stake_bytes": if let Stake::Bytes(bytes) = finding.stake { Some(bytes) } else { None },
            "try": Some(&finding.remedy).filter(|remedy| !remedy.is_empty()),
            "needs": finding.needs,
        })
    };
    summary.model.findings().list.iter().map(finding).collect::<Vec<_>>().into()
}

pub(super) fn log(summary: &Summary, whole: &Facts) -> Json {
    let mut log = Map::new();
    log.insert("file".into(), summary.file.to_string_lossy().into_owned().into());
    let figures = whole.section("log").map(|section| figures(section, &["bytes"], summary)).unwrap_or_default();
    for (key, value) in figures {
        let value = match (key.as_str(), value.as_str()) {
            ("complete", Some(word)) => Json::from(word == "yes"),
            _ => value,
        };
        let is_size = key == "bytes";
        log.insert(key, value);
        if is_size {
            log.insert("compression".into(), summary.compression.into());
            log.insert("streams".into(), summary.streams.into());
        }
    }
    log.into()
}

pub(super) fn process(summary: &Summary, whole: &Facts) -> Json {
    let Some(section) = whole.section("process") else { return Json::Null };
    let mut process = figures(section, &["program", "args", "rts", "pid", "ppid", "started"], summary);
    let args = &summary.model.process().args;
    let args = args.split_first().map(|(_, args)| args);
    process.insert("args".into(), args.map_or(Json::Null, texts));
    let Process { pid, ppid, .. } = summary.model.process();
    process.insert("pid".into(), json!(pid));
    process.insert("ppid".into(), json!(ppid));
    if summary.env {
        process.insert("env".into(), texts(summary.model.process().environment()));
    }
    process.into()
}

/// The figures that the runtime prints with `+RTS -t --machine-readable`, by its names, as far as the log has them.
pub(super) fn rts(facts: &TypedFacts) -> Json {
    let TypedFacts { gc, heap, caps, sparks, tasks, .. } = facts;
    json!({
        "num_GCs": gc.count,
        "major_gcs": gc.major,
        "GC_wall_seconds": gc.elapsed.map(|time| time.0 as f64 / Nanos::SECOND.0 as f64),
        "copied_bytes": gc.copied,
        "par_copied_bytes": gc.par_copied,
        "cumulative_par_max_copied_bytes": gc.par_max_copied,
        "cumulative_par_balanced_copied_bytes": gc.par_balanced_copied,
        "allocated_bytes": heap.allocated,
        "max_live_bytes": heap.max_live.map(|most| most.value),
        "max_mem_in_use_bytes": heap.max_size.map(|most| most.value),
        "n_capabilities": caps.created,
        "sparks_count": sparks.count,
        "sparks_converted": sparks.converted,
        "sparks_overflowed": sparks.overflowed,
        "sparks_dud": sparks.dud,
        "sparks_gcd": sparks.gcd,
        "sparks_fizzled": sparks.fizzled,
        "task_count": tasks.created,
    })
}

/// For each section that is not complete in the log, the `+RTS` flag that would add the rest.
pub(super) fn missing(whole: &Facts) -> Json {
    let lacking = whole.sections.iter().filter_map(|section| Some((section.key, section.flag?)));
    lacking.map(|(section, flag)| json!({ "section": section, "flag": flag })).collect::<Vec<_>>().into()
}

/// What is to be known of sections, beside their figures: first what is not exact.
pub(super) fn remarks(facts: &Facts) -> Json {
    let of = |section: &Section| {
        let said = |text| json!({ "section": section.key, "text": text });
        section.remarks.iter().map(said).collect::<Vec<_>>()
    };
    facts.sections.iter().flat_map(of).collect::<Vec<_>>().into()
}

pub(super) fn diagnostics(summary: &Summary, top: usize) -> Json {
    let diagnostics = summary.model.diagnostics();
    let object = |kind: &DiagnosticKind| json!({ "text": kind.to_string(), "offset": kind.offset(), "lost_bytes": kind.lost_bytes() });
    let kept = diagnostics.list().iter().take(top);
    let left = diagnostics.count().saturating_sub(kept.len() as u64);
    let mut list: Vec<Json> = summary.model.foremost().iter().map(object).collect();
    list.extend(kept.map(|diagnostic| object(&diagnostic.kind)));
    // The model takes them as they are.
    if summary.unclear.count > 0 {
        let text = format!("events with a text or a number that the format does not allow: {}", summary.unclear.count);
        list.push(json!({ "text": text, "offset": summary.unclear.first, "lost_bytes": 0 }));
    }
    if left > 0 {
        list.push(json!({ "truncated": left }));
    }
    list.into()
}
