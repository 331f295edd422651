//! Converters of a band, and a receiver of three kernels in a row.

use super::{EIGHTH, SCALAR, config};
use crate::inputs::{FLOATS, TAPS, complex, real};
use crate::report::Report;
use crate::shapes::made;
use core::fmt::Result;
use core::hint::black_box;
use passband_kernels::demod::FmDemod;
use passband_kernels::resample::{
    Ddc, Duc, FixedFirDecimator, FixedRationalResampler, RationalResamplerConfig,
};
use passband_kernels::source::Mixer;
use passband_kernels::{Chain, Complex, Steps};

type Twice = RationalResamplerConfig<Complex<f32>, [f32; TAPS]>;
config!(TWICE: Twice = valid Twice::fixed(FLOATS, 2, 1, 0), Twice::with_level(FLOATS, 2, 1, 0, SCALAR));

pub(super) fn run(report: &mut Report) -> Result {
    chain(report)?;
    ddc(report)?;
    duc(report)?;
    Ok(())
}

fn decimator() -> FixedFirDecimator<Complex<f32>, f32, TAPS> {
    FixedFirDecimator::fixed(black_box(&EIGHTH))
}

fn chain(report: &mut Report) -> Result {
    let (freq, phase, gain) = black_box((-0.2, 0.25, 1.5));
    let mixer = made(Mixer::with_level(freq, phase, SCALAR))?;
    let fm = made(FmDemod::with_level(gain, SCALAR))?;
    let mut receiver: Chain<_, _> = Chain::new(Chain::<_, _>::new(Steps(mixer), decimator()), Steps(fm));
    report.variable_length("Chain Mixer, FirDecimator, FmDemod", &mut receiver, &complex())
}

fn ddc(report: &mut Report) -> Result {
    let (freq, phase) = black_box((0.123, 0.25));
    let mut ddc = made(Ddc::<f32, _>::with_level(freq, phase, decimator(), SCALAR))?;
    report.variable_length("resample.Ddc float32, 63 taps, factor 8", &mut ddc, &real())?;
    report.case("resample.Ddc float32, set_freq", 1, || {
        let _ = ddc.set_freq(black_box(0.2));
    })?;
    report.numbers([ddc.freq()])?;
    let mut ddc = made(Ddc::<Complex<f32>, _>::with_level(freq, phase, decimator(), SCALAR))?;
    report.variable_length("resample.Ddc complex64, 63 taps, factor 8", &mut ddc, &complex())
}

fn duc(report: &mut Report) -> Result {
    let (freq, phase) = black_box((0.123, 0.25));
    let twice = || FixedRationalResampler::<Complex<f32>, f32, TAPS, 32>::fixed(black_box(&TWICE));
    let mut duc = made(Duc::<f32, _>::with_level(freq, phase, made(twice())?, SCALAR))?;
    report.variable_length("resample.Duc to float32, 63 taps, factor 2", &mut duc, &complex())?;
    let mut duc = made(Duc::<Complex<f32>, _>::with_level(freq, phase, made(twice())?, SCALAR))?;
    report.variable_length("resample.Duc to complex64, 63 taps, factor 2", &mut duc, &complex())
}
