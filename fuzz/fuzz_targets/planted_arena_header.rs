//! The target `arena_header`, by rules that forget one: it must fail.
#![no_main]

use passband_fuzz::{Header, Rules, check_header};

libfuzzer_sys::fuzz_target!(|header: Header| check_header(&header, Rules::ForgetPowersOfTwo));
