//! Findings as Markdown: for an issue, or a comment on a pull request.

use super::{Finding, Findings, Level};
use crate::{
    facts::markdown::{escaped, words},
    reading::model::Model,
    terms::value::Value,
};
use alloc::{format, string::String};
use ghc_eventlog::Nanos;

impl Model {
    /// All that was found, as Markdown: the line above all findings, then each of them. Nothing of a log without any event.
    #[must_use]
    pub fn findings_in_markdown(&self) -> String {
        let Some((origin, _)) = self.extent() else { return String::new() };
        let Findings { verdict, list, .. } = self.findings();
        let mut out = format!("{}\n", verdict.for_markdown(origin));
        for finding in list.iter().filter(|finding| finding.level.is_found()) {
            out += &format!("\n{}", finding.markdown(origin));
        }
        out
    }
}

impl Finding {
    /// It as Markdown, in a few lines. Times are counted from `origin`.
    #[must_use]
    pub fn markdown(&self, origin: Nanos) -> String {
        let level = match self.level {
            Level::Warning => "Warning: ",
            _ => "",
        };
        let mut out = format!("**{level}{}.** {}", escaped(self.title), self.text.for_markdown(origin));
        if let Some(stake) = self.stake.sentence() {
            out += &format!(" At stake: {}.", stake.for_markdown(origin));
        }
        if !self.remedy.is_empty() {
            // It has code of its own.
            out += &format!(" Try: {}.", self.remedy);
        }
        out.push('\n');
        for evidence in self.evidence.iter().take(MOST_EVIDENCE) {
            let [from, to] = [evidence.from, evidence.to].map(|time| words(&Value::Time(time), origin));
            let label = match evidence.label.is_empty() {
                true => String::new(),
                false => format!("{}, ", evidence.label.for_markdown()),
            };
            let cap = evidence.cap.map(|cap| format!(", cap {cap}")).unwrap_or_default();
            let thread = evidence.thread.map(|thread| format!(", thread {thread}")).unwrap_or_default();
            out += &format!("- {label}{from} to {to}{cap}{thread}\n");
        }
        out
    }
}

/// How much evidence is listed: more is on the page.
const MOST_EVIDENCE: usize = 3;
