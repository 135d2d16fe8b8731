//! Why a capability was idle for a while.
//!
//! ```text
//! idle                |from ------- to|
//! pieces      |===0===|===1===|===2===|===3===|
//! read                |---------------|      what happens to threads from the begin of the first one on
//! ```
//!
//! The replay knows what each thread did at the begin of any piece of time, and the [account](crate::keeping::crossing::account) has a
//! reason for idle time at any moment. So the account of this one capability begins there, and goes on up to the end.

use crate::{
    facts::account::REASONS,
    keeping::crossing::{
        Break,
        account::{BLOCKED, COLLECTION, IDLE_REASONS, IdleAccount, RUNNABLE_ELSEWHERE, RUNNABLE_HERE},
        cells::REASONS as BLOCKED_BY,
        doing::{Doing, Now},
    },
    limits,
    reading::{
        job::{Changed, Job},
        model::Model,
    },
    sorting::{by_most, sort_by_number},
    terms::{
        op::{Besides, GcStep, Op, What},
        progress::Progress,
        track::TrackId,
    },
};
use alloc::{collections::BTreeMap, vec, vec::Vec};
use ghc_eventlog::{CapNo, Nanos, StopReason, ThreadId};

/// A question why a capability was idle: see [`Model::why_idle`].
#[derive(Debug, Clone)]
pub struct WhyIdle {
    cap: CapNo,
    from: Nanos,
    to: Nanos,
    /// The segments that have not been read yet, of so many.
    segments: Vec<u32>,
    all: usize,
    /// The events, each with its segment.
    ops: Vec<(u32, Op)>,
}

/// A reason for which a capability was idle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdleReason {
    /// What programs call it: the key of the part of the [account](crate::AccountPart).
    pub key: &'static str,
    /// What people call it.
    pub name: &'static str,
    /// How long it was idle for this reason.
    pub time: Nanos,
    /// The threads that it is about, as many as are kept: those that could run, or whose black holes others waited for.
    pub threads: Vec<ThreadId>,
    /// The capability that had requested the collections: those of each are a reason by themselves. `None` if that is not known.
    pub cap: Option<CapNo>,
}

impl Model {
    /// Begins to find out why a capability was idle from one time to another: a [`Job`](crate::Job). `track` is the capability's. `None` if
    /// it is another track, before the log has been [gone through in order of time](Self::replay), and if too much of the file would have to
    /// be read.
    #[must_use]
    pub fn why_idle(&self, track: TrackId, from: Nanos, to: Nanos) -> Option<WhyIdle> {
        let (_, of) = track.tracks()?;
        let cap = CapNo(u16::try_from(of).ok()?);
        let known = &self.known;
        let replayed =
            known.replayed.as_ref().filter(|replayed| replayed.is_done && track == TrackId::capability(cap))?;
        let cells = &replayed.lives.cells;
        let to = to.min(replayed.end.plus(Nanos(1)));
        let segments = known.segments_between(cells.begin(cells.piece(from)), to);
        if from >= to || known.bytes_to_read(&segments) > limits::THREADS_READ {
            return None;
        }
        Some(WhyIdle { cap, from, to, all: segments.len(), segments, ops: Vec::new() })
    }

    /// The reasons for which the capability was idle, the longest first; `None` as long as the job is not done.
    #[must_use]
    pub fn idle_reasons(&self, why: &WhyIdle) -> Option<Vec<IdleReason>> {
        if !why.segments.is_empty() {
            return None;
        }
        let mut watch = Watch::begun(self, why)?;
        let mut ops = why.ops.clone();
        // Events with equal times come in file order.
        sort_by_number(&mut ops, |(segment, _)| (*segment).into());
        sort_by_number(&mut ops, |(_, op)| op.time.0);
        for (_, op) in ops.iter().take_while(|(_, op)| op.time < why.to) {
            watch.step(op);
        }
        Some(watch.reasons())
    }
}

impl Job for WhyIdle {
    fn reads(&mut self, model: &mut Model) -> Vec<(u64, u64)> {
        self.segments.iter().filter_map(|segment| model.known.read_of(*segment)).collect()
    }

