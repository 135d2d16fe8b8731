//! Texts in small letters, to compare them.

use alloc::string::String;

/// A text in small letters, each letter by itself: `str::to_lowercase` writes a Σ at the end of a word otherwise than in its middle, and so a
/// word would not be found in a longer one.
pub(crate) fn small_letters(text: &str) -> String {
    if text.is_ascii() { text.to_ascii_lowercase() } else { text.chars().flat_map(char::to_lowercase).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_letter_becomes_small_wherever_it_stands() {
        assert_eq!(["Ab C", "ÄΣ", "ΟΔΟΣ", "\u{130}"].map(small_letters), ["ab c", "äσ", "οδοσ", "i\u{307}"]);
    }
}
