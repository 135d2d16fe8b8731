//! A text that a log holds, as a type that cannot be printed: it gets out through [`crate::doors`] only.

use alloc::{borrow::Cow, string::String, vec::Vec};
use core::fmt::Write;
use ghc_eventlog::Text;

/// A text that comes from a log, or from elsewhere outside, such as the name of a file. It may hold anything: escape sequences of a
/// terminal, markup, formulas of a spreadsheet, characters that reverse the text around them.
///
/// It has neither `Display` nor `Deref`. Whoever writes it chooses the door for the kind of output, and the door makes it harmless
/// there: [`for_terminal`](Self::for_terminal), [`for_markdown`](Self::for_markdown), and so on. Words of ours may be a part of it, or
/// all of it: they pass every door unchanged.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct LogText<'a>(Cow<'a, str>);

impl<'a> LogText<'a> {
    /// The text as it is, to be compared, sorted, searched, hashed or measured. Never write it: a test lists the files that may call this.
    #[must_use]
    pub fn for_comparing(&self) -> &str {
        &self.0
    }

    /// Of bytes that should be UTF-8. Those that are not are written as `\xff`, so that no two texts look alike.
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

    /// Several texts as one.
    #[must_use]
    pub fn joined(texts: &[LogText<'_>], between: &str) -> LogText<'static> {
        texts.iter().map(|text| &*text.0).collect::<Vec<_>>().join(between).into()
    }

    /// No more bytes of it than `most`: if there are, the rest is cut off, and `…` says so.
    #[must_use]
    pub fn cut(self, most: usize) -> Self {
        if self.0.len() <= most {
            return self;
        }
        let mut text = self.0.into_owned();
        text.truncate(text.floor_char_boundary(most));
        text.push('…');
        text.into()
    }

    /// A text that borrows from nothing.
    #[must_use]
    pub fn into_owned(self) -> LogText<'static> {
        LogText(Cow::Owned(self.0.into_owned()))
    }

    /// The bytes that it holds itself.
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

/// What is not UTF-8 is replaced, as the reference does.
impl<'a> From<Text<'a>> for LogText<'a> {
    fn from(text: Text<'a>) -> Self {
        Self(String::from_utf8_lossy(text.0))
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
