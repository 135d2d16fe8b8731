//! Zeros between the parts of a compressed file and behind them: tapes and some disks have blocks of one size.

use std::io::{self, BufRead};

/// Skips zeros; the byte that comes then, which stays to be read.
pub(crate) fn padded(bytes: &mut impl BufRead) -> io::Result<Option<u8>> {
    loop {
        let ahead = bytes.fill_buf()?;
        if ahead.is_empty() {
            return Ok(None);
        }
        let zeros = ahead.iter().take_while(|&&byte| byte == 0).count();
        let next = ahead.get(zeros).copied();
        bytes.consume(zeros);
        if next.is_some() {
            return Ok(next);
        }
    }
}
