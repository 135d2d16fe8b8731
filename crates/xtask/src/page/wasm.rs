//! Compiles the page's crates to wasm and makes their bindings: the same as Trunk does for `data-trunk rel="rust"`,
//! without Trunk.

use super::split::Rest;
use crate::run::{Env, run, target, timed};
use crate::rust_std::WASM;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use wasm_bindgen_cli_support::Bindgen;

/// The crates that the page has as wasm.
pub(super) const MODULES: [&str; 3] = ["ghc-eventlog-wasm", "ghc-eventlog-unpack-wasm", "ghc-eventlog-report-wasm"];

/// The crate whose wasm is split.
pub(super) const SPLIT: &str = MODULES[0];

/// What of it the page loads after its start. Facts are not among these: they are in the first report about a log.
pub(super) const REST: Rest = Rest {
    exports: &[
        "log_account",
        "log_call_sample_beside",
        "log_call_samples",
        "log_calls",
        "log_complete",
        "log_count_events",
        "log_event_bytes",
        "log_event_details",
        "log_event_lines_read",
        "log_event_place",
        "log_event_place_found",
        "log_event_read",
        "log_event_rows",
        "log_event_rows_read",
        "log_events_counted",
        "log_feed_names",
        "log_find",
        "log_find_names",
        "log_finding_markdown",
        "log_findings",
        "log_flame",
        "log_forget_names",
        "log_found",
        "log_found_so_far",
        "log_hits",
        "log_hits_in_buckets",
        "log_idle_reasons",
        "log_late_names",
        "log_look_up",
        "log_markdown",
        "log_neighbour",
        "log_query_fault",
        "log_range",
        "log_requests",
        "log_rows_named",
        "log_table",
        "log_take_names",
        "log_take_range",
        "log_why_idle",
        "log_woken",
    ],
    paths: &[
        "asking::events::<impl",
        "asking::events::EventRows",
        "asking::events::count",
        "asking::events::details",
        "asking::events::each_chosen",
        "asking::events::event_at",
        "asking::events::fields",
        "asking::events::in_time",
        "asking::events::kept",
        "asking::events::listing::cells",
        "asking::events::listing::columns",
        "asking::events::listing::line",
        "asking::events::listing::quoted",
        "asking::events::listing::text",
        "asking::events::near",
        "asking::events::part",
        "asking::events::row_parts",
        "asking::events::wish",
        "asking::find",
        "asking::lookup",
        "asking::named_rows",
        "asking::query",
        "asking::range",
        "asking::spans_in_range",
        "facts::flame",
        "facts::idle",
        "facts::markdown",
        "facts::table::Table>::row",
        "facts::table::Table>::track",
        "facts::table::order",
        "facts::tables::ticky::of_json",
        "findings::",
        // Decimal fractions in sentences.
        "float_to_decimal",
        "ghc_eventlog_text::body",
        "names::late::<impl ghc_eventlog_model::profiles::Profiles>::define_counter_late",
        "names::late::<impl ghc_eventlog_model::profiles::Profiles>::define_late",
        "names::late::<impl ghc_eventlog_model::profiles::Profiles>::forget_unused",
        "num::flt2dec",
        "reading::late_names",
        "reading::other_log",
        "regex_lite",
        "tracks::few::beside",
        "tracks::kind::Tracks>::beside",
        // What makes room in very large logs: needed rarely, and late.
        "BlackHoleWaits::forget_short_waits",
        "CapLives::forget_short_stretches",
        "DeclaredInstruments::keep_most",
        "FoldedLabels::fold",
        "FoldedLabels::moved",
        "KeptSpans::drop_short",
        "Labels::firsts_of_families",
        "Labels::add_family",
        "MarkerStore::forget_rare",
        "Missed::forget_lightest",
        "MissedLabels::forget_lightest",
        "NumberedWords::keep_most",
        "OtherNumbers::forget_half",
        "Replayed::break_all",
        "Rowless::spend",
        "SpanParts::make_room",
        "Tally::make_room",
        "TaskStore::forget_short_tasks",
        "Texts::shorten",
        "Threads>::drop_light",
        "TickyCounters::forget_light",
        "TimeProfile::forget_threads",
        "TimeProfile::prune",
        "keeping::heaviest",
        "known::spans_read::SpanReading",
        "threads::heavy::heaviest",
        "tree::prune::<impl ghc_eventlog_model::profiles::tree::StackTree>::prune",
    ],
};

/// How the wasm is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    /// Quickly, for trying the page, and for the tests. `[profile.page]` in Cargo.toml.
    Page,
    /// Optimised as a whole, for the published page and for benchmarks.
    Release,
}

impl Profile {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Release => "release",
        }
    }
}

/// The path of a crate's wasm in a page.
pub(super) fn path(page: &Path, module: &str) -> PathBuf {
    page.join(format!("wasm/{module}_bg.wasm"))
}

/// The path of the part of the wasm that is split off.
pub(super) fn rest_path(page: &Path) -> PathBuf {
    page.join(format!("wasm/{SPLIT}_rest.wasm"))
}

/// Compiles the crates, and writes wasm and bindings to `wasm/` in a page.
///
/// # Errors
/// When the compiler fails, or the bindings cannot be made from its output.
pub(super) fn make(env: &Env, profile: Profile, page: &Path) -> Result<()> {
    let name = profile.name();
    timed(&format!("cargo build --profile {name} --target {WASM}"), "decoder and model as wasm", || {
        // One by one, as Trunk does. Together, each crate would get the features of packages that any of them asks for.
        MODULES.iter().try_for_each(|module| {
            let mut cargo = env.command("cargo")?;
            run(cargo.args(["build", "--lib", "--quiet", "--profile", name, "--target", WASM, "--package", module]))
        })
    })?;
    timed("wasm-bindgen", "how scripts call it", || {
        MODULES.iter().try_for_each(|module| bind(&compiled(module, profile), module, &page.join("wasm")))
    })
}

/// The path of a crate's compiled wasm.
fn compiled(module: &str, profile: Profile) -> PathBuf {
    target().join(WASM).join(profile.name()).join(format!("{}.wasm", module.replace('-', "_")))
}

fn bind(wasm: &Path, module: &str, folder: &Path) -> Result<()> {
    let mut bindgen = Bindgen::new();
    // As wasm-bindgen's command does, which Trunk calls.
    bindgen.input_path(wasm).out_name(module).typescript(true).omit_default_module_path(false).web(true)?;
    bindgen.generate(folder).with_context(|| format!("the bindings of {}", wasm.display()))?;
    // Only the bindings import the wasm, so its own types are not needed.
    let types = folder.join(format!("{module}_bg.wasm.d.ts"));
    fs::remove_file(&types).with_context(|| types.display().to_string())
}
