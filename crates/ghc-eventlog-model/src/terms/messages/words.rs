//! The words that begin and end spans of threads.

use super::{Message, NO_NUMBER, leading_number};
use crate::limits;
use alloc::{
    borrow::ToOwned,
    string::{String, ToString},
    vec::Vec,
};

/// The pairs of words that the reader adds to the known ones: see [`Model::name_spans`](crate::Model::name_spans). By default
/// there are none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SpanWords {
    pairs: Vec<OwnPair>,
}

/// A pair of words of the reader.
#[derive(Debug, Clone, PartialEq, Eq)]
struct OwnPair {
    begin: String,
    end: String,
    /// Whether they come after the label.
    is_after: bool,
}

/// A known word before a label.
struct KnownWord {
    text: &'static str,
    begins: bool,
    /// Whether only the first word of what follows is the label.
    is_one_word: bool,
}

const fn word(text: &'static str, begins: bool) -> KnownWord {
    KnownWord { text, begins, is_one_word: false }
}

/// The words before a label that libraries and tools write.
const KNOWN: &[KnownWord] = &[
    // ghc-events-analyze, and most programs.
    word("START", true),
    word("STOP", false),
    word("END", false),
    // hperf.
    word("START:", true),
    word("STOP:", false),
    word("END:", false),
    // GHC itself.
    word("GHC:started:", true),
    word("GHC:finished:", false),
    // The plugin trace-foreign-calls: the function's name, then how and where it is called.
    KnownWord { is_one_word: true, ..word("trace-foreign-calls: call", true) },
    KnownWord { is_one_word: true, ..word("trace-foreign-calls: return", false) },
];

/// The words after a label that haddock writes. They are common ones.
const COMMON: [(&str, bool); 2] = [("started", true), ("ended", false)];

/// What marks a word as one that comes after the label, in texts.
const AFTER: &str = "* ";

/// Whether the message begins a span, what is left for its label, and how long the word was.
type Fit<'a> = (bool, &'a [u8], usize);

impl SpanWords {
    /// Pairs from a text of the form `BEGIN,END`, or several of them: `BEGIN,END,BEGIN,END`. A word that begins with `* `
    /// comes after the label, as do both of a pair. `None` for any other text: if a word is empty or longer than
    /// [`limits::MAX_TEXT`], if both of a pair are the same, or if there are more pairs than [`limits::MAX_SPAN_WORDS`].
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split(',').collect();
        let (pairs, []) = words.as_chunks() else { return None };
        let pairs: Option<Vec<OwnPair>> = pairs.iter().map(OwnPair::of).collect();
        Some(Self { pairs: pairs.filter(|pairs| pairs.len() <= limits::MAX_SPAN_WORDS)? })
    }

    /// These pairs, and more of them; no more than [`limits::MAX_SPAN_WORDS`].
    #[must_use]
    pub fn with(mut self, more: Self) -> Self {
        self.pairs.extend(more.pairs);
        self.pairs.truncate(limits::MAX_SPAN_WORDS);
        self
    }

    /// The pairs as a text that can be [parsed](Self::parse); empty if there are none.
    #[must_use]
    pub fn text(&self) -> String {
        let mut words = Vec::new();
        for OwnPair { begin, end, is_after } in &self.pairs {
            let mark = if *is_after { AFTER } else { "" };
            words.extend([begin, end].map(|word| mark.to_string() + word));
        }
        words.join(",")
    }

    /// Whether the reader has added any.
    pub(crate) fn are_added(&self) -> bool {
        !self.pairs.is_empty()
    }

    /// What a text says, if it has the words of a span: the reader's, or known ones before the label. The longest word is
    /// meant; of the same length, the reader's.
    pub(super) fn of_span<'a>(&self, text: &'a [u8]) -> Option<Message<'a>> {
        if let Some((begins, label, _)) = self.longest_own(text) {
            return of_label(begins, label, false);
        }
        let (known, label) = known_word(text)?;
        let label = label.trim_ascii();
        let label = if known.is_one_word { label.split(u8::is_ascii_whitespace).next()? } else { label };
        of_label(known.begins, label, false)
    }

    /// What the reader's words make of a text; nothing if there are none, as usual.
    fn longest_own<'a>(&self, text: &'a [u8]) -> Option<Fit<'a>> {
        if self.pairs.is_empty() {
            return None;
        }
        let own = self.pairs.iter().flat_map(|pair| {
            let fit = |word: &str, begins: bool| {
                let label = if pair.is_after { before(text, word) } else { after(text, word) };
                label.map(|label| (begins, label, word.len()))
            };
            [fit(&pair.begin, true), fit(&pair.end, false)]
        });
        longest(own.flatten())
    }
}

