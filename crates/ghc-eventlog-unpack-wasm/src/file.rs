//! A file that is read by a JavaScript function.

use ghc_eventlog_unpack::Stored;
use js_sys::{Function, Uint8Array};
use std::io::{self, Read, Seek, SeekFrom};
use wasm_bindgen::{JsCast, JsValue};

pub(crate) struct JsFile {
    read: Function,
    size: u64,
    at: u64,
}

impl JsFile {
    pub(crate) fn new(read: Function, size: u64) -> Self {
        Self { read, size, at: 0 }
    }

    pub(crate) fn rewind(&mut self) {
        self.at = 0;
    }
}

impl Stored for JsFile {
    fn again(&self) -> io::Result<Self> {
        Ok(Self { read: self.read.clone(), size: self.size, at: 0 })
    }
}

impl Read for JsFile {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let length = self.size.saturating_sub(self.at).min(out.len() as u64);
        if length == 0 {
            return Ok(0);
        }
        let given = self.read.call2(&JsValue::NULL, &(self.at as f64).into(), &(length as f64).into());
        let bytes: Uint8Array = given.and_then(JsCast::dyn_into).map_err(|_| io::Error::other("it cannot be read"))?;
        let read = (bytes.length() as usize).min(out.len());
        if let Some(out) = out.get_mut(..read) {
            bytes.subarray(0, read as u32).copy_to(out);
        }
        self.at += read as u64;
        Ok(read)
    }
}

impl Seek for JsFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (from, by) = match to {
            SeekFrom::Start(at) => (at, 0),
            SeekFrom::End(by) => (self.size, by),
            SeekFrom::Current(by) => (self.at, by),
        };
        self.at = from.checked_add_signed(by).ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        Ok(self.at)
    }
}
