//! Stacks that the library ghc-stack-profiler writes as binary messages (FORMAT 7.3), in the layouts of all its versions.

use super::*;
use ghc_eventlog::{CapNo, ThreadId, ThreadLabel, UserBinaryMsg};

pub(super) const CASES: &[Case] = &[
    Case {
        name: "written-stacks-0.1",
        what: "stacks of three threads as ghc-stack-profiler 0.1 and 0.2 write them: the innermost frame first",
        make: || same_stacks(Version::V1),
    },
    Case {
        name: "written-stacks-0.3",
        what: "the same stacks as versions 0.3 and 0.4 write them: the outermost frame first",
        make: || same_stacks(Version::V3),
    },
    Case {
        name: "written-stacks-0.5",
        what: "the same stacks as version 0.5 writes them: with a version, and eight bytes for a thread",
        make: || same_stacks(Version::V5),
    },
    Case {
        name: "written-stacks-tables-only",
        what: "stacks of version 0.2 that have nothing but info tables: which end is the outermost is seen where they agree",
        make: tables_only,
    },
    Case {
        name: "written-stacks-restarted",
        what: "logging is started three times: a number of ghc-stack-profiler has another text from the second time on, some are never defined, and some messages are of an unknown kind",
        make: restarted,
    },
    Case {
        name: "written-stack-messages",
        what: "stacks of three threads on two capabilities as binary messages of ghc-stack-profiler; some of their texts, and all \
               info tables, are defined after their uses",
        make: sampled,
    },
    Case {
        name: "written-stack-pieces",
        what: "stacks of ghc-stack-profiler in pieces, of which those of two capabilities stand between one another; one is never ended",
        make: in_pieces,
    },
    Case {
        name: "written-stack-threads-moving",
        what: "stacks of a thread that moves from one capability to another and back, each in blocks of its own",
        make: moving,
    },
    Case {
        name: "written-stack-messages-damaged",
        what: "binary messages that begin as those of ghc-stack-profiler do and are none, between good ones",
        make: damaged,
    },
];

/// A frame, as a message has it.
#[derive(Clone, Copy)]
pub(crate) enum Frame {
    Table(u64),
    String(u64),
    /// A string, at a location. Versions 0.1 and 0.2 name only the location, which then has the string.
    Placed(u64, u64),
}

/// The versions that write different layouts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Version {
    /// 0.1 and 0.2.
    V1,
    /// 0.3 and 0.4.
    V3,
    /// 0.5.
    V5,
}

/// The first two bytes of a message.
pub(crate) const LAST: u16 = 0xffca;
const MORE: u16 = 0xffcb;

impl Version {
    fn message(self, mark: u16, parts: &[&[u8]]) -> Vec<u8> {
        let begin: &[u8] = if self == Self::V5 { &[0xff, 0xc0, 1] } else { &[] };
        [begin, &mark.to_be_bytes(), &parts.concat()].concat()
    }

    /// A piece of a stack. The frames are in the order of the bytes.
    fn piece(self, mark: u16, cap: u32, thread: u32, frames: &[Frame]) -> Vec<u8> {
        let mut bytes = cap.to_be_bytes().to_vec();
        bytes.extend(if self == Self::V5 { &[0; 4][..] } else { &[] });
        bytes.extend(thread.to_be_bytes());
        bytes.extend((frames.len() as u16).to_be_bytes());
        for frame in frames {
            let (kind, numbers): (u8, &[u64]) = match frame {
                Frame::Table(address) => (1, &[*address]),
                Frame::String(id) => (2, &[*id]),
                Frame::Placed(_, location) if self == Self::V1 => (3, &[*location]),
                Frame::Placed(id, location) => (3, &[*id, *location]),
            };
            bytes.push(kind);
            numbers.iter().for_each(|number| bytes.extend(number.to_be_bytes()));
        }
        self.message(mark, &[&bytes])
    }

    /// The messages of a stack, which is given from the outermost frame to the innermost; each has at most this many frames.
    fn stack(self, most: usize, cap: u32, thread: u32, frames: &[Frame]) -> Vec<Vec<u8>> {
        let mut frames = frames.to_vec();
        if self == Self::V1 {
            frames.reverse();
        }
        // From version 0.3 on, the first piece is the one that is not full.
        let rest = if self == Self::V1 { 0 } else { frames.len() % most };
        let (first, others) = frames.split_at(rest);
        let pieces: Vec<&[Frame]> =
            [first].into_iter().chain(others.chunks(most)).filter(|piece| !piece.is_empty()).collect();
        let last = pieces.len().saturating_sub(1);
        let mark = |at: usize| if at == last { LAST } else { MORE };
        pieces.iter().enumerate().map(|(at, piece)| self.piece(mark(at), cap, thread, piece)).collect()
    }

    fn string(self, id: u64, text: &str) -> Vec<u8> {
        let length = if self == Self::V5 { text.len() } else { text.chars().count() } as u16;
        self.message(0xffcc, &[&id.to_be_bytes(), &length.to_be_bytes(), text.as_bytes()])
    }

