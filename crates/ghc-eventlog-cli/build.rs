//! Builds the files into the program that `cargo xtask build` has put beside it: the page of one file (for `report`),
//! and the licences of everything that is built in (for `licences`). `GHC_EVENTLOG_BUILT_IN` names another folder that
//! has them.

use std::{env, path::Path};

const FOLDER: &str = "GHC_EVENTLOG_BUILT_IN";

fn main() {
    println!("cargo::rerun-if-env-changed={FOLDER}");
    let beside = || env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let folder = env::var_os(FOLDER).unwrap_or_else(beside);
    for (file, name) in [("viewer.html", "viewer"), ("licences.txt", "licences")] {
        let path = Path::new(&folder).join(file);
        println!("cargo::rustc-check-cfg=cfg(has_{name})");
        println!("cargo::rerun-if-changed={}", path.display());
        if path.is_file() {
            println!("cargo::rustc-cfg=has_{name}");
            println!("cargo::rustc-env=BUILT_IN_{}={}", name.to_uppercase(), path.display());
        }
    }
}
