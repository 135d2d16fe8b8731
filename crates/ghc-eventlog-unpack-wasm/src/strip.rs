//! The log that is put into a page that is saved.

use ghc_eventlog_strip::{Strip, Stripping};
use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

/// A log that is copied without the program's environment.
#[wasm_bindgen]
pub struct WithoutEnvironment {
    stripping: Stripping,
    /// Where copied bytes are put on their way out.
    piece: Vec<u8>,
}

#[wasm_bindgen]
impl WithoutEnvironment {
    /// The copy of a log's bytes from its first one on.
    #[must_use]
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        let strip = Strip { env: true, args: false, messages: false };
        Self { stripping: Stripping::new(strip), piece: Vec::new() }
    }

    /// Takes the log's next bytes; gives what is ready of its copy.
    #[must_use]
    pub fn feed(&mut self, bytes: &[u8]) -> Uint8Array {
        self.piece.clear();
        self.stripping.feed(bytes, &mut self.piece);
        Uint8Array::from(self.piece.as_slice())
    }

    /// There are no more bytes; gives the rest of the copy.
    #[must_use]
    pub fn finish(&mut self) -> Uint8Array {
        self.piece.clear();
        self.stripping.finish(&mut self.piece);
        Uint8Array::from(self.piece.as_slice())
    }
}
