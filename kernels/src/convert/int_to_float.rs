//! Integer codes to floating point.

#[cfg(feature = "testing")]
mod cases;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use super::Code;
use crate::math::map::Function;
use crate::sample::Sample;
use crate::shape::{Blockwise, Kernel};
use crate::simd::SimdLevel;
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
use core::marker::PhantomData;

/// A converter of codes to floating point, `y[n] = (x[n] - offset) / full_scale`.
///
/// [`Code`] lists the offset and the full scale of each type. Interleaved codes `[I, Q, I, Q, ..]`
/// become `Complex` without a copy by `bytemuck::cast_slice`.
///
/// * **Accuracy**: every value is exact; those of `i32` are rounded once to the 24 bits of `f32`.
/// * **State**: none; a snapshot has an empty payload.
/// * **Cost**: three operations per component, no allocation.
///
/// ```
/// use num_complex::Complex;
/// use passband_kernels::convert::{IntToFloat, U8ToF32};
/// use passband_kernels::shape::Blockwise;
///
/// let mut y = [0.0; 3];
/// assert_eq!(U8ToF32::new().steps(&[0, 128, 192], &mut y), 3);
/// assert_eq!(y, [-1.0, 0.0, 0.5]);
///
/// let codes: &[Complex<u8>] = bytemuck::cast_slice(&[0u8, 255, 127, 128]);
/// let mut iq = [Complex::ZERO; 2];
/// assert_eq!(IntToFloat::new().steps(codes, &mut iq), 2);
/// assert_eq!(iq[1], Complex::new(-0.5 / 128.0, 0.5 / 128.0));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct IntToFloat<X> {
    level: SimdLevel,
    codes: PhantomData<X>,
}

/// An [`IntToFloat`] of unsigned bytes.
pub type U8ToF32 = IntToFloat<u8>;
/// An [`IntToFloat`] of signed bytes.
pub type I8ToF32 = IntToFloat<i8>;
/// An [`IntToFloat`] of 16-bit codes.
pub type I16ToF32 = IntToFloat<i16>;
/// An [`IntToFloat`] of 32-bit codes.
pub type I32ToF32 = IntToFloat<i32>;

impl<X: Code> IntToFloat<X> {
    /// A converter for the best level of this CPU.
    #[must_use]
    pub fn new() -> Self {
        Self::with_level(SimdLevel::best())
    }

    /// A converter for a level.
    #[must_use]
    pub const fn with_level(level: SimdLevel) -> Self {
        Self { level, codes: PhantomData }
    }
}

impl<X: Code> Default for IntToFloat<X> {
    fn default() -> Self {
        Self::new()
    }
}

impl<X: Code> Snapshot for IntToFloat<X> {
    fn kernel_id(&self) -> u32 {
        id::of(id::INT_TO_FLOAT, X::CODE, X::Value::CODE)
    }
    fn fingerprint(&self, _: &mut Fingerprint) {}
    fn payload_len(&self) -> usize {
        0
    }
    fn write(&self, _: &mut Writer<'_>) {}
    fn read(&mut self, _: &mut Reader<'_>) -> Option<()> {
        Some(())
    }
}

impl<X: Code> Kernel for IntToFloat<X> {
    fn reset(&mut self) {}
}

impl<X: Code> Blockwise for IntToFloat<X> {
    type Input = X;
    type Output = X::Value;

    fn steps(&mut self, x: &[X], out: &mut [X::Value]) -> usize {
        X::to_float(self.level, x, out)
    }
}

/// `(x - offset) * factor`.
pub(super) struct Scale {
    pub(super) offset: f32,
    pub(super) factor: f32,
}

macro_rules! scales {
    ($($code:ty: $x:ident => $value:expr;)*) => {$(
        impl Function<$code> for Scale {
            type Output = f32;

            #[inline(always)]
            fn apply(&self, $x: $code) -> f32 {
                ($value - self.offset) * self.factor
            }
        }
    )*};
}
scales! {
    u8: x => f32::from(x);
    i8: x => f32::from(x);
    i16: x => f32::from(x);
    i32: x => x as f32;
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_complex::Complex;
    use std::vec;
    use std::vec::Vec;

    /// Every code at every level against the formula in `f64`.
    fn exact<X: Code>(codes: &[X], offset: f64, full_scale: f64) {
        for level in SimdLevel::available() {
            let mut y = vec![X::Value::ZERO; codes.len()];
            assert_eq!(IntToFloat::with_level(level).steps(codes, &mut y), codes.len());
            for (code, y) in codes.iter().zip(y) {
                let value = code.parts().map(|code| f64::from(((code - offset) / full_scale) as f32));
                assert_eq!(y.parts()[..X::COMPONENTS], value[..X::COMPONENTS], "{code:?} at {level}");
            }
        }
    }

    #[test]
    fn every_code_gives_its_exact_value() {
        let bytes: Vec<u8> = (0..=255).collect();
        let words: Vec<i16> = (i16::MIN..=i16::MAX).step_by(if cfg!(miri) { 256 } else { 1 }).collect();
        exact::<u8>(&bytes, 128.0, 128.0);
        exact::<i8>(bytemuck::cast_slice(&bytes), 0.0, 128.0);
        exact::<i16>(&words, 0.0, 32768.0);
        exact::<Complex<u8>>(bytemuck::cast_slice(&bytes), 127.5, 128.0);
        exact::<Complex<i8>>(bytemuck::cast_slice(&bytes), 0.0, 128.0);
        exact::<Complex<i16>>(bytemuck::cast_slice(&words), 0.0, 32768.0);
        let longs: Vec<i32> = words.iter().map(|word| i32::from(*word).wrapping_mul(0x1_0003)).collect();
        exact::<i32>(&longs, 0.0, 2_147_483_648.0);
        exact::<Complex<i32>>(bytemuck::cast_slice(&longs), 0.0, 2_147_483_648.0);
    }
}
