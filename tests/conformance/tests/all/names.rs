//! One word, one thing: no two types of a crate have the same name.

use conformance::project;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// Names that a crate still defines more than once, with the number of definitions. Do not add any: rename the new type. An exception
/// that is not needed any more fails the test, so that the list only shrinks.
const EXCEPTIONS: &[(&str, &str, usize)] = &[
    // One for each family of operating systems.
    ("ghc-eventlog-cli", "Inner", 2),
];

#[test]
fn no_two_types_of_a_crate_have_the_same_name() {
    let mut repeated = BTreeMap::new();
    let mut types = 0;
    let crates = fs::read_dir(project().join("crates")).unwrap().map(|folder| folder.unwrap().path());
    for folder in crates.chain([project().join("tests/conformance")]) {
        let krate = folder.file_name().unwrap().to_str().unwrap().to_owned();
        for (name, files) in types_in(&folder.join("src")) {
            types += files.len();
            if files.len() > 1 {
                repeated.insert((krate.clone(), name), files);
            }
        }
    }
    for (krate, name, count) in EXCEPTIONS {
        let files = repeated.remove(&((*krate).to_owned(), (*name).to_owned())).unwrap_or_default();
        assert_eq!(files.len(), *count, "{krate} defines {name} in {files:#?}: update the list of exceptions");
    }
    assert!(repeated.is_empty(), "types of one crate with the same name: {repeated:#?}");
    assert!(types > 500, "the sources are not read: {types} types");
}

/// The types that the files in a folder define, each with the files: structs, enums, traits and aliases at the top of a file.
fn types_in(folder: &Path) -> BTreeMap<String, Vec<PathBuf>> {
    let mut types = BTreeMap::<String, Vec<PathBuf>>::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            types_in(&path).into_iter().for_each(|(name, files)| types.entry(name).or_default().extend(files));
        } else if path.extension().is_some_and(|extension| extension == "rs") && path.file_name().unwrap() != "tests.rs"
        {
            let text = fs::read_to_string(&path).unwrap();
            text.lines()
                .filter_map(defined)
                .for_each(|name| types.entry(name.to_owned()).or_default().push(path.clone()));
        }
    }
    types
}

/// The type that a line defines. Indented lines are within something else: a function, a test module or a macro.
fn defined(line: &str) -> Option<&str> {
    let line = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.strip_prefix(' ')?,
        None => line,
    };
    let (keyword, rest) = line.split_once(' ')?;
    let name = rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next()?;
    ["struct", "enum", "trait", "type", "union"].contains(&keyword).then_some(name)
}

#[test]
fn definitions_are_found() {
    assert_eq!(defined("pub(crate) struct Row<T> {"), Some("Row"));
    assert_eq!(defined("pub enum Place {"), Some("Place"));
    assert_eq!(defined("type Key = (Nanos, u32);"), Some("Key"));
    assert_eq!(defined("pub(super) trait Cell: Copy {"), Some("Cell"));
    assert_eq!(defined("    struct Inner;"), None);
    assert_eq!(defined("pub fn read() {"), None);
}
