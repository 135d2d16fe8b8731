//! The model is a house with floors: no file imports one of a floor above it. `cargo test -p conformance --test all floors:: -- --nocapture`
//! counts files, arrows and circles.

use crate::imports::Imports;
use conformance::project;

/// The rooms, from the ground up. Those of one floor may import each other.
const FLOORS: &[&[&str]] = &[
    &["limits", "letters", "sorting", "trees", "merging", "terms"],
    &["keeping", "profiles"],
    // A kind of tracks is one file, its machine and its answers: what is known has its machines, and its answers are made of what is known.
    &["known", "tracks"],
    &["reading"],
    &["asking"],
    &["facts"],
];

/// Files that import each other in a circle: the kinds of tracks, tables and sections, which are listed in one place each.
const MOST_IN_CIRCLE: usize = 41;

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
    assert!(sizes.iter().all(|size| *size <= MOST_IN_CIRCLE), "{:#?}", circles.first());
    assert!(imports.files() > 150 && imports.arrows().count() > 500, "the sources are not read");
}
