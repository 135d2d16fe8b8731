//! Row 44 of the checklist: a log of more than 4 GiB. It is never in memory as a whole: its blocks are made one by one,
//! and made again when the model asks for a piece.

use conformance::arranged;
use ghc_eventlog::{
    Block, CapNo, Chunk, Decoder, Event, LogWriter, Nanos, RunThread, Step, StopStatus, StopThread, Text, ThreadId,
    UserMsg,
};
use ghc_eventlog_model::{Model, TrackId, View};

/// Blocks in the log, each of nearly 2 MiB.
const BLOCKS: u64 = 2200;

/// Messages in a block, as long as they can be.
const MESSAGES: u64 = 31;

/// Nanoseconds from block to block; each runs a thread in the first half of them.
const APART: u64 = 1_000_000;

/// The log's header, one block, and the offsets of times in a block.
struct Log {
    header: Vec<u8>,
    block: Vec<u8>,
}

impl Log {
    fn new() -> Self {
        let mut log = LogWriter::new();
        let header = log.offset();
        log.block(Block { end_time: Some(Nanos(APART / 2)), ..Block::of(CapNo(0)) }, |block| {
            block.event(Nanos(0), RunThread { thread: ThreadId(1) });
            for _ in 0..MESSAGES {
                block.record(Nanos(0), 19, Event::Unknown(&[b'x'; 65_535]));
            }
            let thread = ThreadId(1);
            block.event(Nanos(APART / 2), StopThread { thread, status: StopStatus(5), info: Some(0) });
        });
        let mut header_and_block = log.finish();
        let block = header_and_block.split_off(header);
        Self { header: header_and_block, block }
    }

    fn len(&self) -> u64 {
        self.header.len() as u64 + BLOCKS * self.block.len() as u64
    }

    /// The block of this number, with its times.
    fn block(&self, number: u64) -> Vec<u8> {
        let (start, stop) = ((number + 1) * APART, (number + 1) * APART + APART / 2);
        let mut block = self.block.clone();
        let mut put = |at: usize, time: u64| block[at..at + 8].copy_from_slice(&time.to_be_bytes());
        put(2, start);
        put(14, stop);
        put(24 + 2, start);
        let messages = 24 + 14;
        (0..MESSAGES as usize).for_each(|message| put(messages + message * (12 + 65_535) + 2, start));
        put(self.block.len() - 20 + 2, stop);
        block
    }

    /// A piece of the log.
    fn bytes(&self, offset: u64, length: u64) -> Vec<u8> {
        let size = self.block.len() as u64;
        let from = offset - self.header.len() as u64;
        let blocks: Vec<u8> =
            (from / size..=(from + length - 1) / size).flat_map(|number| self.block(number)).collect();
        blocks[(from % size) as usize..][..length as usize].to_vec()
    }
}

#[test]
fn offsets_beyond_4_gib_are_as_good_as_others() {
    let log = Log::new();
    assert!(log.len() > 1 << 32);
    let mut model = Model::new();
    model.feed(&log.header);
    (0..BLOCKS).for_each(|number| model.feed(&log.block(number)));
    model.finish();
    assert_eq!((model.offset(), model.events()), (log.len(), BLOCKS * (MESSAGES + 2)));
    assert!(model.bytes_held() < 32 << 20, "{} bytes", model.bytes_held());
    let (from, to) = model.extent().unwrap();
    assert_eq!((from, to), (Nanos(APART), Nanos(BLOCKS * APART + APART / 2)));

    let lane = TrackId::capability(CapNo(0));
    assert_eq!(model.totals(&arranged(&model), lane)[0], Nanos(BLOCKS * APART / 2));
    let last = View { from: Nanos(BLOCKS * APART - APART), to: to.plus(Nanos(1)), width: 1000 };
    let plan = model.plan(last);
    assert!(plan.exact && plan.reads.iter().all(|(offset, _)| *offset > 1 << 32), "{:?}", plan.reads);
    for (offset, length) in plan.reads {
        model.supply(offset, &log.bytes(offset, length)).unwrap();
    }
    let plan = model.plan(last);
    let spans: Vec<_> =
        model.window(&arranged(&model), &plan, lane).spans.iter().map(|span| (span.start, span.end)).collect();
    let run = |number| (Nanos(number * APART), Nanos(number * APART + APART / 2));
    assert_eq!(spans, [run(BLOCKS - 1), run(BLOCKS)]);
}

/// Damage beyond 4 GiB is found, skipped and reported as anywhere else.
#[test]
fn damage_beyond_4_gib_is_reported_with_its_offset() {
    let mut log = LogWriter::new();
    let header = log.offset();
    let mut damage = 0;
    log.block(Block::of(CapNo(0)), |block| {
        let message = |block: &mut LogWriter| {
            block.event(Nanos(10), UserMsg { text: Text(b"a message") });
        };
        message(block);
        damage = block.offset() - header;
        block.bytes(&[0xee; 13]);
        (0..3).for_each(|_| message(block));
        block.end();
    });
    let log = log.finish();
    let mut decoder = Decoder::new();
    let mut chunk = Chunk { bytes: &log, offset: 0, last: true };
    while !matches!(decoder.next(chunk), Ok(Step::Header)) {}
    let mut far = decoder.position();
    far.offset = (5 << 32) + 7;
    let mut decoder = decoder.resumed(far);
    chunk = Chunk { bytes: &log[header..], offset: far.offset, last: true };
    let mut offsets = Vec::new();
    loop {
        match decoder.next(chunk).unwrap() {
            Step::Event(record) => offsets.push(record.offset - far.offset),
            Step::Notice(notice) => {
                assert_eq!(notice.offset, far.offset + damage as u64);
                assert!(notice.to_string().starts_with("skipped 13 bytes"), "{notice}");
            }
            step => {
                assert!(matches!(step, Step::End), "{step:?}");
                break;
            }
        }
    }
    assert_eq!(offsets, [0, 24, 58, 79, 100]);
    assert_eq!(decoder.offset(), far.offset + (log.len() - header) as u64);
}
