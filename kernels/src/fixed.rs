//! Saturating arithmetic on fixed-point fractions, the same bits on every level and target.

pub(crate) mod add;
pub(crate) mod dot;
pub(crate) mod mul;
pub(crate) mod shift;
pub(crate) mod sum;

pub use add::{add, add_with, sub, sub_with};
pub use dot::{dot, dot_with};
pub use mul::{mul, mul_with};
pub use shift::{shift, shift_with};

use crate::math::map::Map;
use crate::sample::{FixedPoint, Q7, Q15, Q31};
use crate::simd::SimdLevel;
use add::{Difference, Sum};
use dot::Dot;
use mul::Product;
use shift::{Left, Right};

/// A fixed-point type with saturating arithmetic: [`Q7`], [`Q15`] and [`Q31`].
pub trait Arithmetic: FixedPoint {
    /// Fractional bits of a dot product.
    const DOT_BITS: u32;
    #[doc(hidden)]
    fn sums(level: SimdLevel, a: &[Self], b: &[Self], out: &mut [Self]) -> usize;
    #[doc(hidden)]
    fn differences(level: SimdLevel, a: &[Self], b: &[Self], out: &mut [Self]) -> usize;
    #[doc(hidden)]
    fn products(level: SimdLevel, a: &[Self], b: &[Self], out: &mut [Self]) -> usize;
    #[doc(hidden)]
    fn shifts(level: SimdLevel, x: &[Self], bits: i32, out: &mut [Self]) -> usize;
    #[doc(hidden)]
    fn dot(level: SimdLevel, a: &[Self], b: &[Self]) -> i64;
}

macro_rules! arithmetic {
    ($($q:ident, $dot_bits:literal;)*) => {$(
        impl Arithmetic for $q {
            const DOT_BITS: u32 = $dot_bits;

            fn sums(level: SimdLevel, a: &[Self], b: &[Self], out: &mut [Self]) -> usize {
                level.run::<f32, _>(Map { function: Sum, x: (a, b), out })
            }
            fn differences(level: SimdLevel, a: &[Self], b: &[Self], out: &mut [Self]) -> usize {
                level.run::<f32, _>(Map { function: Difference, x: (a, b), out })
            }
            fn products(level: SimdLevel, a: &[Self], b: &[Self], out: &mut [Self]) -> usize {
                level.run::<f32, _>(Map { function: Product, x: (a, b), out })
            }
            fn shifts(level: SimdLevel, x: &[Self], bits: i32, out: &mut [Self]) -> usize {
                let far = bits.unsigned_abs();
                if bits < 0 {
                    level.run::<f32, _>(Map { function: Right::of::<Self>(far), x, out })
                } else {
                    level.run::<f32, _>(Map { function: Left::of::<Self>(far), x, out })
                }
            }
            fn dot(level: SimdLevel, a: &[Self], b: &[Self]) -> i64 {
                level.run::<f32, _>(Dot { a, b })
            }
        }
    )*};
}

arithmetic! {
    Q7, 14;
    Q15, 30;
    Q31, 48;
}
