//! The model: it is fed with a log's bytes, and can be asked for what is known so far at any time.

use crate::{
    keeping::{
        collections::Collections,
        crossing::waited::MostlyWaited,
        diagnostics::{DiagnosticKind, Diagnostics, Gist},
        process::Process,
        store::Purpose,
        threads::Threads,
    },
    known::{Known, arrangement::Arrangement, counted::Counted},
    reading::{
        cursor::Cursor,
        feed::Leftover,
        parts::{Share, in_turn},
    },
    terms::track::{Track, TrackId},
    tracks::{
        groups::{self, Group},
        other,
    },
};
use alloc::vec::Vec;
use ghc_eventlog::{Chunk, Decoder, Error, Nanos, Step, ThreadId};
use ghc_eventlog_text::LogText;

/// What a program did, from its eventlog, in bounded memory.
#[derive(Debug)]
pub struct Model {
    pub(crate) decoder: Decoder,
    pub(crate) known: Known,
    /// For the range whose events were listed last.
    pub(crate) counted: Counted,
    rest: Leftover,
    error: Option<Error>,
    /// The state of the first pass; `None` once it is over.
    pub(crate) cursor: Option<Cursor>,
    /// The function that runs the parts of jobs.
    pub(crate) share: Share,
}

impl Default for Model {
    fn default() -> Self {
        Self::new()
    }
}

impl Model {
    /// A model before any of the log has been read.
    #[must_use]
    pub fn new() -> Self {
        Self::of_size(None)
    }

    /// The same, for a known number of bytes: small logs then need less memory and less time. If there are more bytes than
    /// that, everything is still right, but coarser.
    #[must_use]
    pub fn of_size(log_bytes: Option<u64>) -> Self {
        let decoder = Decoder::new();
        Self::with(Known::of(Purpose { log_bytes, is_drawn: true }), decoder)
    }

    /// A model for figures and tables without pictures: [`Self::facts`], [`Self::page`] and ranges give the same results as
    /// with [`Self::of_size`], in a quarter less time. Windows of its tracks only show what has been
    /// [supplied](Self::supply).
    #[must_use]
    pub fn of_figures() -> Self {
        let decoder = Decoder::new();
        Self::with(Known::of(Purpose { log_bytes: Some(0), is_drawn: false }), decoder)
    }

    fn with(known: Known, decoder: Decoder) -> Self {
        Self {
            known,
            cursor: Some(Cursor::new(&decoder)),
            decoder,
            counted: Counted::default(),
            rest: Leftover::default(),
            error: None,
            share: in_turn,
        }
    }

    /// Takes the log's next bytes. After an error they are ignored.
    pub fn feed(&mut self, bytes: &[u8]) {
        let Self { decoder, known, rest, error, cursor, .. } = self;
        let Some(cursor) = cursor.as_mut().filter(|_| error.is_none()) else { return };
        known.fed += bytes.len() as u64;
        known.revision += 1;
        let prunings = known.stores.profiles.time.prunings;
        rest.feed(bytes, |chunk| read(decoder, cursor, known, error, chunk));
        known.stores.settle(known.caps.by_cap());
        cursor.note_what_is_exact(known);
        // They name frames by places that others have now.
        if known.stores.profiles.time.prunings > prunings {
            known.details.clear();
        }
    }

    /// The log is over: what is open ends with it.
    pub fn finish(&mut self) {
        let Self { decoder, known, rest, error, cursor, .. } = self;
        let Some(mut cursor) = cursor.take() else { return };
        known.revision += 1;
        if error.is_none() {
            rest.last(|chunk| read(decoder, &mut cursor, known, error, chunk));
            cursor.finish(known, decoder);
        }
    }

    /// Like [`Self::finish`], for a log that goes on but will not be read further.
    pub fn stop(&mut self) {
        let Self { decoder, known, cursor, .. } = self;
        if let Some(mut cursor) = cursor.take() {
            known.revision += 1;
            self.rest = Leftover::default();
            cursor.tell(known, DiagnosticKind::Stopped { offset: decoder.offset() });
            cursor.finish(known, decoder);
        }
    }

