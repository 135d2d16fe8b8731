//! Live data over time, and what is said of it.

use super::*;
use crate::findings::{
    Level,
    testing::{MS, Play, finding},
};
use alloc::string::String;

fn level(times: u64, bytes: fn(u64) -> u64) -> Level {
    let of_time = |play: Play, at: u64| play.run(0, 7, 50 * MS).major(0, MS).bytes(0, "HEAP_LIVE", bytes(at));
    finding(HeapGrows::ID, Play::caps(1).each_of(times, of_time)).level
}

#[test]
fn a_leak_is_found_and_what_comes_and_goes_is_not() {
    assert_eq!(level(40, |at| at << 20), Level::Warning);
    assert_eq!(level(40, |at| if at < 10 { at << 20 } else { 10 << 20 }), Level::Fine);
    assert_eq!(level(40, |at| (at % 8) << 20), Level::Fine);
    assert_eq!(level(40, |at| at << 10), Level::Fine);
    assert_eq!(level(2, |at| at << 20), Level::NotApplicable);
}

/// What grows for most of the log is told even if the program lets go of it later.
#[test]
fn what_is_let_go_of_in_the_end_is_found_but_no_warning() {
    assert_eq!(level(40, |at| if at < 39 { at << 20 } else { 0 }), Level::Warning, "the last collection");
    assert_eq!(level(40, |at| if at < 30 { at << 20 } else { 1 << 20 }), Level::Info);
    assert_eq!(level(40, |at| if at < 30 { at << 20 } else { (1 << 20) + at % 3 * 500_000 }), Level::Info, "nearly");
    assert_eq!(level(40, |at| if at < 30 { at << 20 } else { (3 * (39 - at)) << 20 }), Level::Info, "bit by bit");
    assert_eq!(level(40, |at| (at % 30) << 20), Level::Fine, "it begins anew");
    assert_eq!(level(40, |at| if at < 15 { at << 20 } else { 1 << 20 }), Level::NotApplicable, "for too short a time");
    assert_eq!(level(40, |at| if at < 30 { at << 20 } else { 20 << 20 }), Level::Fine, "most of it stays");
    let of_time = |play: Play, at: u64| {
        let bytes = if at < 30 { at << 20 } else { 1 << 20 };
        play.run(0, 7, 50 * MS).major(0, MS).bytes(0, "HEAP_LIVE", bytes)
    };
    let found = finding(HeapGrows::ID, Play::caps(1).each_of(40, of_time));
    assert!(found.text.text(Nanos(0)).ends_with("Then the program lets go of it."), "{found:?}");
    assert!(found.evidence.iter().all(|evidence| evidence.to < Nanos(31 * 51 * MS)), "{found:?}");
}

#[test]
fn the_bands_that_grow_most_are_named() {
    let of_time = |play: Play, at: u64| {
        let play = play.run(0, 7, 50 * MS).major(0, MS).bytes(0, "HEAP_LIVE", (10 + at) << 20);
        let play = play.event(0, "HEAP_PROF_SAMPLE_BEGIN", &[("number", at)]);
        let bands = [("Steady", 9), ("Map", at), ("List", 2 * at), ("Shrinks", 90 - at), ("Little", at / 8)];
        bands.into_iter().fold(play, |play, (label, mib)| play.band(0, label, mib << 20))
    };
    let text = finding(HeapGrows::ID, Play::caps(1).each_of(40, of_time)).text.text(Nanos(0));
    let (_, named) = text.split_once(" Of the heap profile, ").expect(&text);
    let [first, second] = [named.find("List grows most, by"), named.find(", then Map, by")];
    assert!(first == Some(0) && second.is_some() && !named.contains("Shrinks") && !named.contains("Little"), "{text}");
    let plain = |play: Play, at: u64| play.run(0, 7, 50 * MS).major(0, MS).bytes(0, "HEAP_LIVE", at << 20);
    let text = finding(HeapGrows::ID, Play::caps(1).each_of(40, plain)).text.text(Nanos(0));
    assert!(!text.contains("heap profile") && text.ends_with("in all."), "{text}");
}

/// A copying collector waits until live data has doubled: of a linear leak there are few collections, each twice as late as the one
/// before; and one at the end of the program, which has let go of everything.
#[test]
fn a_linear_leak_of_five_collections_is_found() {
    let level = |ends_at: u64, leaks: bool| {
        let play = [30, 60, 120, 240, 480].into_iter().fold(Play::caps(1), |play, at: u64| {
            let live = if leaks { at << 18 } else { 50 << 20 };
            play.at(at * MS).run(0, 7, MS).major(0, MS).bytes(0, "HEAP_LIVE", live)
        });
        finding(HeapGrows::ID, play.at(ends_at * MS).run(0, 7, MS).major(0, MS).bytes(0, "HEAP_LIVE", 1000)).level
    };
    assert_eq!([level(940, true), level(940, false)], [Level::Warning, Level::Fine]);
    assert_eq!(level(1400, true), Level::NotApplicable, "nothing is known of most of the log");
}

/// Live data that is found by 40 collections, one every 51 ms.
fn found(bytes: impl Fn(u64) -> u64) -> (Level, String) {
    let of_time = |play: Play, at: u64| play.run(0, 7, 50 * MS).major(0, MS).bytes(0, "HEAP_LIVE", bytes(at));
    let finding = finding(HeapGrows::ID, Play::caps(1).each_of(40, of_time));
    (finding.level, finding.text.text(Nanos(0)))
}

const MIB: u64 = 1 << 20;

/// Up to 2 MiB, by a number, without any pattern.
fn noise(at: u64) -> u64 {
    ((at * 2_654_435_761) >> 7) % (2 * MIB)
}

