//! The doors: the only functions that turn a text of a log into output, one for each kind of output.
//!
//! | door | what it does |
//! |---|---|
//! | [`for_terminal`](LogText::for_terminal) | makes control characters, and those that hide or reverse the text around them, visible: `\u{1b}` |
//! | [`for_html`](LogText::for_html) | the same; what writes HTML or SVG escapes markup |
//! | [`for_page`](LogText::for_page) | the same, as the page shows such characters: `␛`; it is put into the page as text |
//! | [`for_markdown`](LogText::for_markdown) | the same, in a code span: no markup, link, mention or commit in it |
//! | [`for_csv`](LogText::for_csv), [`for_tsv`](LogText::for_tsv) | the same, as a cell that no spreadsheet takes for a formula |
//! | [`for_json`](LogText::for_json) | nothing yet: [`safe_json`] escapes the finished JSON, which reads as before |
//! | [`for_folded`](LogText::for_folded), [`for_hp`](LogText::for_hp) | puts plain characters in place of those that part names and lines |
//!
//! `web/js/format.js` has `visible` for texts that do not come from wasm, such as file names.

use crate::{LogText, shortened};
use alloc::{
    borrow::{Cow, ToOwned},
    format,
    string::String,
    vec::Vec,
};
use core::fmt::{self, Write};

