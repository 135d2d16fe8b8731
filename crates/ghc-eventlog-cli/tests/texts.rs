//! Texts of a log are harmless in every kind of output. The test prints a log with every event that has a text through
//! every output, and checks each output by the rule for its kind.

#![allow(clippy::unwrap_used, reason = "that is how tests fail")]

use conformance::{
    decode_in_steps,
    hostile_texts::{FIELDS, fields_of_table, hostile, log},
};
use ghc_eventlog_text::{Style, line};
use serde_json::Value as Json;
use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

/// A file name that is hostile, too.
const NAME: &str = "=evil\u{202e} `x` <b>#1 @octocat\u{9b}.eventlog";

/// A one-file viewer with everything that the report needs.
const VIEWER: &str = "<!doctype html><meta content=\"default-src 'none'; script-src 'none'\">\
<title><!--title-->viewer<!--/title--></title><main><!--report-->none<!--/report--></main><!--logs--><!--/logs-->\
<script type=\"application/json\" id=\"viewer-palette\">{\"running\":\"#123456\"}</script>";

/// Parts of the log's texts that must not become markup.
const OF_THE_LOG: [&str; 8] = ["octocat", "evil", "script", "0123456789abcdef", "cmd()", "word", "](x)", "\\u"];

fn plain(n: usize) -> String {
    format!("plain {}", "x".repeat(n))
}

/// The output of a command for a log.
fn said(folder: &Path, arguments: &[&str], log: &[u8]) -> Vec<u8> {
    fs::write(folder.join(NAME), log).unwrap();
    let program =
        Command::new(env!("CARGO_BIN_EXE_ghc-eventlog")).args(arguments).arg(NAME).current_dir(folder).output();
    let Output { status, stdout, stderr } = program.unwrap();
    let stderr = String::from_utf8(stderr).unwrap();
    // One text is in a field that expects a number (IPE closure_type), which is a loss.
    assert!(
        status.code().is_some_and(|code| code < 2) && !stderr.chars().any(|letter| hides(letter) && letter != '\n'),
        "{arguments:?}: {stderr}"
    );
    stdout
}

/// The same for the hostile log.
fn of_hostile(arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    String::from_utf8(said(folder.path(), arguments, &log(hostile))).unwrap()
}

/// The test's own list of hidden characters: control characters, direction marks, zero-width characters, line ends.
fn hides(letter: char) -> bool {
    let others = "\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}\u{200b}\u{200e}\u{200f}\u{2028}\u{2029}\u{e0041}";
    letter.is_control() || others.contains(letter)
}

/// Checks that a text has no hidden characters, except those of the format itself.
fn assert_visible(text: &str, but: &[char], what: &str) {
    let hidden = text.chars().position(|letter| hides(letter) && !but.contains(&letter));
    let around = |at: usize| text.chars().skip(at.saturating_sub(40)).take(80).collect::<String>();
    assert_eq!(hidden.map(around), None, "{what}");
}

#[test]
fn the_log_has_every_event_that_has_a_text() {
    assert_eq!(fields_of_table(), FIELDS, "a new field with a text: see that each output escapes it, then list it");
    let folder = tempfile::tempdir().unwrap();
    let dump = String::from_utf8_lossy(&said(folder.path(), &["show"], &log(hostile))).into_owned();
    assert!(dump.contains("\x1b[2J") && dump.contains('\u{202e}'), "in a pipe, bytes stay as they are");
    let decoded = decode_in_steps(&log(hostile), 1 << 16, |_, record| record.tag);
    let is_there = |field: &str| {
        let name = field.split(' ').next();
        decoded.events.iter().any(|tag| ghc_eventlog::info(*tag).map(|info| info.name) == name)
    };
    assert!(FIELDS.iter().all(|field| is_there(field)) && decoded.notices.is_empty() && decoded.error.is_none());
}

#[test]
fn text_is_safe_on_a_terminal() {
    for arguments in [&["summary", "--env"][..], &["summary", "--range", "0..1s"], &["check"]] {
        let text = of_hostile(arguments);
        assert_visible(&text, &['\n'], &format!("{arguments:?}"));
        assert!(text.contains("word") || arguments == ["check"], "{text}");
    }
}