#[test]
fn why_it_cannot_be_told_is_said_with_the_most_there_was() {
    let (level, text) = found(|at| if at < 15 { at << 20 } else { 1 << 20 });
    let begin = "Live data is 14.0 MiB at most, at ";
    assert!(
        level == Level::NotApplicable && text.starts_with(begin) && text.contains("too early in the log"),
        "{text}"
    );
}

#[test]
fn a_leak_that_begins_later_is_found_from_there_on() {
    let flat_then = |begin: u64, growth: u64| move |at: u64| (3 << 20) + noise(at) + at.saturating_sub(begin) * growth;
    for begin in [12, 20, 28, 34] {
        let (level, text) = found(flat_then(begin, 4 * MIB));
        assert_eq!(level, Level::Warning, "{begin}: {text}");
    }
    let (_, text) = found(flat_then(20, 4 * MIB));
    // The collection in which it has just begun, or one next to it: each takes 51 ms, and 4 MiB in that time are 78 MiB in a second.
    assert!(["1.071", "1.122"].iter().any(|from| text.contains(&alloc::format!("from {from}"))), "{text}");
    assert!(["77.", "78.", "79."].iter().any(|rate| text.contains(&alloc::format!("by {rate}"))), "{text}");
    // What came and went before, with the largest at the begin of the program.
    assert_eq!(found(|at| if at < 3 { 90 * MIB } else { flat_then(20, 4 * MIB)(at) + at % 4 * MIB }).0, Level::Warning);
    // The program lets go of it as it ends, but not before that.
    assert_eq!(found(|at| if at < 39 { flat_then(20, 4 * MIB)(at) } else { MIB }).0, Level::Warning);
    let (level, text) = found(|at| if at < 36 { flat_then(20, 4 * MIB)(at) } else { MIB });
    assert_eq!(
        (level, &*text),
        (Level::Fine, "Live data does not grow steadily: it is between 1.00 MiB and 63.2 MiB.")
    );
}

/// Where the last of the collections finds a little less than one before it.
#[test]
fn a_leak_is_found_although_each_collection_finds_a_little_more_or_less() {
    for seed in 0..20 {
        let noise = |at: u64| noise(at + 1000 * seed);
        for begin in [0, 20, 28] {
            let (level, text) = found(|at| 3 * MIB + 2 * noise(at) + at.saturating_sub(begin) * 3 * MIB);
            assert_eq!(level, Level::Warning, "{begin} {seed}: {text}");
        }
        assert_eq!(found(|at| 60 * MIB + 5 * noise(at)).0, Level::Fine, "{seed}");
    }
}

#[test]
fn what_grows_later_and_is_no_leak_is_fine() {
    let fine = |name: &str, bytes: fn(u64) -> u64| {
        let (level, text) = found(bytes);
        assert_eq!(level, Level::Fine, "{name}: {text}");
    };
    fine("a step", |at| noise(at) + if at < 20 { 0 } else { 50 * MIB });
    fine("two steps", |at| noise(at) + at / 14 * 50 * MIB);
    fine("a step that takes a while", |at| noise(at) + (at.clamp(20, 26) - 20) * 10 * MIB);
    fine("a ramp to a plateau", |at| noise(at) + (at.clamp(15, 28) - 15) * 10 * MIB);
    fine("the same at the begin", |at| noise(at) + at.min(14) * 10 * MIB);
    fine("too late for a tenth of the log", |at| noise(at) + at.saturating_sub(36) * 20 * MIB);
    fine("teeth", |at| noise(at) + at % 10 * 5 * MIB);
    fine("no two teeth of one height", |at| noise(at) + at % 10 * [5, 4, 5, 6][(at / 10) as usize % 4] * MIB);
    fine("too little", |at| noise(at) / 8 + at.saturating_sub(20) * MIB / 4);
}

/// A line through few points fits well by chance.
#[test]
fn a_leak_that_begins_later_takes_five_collections() {
    let level = |late: &[u64]| {
        let early = Play::caps(1)
            .each_of(10, |play: Play, at| play.at(at * 100 * MS).run(0, 7, MS).major(0, MS).bytes(0, "HEAP_LIVE", MIB));
        let of_time = |play: Play, at: &u64| {
            play.at(at * MS).run(0, 7, MS).major(0, MS).bytes(0, "HEAP_LIVE", (at - 1000) * MIB / 16)
        };
        let play = late.iter().fold(early, of_time);
        finding(HeapGrows::ID, play.at(2000 * MS).run(0, 7, MS).major(0, MS).bytes(0, "HEAP_LIVE", 1000)).level
    };
    assert_eq!(level(&[1030, 1060, 1120, 1240, 1480, 1900]), Level::Warning);
    assert_eq!(level(&[1480, 1900]), Level::Fine);
}

#[test]
fn only_bands_that_grow_in_that_time_are_named() {
    let of_time = |play: Play, at: u64| {
        let late = at.saturating_sub(20);
        let play = play.run(0, 7, 50 * MS).event(0, "HEAP_PROF_SAMPLE_BEGIN", &[("number", at)]);
        let bands = [("Early", at.min(20)), ("Late", 1 + 4 * late), ("Shrinks", 20 - at.min(20))];
        let play = bands.into_iter().fold(play, |play, (label, mib)| play.band(0, label, mib * MIB));
        play.major(0, MS).bytes(0, "HEAP_LIVE", (21 + 4 * late) * MIB)
    };
    let text = finding(HeapGrows::ID, Play::caps(1).each_of(40, of_time)).text.text(Nanos(0));
    let (_, named) = text.split_once(" Of the heap profile, ").expect(&text);
    assert!(named.starts_with("Late grows most, by 78.4 MiB each second."), "{text}");
}
