//! Writes censuses one after the other, each once it is complete.

use ghc_eventlog::{CostCentreStack, Nanos, Text};
use ghc_eventlog_model::{LogText, Model};
use std::{collections::HashMap, rc::Rc};

/// How bands are written. Times are nanoseconds since the log's first moment.
pub(crate) struct Form {
    /// Writes what comes before all bands; gets the log's title.
    pub(crate) head: fn(&Model, &LogText<'_>, &mut String),
    pub(crate) begin: fn(u64, &mut String),
    /// Makes the written form of a name. Bands whose names have the same written form are told apart by numbers.
    pub(crate) name: fn(&LogText<'static>) -> String,
    /// Writes a band: time, name, bytes.
    pub(crate) band: fn(u64, &str, u64, &mut String),
    pub(crate) end: fn(u64, &mut String),
}

/// The most names that are kept, since it takes time to make them from their definitions.
const MAX_KNOWN: usize = 1 << 16;
const MAX_KNOWN_BYTES: usize = 16 << 20;

/// What a band is named after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Label,
    Stack,
}

/// The census that is being read.
pub(crate) struct Census<'m> {
    model: &'m Model,
    form: Form,
    title: LogText<'m>,
    origin: Nanos,
    open: Option<Nanos>,
    /// Its bands in file order, with their bytes; and the index of each name.
    bands: Vec<(Rc<str>, u64)>,
    places: HashMap<Rc<str>, usize>,
    /// The names that are kept. The kind is part of the key, since a label and a stack may have the same bytes.
    known: HashMap<(Kind, Vec<u8>), Rc<str>>,
    /// How many of them have the same written form, by that form.
    written: HashMap<Rc<str>, u64>,
    known_bytes: usize,
    /// If the log does not have its censuses in order of time: all of them, to be sorted and written at the end.
    waiting: Option<Vec<(u64, String)>>,
}

impl<'m> Census<'m> {
    pub(crate) fn of(model: &'m Model, form: Form, title: LogText<'m>) -> Self {
        let origin = model.extent().map_or(Nanos(0), |(first, _)| first);
        let (bands, places, known, written) = (Vec::new(), HashMap::new(), HashMap::new(), HashMap::new());
        let waiting = (!model.profiled().is_in_order()).then(Vec::new);
        Self { model, form, title, origin, open: None, bands, places, known, written, known_bytes: 0, waiting }
    }

    pub(crate) fn head(&self, out: &mut String) {
        (self.form.head)(self.model, &self.title, out);
    }

    /// Begins a census.
    pub(crate) fn begin(&mut self, time: Nanos, out: &mut String) {
        // Pieces of a census with the same time are one census.
        if self.open != Some(time) {
            self.end(out);
            self.open = Some(time);
        }
    }

    /// Ends the open census, if there is one.
    pub(crate) fn end(&mut self, out: &mut String) {
        let Some(time) = self.open.take() else { return };
        let time = time.since(self.origin).0;
        let mut later = String::new();
        let to = if self.waiting.is_some() { &mut later } else { out };
        (self.form.begin)(time, to);
        for (name, bytes) in self.bands.drain(..) {
            (self.form.band)(time, &name, bytes, to);
        }
        (self.form.end)(time, to);
        if let Some(waiting) = &mut self.waiting {
            waiting.push((time, later));
        }
        self.places.clear();
    }

    /// Ends the profile.
    pub(crate) fn finish(mut self, out: &mut String) {
        self.end(out);
        let mut waiting = self.waiting.unwrap_or_default();
        waiting.sort_by_key(|(time, _)| *time);
        waiting.iter().for_each(|(_, census)| out.push_str(census));
    }

    pub(crate) fn label(&mut self, time: Nanos, label: Text<'_>, bytes: u64) {
        let profiled = self.model.profiled();
        let name = self.name(Kind::Label, label.0, || profiled.label_name(label));
        self.add(time, name, bytes);
    }

    pub(crate) fn stack(&mut self, time: Nanos, stack: CostCentreStack<'_>, bytes: u64) {
        let profiled = self.model.profiled();
        let name = self.name(Kind::Stack, stack.0.as_flattened(), || profiled.stack_name(stack));
        self.add(time, name, bytes);
    }

    fn name(&mut self, kind: Kind, bytes: &[u8], make: impl FnOnce() -> LogText<'static>) -> Rc<str> {
        let key = (kind, bytes.to_vec());
        if let Some(name) = self.known.get(&key) {
            return Rc::clone(name);
        }
        let text = make();
        let mut name: Rc<str> = (self.form.name)(&text).into();
        // Of those that are not kept, nothing says whether their bytes are the same.
        if self.known.len() < MAX_KNOWN && self.known_bytes + bytes.len() + name.len() < MAX_KNOWN_BYTES {
            name = self.told_apart(&text, name);
            self.known_bytes += bytes.len() + name.len();
            self.known.insert(key, Rc::clone(&name));
        }
        name
    }

    /// The written form of a name, with a number after it if another name has the same.
    fn told_apart(&mut self, text: &LogText<'static>, plain: Rc<str>) -> Rc<str> {
        let (mut name, mut number) = (Rc::clone(&plain), self.written.get(&plain).copied().unwrap_or(0));
        while number > 0 && self.written.contains_key(&name) {
            number += 1;
            let suffix = format!(" ({number})").into();
            name = (self.form.name)(&LogText::joined(&[text.clone(), suffix], "")).into();
        }
        self.written.insert(plain, number.max(1));
        self.written.entry(Rc::clone(&name)).or_insert(1);
        name
    }

    /// Adds bytes to a band. A name that occurs twice in a census is added up.
    fn add(&mut self, time: Nanos, name: Rc<str>, bytes: u64) {
        self.open.get_or_insert(time);
        match self.places.get(&name).and_then(|place| self.bands.get_mut(*place)) {
            Some((_, sum)) => *sum = sum.saturating_add(bytes),
            None => {
                self.places.insert(Rc::clone(&name), self.bands.len());
                self.bands.push((name, bytes));
            }
        }
    }
}
