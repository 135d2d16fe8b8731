//! `slow-requests`: of spans with the same label, a few take much longer than the others.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Value, WORTH};
use crate::{
    facts::requests::name_of,
    findings::asked::decimal,
    keeping::{
        crossing::{label_set::LabelSet, requests::NOT_KNOWN, span_parts::MoreOf, spans::Tally},
        messages::{Labels, OTHERS},
    },
    known::Known,
    reading::requests::SpanGroup,
    terms::absence::Absence,
};
use alloc::{string::ToString, vec::Vec};
use ghc_eventlog::Nanos;
use ghc_eventlog_text::LogText;

pub(super) struct SlowRequests;

const TIMES: Limit = Limit::number("99th percentile, times the median", 5.0, "lengths vary, but not that much");
const COUNT: Limit = Limit::number("spans of the label", 20.0, "of fewer, the slowest may be the first one");
const MANY: Limit = Limit::number(
    "spans of the label for which the 99th percentile is a few of them",
    100.0,
    "of fewer, it is the slowest one: the 95th is judged, or else that one, which is no warning",
);
const GRAVE: Limit = Limit::time("99th percentile, warning", Nanos(25_000_000), "who waits for it notices");
const MUCH: Limit = Limit::share(
    "of what slow ones take longer, to be named as what they did",
    0.20,
    "what makes less of the difference does not explain it",
);
const SHOWN: usize = 3;
/// Spans of which slow ones are counted; of more, they are one in a hundred.
const FEW: u64 = 200;
/// How many things that they did for longer are named at most.
const NAMED: usize = 2;

impl Rule for SlowRequests {
    const ID: &'static str = "slow-requests";
    const TITLE: &'static str = "A few slow spans";
    const FINE: &'static str = "Lengths of spans";
    const ABOUT: &'static str = "Of the program's spans of one label, or of labels that differ only in a number, one in a hundred takes much longer than half of them do; of fewer than 100, a few or one. It says what their threads did for longer, on average, than those of spans near the median.";
    const LIMITS: &'static [Limit] = &[TIMES, COUNT, MANY, GRAVE, MUCH, WORTH];
    const TRY: &'static str =
        "the tab Requests, or `summary --each LABEL`: what the slowest did for longer than usual ones";
    const NEEDS_REPLAY: bool = true;

    fn judge(of: &Asked<'_>) -> Judgement {
        let Some(spans) = of.scope.all_spans().filter(|spans| spans.tally.sum(|of| of.count) > 0) else {
            return Judgement::lacks(of.facts.spans.lacks, "The program wrote no spans (traceEvent \"START …\").");
        };
        if of.facts.threads.lacks.is_some_and(Absence::is_unlogged) {
            return Judgement::lacks(
                of.facts.threads.lacks,
                "The log does not say which thread begins and ends a span: how long it takes is not known for sure.",
            );
        }
        let labels = &of.known().stores.messages.labels;
        let (slow, are_some_unknown) = slowest(of.known(), &spans.tally);
        let Some(slow) = slow else {
            if are_some_unknown {
                return Judgement::lacks(
                    None,
                    "There are too many labels or lengths to tell whether a few spans take much longer than others.",
                );
            }
            return Judgement::fine(
                "There is no label of which a few spans take much longer than half of them do.",
                [],
            );
        };
        let SpanLengths { group: SpanGroup { labels: ref its, .. }, median, most, slow: few, .. } = slow;
        // Spans within others of the group count once more, which they cannot take.
        let beyond = slow.beyond().min(of.account.as_ref().map_or(Nanos::MAX, |account| account.all));
        let mut text = slow.in_words();
        let more = spans.parts.more_of(its, median, most);
        if more.as_ref().is_some_and(is_mostly_missing) {
            return Judgement::lacks(
                None,
                "For most of the time of the slow spans, the log lacks what their threads did: these may have ended earlier.",
            );
        }
        match more {
            Some(more) => add_more(&mut text, &more, few, labels),
            None if few == 1 => text.add(" There are too many labels or lengths to tell what the slow one did.", []),
            None => text.add(" There are too many labels or lengths to tell what the slow ones did.", []),
        }
        if are_some_unknown {
            text.add(" There are other labels, too many to tell whether any of their spans take longer still.", []);
        }
        let (rows, set) = (spans.rows.kept(), LabelSet::of(its));
        let longest = of.scope.longest_spans().iter().filter_map(|place| rows.get(*place as usize));
        let evidence = longest.filter(|span| set.has(span.label) && !span.unfinished).take(SHOWN).map(|span| {
            of.by_thread(span.thread, span.start, span.end, LogText::from(labels.text(span.label).to_string()))
        });
        let evidence: Vec<_> = evidence.collect();
        Judgement::found(most > GRAVE.nanos() && few > 1, text, Stake::of_caps(beyond), evidence)
    }
}

