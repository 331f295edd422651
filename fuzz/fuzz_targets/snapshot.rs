//! Loads damaged and made-up states into every kernel of the catalog.
#![no_main]

use passband_fuzz::{Snapshot, check_snapshot};
use passband_kernels::{catalog, testing::Case};
use std::sync::LazyLock;

static CASES: LazyLock<Vec<Case>> = LazyLock::new(catalog::all);

libfuzzer_sys::fuzz_target!(|snapshot: Snapshot| check_snapshot(&CASES, &snapshot));
