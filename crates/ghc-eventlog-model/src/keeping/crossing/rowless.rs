//! Threads without a row, during the replay: the state of each as long as it is alive, and what all of them did together.
//!
//! ```text
//! pieces      |     0     |     1     |     2     |     3     |     4     |
//! thread 7                       c..rrrbbbbbbbbbbbbbbbbbbbbbbbbbbrx
//! kept                     |in 1: . r b|1 is blocked all of 2|in 3: b r|
//! ```
//!
//! So their totals are exact, also those up to the begin of any piece. Threads are numbered one after the other, and those without a row
//! finish soon: so the states of neighbours share a page, which is free once all of them have finished.

use super::{
    cells::{Blocked, Did, Happened, REASONS, ThreadCells, place_of},
    doing::{Doing, Now, STATES},
};
use crate::{
    keeping::{chunked::Chunked, places::Places},
    limits,
    terms::op::{Op, What},
};
use alloc::{vec, vec::Vec};
use ghc_eventlog::{Nanos, ThreadId};

/// How many threads a page has.
const NEIGHBOURS: usize = 16;

/// How many pages that were used last are found without looking into the table.
const RECENT: usize = 64;

/// How many states are counted separately: those of all threads, and blocked for each reason.
const PARTS: usize = STATES + REASONS.len();

/// Threads whose numbers follow each other.
#[derive(Debug)]
struct Neighbours {
    /// Their numbers, divided by [`NEIGHBOURS`].
    number: u32,
    /// How many of them are alive.
    alive: u32,
    now: [Now; NEIGHBOURS],
}

/// Bytes for a page, with its place.
const PAGE_BYTES: usize = size_of::<Neighbours>() + 2 * size_of::<(u64, u32)>() + size_of::<u32>();

/// In the place of a page's number: no page has this one.
const NO_PAGE: (u32, u32) = (u32::MAX, 0);

/// What threads did in a piece of time.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RowlessPiece {
    /// The time in each state, of threads that entered or left it in this piece.
    time: [Nanos; PARTS],
    /// The number of threads in each state for all of this piece, less that of the piece before.
    more: [i32; PARTS],
}

/// All threads without a row.
#[derive(Debug)]
pub(crate) struct Rowless {
    pages: Chunked<Neighbours>,
    free: Vec<u32>,
    by_number: Places,
    /// By the last digits of their numbers, the numbers of some pages and where these are. Most events are about a page that was used a
    /// few events ago.
    recent: [(u32, u32); RECENT],
    most_pages: usize,
    /// What they did, up to their last changes.
    did: Did,
    pieces: Vec<RowlessPiece>,
    /// How many threads could not be followed, since too many were alive at the same time.
    pub(crate) not_followed: u64,
}

/// The state that a time is counted for.
fn part(now: &Now) -> Option<usize> {
    match now.doing {
        Doing::Gone => None,
        Doing::Blocked => {
            let reason = place_of(now.reason);
            Some(STATES + reason.unwrap_or(REASONS.len() - 1))
        }
        doing => Some(doing as usize),
    }
}

impl Rowless {
    pub(crate) fn new() -> Self {
        Self {
            pages: Chunked::new(),
            free: Vec::new(),
            by_number: Places::default(),
            recent: [NO_PAGE; RECENT],
            most_pages: 0,
            did: Did::default(),
            pieces: Vec::new(),
            not_followed: 0,
        }
    }

    /// Sets how many bytes their states may take.
    pub(crate) fn set_room(&mut self, bytes: usize) {
        self.most_pages = bytes / PAGE_BYTES;
    }

    /// The place of the thread that an event is about; `None` if nothing is known of it and the event does not begin its life, as a wake-up
    /// after its end, or if there is no room. Threads that are older than the log have rows.
    pub(crate) fn place(&mut self, op: &Op) -> Option<usize> {
        let begins = matches!(op.what, What::Create | What::Run);
        let number = op.thread.0 / NEIGHBOURS as u32;
        let page = match self.recent.get(number as usize % RECENT) {
            Some((recent, page)) if *recent == number => Some(*page),
            _ => self.search(op.thread),
        };
        let page = match page {
            Some(page) => page,
            None if begins => self.add_page(op)?,
            None => return None,
        };
        let place = page as usize * NEIGHBOURS + op.thread.0 as usize % NEIGHBOURS;
        (begins || self.now_at(place) != Now::GONE).then_some(place)
    }

