//! Sources and shifts.

use super::SCALAR;
use crate::inputs::{complex, signal};
use crate::report::Report;
use crate::shapes::made;
use core::fmt::Result;
use core::hint::black_box;
use passband_kernels::Complex;
use passband_kernels::shape::Generator;
use passband_kernels::source::{
    Chirp, Distribution, Gold, Impulse, LocalOscillator, Mixer, Nco, Noise, Pn, Step, primitive_polynomial,
};

pub(super) fn run(report: &mut Report) -> Result {
    chirp(report)?;
    gold(report)?;
    impulse(report)?;
    local_oscillator(report)?;
    mixer(report)?;
    nco(report)?;
    noise(report)?;
    pn(report)?;
    step(report)?;
    Ok(())
}

fn chirp(report: &mut Report) -> Result {
    let (freq, rate, phase) = black_box((-0.25, 1e-3, 0.5));
    let mut chirp = made(Chirp::with_level(freq, rate, phase, SCALAR))?;
    report.generator("source.Chirp complex64", &mut chirp)?;
    report.numbers([chirp.freq(), chirp.phase()])
}

fn gold(report: &mut Report) -> Result {
    let (length, shift, skip) = black_box((10, 5, 1000));
    let mut gold = made(Gold::<u8>::with_level(length, shift, SCALAR))?;
    report.generator("source.Gold uint8", &mut gold)?;
    report.case("source.Gold uint8, advance", 1, || gold.advance(skip))?;
    report.samples(&core::array::from_fn::<_, 8, _>(|_| gold.step()))?;
    report.generator("source.Gold int8", &mut made(Gold::<i8>::with_level(length, shift, SCALAR))?)?;
    report.generator("source.Gold float32", &mut made(Gold::<f32>::with_level(length, shift, SCALAR))?)
}

fn impulse(report: &mut Report) -> Result {
    let (delay, period) = black_box((3, Some(50)));
    report.generator("source.Impulse float32", &mut made(Impulse::<f32>::new(delay, period))?)?;
    report.generator("source.Impulse complex64", &mut made(Impulse::<Complex<f32>>::new(delay, None))?)
}

fn local_oscillator(report: &mut Report) -> Result {
    let (freq, phase) = black_box((0.123, 0.25));
    let mut oscillator = made(LocalOscillator::with_level(freq, phase, SCALAR))?;
    report.generator("source.LocalOscillator complex64", &mut oscillator)?;
    // A retune in mid-stream computes its table anew.
    report.case("source.LocalOscillator complex64, set_freq", 1, || {
        let _ = oscillator.set_freq(black_box(-0.377));
    })?;
    report.numbers([oscillator.freq(), oscillator.phase()])?;
    report.generator("source.LocalOscillator complex64, retuned", &mut oscillator)
}

fn mixer(report: &mut Report) -> Result {
    let (freq, phase) = black_box((-0.2, 0.25));
    let mut mixer = made(Mixer::with_level(freq, phase, SCALAR))?;
    report.blockwise("source.Mixer complex64", &mut mixer, &complex())?;
    report.in_place("source.Mixer complex64, in place", &mut mixer, &complex())
}

fn nco(report: &mut Report) -> Result {
    let mut nco = made(Nco::<f32>::with_level(black_box(0.25), SCALAR))?;
    report.blockwise("source.Nco float32", &mut nco, &signal(|code| f32::from(code) / 1e5))?;
    report.numbers([nco.phase()])
}

fn noise(report: &mut Report) -> Result {
    for (name, distribution) in [
        ("source.Noise float32, Gaussian", Distribution::Gaussian),
        ("source.Noise float32, uniform", Distribution::Uniform),
    ] {
        let (seed, distribution, skip) = black_box((7, distribution, 1 << 40));
        let mut noise = Noise::<f32>::with_level(seed, distribution, SCALAR);
        noise.advance(skip);
        report.generator(name, &mut noise)?;
    }
    let mut noise = Noise::<Complex<f32>>::with_level(black_box(7), Distribution::Gaussian, SCALAR);
    report.generator("source.Noise complex64, Gaussian", &mut noise)
}

fn pn(report: &mut Report) -> Result {
    let polynomial = made(primitive_polynomial(black_box(23)))?;
    let (state, skip) = black_box((Some(5), 1 << 20));
    let mut pn = made(Pn::<u8>::with_level(polynomial, state, SCALAR))?;
    report.generator("source.Pn uint8", &mut pn)?;
    report.case("source.Pn uint8, advance", 1, || pn.advance(skip))?;
    report.samples(&core::array::from_fn::<_, 8, _>(|_| pn.step()))?;
    report.generator("source.Pn int8", &mut made(Pn::<i8>::with_level(polynomial, None, SCALAR))?)?;
    report.generator("source.Pn float32", &mut made(Pn::<f32>::with_level(polynomial, None, SCALAR))?)
}

fn step(report: &mut Report) -> Result {
    report.generator("source.Step float32", &mut Step::<f32>::new(black_box(100)))?;
    report.generator("source.Step complex64", &mut Step::<Complex<f32>>::new(black_box(0)))
}
