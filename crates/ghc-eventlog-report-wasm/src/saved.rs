//! The log that a page is saved with, and the article about it. The article is made from the copy, so it cannot contain
//! what the copy leaves out.

use ghc_eventlog_model::{LogText, Model, SpanWords, work};
use ghc_eventlog_report::{Article, FEW, Palette, Picture};
use ghc_eventlog_strip::{Strip, Stripping};
use std::convert::Infallible;

/// The longest copy, in bytes, that is kept in memory, for the replay in order of time and for an exact picture. The
/// page itself replays a longer log only when the user wants to see its threads; and in its picture, a pixel covers
/// more events than anyone could see.
const KEPT: usize = 64 << 20;

/// A log that is copied into a page.
pub(crate) struct Saved {
    env: bool,
    stripping: Stripping,
    model: Model,
    /// The copy, while it is no longer than [`KEPT`].
    kept: Vec<u8>,
    /// The part of the copy that is ready.
    ready: Vec<u8>,
}

impl Saved {
    /// See [`Saving`](crate::Saving).
    pub(crate) fn new(size: u64, env: bool, words: &str) -> Self {
        let mut model = Model::of_size(Some(size));
        let _ = model.name_spans(SpanWords::parse(words).unwrap_or_default());
        let strip = Strip { env: !env, args: false, messages: false };
        Self {
            env,
            stripping: Stripping::new(strip),
            model,
            kept: Vec::with_capacity((size as usize).min(KEPT)),
            ready: Vec::new(),
        }
    }

    /// Takes the log's next bytes; returns the part of the copy that is ready. With the environment, the copy equals
    /// the log.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> &[u8] {
        self.ready.clear();
        if self.env {
            self.ready.extend_from_slice(bytes);
        } else {
            self.stripping.feed(bytes, &mut self.ready);
        }
        self.copied();
        &self.ready
    }

    /// There are no more bytes; gives the rest of the copy.
    pub(crate) fn finish(&mut self) -> &[u8] {
        self.ready.clear();
        if !self.env {
            self.stripping.finish(&mut self.ready);
        }
        self.copied();
        self.model.finish();
        self.look_for_names();
        &self.ready
    }

    /// What the copy says, as HTML. `palette` has the picture's colours: a role, its colour, the next role.
    pub(crate) fn article(&mut self, name: &str, palette: Vec<String>) -> String {
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

    /// Replays the copy in order of time, for what threads did.
    fn replay(&mut self) {
        let Some(mut replay) = self.model.replay() else { return };
        let read = |offset: u64, length: u64| Ok::<_, Infallible>(part(&self.kept, offset, length));
        let Ok(_) = work(&mut replay, &mut self.model, read);
    }

    /// Reads the names again that were too many to be kept at first: those that are in the part that is kept.
    fn look_for_names(&mut self) {
        let Some(mut names) = self.model.late_names() else { return };
        let read = |offset: u64, length: u64| Ok::<_, Infallible>(part(&self.kept, offset, length));
        let Ok(_) = work(&mut names, &mut self.model, read);
    }

    fn copied(&mut self) {
        self.model.feed(&self.ready);
        let room = KEPT - self.kept.len();
        self.kept.extend(self.ready.iter().take(room));
    }
}

/// A part of `bytes`; empty if it is not within them.
fn part(bytes: &[u8], offset: u64, length: u64) -> &[u8] {
    let ends = usize::try_from(offset).ok().zip(usize::try_from(offset + length).ok());
    ends.and_then(|(from, to)| bytes.get(from..to)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use conformance::{Secrets, gives_away, heavy, planted, secretive};
    use ghc_eventlog::VARIABLE;

    /// The copy and the article of a log that is fed in pieces.
    fn saved(log: &[u8], env: bool, piece: usize) -> [Vec<u8>; 2] {
        let mut saved = Saved::new(log.len() as u64, env, "");
        let mut copy = Vec::new();
        log.chunks(piece).for_each(|bytes| copy.extend_from_slice(saved.feed(bytes)));
        copy.extend_from_slice(saved.finish());
        let article = saved.article("run.eventlog", Vec::new());
        [copy, article.into_bytes()]
    }

    #[test]
    fn a_page_saved_without_the_environment_has_no_secret() {
        let mut random = fastrand::Rng::with_seed(13);
        let secrets = Secrets::new(&mut random);
        let strip = Strip { env: true, args: false, messages: false };
        let mut tried = 0;
        for one in planted(&[], &secrets, &mut random, 10) {
            for piece in [one.log.len(), 1 << 12, 77] {
                let [copy, article] = saved(&one.log, false, piece);
                assert_eq!(copy.len(), one.log.len(), "{}", one.place);
                for bytes in [copy, article] {
                    assert_eq!(secrets.given_away(&bytes, strip), [""; 0], "{} by {piece}", one.place);
                }
                tried += 1;
            }
        }
        assert!(tried > 300, "{tried}");
    }

    #[test]
    fn an_article_has_names_that_come_late() {
        let mut log = Vec::new();
        heavy::info_tables(33_000, 32_900..33_000, &mut log).expect("a list takes all");
        let [copy, article] = saved(&log, true, 1 << 16);
        let article = String::from_utf8_lossy(&article).into_owned();
        assert!(copy == log && ["f32999", "M329", "src/M329.hs"].iter().all(|text| article.contains(text)));
    }

    #[test]
    fn a_page_saved_with_the_environment_has_it() {
        let secrets = Secrets::new(&mut fastrand::Rng::with_seed(17));
        let (log, _) = secretive(&secrets, VARIABLE);
        let [copy, article] = saved(&log, true, 1000);
        assert!(copy == log && gives_away(&article, &secrets.env));
        let [copy, article] = saved(&log, false, 1000);
        assert!(
            gives_away(&copy, &secrets.args) && gives_away(&article, &secrets.args),
            "what is not left out is there"
        );
    }
}
