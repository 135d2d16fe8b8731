//! Finds a plain text in another one.

/// Whether a text has a part, or is the part if it is about the `whole` text. `folds`: capitals are as good as small letters.
pub(super) fn plain(part: &[u8], text: &[u8], folds: bool, whole: bool) -> bool {
    let is_it = |here: &[u8]| if folds { here.eq_ignore_ascii_case(part) } else { here == part };
    if whole {
        return is_it(text);
    }
    let Some(last) = text.len().checked_sub(part.len()) else { return false };
    let Some(first) = part.first() else { return true };
    // Most places differ in their first letter.
    let starts = text.get(..=last).unwrap_or_default().iter().enumerate();
    let mut starts = starts.filter(|(_, letter)| (**letter ^ first) & !0x20 == 0);
    starts.any(|(at, _)| text.get(at..at + part.len()).is_some_and(is_it))
}