    #[inline(never)]
    fn search(&mut self, id: ThreadId) -> Option<u32> {
        let page = self.page_of(id)?;
        self.remember(id.0 / NEIGHBOURS as u32, page);
        Some(page)
    }

    /// A page is found at once from now on.
    fn remember(&mut self, number: u32, page: u32) {
        if let Some(recent) = self.recent.get_mut(number as usize % RECENT) {
            *recent = (number, page);
        }
    }

    fn page_of(&self, id: ThreadId) -> Option<u32> {
        self.by_number.find_number(u64::from(id.0) / NEIGHBOURS as u64)
    }

    #[cold]
    fn add_page(&mut self, op: &Op) -> Option<u32> {
        let number = op.thread.0 / NEIGHBOURS as u32;
        let new = Neighbours { number, alive: 0, now: [Now::GONE; NEIGHBOURS] };
        let page = match self.free.pop() {
            Some(page) => page,
            None if self.pages.len() >= self.most_pages => {
                self.not_followed += u64::from(op.what == What::Create);
                return None;
            }
            None => self.pages.len() as u32,
        };
        match self.pages.get_mut(page as usize) {
            Some(old) => *old = new,
            None => self.pages.push(new),
        }
        self.by_number.insert_number(number.into(), page);
        self.remember(number, page);
        Some(page)
    }

    /// What the thread at a place is doing.
    pub(crate) fn now_at(&self, place: usize) -> Now {
        let page = self.pages.get(place / NEIGHBOURS);
        page.and_then(|page| page.now.get(place % NEIGHBOURS)).copied().unwrap_or(Now::GONE)
    }

    /// What a thread is doing.
    pub(crate) fn now_of(&self, id: ThreadId) -> Now {
        let page = self.page_of(id);
        page.map_or(Now::GONE, |page| self.now_at(page as usize * NEIGHBOURS + id.0 as usize % NEIGHBOURS))
    }

    /// The threads that are alive, each with its place.
    pub(crate) fn alive(&self) -> impl Iterator<Item = (usize, ThreadId, &Now)> {
        let pages = self.pages.iter().enumerate().filter(|(_, page)| page.alive > 0);
        let each = pages.flat_map(|(at, page)| page.now.iter().enumerate().map(move |(of, now)| (at, page, of, now)));
        each.filter(|(.., now)| now.doing != Doing::Gone).map(|(at, page, of, now)| {
            (at * NEIGHBOURS + of, ThreadId(page.number * NEIGHBOURS as u32 + of as u32), now)
        })
    }

    /// The state of the thread at a place changes from `before` to `after`; `more` is what else it did.
    pub(crate) fn go_to(&mut self, place: usize, before: &Now, after: &Now, more: &Happened, cells: &ThreadCells) {
        self.did.count(more);
        self.did.spend(before.doing, after.since.since(before.since));
        self.spend(before, after.since, cells);
        let Some(page) = self.pages.get_mut(place / NEIGHBOURS) else { return };
        if let Some(now) = page.now.get_mut(place % NEIGHBOURS) {
            *now = *after;
        }
        match (before.doing == Doing::Gone, after.doing == Doing::Gone) {
            (true, false) => page.alive += 1,
            (false, true) => {
                page.alive = page.alive.saturating_sub(1);
                if page.alive == 0 {
                    let number = page.number;
                    self.free_page(number, (place / NEIGHBOURS) as u32);
                }
            }
            _ => {}
        }
    }

    #[cold]
    fn free_page(&mut self, number: u32, page: u32) {
        self.by_number.remove_number(number.into(), page);
        self.free.push(page);
        if let Some(recent) = self.recent.get_mut(number as usize % RECENT).filter(|recent| recent.0 == number) {
            *recent = NO_PAGE;
        }
    }

