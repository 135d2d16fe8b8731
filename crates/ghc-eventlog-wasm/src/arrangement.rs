//! How a reader wants a log to be arranged.

use crate::{
    Log,
    convert::{track_id, unknown},
};
use ghc_eventlog_model as model;
use model::{Presence, SpanRows, ThreadOrder, ThreadRows, Wishes};
use wasm_bindgen::prelude::*;

/// Which rows threads and the program's own spans have, and of which label there is a histogram. It goes with each question to a
/// [`Log`](crate::Log) about tracks; each reader of that has one.
#[wasm_bindgen]
#[derive(Default)]
pub struct Arrangement {
    wishes: Wishes,
    /// Whether what threads must have done is asked of the range that was taken last.
    of_range: bool,
    /// Made of the log as it was; `None` if something else is wanted since.
    made: Option<model::Arrangement>,
}

#[wasm_bindgen]
impl Arrangement {
    /// As it is at first: all threads by first appearance, and a row for each label of spans.
    #[must_use]
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Which rows the program's own spans have from now on: of labels, or of threads; and of which label there is a histogram, none if it
    /// is empty.
    pub fn spans(&mut self, by_thread: bool, label: &str) {
        self.wishes.spans = if by_thread { SpanRows::ByThread } else { SpanRows::ByLabel };
        self.wishes.histogram_of = Some(label.into()).filter(|label: &String| !label.is_empty());
        self.made = None;
    }

    /// Which rows threads have from now on, and in which order. `order` is "first", "running", "blocked", "lifetime" or "label"; `text`
    /// what their names have in them; `state` the number of one that they were in, or none; `presence` "any", "alive" or "ran", in the
    /// range taken last if `range`; `unfolded` the tracks of labels whose threads have rows, too.
    ///
    /// # Errors
    /// When `order` or `presence` is none of those.
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
    /// The rows of a log as it is now.
    pub(crate) fn of(&mut self, log: &Log) -> &model::Arrangement {
        let Self { wishes, of_range, made } = self;
        if made.as_ref().is_some_and(|made| made.revision() != log.model.revision()) {
            *made = None;
        }
        made.get_or_insert_with(|| log.model.arrange(wishes.clone(), log.range.as_ref().filter(|_| *of_range)))
    }
}
