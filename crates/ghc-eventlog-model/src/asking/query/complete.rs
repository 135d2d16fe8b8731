//! Completions of a query that is being typed.

use super::{parse::NAMES, pattern::quoted, types};
use crate::{
    known::Known,
    limits,
    reading::model::Model,
    terms::grouped::{THIN, grouped},
    terms::small_letters::small_letters,
};
use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use ghc_eventlog_text::LogText;

/// Completions at a cursor in a query.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Completions {
    /// Where the word begins that is being typed, in bytes.
    pub from: usize,
    /// Where the cursor is: a completion replaces what is between the two.
    pub to: usize,
    /// The best first: at most [`limits::MAX_COMPLETIONS`].
    pub list: Vec<Completion>,
}

/// A completion: a word that replaces the one being typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The whole word.
    pub text: LogText<'static>,
    /// What it is.
    pub about: LogText<'static>,
}

impl Model {
    /// The completions at a cursor, which is `cursor` bytes after the query's begin.
    #[must_use]
    pub fn complete(&self, query: &str, cursor: usize) -> Completions {
        let to = query.floor_char_boundary(cursor);
        let from = begin_of_word(query.get(..to).unwrap_or_default());
        let word = query.get(from..to).unwrap_or_default();
        let (minus, word) = word.strip_prefix('-').map_or(("", word), |word| ("-", word));
        let mut list = Vec::new();
        if let Some((name, value)) = word.split_once(':') {
            self.known.values(name, value.trim_start_matches('"'), &mut list);
        } else if !word.starts_with(['"', '/']) {
            for name in NAMES.iter().filter(|name| begins(name.name, word)) {
                add(&mut list, format!("{}:", name.name), name.expects);
            }
            if !word.is_empty() {
                self.known.values("type", word, &mut list);
                self.known.values("label", word, &mut list);
            }
        }
        list.truncate(limits::MAX_COMPLETIONS);
        let list = list.into_iter().map(|(text, about)| Completion { text: format!("{minus}{text}").into(), about });
        Completions { from, to, list: list.collect() }
    }
}

/// Where the last word begins; blanks within quotes and expressions do not end it.
fn begin_of_word(text: &str) -> usize {
    let (mut begin, mut inside, mut before) = (0, None, ' ');
    for (at, letter) in text.char_indices() {
        match inside {
            Some(mark) if letter == mark && before != '\\' => inside = None,
            Some(_) => {}
            None if letter.is_whitespace() => begin = at + letter.len_utf8(),
            None if matches!(letter, '"' | '/') && (before.is_whitespace() || matches!(before, ':' | '=' | '-')) => {
                inside = Some(letter);
            }
            None => {}
        }
        before = letter;
    }
    begin
}

fn begins(name: &str, word: &str) -> bool {
    name.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word))
}

type FoundWords = Vec<(String, LogText<'static>)>;

fn add(list: &mut FoundWords, text: String, about: &str) {
    let is_new = list.iter().all(|(other, _)| *other != text);
    if is_new && list.len() < limits::MAX_COMPLETIONS {
        list.push((text, LogText::from(about).into_owned()));
    }
}

impl Known {
    /// Adds completions of a condition's value, of which `begin` has been typed.
    fn values(&self, name: &str, begin: &str, list: &mut FoundWords) {
        let lower = small_letters(begin);
        let has = |text: &str| small_letters(text).contains(&lower);
        match name.to_ascii_lowercase().as_str() {
            "type" => {
                for (word, about) in types::words().filter(|(word, _)| begins(word, begin)) {
                    add(list, format!("type:{word}"), about);
                }
                let names = self.counts.iter().map(|(tag, count)| (self.type_name(tag), count));
                for (name, count) in names.filter(|(name, _)| has(name.for_comparing())) {
                    add(list, format!("type:{}", quoted(name.for_comparing())), &events(count));
                }
            }
            "thread" => {
                let threads = &self.stores.threads;
                for thread in threads.rows() {
                    let number = thread.id.0.to_string();
                    let label = threads.label_text(thread.id);
                    if label.is_some_and(has) && !begin.is_empty() || number.starts_with(begin) {
                        add(list, format!("thread:{number}"), label.unwrap_or("a thread"));
                    }
                    if list.len() >= limits::MAX_COMPLETIONS {
                        break;
                    }
                }
            }
            "cap" => {
                for (cap, _) in self.caps.lanes().filter(|(cap, _)| cap.0.to_string().starts_with(begin)) {
                    add(list, format!("cap:{}", cap.0), "a capability");
                }
            }
            "label" => {
                let labels = self.stores.messages.labels.all_texts();
                labels
                    .filter(|label| has(label))
                    .for_each(|label| add(list, format!("label:{}", quoted(label)), "spans"));
                let threads = &self.stores.threads;
                let of_threads = threads.rows().iter().filter_map(|thread| threads.label_text(thread.id));
                let of_threads = of_threads.filter(|label| has(label)).take(limits::MAX_COMPLETIONS);
                of_threads.for_each(|label| add(list, format!("label:{}", quoted(label)), "threads"));
            }
            _ => {}
        }
    }
}

/// A number of events, in words.
pub(crate) fn events(count: u64) -> String {
    format!("{} event{}", grouped(count, THIN), if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ghc_eventlog::{Block, CapNo, LogWriter, Nanos, RunThread, Text, ThreadId, ThreadLabel, UserMsg};

    fn completed(query: &str) -> Vec<String> {
        let mut log = LogWriter::new();
        log.block(Block::of(CapNo(3)), |block| {
            block.event(Nanos(1), ThreadLabel { thread: ThreadId(12), label: Text(b"main loop") });
            block.event(Nanos(2), RunThread { thread: ThreadId(12) });
            block.event(Nanos(3), UserMsg { text: Text(b"START request") });
        });
        let mut model = Model::new();
        model.feed(&log.finish());
        model.finish();
        let completions = model.complete(query, query.len());
        let written = |of: &Completion| format!("{}{}", &query[..completions.from], of.text.for_comparing());
        completions.list.iter().map(written).collect()
    }

    #[test]
    fn words_are_completed() {
        assert_eq!(completed("lo"), ["longer:", "label:\"main loop\""]);
        assert_eq!(completed("a -thr"), ["a -thread:", "a -type:thread", "a -type:RUN_THREAD", "a -type:THREAD_LABEL"]);
        assert_eq!(completed("type:run"), ["type:run", "type:RUN_THREAD"]);
        assert_eq!(completed("thread:ma"), ["thread:12"]);
        assert_eq!(completed("x label:Re"), ["x label:request"]);
        assert_eq!(completed("label:\"main l"), ["label:\"main loop\""]);
        assert_eq!(completed("cap:"), ["cap:3"]);
        assert_eq!(completed("\"thr"), [""; 0]);
        assert!(completed("").len() >= NAMES.len());
    }
}
