//! Exports a log's profiles in the formats of other tools. The log is read once for its names, and then again as often
//! as the format needs.

use ghc_eventlog::{Chunk, Decoder, Step};
use ghc_eventlog_export::{Export, Format};
use ghc_eventlog_model::{Job, LateNames, Model, Patience};
use js_sys::Uint8Array;
use self_cell::self_cell;
use wasm_bindgen::prelude::*;

type Begun<'m> = Option<Export<'m>>;

self_cell! {
    /// The export, with the model that has the names for it.
    struct Writing {
        owner: Model,
        #[covariant]
        dependent: Begun,
    }
}

/// The state of an export.
enum State {
    /// The log is read for the first time.
    Naming(Box<Model>),
    /// It is read for names that were too many to be kept at first.
    Late(Box<(Model, LateNames)>, Patience),
    Writing(Writing),
    Over,
}

/// An export in progress. [Feed](Self::feed) it the whole log, then ask whether it [needs the log
/// again](Self::goes_on); repeat this until it does not, then call [`Self::finish`].
#[wasm_bindgen]
pub struct Exporting {
    format: Format,
    title: String,
    state: State,
    /// How many passes of the export are done.
    passes: usize,
    decoder: Decoder,
    /// Bytes of the log that are not decoded yet, and the offset of the first one.
    rest: Vec<u8>,
    offset: u64,
    text: String,
}

#[wasm_bindgen]
impl Exporting {
    /// An export of the log named `title`; `undefined` for an unknown format.
    #[must_use]
    pub fn of(format: &str, title: String) -> Option<Self> {
        let format = Format::named(format)?;
        let (state, decoder) = (State::Naming(Box::new(Model::of_figures())), Decoder::new());
        Some(Self { format, title, state, passes: 0, decoder, rest: Vec::new(), offset: 0, text: String::new() })
    }

    /// The file extension of the format.
    #[must_use]
    pub fn ending(&self) -> String {
        self.format.ending().into()
    }

    /// Takes the log's next bytes; returns the output that is ready.
    #[must_use]
    pub fn feed(&mut self, bytes: &[u8]) -> Uint8Array {
        match &mut self.state {
            State::Naming(model) => model.feed(bytes),
            State::Late(..) => {
                self.rest.extend_from_slice(bytes);
                self.look_for_names();
            }
            State::Writing(_) => {
                self.rest.extend_from_slice(bytes);
                self.decode(false);
            }
            State::Over => {}
        }
        self.ready()
    }

    /// The log has ended: returns whether the export needs it once more.
    ///
    /// # Errors
    /// When the log has no such profile: a text with the flag of the runtime that would add it.
    pub fn goes_on(&mut self) -> Result<bool, String> {
        self.state = match core::mem::replace(&mut self.state, State::Over) {
            State::Naming(mut model) => {
                model.finish();
                if let Some(names) = model.late_names() {
                    self.state = State::Late(Box::new((*model, names)), Patience::default());
                    return Ok(true);
                }
                self.writing(*model)?
            }
            State::Late(late, _) => self.writing(late.0)?,
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

    /// The rest of the output.
    #[must_use]
    pub fn finish(&mut self) -> Uint8Array {
        self.ready()
    }
}

impl Exporting {
    /// Begins to write, once all names are there.
    fn writing(&self, model: Model) -> Result<State, String> {
        let (format, title) = (self.format, self.title.clone());
        let writing = Writing::try_new(model, |model| match Export::of(model, format, title.into()) {
            Ok(export) => Ok(Some(export)),
            Err(missing) => Err(missing.to_string()),
        });
        Ok(State::Writing(writing?))
    }

    /// Gives the job for names what it wants of `rest`.
    fn look_for_names(&mut self) {
        let Self { state: State::Late(late, patience), rest, offset, .. } = self else { return };
        let (model, names) = &mut **late;
        // In the order of the file, as it is fed.
        while let Some((from, length)) = names.reads(model).first().copied() {
            let before = from.saturating_sub(*offset).min(rest.len() as u64);
            rest.drain(..before as usize);
            *offset += before;
            if *offset > from {
                break;
            }
            let Some(bytes) = rest.get(..length as usize).filter(|_| *offset == from) else { return };
            if !patience.goes_on(names.progress()) || names.give(model, from, bytes).is_err() {
                break;
            }
        }
        // Nothing more is wanted.
        *offset += rest.len() as u64;
        rest.clear();
    }

    fn ready(&mut self) -> Uint8Array {
        let ready = Uint8Array::from(self.text.as_bytes());
        self.text.clear();
        ready
    }

    /// Decodes all complete events of `rest` into the export.
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
                    // The page showed what cannot be read when it opened the log.
                    Ok(Step::Need(_) | Step::End) | Err(_) => return,
                }
            }
        });
        let used = (decoder.offset() - *offset).min(rest.len() as u64);
        rest.drain(..used as usize);
        *offset += used;
    }
}
