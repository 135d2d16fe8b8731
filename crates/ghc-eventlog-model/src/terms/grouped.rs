//! Counts with their digits in groups of three.

use alloc::string::{String, ToString};

/// What is between the groups on the page: a narrow space at which no line breaks, as in `web/js/format.js`.
pub(crate) const THIN: &str = "\u{202f}";

/// A count, with a mark between groups of its digits.
pub(crate) fn grouped(count: u64, mark: &str) -> String {
    let digits = count.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out += mark;
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_counted_from_the_end() {
        let text = [0, 999, 1000, 20_008, 1_234_567].map(|count| grouped(count, ","));
        assert_eq!(text, ["0", "999", "1,000", "20,008", "1,234,567"]);
    }
}
