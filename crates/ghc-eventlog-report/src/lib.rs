//! A log as a report for people: values in words, the first rows of tables, the output of `+RTS -s`, and all of that as
//! an HTML article with pictures of the tracks. The article needs no scripts and no styles, so it can be read where a
//! page's policy drops them.
//!
//! The command line's `report` and the page's "Save as one HTML file" make their articles like this:
//!
//! ```
//! use ghc_eventlog_model::Model;
//! use ghc_eventlog_report::{Article, FEW, Palette, Picture};
//! # let log: &[u8] = &[];
//! let mut model = Model::new();
//! model.feed(log);
//! model.finish();
//! let picture = Picture::of(&mut model, FEW, |offset, length| {
//!     let part = offset as usize..(offset + length) as usize;
//!     log.get(part).map(<[u8]>::to_vec).ok_or("the log was cut off")
//! })?;
//! let article = Article { name: &"run.eventlog".into(), model: &model, picture: &picture, env: false, beside: false };
//! assert!(article.html(&Palette::default()).contains("<h1>run.eventlog</h1>"));
//! # Ok::<(), &str>(())
//! ```

mod like_rts;
mod markup;
mod picture;
mod short;
mod words;

pub use like_rts::like_rts;
pub use markup::{Article, Palette};
pub use picture::{FEW, MANY, Picture};
pub use words::{grouped, lacking, where_to_look, words};

use ghc_eventlog::Nanos;
use ghc_eventlog_model::{Model, Range, TableInfo, TableOrder, TablePage, TableQuery};

/// How many places to look are listed for a finding: the page has all.
pub const EVIDENCE: usize = 3;

/// When the log begins: the moment that reports show as 0.
#[must_use]
pub fn origin(model: &Model) -> Nanos {
    model.extent().map_or(Nanos(0), |(first, _)| first)
}

/// Passes the first `top` rows that a query found to `take`, a page at a time: all of them may need much memory.
///
/// # Errors
/// When `take` fails.
pub fn each_page<E>(
    model: &Model,
    range: Option<&Range>,
    order: &TableOrder,
    top: usize,
    mut take: impl FnMut(&TablePage) -> Result<(), E>,
) -> Result<(), E> {
    let mut taken = 0;
    while taken < top {
        let page = model.page(order, range, taken, (top - taken).min(ROWS_AT_ONCE));
        if page.rows.is_empty() {
            break;
        }
        taken += page.rows.len();
        take(&page)?;
    }
    Ok(())
}

/// How many rows a table has besides the first `written`, and which of these are kept, if not all are; nothing if there are none. `page` is
/// one of its pages.
#[must_use]
pub fn further(table: &TableInfo, page: &TablePage, written: usize) -> Option<String> {
    let (of, kept) = (page.of, page.kept as u64);
    let more = of.checked_sub(written as u64).filter(|more| *more > 0)?;
    let mut text = format!("and {} more{}", grouped(more), table.among(written));
    if kept < of {
        text += &format!(" ({} of {} are kept: {})", grouped(kept), grouped(of), table.kept);
    }
    Some(text)
}

/// How many rows of a long table are in memory at once.
const ROWS_AT_ONCE: usize = 1000;

/// The first `top` rows that a query finds, in the whole log or in a range. (The model returns them in pages.)
#[must_use]
pub fn rows(model: &Model, range: Option<&Range>, query: TableQuery, top: usize) -> TablePage {
    let order = model.order_for(query, top, range);
    let mut all = model.page(&order, range, 0, top);
    while all.rows.len() < top {
        let more = model.page(&order, range, all.rows.len(), top - all.rows.len());
        if more.rows.is_empty() {
            break;
        }
        all.rows.extend(more.rows);
        all.times.extend(more.times);
    }
    all
}
