//! The file format of speedscope: for each capability a profile of frames that open and close, at true times.
//!
//! A sample holds until the next one of its capability; where that comes later than ticks do, as when the profiler was off, it holds
//! for a tick.

use ghc_eventlog::{CapNo, CostCentreId, Nanos, ProfSampleCostCentre};
use ghc_eventlog_model::Model;
use serde_json::{Value, json};
use std::collections::HashMap;

const SCHEMA: &str = "https://www.speedscope.app/file-format-schema.json";

pub(crate) struct Speedscope<'m> {
    model: &'m Model,
    title: String,
    caps: Vec<CapNo>,
    frames: HashMap<Option<CostCentreId>, usize>,
    origin: Nanos,
    tick: Nanos,
    /// The capability of the pass.
    cap: Option<CapNo>,
    /// The frames that are open, the outermost first, and since when the innermost has been.
    open: Vec<usize>,
    since: Option<Nanos>,
    /// Whether the pass has written a frame.
    any: bool,
}

impl<'m> Speedscope<'m> {
    pub(crate) fn of(model: &'m Model, title: &str) -> Self {
        let profiled = model.profiled();
        let frames = profiled.sampled().zip(0..).collect();
        Self {
            model,
            title: title.to_string(),
            caps: profiled.sampled_caps().to_vec(),
            frames,
            origin: model.extent().map_or(Nanos(0), |(first, _)| first),
            tick: profiled.tick().unwrap_or(Nanos(1_000_000)),
            cap: None,
            open: Vec::new(),
            since: None,
            any: false,
        }
    }

    pub(crate) fn passes(&self) -> usize {
        self.caps.len()
    }

    pub(crate) fn begin(&mut self, pass: usize, out: &mut String) {
        if pass == 0 {
            let exporter = concat!("ghc-eventlog ", env!("CARGO_PKG_VERSION"));
            let (schema, exporter, name) = (json!(SCHEMA), json!(exporter), json!(self.title));
            out.push_str(&format!("{{\"$schema\":{schema},\"exporter\":{exporter},\"name\":{name},\"profiles\":["));
        } else {
            self.end(out);
            out.push(',');
        }
        self.cap = self.caps.get(pass).copied();
        (self.any, self.since) = (false, None);
        let name = json!(self.cap.map_or(String::new(), |cap| format!("HEC {cap}")));
        out.push_str(&format!(
            "\n{{\"type\":\"evented\",\"name\":{name},\"unit\":\"nanoseconds\",\"startValue\":0,\"events\":["
        ));
    }

    pub(crate) fn sample(&mut self, time: Nanos, sample: ProfSampleCostCentre<'_>, out: &mut String) {
        if self.cap.is_none_or(|cap| u32::from(cap.0) != sample.cap) {
            return;
        }
        let mut time = time.max(self.since.unwrap_or_default());
        if let Some(since) = self.since
            && time.since(since).0 > self.tick.0.saturating_mul(3) / 2
        {
            self.close(0, since.plus(self.tick), out);
        }
        let mut stack: Vec<usize> = sample.stack.iter().filter_map(|id| self.frames.get(&Some(id)).copied()).collect();
        stack.reverse();
        if sample.stack.depth() == 0 {
            stack.extend(self.frames.get(&None));
        }
        let same = self.open.iter().zip(&stack).take_while(|(open, new)| open == new).count();
        self.close(same, time, out);
        for frame in stack.drain(same..) {
            self.event('O', frame, time, out);
            self.open.push(frame);
        }
        time = time.max(self.origin);
        self.since = Some(time);
    }

    /// Closes all frames but the outermost ones.
    fn close(&mut self, but: usize, time: Nanos, out: &mut String) {
        while self.open.len() > but {
            if let Some(frame) = self.open.pop() {
                self.event('C', frame, time, out);
            }
        }
    }

    fn event(&mut self, kind: char, frame: usize, time: Nanos, out: &mut String) {
        let comma = if core::mem::replace(&mut self.any, true) { "," } else { "" };
        let at = time.since(self.origin).0;
        out.push_str(&format!("{comma}{{\"type\":\"{kind}\",\"frame\":{frame},\"at\":{at}}}"));
    }

    /// The pass is over.
    fn end(&mut self, out: &mut String) {
        let last = self.since.map_or(self.origin, |since| since.plus(self.tick));
        self.close(0, last, out);
        out.push_str(&format!("],\"endValue\":{}}}", last.since(self.origin).0));
    }

    pub(crate) fn finish(mut self, out: &mut String) {
        self.end(out);
        let profiled = self.model.profiled();
        let frames: Vec<Value> = profiled
            .sampled()
            .map(|id| {
                let mut frame = json!({ "name": profiled.centre_name(id) });
                if let Some((module, source)) = id.and_then(|id| profiled.centre_place(id)) {
                    let (file, line, column) = place(source).unwrap_or((module, None, None));
                    frame["file"] = json!(file);
                    line.into_iter().for_each(|line| frame["line"] = json!(line));
                    column.into_iter().for_each(|column| frame["col"] = json!(column));
                }
                frame
            })
            .collect();
        out.push_str(&format!("],\n\"shared\":{}}}\n", json!({ "frames": frames })));
    }
}

/// File, line and column of a place in the source: `src/Main.hs:15:9-18`, or `src/Main.hs:(3,1)-(7,20)`. `None` if it names no
/// file.
fn place(source: &str) -> Option<(&str, Option<u32>, Option<u32>)> {
    let (file, rest) = source.rsplit_once(".hs:").map(|(file, rest)| (source.get(..file.len() + 3), rest))?;
    let mut numbers = rest.split(|letter: char| !letter.is_ascii_digit()).filter_map(|number| number.parse().ok());
    Some((file?, numbers.next(), numbers.next()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_in_the_source_have_a_file_a_line_and_a_column() {
        assert_eq!(place("src/Main.hs:15:9-18"), Some(("src/Main.hs", Some(15), Some(9))));
        assert_eq!(place("Main.hs:(3,1)-(7,20)"), Some(("Main.hs", Some(3), Some(1))));
        assert_eq!([place("<built-in>"), place("")], [None, None]);
    }
}
