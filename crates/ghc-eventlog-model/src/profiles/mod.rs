//! Profiles: what was in the program's memory, where its time went, and what its ticky counters counted.
//!
//! ```text
//! 160–166 ── heap ──── bands (exact totals) and the censuses themselves, as far as there is room
//! 167, 168 ─ time ──── a tree of stacks, each with its samples; the samples, as far as there is room
//! 181 ────── messages  stacks of threads and their names, if a library wrote them: the same tree, the same names
//! 210, 211 ─ ticky ─── counters
//! 161, 169 ─ names ─── cost centres and info tables: definitions may come after what they name, so names are asked for when
//!                      they are shown
//! ```
//!
//! All events but messages are in the global stream, once per census, tick or definition. Totals are exact, even if samples
//! are thinned out.

pub(crate) mod bands;
pub(crate) mod begins;
pub(crate) mod censuses;
pub(crate) mod courses;
pub(crate) mod frames;
pub(crate) mod held;
pub(crate) mod messages;
pub(crate) mod names;
pub(crate) mod stacks;
pub(crate) mod ticky;
pub(crate) mod totals;
pub(crate) mod tree;

use crate::{
    keeping::store::{Event, Purpose, Store, Streams},
    terms::tags::Tags,
};
use bands::HeapProfile;
use ghc_eventlog::{
    CostCentre, HeapBioProfSampleBegin, HeapProfBegin, HeapProfSampleBegin, HeapProfSampleCostCentre,
    HeapProfSampleEnd, HeapProfSampleString, Ipe, Nanos, ProfBegin, ProfSampleCostCentre, TickyCounterBeginSample,
    TickyCounterDef, TickyCounterSample, UserBinaryMsg,
};
use messages::{StackMessage, StackMessages};
use names::Names;
use stacks::TimeProfile;
use ticky::TickyCounters;

/// All profiles of a log.
#[derive(Debug, Default)]
pub(crate) struct Profiles {
    pub(crate) names: Names,
    pub(crate) heap: HeapProfile,
    pub(crate) time: TimeProfile,
    messages: StackMessages,
    pub(crate) ticky: TickyCounters,
}

impl Profiles {
    /// How many samples of threads have incomplete stacks.
    pub(crate) fn unfinished(&self) -> u64 {
        self.messages.unfinished()
    }

    /// How many messages of ghc-stack-profiler were not read.
    pub(crate) fn unread(&self) -> u64 {
        self.messages.unread
    }

    /// Whether nothing says which end of the stacks of some threads is the outermost.
    pub(crate) fn is_order_unknown(&self) -> bool {
        self.messages.is_order_unknown
    }
}

/// Takes what messages of ghc-stack-profiler say.
fn taking(time: &mut TimeProfile, names: &mut Names) -> impl FnMut(Nanos, StackMessage<'_>) {
    |at, message| match message {
        StackMessage::Sample(sample) => time.sample_of_thread(at, &sample),
        StackMessage::Meaning(meant) => names.means(meant),
    }
}

impl Store for Profiles {
    const TAGS: Tags = Tags::of(&[
        HeapProfBegin::TAG,
        CostCentre::TAG,
        HeapProfSampleBegin::TAG,
        HeapProfSampleCostCentre::TAG,
        HeapProfSampleString::TAG,
        HeapProfSampleEnd::TAG,
        HeapBioProfSampleBegin::TAG,
        ProfSampleCostCentre::TAG,
        ProfBegin::TAG,
        Ipe::TAG,
        TickyCounterDef::TAG,
        TickyCounterSample::TAG,
        TickyCounterBeginSample::TAG,
        UserBinaryMsg::TAG,
    ]);

    fn of(_: Purpose) -> Self {
        Self::default()
    }

    fn step(&mut self, event: Event<'_>) {
        let Event { tag, time, offset, payload, .. } = event;
        let Self { names, heap, time: of_time, messages, ticky } = self;
        match tag {
            HeapProfSampleString::TAG => {
                let sample = HeapProfSampleString::read(payload);
                heap.label(time, sample.label.0, sample.bytes);
            }
            HeapProfSampleCostCentre::TAG => {
                let sample = HeapProfSampleCostCentre::read(payload);
                heap.stack(time, sample.stack, sample.bytes);
            }
            ProfSampleCostCentre::TAG => of_time.sample(time, ProfSampleCostCentre::read(payload)),
            TickyCounterSample::TAG => ticky.sample(time, TickyCounterSample::read(payload)),
            HeapProfSampleBegin::TAG => heap.begin(time, offset),
            HeapBioProfSampleBegin::TAG => heap.begin_biographical(HeapBioProfSampleBegin::read(payload).time, offset),
            HeapProfSampleEnd::TAG => heap.end(time),
            HeapProfBegin::TAG => heap.take_settings(&HeapProfBegin::read(payload)),
            UserBinaryMsg::TAG => {
                messages.take(time, UserBinaryMsg::read(payload).bytes, &mut taking(of_time, names));
            }
            ProfBegin::TAG => of_time.tell(ProfBegin::read(payload).interval),
            CostCentre::TAG => names.cost_centre(CostCentre::read(payload)),
            Ipe::TAG => names.info_table(Ipe::read(payload)),
            TickyCounterDef::TAG => ticky.define(TickyCounterDef::read(payload), names),
            // It adds nothing: each sample names its counter.
            TickyCounterBeginSample::TAG => {}
            _ => debug_assert!(!Self::TAGS.has(tag), "an event that is followed has an arm of its own"),
        }
    }

    fn end_stream(&mut self, _: Nanos) {
        let Self { names, time, messages, .. } = self;
        messages.end_stream(&mut taking(time, names));
    }

    fn settle(&mut self, _: Streams<'_>) {
        self.heap.infer(&self.names);
        self.heap.settle();
        self.time.settle();
        self.ticky.settle();
    }

    fn finish(&mut self, _: Streams<'_>) {
        let Self { names, time, messages, .. } = self;
        messages.end_stream(&mut taking(time, names));
        let same = names.same();
        time.finish(&|frame| same.first(frame));
        self.heap.finish();
        self.heap.infer(&self.names);
        self.ticky.finish();
    }

    fn bytes_held(&self) -> usize {
        self.names.bytes_held()
            + self.heap.bytes_held()
            + self.time.bytes_held()
            + self.messages.bytes_held()
            + self.ticky.bytes_held()
    }
}
