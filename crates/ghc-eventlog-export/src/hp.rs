//! `.hp`: the format that the runtime writes with `+RTS -h` and hp2ps reads.
//!
//! ```text
//! JOB "prog +RTS -hT"
//! DATE "Mon Nov 23 02:00 2026"
//! SAMPLE_UNIT "seconds"
//! VALUE_UNIT "bytes"
//! BEGIN_SAMPLE 0.100000
//! Maybe    42
//! END_SAMPLE 0.100000
//! ```

use crate::bands::Form;
use ghc_eventlog_model::{LogText, Model};

pub(crate) const FORM: Form = Form { head, begin, name: LogText::for_hp, band, end };

fn head(model: &Model, title: &LogText<'_>, out: &mut String) {
    let process = model.process();
    let job = if process.args.is_empty() { title.clone() } else { LogText::joined(&process.args, " ") };
    let date = model.typed_facts(None).process.started.unwrap_or_default();
    let units = [("SAMPLE_UNIT", "seconds".into()), ("VALUE_UNIT", "bytes".into())];
    for (key, value) in [("JOB", job), ("DATE", date)].into_iter().chain(units) {
        let value = value.for_hp_head();
        out.push_str(&format!("{key} \"{value}\"\n"));
    }
}

fn begin(time: u64, out: &mut String) {
    out.push_str(&format!("BEGIN_SAMPLE {}\n", seconds(time)));
}

fn band(_: u64, name: &str, bytes: u64, out: &mut String) {
    out.push_str(&format!("{name}\t{bytes}\n"));
}

fn end(time: u64, out: &mut String) {
    out.push_str(&format!("END_SAMPLE {}\n", seconds(time)));
}

/// Nanoseconds as seconds, exactly.
fn seconds(time: u64) -> String {
    format!("{}.{:09}", time / 1_000_000_000, time % 1_000_000_000)
}
