//! The program's threads.

use crate::{
    facts::{Section, scope::Scope, tables::caps},
    keeping::crossing::{
        cells::{Blocked, REASONS},
        doing::Doing,
    },
    terms::{track::State, value::Unit},
    tracks::capability::RUNNING,
};
use ghc_eventlog::{CreateThread, Nanos};

/// What programs and people call the reasons to be blocked, in their order: the words of the text dump, without what they name.
const NAMES: [(&str, &str); REASONS.len()] = [
    ("states_ns.blocked.blocked on an MVar", "Blocked on an MVar"),
    ("states_ns.blocked.blocked reading an MVar", "Blocked reading an MVar"),
    ("states_ns.blocked.blocked in STM retry", "Blocked in STM retry"),
    ("states_ns.blocked.blocked on black hole", "Blocked on a black hole"),
    ("states_ns.blocked.blocked in throwTo", "Blocked in throwTo"),
    ("states_ns.blocked.blocked on threadDelay", "Blocked in threadDelay"),
    ("states_ns.blocked.blocked on I/O read", "Blocked on reading"),
    ("states_ns.blocked.blocked on I/O write", "Blocked on writing"),
    ("states_ns.blocked.blocked on asyncDoProc", "Blocked on asynchronous I/O"),
    ("states_ns.blocked.blocked on I/O completion", "Blocked on I/O completion"),
    ("states_ns.blocked.blocked", "Blocked, no reason given"),
];

pub(super) fn section(scope: &Scope<'_>) -> Option<Section> {
    let threads = scope.model.threads();
    let lacks = scope.known().told().lacks(RUNNING);
    let logged = |number| scope.of_whole(number).filter(|_| lacks.is_none());
    let count = logged(threads.rows().len() as u64).filter(|_| !threads.is_capped());
    let mut section = Section::new("threads", "Threads").stacked().needs(lacks).count(count);
    section.number("count", "Threads", count);
    section.number("created", "Created in the log", logged(scope.events(&[CreateThread::TAG])));
    let all = scope.threads();
    let running = caps::all(scope, RUNNING);
    section.duration("states_ns.running", "Running", all.map_or(running, |all| Some(all.sum.time(Doing::Running))));
    section.duration("states_ns.runnable", "Runnable", all.map(|all| all.sum.time(Doing::Runnable)));
    section.duration("states_ns.foreign", "In foreign calls", all.map(|all| all.sum.time(Doing::Foreign)));
    // In most logs there is no such time.
    let not_known = all.map(|all| all.sum.time(Doing::NotKnown)).filter(|time| *time > Nanos(0));
    if not_known.is_some() {
        section.duration("states_ns.not_known", "Not known: its capability's events end", not_known);
    }
    let blocked = all.map(|all| all.sum.time(Doing::Blocked));
    section.duration("blocked_ns", "Blocked", blocked);
    for ((key, name), time) in NAMES.iter().zip(all.map_or(Blocked::default(), |all| all.blocked)) {
        if time > Nanos(0) {
            section.duration(key, name, time);
        }
    }
    let replayed = scope.known().replayed.as_ref().filter(|_| scope.is_whole());
    if let Some(replayed) = replayed {
        let (latency, count) = (&replayed.lives.latency, replayed.lives.latency.count());
        section.number("latency_ns.count", "Runs after wake-ups", count);
        if count > 0 {
            section.duration("latency_ns.p50", "From wake-up to run, median", latency.at(50).map(Nanos));
            section.duration("latency_ns.p95", "95th percentile", latency.at(95).map(Nanos));
            section.duration("latency_ns.max", "Longest", Nanos(latency.most()));
        }
        let woken = State { name: "from wake-up to run", role: "runnable" };
        section.histogram(
            "latencies",
            "From wake-up to run",
            Unit::Duration,
            &[(woken, replayed.lives.latencies)],
            None,
        );
    }
    if replayed.is_some_and(|replayed| !replayed.is_done) {
        section
            .remark("These are the figures so far: the log has not been gone through to its end for what threads did.");
    }
    if all.is_none() && scope.is_whole() && scope.known().is_finished() {
        section.remark(
            "What threads did besides running is told once the group Threads is unfolded on the timeline: the log is gone through once \
             more for that.",
        );
    }
    if threads.is_capped() {
        section.remark("There are more threads than the table has room for: the later ones have no row.");
    }
    Some(section)
}
