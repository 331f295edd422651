//! Planted faults: a kernel for each target, in which it must find one.

use passband_kernels::shape::{Blockwise, Kernel};
use passband_kernels::state::{Fingerprint, Reader, Snapshot, Writer};
use passband_kernels::testing::{About, Case, blockwise};

/// `y[n] = x[n] + x[n - 1]`.
struct Sum {
    last: f32,
    fault: Fault,
}

/// What is wrong with the planted kernel.
#[derive(Clone, Copy, PartialEq)]
pub enum Fault {
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

/// A sum of two with a fault, as a catalog of its own.
#[must_use]
pub fn catalog(fault: Fault) -> Vec<Case> {
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
    vec![blockwise(about, move |_| Sum { last: 0.0, fault }, reference)]
}
