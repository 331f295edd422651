//! Mixing at the ends of a receiver and a transmitter, where samples may be real.

use super::mixer::{Mix, Mixed};
use super::rotor::Rotor;
use crate::sample::Sample;
use crate::shape::{Blockwise, Kernel};
use crate::simd::SimdLevel;
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
use core::marker::PhantomData;

/// A shift of a spectrum from samples of type `X` to samples of type `Y`.
#[derive(Clone, Debug)]
pub(crate) struct Shift<X, Y> {
    pub(crate) rotor: Rotor,
    level: SimdLevel,
    samples: PhantomData<(X, Y)>,
}

impl<X, Y> Shift<X, Y> {
    pub(crate) const fn new(rotor: Rotor, level: SimdLevel) -> Self {
        Self { rotor, level, samples: PhantomData }
    }
}

impl<X: Mixed<Y>, Y: Sample> Snapshot for Shift<X, Y> {
    fn kernel_id(&self) -> u32 {
        id::of(id::MIXER, X::CODE, Y::CODE)
    }
    fn fingerprint(&self, _: &mut Fingerprint) {
        // Frequency and phase are state.
    }
    fn payload_len(&self) -> usize {
        Rotor::PAYLOAD
    }
    fn write(&self, to: &mut Writer<'_>) {
        self.rotor.write(to);
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        self.rotor.read(from)
    }
}

impl<X: Mixed<Y>, Y: Sample> Kernel for Shift<X, Y> {
    fn reset(&mut self) {
        self.rotor.reset();
    }
}

impl<X: Mixed<Y>, Y: Sample> Blockwise for Shift<X, Y> {
    type Input = X;
    type Output = Y;

    fn steps(&mut self, x: &[X], out: &mut [Y]) -> usize {
        let n = x.len().min(out.len());
        let out = out.get_mut(..n).unwrap_or_default();
        self.level.run(Mix { rotor: &mut self.rotor, x, out });
        n
    }
}