/// The spans of one label, or of a family of labels, whose slow ones take longest beyond the median, all together. Also whether there are
/// others, worth a look, of which the lengths are not known.
fn slowest(known: &Known, tally: &Tally) -> (Option<SpanLengths>, bool) {
    let (mut slow, mut are_some_unknown): (Option<SpanLengths>, bool) = (None, false);
    for group in known.span_groups() {
        // A family of one label is that label. Those of a family that are not kept are judged with all of it, and spans of all
        // other labels have nothing in common.
        let is_judged = match *group.labels.as_slice() {
            [label] if label >= OTHERS => group.is_family,
            [_] => !group.is_family,
            _ => true,
        };
        // What has no family, and no label of its own, may be twenty spans of one label.
        let is_of_others = !is_judged && *group.labels == [OTHERS];
        if !is_judged && !is_of_others {
            continue;
        }
        let lengths = SpanLengths::of(group, tally, &known.stores.messages.labels);
        let is_unknown = !lengths.is_known || is_of_others && lengths.count >= COUNT.whole();
        are_some_unknown |= is_unknown && lengths.total > WORTH.nanos();
        if is_judged && lengths.has_slow() && slow.as_ref().is_none_or(|slow| lengths.beyond() >= slow.beyond()) {
            slow = Some(lengths);
        }
    }
    (slow, are_some_unknown)
}

/// How long the spans of a group are.
struct SpanLengths {
    group: SpanGroup,
    /// Whether the median and the 99th percentile are known. If not, they are 0, as for a few spans.
    is_known: bool,
    count: u64,
    /// The time of all.
    total: Nanos,
    median: Nanos,
    /// The 99th percentile; of few spans the 95th if that is slow.
    most: Nanos,
    /// How many take that long or longer.
    slow: u64,
}

impl SpanLengths {
    fn of(group: SpanGroup, tally: &Tally, labels: &Labels) -> Self {
        let each = group.labels.iter().filter_map(|label| tally.by_label.get(usize::from(*label)));
        let (count, total) = each.fold((0, Nanos(0)), |(count, total), of| (count + of.count, total.plus(of.total)));
        let none = Self { group, is_known: true, count, total, median: Nanos(0), most: Nanos(0), slow: 0 };
        if count < COUNT.whole() {
            return none;
        }
        let of = |percent| tally.percentile(&none.group.labels, percent);
        let (Some(median), Some(most), p95) = (of(50), of(99), of(95)) else { return Self { is_known: false, ..none } };
        if !none.group.are_all(labels) {
            return Self { is_known: false, ..none };
        }
        let from = |percent: u64| count.saturating_sub((count * percent).div_ceil(100)) + 1;
        let lengths = Self { median, most, slow: from(99), ..none };
        match p95 {
            Some(most) if count < MANY.whole() && lengths.is_slow(most) => Self { most, slow: from(95), ..lengths },
            _ => lengths,
        }
    }

    /// What the slow ones take longer than the median, all together.
    fn beyond(&self) -> Nanos {
        Nanos(self.most.since(self.median).0.saturating_mul(self.slow))
    }

    fn is_slow(&self, length: Nanos) -> bool {
        length.0 as f64 >= TIMES.of() * self.median.0 as f64
    }

    fn has_slow(&self) -> bool {
        self.is_slow(self.most) && self.beyond() > WORTH.nanos()
    }

    /// How many spans are slow, and how slow.
    fn in_words(&self) -> Sentence {
        let Self { ref group, count, median, most, slow, .. } = *self;
        let mut text = Sentence::new(
            "Of {} spans “{}”, half take {} at most, but ",
            [Value::Count(count), Value::words(group.name.clone()), Value::Duration(median)],
        );
        match slow {
            1 => text.add("the slowest takes {}", [Value::Duration(most)]),
            few if count < FEW => text.add("{} take {} or longer", [Value::Count(few), Value::Duration(most)]),
            _ => text.add("one in a hundred takes {} or longer", [Value::Duration(most)]),
        }
        text.add(": {} times the median.", [decimal(most.0 as f64 / (median.0 as f64).max(1.0))]);
        text
    }
}

