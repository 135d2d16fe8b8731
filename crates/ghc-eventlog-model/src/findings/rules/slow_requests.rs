//! `slow-requests`: of spans with the same label, a few take much longer than the others.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Value, WORTH};
use crate::findings::asked::decimal;
use alloc::{string::ToString, vec::Vec};
use ghc_eventlog::Nanos;
use ghc_eventlog_text::LogText;

pub(super) struct SlowRequests;

const TIMES: Limit = Limit::number("99th percentile, times the median", 5.0, "lengths vary, but not that much");
const COUNT: Limit = Limit::number("spans of the label", 20.0, "of fewer, the slowest may be the first one");
const GRAVE: Limit = Limit::time("99th percentile, warning", Nanos(25_000_000), "who waits for it notices");
const SHOWN: usize = 3;

impl Rule for SlowRequests {
    const ID: &'static str = "slow-requests";
    const TITLE: &'static str = "A few slow spans";
    const ABOUT: &'static str =
        "Of the program's spans of one label, one in a hundred takes much longer than half of them do.";
    const LIMITS: &'static [Limit] = &[TIMES, COUNT, GRAVE, WORTH];
    const TRY: &'static str =
        "the tab Requests, or `summary --each LABEL`: what the slowest did for longer than usual ones";
    const NEEDS_REPLAY: bool = true;

    fn judge(of: &Asked<'_>) -> Judgement {
        let Some(spans) = of.scope.all_spans().filter(|spans| spans.tally.sum(|of| of.count) > 0) else {
            return Judgement::lacks(of.facts.spans.lacks, "The program wrote no spans (`traceEvent \"START …\"`).");
        };
        let tally = &spans.tally;
        let of_label = |label: u16| {
            let count = tally.by_label.get(usize::from(label))?.count;
            let (median, most) = (tally.percentile(label, 50)?, tally.percentile(label, 99)?);
            // What one in a hundred takes longer.
            let beyond = Nanos(most.since(median).0.saturating_mul(count.div_ceil(100)));
            let is_slow =
                count >= COUNT.whole() && most.0 as f64 >= TIMES.of() * median.0 as f64 && beyond > WORTH.nanos();
            is_slow.then_some((label, count, median, most, beyond))
        };
        let slow = (0..tally.by_label.len() as u16).filter_map(of_label);
        let Some((label, count, median, most, beyond)) = slow.max_by_key(|(.., beyond)| *beyond) else {
            return Judgement::fine("Spans of the same label take about the same time.", []);
        };
        let name = of.known().stores.messages.labels.text(label).to_string();
        let text = Sentence::new(
            "Of {} spans “{}”, half take {} at most, but one in a hundred takes {} or longer: {} times the median.",
            [
                Value::Count(count),
                Value::words(name.clone()),
                Value::Duration(median),
                Value::Duration(most),
                decimal(most.0 as f64 / (median.0 as f64).max(1.0)),
            ],
        );
        let rows = spans.rows.kept();
        let longest = of.scope.longest_spans().iter().filter_map(|place| rows.get(*place as usize));
        let evidence = longest
            .filter(|span| span.label == label && !span.unfinished)
            .take(SHOWN)
            .map(|span| of.by_thread(span.thread, span.start, span.end, LogText::from(name.clone())));
        let evidence: Vec<_> = evidence.collect();
        Judgement::found(most > GRAVE.nanos(), text, Stake::of_caps(beyond), evidence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::{
        Level,
        testing::{MS, Play, finding},
    };

    fn spans(slow: u64) -> Play {
        let of_time = |play: Play, at: u64| {
            let play = play.event(0, "RUN_THREAD", &[("thread", 7)]).text(0, "USER_MSG", None, "START get");
            let play = play.wait(if at % 50 == 9 { slow } else { MS }).text(0, "USER_MSG", None, "STOP get");
            play.event(0, "STOP_THREAD", &[("thread", 7), ("status", 3), ("info", 0)])
        };
        Play::caps(1).each_of(200, of_time)
    }

    #[test]
    fn a_few_slow_ones_are_found() {
        let found = finding(SlowRequests::ID, spans(80 * MS));
        assert_eq!((found.level, found.evidence.len()), (Level::Warning, 3));
        assert_eq!(found.evidence[0].length(), Nanos(80 * MS));
        assert_eq!(
            [finding(SlowRequests::ID, spans(20 * MS)).level, finding(SlowRequests::ID, spans(3 * MS)).level],
            [Level::Info, Level::Fine]
        );
    }

    #[test]
    fn without_spans_it_does_not_apply() {
        assert_eq!(finding(SlowRequests::ID, Play::caps(1).run(0, 7, MS)).level, Level::NotApplicable);
    }
}