    fn give(&mut self, model: &mut Model, offset: u64, bytes: &[u8]) -> Result<(), Changed> {
        let wanted = core::mem::take(&mut self.segments);
        let (cells, from) = (model.known.replayed.as_ref().map(|replayed| &replayed.lives.cells), self.from);
        let begin = cells.map_or(from, |cells| cells.begin(cells.piece(from)));
        let mut come: Vec<u32> = Vec::new();
        let (ops, to) = (&mut self.ops, self.to);
        let given = model.each_ops(
            offset,
            bytes,
            &|number| wanted.contains(&number),
            Besides::Marks,
            &mut |_, number, more, _| {
                come.push(number);
                let inside =
                    |op: &Op| begin <= op.time && op.time < to && !matches!(op.what, What::Mark(_) | What::Spark);
                ops.extend(more.into_iter().filter(inside).map(|op| (number, op)));
            },
        );
        self.segments = wanted.into_iter().filter(|number| !come.contains(number)).collect();
        given
    }

    fn take(&mut self, _: &Model) {}

    fn progress(&self) -> Progress {
        Progress { done: self.all - self.segments.len(), of: self.all }
    }
}

/// The account of one capability, and whom its reasons are about.
struct Watch<'m> {
    model: &'m Model,
    why: &'m WhyIdle,
    account: IdleAccount,
    /// What each thread does, by its place.
    now: Vec<Now>,
    /// The same of threads without a row, since their first events that are read.
    rowless: BTreeMap<ThreadId, Now>,
    /// The breaks that have not happened yet.
    breaks: &'m [Break],
    /// The idle time before `from`; `None` until then.
    before: Option<[Nanos; IDLE_REASONS]>,
    /// The time for which collections were pending, by the capability that requested each; and how much of the account's is in it.
    pending: Vec<(Option<CapNo>, Nanos)>,
    charged: Nanos,
    here: Vec<ThreadId>,
    elsewhere: Vec<ThreadId>,
    owners: Vec<ThreadId>,
}

impl<'m> Watch<'m> {
    /// At the begin of the piece in which the time begins.
    fn begun(model: &'m Model, why: &'m WhyIdle) -> Option<Self> {
        let known = &model.known;
        let replayed = known.replayed.as_ref()?;
        let lives = &replayed.lives;
        let piece = lives.cells.piece(why.from);
        let begin = lives.cells.begin(piece);
        let mut account = known.account_of(|cap| cap == why.cap);
        account.go_to(begin);
        for gc in known.stores.collections.rows().iter().filter(|gc| gc.end >= begin) {
            let Some(cap) = gc.cap.filter(|_| gc.requested.is_some_and(|requested| requested.time() < begin)) else {
                continue;
            };
            let mut step = |step| account.step(&Op { time: begin, thread: ThreadId(0), cap, what: What::Gc(step) });
            step(GcStep::Requested);
            if gc.start < begin {
                step(GcStep::Begun);
            }
        }
        let mut now = vec![Now::GONE; lives.count()];
        for (place, life) in lives.all() {
            let until = (piece, begin.min(replayed.end));
            let was = lives.cells.did_until((life.last, life.counted_until), until, |_| {}, |_, _| {});
            account.thread(place, &Now::GONE, &was);
            if was.doing == Doing::Running && was.cap == why.cap {
                let thread = known.thread_at(place).unwrap_or_default();
                account.step(&Op { time: begin, thread, cap: was.cap, what: What::Run });
            }
            if let Some(now) = now.get_mut(place) {
                *now = was;
            }
        }
        let none = Vec::new;
        let all = replayed.breaks();
        let breaks = all.get(all.partition_point(|one| one.time < begin)..).unwrap_or_default();
        Some(Self {
            model,
            why,
            account,
            now,
            rowless: BTreeMap::new(),
            breaks,
            before: None,
            pending: Vec::new(),
            charged: Nanos(0),
            here: none(),
            elsewhere: none(),
            owners: none(),
        })
    }

    fn step(&mut self, op: &Op) {
        let known = &self.model.known;
        self.break_until(op.time);
        if op.time >= self.why.from {
            self.enter();
        }
        if matches!(op.what, What::Gc(_) | What::Run) {
            self.account.go_to(op.time);
            self.charge();
        }
        self.account.step(op);
        if matches!(op.what, What::Gc(_) | What::Occupied(_) | What::Vacant) {
            return;
        }
        match known.stores.threads.known_place(op.thread) {
            Some(place) => self.thread(place, op),
            None => self.thread_without_row(op),
        }
    }

    /// Lets happen up to a time what happens to many threads at once.
    fn break_until(&mut self, time: Nanos) {
        while let Some((next, later)) = self.breaks.split_first().filter(|(next, _)| next.time <= time) {
            self.breaks = later;
            if next.time >= self.why.from {
                self.enter();
            }
            self.account.go_to(next.time);
            for (place, thread) in self.model.known.stores.threads.rows().iter().enumerate() {
                if let Some(now) = self.now.get(place).filter(|_| next.is_about(thread.id)) {
                    let op = next.op(thread.id, now.cap);
                    self.thread(place, &op);
                }
            }
        }
    }

