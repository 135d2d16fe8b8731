//! What a page that is saved has of its log: the log itself, without the program's environment unless that is wanted, and what it
//! says, as an article for where scripts are blocked. And profiles as other tools read them. A module of its own, since few logs are saved.

mod exporting;

use ghc_eventlog_model::{Job, LogText, Model, SpanWords};
use ghc_eventlog_report::{Article, FEW, Palette, Picture};
use ghc_eventlog_strip::{Strip, Stripping};
use js_sys::Uint8Array;
use std::convert::Infallible;
use wasm_bindgen::prelude::*;

/// Bytes of a log that are kept so that it can be gone through in order of time, and its picture be exact. The page itself goes through
/// a longer one only when somebody wants to see its threads, and a pixel has more of it than could be seen.
const KEPT: usize = 64 << 20;

/// Lets panics be seen in the console. There should be none.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

/// A log that is copied into a page. What is told of it comes from the copy: so what is left out is nowhere.
#[wasm_bindgen]
pub struct Saving {
    env: bool,
    stripping: Stripping,
    model: Model,
    /// The copy, as long as it is short.
    kept: Vec<u8>,
    /// Bytes of the copy on their way out.
    ready: Vec<u8>,
}

#[wasm_bindgen]
impl Saving {
    /// Of a log of so many bytes; with the program's environment or without. `words` begin and end the program's own spans, as in
    /// `BEGIN,END`; START and STOP, if they are none.
    #[must_use]
    #[wasm_bindgen(constructor)]
    pub fn new(size: f64, env: bool, words: &str) -> Self {
        let mut model = Model::of_size(Some(size as u64));
        SpanWords::parse(words).into_iter().for_each(|words| _ = model.name_spans(words));
        let strip = Strip { env: !env, args: false, messages: false };
        Self {
            env,
            stripping: Stripping::new(strip),
            model,
            kept: Vec::with_capacity((size as usize).min(KEPT)),
            ready: Vec::new(),
        }
    }

    /// Takes the log's next bytes; gives what is ready of its copy.
    #[must_use]
    pub fn feed(&mut self, bytes: &[u8]) -> Uint8Array {
        self.ready.clear();
        if self.env {
            self.ready.extend_from_slice(bytes);
        } else {
            self.stripping.feed(bytes, &mut self.ready);
        }
        self.copied()
    }

    /// There are no more bytes; gives the rest of the copy.
    #[must_use]
    pub fn finish(&mut self) -> Uint8Array {
        self.ready.clear();
        if !self.env {
            self.stripping.finish(&mut self.ready);
        }
        let rest = self.copied();
        self.model.finish();
        rest
    }

    /// What the copy says, as HTML. `palette` has the picture's colours: a role, its colour, the next role.
    #[must_use]
    pub fn article(&mut self, name: &str, palette: Vec<String>) -> String {
        if self.kept.len() < KEPT {
            self.replay();
        }
        let read = |offset: u64, length: u64| Ok::<_, Infallible>(part(&self.kept, offset, length).to_vec());
        let Ok(picture) = Picture::of(&mut self.model, FEW, read);
        let colours = palette.as_chunks().0.iter().cloned().map(|[role, colour]| (role, colour));
        let name = LogText::from(name);
        let article = Article { name: &name, model: &self.model, picture: &picture, env: self.env, beside: false };
        article.html(&Palette(colours.collect()))
    }
}

impl Saving {
    /// Goes through the copy once more, in order of time, for what threads did.
    fn replay(&mut self) {
        let Some(mut replay) = self.model.replay() else { return };
        let mut before = Vec::new();
        loop {
            let reads = replay.reads(&self.model);
            if reads.is_empty() || reads == before {
                return;
            }
            for (offset, length) in &reads {
                if replay.give(&mut self.model, *offset, part(&self.kept, *offset, *length)).is_err() {
                    return;
                }
            }
            before = reads;
        }
    }

    fn copied(&mut self) -> Uint8Array {
        self.model.feed(&self.ready);
        let room = KEPT - self.kept.len();
        self.kept.extend(self.ready.iter().take(room));
        Uint8Array::from(self.ready.as_slice())
    }
}

/// A part of some bytes; none if it is not within them.
fn part(bytes: &[u8], offset: u64, length: u64) -> &[u8] {
    let ends = usize::try_from(offset).ok().zip(usize::try_from(offset + length).ok());
    ends.and_then(|(from, to)| bytes.get(from..to)).unwrap_or_default()
}
