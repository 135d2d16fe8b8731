//! A log's profiles as other tools read them: the log is read once for what it names, and as often again as the format takes.

use ghc_eventlog::{Chunk, Decoder, Step};
use ghc_eventlog_export::{Export, Format};
use ghc_eventlog_model::Model;
use js_sys::Uint8Array;
use self_cell::self_cell;
use wasm_bindgen::prelude::*;

type Begun<'m> = Option<Export<'m>>;

self_cell! {
    /// What is written, with the model that knows the names in it.
    struct Writing {
        owner: Model,
        #[covariant]
        dependent: Begun,
    }
}

/// How far it is.
enum State {
    /// The log is read for the first time.
    Naming(Box<Model>),
    Writing(Writing),
    Over,
}

/// A profile on its way out. [Feed](Self::feed) it all of the log, ask whether it wants that [again](Self::goes_on), and do so until it
/// does not.
#[wasm_bindgen]
pub struct Exporting {
    format: Format,
    title: String,
    state: State,
    /// How often the log has been read for what is written.
    passes: usize,
    decoder: Decoder,
    /// Bytes of the log that are not decoded yet, and where they begin.
    rest: Vec<u8>,
    offset: u64,
    text: String,
}

#[wasm_bindgen]
impl Exporting {
    /// Of a log whose name is `title`; `undefined` for a format that there is not.
    #[must_use]
    pub fn of(format: &str, title: String) -> Option<Self> {
        let format = Format::named(format)?;
        let (state, decoder) = (State::Naming(Box::new(Model::of_figures())), Decoder::new());
        Some(Self { format, title, state, passes: 0, decoder, rest: Vec::new(), offset: 0, text: String::new() })
    }

    /// How the names of its files end.
    #[must_use]
    pub fn ending(&self) -> String {
        self.format.ending().into()
    }

    /// Takes the log's next bytes; gives what is ready.
    #[must_use]
    pub fn feed(&mut self, bytes: &[u8]) -> Uint8Array {
        match &mut self.state {
            State::Naming(model) => model.feed(bytes),
            State::Writing(_) => {
                self.rest.extend_from_slice(bytes);
                self.decode(false);
            }
            State::Over => {}
        }
        self.ready()
    }

    /// The log is over: whether it is wanted once more.
    ///
    /// # Errors
    /// When it has no such profile, and which flag of the runtime would supply it.
    pub fn goes_on(&mut self) -> Result<bool, String> {
        self.state = match core::mem::replace(&mut self.state, State::Over) {
            State::Naming(mut model) => {
                model.finish();
                let (format, title) = (self.format, self.title.clone());
                let writing = Writing::try_new(*model, |model| match Export::of(model, format, title.into()) {
                    Ok(export) => Ok(Some(export)),
                    Err(missing) => Err(missing.to_string()),
                });
                State::Writing(writing?)
            }
            State::Writing(writing) => {
                self.state = State::Writing(writing);
                self.decode(true);
                core::mem::replace(&mut self.state, State::Over)
            }
            State::Over => return Ok(false),
        };
        let State::Writing(writing) = &mut self.state else { return Ok(false) };
        let (pass, text) = (self.passes, &mut self.text);
        let goes_on = writing.with_dependent_mut(|_, export| {
            let has_more = export.as_ref().is_some_and(|export| pass < export.passes());
            match (has_more, export.as_mut()) {
                (true, Some(export)) => export.begin(pass, text),
                _ => {
                    if let Some(export) = export.take() {
                        export.finish(text);
                    }
                }
            }
            has_more
        });
        self.passes += 1;
        (self.decoder, self.offset) = (Decoder::new(), 0);
        self.rest.clear();
        Ok(goes_on)
    }

    /// The rest of what is written.
    #[must_use]
    pub fn finish(&mut self) -> Uint8Array {
        self.ready()
    }
}

impl Exporting {
    fn ready(&mut self) -> Uint8Array {
        let ready = Uint8Array::from(self.text.as_bytes());
        self.text.clear();
        ready
    }

    /// Gives what is written all events for which there are bytes.
    fn decode(&mut self, last: bool) {
        let Self { state: State::Writing(writing), decoder, rest, offset, text, .. } = self else { return };
        let chunk = Chunk { bytes: rest, offset: *offset, last };
        writing.with_dependent_mut(|_, export| {
            let Some(export) = export else { return };
            loop {
                match decoder.next(chunk) {
                    Ok(Step::Event(record)) => export.record(&record, text),
                    Ok(Step::Header) => export.end_stream(),
                    Ok(Step::Notice(_)) => {}
                    // What cannot be read was told of when the log was opened.
                    Ok(Step::Need(_) | Step::End) | Err(_) => return,
                }
            }
        });
        let used = (decoder.offset() - *offset).min(rest.len() as u64);
        rest.drain(..used as usize);
        *offset += used;
    }
}
