//! A log made longer by repeating its events.

use ghc_eventlog::{BlockMarker, Chunk, Decoder, Step};

/// The log with its blocks repeated `times` times, each time later by the log's length: one valid log.
pub fn tiled(log: &[u8], times: u64) -> Vec<u8> {
    let mut decoder = Decoder::new();
    let chunk = Chunk { bytes: log, offset: 0, last: true };
    let (mut header, mut records) = (0, Vec::new());
    while let Ok(step) = decoder.next(chunk) {
        match step {
            Step::Header => header = decoder.offset() as usize,
            Step::Event(record) => records.push((record.offset as usize, record.time.0, record.tag)),
            Step::Notice(notice) => panic!("{notice}"),
            Step::Need(_) | Step::End => break,
        }
    }
    let time_of = |(_, time, _): &(usize, u64, u16)| *time;
    let first = records.iter().map(time_of).min().unwrap_or(0);
    let length = records.iter().map(time_of).max().unwrap_or(0) - first + 1_000_000;
    let end = log.len() - 2;
    let mut tiled = log[..header].to_vec();
    for round in 0..times {
        let base = tiled.len() - header;
        tiled.extend_from_slice(&log[header..end]);
        // GHC 9.2 and later count the end mark in the last block; here it stands behind all blocks.
        for &(offset, time, tag) in &records {
            let at = base + offset;
            put(&mut tiled, at + 2, time + round * length);
            if tag == BlockMarker::TAG {
                let size =
                    u32::from_be_bytes([tiled[at + 10], tiled[at + 11], tiled[at + 12], tiled[at + 13]]) as usize;
                let closed = u64::from_be_bytes(tiled[at + 14..at + 22].try_into().unwrap());
                put(&mut tiled, at + 14, closed + round * length);
                if offset + size > end {
                    tiled[at + 10..at + 14].copy_from_slice(&((size - 2) as u32).to_be_bytes());
                }
            }
        }
    }
    tiled.extend_from_slice(&[0xff, 0xff]);
    tiled
}

fn put(bytes: &mut [u8], at: usize, number: u64) {
    bytes[at..at + 8].copy_from_slice(&number.to_be_bytes());
}
