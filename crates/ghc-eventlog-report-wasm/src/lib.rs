//! What a page that is saved has of its log: the log itself, without the program's environment unless that is wanted, and what it
//! says, as an article for where scripts are blocked. And profiles as other tools read them. A module of its own, since few logs are saved.

mod exporting;
mod saved;

use js_sys::Uint8Array;
use saved::Saved;
use wasm_bindgen::prelude::*;

/// Lets panics be seen in the console. There should be none.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

/// A log that is copied into a page.
#[wasm_bindgen]
pub struct Saving(Saved);

#[wasm_bindgen]
impl Saving {
    /// Of a log of so many bytes; with the program's environment or without. `words` begin and end the program's own spans, as in
    /// `BEGIN,END`; START and STOP, if they are none.
    #[must_use]
    #[wasm_bindgen(constructor)]
    pub fn new(size: f64, env: bool, words: &str) -> Self {
        Self(Saved::new(size as u64, env, words))
    }

    /// Takes the log's next bytes; gives what is ready of its copy.
    #[must_use]
    pub fn feed(&mut self, bytes: &[u8]) -> Uint8Array {
        Uint8Array::from(self.0.feed(bytes))
    }

    /// There are no more bytes; gives the rest of the copy.
    #[must_use]
    pub fn finish(&mut self) -> Uint8Array {
        Uint8Array::from(self.0.finish())
    }

    /// What the copy says, as HTML. `palette` has the picture's colours: a role, its colour, the next role.
    #[must_use]
    pub fn article(&mut self, name: &str, palette: Vec<String>) -> String {
        self.0.article(name, palette)
    }
}
