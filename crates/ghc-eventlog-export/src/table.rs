//! Bands over time as a table, for spreadsheets and scripts: a line with `time_ns`, `band` and `bytes` for each band of
//! each census.

use crate::bands::Form;
use ghc_eventlog_model::{LogText, Model};

/// Comma-separated values as in RFC 4180. A name that a spreadsheet would take for a formula gets an apostrophe before
/// it.
pub(crate) const CSV: Form = Form {
    name: LogText::for_csv,
    head: |_: &Model, _, out| out.push_str("time_ns,band,bytes\r\n"),
    begin: |_, _| {},
    band: |time, name, bytes, out| out.push_str(&format!("{time},{name},{bytes}\r\n")),
    end: |_, _| {},
};

/// Tab-separated values. A tab in a name becomes `\t`.
pub(crate) const TSV: Form = Form {
    name: LogText::for_tsv,
    head: |_: &Model, _, out| out.push_str("time_ns\tband\tbytes\n"),
    begin: |_, _| {},
    band: |time, name, bytes, out| out.push_str(&format!("{time}\t{name}\t{bytes}\n")),
    end: |_, _| {},
};
