//! Rounding to the nearest code, halves to even, in the lanes of a vector.

use super::dither::Dither;
use crate::simd::{Body, Lanes, Lanes16};
use core::ops::{Add, Sub};

/// Floating point that an addition rounds to whole numbers.
pub(super) trait Real: Copy + PartialOrd + Add<Output = Self> + Sub<Output = Self> {
    const ZERO: Self;
    const QUARTER: Self;
    const HALF: Self;
    /// Around 1.5 times 2 to the digits of the type its numbers are a whole number apart, so that
    /// adding rounds half to even, and the low bits of the sum are the code in two's complement.
    const WHOLE: Self;
    fn low_bits(self) -> i32;
}

macro_rules! real {
    ($($t:ty: $whole:literal;)*) => {$(
        impl Real for $t {
            const ZERO: Self = 0.0;
            const QUARTER: Self = 0.25;
            const HALF: Self = 0.5;
            const WHOLE: Self = $whole;

            #[inline(always)]
            fn low_bits(self) -> i32 {
                self.to_bits() as i32
            }
        }
    )*};
}

real! {
    f32: 12_582_912.0;
    f64: 6_755_399_441_055_744.0;
}

/// The nearest code of `-full_scale` to `full_scale - 1`, and whether `x` has one.
///
/// Codes are whole numbers, or with `BETWEEN` half a number higher: then zero lies between the
/// codes -1 and 0. NaN gives the code of zero.
#[inline(always)]
pub(super) fn nearest<F: Real, const BETWEEN: bool>(x: F, full_scale: F) -> (i32, bool) {
    let (least, end) = (F::ZERO - full_scale, full_scale - if BETWEEN { F::ZERO } else { F::HALF });
    let within = if BETWEEN { least <= x } else { least - F::HALF <= x } && x < end;
    // The last number that rounds down.
    let most = end - if BETWEEN { F::QUARTER } else { F::HALF };
    #[expect(clippy::eq_op, reason = "NaN is the number that is not itself")]
    let x = if x == x { x } else { F::ZERO };
    let x = if x < most { x } else { most };
    let x = if x > least { x } else { least };
    let sum = x + F::WHOLE;
    let code = sum.low_bits();
    if !BETWEEN {
        return (code, within);
    }
    // What the addition lost, exact: its sign tells on which side of a code `x` lies.
    let rest = x - (sum - F::WHOLE);
    let odd = code & 1 == 1;
    (code - i32::from(rest < F::ZERO || (rest == F::ZERO && odd)), within)
}

/// How samples become numbers to round.
pub(super) trait Codes {
    type Real: Real;
    fn full_scale(&self) -> Self::Real;
    /// Sample `n` of the call in codes.
    fn scaled(&self, n: u64, x: f32) -> Self::Real;
}

/// In single precision, exact for codes of up to 16 bits.
pub(super) struct Single {
    pub(super) full_scale: f32,
}

/// In double precision, exact for codes of up to 32 bits.
pub(super) struct Double {
    pub(super) full_scale: f64,
}

/// With noise added.
pub(super) struct Dithered {
    pub(super) full_scale: f64,
    pub(super) dither: Dither,
}

impl Codes for Single {
    type Real = f32;

    #[inline(always)]
    fn full_scale(&self) -> f32 {
        self.full_scale
    }
    #[inline(always)]
    fn scaled(&self, _: u64, x: f32) -> f32 {
        x * self.full_scale
    }
}

impl Codes for Double {
    type Real = f64;

    #[inline(always)]
    fn full_scale(&self) -> f64 {
        self.full_scale
    }
    #[inline(always)]
    fn scaled(&self, _: u64, x: f32) -> f64 {
        f64::from(x) * self.full_scale
    }
}

impl Codes for Dithered {
    type Real = f64;

    #[inline(always)]
    fn full_scale(&self) -> f64 {
        self.full_scale
    }
    #[inline(always)]
    fn scaled(&self, n: u64, x: f32) -> f64 {
        f64::from(x) * self.full_scale + self.dither.noise(n)
    }
}

/// Integers that codes are kept in; unsigned ones with the code of zero in the middle.
pub(super) trait Kept {
    fn keep(code: i32) -> Self;
}

macro_rules! kept {
    ($($t:ty: $zero:literal;)*) => {$(
        impl Kept for $t {
            #[inline(always)]
            fn keep(code: i32) -> Self {
                code.wrapping_add($zero) as Self
            }
        }
    )*};
}

kept! {
    u8: 128;
    i8: 0;
    i16: 0;
    i32: 0;
}

/// Rounds over the shorter length and counts the samples without a nearest code.
pub(super) struct Quantize<'a, C, Y, const BETWEEN: bool> {
    pub(super) codes: C,
    pub(super) x: &'a [f32],
    pub(super) out: &'a mut [Y],
}

impl<C: Codes, Y: Kept, const BETWEEN: bool> Body<f32> for Quantize<'_, C, Y, BETWEEN> {
    type Output = u64;

    #[inline(always)]
    fn run<S: Lanes<f32> + Lanes16>(self, _: S) -> u64 {
        /// Few enough for a count in the lanes of a vector of `f32`.
        const BLOCK: usize = 1 << 12;
        let full_scale = self.codes.full_scale();
        let (mut clips, mut start) = (0, 0);
        for (x, out) in self.x.chunks(BLOCK).zip(self.out.chunks_mut(BLOCK)) {
            let mut count = 0u32;
            for ((y, x), n) in out.iter_mut().zip(x).zip(start..) {
                let (code, within) = nearest::<_, BETWEEN>(self.codes.scaled(n, *x), full_scale);
                *y = Y::keep(code);
                count += u32::from(!within);
            }
            clips += u64::from(count);
            start += BLOCK as u64;
        }
        clips
    }
}
