//! Zeros between and after the parts of a compressed file: tapes and some disks have blocks of a fixed size.

use std::io::{self, BufRead};

/// Skips zeros. Returns the next byte, without consuming it.
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
