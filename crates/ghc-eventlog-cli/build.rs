//! Takes into the program what `cargo xtask build` has put beside it: the page of one file (see `report`), and the licences of
//! what is built in (see `licences`).

use std::{env, path::Path};

fn main() {
    let folder = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    for (file, cfg) in [("viewer.html", "has_viewer"), ("licences.txt", "has_licences")] {
        println!("cargo::rustc-check-cfg=cfg({cfg})");
        println!("cargo::rerun-if-changed={file}");
        if Path::new(&folder).join(file).is_file() {
            println!("cargo::rustc-cfg={cfg}");
        }
    }
}