/// Whether it is not known what the slow ones did for most of what they took longer. Then an end may be missing, and that of a later span
/// ends them.
fn is_mostly_missing(more: &MoreOf) -> bool {
    more.parts.iter().any(|(part, time)| *part == NOT_KNOWN && time.0 > more.longer.0 / 2)
}

/// Says what the slow ones did for longer than those near the median, and in which spans within them.
fn add_more(text: &mut Sentence, more: &MoreOf, slow: u64, labels: &Labels) {
    let least = Nanos((more.longer.0 as f64 * MUCH.of()) as u64);
    let is_much = |(part, time): &&(usize, Nanos)| *part != NOT_KNOWN && *time >= least && *time > Nanos(0);
    let parts: Vec<_> = more.parts.iter().filter(is_much).take(NAMED).collect();
    for (at, (part, time)) in parts.iter().enumerate() {
        let words = match (at, slow) {
            (0, 1) => " That one is {} for {} longer than usual ones",
            (0, _) => " The slow ones are {} for {} longer than usual ones",
            _ => ", and {} for {} longer",
        };
        text.add(words, [Value::words(name_of(*part)), Value::Duration(*time)]);
    }
    if !parts.is_empty() {
        text.add(".", []);
    }
    let within = more.within.first().filter(|(_, time)| *time >= least);
    if let Some((other, time)) = within {
        let label = Value::words(labels.text(*other).to_string());
        let words = if slow == 1 {
            " The spans “{}” within it take {} longer."
        } else {
            " The spans “{}” within them take {} longer."
        };
        text.add(words, [label, Value::Duration(*time)]);
    }
    if more.are_some_left_out && (within.is_some() || !parts.is_empty()) {
        text.add(" These are means of some of the spans: there was no room to follow all.", []);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::{
        Level,
        testing::{MS, Play, finding, stop},
    };
    use alloc::{format, string::String};

    /// A span of thread 7, which yields afterwards.
    fn span(play: Play, label: &str, within: impl FnOnce(Play) -> Play) -> Play {
        let span = |play: Play| {
            let play = play.text(0, "USER_MSG", None, &format!("START {label}"));
            within(play).text(0, "USER_MSG", None, &format!("STOP {label}"))
        };
        play.run_with(0, 7, span, stop::YIELDING)
    }

    /// Whether the span with a number is one of the slow ones, where one in fifty is.
    fn is_slow(at: u64) -> bool {
        at % 50 == 9
    }

    fn spans(slow: u64) -> Play {
        let length = |at: u64| if is_slow(at) { slow } else { MS };
        Play::caps(1).each_of(200, |play, at| span(play, "get", |play| play.wait(length(at))))
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

    /// The 99th percentile of 20 lengths is the longest of them.
    #[test]
    fn of_few_spans_slow_ones_are_counted() {
        let of = |count: u64, slow: u64| {
            let length = |at: u64| if (4..4 + slow).contains(&at) { (80 + at) * MS } else { MS };
            let play = Play::caps(1).each_of(count, |play, at| span(play, "get", |play| play.wait(length(at))));
            let found = finding(SlowRequests::ID, play);
            (found.level, found.text.text(Nanos(0)))
        };
        let is = |(level, text): (Level, alloc::string::String), wanted: Level, words: &str| {
            assert!(level == wanted && text.contains(words), "{level:?}: {text}");
        };
        let one = of(20, 1);
        assert!(one.1.contains(" That one is running for 83.00 ms longer"), "{one:?}");
        is(
            one,
            Level::Info,
            "Of 20 spans “get”, half take 1.001 ms at most, but the slowest takes 84.00 ms: 83.9 times",
        );
        is(of(20, 2), Level::Warning, "but 2 take 84");
        is(of(60, 3), Level::Info, "but the slowest takes 86.00 ms: ");
        is(of(60, 4), Level::Warning, "but 4 take 84");
        is(of(150, 1), Level::Fine, "There is no label of which a few spans take much longer");
        is(of(150, 2), Level::Warning, "but 2 take 84");
        is(of(300, 4), Level::Warning, "but one in a hundred takes 84");
        is(of(19, 4), Level::Fine, "There is no label");
    }

    /// Each span has a label of its own: `START job 17`.
    #[test]
    fn a_few_slow_ones_of_labels_that_differ_in_a_number_are_found() {
        let job = |play: Play, at: u64| {
            span(play, &format!("job {at}"), |play| play.wait(if is_slow(at) { 61 * MS } else { MS }))
        };
        // Also where there is no room for the sums of each label, and none for all labels.
        for (count, written) in
            [(200, "200"), (3000, "3,000"), (4032, "4,032"), (4033, "4,033"), (4060, "4,060"), (9000, "9,000")]
        {
            let found = finding(SlowRequests::ID, Play::caps(1).each_of(count, job));
            let text = found.text.text(Nanos(0));
            assert!(text.contains(&format!("Of {written} spans “job #”, half take 1.00")), "{text}");
            assert!(text.ends_with("The slow ones are running for 60.00 ms longer than usual ones."), "{text}");
            assert_eq!((found.level, found.evidence.len()), (Level::Warning, 3));
            let names = found.evidence.iter().map(|evidence| evidence.label.for_page());
            let names: Vec<_> = names.collect();
            // The first of the slow ones.
            assert!(count > 200 || names == ["job 9", "job 59", "job 109"], "{names:?}");
        }
    }

    /// Its spans are too short for a label of their own, beside so many others.
    #[test]
    fn labels_that_are_not_kept_are_not_called_fine() {
        // In letters: labels that differ in a number would be of one family.
        let name = |number: u64| [26 * 26 * 26, 26 * 26, 26, 1].map(|of| char::from(b'a' + (number / of % 26) as u8));
        let span = |play: Play, label: &str, length: u64| span(play, label, |play| play.wait(length));
        let judged = |others: u64| {
            let of_time = |play: Play, at: u64| {
                let play = span(play, "rpc", if is_slow(at) { 20 * MS } else { MS / 1000 });
                let each = others / 500;
                let numbers = at * each..(at + 1) * each;
                numbers.fold(play, |play, number| span(play, &name(number).iter().collect::<String>(), 500 * MS))
            };
            finding(SlowRequests::ID, Play::caps(1).each_of(500, of_time))
        };
        assert_eq!(judged(500).level, Level::Info);
        let many = judged(20_000);
        assert_eq!(many.level, Level::NotApplicable, "{}", many.text.text(Nanos(0)));
    }

    /// All labels of the family that takes most time are kept, and none is left for others of it.
    #[test]
    fn slow_ones_are_found_if_only_labels_of_another_family_are_not_kept() {
        let of_time = |play: Play, at: u64, usual: u64| {
            let (name, length) = match at % 75 {
                0 => ("order", 60 * MS),
                rest if rest % 5 == 0 => ("order", 2 * MS),
                _ => ("user", usual),
            };
            span(play, &format!("{name} {at}"), |play| play.wait(length))
        };
        for (count, usual) in [4000, 4040, 4200, 6500].into_iter().flat_map(|count| [(count, MS / 100), (count, MS)]) {
            let found = finding(SlowRequests::ID, Play::caps(1).each_of(count, |play, at| of_time(play, at, usual)));
            let text = found.text.text(Nanos(0));
            assert!(
                found.level == Level::Warning && text.contains(" spans “order #”, half take 2.0"),
                "{count}: {text}"
            );
        }
    }

    /// The labels that are not kept take less time than each of the others, and have no room of their own for their lengths.
    #[test]
    fn what_is_not_known_of_a_label_is_known_of_its_family() {
        let job = |play: Play, at: u64| {
            span(play, &format!("job {at}"), |play| play.wait(if at < 4033 { 60 * MS } else { MS }))
        };
        let found = finding(SlowRequests::ID, Play::caps(1).each_of(4070, job));
        assert_eq!(found.level, Level::Fine, "{}", found.text.text(Nanos(0)));
    }

    /// There are more families than there is room for, which does not matter to a label of its own.
    #[test]
    fn slow_ones_of_one_label_are_found_among_any_number_of_families() {
        let of_time = |play: Play, at: u64| {
            let label =
                if at.is_multiple_of(30) { "get".into() } else { format!("{} {at}", "x".repeat(1 + at as usize % 80)) };
            span(play, &label, |play| play.wait(if at.is_multiple_of(1500) { 90 * MS } else { MS }))
        };
        let found = finding(SlowRequests::ID, Play::caps(1).each_of(6000, of_time));
        let text = found.text.text(Nanos(0));
        assert!(found.level == Level::Warning && text.starts_with("Of 200 spans “get”"), "{text}");
    }

    /// Slow ones are blocked, or collect, or their spans of another label take long.
    #[test]
    fn it_says_what_the_slow_ones_did_more_of() {
        let text = |slow: fn(Play) -> Play| {
            let get = |play: Play, at: u64| {
                span(play, "get", |play| {
                    let play = play.wait(MS).text(0, "USER_MSG", None, "START query").wait(MS);
                    let play = if is_slow(at) { slow(play) } else { play };
                    play.text(0, "USER_MSG", None, "STOP query")
                })
            };
            finding(SlowRequests::ID, Play::caps(1).each_of(200, get)).text.text(Nanos(0))
        };
        let blocked = text(|play| {
            let stops = play.event(0, "STOP_THREAD", &[("thread", 7), ("status", stop::MVAR), ("info", 0)]);
            stops.wait(60 * MS).wake(0, 7).event(0, "RUN_THREAD", &[("thread", 7)])
        });
        let within = "The spans “query” within them take 60.00 ms longer.";
        let says = "The slow ones are blocked on an MVar for 60.00 ms longer than usual ones";
        assert!(blocked.contains(says) && blocked.ends_with(within), "{blocked}");
        let collects = text(|play| {
            let stops = play.event(0, "STOP_THREAD", &[("thread", 7), ("status", stop::YIELDING), ("info", 0)]);
            stops.major(0, 60 * MS).event(0, "RUN_THREAD", &[("thread", 7)])
        });
        assert!(collects.contains("waiting for collections for 60.00 ms longer"), "{collects}");
        // More of them than are kept.
        let collects = text(|play| {
            let stops = play.event(0, "STOP_THREAD", &[("thread", 7), ("status", stop::YIELDING), ("info", 0)]);
            stops.each(60_000, |play| play.collect(0, MS / 1000)).event(0, "RUN_THREAD", &[("thread", 7)])
        });
        assert!(collects.contains("waiting for collections for 60.00 ms longer"), "{collects}");
        let works = text(|play| play.wait(60 * MS));
        assert!(works.contains("running for 60.00 ms longer"), "{works}");
    }

    /// The last blocks of capability 1 are missing: a thread that is woken up there may have ended its span, and begun another one.
    #[test]
    fn spans_of_which_most_is_missing_are_not_called_slow() {
        let level = |wakes_on: u64| {
            let of_time = |play: Play, at: u64| {
                let play = play.event(0, "RUN_THREAD", &[("thread", 7)]).text(0, "USER_MSG", None, "START get");
                let play = play.wait(MS);
                let stop = [("thread", 7), ("status", stop::MVAR), ("info", 0)];
                let play = if is_slow(at) {
                    let play = play.event(0, "STOP_THREAD", &stop).wait(MS);
                    let play = play.event(0, "THREAD_WAKEUP", &[("thread", 7), ("cap", wakes_on)]);
                    play.wait(60 * MS).event(0, "RUN_THREAD", &[("thread", 7)])
                } else {
                    play
                };
                play.text(0, "USER_MSG", None, "STOP get").event(0, "STOP_THREAD", &stop)
            };
            let play = Play::caps(2).run_to(1, 8, 1000, stop::MVAR).each_of(200, of_time);
            finding(SlowRequests::ID, play.cut_off()).level
        };
        assert_eq!([level(0), level(1)], [Level::Warning, Level::NotApplicable]);
    }

    /// While 300 spans are open, no more of them are followed.
    #[test]
    fn what_is_said_of_some_spans_says_so() {
        let text = |open: u64| {
            let of_time = |play: Play, at: u64| {
                let play = play.event(0, "RUN_THREAD", &[("thread", 7)]);
                let say = |play: Play, word: &str| {
                    (0..open).fold(play, |play, nth| play.text(0, "USER_MSG", None, &format!("{word} {nth} pool")))
                };
                let play = if at == 100 { say(say(play, "START"), "STOP") } else { play };
                let play = play.text(0, "USER_MSG", None, "START get").wait(if is_slow(at) { 60 * MS } else { MS });
                let play = play.text(0, "USER_MSG", None, "STOP get");
                play.event(0, "STOP_THREAD", &[("thread", 7), ("status", stop::YIELDING), ("info", 0)])
            };
            finding(SlowRequests::ID, Play::caps(1).each_of(200, of_time)).text.text(Nanos(0))
        };
        let (all, some) = (text(200), text(300));
        assert!(all.ends_with("longer than usual ones."), "{all}");
        assert!(some.ends_with("These are means of some of the spans: there was no room to follow all."), "{some}");
    }

    #[test]
    fn without_spans_it_does_not_apply() {
        assert_eq!(finding(SlowRequests::ID, Play::caps(1).run(0, 7, MS)).level, Level::NotApplicable);
    }
}
