//! Sample types: the closed set of numbers that kernels take and give.

use bytemuck::{Pod, Zeroable};
use core::fmt::Debug;
use core::ops::{Add, Div, Mul, Sub};
use num_complex::Complex;

mod sealed {
    pub trait Sealed {}
}

/// A number that a stream is made of.
///
/// Sealed: `f32`, `f64`, [`Q7`], [`Q15`], [`Q31`], `Complex` of `f32`, `f64`, [`Q15`] and
/// [`Q31`], and the raw codes `u8`, `i8`, `i16` and `i32`, with their `Complex`, that converters
/// read and write.
pub trait Sample: sealed::Sealed + Pod + Default + Debug + PartialEq + Send + Sync + 'static {
    /// The real number that one sample holds one or two of.
    type Component: Sample;
    /// Zero.
    const ZERO: Self;
    /// The name in messages and of `dtype=`.
    const NAME: &'static str;
    /// The code in snapshots; never changes.
    const CODE: u8;
    /// Samples in the widest vector of any level, 64 bytes.
    const MAX_LANES: usize = 64 / size_of::<Self>();
    /// Components per sample: 1 for real, 2 for complex.
    const COMPONENTS: usize = size_of::<Self>() / size_of::<Self::Component>();

    /// The real and the imaginary part as numbers; of fixed point, the codes.
    #[must_use]
    fn parts(self) -> [f64; 2];

    /// The components of a slice, real and imaginary parts interleaved.
    #[must_use]
    fn components(x: &[Self]) -> &[Self::Component] {
        bytemuck::must_cast_slice(x)
    }

    /// The components of a slice to write to.
    #[must_use]
    fn components_mut(x: &mut [Self]) -> &mut [Self::Component] {
        bytemuck::must_cast_slice_mut(x)
    }
}

macro_rules! real {
    ($($t:ty, $zero:expr, $name:literal, $code:literal, $value:expr;)*) => {$(
        impl sealed::Sealed for $t {}
        impl Sample for $t {
            type Component = $t;
            const ZERO: Self = $zero;
            const NAME: &'static str = $name;
            const CODE: u8 = $code;
            fn parts(self) -> [f64; 2] {
                let value: fn(Self) -> f64 = $value;
                [value(self), 0.0]
            }
        }
    )*
        const REALS: &[(u8, &str)] = &[$((<$t>::CODE, <$t>::NAME),)*];
    };
}

macro_rules! complex {
    ($($t:ty, $name:literal, $code:literal;)*) => {$(
        impl sealed::Sealed for Complex<$t> {}
        impl Sample for Complex<$t> {
            type Component = $t;
            const ZERO: Self = Complex { re: <$t>::ZERO, im: <$t>::ZERO };
            const NAME: &'static str = $name;
            const CODE: u8 = $code;
            fn parts(self) -> [f64; 2] {
                [self.re.parts()[0], self.im.parts()[0]]
            }
        }
    )*
        const COMPLEXES: &[(u8, &str)] = &[$((Complex::<$t>::CODE, Complex::<$t>::NAME),)*];
    };
}

/// A fixed-point fraction: `code / 2^BITS`, in `[-1, 1)`.
pub trait FixedPoint: Sample {
    /// Fractional bits.
    const BITS: u32;

    /// The nearest code to `x`, halves to even; saturates, and NaN gives 0.
    #[must_use]
    fn from_f64(x: f64) -> Self;

    /// The value of the code, exact.
    #[must_use]
    fn to_f64(self) -> f64;
}

macro_rules! fixed {
    ($($(#[$doc:meta])* $q:ident($code:ty), $bits:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
        #[repr(transparent)]
        pub struct $q(pub $code);

        impl FixedPoint for $q {
            const BITS: u32 = $bits;

            fn from_f64(x: f64) -> Self {
                // `as` saturates and takes NaN to 0.
                Self(libm::rint(x * (1u64 << $bits) as f64) as $code)
            }

            fn to_f64(self) -> f64 {
                f64::from(self.0) / (1u64 << $bits) as f64
            }
        }
    )*};
}

fixed! {
    /// Eight bits, seven of them fractional.
    Q7(i8), 7;
    /// Sixteen bits, fifteen of them fractional.
    Q15(i16), 15;
    /// Thirty-two bits, thirty-one of them fractional.
    Q31(i32), 31;
}

real! {
    f32, 0.0, "float32", 1, f64::from;
    f64, 0.0, "float64", 2, f64::from;
    Q7, Q7(0), "q7", 3, |q| q.0.into();
    Q15, Q15(0), "q15", 4, |q| q.0.into();
    Q31, Q31(0), "q31", 5, |q| q.0.into();
    u8, 0, "uint8", 16, f64::from;
    i8, 0, "int8", 17, f64::from;
    i16, 0, "int16", 18, f64::from;
    i32, 0, "int32", 6, f64::from;
}

complex! {
    f32, "complex64", 8;
    f64, "complex128", 9;
    Q15, "cq15", 10;
    Q31, "cq31", 11;
    u8, "cu8", 12;
    i8, "cs8", 13;
    i16, "cs16", 14;
    i32, "cs32", 7;
}

/// The name of the type whose code in snapshots is `code`.
pub(crate) fn name(code: u8) -> Option<&'static str> {
    REALS.iter().chain(COMPLEXES).find(|(of, _)| *of == code).map(|(_, name)| *name)
}

/// A floating-point sample: `f32`, `f64` and `Complex` of them.
pub trait Float: Sample {
    /// The same in double precision.
    type Double: Sample<Component = f64>
        + Add<Output = Self::Double>
        + Sub<Output = Self::Double>
        + Mul<f64, Output = Self::Double>
        + Div<f64, Output = Self::Double>;

    /// The same number, exact.
    #[must_use]
    fn to_double(self) -> Self::Double;

    /// The nearest sample.
    #[must_use]
    fn from_double(x: Self::Double) -> Self;
}

macro_rules! float {
    ($($t:ty)*) => {$(
        impl Float for $t {
            type Double = f64;
            #[inline(always)]
            fn to_double(self) -> f64 {
                self.into()
            }
            #[inline(always)]
            fn from_double(x: f64) -> Self {
                x as Self
            }
        }

        impl Float for Complex<$t> {
            type Double = Complex<f64>;
            #[inline(always)]
            fn to_double(self) -> Complex<f64> {
                Complex::new(self.re.into(), self.im.into())
            }
            #[inline(always)]
            fn from_double(x: Complex<f64>) -> Self {
                Self::new(x.re as $t, x.im as $t)
            }
        }
    )*};
}
float!(f32 f64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_point_rounds_half_to_even_and_saturates() {
        let code = |x: f64| Q15::from_f64(x / 32768.0).0;
        assert_eq!([0.5, 1.5, 2.5, -0.5, -1.5].map(code), [0, 2, 2, 0, -2]);
        assert_eq!([40000.0, -40000.0, f64::INFINITY, f64::NAN].map(code), [32767, -32768, 32767, 0]);
        assert_eq!(Q31::from_f64(1.0).0, i32::MAX);
        assert_eq!(Q7::from_f64(-1.0).to_f64(), -1.0);
    }

    #[test]
    fn components_interleave_real_and_imaginary_parts() {
        let x = [Complex::new(1.0f32, 2.0), Complex::new(3.0, 4.0)];
        assert_eq!(Sample::components(&x), [1.0, 2.0, 3.0, 4.0]);
        assert_eq!((<Complex<f64>>::MAX_LANES, i16::MAX_LANES), (4, 32));
    }
}
