//! How long sparks ran, in logs whose threads move to other capabilities while they evaluate one: the blocks of capabilities are in any
//! order in a file, and runs are the same for all of them.

use conformance::{model_in_steps, replay_within};
use ghc_eventlog::{
    Block, CapNo, CapsetId, LogWriter, Nanos, OsProcessPid, RtsIdentifier, RunThread, SparkRun, SparkSteal, StopStatus,
    StopThread, Text, ThreadId,
};
use ghc_eventlog_model::{Dated, Level, Model, Value};

const CAPS: usize = 3;

/// What a capability logs.
#[derive(Debug, Clone, Copy)]
enum Logged {
    Run(ThreadId),
    Stop(ThreadId, u16),
    Spark,
    Steal,
}

const YIELDING: u16 = 3;
const FINISHED: u16 = 5;

/// What capabilities log, each in order of time, and how long sparks run by that.
#[derive(Default)]
struct Program {
    by_cap: [Vec<(u64, Logged)>; CAPS],
    /// Sorted.
    runs: Vec<u64>,
}

impl Program {
    /// Threads that take sparks, yield, go on anywhere and finish, by chance.
    fn by_chance(random: &mut fastrand::Rng) -> Self {
        let mut program = Self::default();
        let mut running: [Option<u32>; CAPS] = [None; CAPS];
        let mut waiting: Vec<u32> = (1..=5).collect();
        let mut sparks: [Option<u64>; 6] = [None; 6];
        for time in 1..600 {
            let cap = random.usize(..CAPS);
            let logged = match running[cap] {
                None if waiting.is_empty() => continue,
                None => {
                    let thread = waiting.swap_remove(random.usize(..waiting.len()));
                    running[cap] = Some(thread);
                    Logged::Run(ThreadId(thread))
                }
                Some(thread) => {
                    let spark = &mut sparks[thread as usize];
                    match random.usize(..10) {
                        0..5 => {
                            program.runs.extend(spark.replace(time).map(|begun| time - begun));
                            if random.bool() { Logged::Spark } else { Logged::Steal }
                        }
                        5..9 => {
                            running[cap] = None;
                            waiting.push(thread);
                            Logged::Stop(ThreadId(thread), YIELDING)
                        }
                        _ => {
                            program.runs.extend(spark.take().map(|begun| time - begun));
                            running[cap] = None;
                            Logged::Stop(ThreadId(thread), FINISHED)
                        }
                    }
                }
            };
            program.by_cap[cap].push((time, logged));
        }
        program.runs.sort_unstable();
        program
    }

    /// A log of it whose blocks have up to `most` events each, in an order by chance: only those of one capability are in order.
    fn log(&self, random: &mut fastrand::Rng, most: usize) -> Vec<u8> {
        let mut log = LogWriter::new();
        let mut left = self.by_cap.each_ref().map(|events| &events[..]);
        while left.iter().any(|events| !events.is_empty()) {
            let cap = random.usize(..CAPS);
            let (block, later) = left[cap].split_at(random.usize(..=most.min(left[cap].len())));
            left[cap] = later;
            log.block(Block::of(CapNo(cap as u16)), |log| {
                for (time, logged) in block {
                    let time = Nanos(*time);
                    match *logged {
                        Logged::Run(thread) => log.event(time, RunThread { thread }),
                        Logged::Stop(thread, status) => {
                            log.event(time, StopThread { thread, status: StopStatus(status), info: Some(0) })
                        }
                        Logged::Spark => log.event(time, SparkRun {}),
                        Logged::Steal => log.event(time, SparkSteal { victim: CapNo(1) }),
                    };
                }
            });
        }
        log.end();
        log.finish()
    }
}

fn model_of(log: &[u8], bytes: usize) -> Model {
    let mut model = model_in_steps(log, 1 << 20);
    assert!(replay_within(&mut model, log, bytes));
    model
}

/// How many runs ended, and the longest one.
fn runs(model: &Model) -> (Option<u64>, Option<Dated<Nanos>>) {
    let sparks = model.typed_facts(None).sparks;
    (sparks.runs, sparks.longest_run)
}

#[test]
fn any_order_of_blocks_and_any_room_give_the_same_runs() {
    let random = &mut fastrand::Rng::with_seed(35);
    for _ in 0..30 {
        let program = Program::by_chance(random);
        let mut all = Vec::new();
        for (most, bytes) in [(1000, 1 << 20), (5, 1 << 20), (40, 1), (3, 500)] {
            let model = model_of(&program.log(random, most), bytes);
            let histograms = model.facts(None).section("sparks").unwrap().histograms.clone();
            assert_eq!(histograms.len(), 1);
            all.push((runs(&model), histograms, model.typed_facts(None).sparks.run_p50));
        }
        let ((count, longest), _, p50) = &all[0];
        assert_eq!(*count, Some(program.runs.len() as u64));
        assert_eq!(longest.map(|longest| longest.value.0), program.runs.last().copied());
        assert!(p50.is_some());
        assert!(all.iter().all(|other| *other == all[0]), "{all:?}");
    }
}

