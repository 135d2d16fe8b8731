//! The type of texts that come from a log. It cannot be printed; only the functions of [`crate::doors`] turn it into
//! output.

use crate::middle;
use alloc::{borrow::Cow, string::String, vec::Vec};
use core::fmt::Write;
use ghc_eventlog::Text;

/// A text that comes from a log or another outside source, such as a file name. It may hold anything: terminal escape
/// sequences, markup, spreadsheet formulas, characters that reverse the text around them.
///
/// It has neither `Display` nor `Deref`. To write it, choose the door for the kind of output
/// ([`for_terminal`](Self::for_terminal), [`for_markdown`](Self::for_markdown), and so on), which makes it harmless
/// there. It may also contain words of our own, which every door leaves unchanged.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct LogText<'a>(Cow<'a, str>);

impl<'a> LogText<'a> {
    /// The raw text, for comparing, sorting, searching, hashing or measuring. Never write it to an output. A test lists
    /// the files that may call this.
    #[must_use]
    pub fn for_comparing(&self) -> &str {
        &self.0
    }

    /// The text of bytes that should be UTF-8. Bytes that are not become `\xff` and the like, so that different texts
    /// stay different.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> LogText<'static> {
        let mut text = String::with_capacity(bytes.len());
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            for byte in chunk.invalid() {
                // Writing into a string cannot fail.
                let _ = write!(text, "\\x{byte:02x}");
            }
        }
        text.into()
    }

    /// Joins several texts, with `between` between them.
    #[must_use]
    pub fn joined(texts: &[LogText<'_>], between: &str) -> LogText<'static> {
        texts.iter().map(|text| &*text.0).collect::<Vec<_>>().join(between).into()
    }

    /// The text, cut to about `most` bytes: what is missing in the middle is a `…`, so that texts that begin alike still differ.
    #[must_use]
    pub fn cut(self, most: usize) -> Self {
        let ends = middle(&self.0, most).and_then(|(head, tail)| Some([self.0.get(..head)?, "…", self.0.get(tail..)?]));
        match ends {
            Some(ends) => ends.concat().into(),
            None => self,
        }
    }

    /// A text that borrows from nothing.
    #[must_use]
    pub fn into_owned(self) -> LogText<'static> {
        LogText(Cow::Owned(self.0.into_owned()))
    }

    /// How many bytes of memory it owns.
    #[must_use]
    pub fn bytes_held(&self) -> usize {
        if let Cow::Owned(text) = &self.0 { text.capacity() } else { 0 }
    }

    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'a> From<&'a str> for LogText<'a> {
    fn from(text: &'a str) -> Self {
        Self(Cow::Borrowed(text))
    }
}

impl From<String> for LogText<'_> {
    fn from(text: String) -> Self {
        Self(Cow::Owned(text))
    }
}

impl<'a> From<Cow<'a, str>> for LogText<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        Self(text)
    }
}

/// Bytes that are not UTF-8 are replaced, as in the reference.
impl<'a> From<Text<'a>> for LogText<'a> {
    fn from(text: Text<'a>) -> Self {
        if let Ok(valid) = core::str::from_utf8(text.0) {
            return Self(Cow::Borrowed(valid));
        }
        let mut lossy = String::with_capacity(text.0.len());
        // Writing into a string cannot fail.
        let _ = text.write_lossy(&mut lossy);
        lossy.into()
    }
}

impl PartialEq<str> for LogText<'_> {
    fn eq(&self, other: &str) -> bool {
        &*self.0 == other
    }
}

impl PartialEq<&str> for LogText<'_> {
    fn eq(&self, other: &&str) -> bool {
        &*self.0 == *other
    }
}

impl PartialEq<String> for LogText<'_> {
    fn eq(&self, other: &String) -> bool {
        &*self.0 == other
    }
}
