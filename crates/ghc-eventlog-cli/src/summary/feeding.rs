//! A model that is fed, in a thread of its own, with what is read of a log: it takes longer than whatever else is done with
//! the bytes.

use ghc_eventlog_model::Model;
use std::{
    io::{self, Read},
    mem,
    sync::mpsc::{SyncSender, sync_channel},
    thread::{self, JoinHandle},
};

/// Bytes that are handed over at once.
const PIECE: usize = 1 << 20;

/// How many of those may wait.
const WAITING: usize = 4;

/// A log whose bytes are given to a model, too, as they are read.
pub(super) struct Feeding<R> {
    log: R,
    /// What has been read, and not been handed over yet.
    piece: Vec<u8>,
    pieces: SyncSender<Vec<u8>>,
    model: JoinHandle<Model>,
}

impl<R> Feeding<R> {
    /// Of a log of so many bytes, as far as that is known.
    pub(super) fn of(log: R, length: Option<u64>) -> Self {
        let (pieces, waiting) = sync_channel::<Vec<u8>>(WAITING);
        let feed = move || {
            let mut model = Model::of_size(length);
            waiting.into_iter().for_each(|piece| model.feed(&piece));
            model
        };
        Self { log, piece: Vec::new(), pieces, model: thread::spawn(feed) }
    }

    /// The log, and the model of all that was read.
    pub(super) fn finish(mut self) -> io::Result<(R, Model)> {
        self.hand_over();
        drop(self.pieces);
        let model = self.model.join().map_err(|_| io::Error::other("the log's figures could not be made"))?;
        Ok((self.log, model))
    }

    fn hand_over(&mut self) {
        // Nobody takes it any more only if the other thread has died; then its end is told by `finish`.
        let _ = self.pieces.send(mem::take(&mut self.piece));
    }
}

impl<R: Read> Read for Feeding<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.log.read(out)?;
        self.piece.extend_from_slice(out.get(..read).unwrap_or_default());
        if self.piece.len() >= PIECE {
            self.hand_over();
        }
        Ok(read)
    }
}
