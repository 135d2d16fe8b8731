//! The preview's looks into a log that has not been read: where they are, and what they show. Only the bytes that are
//! looked at are generated.

use conformance::arranged;
use ghc_eventlog::{
    Block, CapNo, CreateThread, LogWriter, Nanos, RunThread, StopStatus, StopThread, Text, ThreadId, UserMsg,
};
use ghc_eventlog_model::{Look, Model, Place, TrackId, View, limits};

/// Bytes of the log: sixteen looks.
const BYTES: u64 = 16 * limits::LOOK_DESERVED;

/// Nanoseconds per byte.
const PACE: u64 = 16;

/// How long each block lasts.
const BLOCK: u64 = 1_000_000;

/// A block that begins at an offset, in which a thread runs for `percent` % of the time.
fn block(log: &mut LogWriter, cap: u16, offset: u64, percent: u64) {
    let (from, thread) = (offset * PACE, ThreadId(1));
    log.block(Block::of(CapNo(cap)), |block| {
        block.event(Nanos(from), RunThread { thread });
        let stopped = Nanos(from + BLOCK / 100 * percent);
        block.event(stopped, StopThread { thread, status: StopStatus(3), info: Some(0) });
        block.event(Nanos(from + BLOCK), CreateThread { thread });
    });
}

/// What one capability runs at an offset, in hundredths, if it is seen there.
type Runs = fn(u64) -> Option<u64>;

fn looked_at(runs: &[Runs]) -> (Model, Vec<Look>) {
    let mut start = LogWriter::new();
    (0..).zip(runs).for_each(|(cap, runs)| block(&mut start, cap, 0, runs(0).unwrap_or(50)));
    looked_at_after(start, runs)
}

/// The same for a log that begins like `start`.
fn looked_at_after(start: LogWriter, runs: &[Runs]) -> (Model, Vec<Look>) {
    let mut model = Model::of_size(Some(BYTES));
    model.feed(&start.finish());
    let looks = model.looks(BYTES).unwrap();
    for look in &looks {
        let mut log = LogWriter::empty();
        // It need not begin with a block.
        log.bytes(&[0xee; 77]);
        for (cap, runs) in runs.iter().enumerate() {
            if let Some(percent) = runs(look.offset) {
                block(&mut log, cap as u16, look.offset, percent);
            }
        }
        // Small blocks are seen at the first attempt.
        let log = log.finish();
        let seen = model.look(look.offset, log.get(..look.length as usize).unwrap_or(&log));
        assert_eq!(seen, runs.iter().any(|runs| runs(look.offset).is_some()), "{look:?}");
    }
    (model, looks)
}

/// The share of running in each of `width` pixels up to the log's end, in hundredths; `None` where nothing is known.
fn running(model: &mut Model, track: TrackId, width: usize) -> Vec<Option<u64>> {
    let view = View { from: Nanos(0), to: Nanos(BYTES * PACE), width };
    let plan = model.plan(view).coarse();
    let window = model.window(&arranged(model), &plan, track);
    assert!(!window.exact && window.spans.is_empty());
    let pixel = |shares: &[u8]| {
        let sum: u64 = shares.iter().map(|share| u64::from(*share)).sum();
        (sum > 4).then(|| (u64::from(shares[0]) * 100).div_ceil(255))
    };
    window.shares.chunks(window.states).map(pixel).collect()
}

fn assert_near(found: &[Option<u64>], expected: &[Option<u64>]) {
    let near = |(found, expected): (&Option<u64>, &Option<u64>)| match (found, expected) {
        (Some(found), Some(expected)) => found.abs_diff(*expected) <= 3,
        (found, expected) => found == expected,
    };
    assert!(found.len() == expected.len() && found.iter().zip(expected).all(near), "{found:?}, not {expected:?}");
}

#[test]
fn looks_are_in_the_middle_of_equal_parts_and_at_the_end() {
    let looks = |bytes: u64, read: u64| {
        let mut start = LogWriter::new();
        start.block(Block::of(CapNo(0)), |block| {
            let text = Text(&[b'x'; 1000]);
            for at in 0..read / 1012 {
                block.event(Nanos(at), UserMsg { text });
            }
        });
        let mut model = Model::of_size(Some(bytes));
        assert_eq!(model.looks(bytes), None, "before anything is known");
        model.feed(&start.finish());
        model.looks(bytes).unwrap()
    };
    let worth = limits::LOOKS_WORTH * limits::LOOK_DESERVED;
    assert_eq!(looks(worth - 1, 2000), []);
    for (bytes, count) in [(worth, 4), (worth + 1, 4), (BYTES, 16), (1 << 40, 64)] {
        let found = looks(bytes, 2000);
        let longer = limits::LOOK_LONGER;
        assert_eq!(found[0], Look { offset: bytes - longer, length: longer, longer });
        let middle = |at: u64| Look { offset: bytes / count * at + bytes / count / 2, length: limits::LOOK, longer };
        assert_eq!(found[1..], (0..count).map(middle).collect::<Vec<_>>(), "{bytes}");
    }
    // A block of GHC's largest size begins in the longer one, with a good part of it.
    assert!(looks(BYTES, 2000).iter().all(|look| look.longer >= (2 << 20) + 200_000));
    // Parts that have been read are not looked at.
    let first = worth / 4 / 2;
    assert_eq!(looks(worth, first - 10_000).len(), 5);
    assert_eq!(looks(worth, first + 10_000).len(), 4);
}

