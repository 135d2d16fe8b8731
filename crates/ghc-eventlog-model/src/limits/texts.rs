//! Texts from the log, and what is counted by them: markers, instruments, numbers after a word.

/// Bytes that are kept of any label or other text from the log at least. All of it is kept as long as its store has room: when that is
/// used up, the longest texts are cut first, in the middle.
pub const MAX_TEXT: usize = 240;

/// Bytes of the longest text: an event has up to 64 KiB, and a byte that is not UTF-8 becomes three.
pub const LONGEST_TEXT: usize = 3 << 16;

/// Bytes for the labels of threads: 26 000 labels, if each is cut to [`MAX_TEXT`].
pub const TEXT_BYTES: usize = 6 << 20;

/// Program arguments that are kept, each with all of its text: all of them are one event of up to 64 KiB. Of more, the first and the
/// last half of this many.
pub const MAX_ARGS: usize = 1 << 11;

/// Variables of the program's environment that are kept, as [`MAX_ARGS`].
pub const MAX_ENVIRONMENT: usize = 1 << 11;

/// Flags of the runtime that are kept as they were given: there are about a hundred kinds, of which nobody uses more than a few.
pub const MAX_RTS_FLAGS: usize = 64;

/// Filters of a heap profile that are kept: the runtime has seven kinds.
pub const MAX_HEAP_FILTERS: usize = 16;

/// Different texts of markers that are kept apart: programs mark phases, and few put a number into each text.
pub const MAX_MARKERS: usize = 1 << 12;

/// Bytes for the texts of markers.
pub const MARKER_BYTES: usize = 1 << 19;

/// Markers that are kept individually with their times; if there are more, some of them, as evenly as they came.
pub const MAX_MARKED: usize = 1 << 15;

/// Instruments of opentelemetry that have a line.
pub const MAX_INSTRUMENTS: usize = 1 << 7;

/// Instruments that are kept while the log is read, to find those that have a line: programs declare tens, or hundreds from a library that
/// measures everything, and most declare all of them before any has a value.
pub const MAX_DECLARED: usize = 1 << 14;

/// Bytes for their names: 64 for each of very many.
pub const INSTRUMENT_BYTES: usize = 1 << 20;

/// Bytes for the names of those that have a line, once the log has been read: 128 names, if each is cut to [`MAX_TEXT`].
pub const LINE_NAME_BYTES: usize = 1 << 16;

/// Numbers of other instruments whose values are counted: those whose declarations come later in the file, where another capability logged
/// it, or were forgotten.
pub const MAX_UNDECLARED: usize = 1 << 12;

/// The longest word, in bytes, before a number that may have a line: a longer text is a sentence.
pub const MAX_NUMBER_WORD: usize = 64;

/// Words before a number that are counted, before they have come often enough for a line. When there are more, they are
/// counted anew.
pub const MAX_COUNTED_WORDS: usize = 1 << 11;

/// Lines of numbers after a word.
pub const MAX_NUMBER_LINES: usize = 1 << 6;

/// Words before a number that are followed while the log is read, to find those that have a line.
pub const MAX_NUMBER_WORDS: usize = 1 << 8;

/// Bytes for these words.
pub const NUMBER_WORD_BYTES: usize = 1 << 13;
