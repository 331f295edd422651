//! The checks themselves: kernels with planted faults must not pass them.

#![cfg(feature = "testing")]

use passband_kernels::SimdLevel;
use passband_kernels::shape::{Blockwise, Kernel};
use passband_kernels::state::{Fingerprint, Reader, Snapshot, Writer};
use passband_kernels::testing::{About, Case, Plan, Rng, blockwise, same_bits};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What is wrong with a [`Sum`].
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    None,
    /// The past is lost where a call starts.
    Split,
    /// One output more is written than reported.
    Surplus,
    /// One output is left as it was.
    Gap,
    /// A snapshot restores nothing.
    Snapshot,
    /// A reset leaves the past.
    Reset,
    /// Results are off by one part in a thousand.
    Inexact,
}

/// `y[n] = x[n] + x[n - 1]`.
struct Sum {
    past: f32,
    fault: Fault,
}

impl Snapshot for Sum {
    fn kernel_id(&self) -> u32 {
        0
    }
    fn fingerprint(&self, _: &mut Fingerprint) {}
    fn payload_len(&self) -> usize {
        4
    }
    fn write(&self, to: &mut Writer<'_>) {
        to.samples(&[self.past]);
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        let past = from.sample()?;
        if self.fault != Fault::Snapshot {
            self.past = past;
        }
        Some(())
    }
}

impl Kernel for Sum {
    fn reset(&mut self) {
        if self.fault != Fault::Reset {
            self.past = 0.0;
        }
    }
}

impl Blockwise for Sum {
    type Input = f32;
    type Output = f32;

    fn steps(&mut self, x: &[f32], out: &mut [f32]) -> usize {
        let n = x.len().min(out.len());
        if self.fault == Fault::Split {
            self.past = 0.0;
        }
        let gain = if self.fault == Fault::Inexact { 1.001 } else { 1.0 };
        for (i, (y, x)) in out.iter_mut().zip(x).enumerate() {
            if self.fault != Fault::Gap || i != 5 {
                *y = gain * (x + self.past);
            }
            self.past = *x;
        }
        match (self.fault, n) {
            (Fault::Surplus, 2..) => n - 1,
            _ => n,
        }
    }
}

fn sum(fault: Fault) -> Case {
    let about = About {
        family: "planted",
        kernel: "Sum",
        summary: "sum of two",
        variant: format!("{fault:?}"),
        max_error: 1.2e-7,
        snr_db: 140.0,
        flops: 1.0,
        bytes: 8.0,
        benched: false,
    };
    let reference = |x: &[f32]| {
        let past = std::iter::once(0.0).chain(x.iter().copied());
        x.iter().zip(past).map(|(x, past)| f64::from(*x) + f64::from(past)).collect()
    };
    blockwise(about, move |_| Sum { past: 0.0, fault }, reference)
}

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
fn a_kernel_without_fault_passes() {
    assert!(passes(&sum(Fault::None)));
}

#[test]
fn planted_faults_go_red() {
    use Fault::{Gap, Inexact, Reset, Snapshot, Split, Surplus};
    for fault in [Split, Surplus, Gap, Snapshot, Reset, Inexact] {
        assert!(!passes(&sum(fault)), "{fault:?} was not found");
    }
}
