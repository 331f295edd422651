//! Attaches files with made-up headers.
#![no_main]

use passband_fuzz::{Header, Rules, check_header};

libfuzzer_sys::fuzz_target!(|header: Header| check_header(&header, Rules::All));