/// The known words that begin with a letter, by its number: a bit for each place in [`KNOWN`]. Nearly all messages begin with another one.
static BY_LETTER: [u16; 256] = {
    let mut all = [0; 256];
    let mut place = 0;
    while place < KNOWN.len() {
        all[KNOWN[place].text.as_bytes()[0] as usize] |= 1 << place;
        place += 1;
    }
    all
};

/// The longest known word that a text begins with, and what comes after it.
fn known_word(text: &[u8]) -> Option<(&'static KnownWord, &[u8])> {
    let mut left = BY_LETTER.get(usize::from(*text.first()?)).copied()?;
    let mut best: Option<(&KnownWord, &[u8])> = None;
    while let Some(known) = KNOWN.get(left.trailing_zeros() as usize) {
        left &= left - 1;
        if best.is_none_or(|(best, _)| known.text.len() > best.text.len())
            && let Some(label) = after(text, known.text)
        {
            best = Some((known, label));
        }
    }
    best
}

impl OwnPair {
    fn of([begin, end]: &[&str; 2]) -> Option<Self> {
        let (begin, end) = (begin.trim_start(), end.trim_start());
        let is_after = begin.starts_with(AFTER);
        let [begin, end] = match (is_after, begin.strip_prefix(AFTER), end.strip_prefix(AFTER)) {
            (true, Some(begin), Some(end)) => [begin, end],
            (false, _, None) => [begin, end],
            _ => return None,
        };
        let [begin, end] = [begin.trim(), end.trim()];
        let are_words = [begin, end].iter().all(|word| (1..=limits::MAX_TEXT).contains(&word.len()));
        let pair = || Self { begin: begin.to_owned(), end: end.to_owned(), is_after };
        (are_words && begin != end).then(pair)
    }
}

/// What a text says that has common words after a label.
pub(super) fn of_common(text: &[u8]) -> Option<Message<'_>> {
    let (label, begins) = COMMON.iter().find_map(|(word, begins)| Some((before(text, word)?, *begins)))?;
    of_label(begins, label, true)
}

/// The fit of the longest word; of the same length, the first one.
fn longest<'a>(fits: impl Iterator<Item = Fit<'a>>) -> Option<Fit<'a>> {
    fits.reduce(|best, fit| if fit.2 > best.2 { fit } else { best })
}

/// What comes after a word: with a blank in between, unless the word ends with a punctuation mark.
fn after<'a>(text: &'a [u8], word: &str) -> Option<&'a [u8]> {
    let rest = text.strip_prefix(word.as_bytes())?;
    let is_apart = rest.first()?.is_ascii_whitespace() || word.bytes().last()?.is_ascii_punctuation();
    is_apart.then_some(rest)
}

/// What comes before a word.
fn before<'a>(text: &'a [u8], word: &str) -> Option<&'a [u8]> {
    let rest = text.trim_ascii_end().strip_suffix(word.as_bytes())?;
    let is_apart = rest.last()?.is_ascii_whitespace() || word.bytes().next()?.is_ascii_punctuation();
    is_apart.then_some(rest)
}