/// As GHC 9.6 was seen to write it: the block with the end of a spark comes before the block in which its thread began it.
fn moved() -> Vec<u8> {
    const MS: u64 = 1_000_000;
    let stop = |thread, status| StopThread { thread, status: StopStatus(status), info: Some(0) };
    let (long, short) = (ThreadId(7), ThreadId(8));
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |log| {
        log.event(Nanos(MS), RunThread { thread: short }).event(Nanos(MS), SparkRun {});
        log.event(Nanos(6 * MS), SparkRun {}).event(Nanos(11 * MS), stop(short, FINISHED));
        log.event(Nanos(50 * MS), RunThread { thread: long }).event(Nanos(400 * MS), stop(long, FINISHED));
    });
    log.block(Block::of(CapNo(1)), |log| {
        log.event(Nanos(MS), RunThread { thread: long }).event(Nanos(2 * MS), SparkSteal { victim: CapNo(0) });
        log.event(Nanos(49 * MS), stop(long, YIELDING));
    });
    log.end();
    log.finish()
}

#[test]
fn a_spark_ends_on_another_capability_whose_block_comes_first() {
    let log = moved();
    let model = model_of(&log, 1 << 20);
    let longest = Dated { value: Nanos(398_000_000), at: Some(Nanos(2_000_000)) };
    assert_eq!(runs(&model), (Some(3), Some(longest)));
    let findings = model.findings();
    assert_eq!(findings.get("sparks-uneven").unwrap().level, Level::Warning);
    let before = model_in_steps(&log, 1 << 20).findings();
    assert_eq!(before.get("sparks-uneven").unwrap().level, Level::Waiting);
}

/// A thread takes a spark and goes on in the next stream of the file: as the thread of another process with its number, or as the
/// same thread, of which nothing is known in between.
#[test]
fn no_spark_runs_on_into_another_stream_of_the_file() {
    let thread = ThreadId(7);
    let stream = |pid: u32, from: u64| {
        let mut log = LogWriter::new();
        log.block(Block::GLOBAL, |log| {
            log.event(Nanos(from), OsProcessPid { capset: CapsetId(0), pid });
        });
        log.block(Block::of(CapNo(0)), |log| {
            let stop = |status| StopThread { thread, status: StopStatus(status), info: Some(0) };
            log.event(Nanos(from + 10), RunThread { thread }).event(Nanos(from + 20), SparkRun {});
            log.event(Nanos(from + 50), SparkRun {}).event(Nanos(from + 60), stop(YIELDING));
        });
        log.end();
        log.finish()
    };
    for next in [1, 2] {
        let log = [stream(1, 1000), stream(next, 2000)].concat();
        let longest = Dated { value: Nanos(30), at: Some(Nanos(1020)) };
        assert_eq!(runs(&model_of(&log, 1 << 20)), (Some(2), Some(longest)), "process {next}");
    }
}

/// What threads do was not logged for a while (GHC 10): any of them may have started sparks then.
#[test]
fn no_spark_runs_through_a_pause() {
    const MS: u64 = 1_000_000;
    let [waits, other] = [7, 8].map(ThreadId);
    let stop = |thread, status| StopThread { thread, status: StopStatus(status), info: Some(0) };
    let of = |runtime: &str| {
        let mut log = LogWriter::new();
        log.block(Block::GLOBAL, |log| {
            log.event(Nanos(0), RtsIdentifier { capset: CapsetId(0), text: Text(runtime.as_bytes()) });
        });
        log.block(Block::of(CapNo(0)), |log| {
            log.event(Nanos(MS), RunThread { thread: waits }).event(Nanos(2 * MS), SparkRun {});
            log.event(Nanos(3 * MS), stop(waits, YIELDING)).event(Nanos(4 * MS), RunThread { thread: other });
            // Here the class is switched off.
            log.event(Nanos(40 * MS), RunThread { thread: waits }).event(Nanos(41 * MS), SparkRun {});
            log.event(Nanos(45 * MS), stop(waits, FINISHED));
        });
        log.end();
        let log = log.finish();
        runs(&model_of(&log, 1 << 20))
    };
    let whole = Dated { value: Nanos(39 * MS), at: Some(Nanos(2 * MS)) };
    assert_eq!(of("GHC-9.10.3 rts_thr"), (Some(2), Some(whole)), "no class can be switched off");
    let known = Dated { value: Nanos(4 * MS), at: Some(Nanos(41 * MS)) };
    assert_eq!(of("GHC-10.0.1 rts_thr"), (Some(1), Some(known)));
}

/// Bytes within a run of a thread are no events: it may have started other sparks there.
#[test]
fn no_spark_runs_through_damage() {
    let thread = ThreadId(7);
    let of = |damage: &[u8]| {
        let mut log = LogWriter::new();
        log.block(Block::of(CapNo(0)), |log| {
            log.event(Nanos(10), RunThread { thread }).event(Nanos(20), SparkRun {}).event(Nanos(50), SparkRun {});
            log.bytes(damage);
            log.event(Nanos(80), SparkRun {}).event(Nanos(90), SparkRun {});
            log.event(Nanos(95), StopThread { thread, status: StopStatus(FINISHED), info: Some(0) });
        });
        log.end();
        log.finish()
    };
    assert_eq!(runs(&model_of(&of(&[]), 1 << 20)).0, Some(4));
    let model = model_of(&of(&[0xee; 100]), 1 << 20);
    let (count, longest) = runs(&model);
    assert!(count < Some(4), "{count:?}");
    assert_eq!(longest.map(|longest| longest.value), Some(Nanos(30)));
    let figure = |key| model.facts(None).section("sparks").unwrap().get(key).unwrap().value.clone();
    assert_eq!(figure("run_ns.max"), Value::Duration(Nanos(30)));
}
