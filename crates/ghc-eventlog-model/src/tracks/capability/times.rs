//! When lanes begin and end, how long they are in each state, and when they are disabled.

use super::{CENSUS, DISABLED, FOUND, GC_WAIT, LANE, LOST, LoggedClasses, RUNNING};
use crate::{
    keeping::rts_flags::TraceClass,
    known::Known,
    known::{caps::CapEvents, sums::Sums},
    limits,
    profiles::bands::Taking,
    sorting::sort_by_number,
    terms::{
        machine::Watched,
        place::{Pixel, Place},
        span::{Ending, Span},
        track::Note,
        value::Value,
        view::View,
    },
};
use alloc::vec::Vec;
use ghc_eventlog::{CapNo, GcDone, Nanos, RunThread, StopThread};

impl Known {
    /// When a lane begins and ends: at the capability's creation and deletion, if nothing is missing in the log; otherwise at
    /// its first and its last event, as far as the log has been read. Events may have been lost in between.
    pub(crate) fn lane_times(&self, stream: &CapEvents) -> Option<(Nanos, Nanos)> {
        let (mut first, mut last) = stream.times()?;
        if let Some(life) = stream.cap.and_then(|cap| self.stores.lives.of(cap)).filter(|_| !self.has_losses()) {
            first = life.created.map_or(first, |created| created.time().min(first));
            // A span without an end may have continued.
            let is_over = self.is_whole() && stream.machines.lane.open(last, Ending::Open).is_none();
            last = life.deleted.filter(|_| is_over).map_or(last, |deleted| deleted.time().max(last));
        }
        Some((first, last))
    }

    /// How much of a range of time a lane exists.
    pub(crate) fn lane_lasts(&self, stream: &CapEvents, from: Nanos, to: Nanos) -> Nanos {
        self.lane_times(stream).map_or(Nanos(0), |(first, last)| last.min(to).since(first.max(from)))
    }

    /// How much of a range of time is before a lane begins and after it ends: for how long the capability is not there, or is disabled,
    /// and for how long its events may be missing.
    pub(crate) fn beyond(&self, stream: &CapEvents, from: Nanos, to: Nanos) -> (Nanos, Nanos) {
        let (first, last) = self.lane_times(stream).unwrap_or((from, from));
        let (before, after) = (first.min(to).since(from), to.since(last.max(from)));
        let life = stream.cap.and_then(|cap| self.stores.lives.of(cap)).filter(|_| !self.has_losses());
        let Some(life) = life.filter(|life| life.created.is_some()) else { return (Nanos(0), before.plus(after)) };
        if self.stores.lives.is_off(life)
            || !self.incomplete && !self.index.processes.stopped().iter().any(|stop| *stop >= last)
        {
            return (before.plus(after), Nanos(0));
        }
        (before, after)
    }

    /// The time that a lane was in each state in `from..to`. `sums` are those of the spans in that time.
    pub(crate) fn lane_totals(&self, stream: &CapEvents, sums: &Sums, from: Nanos, to: Nanos) -> Vec<Nanos> {
        let mut totals: Vec<Nanos> = sums.of(LANE, FOUND).iter().copied().map(Nanos).collect();
        let busy = totals.iter().copied().reduce(Nanos::plus).unwrap_or_default();
        let left = self.lane_lasts(stream, from, to).since(busy);
        let inside = |span: Span| span.end.min(to).since(span.start.max(from));
        let sum = |spans: &mut dyn Iterator<Item = Span>| spans.map(inside).fold(Nanos(0), Nanos::plus);
        let ran = totals.get_mut(usize::from(RUNNING));
        let unseen = ran.map_or(Nanos(0), |ran| {
            let unseen = sum(&mut self.unseen_runs(stream)).min(*ran);
            *ran = ran.since(unseen);
            unseen
        });
        let waited = totals.get_mut(usize::from(GC_WAIT));
        let census = waited.map_or(Nanos(0), |waited| {
            let census = sum(&mut self.censuses_of(stream, from, to)).min(*waited);
            *waited = waited.since(census);
            census
        });
        let unlogged = sum(&mut self.unlogged(stream).into_iter()).min(left);
        if let Some(lost) = totals.get_mut(usize::from(LOST)) {
            *lost = lost.plus(unlogged).plus(unseen);
        }
        let left = left.since(unlogged);
        let disabled = match self.time_off(stream, from, to) {
            Some(off) => off.since(unlogged).min(left),
            None => sum(&mut self.disabled(stream).into_iter()).min(left),
        };
        totals.push(census);
        totals.push(disabled);
        totals.push(if self.logged_classes().idle() { left.since(disabled) } else { Nanos(0) });
        totals
    }

