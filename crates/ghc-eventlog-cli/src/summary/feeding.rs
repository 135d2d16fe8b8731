//! A model that is fed, in a thread of its own, with what is read of a log: it takes longer than whatever else is done with
//! the bytes.

use ghc_eventlog_model::Model;
use std::{
    io::{self, Read},
    mem,
    sync::mpsc::{Receiver, SyncSender, channel, sync_channel},
    thread::{self, JoinHandle},
};

/// Bytes that are handed over at once.
const PIECE: usize = 1 << 18;

/// How many of those may wait.
const WAITING: usize = 16;

/// A log whose bytes are given to a model, too, as they are read.
pub(super) struct Feeding<R> {
    log: R,
    /// What has been read, and not been handed over yet.
    piece: Vec<u8>,
    pieces: SyncSender<Vec<u8>>,
    /// Pieces that the model has taken: their memory is used again, since the system clears what it gives anew.
    taken: Receiver<Vec<u8>>,
    model: JoinHandle<Model>,
}

impl<R> Feeding<R> {
    /// Of a log, with a model of which nothing has been read.
    pub(super) fn of(log: R, mut model: Model) -> Self {
        let (pieces, waiting) = sync_channel::<Vec<u8>>(WAITING);
        let (give_back, taken) = channel();
        let feed = move || {
            for mut piece in waiting {
                model.feed(&piece);
                piece.clear();
                // At the end nobody wants it back.
                let _ = give_back.send(piece);
            }
            model
        };
        Self { log, piece: Vec::new(), pieces, taken, model: thread::spawn(feed) }
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
        let next = self.taken.try_recv().unwrap_or_default();
        let _ = self.pieces.send(mem::replace(&mut self.piece, next));
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