#[test]
fn on_a_terminal_an_event_is_a_line() {
    let style = Style { visible: true, ..Style::default() };
    let decoded = decode_in_steps(&log(hostile), 1 << 16, |decoder, record| {
        let mut text = Vec::new();
        let _ = line(&mut text, &record, decoder.header(), style);
        (record.is_block_marker(), String::from_utf8(text).unwrap())
    });
    for (is_block_marker, text) in decoded.events {
        let lines = if is_block_marker { 2 } else { 1 };
        assert!(text.ends_with('\n') && text.matches('\n').count() == lines, "{text:?}");
        assert_visible(&text, &['\n'], "show");
    }
}

/// `show` and `inc` with a pseudo terminal as standard output.
#[cfg(unix)]
#[test]
fn show_and_inc_know_a_terminal() {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use std::{fs::File, io::Read, thread};
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(NAME), log(hostile)).unwrap();
    for arguments in [&["show"][..], &["show", "caps"], &["show", "threads"], &["inc"]] {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&ours).unwrap();
        unlockpt(&ours).unwrap();
        let name = ptsname(&ours, Vec::new()).unwrap();
        let theirs = File::options().read(true).write(true).open(Path::new(name.to_str().unwrap())).unwrap();
        let reader = thread::spawn(move || {
            let (mut said, mut ours) = (Vec::new(), File::from(ours));
            // A pseudo terminal that no program has open any more gives an error.
            let _ = ours.read_to_end(&mut said);
            said
        });
        let mut program = Command::new(env!("CARGO_BIN_EXE_ghc-eventlog"));
        program.args(arguments).arg(NAME).current_dir(folder.path()).stdout(theirs);
        assert!(program.status().unwrap().code().is_some_and(|code| code < 2), "{arguments:?}");
        drop(program);
        let said = String::from_utf8(reader.join().unwrap()).unwrap();
        // The terminal itself puts a carriage return before each line end.
        let said = said.replace("\r\n", "\n");
        assert!(said.contains("\\u{1b}[2J"), "{arguments:?}: {said}");
        assert_visible(&said, &['\n'], &format!("{arguments:?}"));
    }
}

/// Whether some JSON has a text in one of its strings.
fn has(json: &Json, wanted: &str) -> bool {
    match json {
        Json::String(text) => text.contains(wanted),
        Json::Array(items) => items.iter().any(|item| has(item, wanted)),
        Json::Object(items) => items.values().any(|item| has(item, wanted)),
        _ => false,
    }
}

#[test]
fn json_says_what_the_log_has() {
    for arguments in [
        &["summary", "--json", "--env"][..],
        &["summary", "--json", "--range", "0..1s"],
        &["check", "--json"],
        &["export", "--format", "speedscope"],
    ] {
        let text = of_hostile(arguments);
        assert_visible(&text, &['\n'], &format!("{arguments:?}"));
        let json: Json = serde_json::from_str(&text).unwrap();
        assert!(has(&json, "\x1b[2J\x07\x7f\u{9b}31m\u{202e}"), "{arguments:?}: the text itself, once parsed");
    }
}

/// A line of Markdown without its code spans. In a table, bars within them must be escaped.
fn outside_code(line: &str) -> String {
    let runs = |from: usize| line[from..].find('`').map(|at| from + at);
    let length = |from: usize| line[from..].len() - line[from..].trim_start_matches('`').len();
    let (mut out, mut from) = (String::new(), 0);
    while let Some(open) = runs(from) {
        let fence = length(open);
        if line[..open].ends_with('\\') {
            out += &line[from..open + 1];
            from = open + 1;
            continue;
        }
        out += &line[from..open];
        let mut at = open + fence;
        let close = loop {
            let found = runs(at).unwrap_or_else(|| panic!("a code span that does not end: {line}"));
            if length(found) == fence {
                break found;
            }
            at = found + length(found);
        };
        let code = &line[open + fence..close];
        for (bar, _) in code.match_indices('|').filter(|_| line.starts_with('|')) {
            let backslashes = code[..bar].len() - code[..bar].trim_end_matches('\\').len();
            // For all readers: some take two for an escaped backslash.
            assert_eq!(backslashes % 2, 1, "a bar that ends the cell: {line}");
        }
        from = close + fence;
    }
    out + &line[from..]
}