    /// The share of time that some lanes ran, of the known time in which they could have run.
    pub(crate) fn share_running<'a>(&self, lanes: impl Iterator<Item = &'a CapEvents>) -> Note {
        if let Some(flag) = self.logged_classes().lacks(RUNNING) {
            return Note::Lacks(flag);
        }
        let (ran, could) = lanes.fold((0.0, 0.0), |(ran, could), stream| {
            let totals = self.lane_totals(stream, &stream.sums, Nanos(0), Nanos::MAX);
            let total = |state: u8| totals.get(usize::from(state)).copied().unwrap_or_default();
            let here = self.lane_lasts(stream, Nanos(0), Nanos::MAX).since(total(LOST)).since(total(DISABLED));
            (ran + total(RUNNING).0 as f64, could + here.0 as f64)
        });
        Note::Share(ran / could.max(1.0))
    }

    /// Which states of lanes the log can show. Every program runs threads, and collects at its end at the latest. If the
    /// log's end is missing, it may just not have got that far.
    pub(crate) fn logged_classes(&self) -> LoggedClasses {
        // What was logged and did not happen is known: it took no time.
        let logged = |class, tags: &[u16]| self.counts.has_any(tags) || self.logs(class) == Some(true);
        let threads = logged(TraceClass::Scheduler, &[RunThread::TAG, StopThread::TAG]);
        let collections = logged(TraceClass::Collections, &[GcDone::TAG]);
        let more_to_come = !self.is_whole();
        LoggedClasses { threads: threads || !collections && more_to_come, collections: collections || more_to_come }
    }

    /// When a lane's capability was disabled and did nothing: in order of time, without overlap.
    pub(crate) fn disabled(&self, stream: &CapEvents) -> Vec<Span> {
        let mut spans: Vec<Span> = Vec::new();
        let life = stream.cap.and_then(|cap| self.stores.lives.of(cap));
        let (Some(life), Some((first, last))) = (life, self.lane_times(stream)) else { return spans };
        for (from, to) in life.disabled() {
            let (start, end) = (from.max(first), to.min(last));
            let ends = |span_end: Nanos| if to == Nanos::MAX && span_end == end { Ending::Open } else { Ending::Next };
            let mut add = |start: Nanos, end: Nanos| match spans.last_mut() {
                Some(before) if before.end == start => (before.end, before.ending) = (end, ends(end)),
                _ => {
                    spans.push(Span { start, end, thread: None, state: DISABLED, ending: ends(end), open_start: false })
                }
            };
            // Time between two spans counts as idle unless it is long: shorter idle stretches are not kept.
            if start < end {
                let rests = self.rests(stream, (first, last), start, end);
                rests.into_iter().for_each(|(from, to)| add(from.max(start), to.min(end)));
            }
        }
        spans
    }

    /// For how long a lane's capability was disabled and did nothing, all in all: from the replay, if not all idle stretches are kept, and
    /// `from..to` is all of the time that the lane exists.
    fn time_off(&self, stream: &CapEvents, from: Nanos, to: Nanos) -> Option<Nanos> {
        let replayed = self.replayed.as_ref().filter(|replayed| replayed.is_done && self.stores.rests.lost_some())?;
        let (first, last) = self.lane_times(stream)?;
        (from <= first && to >= last).then(|| replayed.account.off(stream.cap.unwrap_or(CapNo::GLOBAL)))
    }

    /// When nothing is found on a lane because a class of events was switched off meanwhile, or all of the log: it may have been idle, or
    /// not. In order of time, without overlap, and not where it was disabled.
    pub(crate) fn unlogged(&self, stream: &CapEvents) -> Vec<Span> {
        let mut spans: Vec<Span> = Vec::new();
        let pauses = [Watched::Threads, Watched::Collections].map(|class| self.stores.pauses.of_class(class));
        let mut pauses: Vec<(Nanos, Nanos)> = pauses.into_iter().flatten().collect();
        let at = self.caps.stream(stream.cap).unwrap_or_default();
        pauses.extend(self.stores.pauses.off.within(at, Nanos(0), Nanos::MAX));
        let Some(times) = self.lane_times(stream).filter(|_| !pauses.is_empty()) else { return spans };
        sort_by_number(&mut pauses, |(_, to)| to.0);
        sort_by_number(&mut pauses, |(from, _)| from.0);
        let (mut stretches, mut done) = (Vec::new(), Nanos(0));
        for (from, to) in pauses {
            let from = from.max(done);
            let rests = self.rests(stream, times, from, to).into_iter();
            stretches.extend(rests.map(|(start, end)| (start.max(from), end.min(to))));
            done = done.max(to);
        }
        left_of(&stretches, &self.disabled(stream), |start, end| {
            let ending = Ending::Next;
            spans.push(Span { start, end, thread: None, state: LOST, ending, open_start: false });
        });
        spans
    }

    /// When a lane's capability seems to run a thread, but that may be over, since a class of events was switched off meanwhile. In order of
    /// time.
    pub(crate) fn unseen_runs(&self, stream: &CapEvents) -> impl Iterator<Item = Span> {
        let at = self.caps.stream(stream.cap).unwrap_or_default();
        let span =
            |(start, end)| Span { start, end, thread: None, state: LOST, ending: Ending::Next, open_start: false };
        self.stores.pauses.runs_through(at).map(span)
    }

    /// When a lane's capability is in none of the states that are found, nor idle: disabled, or unlogged. In order of time.
    pub(crate) fn set_aside(&self, stream: &CapEvents) -> Vec<Span> {
        let mut spans = self.disabled(stream);
        spans.extend(self.unlogged(stream));
        sort_by_number(&mut spans, |span| span.start.0);
        spans
    }

    /// When a lane's capability took censuses of the heap, as far as they overlap `from..to`: from the end of the collecting to
    /// the end of the census. Of a biographical census, the log tells when it began, but not when it ended: until the end of
    /// the collection. Each is within a span of GC wait.
    pub(crate) fn censuses_of(&self, stream: &CapEvents, from: Nanos, to: Nanos) -> impl Iterator<Item = Span> {
        let heap = &self.stores.profiles.heap;
        // Most logs have no heap profile.
        let at = if heap.has_no_census() { None } else { self.caps.stream(stream.cap) };
        let tails = at.into_iter().flat_map(move |at| self.stores.tails.0.within(at, from, to));
        let census = |(start, end)| {
            let Taking { begin, end: taken } = heap.taken_in(start, end)?;
            // It is counted before it is written down.
            Some((if taken == Nanos::MAX { begin } else { start }, taken.min(end)))
        };
        let spans = tails.filter_map(census).map(|(start, end)| Span {
            start,
            end,
            thread: None,
            state: CENSUS,
            ending: Ending::Next,
            open_start: false,
        });
        spans.filter(move |span| span.start < span.end && span.end > from)
    }

    /// A span of a lane as it is shown: GC wait in parts if there is a census in it, and a run up to a pause.
    pub(crate) fn shown_parts(&self, stream: &CapEvents, span: Span) -> impl Iterator<Item = Span> + use<> {
        let waited = span.state == GC_WAIT;
        let is_in = |unseen: &Span| unseen.end == span.end && unseen.start >= span.start;
        let unseen = Some(RUNNING).filter(|run| span.state == *run).and_then(|_| self.unseen_runs(stream).find(is_in));
        let census = waited.then(|| self.censuses_of(stream, span.start, span.end).next()).flatten();
        let whole = unseen.map_or([Some(span), None, None], |unseen| {
            [Some(Span { end: unseen.start, ending: Ending::Unlogged, ..span }), Some(unseen), None]
        });
        let parts = census.map_or(whole, |census| {
            let (before, after) =
                (Span { end: census.start, ending: Ending::Next, ..span }, Span { start: census.end, ..span });
            let open_start = span.open_start && before.start == before.end;
            let ending = if after.start == after.end { span.ending } else { Ending::Next };
            [Some(before), Some(Span { open_start, ending, ..census }), Some(Span { open_start: false, ..after })]
        });
        parts.into_iter().flatten().filter(move |part| part.start < part.end || *part == span)
    }

    /// A lane's long idle stretches that overlap `from..to`. `times` are the begin and the end of the lane.
    fn rests(&self, stream: &CapEvents, times: (Nanos, Nanos), from: Nanos, to: Nanos) -> Vec<(Nanos, Nanos)> {
        let at = self.caps.stream(stream.cap).unwrap_or_default();
        let (first, last) = times;
        let head = Some((first, stream.first));
        // While the stream continues, the last stretch is open; after that it is kept, and nothing comes after it.
        let tail = if stream.begun { stream.rest().map(|(since, _)| (since, last)) } else { Some((stream.last, last)) };
        let all = head.into_iter().chain(self.stores.rests.within(at, from, to)).chain(tail);
        all.filter(|(start, end)| start < end && *start < to && *end > from).collect()
    }

    /// When the runtime wrote a lane's events to the file, as far as that is wide enough to be seen.
    pub(super) fn log_writes_in(&self, at: usize, view: View) -> Vec<(Nanos, Nanos)> {
        let pixel = view.pixel();
        let writes = self.stores.log_writes.within(at, view.from, view.to);
        writes.filter(|(from, to)| to.since(*from).0 as f64 >= pixel).take(limits::MAX_SPANS).collect()
    }

    /// How long the runtime wrote a lane's events to the file while it was in a state, if it did.
    pub(crate) fn wrote_in(&self, at: usize, span: Span) -> Option<(&'static str, Value)> {
        let wrote = self.stores.log_writes.within(at, span.start, span.end);
        let inside = wrote.map(|(from, to)| to.min(span.end).since(from.max(span.start))).fold(Nanos(0), Nanos::plus);
        (inside > Nanos(0)).then_some(("Writing the log (estimate)", Value::Duration(inside)))
    }

    /// Why nothing is known of a lane in a pixel, if that is so.
    pub(super) fn unknown_at(&self, at: usize, stream: &CapEvents, pixel: Pixel) -> Option<Place> {
        let Pixel { from, to, .. } = pixel;
        let Some((first, mut last)) = self.lane_times(stream) else { return Some(Place::Unknown(None)) };
        if !self.is_finished() {
            // Until where it can be read again.
            last = self.index.stream(at).last().map_or(Nanos(0), |entry| entry.to);
        }
        if to > first && from <= last {
            return None;
        }
        Some(if self.is_finished() || to <= first { Place::Unknown(None) } else { Place::Unread })
    }

    /// How much of a helper's wait comes after the end of the collection that it helped with, if that is known: the
    /// collection is over, but the capability cannot be used yet.
    pub(super) fn waited_on(&self, span: Span) -> Option<Nanos> {
        // If rows are missing, the previous one may be an earlier collection.
        if span.state != GC_WAIT || self.stores.collections.is_capped() {
            return None;
        }
        let rows = self.stores.collections.rows();
        let begun = rows.get(..rows.partition_point(|row| row.start < span.end))?;
        let end = begun.last()?.end.max(span.start);
        Some(span.end.since(end)).filter(|after| *after > Nanos(0) && end < span.end)
    }
}