/// Whether a character controls a terminal, or hides or reverses the text around it: control characters (C0, DEL, C1),
/// soft hyphens, zero-width characters, direction marks, overrides and isolates, line and paragraph separators,
/// annotations, tags.
#[must_use]
pub const fn is_hidden(letter: char) -> bool {
    matches!(letter,
        '\0'..='\x1f' | '\x7f'..='\u{9f}' | '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// A text with its hidden characters made visible.
fn visible(text: &LogText<'_>) -> String {
    written(text, LogText::write_visible)
}

/// The output of a door.
fn written<'t>(text: &LogText<'t>, door: fn(&LogText<'t>, &mut String) -> fmt::Result) -> String {
    let mut out = String::with_capacity(text.for_comparing().len());
    // Writing into a string cannot fail.
    let _ = door(text, &mut out);
    out
}

/// A door that appends to its output.
pub type Door = fn(&LogText<'static>, &mut String) -> fmt::Result;

/// Writes a text with each hidden character replaced by `escape`.
fn write_escaped(text: &str, out: &mut String, escape: fn(char, &mut String) -> fmt::Result) -> fmt::Result {
    let mut rest = text;
    while let Some((before, after)) = rest.find(is_hidden).and_then(|at| rest.split_at_checked(at)) {
        out.push_str(before);
        let mut letters = after.chars();
        letters.next().map_or(Ok(()), |letter| escape(letter, out))?;
        rest = letters.as_str();
    }
    out.push_str(rest);
    Ok(())
}

impl LogText<'_> {
    /// Writes the text with its hidden characters escaped in the style of Rust: `\n`, `\u{1b}`, `\u{202e}`.
    ///
    /// # Errors
    /// None of its own: it returns those of `out`.
    pub fn write_visible(&self, out: &mut String) -> fmt::Result {
        write_escaped(self.for_comparing(), out, |letter, out| write!(out, "{}", letter.escape_default()))
    }

    /// Writes the text as the page shows it: control characters as pictures such as `␊`, others as numbers such as
    /// `\u202e`. `visible` in `web/js/format.js` does the same.
    ///
    /// # Errors
    /// As [`Self::write_visible`].
    pub fn write_for_page(&self, out: &mut String) -> fmt::Result {
        write_escaped(self.for_comparing(), out, |letter, out| match u32::from(letter) {
            code @ 0..0x20 => write!(out, "{}", char::from_u32(0x2400 + code).unwrap_or(letter)),
            code @ 0x20..=0xffff => write!(out, "\\u{code:04x}"),
            code => write!(out, "\\u{{{code:x}}}"),
        })
    }

    /// For a terminal, or a line of a text file.
    #[must_use]
    pub fn for_terminal(&self) -> String {
        visible(self)
    }

    /// For a listing of events that has texts as the reference prints them, byte for byte. Where it goes to a terminal, they must have
    /// been written with [`visible`](crate::Style::visible).
    pub fn write_as_listed(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.for_comparing().as_bytes());
    }

    /// For HTML and SVG, by a writer that escapes markup.
    #[must_use]
    pub fn for_html(&self) -> String {
        visible(self)
    }

    /// For the page, which shows it as text. When the page sends a name back, it sends this text.
    #[must_use]
    pub fn for_page(&self) -> String {
        written(self, LogText::write_for_page)
    }

    /// For a JSON serializer: the text itself, so that programs read what the log has. Pass the finished JSON through
    /// [`safe_json`].
    #[must_use]
    pub fn for_json(&self) -> String {
        self.for_comparing().to_owned()
    }

    /// For Markdown, on a line or in a table cell: as code, since sites do not look for markup, addresses, mentions,
    /// issue numbers or commits in code. Plain words and small numbers need no code.
    #[must_use]
    pub fn for_markdown(&self) -> String {
        let text = self.for_comparing();
        if is_plain(text) {
            return text.to_owned();
        }
        let (mut inside, mut backslashes) = (String::with_capacity(text.len()), 0);
        let (mut longest, mut run) = (0, 0);
        for letter in visible(self).chars() {
            run = if letter == '`' { run + 1 } else { 0 };
            longest = longest.max(run);
            if letter == '|' {
                // In a table, the pipe is the one character with a meaning within code. Some readers take two
                // backslashes before it for an escaped backslash, so their number must be odd.
                inside.push_str(if backslashes % 2 == 0 { "\\" } else { "\\\\" });
            }
            backslashes = if letter == '\\' { backslashes + 1 } else { 0 };
            inside.push(letter);
        }
        if inside.trim().is_empty() {
            return String::new();
        }
        let fence = "`".repeat(longest + 1);
        // A backtick at either end would make the fence longer.
        let apart = if longest > 0 { " " } else { "" };
        format!("{fence}{apart}{inside}{apart}{fence}")
    }

    /// For a cell of comma-separated values (RFC 4180): in quotes where it must be, and never a [formula](is_formula).
    #[must_use]
    pub fn for_csv(&self) -> String {
        let cell = defused(visible(self));
        // Some spreadsheets separate cells by semicolons.
        if cell.contains([',', ';', '"']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell }
    }

    /// For a cell of tab-separated values: never a [formula](is_formula), and never the start of a quoted cell.
    #[must_use]
    pub fn for_tsv(&self) -> String {
        let cell = defused(visible(self));
        if cell.trim_start().starts_with('"') { format!("'{cell}") } else { cell }
    }

    /// For a name in folded stacks: without the characters that separate names and lines.
    #[must_use]
    pub fn for_folded(&self) -> String {
        let plain = |letter| match letter {
            ';' => ':',
            letter if is_hidden(letter) => ' ',
            letter => letter,
        };
        if self.is_empty() { "_".to_owned() } else { self.for_comparing().chars().map(plain).collect() }
    }

    /// For a name in a `.hp` file, where the first space ends it. hp2ps misreads a name that is empty or begins with a
    /// quote, and has room for 5000 bytes of a line.
    #[must_use]
    pub fn for_hp(&self) -> String {
        const MOST_LETTERS: usize = 1000;
        const WORDS: [&str; 8] =
            ["BEGIN_SAMPLE", "END_SAMPLE", "JOB", "DATE", "SAMPLE_UNIT", "VALUE_UNIT", "MARK", "SAMPLE"];
        let name = self.for_comparing();
        let is_none = name.is_empty() || name.starts_with('"') || WORDS.contains(&name);
        let plain = |letter: char| if letter.is_whitespace() || is_hidden(letter) { '_' } else { letter };
        let written: String = is_none.then_some('_').into_iter().chain(name.chars().map(plain)).collect();
        shortened(&written, MOST_LETTERS)
    }

    /// For a quoted value in the head of a `.hp` file, which has no escapes.
    #[must_use]
    pub fn for_hp_head(&self) -> String {
        let plain = |letter| if letter == '"' || is_hidden(letter) { '\'' } else { letter };
        self.for_comparing().chars().map(plain).collect()
    }
}

/// Whether the text is only words and small numbers, which no site takes for anything else. Seven or more hexadecimal
/// digits in a row could be a commit.
fn is_plain(text: &str) -> bool {
    let is_commit = |word: &str| word.len() >= 7 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_words = text.chars().all(|letter| letter.is_ascii_alphabetic() || letter == ' ');
    let is_number = text.len() < 7 && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number || is_words && !text.split(' ').any(is_commit)
}

/// Whether a spreadsheet may take a cell for a formula: it begins with `=`, `+`, `-` or `@`, in full width too, after any spaces.
#[must_use]
pub fn is_formula(cell: &str) -> bool {
    let signs = ['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}', '\t', '\r'];
    cell.trim_start_matches(char::is_whitespace).starts_with(signs)
}

/// The cell, with an apostrophe before it if it would be a formula: spreadsheets take that for a text.
fn defused(cell: String) -> String {
    if is_formula(&cell) { format!("'{cell}") } else { cell }
}

/// The same JSON with the hidden characters in its strings written as `\u009b`. Outside of strings, JSON has only line
/// ends and spaces.
#[must_use]
pub fn safe_json(json: &str) -> Cow<'_, str> {
    let escapes = |letter: char| is_hidden(letter) && !matches!(letter, '\n' | '\r' | '\t');
    if !json.contains(escapes) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len() + 64);
    for letter in json.chars() {
        if escapes(letter) {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                // Writing into a string cannot fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(letter);
        }
    }
    Cow::Owned(out)
}

