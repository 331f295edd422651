//! Frequencies in the unit of a sample rate.

use num_complex::Complex;
use passband_kernels::sample::Sample;
use passband_kernels::shape::{Blockwise, Kernel};
use passband_kernels::source::{Frequency, Nco};
use passband_kernels::state::{Fingerprint, Reader, Snapshot, Writer, id};
use std::marker::PhantomData;

/// An [`Nco`] whose frequencies are in the unit of `fs`, divided in double precision.
pub(super) struct InHertz<F> {
    nco: Nco<f64>,
    fs: f64,
    input: PhantomData<F>,
}

/// Samples divided at a time.
const BLOCK: usize = 64;

impl<F> InHertz<F> {
    pub(super) fn new(nco: Nco<f64>, fs: f64) -> Self {
        Self { nco, fs, input: PhantomData }
    }
}

impl<F: Frequency> Blockwise for InHertz<F> {
    type Input = F;
    type Output = Complex<f32>;

    fn steps(&mut self, x: &[F], out: &mut [Complex<f32>]) -> usize {
        let mut ratios = [0.0; BLOCK];
        for (x, out) in x.chunks(BLOCK).zip(out.chunks_mut(BLOCK)) {
            for (ratio, x) in ratios.iter_mut().zip(x) {
                *ratio = (*x).into() / self.fs;
            }
            self.nco.steps(&ratios[..x.len()], out);
        }
        x.len().min(out.len())
    }
}

impl<F: Frequency> Kernel for InHertz<F> {
    fn reset(&mut self) {
        self.nco.reset();
    }
}

impl<F: Frequency> Snapshot for InHertz<F> {
    fn kernel_id(&self) -> u32 {
        id::of(id::NCO, F::CODE, <Complex<f32> as Sample>::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        hash.sample(self.fs);
    }
    fn payload_len(&self) -> usize {
        self.nco.payload_len()
    }
    fn write(&self, to: &mut Writer<'_>) {
        self.nco.write(to);
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        self.nco.read(from)
    }
}
