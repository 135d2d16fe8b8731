//! Texts that are longer than their room lose their middle: those that begin alike differ at the end.
//!
//! ```text
//! Data.Very.Very.Very.Very.One    Data.Very.Ve…y.One
//! Data.Very.Very.Very.Very.Two    Data.Very.Ve…y.Two
//! ```

use alloc::string::String;

/// What to leave out of a text, so that with a `…` in its place no more than `most` bytes are left: from one place in the text to
/// another, both between two letters. `None` if the text is short enough. Twice as much is left before it as after it.
#[must_use]
pub fn middle(text: &str, most: usize) -> Option<(usize, usize)> {
    (text.len() > most).then(|| {
        let stays = most.saturating_sub('…'.len_utf8());
        let tail = stays / 3;
        (text.floor_char_boundary(stays - tail), text.ceil_char_boundary(text.len() - tail))
    })
}

/// A text of at most `most` letters: a longer one loses its middle.
#[must_use]
pub fn shortened(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.into();
    }
    let stays = most.saturating_sub(1);
    let tail = stays / 3;
    let (head, tail) = (text.chars().take(stays - tail), text.chars().skip(count - tail));
    head.chain(['…']).chain(tail).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn texts_are_cut_between_letters() {
        for letter in ['ö', '☃', '🦀'] {
            for before in 0..4 {
                let text = "x".repeat(before) + &letter.to_string().repeat(200) + "the end";
                let (head, tail) = middle(&text, 240).unwrap();
                let (head, tail) = (text.get(..head).unwrap(), text.get(tail..).unwrap());
                assert!(head.len() > tail.len() && tail.ends_with("the end"), "{head} and {tail}");
                assert!((240 - 6..=240).contains(&(head.len() + '…'.len_utf8() + tail.len())), "{head} and {tail}");
            }
        }
        assert_eq!((middle("short", 5), middle("", 0)), (None, None));
    }

    #[test]
    fn names_that_begin_alike_differ() {
        let name = |end: &str| "Data.Very.Very.Very.Very.".to_string() + end;
        assert_eq!(["One", "Two"].map(|end| shortened(&name(end), 18)), ["Data.Very.Ve…y.One", "Data.Very.Ve…y.Two"]);
        assert_eq!([0, 1, 2, 4, 5].map(|most| shortened("abcde", most)), ["…", "…", "a…", "ab…e", "abcde"]);
        assert_eq!(shortened("äöüßéàç", 6), "äöüß…ç");
    }
}
