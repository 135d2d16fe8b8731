//! Every limit on a count or length that comes from a file, each with its reason.

use crate::Nanos;

/// Longest description or extra information of an event type, in bytes. GHC's are under 100. Nothing is allocated for a
/// longer one.
pub const MAX_DESCRIPTION: u32 = 1 << 16;

/// Most event type records in one header. Tags are 16 bits wide, so more than this must repeat themselves.
pub const MAX_EVENT_TYPES: u32 = 1 << 16;

/// Longest text of all descriptions of one header together, in bytes; GHC's is about 3 KB.
pub const MAX_DESCRIPTIONS: usize = 1 << 22;

/// Most different headers of one file. A restarted log repeats its own header, which counts once.
pub const MAX_HEADERS: usize = 64;

/// Memory for all different headers of one file together, in bytes. GHC's header takes 10 KB.
pub const HEADERS_BYTES: usize = 16 << 20;

/// How far a damaged header is searched for its next event type, in bytes. This is a few hundred times the length of
/// GHC's headers.
pub const HEADER_GAP: usize = 1 << 20;

/// How far a log whose header has sizes that are not GHC's is read in two ways, to see which sizes are true, in bytes.
/// This has tens of thousands of events; wrong sizes lead astray within a
/// few.
pub const SIZES_TRIED_ON: usize = 1 << 20;

/// How far a header is searched for at the start of the file and after the end mark, in bytes. GHC 9.0 puts a block
/// marker of 24 bytes between two streams.
pub const HEADER_SEARCH: usize = 64;

/// Largest block that is believed while looking for one after damage, in bytes. GHC writes at most 2 MiB.
pub const MAX_SANE_BLOCK: u32 = 1 << 26;

/// Largest capability number that is believed while looking for a block after damage. GHC's own limit is 256.
pub const MAX_SANE_CAP: u16 = 4096;

/// Longest time that a block may have been open to be believed while looking for one after damage. Other bytes that
/// look like a marker usually give decades; a capability with few events keeps its block open for days.
pub const MAX_SANE_OPEN: Nanos = Nanos(31 * 24 * 3600 * 1_000_000_000);

/// Records in a row that must be plausible before decoding goes on after damage (FORMAT 5.2).
pub const RESYNC_RECORDS: usize = 3;

/// How far a time may go back within a block before the record is doubted. In real logs GC_END goes back by up to 18 µs.
pub const MAX_TIME_BACK: Nanos = Nanos(10_000_000);

/// How long a block is assumed to have been open if its marker does not say when it was closed.
pub const MAX_TIME_OPEN: Nanos = Nanos(24 * 3600 * 1_000_000_000);

/// How far an event may be outside its block's times before the record is doubted. Some events are posted with an
/// earlier time (FORMAT 1.2), and clocks differ a little between cores.
pub const MAX_TIME_OUTSIDE: Nanos = Nanos::SECOND;
