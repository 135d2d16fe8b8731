//! `gc-threads`: many threads synchronise for little work in collections.

use super::{Asked, Judgement, Limit, Rule, Sentence, Value, WORTH};

pub(super) struct GcThreads;

const THREADS: Limit =
    Limit::number("threads of a collection", 8.0, "the users guide reports that more of them rarely help");
const SHARE: Limit =
    Limit::share("share of the time in collections, warning", 0.10, "below it, there is little to gain");

impl Rule for GcThreads {
    const ID: &'static str = "gc-threads";
    const TITLE: &'static str = "Many threads in collections";
    const FINE: &'static str = "Threads in collections";
    const ABOUT: &'static str =
        "Parallel collections are set up for many threads, which have to start and stop together.";
    const LIMITS: &'static [Limit] = &[THREADS, SHARE, WORTH];
    const TRY: &'static str = "`-qn8`: fewer threads for collections; a larger `-A`";
    const EXPLAINS: &'static [&'static str] = &["gc-share"];

    fn judge(of: &Asked<'_>) -> Judgement {
        let gc = &of.facts.gc;
        let Some(share) = gc.share else { return Judgement::lacks(gc.lacks, "The log has no collections.") };
        let parallel = || of.collections().iter().filter(|gc| gc.is_parallel());
        let Some(most) = parallel().map(|gc| gc.par_threads).max() else {
            return Judgement::not_applicable("No collection was parallel.");
        };
        let spent = of.spent(&["gc_ns", "gc_sync_ns", "gc_wait_ns"]);
        if u64::from(most) <= THREADS.whole() || gc.elapsed < Some(WORTH.nanos()) {
            let mut text = Sentence::new("Collections have {} threads at most.", [Value::Count(most.into())]);
            of.add_kept(&mut text);
            return Judgement::Fine(text);
        }
        let mut text = Sentence::new(
            "Collections have up to {} threads, and capabilities spend {} in and around them. So many threads take long to start and stop together.",
            [Value::Count(most.into()), Value::Duration(spent)],
        );
        of.add_kept(&mut text);
        let longest = parallel().filter(|gc| gc.par_threads == most).max_by_key(|gc| gc.elapsed());
        Judgement::found(
            share > SHARE.of(),
            text,
            of.stop_of_all(gc.elapsed.unwrap_or_default()),
            longest.map(|gc| of.pause(gc)),
        )
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
    fn many_threads_are_found() {
        let level = |threads, run| {
            let gc = Gc { threads, ..Gc::MINOR };
            finding(GcThreads::ID, Play::caps(2).each(30, |play| play.run(0, 7, run).gc(0, gc))).level
        };
        assert_eq!([level(9, 2 * MS), level(9, 50 * MS), level(8, 2 * MS)], [Level::Warning, Level::Info, Level::Fine]);
        assert_eq!(level(1, MS), Level::NotApplicable);
    }
}
