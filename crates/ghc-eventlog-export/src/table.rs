//! Bands over time as a table, for spreadsheets and scripts: `time_ns`, `band`, `bytes`, a line for each band of each census.

use crate::bands::Form;
use ghc_eventlog_model::Model;

/// Separated by commas, as RFC 4180 has it.
pub(crate) const CSV: Form = Form {
    name: |name| name,
    head: |_: &Model, _, out| out.push_str("time_ns,band,bytes\r\n"),
    begin: |_, _| {},
    band: |time, name, bytes, out| {
        let quoted = name.contains([',', '"', '\r', '\n']);
        let name = if quoted { format!("\"{}\"", name.replace('"', "\"\"")) } else { name.to_string() };
        out.push_str(&format!("{time},{name},{bytes}\r\n"));
    },
    end: |_, _| {},
};

/// Separated by tabs: what a name has of them is a space.
pub(crate) const TSV: Form = Form {
    name: |name| name.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect(),
    head: |_: &Model, _, out| out.push_str("time_ns\tband\tbytes\n"),
    begin: |_, _| {},
    band: |time, name, bytes, out| out.push_str(&format!("{time}\t{name}\t{bytes}\n")),
    end: |_, _| {},
};
