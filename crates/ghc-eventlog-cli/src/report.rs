//! `report`: writes logs as one HTML file. It has a summary as text and pictures, for browsers that block scripts, and
//! the viewer with the logs, unless they are too long.

mod held;
pub(crate) mod sources;
mod template;

use crate::{
    input::{Log, Source},
    loss::Losses,
    output::{Identity, Inputs, Unfinished, refuse},
    progress,
    say::shown,
    stripping::without,
    summary::{self, Summary},
};
use ghc_eventlog_model::SpanWords;
use ghc_eventlog_report::{Article, FEW, MANY, Palette, Picture};
use ghc_eventlog_strip::Strip;
use sources::SourceLinks;
use std::{ffi::OsStr, fs::File, io, path::Path};
use template::Template;

/// The options of `report`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReportWishes<'a> {
    pub(crate) strip: Strip,
    /// Words that begin and end the program's own spans, besides those that are known.
    pub(crate) words: &'a SpanWords,
    /// Where places in the source lead.
    pub(crate) sources: &'a SourceLinks,
    /// The most bytes that a compressed log may take to be put into the file.
    pub(crate) embed_limit: u64,
    /// The one-file page to use instead of the program's own.
    pub(crate) viewer: Option<&'a Path>,
}

/// The contents of a report about one log.
struct Reported {
    /// The file's name, without its folders, which are private.
    name: String,
    summary: Summary,
    picture: Picture,
    /// The compressed log; `None` if that is too long.
    packed: Option<File>,
}

impl Reported {
    fn article(&self, palette: &Palette) -> String {
        let Self { name, summary: Summary { model, env, .. }, picture, packed } = self;
        let name = &name.as_str().into();
        Article { name, model, picture, env: *env, beside: packed.is_none() }.html(palette)
    }
}

/// Reads logs and writes a report on them to a file. Reports what could not be read, as `show` does.
///
/// # Errors
/// When no log can be read, or the file cannot be written.
pub(crate) fn report(logs: Vec<Log>, wishes: ReportWishes<'_>, out: &Path) -> io::Result<Vec<Losses>> {
    // Read this before the work, since without it there is no report.
    wishes.sources.check()?;
    let template = Template::of(wishes.viewer)?;
    let inputs = inputs(&logs, wishes.viewer);
    refuse(out, &inputs)?;
    let (mut all, mut reported) = (Vec::new(), Vec::new());
    for log in logs {
        let mut losses = Losses::new(&log.name);
        if let Some(mut one) = read(log, wishes, &mut losses)? {
            one.name = another(one.name, &reported);
            reported.push(one);
        }
        all.push(losses);
    }
    if reported.is_empty() {
        return Ok(all);
    }
    let mut file = Unfinished::to_be(out, &inputs)?;
    template.write(&mut reported, wishes, &mut file)?;
    file.finish()?;
    Ok(all)
}

/// The files that the report must not overwrite.
fn inputs(logs: &[Log], viewer: Option<&Path>) -> Inputs {
    let mut inputs = Inputs::default();
    for log in logs {
        inputs.add(log.identity.clone(), &log.name);
    }
    if let Some(viewer) = viewer {
        inputs.add(Identity::at(viewer), &shown(viewer.as_os_str()));
    }
    inputs
}

/// Makes the report on one log; `None` if nothing of it could be read. If anything is to be left out, text, pictures
/// and the included log all come from a copy without it, so it cannot be in the report.
fn read(log: Log, wishes: ReportWishes<'_>, losses: &mut Losses) -> io::Result<Option<Reported>> {
    let (name, file, compression) = (base_name(&log.file), log.file.clone(), log.compression());
    let ReportWishes { strip, words, embed_limit, .. } = wishes;
    let mut source = Source::of(log)?;
    if !summary::judged(&mut source, losses)? {
        return Ok(None);
    }
    if strip.any() {
        source = without(source, strip)?;
    }
    // Losses have been reported already.
    let summary = summary::of_source(&mut source, file, compression, !strip.env, words, &mut Losses::silent())?;
    let mut summary = summary.ok_or_else(|| source.changed())?;
    let packed = held::packed(&mut source.start("packing")?, embed_limit)?;
    let most = if packed.is_some() { FEW } else { MANY };
    progress::begin("drawing", None);
    let picture = Picture::of(&mut summary.model, most, |offset, length| {
        let mut bytes = Vec::new();
        progress::add(length);
        source.read(offset, offset + length, &mut bytes).map(|()| bytes)
    })?;
    if packed.is_none() {
        losses.note(format_args!(
            "packed it takes more than {embed_limit} bytes: the report is without it, and asks for it beside itself; \
             nothing is left out of the log there"
        ));
    }
    Ok(Some(Reported { name, summary, picture, packed }))
}

/// A name that none of these logs has.
fn another(name: String, logs: &[Reported]) -> String {
    let is_taken = |name: &str| logs.iter().any(|log| log.name == name);
    let numbered = (2..).map(|number| format!("{name} ({number})"));
    let free = [name.clone()].into_iter().chain(numbered).find(|name| !is_taken(name));
    free.unwrap_or(name)
}

/// A log's name, without its folders.
pub(crate) fn base_name(file: &OsStr) -> String {
    if file == "-" {
        return "standard input.eventlog".to_string();
    }
    shown(Path::new(file).file_name().unwrap_or(file))
}

/// A number of bytes: 50MB, 800k, 2GiB.
///
/// # Errors
/// Why the text is not a size.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let wrong = || format!("{text:?} is no size: write it as 50MB, 800k, 2GiB or in bytes");
    let digits = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" => 1000,
        "m" | "mb" => 1_000_000,
        "g" | "gb" => 1_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        _ => return Err(wrong()),
    };
    number.parse::<u64>().ok().and_then(|number| number.checked_mul(unit)).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_written_as_people_write_them() {
        let sizes = ["0", "17", "50MB", "800k", "2GiB", "1 mib"].map(|text| size(text).unwrap());
        assert_eq!(sizes, [0, 17, 50_000_000, 800_000, 2 << 30, 1 << 20]);
        assert!(["", "MB", "-1", "5 apples", "99999999999GB"].iter().all(|text| size(text).is_err()));
    }

    #[test]
    fn a_report_does_not_name_the_logs_folders() {
        assert_eq!(base_name(OsStr::new("/home/me/secret/run.eventlog")), "run.eventlog");
        assert_eq!(base_name(OsStr::new("-")), "standard input.eventlog");
    }
}
