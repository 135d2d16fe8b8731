//! The keys of the sections, and the tables that lists come from.

/// The value of a top-level key.
pub(super) enum Part {
    /// The figures of the section with that name, by their keys, and the lists among them.
    Section(&'static [&'static str], &'static [(&'static str, List)]),
    /// The rows of a table of that section.
    Rows(List),
    /// The rows of a table of another section: empty if that section has none.
    RowsOf(&'static str, List),
}

/// A list of rows.
pub(super) struct List {
    /// The table that they come from; null if the model does not have it.
    pub(super) table: &'static str,
    /// The column by which the rows are sorted, the largest first; empty for the table's own order.
    pub(super) most: &'static str,
    pub(super) columns: &'static [&'static str],
    /// If it is cut short: lists of the same with the largest values of other columns.
    pub(super) also: &'static [(&'static str, &'static str)],
}

/// The most items of each of these lists.
pub(super) const MOST_ALSO: usize = 100;

/// The rows of a table, in its own order.
const fn rows(table: &'static str, columns: &'static [&'static str]) -> List {
    List { table, most: "", columns, also: &[] }
}

/// All keys, in order.
pub(super) const PARTS: &[(&str, Part)] = &[
    (
        "caps",
        Part::Rows(rows(
            "caps",
            &[
                "cap",
                "running_ns",
                "gc_working_ns",
                "gc_wait_ns",
                "gc_sync_ns",
                "census_ns",
                "disabled_ns",
                "idle_ns",
                "log_writing_ns",
                "created_ns",
                "deleted_ns",
                "allocated_bytes",
                "sparks.created",
                "sparks.dud",
                "sparks.overflowed",
                "sparks.converted",
                "sparks.gcd",
                "sparks.fizzled",
                "sparks.remaining",
            ],
        )),
    ),
    (
        "low_use",
        Part::RowsOf(
            "caps",
            rows("low_use", &["from_ns", "duration_ns", "running", "unused_ns", "reason", "reason_share"]),
        ),
    ),
    (
        "gc",
        Part::Section(
            &[
                "count",
                "elapsed_ns",
                "pause_ns.p50",
                "pause_ns.p95",
                "pause_ns.p99",
                "pause_ns.max",
                "sync_ns",
                "balance",
                "requests.seq",
                "requests.par",
            ],
            &[
                (
                    "generations",
                    rows("generations", &["generation", "count", "parallel", "elapsed_ns", "max_ns", "copied_bytes"]),
                ),
                (
                    "last_to_stop",
                    rows(
                        "last_to_stop",
                        &["cap", "thread", "label", "why", "count", "total_ns", "max_ns", "max_at_ns"],
                    ),
                ),
            ],
        ),
    ),
    ("nonmoving", Part::Section(&["marks", "mark_ns", "syncs", "sync_ns", "sweeps", "sweep_ns", "flushes"], &[])),
    (
        "heap",
        Part::Section(
            &[
                "max_live_bytes",
                "last_live_bytes",
                "max_size_bytes",
                "max_blocks_bytes",
                "returned_mblocks",
                "allocated_bytes",
                "allocated_bytes_per_s",
            ],
            &[],
        ),
    ),
    (
        "threads",
        Part::Section(
            &["count", "states_ns.running", "states_ns.runnable", "states_ns.foreign", "states_ns.blocked.{}"],
            &[(
                "top",
                List {
                    table: "threads",
                    most: "running_ns",
                    columns: &[
                        "thread",
                        "label",
                        "running_ns",
                        "runnable_ns",
                        "blocked_ns",
                        "foreign_ns",
                        "created_ns",
                        "finished_ns",
                        "runs",
                        "migrations",
                    ],
                    also: &[
                        ("longest.blocked", "blocked_ns"),
                        ("longest.runnable", "runnable_ns"),
                        ("longest.foreign", "foreign_ns"),
                    ],
                },
            )],
        ),
    ),
    (
        "sparks",
        Part::Section(
            &[
                "created",
                "dud",
                "overflowed",
                "converted",
                "gcd",
                "fizzled",
                "remaining",
                "run_ns.count",
                "run_ns.p50",
                "run_ns.p95",
                "run_ns.max",
            ],
            &[],
        ),
    ),
    (
        "spans",
        Part::Rows(rows(
            "spans",
            &["label", "count", "total_ns", "self_ns", "mean_ns", "max_ns", "p95_ns", "without_gc_ns", "unfinished"],
        )),
    ),
    ("instruments", Part::RowsOf("messages", rows("instruments", &["name", "kind", "values", "last", "max"]))),
    ("messages", Part::Section(&["user", "log", "binary"], &[("markers", rows("markers", &["text", "count"]))])),
    (
        "heap_profile",
        Part::Section(
            &["breakdown", "censuses"],
            &[
                ("bands", rows("bands", &["name", "max_bytes", "last_bytes", "mean_bytes", "integral_byte_ns"])),
                ("cost_centres", rows("heap_cost_centres", &["name", "module", "source", "self_bytes", "total_bytes"])),
            ],
        ),
    ),
    (
        "time_profile",
        Part::Section(
            &["samples", "tick_ns"],
            &[
                ("cost_centres", rows("cost_centres", &["name", "module", "source", "self_samples", "total_samples"])),
                ("modules", rows("modules", &["module", "self_samples", "total_samples"])),
                ("stacks", rows("stacks", &["stack", "samples"])),
                ("sampled_threads", rows("sampled_threads", &["thread", "label", "samples"])),
            ],
        ),
    ),
    ("ticky", Part::Rows(rows("ticky", &["id", "name", "arity", "entries", "allocs", "allocd"]))),
    ("tasks", Part::Section(&["created", "deleted"], &[])),
    ("events", Part::Rows(rows("events", &["number", "name", "count"]))),
];

/// What is told of each instance of a label.
pub(super) const REQUESTS: Part = Part::Section(
    &["label", "count", "unfinished", "total_ns"],
    &[
        ("against_median", rows("slowest_request", &["what", "median_ns", "slowest_ns", "more_ns"])),
        (
            "instances",
            rows(
                "requests",
                &[
                    "from_ns",
                    "duration_ns",
                    "number",
                    "thread",
                    CAPS,
                    "running_ns",
                    "collecting_ns",
                    "blocked_ns",
                    "runnable_ns",
                    "foreign_ns",
                    "allocated_bytes",
                    "capability_changes",
                    "self_ns",
                    NESTED,
                ],
            ),
        ),
    ],
);

/// The column of spans within others, which is an object here: their times in nanoseconds by label.
pub(super) const NESTED: &str = "nested";

/// The column of an instance's capabilities, which is a list of numbers here.
pub(super) const CAPS: &str = "caps";
