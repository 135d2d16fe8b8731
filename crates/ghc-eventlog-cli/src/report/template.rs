//! The one-file page that a report is put into.

use super::{ReportWishes, Reported, SourceLinks};
use base64::{engine::general_purpose::STANDARD, write::EncoderWriter};
use ghc_eventlog_model::SpanWords;
use ghc_eventlog_report::Palette;
use maud::html;
use std::{
    borrow::Cow,
    fs,
    io::{self, Write},
    path::Path,
};

#[cfg(has_viewer)]
const VIEWER: Option<&str> = Some(include_str!(env!("BUILT_IN_VIEWER")));
#[cfg(not(has_viewer))]
const VIEWER: Option<&str> = None;

/// The message if there is none.
const NONE: &str = "this build of ghc-eventlog carries no viewer: run `cargo xtask build`, then build it again; or name one \
                    with --viewer (dist/viewer.html)";

/// The page, with the places for a report in it.
pub(super) struct Template {
    page: Cow<'static, str>,
}

/// The parts of a page before `begin`, between `begin` and `end`, and after `end`.
fn around<'p>(page: &'p str, begin: &str, end: &str) -> io::Result<(&'p str, &'p str, &'p str)> {
    let parts = page.split_once(begin).and_then(|(before, rest)| {
        let (between, after) = rest.split_once(end)?;
        Some((before, between, after))
    });
    parts.ok_or_else(|| io::Error::other("this is no viewer of one file: `cargo xtask build` makes dist/viewer.html"))
}

impl Template {
    /// The page in a file, or the program's own.
    pub(super) fn of(file: Option<&Path>) -> io::Result<Self> {
        let page = match file {
            Some(file) => {
                let read = fs::read_to_string(file);
                Cow::Owned(read.map_err(|error| crate::input::about(&crate::say::shown(file.as_os_str()), &error))?)
            }
            None => Cow::Borrowed(VIEWER.ok_or_else(|| io::Error::other(NONE))?),
        };
        let template = Self { page };
        template.parts()?;
        Ok(template)
    }

    /// The parts of the page before the title, between title and report, between report and logs, and after the logs.
    fn parts(&self) -> io::Result<[&str; 4]> {
        let (head, _, rest) = around(&self.page, "<!--title-->", "<!--/title-->")?;
        let (middle, _, rest) = around(rest, "<!--report-->", "<!--/report-->")?;
        let (end, _, after) = around(rest, "<!--logs-->", "<!--/logs-->")?;
        Ok([head, middle, end, after])
    }

    fn palette(&self) -> Palette {
        let found = around(&self.page, "<script type=\"application/json\" id=\"viewer-palette\">", "</script>");
        Palette(found.ok().and_then(|(_, json, _)| serde_json::from_str(json).ok()).unwrap_or_default())
    }

    /// Writes the page with a report in it.
    pub(super) fn write(
        &self,
        logs: &mut [Reported],
        wishes: ReportWishes<'_>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let [head, middle, end, after] = self.parts()?;
        let palette = self.palette();
        let names: Vec<&str> = logs.iter().map(|log| log.name.as_str()).collect();
        let title = html! { (names.join(", ")) " · GHC Eventlog Viewer" };
        // A log that is not in the page is fetched from the page's own server, if it has one.
        let all_in = logs.iter().all(|log| log.packed.is_some());
        let head = if all_in { Cow::Borrowed(head) } else { Cow::Owned(allowing_own_server(head)) };
        write!(out, "{head}{}{middle}", title.into_string())?;
        for log in logs.iter() {
            write!(out, "{}", log.article(&palette))?;
        }
        out.write_all(end.as_bytes())?;
        for log in logs {
            held(log, wishes, out)?;
        }
        out.write_all(after.as_bytes())
    }
}

fn allowing_own_server(head: &str) -> String {
    head.replacen("default-src 'none';", "default-src 'none'; connect-src 'self';", 1)
}

/// Writes an element with a log in it, or only its name if it is too long; also the words of its spans and the link to its
/// sources, if the user gave them.
fn held(log: &mut Reported, wishes: ReportWishes<'_>, out: &mut impl Write) -> io::Result<()> {
    let mut name = html! { (log.name) }.into_string();
    let words = Some(wishes.words).filter(|words| **words != SpanWords::default()).map(SpanWords::text);
    let SourceLinks { template, commit } = wishes.sources;
    let given = [("span-words", words.as_deref()), ("source-url", template.as_deref()), ("commit", commit.as_deref())];
    for (attribute, value) in given.into_iter().filter_map(|(attribute, value)| Some((attribute, value?))) {
        let value = html! { (value) }.into_string();
        name = format!("{name}\" data-{attribute}=\"{value}");
    }
    let Some(packed) = &mut log.packed else {
        return writeln!(out, "<script type=\"text/plain\" data-beside=\"{name}\"></script>");
    };
    write!(out, "<script type=\"text/plain\" data-log=\"{name}\">")?;
    let mut encoder = EncoderWriter::new(&mut *out, &STANDARD);
    io::copy(packed, &mut encoder)?;
    encoder.finish()?;
    drop(encoder);
    writeln!(out, "</script>")
}
