//! Sums and differences that saturate.

#[cfg(feature = "testing")]
mod cases;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use crate::math::map::{Function, Map};
use crate::sample::{FixedPoint, Q7, Q15, Q31};
use crate::simd::SimdLevel;

/// A fixed-point type with saturating arithmetic: [`Q7`], [`Q15`] and [`Q31`].
pub trait Arithmetic: FixedPoint {
    #[doc(hidden)]
    fn sums(level: SimdLevel, a: &[Self], b: &[Self], out: &mut [Self]) -> usize;
}

/// Adds pairs of samples, `out[n] = saturate(a[n] + b[n])`, and returns how many.
///
/// Takes as many pairs as all three slices hold. A sum beyond the ends of `[-1, 1)` is the end.
///
/// * **Accuracy**: exact but for saturation, as CMSIS-DSP's `arm_add_q15`.
/// * **Cost**: one operation per sample, no allocation.
///
/// ```
/// use passband_kernels::fixed::add;
/// use passband_kernels::sample::Q15;
///
/// let mut sums = [Q15(0); 3];
/// let a = [Q15(100), Q15(32767), Q15(-32768)];
/// assert_eq!(add(&a, &[Q15(-7), Q15(1), Q15(-1)], &mut sums), 3);
/// assert_eq!(sums, [Q15(93), Q15(32767), Q15(-32768)]);
/// ```
pub fn add<Q: Arithmetic>(a: &[Q], b: &[Q], out: &mut [Q]) -> usize {
    add_with(SimdLevel::best(), a, b, out)
}

/// [`add`] at a level.
pub fn add_with<Q: Arithmetic>(level: SimdLevel, a: &[Q], b: &[Q], out: &mut [Q]) -> usize {
    Q::sums(level, a, b, out)
}

struct Sum;

macro_rules! arithmetic {
    ($($q:ident)*) => {$(
        impl Arithmetic for $q {
            fn sums(level: SimdLevel, a: &[Self], b: &[Self], out: &mut [Self]) -> usize {
                level.run::<f32, _>(Map { function: Sum, x: (a, b), out })
            }
        }

        impl Function<($q, $q)> for Sum {
            type Output = $q;

            #[inline(always)]
            fn apply(&self, (a, b): ($q, $q)) -> $q {
                $q(a.0.saturating_add(b.0))
            }
        }
    )*};
}
arithmetic!(Q7 Q15 Q31);
