//! Finite impulse responses, alone and for two channels.

#[cfg(not(target_os = "none"))]
use super::SCALAR;
use super::config;
use crate::inputs::{CODES, COMPLEX, FINE, FLOATS, LOUD, QUIET, SHORT, TAPS, complex, q7, q15, q31, real};
use crate::report::Report;
use core::fmt::Result;
use core::hint::black_box;
use passband_kernels::filter::{FirConfig, FixedFir};
use passband_kernels::sample::{Q7, Q15, Q31};
use passband_kernels::{Complex, FixedChannels};

type Real = FirConfig<f32, [f32; TAPS]>;
config!(FLOAT: Real = Real::fixed(FLOATS), Real::with_level(FLOATS, SCALAR));

type Mixed = FirConfig<Complex<f32>, [f32; TAPS]>;
config!(MIXED: Mixed = Mixed::fixed(FLOATS), Mixed::with_level(FLOATS, SCALAR));

type Turned = FirConfig<Complex<f32>, [Complex<f32>; TAPS]>;
config!(TURNED: Turned = Turned::fixed(COMPLEX), Turned::with_level(COMPLEX, SCALAR));

type Byte = FirConfig<Q7, [Q7; TAPS]>;
config!(BYTE: Byte = Byte::fixed(SHORT), Byte::with_level(SHORT, SCALAR));

type Short = FirConfig<Q15, [Q15; TAPS]>;
config!(SHORT_LOUD: Short = Short::fixed(CODES), Short::with_level(CODES, SCALAR));
config!(SHORT_QUIET: Short = Short::fixed(QUIET), Short::with_level(QUIET, SCALAR));

type Long = FirConfig<Q31, [Q31; TAPS]>;
config!(LONG_LOUD: Long = Long::fixed(LOUD), Long::with_level(LOUD, SCALAR));
config!(LONG_QUIET: Long = Long::fixed(FINE), Long::with_level(FINE, SCALAR));

pub(super) fn run(report: &mut Report) -> Result {
    let mut fir = FixedFir::<f32, f32, TAPS>::fixed(black_box(&FLOAT));
    report.blockwise("filter.Fir float32, 63 taps", &mut fir, &real())?;
    let mut stereo = FixedChannels::<_, 2>::fixed(fir);
    let names = ["filter.Fir float32, interleaved", "filter.Fir float32, planar"];
    report.channels(names, &mut stereo, &real())?;

    let mut fir = FixedFir::<Complex<f32>, f32, TAPS>::fixed(black_box(&MIXED));
    report.blockwise("filter.Fir complex64, 63 real taps", &mut fir, &complex())?;
    let mut fir = FixedFir::<Complex<f32>, Complex<f32>, TAPS>::fixed(black_box(&TURNED));
    report.blockwise("filter.Fir complex64, 63 complex taps", &mut fir, &complex())?;

    let mut fir = FixedFir::<Q7, Q7, TAPS>::fixed(black_box(&BYTE));
    report.blockwise("filter.Fir q7, 63 taps", &mut fir, &q7())?;
    let mut fir = FixedFir::<Q15, Q15, TAPS>::fixed(black_box(&SHORT_LOUD));
    report.blockwise("filter.Fir q15, 63 taps, 64-bit sums", &mut fir, &q15())?;
    let mut fir = FixedFir::<Q15, Q15, TAPS>::fixed(black_box(&SHORT_QUIET));
    report.blockwise("filter.Fir q15, 63 taps, 32-bit sums", &mut fir, &q15())?;
    let mut fir = FixedFir::<Q31, Q31, TAPS>::fixed(black_box(&LONG_LOUD));
    report.blockwise("filter.Fir q31, 63 taps, 128-bit sums", &mut fir, &q31())?;
    let mut fir = FixedFir::<Q31, Q31, TAPS>::fixed(black_box(&LONG_QUIET));
    report.blockwise("filter.Fir q31, 63 taps, 64-bit sums", &mut fir, &q31())
}
