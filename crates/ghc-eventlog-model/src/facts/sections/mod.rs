//! The sections of the facts, in the order in which they are shown. Each is a file, and a line in the list below. The file has the
//! subject's typed facts, a field each with the figure that it is shown as; where they come from (`gather`); and what else the section
//! has (`section`).

mod account;
mod caps;
mod gc;
mod heap;
mod log;
mod messages;
mod nonmoving;
mod process;
mod profiles;
mod range;
mod spans;
mod sparks;
mod tasks;
mod threads;
mod types;

use super::{Section, explained, scope::Scope};
use crate::terms::explained::Explained;
pub use account::AccountFacts;
use alloc::{vec, vec::Vec};
pub use caps::CapsFacts;
pub use gc::GcFacts;
pub use heap::HeapFacts;
pub use log::WholeLogFacts;
pub use messages::MessagesFacts;
pub use nonmoving::NonMovingFacts;
pub use process::ProcessFacts;
pub use profiles::{DefinitionsFacts, HeapProfileFacts, TickyFacts, TimeProfileFacts};
pub use range::RangeFacts;
pub use spans::SpansFacts;
pub use sparks::SparksFacts;
pub use tasks::TasksFacts;
pub use threads::ThreadsFacts;
pub use types::EventsFacts;

/// Makes of the list of subjects the struct [`TypedFacts`], and the sections. `heap: HeapFacts,` becomes a field of that name and type,
/// `HeapFacts::gather(scope)` what it is set to, and `facts.heap.section(scope)` its section; `None` where that is not shown.
macro_rules! subjects {
    ($($(#[$doc:meta])* $field:ident: $Facts:ty),* $(,)?) => {
        /// All that is known of a log, or of a range of it, in numbers and texts: see [`Model::typed_facts`](crate::Model::typed_facts).
        #[derive(Debug, Clone, PartialEq, Default)]
        pub struct TypedFacts {
            $($(#[$doc])* pub $field: $Facts,)*
        }

        impl TypedFacts {
            pub(super) fn gather(scope: &Scope<'_>) -> Self {
                Self { $($field: <$Facts>::gather(scope),)* }
            }

            pub(super) fn sections(&self, scope: &Scope<'_>) -> Vec<Section> {
                [$(self.$field.section(scope)),*].into_iter().flatten().collect()
            }
        }

        /// Each section and its figures, explained.
        pub(super) fn explained() -> Vec<Vec<Explained>> {
            vec![$(explained::of_section::<$Facts>()),*]
        }
    };
}

subjects! {
    /// The log itself: always all of it.
    log: WholeLogFacts,
    /// The time that the facts are about.
    range: RangeFacts,
    /// Where the capabilities' time went.
    account: AccountFacts,
    /// The process: of a range, the same as of the whole log.
    process: ProcessFacts,
    /// The capabilities, all together.
    caps: CapsFacts,
    /// Garbage collections.
    gc: GcFacts,
    /// The non-moving collector.
    nonmoving: NonMovingFacts,
    /// The heap.
    heap: HeapFacts,
    /// The program's threads.
    threads: ThreadsFacts,
    /// Sparks.
    sparks: SparksFacts,
    /// The program's own spans.
    spans: SpansFacts,
    /// Messages: of a range, nothing is known.
    messages: MessagesFacts,
    /// The heap profile.
    heap_profile: HeapProfileFacts,
    /// The time profile.
    time_profile: TimeProfileFacts,
    /// Ticky counters.
    ticky: TickyFacts,
    /// What profiles refer to: of a range, nothing is known.
    definitions: DefinitionsFacts,
    /// The operating system's threads: of a range, nothing is known.
    tasks: TasksFacts,
    /// Events: of a range, nothing is known.
    events: EventsFacts,
}
