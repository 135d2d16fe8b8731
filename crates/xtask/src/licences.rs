//! The licences of other people's packages that are built in. These licences must be included with the program.

use crate::run::root;
use anyhow::{Context, Result};
use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package, PackageId, TargetKind};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The separator between two licences.
pub(crate) const RULE: &str = "\n----------------------------------------\n\n";

/// The standard library is in every Rust program, but in no list of packages.
const STANDARD_LIBRARY: &str = "The Rust standard library, by The Rust Project Developers: MIT OR Apache-2.0\n";

/// The licences of everything that these crates of the workspace are built from, each text once. For one target, or for all
/// systems.
pub(crate) fn of(crates: &[&str], target: Option<&str>) -> Result<String> {
    let mut command = MetadataCommand::new();
    let platform = target.into_iter().flat_map(|target| ["--filter-platform".into(), target.into()]);
    let options: Vec<String> = ["--locked".into()].into_iter().chain(platform).collect();
    command.manifest_path(root().join("Cargo.toml")).other_options(options);
    let metadata = command.exec().context("cargo metadata")?;
    let mut names_by_text: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in built_in(&metadata, crates) {
        let name = format!("{} {}", package.name, package.version);
        names_by_text.entry(text(package)?).or_default().push(name);
    }
    let mut licences: Vec<(Vec<String>, String)> =
        names_by_text.into_iter().map(|(text, names)| (names, text)).collect();
    licences.sort();
    let parts = licences.into_iter().map(|(names, text)| format!("{}\n\n{text}", names.join("\n")));
    Ok([STANDARD_LIBRARY.to_string()].into_iter().chain(parts).collect::<Vec<_>>().join(RULE))
}

/// The external packages whose code is built into these crates.
fn built_in<'m>(metadata: &'m Metadata, crates: &[&str]) -> Vec<&'m Package> {
    let mut seen: BTreeSet<&PackageId> = BTreeSet::new();
    let is_root = |package: &&Package| crates.contains(&package.name.as_str()) && package.source.is_none();
    let mut open: Vec<&PackageId> = metadata.packages.iter().filter(is_root).map(|package| &package.id).collect();
    let nodes = metadata.resolve.iter().flat_map(|resolve| &resolve.nodes);
    let nodes: BTreeMap<&PackageId, _> = nodes.map(|node| (&node.id, node)).collect();
    while let Some(id) = open.pop() {
        // The code of a macro's package is not in the code that the macro makes.
        let is_macro = metadata[id].targets.iter().any(|target| target.kind.contains(&TargetKind::ProcMacro));
        if is_macro || !seen.insert(id) {
            continue;
        }
        let Some(node) = nodes.get(id) else { continue };
        let is_used = |kind: &DependencyKind| *kind == DependencyKind::Normal;
        let used = node.deps.iter().filter(|dep| dep.dep_kinds.iter().any(|info| is_used(&info.kind)));
        open.extend(used.map(|dep| &dep.pkg));
    }
    seen.into_iter().map(|id| &metadata[id]).filter(|package| package.source.is_some()).collect()
}

/// The licence text of a package. If there is a choice, MIT, since its text is the shortest.
fn text(package: &Package) -> Result<String> {
    let folder = package.manifest_path.parent().context("a package without a folder")?.as_std_path();
    let expression = package.license.as_deref().unwrap_or("see below");
    let mut files = licence_files(folder)?;
    let is_mit = |name: &String| name.to_uppercase().contains("MIT");
    if expression.contains("MIT") && files.iter().any(is_mit) {
        files.retain(is_mit);
    }
    let mut text = format!("{expression}\n");
    if files.is_empty() {
        // Without a text, its authors and the licence's name.
        let authors =
            if package.authors.is_empty() { String::new() } else { format!("by {}\n", package.authors.join(", ")) };
        text += &authors;
    }
    for file in files {
        let bytes = fs::read(folder.join(&file)).with_context(|| format!("{}: {file}", package.name))?;
        let lines = String::from_utf8_lossy(&bytes);
        text += &format!("\n{}\n", lines.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim());
    }
    Ok(text)
}

/// The files of a package's folder that are named like a licence, sorted.
fn licence_files(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let upper = name.to_uppercase();
        let is_licence =
            ["LICENSE", "LICENCE", "COPYING", "UNLICENSE", "NOTICE"].iter().any(|begin| upper.starts_with(begin));
        if is_licence && entry.path().is_file() {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust_std::WASM;

    #[test]
    fn only_packages_that_are_built_in_have_their_licences_listed() {
        let cli = of(&["ghc-eventlog-cli"], None).unwrap();
        let named = |name: &str| cli.lines().any(|line| line.split_once(' ').is_some_and(|(first, _)| first == name));
        assert!(named("clap") && named("serde_json") && named("strsim"), "{cli}");
        assert!(!named("clap_derive") && !named("syn") && !named("criterion") && !named("conformance"), "{cli}");
        assert!(cli.contains("Permission is hereby granted"));
        let page = of(&["ghc-eventlog-wasm"], Some(WASM)).unwrap();
        assert!(page.lines().any(|line| line.starts_with("wasm-bindgen ")) && !page.contains("\nclap "));
        assert!(cli.contains("\nlibc ") && !page.contains("\nlibc "));
    }
}
