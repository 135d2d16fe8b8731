//! The copy of a log is as long as the log, and does not depend on how the bytes are cut into pieces.

use ghc_eventlog_strip::{Strip, Stripping};
use std::{fs, path::Path};

const ALL: Strip = Strip { env: true, args: true, messages: true };

fn stripped(log: &[u8], piece: usize) -> Vec<u8> {
    let (mut stripping, mut out) = (Stripping::new(ALL), Vec::new());
    for bytes in log.chunks(piece) {
        stripping.feed(bytes, &mut out);
    }
    stripping.finish(&mut out);
    out
}

#[test]
fn any_pieces_make_the_same_copy() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus");
    let mut changed = 0;
    for case in fs::read_dir(corpus).unwrap() {
        let path = case.unwrap().path().join("log.eventlog");
        let Ok(log) = fs::read(&path) else { continue };
        let whole = stripped(&log, log.len().max(1));
        assert_eq!(whole.len(), log.len(), "{}", path.display());
        for piece in [1, 7, 1000, 4096] {
            let other = stripped(&log, piece);
            assert!(other == whole, "{} by {piece}", path.display());
        }
        changed += u32::from(whole != log);
    }
    assert!(changed > 10);
}
