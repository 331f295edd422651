//! White noise.

#[cfg(feature = "testing")]
mod cases;
#[cfg(test)]
mod tests;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use super::philox::philox;
use crate::math::{log_with, sincos_with, sqrt_with};
use crate::sample::Float;
use crate::shape::{Generator, Kernel};
use crate::simd::{Body, Lanes, Lanes16, SimdLevel};
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
use core::f64::consts::{FRAC_1_SQRT_2, TAU};
use core::marker::PhantomData;

/// How samples are distributed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distribution {
    /// Normally, of mean 0 and variance 1. Both parts of a complex sample have half of it, so that its
    /// power is 1 and its phase is any.
    Gaussian,
    /// Evenly from -1 to 1; so is each part of a complex sample.
    Uniform,
}

/// White noise, in which each sample is a function of the seed and of its number alone.
///
/// Words of 32 bits come from the counter-based generator Philox4x32-10, whose key is the seed; word
/// `w` stands for the fraction `u = (w + 1/2) / 2^32`. A real number of uniform noise is `2 u - 1`.
/// A pair of Gaussian ones is `sqrt(-2 ln u) [cos 2 pi v, sin 2 pi v]`, of two words.
///
/// * **Accuracy**: computed in double precision and rounded once; `f64` is within 1e-14 of the exact
///   formula. Gaussian numbers end at 6.77, beyond which a true one is once in 10^11. The same bits
///   at every level and on every target.
/// * **Period**: 2^64 numbers, and that many seeds. [`advance`](Self::advance) costs an addition.
/// * **Cost**: 20 operations per uniform number and 90 per Gaussian one, 64 at a time: single
///   samples cost as much as 64. No allocation.
///
/// J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, *Parallel random numbers: as easy as 1, 2, 3*,
/// SC '11. G. E. P. Box and M. E. Muller, *A note on the generation of random normal deviates*, Ann.
/// Math. Stat. 29 (1958).
///
/// ```
/// use passband_kernels::shape::Generator;
/// use passband_kernels::source::{Distribution, Noise};
///
/// let mut noise = Noise::<f32>::new(1, Distribution::Gaussian);
/// let mut y = [0.0; 1000];
/// noise.generate(&mut y);
/// let power = y.iter().map(|y| y * y).sum::<f32>() / 1000.0;
/// assert!((power - 1.0).abs() < 0.1);
/// ```
#[derive(Clone, Debug)]
pub struct Noise<Y> {
    level: SimdLevel,
    seed: u64,
    distribution: Distribution,
    /// Real numbers since the start of the stream.
    position: u64,
    output: PhantomData<Y>,
}

/// Numbers that are computed in one go, two of the widest vectors of counters.
const GROUP: usize = 64;

impl<Y: Float> Noise<Y> {
    /// The noise of a seed, for the best level of this CPU.
    #[must_use]
    pub fn new(seed: u64, distribution: Distribution) -> Self {
        Self::with_level(seed, distribution, SimdLevel::best())
    }

    /// The same for a level.
    #[must_use]
    pub const fn with_level(seed: u64, distribution: Distribution, level: SimdLevel) -> Self {
        Self { level, seed, distribution, position: 0, output: PhantomData }
    }

    /// Leaves out the next `count` samples.
    pub const fn advance(&mut self, count: u64) {
        self.position = self.position.wrapping_add(count.wrapping_mul(Y::COMPONENTS as u64));
    }

    /// The numbers of a group.
    fn group(&self, group: u64) -> [f64; GROUP] {
        let mut numbers = [0.0; GROUP];
        self.level.run::<f64, _>(Fractions { seed: self.seed, group, out: &mut numbers });
        match self.distribution {
            Distribution::Gaussian => self.to_gaussian(&mut numbers),
            Distribution::Uniform => numbers.iter_mut().for_each(|x| *x = 2.0 * *x - 1.0),
        }
        numbers
    }

    /// Makes pairs of fractions pairs of Gaussian numbers, by the transform of Box and Muller.
    fn to_gaussian(&self, numbers: &mut [f64; GROUP]) {
        let mut scratch = [[0.0; GROUP / 2]; 6];
        let [u, angles, squares, radii, sines, cosines] = &mut scratch;
        let pairs = numbers.as_chunks_mut::<2>().0;
        for ((u, angle), pair) in u.iter_mut().zip(&mut *angles).zip(&*pairs) {
            (*u, *angle) = (pair[0], TAU * pair[1]);
        }
        log_with(self.level, u, squares);
        for square in &mut *squares {
            *square *= -2.0;
        }
        sqrt_with(self.level, squares, radii);
        sincos_with(self.level, angles, sines, cosines);
        let scale = if Y::COMPONENTS == 2 { FRAC_1_SQRT_2 } else { 1.0 };
        for (((pair, radius), cos), sin) in pairs.iter_mut().zip(radii).zip(cosines).zip(sines) {
            *pair = [scale * *radius * *cos, scale * *radius * *sin];
        }
    }
}

impl<Y: Float> Snapshot for Noise<Y> {
    fn kernel_id(&self) -> u32 {
        id::of(id::NOISE, 0, Y::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        hash.u64(self.seed);
        hash.u64(self.distribution as u64);
    }
    fn payload_len(&self) -> usize {
        size_of::<u64>()
    }
    fn write(&self, to: &mut Writer<'_>) {
        to.u64(self.position);
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        self.position = from.u64().filter(|position| position.is_multiple_of(Y::COMPONENTS as u64))?;
        Some(())
    }
}

impl<Y: Float> Kernel for Noise<Y> {
    fn reset(&mut self) {
        self.position = 0;
    }
}

impl<Y: Float> Generator for Noise<Y> {
    type Output = Y;

    fn generate(&mut self, mut out: &mut [Y]) {
        while !out.is_empty() {
            let offset = (self.position % GROUP as u64) as usize;
            let numbers = self.group(self.position / GROUP as u64);
            let room = (GROUP - offset) / Y::COMPONENTS;
            let Some((head, tail)) = out.split_at_mut_checked(room.min(out.len())) else { return };
            let numbers: &[Y::Double] = bytemuck::try_cast_slice(&numbers).unwrap_or_default();
            let numbers = numbers.get(offset / Y::COMPONENTS..).unwrap_or_default();
            head.iter_mut().zip(numbers).for_each(|(y, number)| *y = Y::from_double(*number));
            self.advance(head.len() as u64);
            out = tail;
        }
    }
}

/// Fractions of a group between 0 and 1.
struct Fractions<'a> {
    seed: u64,
    group: u64,
    out: &'a mut [f64; GROUP],
}

impl Body<f64> for Fractions<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes<f64> + Lanes16>(self, _: S) {
        const UNIT: f64 = 1.0 / (1u64 << 32) as f64;
        let first = self.group.wrapping_mul(GROUP as u64 / 4);
        let key = [self.seed as u32, (self.seed >> 32) as u32];
        let mut words = [[0; 4]; GROUP / 4];
        for (i, words) in (0u64..).zip(&mut words) {
            let block = first.wrapping_add(i);
            *words = philox([block as u32, (block >> 32) as u32, 0, 0], key);
        }
        for (x, word) in self.out.iter_mut().zip(words.as_flattened()) {
            *x = (f64::from(*word) + 0.5) * UNIT;
        }
    }
}
