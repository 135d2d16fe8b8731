//! Bands over time as a table, for spreadsheets and scripts: `time_ns`, `band`, `bytes`, a line for each band of each census.

use crate::bands::Form;
use ghc_eventlog_model::{LogText, Model};

/// Separated by commas, as RFC 4180 has it. A name that a spreadsheet would take for a formula has an apostrophe before it.
pub(crate) const CSV: Form = Form {
    name: LogText::for_csv,
    head: |_: &Model, _, out| out.push_str("time_ns,band,bytes\r\n"),
    begin: |_, _| {},
    band: |time, name, bytes, out| out.push_str(&format!("{time},{name},{bytes}\r\n")),
    end: |_, _| {},
};

/// Separated by tabs: what a name has of them is `\t`.
pub(crate) const TSV: Form = Form {
    name: LogText::for_tsv,
    head: |_: &Model, _, out| out.push_str("time_ns\tband\tbytes\n"),
    begin: |_, _| {},
    band: |time, name, bytes, out| out.push_str(&format!("{time}\t{name}\t{bytes}\n")),
    end: |_, _| {},
};
