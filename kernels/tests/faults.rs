//! The checks themselves: kernels with planted faults must not pass them.

#![cfg(feature = "testing")]

use passband_kernels::SimdLevel;
use passband_kernels::testing::planted::{Fault, shapes, sum};
use passband_kernels::testing::{Case, Plan, Rng, same_bits};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Whether the checks of conformance pass a case.
fn passes(case: &Case) -> bool {
    let check = || {
        let whole = Plan::whole(SimdLevel::SCALAR, 1, 67);
        let result = case.run(&whole);
        let same = |plan: &Plan| same_bits(&case.run(plan), &result).is_none();
        let mut rng = Rng::new(1);
        let exact = case.deviation(&whole).max_error <= case.about.max_error;
        exact && (0..=67).all(|at| same(&whole.cut(at))) && (0..40).all(|_| same(&whole.shredded(&mut rng)))
    };
    catch_unwind(AssertUnwindSafe(check)).unwrap_or(false)
}

#[test]
fn kernels_without_fault_pass() {
    assert!(passes(&sum(Fault::None)));
    for case in shapes(Fault::None) {
        assert!(passes(&case), "{}", case.shape);
    }
}

#[test]
fn planted_faults_go_red() {
    use Fault::{ForgetsAtThree, Gap, Inexact, Reset, Snapshot, Split, Surplus};
    for fault in [Split, ForgetsAtThree, Surplus, Gap, Snapshot, Reset, Inexact] {
        assert!(!passes(&sum(fault)), "{fault:?} was not found");
    }
}

#[test]
fn planted_faults_go_red_in_every_shape() {
    use Fault::{Flush, Gap, Inexact, Leak, Reset, Snapshot, Split};
    for fault in [Split, Gap, Snapshot, Reset, Inexact, Leak, Flush] {
        for case in shapes(fault) {
            // What a sink gives is the last sample, whatever the sums were.
            let concerned = !matches!((case.shape.to_string().as_str(), fault), ("sink", Inexact));
            assert!(!concerned || !passes(&case), "{fault:?} was not found in {}", case.shape);
        }
    }
}
