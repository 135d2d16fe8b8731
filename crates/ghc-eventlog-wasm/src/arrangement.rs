//! How a reader has arranged a log's rows.

use crate::{
    Log,
    convert::{track_id, unknown},
};
use ghc_eventlog_model as model;
use model::{Presence, SpanRows, ThreadOrder, ThreadRows, Wishes};
use wasm_bindgen::prelude::*;

/// Which rows threads and the program's own spans have, and which label has a histogram. Each reader of a
/// [`Log`](crate::Log) has one, and passes it with each question about tracks.
#[wasm_bindgen]
#[derive(Default)]
pub struct Arrangement {
    wishes: Wishes,
    /// Whether threads are filtered by what they did in the range that was taken last.
    of_range: bool,
    /// The model's arrangement for the log as it was then; `None` if the wishes have changed since.
    made: Option<model::Arrangement>,
}

#[wasm_bindgen]
impl Arrangement {
    /// The first arrangement: all threads by first appearance, and a row for each label of spans.
    #[must_use]
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the rows of the program's own spans: one for each thread if `by_thread`, otherwise one for each label. The
    /// spans of `label` get a histogram; none if it is empty.
    pub fn spans(&mut self, by_thread: bool, label: &str) {
        self.wishes.spans = if by_thread { SpanRows::ByThread } else { SpanRows::ByLabel };
        self.wishes.histogram_of = Some(label.into()).filter(|label: &String| !label.is_empty());
        self.made = None;
    }

    /// Sets which counters have no line, by their names.
    pub fn hide_counters(&mut self, names: Vec<String>) {
        self.wishes.hidden_counters = names;
        self.made = None;
    }

    /// Sets the share of the capabilities, in percent, below which the table `low_use` has stretches.
    pub fn low_use(&mut self, percent: u8) {
        self.wishes.low_use_percent = Some(percent);
        self.made = None;
    }

    /// Sets which threads have rows, and their order. `order` is "first", "running", "blocked", "lifetime" or "label".
    /// `text`: their names contain it. `state`: the number of a state that they were in, if any. `presence` is "any",
    /// "alive" or "ran"; with `range`, in the range taken last. `unfolded`: the tracks of labels whose threads have
    /// rows, too.
    ///
    /// # Errors
    /// When `order` or `presence` is another word.
    #[allow(clippy::too_many_arguments, reason = "scalars are what crosses for nothing")]
    pub fn threads(
        &mut self,
        order: &str,
        text: &str,
        state: Option<usize>,
        presence: &str,
        range: bool,
        by_label: bool,
        unfolded: &[f64],
    ) -> Result<(), JsValue> {
        let order = match order {
            "first" => ThreadOrder::First,
            "running" => ThreadOrder::Running,
            "blocked" => ThreadOrder::Blocked,
            "lifetime" => ThreadOrder::Lifetime,
            "label" => ThreadOrder::Label,
            _ => return Err(unknown("order of threads", order)),
        };
        let presence = match presence {
            "any" => Presence::Any,
            "alive" => Presence::Alive,
            "ran" => Presence::Ran,
            _ => return Err(unknown("presence of threads", presence)),
        };
        let unfolded = unfolded.iter().map(|track| track_id(*track)).collect();
        self.wishes.threads = ThreadRows { order, text: text.into(), state, presence, by_label, unfolded };
        (self.of_range, self.made) = (range, None);
        Ok(())
    }
}

impl Arrangement {
    /// The arrangement for the log as it is now.
    pub(crate) fn of(&mut self, log: &Log) -> &model::Arrangement {
        let Self { wishes, of_range, made } = self;
        if made.as_ref().is_some_and(|made| made.revision() != log.model.revision()) {
            *made = None;
        }
        made.get_or_insert_with(|| log.model.arrange(wishes.clone(), log.range.as_ref().filter(|_| *of_range)))
    }
}
