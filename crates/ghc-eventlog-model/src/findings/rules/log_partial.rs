//! `log-partial`: the log's end is missing, or whole classes of events.

use super::{Asked, Judgement, Limit, NO_EVENTS, Rule, Sentence, Stake, Value};
use crate::{keeping::rts_flags::TraceClass, terms::absence::Absence};
use alloc::vec::Vec;
use ghc_eventlog::{
    HeapBioProfSampleBegin, HeapProfSampleBegin, ProfSampleCostCentre, TickyCounterSample, UserBinaryMsg, UserMarker,
    UserMsg,
};

pub(super) struct LogPartial;

/// What is said of a class that was not logged, with its flag.
const THREADS: &str =
    "Threads were not logged ({}): it is not known when capabilities ran and what threads waited for.";
/// The same, where the log has spans.
const SPANS: &str = "Threads were not logged ({}): which of them begins and ends a span is not known. Those of several threads are mixed up, and seem longer or shorter than they are.";
const COLLECTIONS: &str = "Collections were not logged ({}): neither pauses nor the heap are known.";
const SPARKS: &str = "Counts of sparks were not logged ({}): it is not known what became of sparks.";
const USER: &str = "Messages of the program were not logged ({}): its spans and markers are not known.";
const CUT: &str = "The end of the log is missing: the program was killed, or was still running.";
const EMPTY: &str = "The log has no events: the program was killed, or was still running, before the runtime wrote its first buffer of them.";
const UNSEEN: &str = "Collections had {} threads, but the log has events of {} [capability|capabilities] only: what the others did is not known, and what is said of threads and of capabilities may be wrong.";

/// Events that say something without threads and collections: of profiles, and messages.
const BY_THEMSELVES: &[u16] = &[
    HeapProfSampleBegin::TAG,
    HeapBioProfSampleBegin::TAG,
    ProfSampleCostCentre::TAG,
    TickyCounterSample::TAG,
    UserMsg::TAG,
    UserMarker::TAG,
    UserBinaryMsg::TAG,
];

impl Rule for LogPartial {
    const ID: &'static str = "log-partial";
    const TITLE: &'static str = "Incomplete log";
    const FINE: &'static str = "Complete log";
    const ABOUT: &'static str = "The log has no end mark, or classes of events were not logged without which what is in it cannot be explained: it says what is not known for that. A log without threads and collections, such as one of a profile or of messages only, lacks nothing; one that has none of these lacks all.";
    const LIMITS: &'static [Limit] = &[];
    const TRY: &'static str = "`--eventlog-flush-interval=1` (GHC 9.2 and later) for a program that is killed";
    const TRY_ELSE: &'static str = "no minus in `+RTS -l`: the class of events after it is not logged";