#[test]
fn in_markdown_text_is_code() {
    for arguments in [&["summary", "--markdown", "--env"][..], &["summary", "--markdown", "--range", "0..1s"]] {
        let text = of_hostile(arguments);
        assert_visible(&text, &['\n'], &format!("{arguments:?}"));
        assert!(text.contains("word"), "{text}");
        for line in text.lines().filter(|line| !line.starts_with("    ")) {
            let outside = outside_code(line);
            assert!(!OF_THE_LOG.iter().any(|part| outside.contains(part)), "{outside}");
        }
    }
}

/// The tags of some HTML with the names of their attributes, in order.
fn tags(html: &str) -> Vec<String> {
    html.split('<').skip(1).map(|rest| rest.split([' ', '>', '\n']).next().unwrap().to_string()).collect()
}

/// A report of a log.
fn report(text: fn(usize) -> String) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("viewer.html"), VIEWER).unwrap();
    said(folder.path(), &["report", "--env", "--viewer", "viewer.html", "-o", "report.html"], &log(text));
    fs::read_to_string(folder.path().join("report.html")).unwrap()
}

#[test]
fn in_html_text_is_no_markup() {
    let (hostile, plain) = (report(hostile), report(plain));
    assert_visible(&hostile, &['\n'], "report");
    // In the article, and in the pictures, whose titles are texts.
    assert!(hostile.matches("word").count() > 40 && hostile.contains("<svg") && hostile.contains("<title>"));
    let known: std::collections::BTreeSet<String> = tags(&plain).into_iter().collect();
    let found: std::collections::BTreeSet<String> = tags(&hostile).into_iter().collect();
    assert_eq!(found, known, "tags that a log of plain texts does not have");
    assert!(!hostile.contains("<script>alert") && !hostile.contains("<img") && !hostile.contains("href"));
    // Quotes do not end attributes.
    assert!(hostile.contains("&quot;&amp;'") || hostile.contains("&quot;&amp;&#39;"), "quotes are escaped");
}

/// The cells of comma-separated values (RFC 4180).
fn cells(csv: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut letters = csv.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => cell.extend(letters.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut cell)),
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell).trim_end_matches('\r').to_string());
                rows.push(std::mem::take(&mut row));
            }
            letter => cell.push(letter),
        }
    }
    rows
}

#[test]
fn no_cell_is_a_formula() {
    let (csv, tsv) = (of_hostile(&["export", "--format", "csv"]), of_hostile(&["export", "--format", "tsv"]));
    assert_visible(&csv, &['\r', '\n'], "csv");
    assert_visible(&tsv, &['\t', '\n'], "tsv");
    let by_tabs = tsv.lines().map(|line| line.split('\t').map(str::to_string).collect());
    for rows in [cells(&csv), by_tabs.collect::<Vec<Vec<String>>>()] {
        // The rows are a band for each label in each of three censuses, one for the stack, one label before all, and
        // the header.
        assert!(rows.len() > 3 * 9, "{rows:?}");
        assert!(rows.iter().all(|row| row.len() == 3), "{rows:?}");
        assert_eq!(rows.iter().flatten().find(|cell| cell.trim().starts_with(['=', '+', '-', '@', '\u{ff1d}'])), None);
        assert!(rows.iter().any(|row| row[1].starts_with("'=cmd()")), "{rows:?}");
    }
    assert!(!tsv.split(['\t', '\n']).any(|cell| cell.starts_with('"')), "a quote may join cells");
}

#[test]
fn names_are_valid_for_other_tools() {
    let hp = of_hostile(&["export", "--format", "hp"]);
    assert_visible(&hp, &['\t', '\n'], "hp");
    let is_band = |line: &&str| line.contains('\t');
    assert!(hp.lines().filter(is_band).count() > 3 * 9);
    for line in hp.lines().filter(is_band) {
        let (name, bytes) = line.split_once('\t').unwrap();
        assert!(!name.contains(char::is_whitespace) && bytes.parse::<u64>().is_ok(), "{line}");
    }
    let folded = of_hostile(&["export", "--format", "folded"]);
    assert_visible(&folded, &['\n'], "folded");
    assert!(folded.contains("word"));
    for line in folded.lines() {
        assert!(line.rsplit_once(' ').unwrap().1.parse::<u64>().is_ok(), "{line}");
    }
}
