//! One question and its answer: look-ups, searches, lists.

/// The most bytes of the file that are read to find out what one pixel shows: a moment's work. A pixel of a log of 10 GB has
/// more.
pub const LOOKUP_READ: u64 = 4 << 20;

/// Bytes of hits that wait for earlier ones, if they are wanted in order of time: the command line's.
pub const FIND_BYTES: usize = 64 << 20;

/// Bytes of the log that are read at once for a search, and for the first hit.
pub const FIND_AHEAD: u64 = 8 << 20;

/// See [`FIND_AHEAD`].
pub const FIND_AHEAD_AT_FIRST: u64 = 256 << 10;

/// They are read in pieces of this many bytes at most. Each fits a buffer of the page, and is short enough for the reader that reads ahead
/// (`LONGEST` in web/js/worker/read-ahead.js).
pub const FIND_PIECE: u64 = 2 << 20;

/// The most hits of each kind that a search keeps, each with its text: a list has room for fewer, and all are counted.
pub const MAX_HITS: usize = 2000;

/// The most bytes of a hit's text: a line.
pub const MAX_HIT_TEXT: usize = 240;

/// The most names of each kind that a search finds: there may be 200 000 threads. All are counted.
pub const MAX_NAME_HITS: usize = 200;

/// The most words that are offered while a query is typed.
pub const MAX_COMPLETIONS: usize = 20;

/// The most bytes of a query: the time to look for it in a text grows with both.
pub const MAX_QUERY: usize = 4 << 10;

/// The most events whose order in time is known at once, for the list of events: some pages before and after those on the screen.
/// Each takes 16 bytes.
pub const ORDER_KEYS: usize = 1 << 17;

/// The most rows of a table that are returned at once: a screen has some fifty.
pub const MAX_PAGE: usize = 10_000;

/// The most event types that a list of events can be filtered by: GHC has 150.
pub const MAX_CHOICES: usize = 500;

/// The most bytes of an event's text in a table: a message can have 64 KiB. The details of the event have all of it.
pub const MAX_EVENT_TEXT: usize = 1 << 10;

/// The most bytes that are shown of an event whose fields are not known.
pub const MAX_BYTES_SHOWN: usize = 64;
