//! What a GHC program did, from its eventlog, in bounded memory.
//!
//! Feed a [`Model`] with a log's bytes, in chunks of any size; ask it at any time. It keeps an overview of the whole
//! log, an index of where in the file is what, and tables of threads and collections, each within a bound stated in
//! [`limits`]. What is between them is decoded again from the file when a window is narrow enough to show it: the model
//! says which bytes it needs, and does no reading itself.
//!
//! The model never fails: it has what could be read, and diagnostics for the rest.
//!
//! From a log to a picture of one of its tracks: feed, plan, work on the plan, window.
//!
//! ```
//! use ghc_eventlog::{Block, CapNo, LogWriter, Nanos, RunThread, StopStatus, StopThread, ThreadId};
//! use ghc_eventlog_model::{Arrangement, Model, TrackId, View, work};
//!
//! // A log in which thread 7 runs for a while; a real one comes from a file, piece by piece.
//! let mut writer = LogWriter::new();
//! writer.block(Block::of(CapNo(0)), |block| {
//!     block.event(Nanos(1000), RunThread { thread: ThreadId(7) });
//!     block.event(Nanos(5000), StopThread { thread: ThreadId(7), status: StopStatus(5), info: None });
//! });
//! let log = writer.finish();
//!
//! let mut model = Model::of_size(Some(log.len() as u64));
//! for piece in log.chunks(100) {
//!     model.feed(piece);
//! }
//! model.finish();
//! assert_eq!(model.extent(), Some((Nanos(1000), Nanos(5000))));
//!
//! // All of it in 80 pixels, exactly: what must be read again for that is read.
//! let mut plan = model.plan(View { from: Nanos(1000), to: Nanos(5000), width: 80 });
//! let read = |offset: u64, length: u64| Ok::<_, std::io::Error>(&log[offset as usize..(offset + length) as usize]);
//! assert!(work(&mut plan, &mut model, read)?);
//! let window = model.window(&Arrangement::default(), &plan, TrackId::capability(CapNo(0)));
//! assert!(window.exact);
//! assert_eq!(window.spans[0].thread, Some(ThreadId(7)));
//! assert_eq!(window.texts, ["thread 7"]);
//! # Ok::<(), std::io::Error>(())
//! ```

#![no_std]

extern crate alloc;

mod asking;
mod facts;
mod findings;
mod keeping;
mod known;
pub mod limits;
mod merging;
mod profiles;
#[cfg(test)]
mod random;
mod reading;
mod sorting;
mod terms;
mod tracks;
mod trees;

pub use asking::{
    events::{Choice, CountEvents, EventDetails, EventPlace, EventRows, EventsWish, Listing, ReadEvent},
    find::{Find, FindOrder, FindWishes, Hit, HitBuckets, HitKind, NameHit, NameHits, NameKind},
    lookup::LookUp,
    pieces::Piece,
    query::{Completion, Completions, Query, QueryError},
    range::Range,
};
pub use facts::{
    Facts, Figure, FlameInfo, Section,
    account::{Account, AccountPart},
    explained::explanations,
    flame::{
        Flame, FlameFrame, FlameName, FlameProfile, FlameQuery, FlameView,
        calls::{CallOf, CallOrder, CallQuery, CallRow, CallTree},
        marks::{CallPath, CallSample, CallSamples},
        open::{EVERY_CALL, OTHER_CALLS, OpenCall},
    },
    histogram::{Bin, Histogram},
    idle::{IdleReason, WhyIdle},
    profiled::Profiled,
    scope::About,
    sections::{
        AccountFacts, CapsFacts, DefinitionsFacts, EventsFacts, GcFacts, HeapFacts, HeapProfileFacts, MessagesFacts,
        NonMovingFacts, ProcessFacts, RangeFacts, RequestsFacts, SpansFacts, SparksFacts, TasksFacts, ThreadsFacts,
        TickyFacts, TimeProfileFacts, TypedFacts, WholeLogFacts,
    },
    table::TableOrder,
    typed::{Class, Dated},
};
pub use findings::{ExplainedRule, Finding, Findings, Level, Sentence, Stake, rules_explained};
pub use ghc_eventlog_text::{LogText, doors, shortened};
pub use keeping::{
    collections::{Collections, Totals},
    crossing::{
        rows::{Presence, ThreadOrder, ThreadRows},
        spans::SpanRows,
        waited::MostlyWaited,
    },
    diagnostics::{Diagnostic, DiagnosticKind, Diagnostics, Gist},
    process::Process,
    threads::{Thread, Threads, WithoutRow},
};
pub use known::arrangement::{Arrangement, Wishes};
pub use merging::{InOrder, Merge};
pub use profiles::messages::{Location, Meant, StackMessage, StackMessages, TakeStacks, ThreadSample};
pub use profiles::names::SameFrames;
pub use reading::{
    in_order::Replay,
    job::{Changed, Job, Patience, work},
    late_names::LateNames,
    model::Model,
    other_log::{NamesFound, NamesRefused, OtherLog},
    parts::{Part, Share},
    preview::Look,
    requests::RequestsQuery,
};
pub use terms::{
    absence::Absence,
    bands::{BandOrder, REST, ShownBands},
    evidence::Evidence,
    explained::{Explained, Thing},
    frame::{Frame, LocationId, StringId},
    launcher::Launcher,
    messages::SpanWords,
    place::{Direction, Place, SpanInfo},
    progress::Progress,
    range::RangeTotals,
    span::{Collection, Ending, Moment, Span},
    stack::stack,
    table::{Column, TableInfo, TablePage, TableQuery, Within},
    track::{Fill, Needs, Note, Shape, State, Track, TrackId},
    value::{Unit, Value},
    view::View,
    window::{Plan, Window},
    written_time::{WrittenTime, written_duration},
};
pub use tracks::groups::Group;
