//! Planted faults, which the targets must find.

use crate::{check, check_snapshot};
use libfuzzer_sys::arbitrary::{Arbitrary, Unstructured};
use passband_kernels::shape::{Blockwise, Kernel};
use passband_kernels::state::{Fingerprint, Reader, Snapshot, Writer};
use passband_kernels::testing::{About, Case, Rng, blockwise};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// `y[n] = x[n] + x[n - 1]`.
struct Sum {
    last: f32,
    fault: Fault,
}

#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    /// The past is lost before a call of three samples.
    ForgetsAtThree,
    /// A refused snapshot has been read already.
    ReadsBeforeItRefuses,
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
        to.samples(&[self.last]);
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        // Signals are within -1 to 1, other states out of reach.
        let before = self.last;
        from.samples(std::slice::from_mut(&mut self.last))?;
        if self.last.abs() <= 1.0 {
            return Some(());
        }
        if self.fault != Fault::ReadsBeforeItRefuses {
            self.last = before;
        }
        None
    }
}

impl Kernel for Sum {
    fn reset(&mut self) {
        self.last = 0.0;
    }
}

impl Blockwise for Sum {
    type Input = f32;
    type Output = f32;

    fn steps(&mut self, x: &[f32], out: &mut [f32]) -> usize {
        let n = x.len().min(out.len());
        if n == 3 && self.fault == Fault::ForgetsAtThree {
            self.last = 0.0;
        }
        for (y, x) in out.iter_mut().zip(x) {
            *y = x + self.last;
            self.last = *x;
        }
        n
    }
}

fn sum(fault: Fault) -> Case {
    let about = About {
        family: "planted",
        kernel: "Sum",
        summary: "sum of two",
        variant: "float32".into(),
        max_error: 1e-7,
        snr_db: 140.0,
        flops: 1.0,
        bytes: 8.0,
        benched: false,
    };
    let past = |x: &[f32], n: usize| n.checked_sub(1).map_or(0.0, |n| f64::from(x[n]));
    let reference = move |x: &[f32]| (0..x.len()).map(|n| f64::from(x[n]) + past(x, n)).collect();
    blockwise(about, move |_| Sum { last: 0.0, fault }, reference)
}

/// How many of some thousand random inputs make a check of [`Sum`] panic.
fn found<'a, T: Arbitrary<'a>>(fault: Fault, check: impl Fn(&[Case], &T)) -> usize {
    let cases = [sum(fault)];
    let mut rng = Rng::new(1);
    let inputs = std::iter::repeat_with(|| {
        let len = rng.below(200);
        let bytes: Vec<_> = std::iter::repeat_with(|| rng.bits() as u8).take(len).collect();
        T::arbitrary(&mut Unstructured::new(bytes.leak())).expect("any bytes are an input")
    });
    inputs.take(5000).filter(|input| catch_unwind(AssertUnwindSafe(|| check(&cases, input))).is_err()).count()
}

#[test]
fn the_catalog_target_finds_a_call_length_that_loses_the_past() {
    assert_eq!(found(Fault::None, check), 0);
    assert_ne!(found(Fault::ForgetsAtThree, check), 0);
}

#[test]
fn the_snapshot_target_finds_a_refused_state_that_stays() {
    assert_eq!(found(Fault::None, check_snapshot), 0);
    assert_ne!(found(Fault::ReadsBeforeItRefuses, check_snapshot), 0);
}
