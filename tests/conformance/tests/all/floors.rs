//! The model has floors: no file imports one from a floor above it. `cargo test -p conformance --test all floors:: --
//! --nocapture` counts files, arrows and circles.

use crate::imports::Imports;
use conformance::project;

/// The rooms, from the ground up. Those of one floor may import each other.
const FLOORS: &[&[&str]] = &[
    &["limits", "sorting", "trees", "merging", "terms"],
    &["keeping", "profiles"],
    // A kind of track is one file with its machine and its answers. `known` contains the machines, and the answers use
    // `known`.
    &["known", "tracks"],
    &["reading"],
    &["asking"],
    &["facts"],
    &["findings"],
];

/// Rooms with a list of all of their files, which makes a circle of those: kinds of tracks, tables, sections, rules.
const LISTS: [&str; 3] = ["tracks", "facts", "findings"];

/// Files elsewhere that import each other in a circle.
const MOST_IN_CIRCLE: usize = 6;

#[test]
fn nothing_is_imported_from_a_floor_above() {
    let imports = Imports::of(&project().join("crates/ghc-eventlog-model/src"));
    let floor = |module: &[String]| {
        let room = module.first().expect("the root imports nothing");
        FLOORS.iter().position(|rooms| rooms.contains(&room.as_str())).unwrap_or_else(|| panic!("{room}: which floor?"))
    };
    let up: Vec<String> = imports
        .arrows()
        .filter(|(from, to)| floor(from) < floor(to))
        .map(|(from, to)| format!("{} imports {}", from.join("::"), to.join("::")))
        .collect();
    let circles = imports.circles();
    let sizes: Vec<usize> = circles.iter().map(Vec::len).collect();
    println!("{} files, {} arrows, {} up; circles of {sizes:?}", imports.files(), imports.arrows().count(), up.len());
    assert!(up.is_empty(), "{up:#?}");
    let is_listed = |file: &String| LISTS.iter().any(|room| file.starts_with(room));
    let large = circles.iter().find(|files| files.len() > MOST_IN_CIRCLE && !files.iter().any(is_listed));
    assert!(large.is_none(), "{large:#?}");
    assert!(imports.files() > 150 && imports.arrows().count() > 500, "the sources are not read");
}