    /// Something happens to a thread.
    fn thread(&mut self, place: usize, op: &Op) {
        let Some(now) = self.now.get_mut(place) else { return };
        let before = *now;
        now.step(op);
        let after = *now;
        self.account.thread(place, &before, &after);
        if self.before.is_some() {
            self.note(op.thread, &after);
        }
    }

    /// The same for one without a row.
    fn thread_without_row(&mut self, op: &Op) {
        let now = self.rowless.entry(op.thread).or_insert(Now::GONE);
        let before = *now;
        now.step(op);
        let after = *now;
        self.account.thread(usize::MAX, &before, &after);
        if self.before.is_some() {
            self.note(op.thread, &after);
        }
    }

    /// The time that is asked about begins, if it has not.
    fn enter(&mut self) {
        if self.before.is_some() {
            return;
        }
        self.account.go_to(self.why.from);
        self.before = Some(self.account.spent.idle);
        self.pending.clear();
        self.charged = self.account.spent.idle.get(COLLECTION).copied().unwrap_or_default();
        for place in 0..self.now.len() {
            let Some(now) = self.now.get(place).copied() else { continue };
            if let Some(thread) = self.model.known.thread_at(place) {
                self.note(thread, &now);
            }
        }
    }

    /// Adds the time for which a collection has been pending to whoever requested it.
    fn charge(&mut self) {
        let all = self.account.spent.idle.get(COLLECTION).copied().unwrap_or_default();
        let more = all.since(core::mem::replace(&mut self.charged, all));
        if more == Nanos(0) {
            return;
        }
        let requester = self.account.requester();
        match self.pending.iter_mut().find(|(cap, _)| *cap == requester) {
            Some((_, time)) => *time = time.plus(more),
            None => self.pending.push((requester, more)),
        }
    }

    /// Keeps a thread that is part of a reason.
    fn note(&mut self, thread: ThreadId, now: &Now) {
        let known = &self.model.known;
        let (list, whom) = match now.doing {
            Doing::Runnable if now.cap == self.why.cap => (&mut self.here, Some(thread)),
            Doing::Runnable => (&mut self.elsewhere, Some(thread)),
            Doing::Blocked if now.reason == Some(StopReason::BlockedOnBlackHole) => {
                (&mut self.owners, now.other.thread())
            }
            _ => return,
        };
        let is_own = || known.stores.threads.get(thread).is_some_and(|row| known.stores.threads.is_of_runtime(row));
        if let Some(whom) = whom
            && list.len() < limits::MAX_IDLE_THREADS
            && !list.contains(&whom)
            && !is_own()
        {
            list.push(whom);
        }
    }

    fn reasons(mut self) -> Vec<IdleReason> {
        self.break_until(self.why.from);
        self.enter();
        self.break_until(Nanos(self.why.to.0.saturating_sub(1)));
        self.account.go_to(self.why.to);
        self.charge();
        let before = self.before.unwrap_or_default();
        let black_hole = BLOCKED_BY.iter().position(|reason| *reason == StopReason::BlockedOnBlackHole);
        let all = self.account.spent.idle.iter().zip(before).zip(REASONS).enumerate();
        let mut reasons: Vec<IdleReason> = Vec::new();
        for (reason, ((after, before), (key, name, _))) in all {
            let time = after.since(before);
            if time == Nanos(0) {
                continue;
            }
            let threads = match reason {
                RUNNABLE_HERE => core::mem::take(&mut self.here),
                RUNNABLE_ELSEWHERE => core::mem::take(&mut self.elsewhere),
                _ if Some(reason) == black_hole.map(|place| BLOCKED + place) => core::mem::take(&mut self.owners),
                _ => Vec::new(),
            };
            if reason == COLLECTION {
                let by_cap = self.pending.iter().map(|(cap, time)| (*cap, *time));
                reasons.extend(by_cap.map(|(cap, time)| IdleReason { key, name, time, threads: Vec::new(), cap }));
                continue;
            }
            reasons.push(IdleReason { key, name, time, threads, cap: None });
        }
        let order = by_most(reasons.len(), |place| reasons.get(place as usize).map_or(0, |reason| reason.time.0));
        order.into_iter().filter_map(|place| reasons.get(place as usize).cloned()).collect()
    }
}
