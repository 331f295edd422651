//! Conversions.

use super::SCALAR;
use crate::inputs::{q7, q15, q31, unit, unit_complex};
use crate::report::Report;
use crate::shapes::{N, made, some};
use core::fmt::Result;
use core::hint::black_box;
use passband_kernels::Complex;
use passband_kernels::convert::{Adc, FloatToInt, IntToFloat, from_fixed_with, to_fixed_with};
use passband_kernels::sample::{Q7, Q15, Q31};
use passband_kernels::shape::Blockwise;

pub(super) fn run(report: &mut Report) -> Result {
    adc(report)?;
    codes(report)?;
    fixed_point(report)?;
    Ok(())
}

fn adc(report: &mut Report) -> Result {
    let (bits, full_scale) = black_box((10, 0.75));
    let mut adc = made(Adc::<f32>::with_level(bits, full_scale, SCALAR))?;
    report.blockwise("convert.Adc float32", &mut adc, &unit())?;
    report.numbers([adc.clip_count() as f64])?;
    let mut adc = made(Adc::<Complex<f32>>::with_level(bits, full_scale, SCALAR))?;
    report.blockwise("convert.Adc complex64", &mut adc, &unit_complex())
}

fn codes(report: &mut Report) -> Result {
    macro_rules! codes {
        ($x:expr; $($name:literal: $code:ty;)*) => {$(
            let mut to_int = FloatToInt::<$code>::with_level(SCALAR);
            report.blockwise(concat!("convert.FloatToInt ", $name), &mut to_int, &$x)?;
            let mut to_int = FloatToInt::<$code>::with_level(SCALAR).dithered(black_box(7));
            let mut codes = [<$code>::default(); N];
            report.blockwise(concat!("convert.FloatToInt ", $name, ", dithered"), &mut to_int, &$x)?;
            to_int.steps(&$x, &mut codes);
            report.numbers([to_int.clip_count() as f64])?;
            let mut to_float = IntToFloat::<$code>::with_level(SCALAR);
            report.blockwise(concat!("convert.IntToFloat ", $name), &mut to_float, &codes)?;
        )*};
    }
    codes! { unit(); "uint8": u8; "int8": i8; "int16": i16; "int32": i32; }
    codes! {
        unit_complex();
        "cu8": Complex<u8>; "cs8": Complex<i8>; "cs16": Complex<i16>; "cs32": Complex<i32>;
    }
    Ok(())
}

fn fixed_point(report: &mut Report) -> Result {
    macro_rules! fractions {
        ($($name:literal: $q:ty, $codes:expr;)*) => {$(
            report.function(concat!("convert.to_fixed ", $name), N, |out: &mut [$q]| {
                to_fixed_with(SCALAR, some(&unit()), out)
            })?;
            report.function(concat!("convert.from_fixed ", $name), N, |out: &mut [f32]| {
                from_fixed_with(SCALAR, some(&$codes), out)
            })?;
        )*};
    }
    fractions! { "q7": Q7, q7(); "q15": Q15, q15(); "q31": Q31, q31(); }
    Ok(())
}
