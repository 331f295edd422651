//! Powers of samples, and sums of them that do not depend on how the stream is cut.

use crate::sample::{Q15, Sample};
use core::ops::Add;
use num_complex::Complex;

/// A sample type whose level can be measured: `f32`, `f64`, [`Q15`] and `Complex` of these.
pub trait Metered: Sample {
    /// What powers are summed in: double precision, or integers of 64 bits that do not round.
    type Power: Copy + Default + PartialOrd + Add<Output = Self::Power>;

    /// `|x|^2`, of fixed point in codes.
    #[doc(hidden)]
    fn power(self) -> Self::Power;

    /// The nearest number.
    #[doc(hidden)]
    fn to_f64(power: Self::Power) -> f64;

    /// Whether a component has at least this magnitude.
    #[doc(hidden)]
    fn reaches(self, magnitude: Self::Component) -> bool;
}

macro_rules! metered {
    ($($t:ty: $power:ty, |$x:ident| $square:expr, $magnitude:expr;)*) => {$(
        impl Metered for $t {
            type Power = $power;
            #[inline(always)]
            fn power(self) -> $power {
                let $x = self;
                $square
            }
            #[inline(always)]
            fn to_f64(power: $power) -> f64 {
                power as f64
            }
            #[inline(always)]
            fn reaches(self, magnitude: $t) -> bool {
                #[inline(always)]
                fn size($x: $t) -> impl PartialOrd {
                    $magnitude
                }
                size(self) >= size(magnitude)
            }
        }

        impl Metered for Complex<$t> {
            type Power = $power;
            #[inline(always)]
            fn power(self) -> $power {
                self.re.power() + self.im.power()
            }
            #[inline(always)]
            fn to_f64(power: $power) -> f64 {
                power as f64
            }
            #[inline(always)]
            fn reaches(self, magnitude: $t) -> bool {
                self.re.reaches(magnitude) | self.im.reaches(magnitude)
            }
        }
    )*};
}

metered! {
    f32: f64, |x| f64::from(x) * f64::from(x), x.abs();
    f64: f64, |x| x * x, x.abs();
    Q15: i64, |x| i64::from(i32::from(x.0) * i32::from(x.0)), i32::from(x.0).abs();
}

/// Sums that samples are added to in turn, so that vectors of any width add in the same order.
pub(super) const LANES: usize = 16;

/// Sums of powers; sample `n` belongs to lane `n mod 16`.
pub(super) type PowerSums<X> = [<X as Metered>::Power; LANES];

/// Adds up to sixteen samples, the first of which belongs to the first of `sums`.
#[inline(always)]
pub(super) fn add<'a, X: Metered>(
    sums: impl IntoIterator<Item = &'a mut X::Power>,
    x: impl IntoIterator<Item = &'a X>,
) where
    X::Power: 'a,
{
    for (sum, x) in sums.into_iter().zip(x) {
        *sum = *sum + x.power();
    }
}

/// The sum over all lanes.
pub(super) fn total<X: Metered>(sums: &PowerSums<X>) -> f64 {
    X::to_f64(sums.iter().fold(X::Power::default(), |total, sum| total + *sum))
}
