//! The logs in large and odd zip archives are found, with few reads.

#![allow(missing_docs, clippy::unwrap_used, reason = "that is how tests fail")]

mod stored;

use ghc_eventlog_unpack::{Archive, MOST_PEEKS};
use std::io::{Cursor, Read, Write};
use stored::File;
use zip::{ZipWriter, write::SimpleFileOptions};

const LOG: &[u8] = b"hdrb and what else there is of a log";
const OTHER: &[u8] = b"something else, and longer than the log is";

fn archive(entries: impl IntoIterator<Item = (String, Vec<u8>)>) -> File {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        writer.start_file(name, SimpleFileOptions::default()).unwrap();
        writer.write_all(&bytes).unwrap();
    }
    File::new(writer.finish().unwrap().get_ref())
}

fn small(count: usize) -> impl Iterator<Item = (String, Vec<u8>)> {
    (0..count).map(|at| (format!("folder/{at:05}.o"), OTHER.repeat(at % 3)))
}

fn names(file: &File) -> Vec<String> {
    Archive::open(file_again(file)).unwrap().logs().into_iter().map(|log| log.name).collect()
}

fn file_again(file: &File) -> File {
    ghc_eventlog_unpack::Stored::again(file).unwrap()
}

#[test]
fn a_log_among_40_000_small_files_is_found_and_few_entries_are_read() {
    let log = ("build/prog.eventlog".to_string(), LOG.to_vec());
    let file = archive(small(20_000).chain([log]).chain((20_000..40_000).map(|at| (format!("{at}.hi"), vec![7; 30]))));
    let mut archive = Archive::open(file_again(&file)).unwrap();
    let directory = file.reads.get();
    let logs = archive.logs();
    assert_eq!(logs.iter().map(|log| &*log.name).collect::<Vec<_>>(), ["build/prog.eventlog"]);
    let peeks = file.reads.get() - directory;
    assert!(peeks <= 6 * MOST_PEEKS, "{peeks} reads");
    let mut bytes = Vec::new();
    archive.unpack(logs[0].index).unwrap().read_to_end(&mut bytes).unwrap();
    assert_eq!(bytes, LOG);
    // The directory is read in large pieces, since each read takes half a millisecond in a browser.
    assert!(directory < 100, "{directory} reads");
}

#[test]
fn without_a_log_by_name_only_the_likeliest_entries_are_read() {
    let file = archive(small(40_000).chain([("prog.bin".to_string(), LOG.repeat(9))]));
    let mut archive = Archive::open(file_again(&file)).unwrap();
    let directory = file.reads.get();
    assert_eq!(archive.logs().iter().map(|log| &*log.name).collect::<Vec<_>>(), ["prog.bin"]);
    let peeks = file.reads.get() - directory;
    assert!(peeks > 0 && peeks <= 6 * MOST_PEEKS, "{peeks} reads");
}

#[test]
fn a_name_with_eventlog_in_it_is_likelier_than_a_large_file() {
    let large = (0..500).map(|at| (format!("{at}.bin"), vec![1; 2000]));
    let file = archive(large.chain([("prog.eventlog.1".to_string(), LOG.to_vec())]));
    assert_eq!(names(&file), ["prog.eventlog.1"]);
}

#[test]
fn a_search_in_steps_finds_the_same_logs() {
    let mut entries: Vec<_> = small(300).collect();
    entries[10].1 = LOG.repeat(50);
    entries[200].1 = LOG.repeat(70);
    let file = archive(entries);
    let mut archive = Archive::open(file_again(&file)).unwrap();
    let mut search = archive.search();
    let mut steps = 1;
    while !search.step(&mut archive, 7) {
        steps += 1;
    }
    assert_eq!(steps, MOST_PEEKS.div_ceil(7));
    assert_eq!(search.found, [10, 200]);
    assert_eq!(names(&file).len(), 2);
}

#[test]
fn all_of_thousands_of_logs_are_found_by_name_without_reading_one() {
    let file = archive((0..5000).map(|at| (format!("run-{at}.EVENTLOG.gz"), LOG.to_vec())));
    let mut archive = Archive::open(file_again(&file)).unwrap();
    let directory = file.reads.get();
    assert_eq!(archive.logs().len(), 5000);
    assert_eq!(file.reads.get(), directory);
}

#[test]
fn folders_and_files_added_by_macos_are_no_logs_whatever_their_names() {
    let names_of_none = ["a.eventlog/", "__MACOSX/._a.eventlog", "empty"];
    let file = archive(names_of_none.map(|name| (name.to_string(), Vec::new())));
    assert_eq!(names(&file), [""; 0]);
}

#[test]
fn names_with_markup_and_control_characters_are_found_unchanged() {
    let odd = "<img src=x>\u{1b}[31m\n\u{202e}golt.eventlog";
    let file = archive([(odd.to_string(), LOG.to_vec()), ("x".to_string(), OTHER.to_vec())]);
    assert_eq!(names(&file), [odd]);
    assert_eq!(Archive::open(file_again(&file)).unwrap().find(odd), Some(0));
    assert_eq!(Archive::open(file_again(&file)).unwrap().find("golt.eventlog"), None);
}
