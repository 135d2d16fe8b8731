//! The model: fed with a log's bytes, it always has what is known so far.

use crate::{
    keeping::{
        collections::Collections,
        diagnostics::{DiagnosticKind, Diagnostics},
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
use ghc_eventlog::{Chunk, Decoder, Error, Nanos, Step};
use ghc_eventlog_text::LogText;

/// What a program did, from its eventlog, in bounded memory.
#[derive(Debug)]
pub struct Model {
    pub(crate) decoder: Decoder,
    pub(crate) known: Known,
    /// Of the range whose events were listed last.
    pub(crate) counted: Counted,
    rest: Leftover,
    error: Option<Error>,
    /// Where the first pass is; `None` once it is over.
    pub(crate) cursor: Option<Cursor>,
    /// Who does the parts of jobs.
    pub(crate) share: Share,
}

impl Default for Model {
    fn default() -> Self {
        Self::new()
    }
}

impl Model {
    /// A model of a log of which nothing has been read.
    #[must_use]
    pub fn new() -> Self {
        Self::of_size(None)
    }

    /// The same, if it is known how many bytes there are: small logs need less memory and less time then. Should there be
    /// more of them, all is right but coarser.
    #[must_use]
    pub fn of_size(log_bytes: Option<u64>) -> Self {
        let decoder = Decoder::new();
        Self::with(Known::of(Purpose { log_bytes, is_drawn: true }), decoder)
    }

    /// A model for those who want figures and tables and draw nothing: [`Self::facts`], [`Self::page`] and ranges say the same
    /// as those of [`Self::of_size`], in a quarter less time. Of its tracks there are no windows but those of what has been
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
        rest.feed(bytes, |chunk| read(decoder, cursor, known, error, chunk));
        known.stores.settle(known.caps.by_cap());
        cursor.note_what_is_exact(known);
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

    /// As [`Self::finish`], for a log that goes on but shall not be read further.
    pub fn stop(&mut self) {
        let Self { decoder, known, cursor, .. } = self;
        if let Some(mut cursor) = cursor.take() {
            known.revision += 1;
            self.rest = Leftover::default();
            cursor.tell(known, DiagnosticKind::Stopped { offset: decoder.offset() });
            cursor.finish(known, decoder);
        }
    }

    /// The groups that tracks stand in, in the order of the page.
    #[must_use]
    pub fn groups(&self, arrangement: &Arrangement) -> Vec<Group> {
        groups::all(&self.known.arranged(arrangement))
    }

    /// Some tracks of a group, in the order of the page: `count` of them, or as many as there are, `from` a place on.
    #[must_use]
    pub fn tracks_of(&self, arrangement: &Arrangement, group: &str, from: usize, count: usize) -> Vec<Track> {
        groups::page(&self.known.arranged(arrangement), group, from, count)
    }

    /// A track; `None` if there is no such one so far.
    #[must_use]
    pub fn track(&self, arrangement: &Arrangement, track: TrackId) -> Option<Track> {
        groups::track(&self.known.arranged(arrangement), track)
    }

    /// The key of the group that a track stands in, and its place there.
    #[must_use]
    pub fn place(&self, arrangement: &Arrangement, track: TrackId) -> Option<(&'static str, usize)> {
        groups::place(&self.known.arranged(arrangement), track)
    }

    /// All tracks that there are so far: there may be very many. Their order is that of the page, and does not change but for
    /// new ones.
    #[must_use]
    pub fn tracks(&self, arrangement: &Arrangement) -> Vec<Track> {
        let groups = self.groups(arrangement);
        groups.iter().flat_map(|group| self.tracks_of(arrangement, group.key, 0, group.tracks)).collect()
    }

    /// The time that a track was in each of its states, over the whole log as far as it is read. Exact. Of states that the
    /// log cannot tell, 0: see [`Track::lacks`]. None for a track without states.
    #[must_use]
    pub fn totals(&self, arrangement: &Arrangement, track: TrackId) -> Vec<Nanos> {
        let known = self.known.arranged(arrangement);
        track.tracks().map_or(Vec::new(), |(tracks, of)| tracks.totals(&known, of))
    }

    /// Why nothing can be read, if so.
    #[must_use]
    pub fn error(&self) -> Option<Error> {
        self.error
    }

    /// Whether the whole log has been read.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.cursor.is_none()
    }

    /// Up to when what is asked is answered for good: a window or a range that ends there can be exact while the rest of the
    /// log is still being read, or written. The largest time there can be once all has been read. What is idle until then may
    /// turn out to have been disabled: the runtime tells of that in a stream of its own, which it writes seldom. So pictures of
    /// capabilities are exact only as far as that has been read, too.
    #[must_use]
    pub fn exact_until(&self) -> Nanos {
        self.known.exact_until()
    }

    /// How far the log has been read, in bytes.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.decoder.offset()
    }

    /// How many events have been read, block markers not counted.
    #[must_use]
    pub fn events(&self) -> u64 {
        self.known.counts.total()
    }

    /// The smallest and the largest time of all events so far. While reading, the smallest may still become smaller.
    #[must_use]
    pub fn extent(&self) -> Option<(Nanos, Nanos)> {
        self.known.extent()
    }

    /// How finely times are known without reading the log again: the width of the overview's buckets.
    #[must_use]
    pub fn bucket(&self) -> Nanos {
        self.known.stores.overview.bucket()
    }

    /// The threads.
    #[must_use]
    pub fn threads(&self) -> &Threads {
        &self.known.stores.threads
    }

    /// The collections.
    #[must_use]
    pub fn collections(&self) -> &Collections {
        &self.known.stores.collections
    }

    /// What the log says of its process.
    #[must_use]
    pub fn process(&self) -> &Process {
        &self.known.stores.process
    }

    /// What the log's reader should know.
    #[must_use]
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.known.stores.diagnostics
    }

    /// How many events there are of each number.
    pub fn counts(&self) -> impl Iterator<Item = (u16, u64)> {
        self.known.counts.iter()
    }

    /// The description that the log's header gives to a number.
    #[must_use]
    pub fn description(&self, tag: u16) -> Option<LogText<'_>> {
        self.decoder.header().declared(tag).map(|declared| (&*declared.description).into())
    }

    /// Where a person sees the events of a number: what tracks of theirs stand under, or whatever else shows them.
    #[must_use]
    pub fn seen(tag: u16) -> Vec<&'static str> {
        other::seen(tag)
    }

    /// The bytes that the model holds now. Bounded, whatever the log's size.
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

/// Reads what a chunk holds; how far that is.
fn read(
    decoder: &mut Decoder,
    cursor: &mut Cursor,
    known: &mut Known,
    error: &mut Option<Error>,
    chunk: Chunk<'_>,
) -> u64 {
    loop {
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
