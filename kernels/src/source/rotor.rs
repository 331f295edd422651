//! A rotating phasor: exact at the start of each block of 64 samples, rotated within it.
//!
//! Sample `64 b + i` since the last retune is `e^(j phase(b)) * e^(j i increment)`: the first
//! factor from the 64-bit phase, the second from a table that a retune computes. Neither errors
//! nor amplitudes can build up, and the result depends on the sample's number alone.

use super::phase::{checked, from_cycles, phasor, to_cycles, to_signed_cycles};
use crate::shape::ConfigError;
use crate::state::{Reader, Writer};
use num_complex::Complex;

/// Samples per block.
pub(super) const BLOCK: usize = 64;

/// Consecutive phasors of one block: `table * seed`.
pub(super) struct Phasors<'a> {
    seed: Complex<f32>,
    table: &'a [f32],
    turned: &'a [f32],
}

impl Phasors<'_> {
    /// The phasors, components interleaved.
    #[inline(always)]
    pub(super) fn components(&self) -> impl Iterator<Item = f32> {
        let Complex { re, im } = self.seed;
        self.table.iter().zip(self.turned).map(move |(t, j)| t * re + j * im)
    }

    /// The phasors in pairs of components.
    #[inline(always)]
    pub(super) fn pairs(&self) -> impl Iterator<Item = [f32; 2]> {
        let Complex { re, im } = self.seed;
        let (table, turned) = (self.table.as_chunks::<2>().0, self.turned.as_chunks::<2>().0);
        table.iter().zip(turned).map(move |([a, b], [c, d])| [a * re + c * im, b * re + d * im])
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Rotor {
    /// Frequency and phase to reset to.
    first: [f64; 2],
    /// The phase of the first sample of the current block.
    start: u64,
    increment: u64,
    /// The next sample's place in the block.
    index: usize,
    /// `e^(j i increment)`, components interleaved, and the same times j: products with a phasor
    /// then need no shuffles.
    table: [[f32; 2 * BLOCK]; 2],
}

impl Rotor {
    pub(crate) fn new(freq: f64, phase: f64) -> Result<Self, ConfigError> {
        let first = [checked(freq, "freq")?, checked(phase, "phase")?];
        let increment = from_cycles(freq);
        Ok(Self { first, start: from_cycles(phase), increment, index: 0, table: table(increment) })
    }

    pub(crate) fn reset(&mut self) {
        let [freq, phase] = self.first.map(from_cycles);
        self.set(phase, freq, 0);
    }

    fn set(&mut self, start: u64, increment: u64, index: usize) {
        (self.start, self.increment, self.index) = (start, increment, index);
        self.table = table(increment);
    }

    /// The frequency in cycles per sample, in `[-0.5, 0.5)`.
    pub(crate) fn freq(&self) -> f64 {
        to_signed_cycles(self.increment)
    }

    /// The phase of the next sample in cycles.
    pub(super) fn phase(&self) -> f64 {
        to_cycles(self.next_phase())
    }

    fn next_phase(&self) -> u64 {
        self.start.wrapping_add(self.increment.wrapping_mul(self.index as u64))
    }

    /// Goes on from the phase of the next sample at another frequency, on a new grid of blocks.
    pub(crate) fn retune(&mut self, freq: f64) -> Result<(), ConfigError> {
        let increment = from_cycles(checked(freq, "freq")?);
        self.set(self.next_phase(), increment, 0);
        Ok(())
    }

    /// Calls `block` for the samples of each block in turn until `out` is full.
    #[inline(always)]
    pub(super) fn blocks<T>(&mut self, mut out: &mut [T], mut block: impl FnMut(Phasors<'_>, &mut [T])) {
        while !out.is_empty() {
            let count = (BLOCK - self.index).min(out.len());
            let Some((head, tail)) = out.split_at_mut_checked(count) else { return };
            let places = 2 * self.index..2 * (self.index + count);
            let [table, turned] = &self.table;
            let (table, turned) = (table.get(places.clone()), turned.get(places));
            let seed = phasor(self.start);
            block(Phasors { seed, table: table.unwrap_or(&[]), turned: turned.unwrap_or(&[]) }, head);
            out = tail;
            self.index += count;
            if self.index == BLOCK {
                self.index = 0;
                self.start = self.start.wrapping_add(self.increment.wrapping_mul(BLOCK as u64));
            }
        }
    }

    pub(crate) const PAYLOAD: usize = 3 * size_of::<u64>();

    pub(crate) fn write(&self, to: &mut Writer<'_>) {
        to.u64(self.start);
        to.u64(self.increment);
        to.u64(self.index as u64);
    }

    pub(crate) fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        let (start, increment, index) = (from.u64()?, from.u64()?, from.u64()?);
        let index = usize::try_from(index).ok().filter(|index| *index < BLOCK)?;
        self.set(start, increment, index);
        Some(())
    }
}

/// What every kernel round one [`Rotor`] has: constructors, the frequency and phase, snapshots.
///
/// `$what` completes "A .. `freq` cycles per sample that starts at `phase` cycles."
macro_rules! over_rotor {
    ($kernel:ident, $id:expr, $what:literal) => {
        impl $kernel {
            #[doc = $what]
            /// `freq` cycles per sample that starts at `phase` cycles.
            ///
            /// # Errors
            /// [`ConfigError`](crate::shape::ConfigError) for a frequency or phase that is not finite.
            pub fn new(freq: f64, phase: f64) -> Result<Self, crate::shape::ConfigError> {
                Self::with_level(freq, phase, SimdLevel::best())
            }

            /// The same for a level.
            ///
            /// # Errors
            /// [`ConfigError`](crate::shape::ConfigError) for a frequency or phase that is not finite.
            pub fn with_level(
                freq: f64,
                phase: f64,
                level: SimdLevel,
            ) -> Result<Self, crate::shape::ConfigError> {
                Ok(Self { level, rotor: Rotor::new(freq, phase)? })
            }

            /// Changes the frequency from the next sample on, without a jump of the phase.
            ///
            /// # Errors
            /// [`ConfigError`](crate::shape::ConfigError) for a frequency that is not finite; nothing
            /// changes.
            pub fn set_freq(&mut self, freq: f64) -> Result<(), crate::shape::ConfigError> {
                self.rotor.retune(freq)
            }

            /// The frequency in cycles per sample, in `[-0.5, 0.5)`.
            #[must_use]
            pub fn freq(&self) -> f64 {
                self.rotor.freq()
            }

            /// The phase of the next sample in cycles, in `[0, 1)`.
            #[must_use]
            pub fn phase(&self) -> f64 {
                self.rotor.phase()
            }
        }

        impl crate::state::Snapshot for $kernel {
            fn kernel_id(&self) -> u32 {
                $id
            }
            fn fingerprint(&self, _: &mut crate::state::Fingerprint) {
                // Frequency and phase are state.
            }
            fn payload_len(&self) -> usize {
                Rotor::PAYLOAD
            }
            fn write(&self, to: &mut crate::state::Writer<'_>) {
                self.rotor.write(to);
            }
            fn read(&mut self, from: &mut crate::state::Reader<'_>) -> Option<()> {
                self.rotor.read(from)
            }
        }

        impl crate::shape::Kernel for $kernel {
            fn reset(&mut self) {
                self.rotor.reset();
            }
        }
    };
}
pub(super) use over_rotor;

fn table(increment: u64) -> [[f32; 2 * BLOCK]; 2] {
    let mut tables = [[0.0; 2 * BLOCK]; 2];
    let [table, turned] = &mut tables;
    let pairs = table.as_chunks_mut().0.iter_mut().zip(turned.as_chunks_mut().0);
    for (i, (pair, turned)) in (0u64..).zip(pairs) {
        let Complex { re, im } = phasor(increment.wrapping_mul(i));
        *pair = [re, im];
        *turned = [-im, re];
    }
    tables
}
