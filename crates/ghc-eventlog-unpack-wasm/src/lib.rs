//! The binding of the unpacker, for the page's worker. A module of its own, since few logs need it.

mod file;

use file::JsFile;
use ghc_eventlog_unpack::{Archive, Compression, Entry, KIND, MOST_PEEKS, Search, Stored, Unpacking, is_zip, peek};
use js_sys::{Array, Function, Uint8Array};
use std::io::{self, Read};
use wasm_bindgen::prelude::*;

/// Lets panics be seen in the console. There should be none.
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
    /// Where unpacked bytes are put on their way out.
    piece: Vec<u8>,
}

#[wasm_bindgen]
impl Unpacker {
    /// A file of so many bytes. `read` gives so many of them (its second argument) from an offset on (its first one), as a
    /// `Uint8Array`, at once.
    ///
    /// # Errors
    /// When an archive's directory cannot be read: a text.
    #[wasm_bindgen(constructor)]
    pub fn new(read: Function, size: f64) -> Result<Self, JsValue> {
        let file = JsFile::new(read, size as u64);
        let (first, _) = file.again().and_then(|file| peek(file, KIND)).map_err(text)?;
        let archive = is_zip(&first).then(|| file.again().and_then(Archive::open)).transpose().map_err(text)?;
        Ok(Self { file, archive, search: None, unpacking: None, piece: Vec::new() })
    }

    /// How many entries an archive has; `undefined` if it is none.
    #[must_use]
    pub fn entries(&self) -> Option<usize> {
        self.archive.as_ref().map(Archive::len)
    }

    /// Looks for an archive's logs, in a few more of its entries; whether the search is over.
    pub fn search(&mut self, entries: usize) -> bool {
        let Some(archive) = &mut self.archive else { return true };
        self.search.get_or_insert_with(|| archive.search()).step(archive, entries)
    }

    /// How many entries are looked into at most where no name tells.
    #[must_use]
    pub fn most_peeks() -> usize {
        MOST_PEEKS
    }

    /// The logs that were found in an archive: how many have such a text in their names, whatever its case, and the first few
    /// of them, each as `[index, name, bytes]`. Long names are shortened in their middle.
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
    /// When that is not possible: a text.
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

    /// The next bytes, at most so many; none when it is over.
    ///
    /// # Errors
    /// When the browser does not give the file's bytes: its text.
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

    /// What ended the unpacking before the log was over.
    #[must_use]
    pub fn broken(&self) -> Option<String> {
        Some(self.unpacking.as_ref()?.broken.as_ref()?.to_string())
    }
}

/// Characters of a name that are shown on either side of what is left out.
const NAME_ENDS: usize = 150;

/// A name that does not fill the page: an archive's may have 64 KiB.
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
