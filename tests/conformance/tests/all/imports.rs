//! Which files of a crate import which: read from its sources.

use petgraph::{
    algo::tarjan_scc,
    graph::{DiGraph, NodeIndex},
};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// The files of a crate by their modules' paths (`["keeping", "rows"]`), with an arrow from each to those that it imports.
pub(crate) struct Imports {
    graph: DiGraph<Vec<String>, ()>,
}

impl Imports {
    /// Reads the sources in a folder. Tests, within files or in a `tests.rs`, may import what they like.
    pub(crate) fn of(folder: &Path) -> Self {
        let mut files = Vec::new();
        list(folder, &mut files);
        let mut graph = DiGraph::new();
        let modules: BTreeMap<Vec<String>, (NodeIndex, String)> = files
            .iter()
            .map(|file| {
                let module = module_of(folder, file);
                (module.clone(), (graph.add_node(module), without_tests(&fs::read_to_string(file).unwrap())))
            })
            .collect();
        for (module, (from, text)) in &modules {
            // What the crate's root names is what the crate offers.
            for path in paths(text).into_iter().filter(|_| !module.is_empty()) {
                let path = absolute(module, path);
                let to = (1..=path.len()).rev().find_map(|length| modules.get(&path[..length]));
                if let Some((to, _)) = to.filter(|(to, _)| to != from) {
                    graph.update_edge(*from, *to, ());
                }
            }
        }
        Self { graph }
    }

    /// How many files there are.
    pub(crate) fn files(&self) -> usize {
        self.graph.node_count()
    }

    /// The arrows: which module imports which.
    pub(crate) fn arrows(&self) -> impl Iterator<Item = (&[String], &[String])> {
        self.graph.edge_indices().filter_map(|edge| self.graph.edge_endpoints(edge)).map(|(from, to)| {
            let module = |at: NodeIndex| self.graph[at].as_slice();
            (module(from), module(to))
        })
    }

    /// The sets of more than one file that import each other, directly or through others, the largest first.
    pub(crate) fn circles(&self) -> Vec<Vec<String>> {
        let name = |at: NodeIndex| self.graph[at].join("::");
        let mut circles: Vec<Vec<String>> = tarjan_scc(&self.graph)
            .iter()
            .filter(|files| files.len() > 1)
            .map(|files| files.iter().copied().map(name).collect())
            .collect();
        circles.sort_by_key(|files| std::cmp::Reverse(files.len()));
        circles
    }
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            list(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs") {
            files.push(path);
        }
    }
}

/// `keeping/rows.rs` is `keeping::rows`, `keeping/mod.rs` is `keeping`, and `lib.rs` is the root.
fn module_of(folder: &Path, file: &Path) -> Vec<String> {
    let path = file.strip_prefix(folder).unwrap().with_extension("");
    let names = path.iter().map(|name| name.to_str().unwrap().to_owned());
    names.filter(|name| name != "mod" && name != "lib").collect()
}

/// A source without comments, and without the tests at its end.
fn without_tests(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    code.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// All paths that are imported or written out, as the source has them.
fn paths(text: &str) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(is_of_word) {
        rest = &rest[at..];
        let word = rest.find(|letter| !is_of_word(letter)).unwrap_or(rest.len());
        let length = match &rest[..word] {
            "use" => rest.find(';').unwrap_or(rest.len()),
            _ => rest.find(|letter| !is_of_word(letter) && letter != ':').unwrap_or(rest.len()),
        };
        let path = rest[..length].strip_prefix("use ").unwrap_or(&rest[..length]);
        if path.contains("::") {
            expand(&[], path, &mut paths);
        }
        rest = &rest[length.max(1)..];
    }
    paths
}

fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// `a::{b, c::d}` is `a::b` and `a::c::d`.
fn expand(before: &[String], tree: &str, paths: &mut Vec<Vec<String>>) {
    let (head, branches) = tree.split_once('{').unwrap_or((tree, ""));
    let names = head.split("::").map(|name| name.trim().split(' ').next().unwrap_or_default().to_owned());
    let path: Vec<String> = before.iter().cloned().chain(names.filter(|name| !name.is_empty())).collect();
    if branches.is_empty() {
        return paths.push(path);
    }
    let (mut depth, mut from) = (0, 0);
    for (at, letter) in branches.char_indices() {
        match letter {
            '{' => depth += 1,
            ',' | '}' if depth == 0 => {
                if !branches[from..at].trim().is_empty() {
                    expand(&path, &branches[from..at], paths);
                }
                from = at + 1;
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
}

/// A path from the crate's root; one that begins with nothing known is of a module below, or of another crate.
fn absolute(module: &[String], path: Vec<String>) -> Vec<String> {
    let ups = path.iter().take_while(|name| *name == "super").count();
    let is_of_crate = path.first().is_some_and(|name| name == "crate");
    let start = if is_of_crate { &[][..] } else { &module[..module.len().saturating_sub(ups)] };
    let rest = path.iter().skip(ups + usize::from(is_of_crate)).filter(|name| *name != "self");
    start.iter().chain(rest).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<String> {
        let module = ["a".to_owned(), "b".to_owned()];
        paths(&without_tests(text)).into_iter().map(|path| absolute(&module, path).join("::")).collect()
    }

    #[test]
    fn imports_are_read_as_the_compiler_does() {
        assert_eq!(
            read("use super::{c::{D, self}, E as F};\nuse crate::g::{h::I, j};\npub(crate) use k::L;"),
            ["a::c::D", "a::c", "a::E", "g::h::I", "g::j", "a::b::k::L"]
        );
        assert_eq!(read("fn f(x: crate::m::N<'_>) { super::o() } // crate::p"), ["m::N", "a::o"]);
        assert!(read("#[cfg(test)]\nmod tests {\n    use crate::q::R;\n}\n").is_empty());
    }
}
