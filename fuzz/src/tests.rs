//! Planted faults, which the targets must find.

use crate::{Cuts, check};
use libfuzzer_sys::arbitrary::{Arbitrary, Unstructured};
use passband_kernels::shape::{Blockwise, Kernel};
use passband_kernels::state::{Fingerprint, Reader, Snapshot, Writer};
use passband_kernels::testing::{About, Case, Rng, blockwise};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// `y[n] = x[n] + x[n - 1]`, which forgets the past before a call of `forgets` samples.
struct Sum {
    last: f32,
    forgets: usize,
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
        from.samples(std::slice::from_mut(&mut self.last))
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
        if n == self.forgets {
            self.last = 0.0;
        }
        for (y, x) in out.iter_mut().zip(x) {
            *y = x + self.last;
            self.last = *x;
        }
        n
    }
}

fn sum(forgets: usize) -> Case {
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
    blockwise(about, move |_| Sum { last: 0.0, forgets }, reference)
}

/// How many of a thousand random inputs make a check panic.
fn found(check: impl Fn(&[u8])) -> usize {
    let mut rng = Rng::new(1);
    let inputs = std::iter::repeat_with(|| {
        let len = rng.below(200);
        std::iter::repeat_with(|| rng.bits() as u8).take(len).collect::<Vec<_>>()
    });
    inputs.take(1000).filter(|bytes| catch_unwind(AssertUnwindSafe(|| check(bytes))).is_err()).count()
}

#[test]
fn the_catalog_target_finds_a_call_length_that_loses_the_past() {
    let run = |forgets| {
        let cases = [sum(forgets)];
        found(|bytes| {
            check(&cases, &Cuts::arbitrary(&mut Unstructured::new(bytes)).expect("input"));
        })
    };
    assert_eq!(run(usize::MAX), 0);
    assert_ne!(run(3), 0);
}
