//! The target `snapshot` over a kernel that keeps refused states: it must fail.
#![no_main]

use passband_fuzz::{Snapshot, check_snapshot};
use passband_kernels::testing::Case;
use passband_kernels::testing::planted::{self, Fault};
use std::sync::LazyLock;

static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| vec![planted::sum(Fault::ReadsBeforeItRefuses)]);

libfuzzer_sys::fuzz_target!(|input: Snapshot| check_snapshot(&CASES, &input));
