//! The stores: what is kept of a log, each within a bound. A new store is a file in `keeping/`, which says which events it
//! follows, and a line here.

use crate::{
    keeping::{
        collections::Collections,
        diagnostics::{DiagnosticKind, Diagnostics},
        lives::CapLives,
        log_writes::LogWrites,
        markers::MarkerStore,
        messages::Messages,
        moments::Moments,
        nonmoving::NonMoving,
        others::Others,
        overview::Overview,
        pauses::ClassPauses,
        process::Process,
        rests::Rests,
        samples::SampleStore,
        store::{Event, Purpose, Store, Streams},
        tails::Tails,
        tasks::TaskStore,
        threads::Threads,
    },
    profiles::Profiles,
    terms::tags::{Tags, each_tag},
};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

/// Makes the struct [`Stores`] from the list of stores, and the methods that call all of them.
macro_rules! stores {
    ($($name:ident: $store:ty),* $(,)?) => {
        /// All stores.
        #[derive(Debug)]
        pub(crate) struct Stores { $(pub(crate) $name: $store,)* }

        impl Stores {
            /// The numbers of the events that any store follows.
            pub(crate) const TAGS: Tags = Tags::NONE$(.with(<$store as Store>::TAGS))*;

            /// Empty stores, before any of the log has been read.
            pub(crate) fn of(purpose: Purpose) -> Self {
                Self { $($name: <$store as Store>::of(purpose),)* }
            }

            /// Passes an event of a known form to the stores that follow it.
            #[inline(always)]
            pub(crate) fn step(&mut self, event: Event<'_>) {
                if let Some(step) = Self::STEPS.as_flattened().get(usize::from(event.tag)) {
                    step(self, event);
                }
            }

            /// [`Self::step_of`] for each number.
            const STEPS: [[fn(&mut Self, Event<'_>); 16]; 16] = each_tag!(|TAG| Self::step_of::<TAG>);

            /// Passes an event of one number to its stores; the other stores are not even checked.
            fn step_of<const TAG: u16>(&mut self, event: Event<'_>) {
                $(if const { <$store as Store>::TAGS.has(TAG) } {
                    self.$name.step(event);
                })*
            }

            /// See [`Store::settle`].
            pub(crate) fn settle(&mut self, streams: Streams<'_>) {
                $(self.$name.settle(streams);)*
            }

            /// See [`Store::end_stream`].
            pub(crate) fn end_stream(&mut self, last: Nanos) {
                $(self.$name.end_stream(last);)*
            }

            /// See [`Store::finish`].
            pub(crate) fn finish(&mut self, streams: Streams<'_>) {
                $(self.$name.finish(streams);)*
            }

            /// The bytes that they hold.
            pub(crate) fn bytes_held(&self) -> usize {
                0 $(+ Store::bytes_held(&self.$name))*
            }

            /// See [`Store::remarks`].
            pub(crate) fn remarks(&self) -> Vec<DiagnosticKind> {
                let mut remarks = Vec::new();
                $(remarks.extend(Store::remarks(&self.$name));)*
                remarks
            }
        }
    };
}

stores! {
    overview: Overview,
    threads: Threads,
    collections: Collections,
    nonmoving: NonMoving,
    tasks: TaskStore,
    lives: CapLives,
    rests: Rests,
    tails: Tails,
    log_writes: LogWrites,
    pauses: ClassPauses,
    samples: SampleStore,
    moments: Moments,
    process: Process,
    messages: Messages,
    markers: MarkerStore,
    others: Others,
    profiles: Profiles,
    diagnostics: Diagnostics,
}
