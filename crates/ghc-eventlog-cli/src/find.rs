//! `find`: prints what a query finds in a log, in order of time. `show --where` prints the events among it as `show` does.

use crate::{
    input::{Log, Source},
    loss::{DAMAGED, Losses},
    progress,
    summary::{self, Span, figures_of, times_of},
};
use ghc_eventlog_model::{Find, FindOrder, FindWishes, Hit, Job, Model, Patience, Query, QueryError};
use ghc_eventlog_text::{Style, head};
use serde_json::{Map, Value};
use std::io::{self, ErrorKind, IsTerminal, Write};

/// The language of queries, for the help.
pub(crate) const QUERIES: &str = "\
Queries:
  timeout            text of an event as `show` prints it, a span's label, or one of its tags. Capitals only matter if there are any
  \"a b\"  req*42  /a+b/   text with blanks; * for any characters and ? for one; a regular expression
  type:GC_START      events of a type (GC_* for several), or of the types of a group: message, marker, thread, spark, cap, task, heap,
                     profile
  type:GC            collections; type:run finds runs of threads, type:span the program's own spans
  longer:10ms  shorter:2us   what takes at least 10 ms, or less than 2 us
  thread:12  thread:worker   what a thread is about or did, by its number or a part of its label
  cap:0              what was logged on a capability
  text:\"a b\"        a text in an event, such as a message; not the words around it
  label:request      the label of a span, or of a thread
  from:1.5s  to:@2s  as for --range
  retry=1            a field of an event, or a tag of a span: its whole value
  -type:thread       with a minus: what the condition does not find
All conditions must hold. `ghc-eventlog find run.eventlog type:GC longer:10ms` finds collections of 10 ms and more.

It also exits with 1 if nothing is found, and with 2 if the query cannot be read.";

/// The options of a search.
#[derive(Debug, Clone)]
pub(crate) struct FindOptions {
    pub(crate) query: Query,
    /// The part of the log to search.
    pub(crate) span: Option<Span>,
    pub(crate) form: HitForm,
}

/// How hits are printed.
#[derive(Debug, Clone, Copy)]
pub(crate) enum HitForm {
    /// A line for each.
    Text,
    /// A line of JSON for each.
    Json,
    /// Only their number.
    Count,
    /// As `show` prints events.
    Events(Style),
}

/// Reads the words of a query.
///
/// # Errors
/// [`ErrorKind::InvalidInput`] if they cannot be read.
pub(crate) fn query(words: &[String]) -> io::Result<Query> {
    Query::parse(&words.join(" ")).map_err(|error| invalid(&error))
}

fn invalid(error: &QueryError) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, error.to_string())
}

/// Prints what a query finds in a log. Returns the exit code: 1 also if nothing is found.
///
/// # Errors
/// When the log cannot be read or the output cannot be written; [`ErrorKind::InvalidInput`] if the log has no such range, or no such
/// type of events.
pub(crate) fn find(log: Log, options: FindOptions, lenient: bool, out: &mut impl Write) -> io::Result<u8> {
    let mut losses = Losses::new(&log.name);
    let mut source = Source::of(log)?;
    let Some(mut model) = figures_of(&mut source, &mut losses)? else { return Ok(losses.exit_code(lenient)) };
    let FindOptions { mut query, span, form } = options;
    model.check_query(&query).map_err(|error| invalid(&error))?;
    if let Some(span) = span {
        let (from, to) = times_of(&model, span)?;
        query = query.within(from, to);
    }
    let (style, events_only) = match form {
        HitForm::Events(style) => (Style { visible: io::stdout().is_terminal(), ..style }, true),
        HitForm::Text | HitForm::Json | HitForm::Count => (Style::default(), false),
    };
    let order = match form {
        // Only their number is printed, so none is kept.
        HitForm::Count => FindOrder::Nearest(Default::default(), 0),
        HitForm::Text | HitForm::Json | HitForm::Events(_) => FindOrder::InTime,
    };
    let wishes = FindWishes { order, style, most_text: usize::MAX, events_only, ..FindWishes::default() };
    let begin =
        |model: &Model| model.find(&query, wishes).ok_or_else(|| io::Error::other("the log cannot be searched"));
    let mut find = begin(&model)?;
    if find.waits_for_replay() {
        summary::replay(&mut model, &mut source)?;
        find = begin(&model)?;
    }
    progress::begin("searching", source.length());
    search(&mut find, &mut model, &mut source, |hit, model| form.write(&hit, style, model, out))?;
    match form {
        HitForm::Count => writeln!(out, "{}", find.total())?,
        HitForm::Events(_) if find.total() == 0 && query.is_of_lengths() => {
            losses.note("nothing fits: collections, runs and spans are not events; `find` lists them");
        }
        HitForm::Text | HitForm::Events(_) if find.total() == 0 => losses.note("nothing fits the query"),
        HitForm::Text | HitForm::Json | HitForm::Events(_) => {}
    }
    for remark in find.remarks(&model) {
        // A program may not look at the other output.
        if let HitForm::Json = form {
            writeln!(out, "{}", json_remark(&remark))?;
        }
        match form {
            // Also with --quiet: it is all that says so of a number.
            HitForm::Count => losses.warn(remark),
            HitForm::Text | HitForm::Json | HitForm::Events(_) => losses.note(remark),
        }
    }
    Ok(losses.exit_code(lenient).max(if find.total() == 0 { DAMAGED } else { 0 }))
}

