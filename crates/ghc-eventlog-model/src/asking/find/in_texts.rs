//! Which word of what is searched for can only come from a text of the log. An event whose bytes do not have that word is no hit, and
//! need not be formatted, which takes ten times as long as looking for the word.

use super::{finder::Prepared, sentences::sentences_around_texts};
use crate::asking::query::{letters::Letters, pattern::Pattern};
use alloc::{string::String, vec::Vec};
use ghc_eventlog::Header;

/// For each type, the word that the bytes of its events must have, if there is one.
#[derive(Debug, Clone, Default)]
pub(super) struct WordsInTexts {
    words: Vec<Letters>,
}

/// Which word it is.
pub(super) type WordInTexts = u8;

impl WordsInTexts {
    /// Adds the word for the events of a type: the longest one that follows from tests that must hold.
    pub(super) fn add_for<'a>(
        &mut self,
        tag: u16,
        tests: impl Iterator<Item = &'a Prepared>,
        headers: &[&Header],
    ) -> Option<WordInTexts> {
        let words = tests.flat_map(|test| match test {
            Prepared::Text(pattern) => words_of_the_log(tag, pattern, headers),
            // It has to be in one of the texts.
            Prepared::Said(pattern) => pattern.words_in_bytes(),
            _ => Vec::new(),
        });
        let word = words.max_by_key(String::len)?;
        let of_another = self.words.iter().position(|other| other.as_bytes() == word.as_bytes());
        let place = of_another.unwrap_or(self.words.len());
        if place == self.words.len() {
            self.words.push(Letters::new(&word));
        }
        place.try_into().ok()
    }

    /// Whether the bytes of an event have a word.
    pub(super) fn is_in(&self, word: WordInTexts, payload: &[u8]) -> bool {
        self.words.get(usize::from(word)).is_none_or(|letters| letters.are_in(payload, true, false))
    }
}

/// The words of a pattern that are not among those that we write about events of a type, and therefore are in its texts as a whole.
fn words_of_the_log(tag: u16, pattern: &Pattern, headers: &[&Header]) -> Vec<String> {
    let mut words = pattern.words_in_bytes();
    let Some(sentences) = (if words.is_empty() { None } else { sentences_around_texts(tag, headers) }) else {
        return Vec::new();
    };
    words.retain(|word| !sentences.iter().any(|sentence| sentence.contains(word.as_str())));
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FindWishes, Model, Query, work};
    use ghc_eventlog::{
        Block, CostCentre, Event, HeapProfBegin, HeapProfSampleString, InternString, Ipe, LogMsg, LogWriter, Nanos,
        ProgramArgs, RtsIdentifier, RunThread, ThreadLabel, UserBinaryMsg, UserMarker, UserMsg, info,
    };

    fn word(tag: u16, test: Prepared) -> Option<String> {
        let mut words = WordsInTexts::default();
        let place = words.add_for(tag, [&test].into_iter(), &[])?;
        let letters = words.words.get(usize::from(place))?;
        Some(String::from_utf8_lossy(letters.as_bytes()).into_owned())
    }

    #[test]
    fn our_own_words_and_numbers_may_be_anywhere() {
        let of = |tag, text: &str| word(tag, Prepared::Text(Pattern::glob(text)));
        for (tag, text, expected) in [
            (UserMarker::TAG, "GET /timeout", Some("timeout")),
            (UserMarker::TAG, "Marker: st", Some("st")),
            (UserMarker::TAG, "marker", None),
            (UserMarker::TAG, "4711", None),
            (UserMarker::TAG, "0xbeef", None),
            (UserMarker::TAG, "ärger", Some("rger")),
            (UserMarker::TAG, "ärtig", None),
            (ThreadLabel::TAG, "thread 12 has*worker", Some("worker")),
            (HeapProfSampleString::TAG, "residency ?* label*ARR_WORDS", Some("words")),
            (Ipe::TAG, "table main", Some("main")),
            (CostCentre::TAG, "cost in cafs", Some("cafs")),
            // Where capitals matter, it is one of those; only its small letter is ASCII.
            (UserMarker::TAG, "\u{212a}ilo", None),
            (UserMarker::TAG, "\u{130}5", None),
        ] {
            assert_eq!(of(tag, text).as_deref(), expected, "{tag} {text}");
        }
        // They have no texts, several in a list, bytes that are no text, or words for numbers.
        let others = [RunThread::TAG, ProgramArgs::TAG, UserBinaryMsg::TAG, HeapProfBegin::TAG];
        assert_eq!(others.map(|tag| of(tag, "timeout")), [const { None }; 4]);
    }

    /// Of an event that is too short, only the header's description is shown.
    #[test]
    fn an_event_that_is_too_short_is_found_by_its_description() {
        let mut writer = LogWriter::new();
        writer.block(Block::GLOBAL, |block| {
            block.record(Nanos(5), RtsIdentifier::TAG, Event::Unknown(&[0, 0]));
        });
        let log = writer.finish();
        let mut model = Model::new();
        model.feed(&log);
        model.finish();
        let described = info(RtsIdentifier::TAG).unwrap().doc;
        for word in described.split(' ').chain(["a word that is nowhere"]) {
            let query = Query::parse(&alloc::format!("\"{word}\"")).unwrap();
            let mut find = model.find(&query, FindWishes::default()).unwrap();
            let read = |offset: u64, length: u64| Ok::<_, ()>(&log[offset as usize..(offset + length) as usize]);
            assert_eq!(work(&mut find, &mut model, read), Ok(true));
            assert_eq!(find.total(), u64::from(described.contains(word)), "{word}");
        }
    }

    #[test]
    fn a_text_has_all_words_of_its_pattern() {
        let of = |tag| word(tag, Prepared::Said(Pattern::plain("marker timeout")));
        let all = [UserMsg::TAG, UserMarker::TAG, LogMsg::TAG, InternString::TAG, ProgramArgs::TAG];
        assert_eq!(all.map(of), all.map(|_| Some("timeout".into())));
    }

    #[test]
    fn capitals_do_not_matter() {
        let mut words = WordsInTexts::default();
        let test = Prepared::Text(Pattern::plain("Timeout"));
        let place = words.add_for(UserMsg::TAG, [&test].into_iter(), &[]).unwrap();
        assert!(words.is_in(place, b"a TIMEOUT") && !words.is_in(place, b"a timeou"));
    }
}