/// What is left of stretches of time without some spans. Both are in order of time and do not overlap, and there may be many of both.
fn left_of(stretches: &[(Nanos, Nanos)], spans: &[Span], mut add: impl FnMut(Nanos, Nanos)) {
    let mut outs = spans;
    let mut add = |from: Nanos, to: Nanos| {
        if from < to {
            add(from, to);
        }
    };
    for &(start, end) in stretches {
        // The last one may go on into the next stretch.
        while let [out, later @ ..] = outs
            && out.end <= start
        {
            outs = later;
        }
        let mut begin = start;
        for out in outs.iter().take_while(|out| out.start < end) {
            add(begin, out.start);
            begin = out.end;
        }
        add(begin, end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stretches in which a drawing has a letter.
    fn drawn(drawing: &str, letter: char) -> Vec<(Nanos, Nanos)> {
        let mut all: Vec<(Nanos, Nanos)> = Vec::new();
        for at in (0..).zip(drawing.chars()).filter(|(_, other)| *other == letter).map(|(at, _)| at) {
            match all.last_mut() {
                Some((_, to)) if *to == Nanos(at) => *to = Nanos(at + 1),
                _ => all.push((Nanos(at), Nanos(at + 1))),
            }
        }
        all
    }

    #[test]
    fn spans_are_taken_out_of_stretches() {
        let cases = [
            ("--aa--aaaa-aa---aaaa", "ddd------dd----d---d", "...a..aaa..aa...aaa."),
            ("aaaaaaaaaa----------", "-d-dd-----d---------", "a.a..aaaaa.........."),
            ("-aa-aa-aa-----------", "--------------------", ".aa.aa.aa..........."),
            ("-aa-aa-aa-----------", "dddddddddddddddddddd", "...................."),
        ];
        for (stretches, spans, expected) in cases {
            let of = |(start, end)| Span {
                start,
                end,
                thread: None,
                state: DISABLED,
                ending: Ending::Next,
                open_start: false,
            };
            let spans: Vec<Span> = drawn(spans, 'd').into_iter().map(of).collect();
            let mut left = Vec::new();
            left_of(&drawn(stretches, 'a'), &spans, |from, to| left.push((from, to)));
            assert_eq!(left, drawn(expected, 'a'), "{stretches} without {spans:?}");
        }
    }
}
