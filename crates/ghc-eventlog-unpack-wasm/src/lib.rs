//! The unpacker's binding for the page's worker. It is a module of its own, since few logs need it.

mod file;

use file::JsFile;
use ghc_eventlog_unpack::{Archive, Compression, Entry, KIND, MOST_PEEKS, Search, Stored, Unpacking, is_zip, peek};
use js_sys::{Array, Function, Uint8Array};
use std::io::{self, Read};
use wasm_bindgen::prelude::*;

/// Shows panics in the console. There should be none.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

/// A stored file: compressed, or an archive.
#[wasm_bindgen]
pub struct Unpacker {
    file: JsFile,
    archive: Option<Archive<JsFile>>,
    search: Option<Search>,
    unpacking: Option<Unpacking>,
    /// The buffer for unpacked bytes.
    piece: Vec<u8>,
}

#[wasm_bindgen]
impl Unpacker {
    /// For a file of `size` bytes. `read(offset, length)` must return the bytes at once, as a `Uint8Array`.
    ///
    /// # Errors
    /// A text, if an archive's directory cannot be read.
    #[wasm_bindgen(constructor)]
    pub fn new(read: Function, size: f64) -> Result<Self, JsValue> {
        let file = JsFile::new(read, size as u64);
        let (first, _) = file.again().and_then(|file| peek(file, KIND)).map_err(text)?;
        let archive = is_zip(&first).then(|| file.again().and_then(Archive::open)).transpose().map_err(text)?;
        Ok(Self { file, archive, search: None, unpacking: None, piece: Vec::new() })
    }

    /// How many entries the archive has; `undefined` if the file is no archive.
    #[must_use]
    pub fn entries(&self) -> Option<usize> {
        self.archive.as_ref().map(Archive::len)
    }

    /// Searches `entries` more entries of the archive for logs. Returns whether the search is over.
    pub fn search(&mut self, entries: usize) -> bool {
        let Some(archive) = &mut self.archive else { return true };
        self.search.get_or_insert_with(|| archive.search()).step(archive, entries)
    }

    /// The most entries that are read to see if they are logs, because their names do not show it.
    #[must_use]
    pub fn most_peeks() -> usize {
        MOST_PEEKS
    }

    /// The logs found in the archive whose names contain `text`, in upper or lower case: how many there are, and the
    /// first `most` of them, each as `[index, name, bytes]`. Long names are shortened in the middle.
    #[must_use]
    pub fn logs(&self, text: &str, most: usize) -> Array {
        let text = text.to_lowercase();
        let found = self.search.iter().flat_map(|search| &search.found);
        let entries = found.filter_map(|&index| self.archive.as_ref()?.entry(index));
        let mut count = 0;
        let listed = Array::new();
        for Entry { index, name, size } in entries.filter(|entry| entry.name.to_lowercase().contains(&text)) {
            count += 1;
            if count <= most {
                listed.push(&Array::of3(&index.into(), &shortened(name).into(), &(size as f64).into()));
            }
        }
        Array::of2(&count.into(), &listed)
    }

    /// Begins to unpack: the file, or an archive's entry.
    ///
    /// # Errors
    /// A text, if that is not possible.
    pub fn open(&mut self, entry: Option<usize>) -> Result<(), JsValue> {
        self.unpacking = Some(
            match (&mut self.archive, entry) {
                (Some(archive), Some(entry)) => archive.unpack(entry),
                _ => self.file.again().and_then(unpacked),
            }
            .map_err(text)?,
        );
        Ok(())
    }

    /// The next unpacked bytes, at most `bytes`; `undefined` at the end.
    ///
    /// # Errors
    /// The browser's text, if it does not return the file's bytes.
    pub fn next(&mut self, bytes: u32) -> Result<Option<Uint8Array>, JsValue> {
        let Some(unpacking) = &mut self.unpacking else { return Ok(None) };
        self.piece.clear();
        unpacking.take(bytes.into()).read_to_end(&mut self.piece).map_err(text)?;
        Ok((!self.piece.is_empty()).then(|| Uint8Array::from(self.piece.as_slice())))
    }

    /// How many of the file's bytes have been used.
    #[must_use]
    pub fn used(&self) -> f64 {
        self.unpacking.as_ref().map_or(0.0, |unpacking| unpacking.used() as f64)
    }

    /// Why unpacking ended before the log did; `undefined` if it did not.
    #[must_use]
    pub fn broken(&self) -> Option<String> {
        Some(self.unpacking.as_ref()?.broken.as_ref()?.to_string())
    }
}

/// How many characters of a shortened name are kept at each end.
const NAME_ENDS: usize = 150;

/// A name that is short enough for the page. Names in an archive may have 64 KiB.
fn shortened(name: String) -> String {
    let length = name.chars().count();
    if length <= 2 * NAME_ENDS {
        return name;
    }
    let (start, end) = (name.chars().take(NAME_ENDS), name.chars().skip(length - NAME_ENDS));
    start.chain(['…']).chain(end).collect()
}

fn unpacked(mut file: JsFile) -> io::Result<Unpacking> {
    let (first, _) = peek(file.again()?, KIND)?;
    let compression = Compression::of(&first).ok_or_else(|| io::Error::other("it is not compressed"))?;
    file.rewind();
    Ok(Unpacking::of(compression, file))
}

fn text(error: io::Error) -> JsValue {
    error.to_string().into()
}