    fn location(self, id: u64, [row, column]: [u32; 2], function: u64, file: u64) -> Vec<u8> {
        let function: &[u8] = if self == Self::V1 { &function.to_be_bytes() } else { &[] };
        self.message(
            0xffcd,
            &[&id.to_be_bytes(), &row.to_be_bytes(), &column.to_be_bytes(), function, &file.to_be_bytes()],
        )
    }
}

/// A piece of a stack of version 0.3, outermost frame first.
pub(crate) fn piece(tag: u16, cap: u32, thread: u32, frames: &[Frame]) -> Vec<u8> {
    Version::V3.piece(tag, cap, thread, frames)
}

pub(crate) fn string(id: u64, text: &str) -> Vec<u8> {
    Version::V3.string(id, text)
}

pub(crate) fn location(id: u64, row: u32, column: u32, file: u64) -> Vec<u8> {
    Version::V3.location(id, [row, column], 0, file)
}

/// Stacks of three threads on two capabilities, as a version of the library writes them: in pieces of five frames, of which those
/// of two threads stand between one another.
fn same_stacks(version: Version) -> Vec<u8> {
    log_with(|log| {
        log.block(Block::of(CapNo(0)), |log| {
            let texts = [(1, "parsing"), (2, "Prüfung"), (3, "app/Check.hs")];
            texts.iter().for_each(|(id, text)| write(log, us(310), &version.string(*id, text)));
            for tick in 1..=40u64 {
                let at = ms(10 * tick);
                let top = [LOOP, UNKNOWN, Frame::Placed(2, 1), Frame::String(1)][tick as usize % 4];
                let deep: Vec<Frame> = [MAIN, Frame::String(1)].into_iter().chain([LOOP; 9]).chain([top]).collect();
                let one = version.stack(5, 0, 4, &deep);
                let other = version.stack(5, 1, 5, &[MAIN, LOOP, LOOP, MAIN, Frame::Placed(2, 1), UNKNOWN]);
                // A message of each in turn.
                for place in 0..one.len().max(other.len()) {
                    [&one, &other].iter().filter_map(|stack| stack.get(place)).for_each(|bytes| write(log, at, bytes));
                }
                if tick == 20 {
                    // The stacks before it do not depend on it.
                    write(log, at, &version.location(1, [17, 9], 2, 3));
                }
                if tick > 30 {
                    version.stack(5, 1, 6, &[top]).iter().for_each(|bytes| write(log, at, bytes));
                }
            }
        });
        tables(log, ms(403));
    })
}

fn tables_only() -> Vec<u8> {
    log_with(|log| {
        log.block(Block::of(CapNo(0)), |log| {
            for tick in 1..=20u64 {
                let frames = [MAIN, LOOP, [LOOP, UNKNOWN][tick as usize % 2], LOOP];
                let depth = 2 + tick as usize % 3;
                let stacks =
                    [Version::V1.stack(5, 0, 4, &frames[..depth]), Version::V1.stack(5, 0, 5, &[UNKNOWN, LOOP])];
                stacks.concat().iter().for_each(|bytes| write(log, ms(10 * tick), bytes));
            }
        });
        tables(log, ms(300));
    })
}

fn restarted() -> Vec<u8> {
    let stacks = |log: &mut LogWriter, at: Nanos, top: Frame| {
        for tick in 1..=5u64 {
            write(log, Nanos(at.0 + tick * 10_000_000), &piece(LAST, 0, 4, &[MAIN, top, Frame::Placed(2, 1)]));
        }
    };
    let define = |log: &mut LogWriter, at: Nanos, first: &str| {
        let texts = [(1, first), (2, "checking"), (3, "app/Check.hs")];
        texts.iter().for_each(|(id, text)| write(log, at, &string(*id, text)));
        write(log, at, &location(1, 17, 9, 3));
    };
    let first = log_with(|log| {
        log.block(Block::of(CapNo(0)), |log| {
            define(log, ms(100), "parsing");
            stacks(log, ms(100), Frame::String(1));
            // Of a later version.
            write(log, ms(190), &[0xff, 0xcf, 1, 2, 3]);
        });
        tables(log, ms(190));
    });
    // The second time, string 1 is another one. A block with stacks comes before that with the definitions.
    let second = stream(|log| {
        log.block(Block::of(CapNo(1)), |log| stacks(log, ms(200), Frame::String(1)));
        log.block(Block::of(CapNo(0)), |log| define(log, ms(200), "writing"));
    });
    // The third time, nothing is defined: what was known holds, and string 9 is not known.
    let third = stream(|log| {
        log.block(Block::of(CapNo(0)), |log| {
            stacks(log, ms(300), Frame::String(1));
            stacks(log, ms(360), Frame::String(9));
        });
    });
    [first, second, third].concat()
}

fn write(log: &mut LogWriter, at: Nanos, bytes: &[u8]) {
    log.event(at, UserBinaryMsg { bytes });
}