#[test]
fn each_look_represents_the_time_around_it() {
    let later = |offset| if offset < BYTES / 2 { 20 } else { 80 };
    let (mut model, looks) = looked_at(&[|offset| Some(if offset < BYTES / 2 { 20 } else { 80 })]);
    assert_eq!(model.ahead(), Some(Nanos(looks[0].offset * PACE + BLOCK)));
    let lane = TrackId::capability(CapNo(0));
    for width in [2, 8, 16] {
        let expected = (0..width).map(|at| Some(later(BYTES / width * at))).collect::<Vec<_>>();
        assert_near(&running(&mut model, lane, width as usize), &expected);
        assert_near(&running(&mut model, TrackId::ACTIVITY, width as usize), &expected);
    }
    // Nothing is drawn where nothing was seen; all is known elsewhere.
    let view = View { from: Nanos(BYTES / 4 * PACE), to: Nanos(BYTES / 2 * PACE), width: 4 };
    let plan = model.plan(view).coarse();
    let window = model.window(&arranged(&model), &plan, lane);
    let mut pixels = window.shares.chunks(window.states);
    assert!(pixels.all(|shares| shares.iter().map(|share| u32::from(*share)).sum::<u32>() >= 254));
    let beyond = View { from: Nanos(BYTES * PACE), to: Nanos(BYTES * PACE * 2), width: 4 };
    let plan = model.plan(beyond).coarse();
    assert!(model.window(&arranged(&model), &plan, lane).shares.iter().all(|share| *share == 0));
    let search =
        model.look_up(&arranged(&model), TrackId::ACTIVITY, Nanos(BYTES / 4 * PACE), Nanos(BYTES / 4 * PACE + BLOCK));
    let Some(Place::Level { running: level, of: 1, .. }) = model.found(&search) else {
        panic!("{:?}", model.found(&search))
    };
    assert!((level - 0.2).abs() < 0.01, "{level}");
    // It is also gone once the user stops the reading.
    model.stop();
    assert_eq!(model.ahead(), None);
    assert_near(&running(&mut model, lane, 8), &[None; 8]);
}

/// Nothing is known of a capability that is not seen within two looks; but the activity of all together has no gaps.
#[test]
fn looks_far_away_do_not_count() {
    let (mut model, _) = looked_at(&[
        |offset| Some(if offset < BYTES / 2 { 10 } else { 30 }),
        |offset| (offset > BYTES / 16 * 12).then_some(50),
    ]);
    let second = running(&mut model, TrackId::capability(CapNo(1)), 16);
    // From two places before the first sight on.
    let expected: Vec<_> = (0..16).map(|at| (at >= 10).then_some(50)).collect();
    assert_near(&second[..10], &expected[..10]);
    assert_near(&second[11..], &expected[11..]);
    let first: Vec<_> = (0..16).map(|at| if at < 8 { Some(10) } else { Some(30) }).collect();
    assert_near(&running(&mut model, TrackId::capability(CapNo(0)), 16), &first);
    // The mean of both, as far as any time is nearest to some sight of them.
    let both: Vec<_> = (0..16).map(|at| if at < 8 { Some(30) } else { Some(40) }).collect();
    assert_near(&running(&mut model, TrackId::ACTIVITY, 16), &both);
}

/// The block at the log's end shows how long the log is. Later times are damaged.
#[test]
fn times_beyond_the_end_are_false() {
    let (mut model, looks) = looked_at(&[|_| Some(40)]);
    let end = model.ahead();
    let mut log = LogWriter::empty();
    block(&mut log, 0, BYTES * 9, 100);
    assert!(!model.look(looks[5].offset, &log.finish()));
    assert_eq!(model.ahead(), end);
    assert_near(&running(&mut model, TrackId::capability(CapNo(0)), 16), &[Some(40); 16]);
}

/// In what all do together: what was done until the end of what has been read goes on half the way to what is seen next.
#[test]
fn the_end_of_what_is_read_represents_the_time_after_it() {
    const READ: u64 = BYTES / 4 * PACE;
    let mut start = LogWriter::new();
    start.block(Block::of(CapNo(0)), |block| {
        let thread = ThreadId(1);
        block.event(Nanos(0), RunThread { thread });
        block.event(Nanos(READ), StopThread { thread, status: StopStatus(3), info: Some(0) });
    });
    let (mut model, looks) = looked_at_after(start, &[|_| Some(0)]);
    let next = looks[1..].iter().map(|look| look.offset * PACE).find(|time| *time > READ).unwrap();
    let view = View { from: Nanos(READ), to: Nanos(READ.midpoint(next) * 2 - READ), width: 2 };
    let plan = model.plan(view).coarse();
    let shares = model.window(&arranged(&model), &plan, TrackId::ACTIVITY).shares;
    assert!(shares[0] > 250 && shares[2] < 5, "{shares:?}");
}
