//! Seeded signals.

use crate::sample::{Q7, Q15, Q31, Sample};
use num_complex::Complex;
use std::vec::Vec;

/// A small generator (xorshift64*) whose sequence is the same everywhere.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator for a seed; different seeds start far apart.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `end`, or 0.
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.bits()) * end as u128) >> 64) as usize
    }

    /// A number in `[-1, 1)`.
    pub fn unit(&mut self) -> f64 {
        (self.bits() as i64 >> 11) as f64 / (1u64 << 52) as f64
    }
}

/// Sample types that random signals are made of: floats in `[-1, 1)`, integers over their range.
pub trait Random: Sample {
    /// The next sample.
    fn random(rng: &mut Rng) -> Self;

    /// The sample times a power of two; integers stay as they are.
    #[must_use]
    fn scaled(self, _exponent: i32) -> Self {
        self
    }
}

macro_rules! random {
    ($($t:ty: $rng:ident => $value:expr $(, $scaled:expr)?;)*) => {$(
        impl Random for $t {
            fn random($rng: &mut Rng) -> Self {
                $value
            }

            $(fn scaled(self, exponent: i32) -> Self {
                let scaled: fn(Self, i32) -> Self = $scaled;
                scaled(self, exponent)
            })?
        }
    )*};
}

random! {
    f32: rng => rng.unit() as f32, libm::ldexpf;
    f64: rng => rng.unit(), libm::ldexp;
    u8: rng => rng.bits() as u8;
    i8: rng => rng.bits() as i8;
    i16: rng => rng.bits() as i16;
    i32: rng => rng.bits() as i32;
    Q7: rng => Q7(rng.bits() as i8);
    Q15: rng => Q15(rng.bits() as i16);
    Q31: rng => Q31(rng.bits() as i32);
    Complex<f32>: rng => Complex::new(f32::random(rng), f32::random(rng)),
        |z, exponent| Complex::new(z.re.scaled(exponent), z.im.scaled(exponent));
    Complex<f64>: rng => Complex::new(f64::random(rng), f64::random(rng)),
        |z, exponent| Complex::new(z.re.scaled(exponent), z.im.scaled(exponent));
    Complex<Q15>: rng => Complex::new(Q15::random(rng), Q15::random(rng));
    Complex<Q31>: rng => Complex::new(Q31::random(rng), Q31::random(rng));
    Complex<u8>: rng => Complex::new(u8::random(rng), u8::random(rng));
    Complex<i8>: rng => Complex::new(i8::random(rng), i8::random(rng));
    Complex<i16>: rng => Complex::new(i16::random(rng), i16::random(rng));
    Complex<i32>: rng => Complex::new(i32::random(rng), i32::random(rng));
}

/// `n` random samples.
#[must_use]
pub fn signal<T: Random>(seed: u64, n: usize) -> Vec<T> {
    let mut rng = Rng::new(seed);
    (0..n).map(|_| T::random(&mut rng)).collect()
}

/// The second input that goes with the signal of a seed.
pub(super) fn second_signal<T: Random>(seed: u64, n: usize) -> Vec<T> {
    signal(seed ^ 0x5ec0, n)
}

/// The third input that goes with the signal of a seed.
pub(super) fn third_signal<T: Random>(seed: u64, n: usize) -> Vec<T> {
    signal(seed ^ 0x7e1d, n)
}
