//! The tracks as a tree: page by page they are the same as all at once, and each is found at its index.

use conformance::arranged;
use conformance::{long_logs, model_in_steps};
use ghc_eventlog::{Block, CapNo, LogWriter, Nanos, RunThread, SparkCounters, StopStatus, StopThread, ThreadId};
use ghc_eventlog_model::{Group, Model, Note, Track, TrackId, limits};

/// A group's tracks, `count` at a time.
fn by_pages(model: &Model, group: &Group, count: usize) -> Vec<Track> {
    (0..group.tracks)
        .step_by(count)
        .flat_map(|from| model.tracks_of(&arranged(model), group.key, from, count))
        .collect()
}

fn agrees(model: &Model, name: &str) {
    let all = model.tracks(&arranged(model));
    let mut before = 0;
    for group in model.groups(&arranged(model)) {
        let own = &all[before..before + group.tracks];
        for count in [1, 3, 256] {
            assert_eq!(by_pages(model, &group, count), own, "{name}: {} by {count}", group.key);
        }
        assert_eq!(model.tracks_of(&arranged(model), group.key, group.tracks, 5), [], "{name}");
        let shapes = group.parts.iter().flat_map(|(shape, count)| std::iter::repeat_n(*shape, *count));
        assert!(shapes.eq(own.iter().map(|track| track.shape.name())), "{name}: {}", group.key);
        for (at, track) in own.iter().enumerate() {
            assert_eq!(track.group, group.name, "{name}");
            assert_eq!(model.place(&arranged(model), track.id), Some((group.key, at)), "{name}");
            assert_eq!(model.track(&arranged(model), track.id).as_ref(), Some(track), "{name}");
        }
        assert!(group.tracks > 0 || group.note.is_none() && group.picture.is_none(), "{name}");
        before += group.tracks;
    }
    assert_eq!(before, all.len(), "{name}");
}

/// While it is read, too.
#[test]
fn pages_are_parts_of_the_whole_and_places_lead_to_tracks() {
    let (mut logs, mut headed) = (0, 0);
    for (name, log) in long_logs() {
        let mut model = Model::of_size(Some(log.len() as u64));
        for piece in log.chunks(log.len() / 3 + 1) {
            model.feed(piece);
            agrees(&model, &name);
        }
        model.finish();
        agrees(&model, &name);
        logs += 1;
        headed += model.groups(&arranged(&model)).iter().filter(|group| group.headed && group.tracks > 1).count();
    }
    assert!(logs > 5 && headed > 5, "{logs} {headed}");
}

/// A log of capabilities in the given order; every third has sparks.
fn of_caps(caps: impl Iterator<Item = u16>) -> Model {
    let mut log = LogWriter::new();
    for cap in caps {
        log.block(Block::of(CapNo(cap)), |block| {
            let thread = ThreadId(1);
            block.event(Nanos(10), RunThread { thread });
            block.event(Nanos(20), StopThread { thread, status: StopStatus(5), info: Some(0) });
            let remaining = if cap % 3 == 0 { u64::from(cap) + 1 } else { 0 };
            let none = SparkCounters::read(&[]);
            block.event(Nanos(30), SparkCounters { remaining, ..none });
        });
    }
    log.end();
    model_in_steps(&log.finish(), 1000)
}

#[test]
fn the_nth_track_is_that_of_the_nth_capability_in_whatever_order_they_came() {
    let count = limits::MAX_CAPS as u16;
    let model = of_caps((0..count).rev().map(|cap| cap * 60));
    agrees(&model, "1024 capabilities");
    let names = |group, from, count| -> Vec<String> {
        model.tracks_of(&arranged(&model), group, from, count).into_iter().map(|track| track.name.for_json()).collect()
    };
    assert_eq!(names("caps", 500, 2), ["Capability 30000", "Capability 30060"]);
    assert_eq!(names("sparks", 1020, 9), ["Cap 61200 pool", "Cap 61260 pool", "Cap 61320 pool", "Cap 61380 pool"]);
    let sparks = &model.groups(&arranged(&model))[6];
    assert_eq!((sparks.key, sparks.tracks, sparks.open), ("sparks", limits::MAX_CAPS, false));
    assert!(matches!(sparks.note, Some(Note::Most(61381, _))), "{:?}", sparks.note);
}

#[test]
fn groups_say_how_they_are_to_be_shown() {
    let shown = |caps| -> Vec<(&str, usize, bool, bool)> {
        let groups = all_groups(&of_caps(0..caps));
        groups.into_iter().map(|group| (group.key, group.tracks, group.headed, group.open)).collect()
    };
    let few = [
        ("activity", 1, false, true),
        ("caps", 8, true, true),
        ("gc", 1, true, true),
        ("heap", 0, true, true),
        ("heap_profile", 0, true, true),
        ("time_profile", 0, true, true),
        ("sparks", 3, true, false),
    ];
    assert_eq!(shown(8)[..7], few);
    assert_eq!(shown(8).last(), Some(&("other", 0, true, true)));
    assert_eq!(shown(9)[1], ("caps", 9, true, false));
    let caps = &all_groups(&of_caps(0..9))[1];
    assert_eq!(caps.picture.as_ref().map(|track| track.id), Some(TrackId::ACTIVITY));
    assert_eq!(caps.note, Some(Note::Share(0.5)));
}

#[test]
fn a_group_without_tracks_names_the_missing_flag_once_the_log_is_read() {
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |block| {
        block.event(Nanos(10), RunThread { thread: ThreadId(1) });
    });
    log.end();
    let log = log.finish();
    let lacks = |model: &Model| {
        let groups = model.groups(&arranged(model));
        groups.iter().take(10).map(|group| group.lacks.and_then(|lacks| lacks.flag)).collect::<Vec<_>>()
    };
    let mut model = Model::new();
    model.feed(&log);
    assert_eq!(lacks(&model), [None; 10], "more may come");
    model.finish();
    // Tasks are logged as threads are: there was none.
    let flags = [None, None, None, Some("-lg"), Some("-l -hT"), Some("-l -p"), Some("-lp"), None, Some("-lu"), None];
    assert_eq!(lacks(&model), flags);
    // Sparks were logged, but there were none.
    let none = of_caps([1].into_iter());
    assert_eq!((all_groups(&none)[6].tracks, all_groups(&none)[6].lacks), (0, None));
}

#[test]
fn a_track_that_does_not_exist_has_no_place() {
    let model = of_caps(0..2);
    for id in [TrackId::capability(CapNo(2)), TrackId::from_number(u64::MAX), TrackId::from_number(1)] {
        assert_eq!((model.track(&arranged(&model), id), model.place(&arranged(&model), id)), (None, None));
    }
    assert_eq!(model.tracks_of(&arranged(&model), "no such group", 0, 5), []);
    assert_eq!(model.tracks_of(&arranged(&model), "caps", usize::MAX, usize::MAX), []);
}

fn all_groups(model: &Model) -> Vec<Group> {
    model.groups(&arranged(model))
}
