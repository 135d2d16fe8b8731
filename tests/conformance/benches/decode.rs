//! Criterion's view of the same work as `cargo xtask bench decode`, for following one change: `cargo bench -p conformance`.

#![allow(missing_docs, reason = "what Criterion's macros make")]

use conformance::{decode_in_steps, model_in_steps, project, tiled};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::{fs, hint::black_box};

/// Kinds of logs, each with the corpus's log that is repeated for it.
const KINDS: [(&str, &str); 3] =
    [("scheduler-heavy", "threaded"), ("spark-heavy", "sparks-full"), ("heap-profile", "heap-closure")];

fn decode(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("decode");
    for (kind, case) in KINDS {
        let log =
            fs::read(project().join("tests/corpus").join(case).join("log.eventlog")).expect("the corpus is there");
        let log = tiled(&log, (16 << 20) / log.len() as u64);
        group.throughput(Throughput::Bytes(log.len() as u64)).sample_size(20);
        group.bench_with_input(BenchmarkId::new("records", kind), &log, |bencher, log| {
            bencher.iter(|| decode_in_steps(black_box(log), log.len(), |_, record| record.time).events.len());
        });
        group.bench_with_input(BenchmarkId::new("model", kind), &log, |bencher, log| {
            bencher.iter(|| model_in_steps(black_box(log), 2 << 20).events());
        });
    }
    group.finish();
}

criterion_group!(benches, decode);
criterion_main!(benches);