/// Reads what a search needs, and passes on hits as they come.
fn search(
    find: &mut Find,
    model: &mut Model,
    source: &mut Source,
    mut take: impl FnMut(Hit, &Model) -> io::Result<()>,
) -> io::Result<()> {
    let mut patience = Patience::default();
    let mut bytes = Vec::new();
    loop {
        find.take_hits().into_iter().try_for_each(|hit| take(hit, model))?;
        let reads = find.reads(model);
        if reads.is_empty() {
            return Ok(());
        }
        if !patience.goes_on(find.progress()) {
            return Err(source.changed());
        }
        for (offset, length) in reads {
            bytes.clear();
            source.read(offset, offset + length, &mut bytes)?;
            progress::add(length);
            find.give(model, offset, &bytes).map_err(|_| source.changed())?;
        }
    }
}

impl HitForm {
    fn write(self, hit: &Hit, style: Style, model: &Model, out: &mut impl Write) -> io::Result<()> {
        let mut line = Vec::new();
        match self {
            Self::Count => return Ok(()),
            Self::Json => {
                line = serde_json::to_vec(&json(hit, model))?;
            }
            Self::Events(_) => {
                head(&mut line, hit.time, hit.cap, style);
                hit.text.write_as_listed(&mut line);
            }
            Self::Text => {
                head(&mut line, hit.time, hit.cap, style);
                let what = match (hit.tag, hit.length) {
                    (_, Some(length)) => {
                        let not_over = if hit.unfinished { ", not over" } else { "" };
                        format!("{} of {} ns{not_over}", hit.kind.name(), length.0)
                    }
                    (Some(tag), None) => model.type_name(tag).for_terminal(),
                    (None, None) => hit.kind.name().to_string(),
                };
                write!(line, "{what}: {}", hit.text.for_terminal())?;
            }
        }
        line.push(b'\n');
        out.write_all(&line)
    }
}

/// What a search cannot find, as an object with the keys of a hit.
fn json_remark(remark: &str) -> Value {
    serde_json::json!({
        "time_ns": null, "kind": "remark", "type": null, "length_ns": null, "unfinished": null, "cap": null, "thread": null, "text": remark,
    })
}

/// A hit as a JSON object.
fn json(hit: &Hit, model: &Model) -> Value {
    let mut object = Map::new();
    let mut set = |key: &str, value: Value| _ = object.insert(key.to_string(), value);
    set("time_ns", hit.time.0.into());
    set("kind", hit.kind.name().into());
    set("type", hit.tag.map(|tag| model.type_name(tag).for_json()).into());
    set("length_ns", hit.length.map(|length| length.0).into());
    set("unfinished", hit.unfinished.into());
    set("cap", hit.cap.map(|cap| cap.0).into());
    set("thread", hit.thread.map(|thread| thread.0).into());
    set("text", hit.text.for_json().into());
    Value::Object(object)
}
