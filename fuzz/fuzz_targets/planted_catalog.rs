//! The target `catalog` over a kernel that loses the past: it must fail.
#![no_main]

use passband_fuzz::{Cuts, check};
use passband_kernels::testing::Case;
use passband_kernels::testing::planted::{self, Fault};
use std::sync::LazyLock;

static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| vec![planted::sum(Fault::ForgetsAtThree)]);

libfuzzer_sys::fuzz_target!(|input: Cuts| check(&CASES, &input));
