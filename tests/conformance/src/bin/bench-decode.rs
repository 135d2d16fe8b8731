//! `cargo xtask bench decode`: how fast logs are decoded, as ratios from one run.

use conformance::{project, tiled};
use ghc_eventlog::{Chunk, Decoder, Step, Value};
use ghc_eventlog_model::Model;
use std::{
    fs,
    hint::black_box,
    io,
    ops::ControlFlow,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Bytes of each log: enough to make the work that is done once for each log negligible.
const SIZE: usize = 256 << 20;
/// Bytes of the log that both programs dump. The reference holds all of it in memory.
const DUMPED: usize = 16 << 20;
/// Runs of each measurement. The fastest counts, since other load on the machine only makes a run slower.
const RUNS: usize = 5;

/// Kinds of logs, each with the corpus's log that is repeated for it.
const KINDS: [(&str, &str); 3] =
    [("scheduler-heavy", "threaded"), ("spark-heavy", "sparks-full"), ("heap profile", "heap-closure")];

fn main() -> io::Result<()> {
    println!("{:<16} {:<26} {:>9} {:>10} {:>9} {:>7}", "log", "work", "ns/event", "M events/s", "MB/s", "ratio");
    for (kind, case) in KINDS {
        measure(kind, &long(case, SIZE)?);
    }
    dump(&long("threaded", DUMPED)?)
}

/// A corpus log, repeated to about `size` bytes.
fn long(case: &str, size: usize) -> io::Result<Vec<u8>> {
    let log = fs::read(project().join("tests/corpus").join(case).join("log.eventlog"))?;
    Ok(tiled(&log, (size / log.len()) as u64))
}

/// Works on a log; the number of its events.
type Work = fn(&[u8]) -> u64;

fn measure(kind: &str, log: &[u8]) {
    let works =
        [("(a) walk the records", walk as Work), ("(b) visit all fields", visit), ("(c) decode and model", model)];
    let mut best = [f64::MAX; 3];
    let mut events = 0;
    for _ in 0..RUNS {
        for ((_, work), best) in works.iter().zip(&mut best) {
            let start = Instant::now();
            events = black_box(work(black_box(log)));
            *best = best.min(start.elapsed().as_secs_f64());
        }
    }
    for ((name, _), seconds) in works.iter().zip(best) {
        let (per_event, per_second) = (seconds * 1e9 / events as f64, events as f64 / seconds / 1e6);
        let rate = log.len() as f64 / seconds / 1e6;
        let ratio = seconds / best[0];
        println!("{kind:<16} {name:<26} {per_event:>9.2} {per_second:>10.1} {rate:>9.0} {ratio:>6.2}×");
    }
}

fn each(log: &[u8], mut record: impl FnMut(&ghc_eventlog::Record<'_>)) -> u64 {
    let chunk = Chunk { bytes: log, offset: 0, last: true };
    let mut decoder = Decoder::new();
    let mut events = 0;
    loop {
        decoder.each_plain(chunk, u64::MAX, |plain| {
            events += 1;
            record(&plain);
            ControlFlow::Continue(())
        });
        match decoder.next(chunk) {
            Ok(Step::Event(other)) => {
                events += 1;
                record(&other);
            }
            Ok(Step::End) | Err(_) => return events,
            Ok(_) => {}
        }
    }
}

fn walk(log: &[u8]) -> u64 {
    let mut sum = 0u64;
    let events = each(log, |record| sum = sum.wrapping_add(record.time.0 ^ u64::from(record.tag)));
    black_box(sum);
    events
}

fn visit(log: &[u8]) -> u64 {
    let mut sum = 0u64;
    let mut add = |number: u64| sum = sum.wrapping_add(number);
    let events = each(log, |record| {
        record.visit(|_, value| match value {
            Value::Number(number) | Value::Address(number) | Value::Name(_, number) => add(number),
            Value::Time(time) => add(time.0),
            Value::Thread(thread) => add(thread.0.into()),
            Value::Cap(cap) => add(cap.0.into()),
            Value::Capset(capset) => add(capset.0.into()),
            Value::Task(task) => add(task.0),
            Value::Text(text) => add(text.0.len() as u64),
            Value::List(list) => add(list.0.len() as u64),
            Value::Raw(bytes) => add(bytes.len() as u64),
            Value::Stack(stack) => add(stack.depth() as u64),
            Value::Absent => {}
        });
    });
    black_box(sum);
    events
}

fn model(log: &[u8]) -> u64 {
    let mut model = Model::of_size(Some(log.len() as u64));
    log.chunks(2 << 20).for_each(|bytes| model.feed(bytes));
    model.finish();
    black_box(model.bytes_held());
    model.events()
}

/// Compares our dump with the reference's, if that is installed.
fn dump(log: &[u8]) -> io::Result<()> {
    let path = std::env::temp_dir().join(format!("bench-decode-{}.eventlog", std::process::id()));
    fs::write(&path, log)?;
    let ours = project().join("target/release/ghc-eventlog");
    let ours = fastest(&ours, &["show", "--compat", "0.21"], &path)?;
    println!("\n(d) dump of {} MB: ours {:.2} s, {} MB of memory", log.len() >> 20, ours.0, ours.1 >> 10);
    match fastest(&PathBuf::from("ghc-events"), &["show"], &path) {
        Ok(theirs) => println!(
            "    ghc-events: {:.2} s, {} MB of memory: {:.1} times the time, {:.1} times the memory",
            theirs.0,
            theirs.1 >> 10,
            theirs.0 / ours.0,
            theirs.1 as f64 / ours.1 as f64
        ),
        Err(_) => println!("    SKIPPED: ghc-events is not installed (Debian: libghc-ghc-events-dev)"),
    }
    fs::remove_file(path)
}

/// Seconds and KiB of memory of the fastest of three runs.
fn fastest(program: &Path, arguments: &[&str], log: &Path) -> io::Result<(f64, u64)> {
    let runs: io::Result<Vec<_>> = (0..3).map(|_| timed(program, arguments, log)).collect();
    let fastest = runs?.into_iter().min_by(|a, b| a.0.total_cmp(&b.0));
    fastest.ok_or_else(|| io::Error::other("no run"))
}

fn timed(program: &Path, arguments: &[&str], log: &Path) -> io::Result<(f64, u64)> {
    let start = Instant::now();
    let mut child = Command::new(program).args(arguments).arg(log).stdout(Stdio::null()).spawn()?;
    let mut memory = 0;
    while child.try_wait()?.is_none() {
        memory = memory.max(peak_memory(child.id()).unwrap_or(0));
        thread::sleep(Duration::from_millis(2));
    }
    Ok((start.elapsed().as_secs_f64(), memory))
}

/// The most memory that a process has had so far, in KiB; Linux only.
fn peak_memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