    /// Counts what a thread did since its last change in the pieces of time.
    fn spend(&mut self, now: &Now, to: Nanos, cells: &ThreadCells) {
        let Some(part) = part(now) else { return };
        let most = limits::MAX_PIECES - 1;
        let (first, last) = (cells.piece(now.since) as usize, cells.piece(to) as usize);
        let (first, last) = (first.min(most), last.min(most));
        if last >= self.pieces.len() {
            self.pieces.resize(last + 1, RowlessPiece::default());
        }
        let mut add = |piece: usize, time: Nanos, more: i32| {
            let piece = self.pieces.get_mut(piece);
            let of = piece.and_then(|piece| Some((piece.time.get_mut(part)?, piece.more.get_mut(part)?)));
            if let Some((all, count)) = of {
                *all = all.plus(time);
                *count += more;
            }
        };
        if first == last {
            add(first, to.since(now.since), 0);
            return;
        }
        add(first, cells.begin(first as u32 + 1).since(now.since), 0);
        add(first + 1, Nanos(0), 1);
        add(last, to.since(cells.begin(last as u32)), -1);
    }

    /// What they did together, up to a time after which there are no events yet.
    pub(crate) fn did_until(&self, time: Nanos) -> Did {
        let mut did = self.did;
        self.alive().for_each(|(.., now)| did.spend(now.doing, time.since(now.since)));
        did
    }

    /// The log ends: counts what they have done so far.
    pub(crate) fn finish(&mut self, end: Nanos, cells: &ThreadCells) {
        let open: Vec<Now> = self.alive().map(|(.., now)| *now).collect();
        open.iter().for_each(|now| self.spend(now, end, cells));
    }

    /// What they did up to a time in a log that ends at `end`: their times in each state, and those blocked by reason. Exact at the begin of
    /// a piece; within it, as if all of it was alike.
    pub(crate) fn until(&self, time: Nanos, end: Nanos, cells: &ThreadCells) -> (Did, Blocked) {
        let (piece, width) = (cells.piece(time) as usize, cells.width());
        let (mut all, mut whole) = ([0u64; PARTS], [0i64; PARTS]);
        for (at, of) in self.pieces.iter().enumerate().take(piece + 1) {
            let begin = cells.begin(at as u32);
            let length = if at < piece { width } else { time.since(begin).min(width) };
            let existing = end.since(begin).min(width).0.max(1);
            let each = all.iter_mut().zip(&mut whole).zip(of.time.iter().zip(of.more));
            for ((all, whole), (time, more)) in each {
                *whole += i64::from(more);
                let share = if length.0 >= existing {
                    time.0
                } else {
                    (u128::from(time.0) * u128::from(length.0) / u128::from(existing)) as u64
                };
                let count = u64::try_from(*whole).unwrap_or_default();
                *all = all.saturating_add(share).saturating_add(count.saturating_mul(length.0));
            }
        }
        let (states, reasons) = all.split_at(STATES);
        let mut did = Did::default();
        did.times.iter_mut().zip(states).for_each(|(time, more)| *time = Nanos(*more));
        did.spend(Doing::Blocked, Nanos(reasons.iter().sum()));
        let mut blocked = Blocked::default();
        blocked.iter_mut().zip(reasons).for_each(|(time, more)| *time = Nanos(*more));
        (did, blocked)
    }

    /// Pieces become twice as long; `width` is their length so far.
    pub(crate) fn double(&mut self, width: Nanos) {
        let mut whole = [0i64; PARTS];
        let mut doubled = vec![RowlessPiece::default(); self.pieces.len().div_ceil(2)];
        for (at, of) in self.pieces.iter().enumerate() {
            let Some(new) = doubled.get_mut(at / 2) else { continue };
            let each = new.time.iter_mut().zip(&mut whole).zip(of.time.iter().zip(of.more));
            for ((new, whole), (time, more)) in each {
                *whole += i64::from(more);
                let count = u64::try_from(*whole).unwrap_or_default();
                *new = new.plus(*time).plus(Nanos(count.saturating_mul(width.0)));
            }
        }
        self.pieces = doubled;
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.pages.bytes_held()
            + self.free.capacity() * size_of::<u32>()
            + self.by_number.bytes_held()
            + self.pieces.capacity() * size_of::<RowlessPiece>()
    }
}

#[cfg(test)]
mod tests;
