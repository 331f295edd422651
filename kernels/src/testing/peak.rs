//! What a level can do at most: nothing but multiply-adds in registers.

use crate::sample::Sample;
use crate::simd::{Body, Lanes, Lanes16, SimdLevel};
use std::hint::black_box;

/// The unit that does a kernel's arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// `f32` multiply-adds, also behind the integers of converters.
    F32,
    /// `f64` multiply-adds.
    F64,
    /// 16-bit products with 32-bit sums.
    I16,
}

impl Arithmetic {
    /// The unit that works on samples of type `T`.
    #[must_use]
    pub fn of<T: Sample>() -> Self {
        match T::Component::NAME {
            "float64" => Self::F64,
            "q15" => Self::I16,
            _ => Self::F32,
        }
    }

    /// Runs `rounds` of multiply-adds at a level and returns how many operations those were, an
    /// addition and a multiplication counting as two.
    #[must_use]
    pub fn exercise(self, level: SimdLevel, rounds: usize) -> f64 {
        match self {
            Self::F32 => level.run::<f32, _>(Floats { rounds }),
            Self::F64 => level.run::<f64, _>(Floats { rounds }),
            Self::I16 => level.run(Integers { rounds }),
        }
    }
}

/// Sums: enough to hide the latency of two units, few enough for sixteen registers with their
/// factors.
const VECTORS: usize = 4;
const FACTORS: usize = 3;

struct Floats {
    rounds: usize,
}

macro_rules! floats {
    ($($t:ty)*) => {$(
        impl Body<$t> for Floats {
            type Output = f64;

            #[inline(always)]
            fn run<S: Lanes<$t> + Lanes16>(self, s: S) -> f64 {
                let memory = [<S as Lanes<$t>>::zeroed(); VECTORS];
                let mut factors = [s.splat(0.0); FACTORS];
                for (i, factor) in factors.iter_mut().enumerate() {
                    *factor = s.splat(black_box(i as $t));
                }
                let mut sums = [[s.splat(0.0); FACTORS]; VECTORS];
                for _ in 0..self.rounds {
                    // Loaded anew, or products would move out of the loop where they do not fuse.
                    for (x, sums) in black_box(&memory).iter().zip(&mut sums) {
                        let x = Lanes::<$t>::load(s, x);
                        for (sum, factor) in sums.iter_mut().zip(factors) {
                            *sum = s.mul_add(factor, x, *sum);
                        }
                    }
                }
                for sum in sums.into_iter().flatten() {
                    let mut array = <S as Lanes<$t>>::zeroed();
                    s.store(black_box(&mut array), sum);
                }
                (2 * <S as Lanes<$t>>::WIDTH * VECTORS * FACTORS * self.rounds) as f64
            }
        }
    )*};
}
floats!(f32 f64);

struct Integers {
    rounds: usize,
}

impl Body<f32> for Integers {
    type Output = f64;

    #[inline(always)]
    fn run<S: Lanes<f32> + Lanes16>(self, s: S) -> f64 {
        let memory = [<S as Lanes16>::zeroed(); VECTORS];
        let mut factors = [s.splat_pair([0, 0]); FACTORS];
        for (i, factor) in factors.iter_mut().enumerate() {
            *factor = s.splat_pair(black_box([i as i16, 1]));
        }
        let mut sums = [[s.zero_sums(); FACTORS]; VECTORS];
        for _ in 0..self.rounds {
            for (x, sums) in black_box(&memory).iter().zip(&mut sums) {
                let x = Lanes16::load(s, x);
                for (sum, factor) in sums.iter_mut().zip(factors) {
                    *sum = s.add_products(*sum, x, factor);
                }
            }
        }
        for sum in sums.into_iter().flatten() {
            black_box(s.sums(sum));
        }
        (2 * <S as Lanes16>::WIDTH * VECTORS * FACTORS * self.rounds) as f64
    }
}