/// Escapes the hidden characters of `out` from the index `from` on: a line without its line end.
pub(crate) fn make_visible(out: &mut Vec<u8>, from: usize) {
    let Some(line) = out.get(from..) else { return };
    let is_harmless = line.iter().all(|byte| matches!(byte, b' '..=b'~'));
    if !is_harmless {
        let line = LogText::of_bytes(line).for_terminal();
        out.truncate(from);
        out.extend_from_slice(line.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> LogText<'_> {
        text.into()
    }

    #[test]
    fn hidden_characters_become_visible_on_a_terminal() {
        let bytes: [&[u8]; 4] =
            ["übung 1.eventlog".as_bytes(), b"a\nb\x1b[2J", "gpj\u{202e}.exe\u{9b}1m".as_bytes(), b"a\xff\xc3.log"];
        let expected = ["übung 1.eventlog", "a\\nb\\u{1b}[2J", "gpj\\u{202e}.exe\\u{9b}1m", "a\\xff\\xc3.log"];
        assert_eq!(bytes.map(|bytes| LogText::of_bytes(bytes).for_terminal()), expected);
    }

    #[test]
    fn hidden_characters_become_visible_in_the_page() {
        let shown =
            ["two\nlines\0", "\u{7f}\u{9b}", "a\u{202e}b", "\u{e0041}", "plain ä"].map(|of| text(of).for_page());
        assert_eq!(shown, ["two␊lines␀", "\\u007f\\u009b", "a\\u202eb", "\\u{e0041}", "plain ä"]);
    }

    #[test]
    fn every_control_and_format_character_is_hidden() {
        for letter in ('\0'..=char::MAX).filter(|letter| letter.is_control()) {
            assert!(is_hidden(letter), "{letter:?}");
        }
        // Overrides, isolates, direction marks, zero-width characters, separators.
        for letter in
            "\u{202a}\u{202e}\u{2066}\u{2069}\u{200e}\u{200f}\u{61c}\u{200b}\u{200d}\u{feff}\u{2028}\u{2029}".chars()
        {
            assert!(is_hidden(letter), "{letter:?}");
        }
        assert!(!"azAZ09 \u{a0}äλ中😀…".chars().any(is_hidden));
    }

    #[test]
    fn in_markdown_a_text_is_code_and_cannot_end_it_early() {
        let code = |of: &str| text(of).for_markdown();
        assert_eq!(code("@everyone #1 <b>https://x.y\n"), "`@everyone #1 <b>https://x.y\\n`");
        assert_eq!(code("`x` and ``y"), "``` `x` and ``y ```");
        assert_eq!([code("minor GC"), code("16055"), code("\t")].concat(), "minor GC16055`\\t`");
        assert_eq!([code("1234567"), code("deadbeef"), code("faced")], ["`1234567`", "`deadbeef`", "faced"], "commits");
        assert_eq!(code("a\u{9b}\u{202e}b"), "`a\\u{9b}\\u{202e}b`");
        // The pipe is escaped, whichever way a reader counts backslashes.
        assert_eq!([code("a|b"), code("a\\|b"), code("a\\\\|b")], ["`a\\|b`", "`a\\\\\\|b`", "`a\\\\\\|b`"]);
    }

    #[test]
    fn no_cell_is_a_formula() {
        let cells =
            ["=cmd()", "+1", "-1", "@x", "\t=x", "\r=x", " =x", "\u{ff1d}x", "a\tb", "\"=1\"", "a,b;c", "plain"];
        let tsv = [
            "'=cmd()",
            "'+1",
            "'-1",
            "'@x",
            "\\t=x",
            "\\r=x",
            "' =x",
            "'\u{ff1d}x",
            "a\\tb",
            "'\"=1\"",
            "a,b;c",
            "plain",
        ];
        assert_eq!(cells.map(|cell| text(cell).for_tsv()), tsv);
        let csv = [
            "'=cmd()",
            "'+1",
            "'-1",
            "'@x",
            "\\t=x",
            "\\r=x",
            "' =x",
            "'\u{ff1d}x",
            "a\\tb",
            "\"\"\"=1\"\"\"",
            "\"a,b;c\"",
            "plain",
        ];
        assert_eq!(cells.map(|cell| text(cell).for_csv()), csv);
    }

    #[test]
    fn json_means_the_same_without_hidden_characters() {
        assert_eq!(
            safe_json("{\n\t\"a\": \"\u{9b}\u{202e}\u{e0001}\u{7f}ä\"\r\n}"),
            "{\n\t\"a\": \"\\u009b\\u202e\\udb40\\udc01\\u007fä\"\r\n}"
        );
        assert!(matches!(safe_json("{\"a\": 1}\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn names_are_valid_for_other_tools() {
        let hp = ["Map k v", "", "\"x", "MARK", "MARKS", "a\tb\u{202e}"].map(|name| text(name).for_hp());
        assert_eq!(hp, ["Map_k_v", "_", "_\"x", "_MARK", "MARKS", "a_b_"]);
        let long = text(&("x".repeat(2000) + "end")).for_hp();
        assert_eq!((long.chars().count(), long.ends_with("xend")), (1000, true));
        assert_eq!(["a;b\nc\u{202e}", ""].map(|name| text(name).for_folded()), ["a:b c ", "_"]);
        assert_eq!(text("\"a\"\u{9b}").for_hp_head(), "'a''");
    }

    #[test]
    fn a_long_text_is_cut() {
        let texts = ["abcdefghi", "abcdefghij", "abcdeäghij"];
        assert_eq!(texts.map(|long| text(long).cut(9).for_terminal()), ["abcdefghi", "abcd…ij", "abcd…ij"]);
    }
}