/// The info tables of the stacks; those that are named here are all but one.
const MAIN: Frame = Frame::Table(0x40_1000);
const LOOP: Frame = Frame::Table(0x40_2000);
const UNKNOWN: Frame = Frame::Table(0x7f_0020);

fn tables(log: &mut LogWriter, at: Nanos) {
    log.block(Block::GLOBAL, |log| {
        let tables = [
            (0x40_1000, "main_info", "IO ()", "main", "app/Main.hs:30:1-12"),
            (0x40_2000, "loop_s3_info", "IO ()", "loop", "app/Main.hs:(40,5)-(44,20)"),
        ];
        define_tables(log, at, &tables);
    });
}

fn sampled() -> Vec<u8> {
    log_with(|log| {
        log.block(Block::of(CapNo(0)), |log| {
            log.event(us(300), ThreadLabel { thread: ThreadId(5), label: Text(b"worker") });
            write(log, us(310), &string(1, "parsing"));
            for tick in 1..=40u64 {
                let at = ms(10 * tick);
                // All threads, one right after the other.
                let top = [LOOP, UNKNOWN, Frame::Placed(2, 1), Frame::String(9)][tick as usize % 4];
                write(log, at, &piece(LAST, 0, 4, &[MAIN, Frame::String(1), LOOP, top]));
                write(log, Nanos(at.0 + 40_000), &piece(LAST, 1, 5, &[MAIN, LOOP, LOOP, Frame::Placed(2, 1)]));
                if tick > 30 {
                    write(log, Nanos(at.0 + 90_000), &piece(LAST, 1, 6, &[]));
                }
            }
            write(log, ms(401), &string(2, "Prüfung"));
            write(log, ms(401), &location(1, 17, 9, 3));
            write(log, ms(401), &string(3, "app/Check.hs"));
            // A message of another library.
            write(log, ms(402), b"OT\x03\x01something else");
        });
        tables(log, ms(403));
    })
}

fn in_pieces() -> Vec<u8> {
    log_with(|log| {
        log.block(Block::of(CapNo(0)), |log| {
            write(log, us(310), &string(1, "parsing"));
            for tick in 1..=10u64 {
                let at = ms(10 * tick);
                write(log, at, &piece(MORE, 0, 4, &[MAIN, Frame::String(1)]));
                write(log, at, &piece(MORE, 1, 5, &[MAIN]));
                write(log, at, &piece(LAST, 0, 7, &[MAIN]));
                write(log, at, &piece(MORE, 0, 4, &[LOOP, LOOP]));
                write(log, at, &piece(LAST, 1, 5, &[LOOP; 30]));
                write(log, at, &piece(LAST, 0, 4, &[LOOP, UNKNOWN]));
            }
            write(log, ms(101), &piece(MORE, 0, 4, &[LOOP]));
        });
        tables(log, ms(102));
    })
}

/// As the runtime writes blocks when they are full: those of one capability come before those of the other, whatever
/// their times.
fn moving() -> Vec<u8> {
    log_with(|log| {
        for cap in [0u32, 1] {
            log.block(Block::of(CapNo(cap as u16)), |log| {
                for turn in 0..20u64 {
                    let at = ms(10 + 20 * turn + 10 * u64::from(cap));
                    write(log, at, &piece(LAST, cap, 7, &[MAIN, if cap == 0 { LOOP } else { UNKNOWN }]));
                }
            });
        }
        tables(log, ms(500));
    })
}

fn damaged() -> Vec<u8> {
    log_with(|log| {
        let good = piece(LAST, 0, 4, &[MAIN, Frame::Placed(1, 1), LOOP]);
        let (text, place) = (string(1, "parsing"), location(1, 2, 3, 1));
        let with = |bytes: &[u8], at: usize, byte: u8| {
            let mut bytes = bytes.to_vec();
            bytes[at] = byte;
            bytes
        };
        log.block(Block::of(CapNo(0)), |log| {
            let damaged = [
                vec![],
                vec![0xff],
                vec![0xff, 0xca],
                good[..11].to_vec(),
                good[..good.len() - 1].to_vec(),
                // More frames than there are, an unknown kind, another message.
                with(&good, 10, 0xff),
                with(&good, 12, 7),
                with(&good, 1, 0xc9),
                text[..text.len() - 1].to_vec(),
                text[..9].to_vec(),
                place[..place.len() - 1].to_vec(),
            ];
            for (tick, bytes) in (1..).zip(&damaged) {
                write(log, ms(10 * tick), &good);
                write(log, ms(10 * tick + 5), bytes);
            }
            // A text that is not UTF-8, and a message that is not used up.
            write(log, ms(120), &[&[0xff, 0xcc][..], &1u64.to_be_bytes(), &[0, 2, 0xc3, 0x28]].concat());
            write(log, ms(120), &[&place[..], &[0, 0]].concat());
        });
        tables(log, ms(130));
    })
}
