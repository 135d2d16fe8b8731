//! Takes the page of one file into the program, where `cargo xtask build` has put it: see `report`.

use std::{env, path::Path};

fn main() {
    println!("cargo::rustc-check-cfg=cfg(has_viewer)");
    println!("cargo::rerun-if-changed=viewer.html");
    let folder = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    if Path::new(&folder).join("viewer.html").is_file() {
        println!("cargo::rustc-cfg=has_viewer");
    }
}