/// The label of a span, with the number of its instance before it, if there is one.
fn of_label(begins: bool, label: &[u8], needs_both: bool) -> Option<Message<'_>> {
    let label = label.trim_ascii();
    match leading_number(label) {
        _ if label.is_empty() => None,
        // A number with nothing after it is a label.
        Some((number, [first, label @ ..])) if first.is_ascii_whitespace() && number != NO_NUMBER => {
            let label = label.trim_ascii_start();
            Some(Message::OfThread { begins, number: Some(number), label, needs_both })
        }
        _ => Some(Message::OfThread { begins, number: None, label, needs_both }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_thread(begins: bool, number: Option<u64>, label: &str) -> Message<'_> {
        Message::OfThread { begins, number, label: label.as_bytes(), needs_both: false }
    }

    fn common(begins: bool, label: &str) -> Message<'_> {
        Message::OfThread { begins, number: None, label: label.as_bytes(), needs_both: true }
    }

    fn are(words: &str, cases: &[(&str, Message<'_>)]) {
        let words = if words.is_empty() { SpanWords::default() } else { SpanWords::parse(words).unwrap() };
        for (text, said) in cases {
            assert_eq!(Message::of_text(text.as_bytes(), &words), *said, "{text}");
        }
    }

    #[test]
    fn a_whole_number_before_the_label_is_an_instance() {
        are(
            "",
            &[
                ("START request", of_thread(true, None, "request")),
                ("STOP request", of_thread(false, None, "request")),
                ("START 12 request", of_thread(true, Some(12), "request")),
                ("STOP 007  two words ", of_thread(false, Some(7), "two words")),
                ("START 12", of_thread(true, None, "12")),
                ("START 3x no number", of_thread(true, None, "3x no number")),
                ("START -3 negative", of_thread(true, None, "-3 negative")),
                ("START   blanks  ", of_thread(true, None, "blanks")),
                ("START 99999999999999999999 many", of_thread(true, None, "99999999999999999999 many")),
                ("START", Message::Other),
                ("START  ", Message::Other),
                ("STARTED x", Message::Other),
                ("start x", Message::Other),
                ("", Message::Other),
                // The number is the one that means "no number".
                ("START 18446744073709551615 x", of_thread(true, None, "18446744073709551615 x")),
                ("START 18446744073709551614 x", of_thread(true, Some(u64::MAX - 1), "x")),
            ],
        );
    }

    #[test]
    fn the_words_of_all_libraries_are_known_at_once() {
        are(
            "",
            &[
                ("END request", of_thread(false, None, "request")),
                ("END 12 request", of_thread(false, Some(12), "request")),
                ("START:request", of_thread(true, None, "request")),
                ("END:request", of_thread(false, None, "request")),
                ("GHC:started: Parser [Main]", of_thread(true, None, "Parser [Main]")),
                ("GHC:finished: Parser [Main]", of_thread(false, None, "Parser [Main]")),
                ("trace-foreign-calls: call c_sin (capi) at Main.hs:3", of_thread(true, None, "c_sin")),
                ("trace-foreign-calls: return c_sin", of_thread(false, None, "c_sin")),
                ("renaming started", common(true, "renaming")),
                ("renaming ended", common(false, "renaming")),
                ("started", Message::Other),
                (" started", Message::Other),
                ("restarted", Message::Other),
                ("trace-foreign-calls: c_sin", Message::Other),
                // Words before the label decide.
                ("START x started", of_thread(true, None, "x started")),
            ],
        );
    }

    #[test]
    fn the_reader_s_words_are_added() {
        are(
            " begin: , all done,* on,* off",
            &[
                ("begin: 12 request", of_thread(true, Some(12), "request")),
                ("begin:request", of_thread(true, None, "request")),
                ("all done request", of_thread(false, None, "request")),
                ("all donerequest", Message::Other),
                ("the light on", of_thread(true, None, "the light")),
                ("the light off ", of_thread(false, None, "the light")),
                ("upon", Message::Other),
                ("START request", of_thread(true, None, "request")),
                ("START request off", of_thread(false, None, "START request")),
                ("ot2 end span 7", Message::End { number: 7 }),
            ],
        );
        // One word may begin with the other, and the reader's words go before known ones.
        for (words, is_begin) in [("Task,Task done", true), ("Task done,Task", false)] {
            are(words, &[("Task x", of_thread(is_begin, None, "x")), ("Task done x", of_thread(!is_begin, None, "x"))]);
        }
        are("STOP,START", &[("STOP x", of_thread(true, None, "x")), ("START x", of_thread(false, None, "x"))]);
        are("* ended,* started", &[("x ended", of_thread(true, None, "x"))]);
    }

    #[test]
    fn pairs_are_written_as_they_are_read() {
        let words = SpanWords::parse(" A , B,* on, * off").unwrap();
        assert_eq!(words.text(), "A,B,* on,* off");
        assert_eq!(SpanWords::parse(&words.text()), Some(words.clone()));
        assert_eq!(SpanWords::parse("A,B").unwrap().with(SpanWords::parse("* on,* off").unwrap()), words);
        assert_eq!(SpanWords::default().text(), "");
        let long = "x".repeat(limits::MAX_TEXT + 1);
        let many = ["A,B"; limits::MAX_SPAN_WORDS + 1].join(",");
        let others = ["", "A", ",B", "A,A", "A, A ", "A,B,C", "* on,off", "on,* off", "* ,* off", &long, &many];
        assert!(others.iter().all(|text| SpanWords::parse(text).is_none()));
        assert!(SpanWords::parse(&format!("{long},B")).is_none());
    }

    use alloc::format;
}
