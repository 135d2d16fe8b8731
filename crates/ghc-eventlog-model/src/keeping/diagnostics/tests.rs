//! Which diagnostics are kept, and what they say.

use super::*;
use alloc::string::ToString;

#[test]
fn what_is_missing_is_counted_in_words() {
    let text = |unended, unbegun| DiagnosticKind::Unpaired { unended, unbegun }.to_string();
    assert_eq!(text(1, 1), "missing: 1 end of a run or collection, 1 start of a run");
    assert_eq!(text(2, 0), "missing: 2 ends of a run or collection");
    assert_eq!(text(0, 12_000), "missing: 12000 starts of a run");
}

#[test]
fn contradictions_are_reported_in_words() {
    let text = |runs, twice| DiagnosticKind::Impossible { runs, twice: Nanos(twice) }.to_string();
    assert_eq!(text(1, 0), "by the log's times, threads ran once that ran already or had finished");
    assert_eq!(text(0, 1200), "by the log's times, two capabilities ran the same thread for 1200 ns");
    let both = "by the log's times, threads ran 3 times that ran already or had finished, and two capabilities ran the same thread \
                for 5 ns";
    assert_eq!(text(3, 5), both);
}

/// Lost bytes of diagnostics that are not kept count, too.
#[test]
fn all_lost_bytes_are_counted() {
    let mut all = Diagnostics::default();
    for offset in 0..limits::MAX_DIAGNOSTICS as u64 + 5 {
        all.add(DiagnosticKind::Decoder(Notice { kind: NoticeKind::TypeLost(3), offset }), None);
        all.add(DiagnosticKind::Decoder(Notice { kind: NoticeKind::BlockBeyondEnd(9), offset }), None);
    }
    assert_eq!(all.lost_bytes(), 3 * (limits::MAX_DIAGNOSTICS as u64 + 5));
}

/// Also if they come last. And what is about the whole log is kept however much was lost.
#[test]
fn the_gravest_losses_are_kept() {
    let mut all = Diagnostics::default();
    let lost = |bytes, offset| DiagnosticKind::Decoder(Notice { kind: NoticeKind::TypeLost(bytes), offset });
    let most = limits::MAX_DIAGNOSTICS as u64;
    (0..most * 3).for_each(|offset| all.add(lost(2 + offset % 2, offset), None));
    assert!(!all.takes(lost(3, 0)) || all.list().iter().any(|kept| kept.kind.lost_bytes() == Some(2)));
    all.add(lost(1_000_000, most * 3), Some(Nanos(7)));
    let too_many = DiagnosticKind::TooManyThreads(WithoutRow { count: 1, is_exact: true, open: 0, longest: Nanos(5) });
    all.add(too_many, None);
    all.add(lost(1, most * 4), None);
    let kept = all.list();
    assert_eq!((kept.len() as u64, all.count()), (most, most * 3 + 3));
    assert_eq!(kept.last().map(|last| last.kind), Some(too_many));
    assert!(kept.iter().any(|kept| kept.kind.lost_bytes() == Some(1_000_000) && kept.time == Some(Nanos(7))));
    assert_eq!(kept.iter().filter(|kept| kept.kind.lost_bytes() == Some(3)).count() as u64, most - 2);
    assert!(kept.is_sorted_by_key(|kept| kept.kind.offset().unwrap_or(u64::MAX)));
}

#[test]
fn what_must_be_said_first_depends_on_the_whole_log() {
    let of = |line: &str, lost_bytes, all| {
        let args: Vec<LogText<'_>> = line.split(' ').map(LogText::from).collect();
        let said = Gist { bytes: 1000, lost_bytes, args: &args, all }.foremost();
        said.iter()
            .map(|said| said.to_string().split([' ', ':']).take(5).collect::<Vec<_>>().join(" "))
            .collect::<Vec<_>>()
    };
    let (few, short) = (Some((999, Nanos::SECOND)), Some((9999, Nanos(99_999_999))));
    let long = Some((1000, Nanos(100_000_000)));
    assert_eq!(of("prog", 501, long), ["Most of this file could"]);
    assert_eq!(of("prog", 500, few), [""; 0]);
    assert_eq!(of("ghc Main.hs", 0, few), [""; 0]);
    for all in [None, long, few] {
        assert_eq!(of("stack exec prog", 0, all), ["This log is of `stack`"]);
    }
    for (all, said) in [(None, 0), (long, 0), (few, 1), (short, 1)] {
        assert_eq!(of("stack build", 0, all).len(), said, "{all:?}");
    }
    assert_eq!(of("cabal run", 999, None), ["Most of this file could", "This log is of `cabal`"]);
}

#[test]
fn a_new_replay_replaces_the_diagnostics_of_the_last_one() {
    let mut all = Diagnostics::default();
    (0..limits::MAX_DIAGNOSTICS).for_each(|_| all.add(DiagnosticKind::NoEvents, None));
    let kept = limits::MAX_DIAGNOSTICS + 1;
    all.found_again([DiagnosticKind::UnbegunSpans(1), DiagnosticKind::TooManySpans(1)]);
    assert_eq!((all.list().len(), all.count()), (kept + 1, kept as u64 + 1));
    all.found_again([DiagnosticKind::UnbegunSpans(2)]);
    assert_eq!(
        (all.list().last().map(|last| last.kind), all.count()),
        (Some(DiagnosticKind::UnbegunSpans(2)), kept as u64)
    );
    all.found_again([]);
    assert_eq!((all.list().len(), all.count()), (kept - 1, kept as u64 - 1));
}

/// Diagnostics that are about one place.
#[test]
fn a_diagnostic_knows_its_place() {
    let notice = Notice { kind: NoticeKind::FurtherStream, offset: 3339 };
    let back = DiagnosticKind::TimeBack { cap: None, offset: 7, by: Nanos(1) };
    let known = [DiagnosticKind::Decoder(notice), back, DiagnosticKind::Stopped { offset: 0 }];
    assert_eq!(known.map(|kind| kind.offset()), [Some(3339), Some(7), Some(0)]);
    let unknown = [DiagnosticKind::NoEvents, DiagnosticKind::Unpaired { unended: 1, unbegun: 2 }];
    assert_eq!(unknown.map(|kind| kind.offset()), [None; 2]);
}

#[test]
fn a_notice_shows_its_place() {
    let text = |kind| DiagnosticKind::Decoder(Notice { kind, offset: 3339 }).to_string();
    assert_eq!(text(NoticeKind::FurtherStream), "logging was restarted (byte 3339)");
    let cut = "the file ends in the middle of an event, at byte 3339; later events are missing";
    assert_eq!(text(NoticeKind::Cut { tag: None, missing: 4, bytes: 7 }), cut);
    assert_eq!(text(NoticeKind::BytesAfterEndMark(1)), "ignored 1 byte after the end mark (byte 3339)");
    assert_eq!(text(NoticeKind::BytesBeforeHeader(2)), "skipped 2 bytes before the header (byte 3339)");
}
