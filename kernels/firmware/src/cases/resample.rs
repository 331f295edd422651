//! Changes of rate.

mod band;

use super::{SCALAR, config};
use crate::inputs::{CODES, FLOATS, QUIET, SHORT, TAPS, complex, q7, q15, q31, real};
use crate::report::Report;
use crate::shapes::made;
use core::fmt::Result;
use core::hint::black_box;
use passband_kernels::Complex;
use passband_kernels::resample::{
    ArbitraryResamplerConfig, CicDecimator, CicInterpolator, Farrow, FirDecimatorConfig,
    FixedArbitraryResampler, FixedFirDecimator, FixedHalfbandDecimator, FixedHalfbandInterpolator,
    FixedRationalResampler, HalfbandConfig, RationalResamplerConfig, Stopband,
};
use passband_kernels::sample::{Q7, Q15, Q31};
use passband_kernels::scratch::State;

type Ratio = RationalResamplerConfig<f32, [f32; TAPS]>;
config!(TWICE: Ratio = valid Ratio::fixed(FLOATS, 2, 1, 0), Ratio::with_level(FLOATS, 2, 1, 0, SCALAR));
config!(LESS: Ratio = valid Ratio::fixed(FLOATS, 3, 4, 1), Ratio::with_level(FLOATS, 3, 4, 1, SCALAR));

type Eighth = FirDecimatorConfig<Complex<f32>, [f32; TAPS]>;
config!(EIGHTH: Eighth = valid Eighth::fixed(FLOATS, 8, 3), Eighth::with_level(FLOATS, 8, 3, SCALAR));

type Byte = FirDecimatorConfig<Q7, [Q7; TAPS]>;
config!(BYTE: Byte = valid Byte::fixed(SHORT, 8, 3), Byte::with_level(SHORT, 8, 3, SCALAR));

type Short = FirDecimatorConfig<Q15, [Q15; TAPS]>;
config!(LOUD: Short = valid Short::fixed(CODES, 8, 3), Short::with_level(CODES, 8, 3, SCALAR));
config!(SOFT: Short = valid Short::fixed(QUIET, 8, 3), Short::with_level(QUIET, 8, 3, SCALAR));

pub(super) fn run(report: &mut Report) -> Result {
    arbitrary_resampler(report)?;
    band::run(report)?;
    cic(report)?;
    farrow(report)?;
    fir_decimator(report)?;
    halfband(report)?;
    rational_resampler(report)?;
    Ok(())
}

#[expect(clippy::large_stack_arrays, reason = "17 KiB, for which the board has room")]
fn arbitrary_resampler(report: &mut Report) -> Result {
    const RATIO: f64 = 1.25;
    const TABLE: usize = ArbitraryResamplerConfig::<f32, [f32; 0]>::table_len(Stopband::Db60, RATIO);
    const HISTORY: usize = Stopband::Db60.taps();
    type Config<X> = ArbitraryResamplerConfig<X, [f32; TABLE]>;
    type Resampler<X> = FixedArbitraryResampler<X, TABLE, HISTORY>;

    let (ratio, phase, stopband) = black_box((RATIO, 2.5, Stopband::Db60));
    let config = made(Config::<f32>::with_level([0.0; TABLE], ratio, stopband, phase, SCALAR))?;
    let mut resampler = made(Resampler::<f32>::over(config, made(State::new(HISTORY))?))?;
    report.variable_length("resample.ArbitraryResampler float32, 60 dB", &mut resampler, &real())?;
    report.case("resample.ArbitraryResampler float32, set_ratio", 1, || {
        let _ = resampler.set_ratio(black_box(0.75));
    })?;
    report.numbers([resampler.ratio()])?;
    let config = made(Config::<Complex<f32>>::with_level([0.0; TABLE], ratio, stopband, phase, SCALAR))?;
    let mut resampler = made(Resampler::<Complex<f32>>::over(config, made(State::new(HISTORY))?))?;
    report.variable_length("resample.ArbitraryResampler complex64, 60 dB", &mut resampler, &complex())
}

