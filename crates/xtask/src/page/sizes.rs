//! How much of the published page a browser downloads, beside what it may be.

use super::{SINGLE, wasm};
use anyhow::{Context, Result, ensure};
use flate2::{Compression, write::GzEncoder};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// One of the sizes.
pub(crate) struct Size {
    what: &'static str,
    bytes: usize,
    most: usize,
}

/// The sizes of a built page. What is sent is measured as hosts send it: as gzip.
///
/// # Errors
/// When one of the files is missing.
pub(crate) fn sizes(page: &Path) -> Result<Vec<Size>> {
    let scripts = ["index.html", "js/start.js", "js/main.js", "js/worker.js"];
    let sent = |paths: &[PathBuf]| paths.iter().map(|path| packed(path)).sum::<Result<usize>>();
    let single = page.join(SINGLE);
    let whole = fs::metadata(&single).with_context(|| single.display().to_string())?.len();
    Ok(vec![
        Size { what: "wasm at the start", bytes: sent(&[wasm::path(page, wasm::SPLIT)])?, most: 450_000 },
        Size { what: "wasm after the start", bytes: sent(&[wasm::rest_path(page)])?, most: 250_000 },
        Size { what: "the rest of the page", bytes: sent(&scripts.map(|name| page.join(name)))?, most: 200_000 },
        Size { what: "viewer's share of a report", bytes: usize::try_from(whole)?, most: 800_000 },
    ])
}

/// Prints the sizes.
pub(crate) fn print(sizes: &[Size]) {
    for Size { what, bytes, most } in sizes {
        let judgement = if bytes > most { "TOO LARGE: " } else { "" };
        println!("    {judgement}{what}: {bytes} bytes of at most {most}");
    }
}

/// # Errors
/// When one is over its budget.
pub(crate) fn check(sizes: &[Size]) -> Result<()> {
    let over: Vec<_> = sizes.iter().filter(|size| size.bytes > size.most).map(|size| size.what).collect();
    ensure!(over.is_empty(), "larger than it may be: {}", over.join(", "));
    Ok(())
}

fn packed(path: &Path) -> Result<usize> {
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(&bytes)?;
    Ok(gzip.finish()?.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_over_its_budget_is_named() {
        let size = |what, bytes| Size { what, bytes, most: 10 };
        assert!(check(&[size("a", 10)]).is_ok());
        let error = check(&[size("a", 11), size("b", 1), size("c", 12)]).unwrap_err();
        assert_eq!(error.to_string(), "larger than it may be: a, c");
    }
}
