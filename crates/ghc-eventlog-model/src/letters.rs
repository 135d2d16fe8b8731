//! Texts in small letters, for finding one in another whatever its case, and for sorting.
//!
//! The library knows the letters of all scripts; what it takes for that is a thirtieth of all that the page loads. Here are Latin, Greek,
//! Cyrillic and Armenian ones, which are nearly all that have two cases.

use alloc::string::String;

/// Where a text has another in it first. The library's way is better for long texts, and a hundredth of all that the page loads.
pub(crate) fn find(text: &str, wanted: &str) -> Option<usize> {
    let (text, wanted) = (text.as_bytes(), wanted.as_bytes());
    (0..=text.len().checked_sub(wanted.len())?).find(|at| text.get(*at..).is_some_and(|rest| rest.starts_with(wanted)))
}

/// A text in small letters.
pub(crate) fn small(text: &str) -> String {
    text.chars().map(small_letter).collect()
}

/// A letter as a small one; itself if it is one, or none.
fn small_letter(letter: char) -> char {
    let code = u32::from(letter);
    let small = match code {
        // A block of capitals, and then the small ones.
        0x41..=0x5a | 0xc0..=0xd6 | 0xd8..=0xde | 0x391..=0x3a1 | 0x3a3..=0x3ab | 0x410..=0x42f => code + 0x20,
        0x386 => code + 38,
        0x388..=0x38a => code + 37,
        0x38c => code + 64,
        0x38e..=0x38f => code + 63,
        0x400..=0x40f => code + 0x50,
        0x531..=0x556 => code + 0x30,
        0x178 => 0xff,
        0x1e9e => 0xdf,
        // In turns: a capital, then its small one.
        0x139..=0x148 | 0x179..=0x17e | 0x4c1..=0x4ce => code + code % 2,
        0x100..=0x12f | 0x132..=0x137 | 0x14a..=0x177 | 0x1de..=0x1ef | 0x1f8..=0x21f | 0x222..=0x233 => code | 1,
        0x3d8..=0x3ef | 0x460..=0x481 | 0x48a..=0x4bf | 0x4d0..=0x52f | 0x1e00..=0x1e95 | 0x1ea0..=0x1eff => code | 1,
        _ => code,
    };
    char::from_u32(small).unwrap_or(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_where_the_library_finds_it() {
        for text in ["", "a", "aab", "abaab", "żółw łów", "日本日"] {
            for wanted in ["", "a", "ab", "aab", "abaabb", "ł", "ów", "本日", "µ"] {
                assert_eq!(find(text, wanted), text.find(wanted), "{wanted} in {text}");
            }
        }
    }

    #[test]
    fn letters_are_those_of_the_library() {
        for text in ["Worker", "ÀÉÎÕÜ Ÿ ß", "ŁÓDŹ Żółw Ğ", "ΆΈΌΏ ΑΩΣ", "ЁЖЯ Ђ Ѡ Ӂ", "ԱՖ", "Ḁ Ẁ Ạ ẞ", "日本 12 µ"]
        {
            // But for sigmas at the end of words.
            assert_eq!(small(text), text.to_lowercase().replace('ς', "σ"), "{text}");
        }
        for letter in (0..0x2000).filter_map(char::from_u32) {
            let small = small_letter(letter);
            assert!(small == letter || letter.to_lowercase().eq([small]), "{letter}: {small}");
        }
    }
}
