//! Strings in a log: bytes that are usually UTF-8, but need not be.

use core::fmt;

/// A text. It has no `Display`: a log's text may hold anything, so the code that prints it must choose how.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Text<'a>(pub &'a [u8]);

impl<'a> Text<'a> {
    /// The text without trailing NULs, which old runtimes leave on messages that they cut (FORMAT 3).
    #[must_use]
    pub fn trimmed(self) -> Self {
        let mut bytes = self.0;
        while let [head @ .., 0] = bytes {
            bytes = head;
        }
        Self(bytes)
    }

    /// Writes the text, with `\u{fffd}` in place of what is not UTF-8, and U+0000 for its two-byte form. It may hold control characters and markup; to
    /// show it to people, use `LogText` of `ghc-eventlog-text`.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn write_lossy(self, out: &mut impl fmt::Write) -> fmt::Result {
        for (at, part) in self.between_nuls().enumerate() {
            out.write_str(if at > 0 { "\0" } else { "" })?;
            for chunk in part.utf8_chunks() {
                out.write_str(chunk.valid())?;
                if !chunk.invalid().is_empty() {
                    out.write_str("\u{fffd}")?;
                }
            }
        }
        Ok(())
    }

    /// The parts before, between and after U+0000 in the two bytes `C0 80`. Since GHC 9.6 the library writes it so, where
    /// a NUL would end the text (FORMAT 3). No UTF-8 has these bytes.
    pub fn between_nuls(self) -> impl Iterator<Item = &'a [u8]> {
        let mut rest = Some(self.0);
        core::iter::from_fn(move || {
            let bytes = rest?;
            // Hardly any text has such a byte, so this is one quick search.
            let from = bytes.iter().position(|byte| *byte == 0xc0).unwrap_or(bytes.len());
            let tail = bytes.get(from..).unwrap_or_default();
            let nul = tail.windows(2).position(|pair| pair == [0xc0, 0x80]).map(|at| from + at);
            rest = nul.and_then(|at| bytes.get(at + 2..));
            nul.map_or(Some(bytes), |at| bytes.get(..at))
        })
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"")?;
        for chunk in self.0.utf8_chunks() {
            write!(f, "{}{}", chunk.valid().escape_debug(), chunk.invalid().escape_ascii())?;
        }
        write!(f, "\"")
    }
}

/// A list of strings, each followed by a NUL (FORMAT 3); the last NUL may be missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TextList<'a>(pub &'a [u8]);

impl<'a> TextList<'a> {
    /// The elements, empty ones included.
    pub fn iter(self) -> impl Iterator<Item = Text<'a>> {
        let bytes = self.0.strip_suffix(&[0]).unwrap_or(self.0);
        let none = if self.0.is_empty() { 0 } else { usize::MAX };
        bytes.split(|&byte| byte == 0).take(none).map(Text)
    }
}

/// A stack of cost centres, innermost first. Each number is as in the log, the most significant byte first. Depth 0 is
/// the stack that has only MAIN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CostCentreStack<'a>(pub &'a [[u8; 4]]);

impl<'a> CostCentreStack<'a> {
    /// The cost centres, innermost first.
    pub fn iter(self) -> impl Iterator<Item = crate::CostCentreId> + 'a {
        self.0.iter().map(|bytes| crate::CostCentreId(u32::from_be_bytes(*bytes)))
    }

    /// How many cost centres it has.
    #[must_use]
    pub fn depth(self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{string::String, vec::Vec};

    #[test]
    fn text_that_is_not_utf8_is_shown_nevertheless() {
        let mut out = String::new();
        Text(b"a\xffb \xce\xbb").write_lossy(&mut out).unwrap();
        assert_eq!(out, "a\u{fffd}b λ");
        assert_eq!(Text(b"cut\0\0").trimmed(), Text(b"cut"));
    }

    #[test]
    fn a_nul_in_two_bytes_is_a_nul() {
        let written = |bytes| {
            let mut out = String::new();
            Text(bytes).write_lossy(&mut out).unwrap();
            out
        };
        assert_eq!(written(b"a\xc0\x80b\xc0\x80"), "a\0b\0");
        assert_eq!(written(b"\xc0\x80\xc0\x81\xc0"), "\0\u{fffd}\u{fffd}\u{fffd}");
        assert_eq!(Text(b"").between_nuls().collect::<Vec<_>>(), [b""]);
    }

    #[test]
    fn lists_keep_empty_elements() {
        let texts = |bytes| TextList(bytes).iter().map(|text| text.0).collect::<Vec<_>>();
        assert_eq!(texts(b"./prog\0\0-l\0"), [&b"./prog"[..], b"", b"-l"]);
        assert_eq!(texts(b"no end"), [&b"no end"[..]]);
        assert!(texts(b"").is_empty());
    }
}
