//! The instances of a label of user spans, or of a family of labels.

use crate::{Log, jobs::Running};
use ghc_eventlog::Nanos;
use ghc_eventlog_model::{LogText, RequestsQuery};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Log {
    /// Begins to look at each of the program's own spans with a label, or with a label of a family, as `job #`: what its
    /// thread did meanwhile. Returns the number of a [job](Log::job); once it is done, the facts have a section `requests`,
    /// whose table has the spans that take at least `least` ns and less than `most`. It ends when it is
    /// [dropped](Log::drop_job). `undefined` before the replay is complete, and if no span has such a label.
    pub fn requests(&mut self, label: &str, least: f64, most: f64) -> Option<u32> {
        let of_page = |own: &LogText<'_>| own.for_page() == label;
        let label = self.model.span_labels().into_iter().chain(self.model.span_families()).find(of_page)?.into_owned();
        let (least, most) = (Nanos(least as u64), Nanos(most as u64));
        let requests = self.model.requests(&RequestsQuery { least, most, ..RequestsQuery::of(label) })?;
        Some(self.jobs.begin(Running::Replay(Box::new(requests))))
    }
}
