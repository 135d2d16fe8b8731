//! Damaged files of every kind either unpack correctly, or give an error.

#[path = "../../tests/pack/mod.rs"]
mod pack;

use super::*;
use pack::{gzip, zip, zip_stored, zstd};
use std::{
    fs,
    io::{Cursor, Write},
    path::Path,
};

/// A log that is small enough to be damaged at every byte.
fn log() -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/single/log.eventlog");
    fs::read(path).unwrap().split_off(8000)
}

/// The unpacked bytes of a stored file, and why unpacking ended early, if it did; or why the file cannot be opened.
fn unpacked(stored: &[u8]) -> io::Result<(Vec<u8>, Option<String>)> {
    let mut file = tempfile::NamedTempFile::new()?;
    file.write_all(stored)?;
    let mut log = Log::open(file.path().as_os_str(), None)?;
    let mut bytes = Vec::new();
    log.read_to_end(&mut bytes)?;
    Ok((bytes, log.broken().map(ToString::to_string)))
}

fn forms(log: &[u8]) -> [Vec<u8>; 5] {
    let zip_of_gzip = zip_stored(&[("a.eventlog", &gzip(log))]);
    [gzip(log), zstd(log), zip(&[("a.eventlog", log)]), zip_stored(&[("a.eventlog", log)]), zip_of_gzip]
}

#[test]
fn a_file_cut_off_anywhere_unpacks_to_a_prefix_and_an_error() {
    let log = log();
    for stored in forms(&log) {
        assert_eq!(unpacked(&stored).unwrap(), (log.clone(), None));
        // Fewer bytes do not show what the file is.
        for cut in 4..stored.len() {
            let Ok((bytes, broken)) = unpacked(&stored[..cut]) else { continue };
            assert!(log.starts_with(&bytes) && broken.is_some(), "cut at {cut}: {} bytes, {broken:?}", bytes.len());
        }
    }
}

#[test]
fn a_file_with_any_byte_changed_unpacks_correctly_or_gives_an_error() {
    let log = log();
    for stored in forms(&log) {
        for at in 4..stored.len() {
            for change in [0x01, 0x80, 0xff] {
                let mut stored = stored.clone();
                stored[at] ^= change;
                let Ok((bytes, broken)) = unpacked(&stored) else { continue };
                assert!(bytes == log || broken.is_some(), "byte {at} changed by {change:#x}");
            }
        }
    }
}

/// The decoder keeps back what later blocks may refer to, but returns it when the file is cut off.
#[test]
fn every_whole_block_of_a_cut_off_zstd_frame_is_unpacked() {
    let mut noise = 1_u32;
    let log = std::iter::repeat_with(|| {
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (noise >> 24) as u8
    });
    let log: Vec<u8> = log.take(1 << 19).collect();
    let stored = zstd(&log);
    let (bytes, broken) = unpacked(&stored[..stored.len() * 9 / 10]).unwrap();
    assert!(log.starts_with(&bytes) && bytes.len() == 3 << 17, "{} bytes", bytes.len());
    assert!(broken.is_some());
}

#[test]
fn a_copy_ends_at_its_limit() {
    let mut unpacking = Unpacking::of(Compression::Gzip, Cursor::new(gzip(&vec![0; 1 << 20])));
    unpacking.limit = 100_000;
    let mut bytes = Vec::new();
    unpacking.read_to_end(&mut bytes).unwrap();
    assert!((100_000..200_000).contains(&bytes.len()));
    assert!(unpacking.broken.is_some_and(|broken| !broken.is_cut()));
}

/// A copy from a pipe has a limit, too. It has the bytes before the limit, and knows that there were more.
#[test]
fn a_copy_of_a_pipe_ends_at_its_limit() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/single/log.eventlog");
    let log = fs::read(path).unwrap();
    let source = |limit| {
        let bytes = Bytes::Pipe(Box::new(Cursor::new(log.clone())));
        let mut source =
            Source::with_limit(Log { file: "-".into(), name: String::new(), identity: None, bytes }, limit).unwrap();
        let mut copied = Vec::new();
        source.start("reading").unwrap().read_to_end(&mut copied).unwrap();
        (copied, source.is_too_long())
    };
    let length = log.len() as u64;
    assert_eq!(source(5000), (log[..5000].to_vec(), true));
    assert_eq!(source(length - 1), (log[..log.len() - 1].to_vec(), true));
    assert_eq!(source(length), (log.clone(), false));
}

/// Input that does not begin like a log is not copied, since it may never end.
#[test]
fn what_is_no_log_is_not_copied() {
    struct Endless(usize);
    impl Read for Endless {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            self.0 += out.len();
            assert!(self.0 < 1 << 16, "it was asked for too much");
            out.fill(b'y');
            Ok(out.len())
        }
    }
    let log = Log { file: "-".into(), name: String::new(), identity: None, bytes: Bytes::Pipe(Box::new(Endless(0))) };
    let mut source = Source::of(log).unwrap();
    let mut copied = Vec::new();
    source.start("reading").unwrap().read_to_end(&mut copied).unwrap();
    assert!(!copied.is_empty() && copied.iter().all(|&byte| byte == b'y'));
}