    /// The groups of tracks, in the order of the page.
    #[must_use]
    pub fn groups(&self, arrangement: &Arrangement) -> Vec<Group> {
        groups::all(&self.known.arranged(arrangement))
    }

    /// The tracks of a group from the place `from` on, in the order of the page: at most `count`.
    #[must_use]
    pub fn tracks_of(&self, arrangement: &Arrangement, group: &str, from: usize, count: usize) -> Vec<Track> {
        groups::page(&self.known.arranged(arrangement), group, from, count)
    }

    /// A track; `None` if it does not exist so far.
    #[must_use]
    pub fn track(&self, arrangement: &Arrangement, track: TrackId) -> Option<Track> {
        groups::track(&self.known.arranged(arrangement), track)
    }

    /// The key of the group that a track is in, and its place there.
    #[must_use]
    pub fn place(&self, arrangement: &Arrangement, track: TrackId) -> Option<(&'static str, usize)> {
        groups::place(&self.known.arranged(arrangement), track)
    }

    /// All tracks so far: there may be very many. They are in the order of the page, which only changes when there are new
    /// tracks.
    #[must_use]
    pub fn tracks(&self, arrangement: &Arrangement) -> Vec<Track> {
        let groups = self.groups(arrangement);
        groups.iter().flat_map(|group| self.tracks_of(arrangement, group.key, 0, group.tracks)).collect()
    }

    /// The exact time that a track was in each of its states, over the whole log as far as it has been read. 0 for states
    /// that the log cannot show: see [`Track::lacks`]. Empty for a track without states.
    #[must_use]
    pub fn totals(&self, arrangement: &Arrangement, track: TrackId) -> Vec<Nanos> {
        let known = self.known.arranged(arrangement);
        track.tracks().map_or(Vec::new(), |(tracks, of)| tracks.totals(&known, of))
    }

    /// The track of a thread; `None` if it is not among the kept ones.
    #[must_use]
    pub fn thread_track(&self, thread: ThreadId) -> Option<TrackId> {
        self.known.track_of_thread(thread)
    }

    /// What the thread of a track waited for most, over the whole log. `None` if it did not wait, before the log has been
    /// [gone through in order of time](Self::replay), for a track that is not one thread's, and for threads that came late in a log with
    /// very many.
    #[must_use]
    pub fn mostly_waited(&self, arrangement: &Arrangement, track: TrackId) -> Option<MostlyWaited> {
        let known = self.known.arranged(arrangement);
        track.tracks().and_then(|(tracks, of)| tracks.mostly_waited(&known, of))
    }

    /// The largest value of all tracks that have one scale with this one, if there are several: lines of all capabilities.
    #[must_use]
    pub fn alike(&self, arrangement: &Arrangement, track: TrackId) -> Option<u64> {
        let known = self.known.arranged(arrangement);
        track.tracks().and_then(|(tracks, of)| tracks.alike(&known, of))
    }

    /// Why nothing can be read, if that is so.
    #[must_use]
    pub fn error(&self) -> Option<Error> {
        self.error
    }

