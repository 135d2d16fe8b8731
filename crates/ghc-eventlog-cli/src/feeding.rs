//! Feeds a model in its own thread while a log is read, since the model takes longer than anything else that is done
//! with the bytes.

use ghc_eventlog_model::Model;
use std::{
    io::{self, Read},
    mem,
    sync::mpsc::{Receiver, SyncSender, channel, sync_channel},
    thread::{self, JoinHandle},
};

/// How many bytes are passed to the thread at once.
const PIECE: usize = 1 << 18;

/// How many such pieces may wait.
const WAITING: usize = 16;

/// A reader of a log that also passes the bytes to a model.
pub(crate) struct Feeding<R> {
    log: R,
    /// Bytes that have been read and not yet passed on.
    piece: Vec<u8>,
    pieces: SyncSender<Vec<u8>>,
    /// Pieces that the model is done with. Their memory is used again, because the system would clear new memory.
    taken: Receiver<Vec<u8>>,
    model: JoinHandle<Model>,
}

impl<R> Feeding<R> {
    /// For a log, and a model that has read nothing.
    pub(crate) fn of(log: R, mut model: Model) -> Self {
        let (pieces, waiting) = sync_channel::<Vec<u8>>(WAITING);
        let (give_back, taken) = channel();
        let feed = move || {
            for mut piece in waiting {
                model.feed(&piece);
                piece.clear();
                // At the end, the reader no longer takes pieces back.
                let _ = give_back.send(piece);
            }
            model
        };
        Self { log, piece: Vec::new(), pieces, taken, model: thread::spawn(feed) }
    }

    /// The log, and the model of all that was read.
    pub(crate) fn finish(mut self) -> io::Result<(R, Model)> {
        self.hand_over();
        drop(self.pieces);
        let model = self.model.join().map_err(|_| io::Error::other("the log's figures could not be made"))?;
        Ok((self.log, model))
    }

    fn hand_over(&mut self) {
        // This only fails if the other thread has panicked, which `finish` reports.
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
