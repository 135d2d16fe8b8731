//! Makes the parts of a saved page that come from its log: a copy of the log (without the program's environment unless
//! the user wants it), and an article about it for readers whose browser blocks scripts. Also exports profiles in the
//! formats of other tools. A module of its own, since few logs are saved.

mod exporting;
mod saved;

use js_sys::Uint8Array;
use saved::Saved;
use wasm_bindgen::prelude::*;

/// Shows panics in the console. There should be none.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

/// A log that is copied into a page.
#[wasm_bindgen]
pub struct Saving(Saved);

#[wasm_bindgen]
impl Saving {
    /// For a log of `size` bytes. `env` keeps the program's environment in the copy. `words` are the two words that
    /// begin and end the program's own spans, as in `BEGIN,END`; if empty, START and STOP.
    #[must_use]
    #[wasm_bindgen(constructor)]
    pub fn new(size: f64, env: bool, words: &str) -> Self {
        Self(Saved::new(size as u64, env, words))
    }

    /// Takes the log's next bytes; returns the part of the copy that is ready.
    #[must_use]
    pub fn feed(&mut self, bytes: &[u8]) -> Uint8Array {
        Uint8Array::from(self.0.feed(bytes))
    }

    /// The log has ended: returns the rest of the copy.
    #[must_use]
    pub fn finish(&mut self) -> Uint8Array {
        Uint8Array::from(self.0.finish())
    }

    /// An article about the copy, as HTML. `palette` has the picture's colours: a role, its colour, the next role, and
    /// so on.
    #[must_use]
    pub fn article(&mut self, name: &str, palette: Vec<String>) -> String {
        self.0.article(name, palette)
    }
}