    /// Whether the whole log has been read.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.cursor.is_none()
    }

    /// Until when answers are final: a window or a range that ends there can be exact while the rest of the log is still
    /// being read, or written. The largest time there is once everything has been read. Idle time before it may turn out to
    /// have been disabled, and GC wait to be a census: the runtime logs these in a separate stream, which it writes rarely.
    /// So pictures of capabilities are only exact as far as that stream has been read, too.
    #[must_use]
    pub fn exact_until(&self) -> Nanos {
        self.known.exact_until()
    }

    /// How far the log has been read, in bytes.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.decoder.offset()
    }

    /// How many events have been read, without block markers.
    #[must_use]
    pub fn events(&self) -> u64 {
        self.known.counts.total()
    }

    /// The smallest and the largest time of all events so far. While reading, the smallest may still decrease.
    #[must_use]
    pub fn extent(&self) -> Option<(Nanos, Nanos)> {
        self.known.extent()
    }

    /// How exactly times are known without reading the log again: the width of the overview's buckets.
    #[must_use]
    pub fn bucket(&self) -> Nanos {
        self.known.stores.overview.bucket()
    }

    /// The threads.
    #[must_use]
    pub fn threads(&self) -> &Threads {
        &self.known.stores.threads
    }

    /// The thread that the log calls `thread` at an offset in the file: the threads of a further process have other numbers
    /// here than in the log.
    #[must_use]
    pub fn thread_at(&self, offset: u64, thread: ThreadId) -> ThreadId {
        self.known.index.processes.numbering(offset).of(thread)
    }

    /// The collections.
    #[must_use]
    pub fn collections(&self) -> &Collections {
        &self.known.stores.collections
    }

    /// What the log says about its process.
    #[must_use]
    pub fn process(&self) -> &Process {
        &self.known.stores.process
    }

    /// What the user should know about how well the log could be read.
    #[must_use]
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.known.stores.diagnostics
    }

    /// For how many stretches of time a class of events was switched off while the program ran, as far as that shows.
    #[must_use]
    pub fn pauses(&self) -> usize {
        self.known.stores.pauses.count()
    }

    /// Whether the log has been read, and [names](Self::late_names) are missing that it may define.
    #[must_use]
    pub fn lacks_names(&self) -> bool {
        self.is_finished() && self.known.used_names().is_some()
    }

    /// What must be said before anything is shown of the log.
    #[must_use]
    pub fn foremost(&self) -> Vec<DiagnosticKind> {
        let length = self.extent().map_or(Nanos(0), |(first, last)| last.since(first));
        let gist = Gist {
            bytes: self.offset(),
            lost_bytes: self.known.stores.diagnostics.lost_bytes(),
            args: &self.known.stores.process.args,
            all: self.is_finished().then_some((self.events(), length)),
        };
        let mut foremost = gist.foremost();
        foremost.extend(self.known.caps.is_capped.then_some(DiagnosticKind::TooManyCaps));
        foremost
    }

    /// How many events there are of each number.
    pub fn counts(&self) -> impl Iterator<Item = (u16, u64)> {
        self.known.counts.iter()
    }

    /// The log header's description of an event number.
    #[must_use]
    pub fn description(&self, tag: u16) -> Option<LogText<'_>> {
        self.decoder.header().declared(tag).map(|declared| (&*declared.description).into())
    }

    /// What people call an event number: GHC's name for it, or else the one that the log gives it.
    #[must_use]
    pub fn type_name(&self, tag: u16) -> LogText<'static> {
        self.known.type_name(tag)
    }

    /// Where the user sees the events of a number: the headings of tracks, or other places.
    #[must_use]
    pub fn seen(tag: u16) -> Vec<&'static str> {
        other::seen(tag)
    }

    /// The bytes that the model holds now. They are bounded for any size of log.
    #[must_use]
    pub fn bytes_held(&self) -> usize {
        let known = &self.known;
        self.decoder.bytes_held()
            + self.rest.bytes_held()
            + self.counted.bytes_held()
            + self.cursor.as_ref().map_or(0, Cursor::bytes_held)
            + known.bytes_held()
    }
}

/// Reads the records of a chunk. Returns the offset up to which it was read.
fn read(
    decoder: &mut Decoder,
    cursor: &mut Cursor,
    known: &mut Known,
    error: &mut Option<Error>,
    chunk: Chunk<'_>,
) -> u64 {
    loop {
        if cursor.after_header && !cursor.decide_process(known, decoder, chunk) {
            return decoder.offset();
        }
        cursor.run(known, decoder, chunk);
        match decoder.next(chunk) {
            Ok(Step::Event(record)) => {
                cursor.event(known, record);
                cursor.stepped(known, decoder.position());
            }
            Ok(Step::Notice(notice)) => cursor.tell(known, DiagnosticKind::Decoder(notice)),
            Ok(Step::Header) => cursor.header(known, decoder),
            Ok(Step::Need(_) | Step::End) => return decoder.offset(),
            Err(found) => {
                *error = Some(found);
                return decoder.offset();
            }
        }
    }
}
