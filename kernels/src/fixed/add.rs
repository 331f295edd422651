//! Sums and differences that saturate.

#[cfg(feature = "testing")]
mod cases;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;
#[cfg(feature = "testing")]
pub(super) use cases::exact;

use super::Arithmetic;
use crate::math::map::Function;
use crate::sample::{Q7, Q15, Q31};
use crate::simd::SimdLevel;

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

/// Subtracts pairs of samples, `out[n] = saturate(a[n] - b[n])`, and returns how many.
///
/// Takes as many pairs as all three slices hold. A difference beyond the ends of `[-1, 1)` is the
/// end.
///
/// * **Accuracy**: exact but for saturation, as CMSIS-DSP's `arm_sub_q15`.
/// * **Cost**: one operation per sample, no allocation.
///
/// ```
/// use passband_kernels::fixed::sub;
/// use passband_kernels::sample::Q31;
///
/// let mut differences = [Q31(0); 2];
/// assert_eq!(sub(&[Q31(0), Q31(5)], &[Q31(i32::MIN), Q31(7)], &mut differences), 2);
/// assert_eq!(differences, [Q31(i32::MAX), Q31(-2)]);
/// ```
pub fn sub<Q: Arithmetic>(a: &[Q], b: &[Q], out: &mut [Q]) -> usize {
    sub_with(SimdLevel::best(), a, b, out)
}

/// [`sub`] at a level.
pub fn sub_with<Q: Arithmetic>(level: SimdLevel, a: &[Q], b: &[Q], out: &mut [Q]) -> usize {
    Q::differences(level, a, b, out)
}

pub(super) struct Sum;
pub(super) struct Difference;

macro_rules! functions {
    ($($q:ident)*) => {$(
        impl Function<($q, $q)> for Sum {
            type Output = $q;

            #[inline(always)]
            fn apply(&self, (a, b): ($q, $q)) -> $q {
                $q(a.0.saturating_add(b.0))
            }
        }

        impl Function<($q, $q)> for Difference {
            type Output = $q;

            #[inline(always)]
            fn apply(&self, (a, b): ($q, $q)) -> $q {
                $q(a.0.saturating_sub(b.0))
            }
        }
    )*};
}
functions!(Q7 Q15 Q31);