fn cic(report: &mut Report) -> Result {
    let (factor, order, delay, phase) = black_box((4, 3, 1, 1));
    let mut cic = made(CicDecimator::<Q15>::new(factor, order, delay, phase))?;
    report.variable_length("resample.CicDecimator q15, factor 4, order 3", &mut cic, &q15())?;
    let mut cic = made(CicDecimator::<Q31>::new(factor, order, delay, phase))?;
    report.variable_length("resample.CicDecimator q31, factor 4, order 3", &mut cic, &q31())?;
    let mut cic = made(CicDecimator::<Complex<Q15>>::new(factor, order, delay, phase))?;
    let iq = q15().map(|code| Complex::new(code, Q15(-3)));
    report.variable_length("resample.CicDecimator cq15, factor 4, order 3", &mut cic, &iq)?;
    let mut cic = made(CicInterpolator::<Q15>::new(factor, order, delay))?;
    report.variable_length("resample.CicInterpolator q15, factor 4, order 3", &mut cic, &q15())?;
    let mut cic = made(CicInterpolator::<Q31>::new(factor, order, delay))?;
    report.variable_length("resample.CicInterpolator q31, factor 4, order 3", &mut cic, &q31())
}

fn farrow(report: &mut Report) -> Result {
    let (ratio, order, phase) = black_box((0.9, 3, 2.0));
    let mut farrow = made(Farrow::<f32>::with_level(ratio, order, phase, SCALAR))?;
    report.variable_length("resample.Farrow float32, order 3, ratio 0.9", &mut farrow, &real())?;
    report.case("resample.Farrow float32, set_ratio", 1, || {
        let _ = farrow.set_ratio(black_box(1.1));
    })?;
    report.numbers([farrow.ratio(), farrow.group_delay()])?;
    let mut farrow = made(Farrow::<Complex<f32>>::with_level(ratio, order, phase, SCALAR))?;
    report.variable_length("resample.Farrow complex64, order 3, ratio 0.9", &mut farrow, &complex())
}

fn fir_decimator(report: &mut Report) -> Result {
    let mut decimator = FixedFirDecimator::<Complex<f32>, f32, TAPS>::fixed(black_box(&EIGHTH));
    let name = "resample.FirDecimator complex64, 63 real taps, factor 8";
    report.variable_length(name, &mut decimator, &complex())?;
    let mut decimator = FixedFirDecimator::<Q7, Q7, TAPS>::fixed(black_box(&BYTE));
    report.variable_length("resample.FirDecimator q7, 63 taps, factor 8", &mut decimator, &q7())?;
    for (name, config) in [
        ("resample.FirDecimator q15, 63 taps, factor 8, 64-bit sums", &LOUD),
        ("resample.FirDecimator q15, 63 taps, factor 8, 32-bit sums", &SOFT),
    ] {
        let mut decimator = FixedFirDecimator::<Q15, Q15, TAPS>::fixed(black_box(config));
        report.variable_length(name, &mut decimator, &q15())?;
    }
    Ok(())
}

fn halfband(report: &mut Report) -> Result {
    macro_rules! halfband {
        ($($name:literal: $x:ty, $h:ty, $taps:expr, $input:expr;)*) => {$(
            let (taps, centre) = black_box($taps);
            let config = made(HalfbandConfig::<$x, [$h; 8]>::with_level(taps, centre, SCALAR))?;
            let [evens, odds] = config.histories().map(State::new);
            let decimator = FixedHalfbandDecimator::<$x, $h, 8>::over(config.clone(), made(evens)?, made(odds)?);
            let name = concat!("resample.HalfbandDecimator ", $name, ", 15 taps");
            report.variable_length(name, &mut made(decimator)?, &$input)?;
            let interpolator = FixedHalfbandInterpolator::<$x, $h, 8>::over(config, made(State::new(8))?);
            let name = concat!("resample.HalfbandInterpolator ", $name, ", 15 taps");
            report.variable_length(name, &mut made(interpolator)?, &$input)?;
        )*};
    }
    const EVEN: [i8; 8] = [-1, 4, -12, 41, 41, -12, 4, -1];
    let floats = (EVEN.map(|code| f32::from(code) / 128.0), 0.5);
    halfband! {
        "float32": f32, f32, floats, real();
        "complex64": Complex<f32>, f32, floats, complex();
        "q7": Q7, Q7, (EVEN.map(Q7), Q7(64)), q7();
        "q15": Q15, Q15, (EVEN.map(|code| Q15(i16::from(code) << 8)), Q15(1 << 14)), q15();
        "q31": Q31, Q31, (EVEN.map(|code| Q31(i32::from(code) << 24)), Q31(1 << 30)), q31();
    }
    Ok(())
}

fn rational_resampler(report: &mut Report) -> Result {
    for (name, config) in [
        ("resample.FirInterpolator float32, 63 taps, factor 2", &TWICE),
        ("resample.RationalResampler float32, 63 taps, 3 / 4", &LESS),
    ] {
        let resampler = FixedRationalResampler::<f32, f32, TAPS, 32>::fixed(black_box(config));
        report.variable_length(name, &mut made(resampler)?, &real())?;
    }
    Ok(())
}
