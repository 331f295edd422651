//! Cuts streams through every kernel of the catalog in every way.
#![no_main]

use passband_fuzz::{Cuts, check};
use passband_kernels::{catalog, testing::Case};
use std::sync::LazyLock;

static CASES: LazyLock<Vec<Case>> = LazyLock::new(catalog::all);

libfuzzer_sys::fuzz_target!(|cuts: Cuts| check(&CASES, &cuts));
