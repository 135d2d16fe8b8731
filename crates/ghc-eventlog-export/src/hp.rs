//! `.hp`: what the runtime writes by `+RTS -h`, and hp2ps reads.
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
use ghc_eventlog::Nanos;
use ghc_eventlog_model::Model;

pub(crate) const FORM: Form = Form { head, begin, name, band, end };

/// hp2ps has room for 5000 bytes of a line: a letter may take four.
const MOST_LETTERS: usize = 1000;

/// What hp2ps takes for something else than a name.
const WORDS: [&str; 8] = ["BEGIN_SAMPLE", "END_SAMPLE", "JOB", "DATE", "SAMPLE_UNIT", "VALUE_UNIT", "MARK", "SAMPLE"];

fn head(model: &Model, title: &str, out: &mut String) {
    let process = model.process();
    let job = if process.args.is_empty() { title.to_string() } else { process.args.join(" ") };
    let facts = model.facts(None);
    let started = facts.section("process").and_then(|process| process.get("started"));
    let date = started.map(|started| started.value.text(Nanos(0))).unwrap_or_default();
    for (key, value) in [("JOB", job.as_str()), ("DATE", &date), ("SAMPLE_UNIT", "seconds"), ("VALUE_UNIT", "bytes")] {
        let value: String =
            value.chars().map(|letter| if letter == '"' || letter.is_control() { '\'' } else { letter }).collect();
        out.push_str(&format!("{key} \"{value}\"\n"));
    }
}

fn begin(time: u64, out: &mut String) {
    out.push_str(&format!("BEGIN_SAMPLE {}\n", seconds(time)));
}

/// A name ends with the first space; one that begins with a quote, or not at all, hp2ps takes for something else.
fn name(name: String) -> String {
    let is_none = name.is_empty() || name.starts_with('"') || WORDS.contains(&name.as_str());
    let letters = name.chars().map(|letter| if letter.is_whitespace() || letter.is_control() { '_' } else { letter });
    let mut written: String = is_none.then_some('_').into_iter().chain(letters).take(MOST_LETTERS).collect();
    if name.chars().nth(MOST_LETTERS).is_some() {
        written.push('…');
    }
    written
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_such_as_hp2ps_reads() {
        let written = |text: &str| name(text.to_string());
        assert_eq!(
            ["Map k v", "", "\"x", "MARK", "MARKS", "a\tb"].map(written),
            ["Map_k_v", "_", "_\"x", "_MARK", "MARKS", "a_b"]
        );
        let long = written(&"x".repeat(2 * MOST_LETTERS));
        assert_eq!((long.chars().count(), long.ends_with('…')), (MOST_LETTERS + 1, true));
    }
}
