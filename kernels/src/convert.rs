//! Conversions between integer codes, fixed point and floating point.

pub(crate) mod adc;
mod dither;
pub(crate) mod fixed_point;
pub(crate) mod float_to_int;
pub(crate) mod int_to_float;
mod rounding;

pub use adc::{Adc, Analog};
pub use fixed_point::{Fraction, from_fixed, from_fixed_with, to_fixed, to_fixed_with};
pub use float_to_int::{F32ToI8, F32ToI16, F32ToI32, F32ToU8, FloatToInt};
pub use int_to_float::{I8ToF32, I16ToF32, I32ToF32, IntToFloat, U8ToF32};

use crate::math::map::Map;
use crate::sample::Sample;
use crate::simd::SimdLevel;
use dither::Dither;
use int_to_float::Scale;
use num_complex::Complex;
use rounding::{Dithered, Double, Quantize, Single};

/// Codes that have a value: `u8`, `i8`, `i16`, `i32`, and `Complex` of them for I and Q side by
/// side.
///
/// | codes `X` | offset | full scale | values |
/// | --- | --- | --- | --- |
/// | `u8` | 128 | 128 | -1 to 127/128 |
/// | `Complex<u8>` | 127.5 | 128 | -127.5/128 to 127.5/128 |
/// | `i8`, `Complex<i8>` | 0 | 128 | -1 to 127/128 |
/// | `i16`, `Complex<i16>` | 0 | 32768 | -1 to 32767/32768 |
/// | `i32`, `Complex<i32>` | 0 | 2^31 | -1 to 1 - 2^-31 |
///
/// Audio in `u8` has its silence at 128; receivers that give I and Q in `u8` have theirs between
/// two codes.
pub trait Code: Sample {
    /// `f32`, complex where the codes are.
    type Value: Sample<Component = f32>;
    #[doc(hidden)]
    fn to_float(level: SimdLevel, x: &[Self], out: &mut [Self::Value]) -> usize;
    /// Rounds to codes and counts the clips.
    #[doc(hidden)]
    fn from_float(level: SimdLevel, x: &[Self::Value], out: &mut [Self]) -> u64;
    #[doc(hidden)]
    fn from_float_dithered(level: SimdLevel, x: &[Self::Value], dither: Dither, out: &mut [Self]) -> u64;
}

macro_rules! codes {
    ($($x:ty => $y:ty: $offset:literal, $full_scale:literal, $precision:ident, $between:literal;)*) => {$(
        impl Code for $x {
            type Value = $y;

            fn to_float(level: SimdLevel, x: &[Self], out: &mut [$y]) -> usize {
                let (x, out) = (Sample::components(x), Sample::components_mut(out));
                let function = Scale { offset: $offset, factor: 1.0 / $full_scale };
                level.run::<f32, _>(Map { function, x, out }) / Self::COMPONENTS
            }

            fn from_float(level: SimdLevel, x: &[$y], out: &mut [Self]) -> u64 {
                let (x, out) = (Sample::components(x), Sample::components_mut(out));
                let codes = $precision { full_scale: $full_scale };
                level.run::<f32, _>(Quantize::<'_, _, _, $between> { codes, x, out })
            }

            fn from_float_dithered(level: SimdLevel, x: &[$y], dither: Dither, out: &mut [Self]) -> u64 {
                let (x, out) = (Sample::components(x), Sample::components_mut(out));
                let codes = Dithered { full_scale: $full_scale, dither };
                level.run::<f32, _>(Quantize::<'_, _, _, $between> { codes, x, out })
            }
        }
    )*};
}

codes! {
    u8 => f32: 128.0, 128.0, Single, false;
    i8 => f32: 0.0, 128.0, Single, false;
    i16 => f32: 0.0, 32768.0, Single, false;
    i32 => f32: 0.0, 2_147_483_648.0, Double, false;
    Complex<u8> => Complex<f32>: 127.5, 128.0, Single, true;
    Complex<i8> => Complex<f32>: 0.0, 128.0, Single, false;
    Complex<i16> => Complex<f32>: 0.0, 32768.0, Single, false;
    Complex<i32> => Complex<f32>: 0.0, 2_147_483_648.0, Double, false;
}
