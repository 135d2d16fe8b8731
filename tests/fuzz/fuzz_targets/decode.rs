//! Decodes any bytes with all fields, feeds them to the model, and queries it. Nothing may panic, hang, or allocate by
//! a length field.
#![no_main]

use conformance::check_decoding;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|log: &[u8]| check_decoding(log));
