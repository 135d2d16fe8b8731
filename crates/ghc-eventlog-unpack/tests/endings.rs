//! What follows compressed data, and files that are read awkwardly.

#![allow(missing_docs, clippy::unwrap_used, reason = "that is how tests fail")]

mod stored;

use flate2::{Compression as Level, write::GzEncoder};
use ghc_eventlog_unpack::{Archive, Compression, Unpacking};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::io::{Cursor, Read, Write};
use stored::File;
use zip::{ZipWriter, write::SimpleFileOptions};

fn log() -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(1);
    (0..300_000).map(|_| random.u8(..40)).collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Level::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}

/// The unpacked bytes, and the reason why unpacking ended early, if it did.
fn unpacked(stored: &[u8]) -> (Vec<u8>, Option<String>) {
    let way = if stored.starts_with(&[0x1f, 0x8b]) { Compression::Gzip } else { Compression::Zstd };
    let mut unpacking = Unpacking::of(way, Cursor::new(stored.to_vec()));
    let mut bytes = Vec::new();
    unpacking.read_to_end(&mut bytes).unwrap();
    (bytes, unpacking.broken.map(|broken| broken.to_string()))
}

#[test]
fn zeros_after_compressed_data_are_padding() {
    let log = log();
    for compressed in [gzip(&log), zstd(&log)] {
        for zeros in [1, 2, 511, 100_000] {
            let padded = [&compressed[..], &vec![0; zeros]].concat();
            assert_eq!(unpacked(&padded), (log.clone(), None), "{zeros} zeros");
        }
    }
}

#[test]
fn zeros_between_the_parts_are_padding_too() {
    let (one, two) = (log(), b"the second".to_vec());
    for compress in [gzip, zstd] {
        let stored = [compress(&one), vec![0; 700], compress(&two), vec![0; 3]].concat();
        assert_eq!(unpacked(&stored), ([&one[..], &two].concat(), None));
    }
}

#[test]
fn anything_else_after_the_log_is_reported_and_the_log_before_it_stays() {
    let log = log();
    let end = gzip(&log).len();
    for junk in [&b"junk"[..], b"\x1f\x8c no second member", b"\0\0\0x", b"hdrb"] {
        let (bytes, told) = unpacked(&[gzip(&log), junk.to_vec()].concat());
        assert_eq!(bytes, log, "{junk:?}");
        let told = told.unwrap();
        let at = end + junk.iter().take_while(|&&byte| byte == 0).count();
        // It takes reading a head of 10 bytes to see that this is no further member.
        let told_at = told.split_once("something else after the log, at byte ").unwrap().1.split_once(';').unwrap().0;
        assert!((at..=at + 10).contains(&told_at.parse().unwrap()), "{told}, at {at}");
    }
}

#[test]
fn a_further_member_that_is_cut_off_is_reported() {
    let log = log();
    let whole = [gzip(&log), gzip(&log)].concat();
    let (bytes, told) = unpacked(&whole[..whole.len() - 20]);
    assert!(bytes.len() > log.len());
    assert!(told.unwrap().starts_with("the compressed file is cut off at byte "));
}

#[test]
fn zeros_after_the_mark_are_no_empty_log() {
    let (bytes, told) = unpacked(&[0x1f, 0x8b, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert!(bytes.is_empty());
    assert!(told.is_some());
}

#[test]
fn short_and_interrupted_reads_change_nothing() {
    let log = log();
    let two = [gzip(&log), vec![0; 40], gzip(b"more")].concat();
    let expected = [&log[..], b"more"].concat();
    for grain in [1, 2, 7, 4096] {
        let mut bytes = Vec::new();
        let mut unpacking = Unpacking::of(Compression::Gzip, File::awkward(&two, grain));
        unpacking.read_to_end(&mut bytes).unwrap();
        assert!(bytes == expected && unpacking.broken.is_none(), "gzip by {grain}: {:?}", unpacking.broken);

        let mut bytes = Vec::new();
        let stored = zstd(&log);
        let mut unpacking = Unpacking::of(Compression::Zstd, File::awkward(&stored, grain));
        unpacking.read_to_end(&mut bytes).unwrap();
        assert!(bytes == log && unpacking.broken.is_none(), "zstd by {grain}: {:?}", unpacking.broken);

        let mut bytes = Vec::new();
        let mut archive = Archive::open(File::awkward(&zip(&log), grain)).unwrap();
        let index = archive.logs()[0].index;
        let mut unpacking = archive.unpack(index).unwrap();
        unpacking.read_to_end(&mut bytes).unwrap();
        assert!(bytes == log && unpacking.broken.is_none(), "zip by {grain}: {:?}", unpacking.broken);
    }
}

fn zip(log: &[u8]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.start_file("a.eventlog", SimpleFileOptions::default()).unwrap();
    writer.write_all(log).unwrap();
    writer.finish().unwrap().into_inner()
}