    fn judge(of: &Asked<'_>) -> Judgement {
        let known = of.known();
        if of.has_no_events() && known.is_whole() {
            return Judgement::not_applicable(NO_EVENTS);
        }
        if of.has_no_events() && !known.has_losses() {
            return Judgement::found(false, Sentence::new(EMPTY, []), Stake::None, []);
        }
        let lacks = |absence: Option<Absence>| absence.and_then(|absence| absence.flag).is_some();
        let is_off = |class: TraceClass| known.logs(class) == Some(false);
        let (threads, collections) = (lacks(of.facts.caps.lacks), lacks(of.facts.gc.lacks));
        // What is in the log, and needs the rest to be understood.
        let has_spans = known.stores.messages.labels.count() > 0;
        let needs_rest = !threads || !collections || has_spans || !known.counts.has_any(BY_THEMSELVES);
        let classes = [
            (threads, TraceClass::Scheduler, if has_spans { SPANS } else { THREADS }),
            (collections, TraceClass::Collections, COLLECTIONS),
            (is_off(TraceClass::Sparks) && of.facts.caps.count > 1, TraceClass::Sparks, SPARKS),
            (is_off(TraceClass::User), TraceClass::User, USER),
        ];
        let missing = classes.into_iter().filter(|(is_missing, ..)| *is_missing && needs_rest);
        let mut said: Vec<_> =
            missing.map(|(_, class, words)| (words, Vec::from([Value::words(class.flag())]))).collect();
        let lacks_classes = !said.is_empty();
        // A log that was stopped may have ended so.
        if known.is_finished() && !known.is_whole() {
            said.push((CUT, Vec::new()));
            // A capability has a thread in collections; unless many are not followed, those that have no thread were not written.
            let threads = of.collections().iter().map(|gc| gc.par_threads.into()).max().unwrap_or_default();
            let caps = of.facts.caps.count;
            if threads > caps && !known.caps.is_capped {
                said.push((UNSEEN, Vec::from([threads, caps].map(Value::Count))));
            }
        }
        if said.is_empty() {
            return Judgement::fine("The log has its end, and all that is needed to explain what is in it.", []);
        }
        let mut text = Sentence::default();
        for (at, (words, values)) in said.into_iter().enumerate() {
            text.add(if at == 0 { "" } else { " " }, []);
            text.add(words, values);
        }
        Judgement::found(false, text, Stake::None, []).or_else(lacks_classes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::{
        Level,
        testing::{Gc, MS, Play, finding},
    };

    #[test]
    fn spans_of_threads_that_are_not_logged_are_mixed_up() {
        let play = Play::caps(1).args("prog +RTS -l-au").text(0, "USER_MSG", None, "START a").wait(MS);
        let found =
            crate::findings::testing::findings(play.text(0, "USER_MSG", None, "STOP a").each(40, |play| {
                play.text(0, "USER_MSG", None, "START a").wait(1000).text(0, "USER_MSG", None, "STOP a")
            }));
        assert!(found.get(LogPartial::ID).unwrap().text.text(ghc_eventlog::Nanos(0)).contains("are mixed up"));
        assert_eq!(found.get("slow-requests").unwrap().level, Level::NotApplicable);
    }

    #[test]
    fn what_is_missing_is_found() {
        assert_eq!(finding(LogPartial::ID, Play::caps(1).run(0, 7, MS).collect(0, MS).cut_off()).level, Level::Info);
        let text = |args: &str, play: fn(Play) -> Play| {
            finding(LogPartial::ID, play(Play::caps(1).args(args))).text.text(ghc_eventlog::Nanos(0))
        };
        assert!(text("prog +RTS -l-s", |play| play.collect(0, MS)).contains("Threads were not logged (-ls)"));
        assert!(text("prog +RTS -l-g", |play| play.run(0, 7, MS)).contains("Collections were not logged (-lg)"));
        let both = text("prog +RTS -l-g-u", |play| play.run(0, 7, MS));
        assert!(both.contains("(-lg)") && both.contains("of the program were not logged (-lu)"), "{both}");
        let cut = text("prog +RTS -l-u", |play| play.run(0, 7, MS).collect(0, MS).cut_off());
        assert!(cut.contains("(-lu)") && cut.contains("The end of the log is missing"), "{cut}");
        let spans = text("prog +RTS -l-s-g", |play| play.text(0, "USER_MSG", None, "START a"));
        assert!(spans.contains("(-ls)") && spans.contains("(-lg)"), "{spans}");
    }

    /// The program was killed before a block of its second capability was written. Threads that went there are not waiting here.
    #[test]
    fn capabilities_without_events_are_missed() {
        let play = |moves: bool| {
            let turn = |play: Play| {
                let play = play.run(0, 7, MS);
                let play = if moves { play.event(0, "MIGRATE_THREAD", &[("thread", 7), ("cap", 1)]) } else { play };
                play.wait(20 * MS).gc(0, Gc { threads: 2, ..Gc::MINOR })
            };
            Play::caps(1).each(20, turn).cut_off()
        };
        let found = |moves, id| finding(id, play(moves));
        let text = found(true, LogPartial::ID).text.text(ghc_eventlog::Nanos(0));
        assert!(text.contains("Collections had 2 threads, but the log has events of 1 capability only"), "{text}");
        let level = |moves| found(moves, "idle-runnable").level;
        assert_eq!([level(false), level(true)], [Level::Warning, Level::Fine]);
    }

    /// Nothing in it needs threads or collections.
    #[test]
    fn a_log_of_messages_only_lacks_nothing() {
        let play = Play::caps(1).args("prog +RTS -l-au").text(0, "USER_MSG", None, "hello");
        assert_eq!(finding(LogPartial::ID, play).level, Level::Fine);
    }

    /// It says that nothing of what the program did is known, whatever class is left: counts of sparks explain nothing by themselves.
    #[test]
    fn a_log_of_next_to_nothing_lacks_all() {
        for args in ["prog +RTS -l-a", "prog +RTS -l-ap", "prog +RTS -l-au"] {
            let play = Play::caps(4).args(args);
            let play = if args.ends_with('p') { play.event(0, "SPARK_COUNTERS", &[]) } else { play };
            let found = finding(LogPartial::ID, play);
            let text = found.text.text(ghc_eventlog::Nanos(0));
            assert_eq!(found.level, Level::Info, "{args}: {text}");
            assert!(text.contains("(-ls)") && text.contains("(-lg)"), "{args}: {text}");
            assert_eq!(found.remedy, LogPartial::TRY_ELSE);
        }
    }

    #[test]
    fn a_profile_by_itself_lacks_nothing() {
        let play = Play::caps(1).args("prog +RTS -l-a -hT").event(0, "HEAP_PROF_SAMPLE_BEGIN", &[("number", 0)]);
        assert_eq!(finding(LogPartial::ID, play).level, Level::Fine);
    }

    #[test]
    fn a_complete_log_is_fine() {
        assert_eq!(finding(LogPartial::ID, Play::caps(1).run(0, 7, MS).collect(0, MS)).level, Level::Fine);
    }
}
