//! Zstandard frames, one after the other (RFC 8878, 3.1).

use crate::padding::padded;
use ruzstd::decoding::{
    BlockDecodingStrategy, FrameDecoder,
    errors::{FrameDecoderError, ReadFrameHeaderError},
};
use std::{
    error::Error,
    io::{self, BufRead, ErrorKind, Read},
};

/// An empty last block of a frame, and room for a checksum.
const LAST_BLOCK: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];

/// The content of the frames, with [padding](padded) between and after them.
pub(crate) struct Frames<R> {
    compressed: R,
    decoder: FrameDecoder,
    /// An error, to be returned after the bytes before it.
    error: Option<io::Error>,
}

impl<R: BufRead> Frames<R> {
    pub(crate) fn new(compressed: R) -> Self {
        Self { compressed, decoder: FrameDecoder::new(), error: None }
    }

    /// Unpacks a block, or moves to the next frame. Returns whether there was one.
    fn advance(&mut self) -> io::Result<bool> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        if self.decoder.is_finished() {
            return self.next_frame();
        }
        if let Err(error) = self.decoder.decode_blocks(&mut self.compressed, BlockDecodingStrategy::UptoBlocks(1)) {
            self.error = Some(in_words(&error));
            // The decoder keeps back the megabytes that later blocks may refer to, until the frame ends.
            self.decoder.decode_blocks(&LAST_BLOCK[..], BlockDecodingStrategy::All).map_err(io::Error::other)?;
        }
        Ok(true)
    }

    fn next_frame(&mut self) -> io::Result<bool> {
        let sum = self.decoder.get_checksum_from_data();
        if sum.is_some() && sum != self.decoder.get_calculated_checksum() {
            return Err(io::Error::new(ErrorKind::InvalidData, "the checksum does not match"));
        }
        if padded(&mut self.compressed)?.is_none() {
            return Ok(false);
        }
        match self.decoder.init(&mut self.compressed) {
            Ok(()) => Ok(true),
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                self.skip(length.into())
            }
            Err(error) => Err(in_words(&error)),
        }
    }

    fn skip(&mut self, length: u64) -> io::Result<bool> {
        let skipped = io::copy(&mut self.compressed.by_ref().take(length), &mut io::sink())?;
        if skipped == length { Ok(true) } else { Err(ErrorKind::UnexpectedEof.into()) }
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.decoder.can_collect() == 0 {
            if !self.advance()? {
                return Ok(0);
            }
        }
        self.decoder.read(out)
    }
}

/// An error in words for people. Bytes that end too early have an error kind of their own.
fn in_words(error: &FrameDecoderError) -> io::Error {
    if is_end(error) {
        return ErrorKind::UnexpectedEof.into();
    }
    let text = match error {
        FrameDecoderError::FailedToReadBlockHeader(_) | FrameDecoderError::FailedToReadBlockBody(_) => {
            "corrupt zstd block".to_string()
        }
        FrameDecoderError::ReadFrameHeaderError(_) => "corrupt zstd frame".to_string(),
        FrameDecoderError::WindowSizeTooBig { requested, max } => {
            format!("a zstd window of {requested} bytes, more than the {max} that there is memory for")
        }
        FrameDecoderError::DictNotProvided { .. } => "packed with a zstd dictionary, which is not there".to_string(),
        error => error.to_string(),
    };
    io::Error::new(ErrorKind::InvalidData, text)
}

/// Whether the cause of an error is that there are no more bytes.
fn is_end(error: &(dyn Error + 'static)) -> bool {
    let at_end = |error: &io::Error| error.kind() == ErrorKind::UnexpectedEof;
    error.downcast_ref().is_some_and(at_end) || error.source().is_some_and(is_end)
}
