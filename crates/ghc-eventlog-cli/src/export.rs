//! `export`: writes one of a log's profiles for another tool.

use crate::{
    input::{Log, Source},
    loss::Losses,
    names::take_names,
    output::{Inputs, Unfinished, refuse},
    reading::{Reading, Visitor},
    report::base_name,
    summary,
};
use ghc_eventlog::{Decoder, Record, Step};
use ghc_eventlog_export::{Export, Format};
use std::{
    ffi::OsStr,
    io::{self, ErrorKind, Write},
    path::Path,
};

/// How many bytes of text are written at once.
const PIECE: usize = 1 << 18;

/// The options of `export`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ExportWishes<'a> {
    pub(crate) format: Format,
    /// The file to write; standard output if there is none.
    pub(crate) file: Option<&'a Path>,
    /// Another log of the same program, for names that this one lacks.
    pub(crate) names_from: Option<&'a OsStr>,
}

/// Reads a log and writes one of its profiles. Reports what could not be read, as `show` does.
///
/// # Errors
/// When it cannot be read or the output cannot be written; [`ErrorKind::InvalidInput`] if the log has no such profile.
pub(crate) fn export(log: Log, wishes: ExportWishes<'_>, out: &mut impl Write) -> io::Result<Losses> {
    let ExportWishes { format, file, names_from } = wishes;
    let mut losses = Losses::new(&log.name);
    let mut inputs = Inputs::default();
    inputs.add(log.identity.clone(), &log.name);
    file.map_or(Ok(()), |file| refuse(file, &inputs))?;
    let title = base_name(&log.file);
    let mut source = Source::of(log)?;
    let Some(mut model) = summary::figures_of(&mut source, &mut losses)? else { return Ok(losses) };
    names_from.map_or(Ok(()), |from| take_names(&mut model, from, &losses))?;
    let missing = |error| io::Error::new(ErrorKind::InvalidInput, format!("{}: {error}", source.name));
    let export = Export::of(&model, format, title.into()).map_err(missing)?;
    if let Some(remark) = export.remark() {
        losses.note(remark);
    }
    match file {
        None => write(export, &mut source, out)?,
        Some(file) => {
            let mut file = Unfinished::to_be(file, &inputs)?;
            write(export, &mut source, &mut file)?;
            file.finish()?;
        }
    }
    Ok(losses)
}

fn write(export: Export<'_>, source: &mut Source, out: &mut impl Write) -> io::Result<()> {
    let mut exporting = Exporting { export, text: String::new(), out, failed: Ok(()) };
    for pass in 0..exporting.export.passes() {
        exporting.export.begin(pass, &mut exporting.text);
        Reading::new(source.start("writing")?).visit(&mut exporting)?;
    }
    let Exporting { export, mut text, out, failed } = exporting;
    failed?;
    export.finish(&mut text);
    out.write_all(text.as_bytes())
}

/// Passes the events to the export.
struct Exporting<'m, 'o, W> {
    export: Export<'m>,
    text: String,
    out: &'o mut W,
    /// The first error of writing the output. Events that come after it are ignored.
    failed: io::Result<()>,
}

impl<W: Write> Exporting<'_, '_, W> {
    fn write(&mut self) {
        if self.failed.is_ok() {
            self.failed = self.out.write_all(self.text.as_bytes());
        }
        self.text.clear();
    }
}

impl<W: Write> Visitor for Exporting<'_, '_, W> {
    fn plain(&mut self, record: &Record<'_>) {
        self.export.record(record, &mut self.text);
        if self.text.len() >= PIECE {
            self.write();
        }
    }

    fn step(&mut self, _: &Decoder, step: Step<'_>) -> io::Result<()> {
        match step {
            Step::Event(record) => self.plain(&record),
            Step::Header => self.export.end_stream(),
            _ => {}
        }
        core::mem::replace(&mut self.failed, Ok(()))
    }
}
