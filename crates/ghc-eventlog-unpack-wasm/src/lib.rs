//! The binding of the unpacker, for the page's worker. A module of its own, since few logs need it.

mod file;

use file::JsFile;
use ghc_eventlog_unpack::{Archive, Compression, KIND, Stored, Unpacking, is_zip, peek};
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
        Ok(Self { file, archive, unpacking: None, piece: Vec::new() })
    }

    /// The logs in an archive, each as `[index, name, bytes]`; `undefined` if it is none.
    pub fn logs(&mut self) -> Option<Array> {
        let entry =
            |index: usize, name: &str, size: u64| Array::of3(&index.into(), &name.into(), &(size as f64).into());
        Some(self.archive.as_mut()?.logs().iter().map(|log| entry(log.index, &log.name, log.size)).collect())
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
        let broken = self.unpacking.as_ref()?.broken.as_ref()?;
        Some(format!("{broken} at offset {}", broken.offset))
    }
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
