//! What the board and the host run: each kernel over a seeded input.
//!
//! Lengths and configs pass through `black_box`: no panic is ruled out for these values only.

mod detect;
mod filter;
mod fixed;
mod level;
mod resample;
mod sections;
mod transform;

use crate::report::Report;
use core::fmt::{Result, Write};
use core::hint::black_box;
use passband_kernels::convert::{F32ToI16, I16ToF32};
use passband_kernels::demod::FmDemod;
use passband_kernels::detect::{Burst, BurstDetector};
use passband_kernels::filter::{FirConfig, FixedFir, FixedNlms};
use passband_kernels::resample::{FirDecimatorConfig, FixedFirDecimator};
use passband_kernels::sample::{Q15, Q31, Sample};
use passband_kernels::shape::{Blockwise, Detector, Generator, TwoInput, TwoOutput, VariableLength};
use passband_kernels::source::{LocalOscillator, Mixer, Nco};
use passband_kernels::spectrum::{hann, kaiser};
use passband_kernels::state::Snapshot;
use passband_kernels::sync::{Pll, SymbolSync};
use passband_kernels::{Chain, Complex, SimdLevel, Steps};

/// Inputs per case.
const N: usize = 512;
const TAPS: usize = 63;

/// A config: on the board laid out at compile time and in flash, on the host for the scalar level.
macro_rules! config {
    ($name:ident: $config:ty = $board:expr, $host:expr) => {
        #[cfg(target_os = "none")]
        static $name: $config = $board;
        #[cfg(not(target_os = "none"))]
        static $name: std::sync::LazyLock<$config> =
            std::sync::LazyLock::new(|| $host.expect("the arguments of the board"));
    };
}
use config;

const SCALAR: SimdLevel = SimdLevel::SCALAR;

type Real = FirConfig<f32, [f32; TAPS]>;
config!(FIR_F32: Real = Real::fixed(FLOATS), Real::with_level(FLOATS, SCALAR));

type Fixed = FirConfig<Q15, [Q15; TAPS]>;
config!(FIR_Q15: Fixed = Fixed::fixed(CODES), Fixed::with_level(CODES, SCALAR));
config!(FIR_Q15_QUIET: Fixed = Fixed::fixed(QUIET), Fixed::with_level(QUIET, SCALAR));

type Fine = FirConfig<Q31, [Q31; TAPS]>;
config!(FIR_Q31: Fine = Fine::fixed(FINE), Fine::with_level(FINE, SCALAR));
config!(FIR_Q31_LOUD: Fine = Fine::fixed(LOUD), Fine::with_level(LOUD, SCALAR));

type Decimator = FirDecimatorConfig<Complex<f32>, [f32; TAPS]>;
config!(DECIMATOR: Decimator = match Decimator::fixed(FLOATS, 8, 3) {
    Ok(config) => config,
    Err(_) => panic!("the arguments make no sense"),
}, Decimator::with_level(FLOATS, 8, 3, SCALAR));

/// Runs and reports every case.
pub(crate) fn run(report: &mut Report<impl Write, impl FnMut() -> u32>) -> Result {
    let (real, complex) = (signal(f32::from), signal(|code| Complex::new(f32::from(code), 9999.0)));
    let mut y = [0.0; N];

    let mut fir = FixedFir::<f32, f32, TAPS>::fixed(black_box(&FIR_F32));
    blockwise(report, "fir_f32", &mut fir, &real, &mut y)?;
    report.floats(y)?;

    for (name, config) in [("fir_q15", &FIR_Q15), ("fir_q15_quiet", &FIR_Q15_QUIET)] {
        let mut fir = FixedFir::<Q15, Q15, TAPS>::fixed(black_box(config));
        let mut y = [Q15(0); N];
        blockwise(report, name, &mut fir, &signal(Q15), &mut y)?;
        report.integers(y.map(|y| y.0.into()))?;
    }

    for (name, config) in [("fir_q31", &FIR_Q31), ("fir_q31_loud", &FIR_Q31_LOUD)] {
        let mut fir = FixedFir::<Q31, Q31, TAPS>::fixed(black_box(config));
        let mut y = [Q31(0); N];
        blockwise(report, name, &mut fir, &signal(|code| Q31(i32::from(code) << 16)), &mut y)?;
        report.integers(y.map(|y| y.0))?;
    }

    let (freq, phase) = black_box((0.123, 0.25));
    if let Ok(mut oscillator) = LocalOscillator::with_level(freq, phase, SCALAR) {
        generate(report, &mut oscillator)?;
    }
    if let Ok(mut nco) = Nco::with_level(phase, SCALAR) {
        let (freqs, mut out) = (signal(|code| f32::from(code) / 1e5), [Complex::ZERO; N]);
        blockwise(report, "nco", &mut nco, &freqs, &mut out)?;
        report.complex(&out)?;
    }

    let decimator = FixedFirDecimator::<Complex<f32>, f32, TAPS>::fixed(black_box(&DECIMATOR));
    let mut out = [Complex::ZERO; N / 8];
    execute(report, "fir_decimator", &mut decimator.clone(), &complex, &mut out)?;
    report.complex(&out)?;

    if let Ok(mut fm) = FmDemod::with_level(black_box(0.5), SCALAR) {
        blockwise(report, "fm_demod", &mut fm, &complex, &mut y)?;
        report.floats(y)?;
    }
    let (on, off, hang, min_length) = black_box((8e8, 2e8, 2, 3));
    if let Ok(mut bursts) = BurstDetector::with_level(on, off, hang, min_length, SCALAR) {
        detect(report, &mut bursts, &real)?;
    }

    let (freq, gain) = black_box((-0.2, 1.5));
    if let (Ok(mixer), Ok(fm)) = (Mixer::with_level(freq, phase, SCALAR), FmDemod::with_level(gain, SCALAR)) {
        let mut receiver: Chain<_, _> = Chain::new(Chain::<_, _>::new(Steps(mixer), decimator), Steps(fm));
        let mut out = [0.0; N / 8];
        execute(report, "receiver", &mut receiver, &complex, &mut out)?;
        report.floats(out)?;
        snapshot(report, &mut receiver.second().0)?;
    }
    loops(report, &real, &complex)?;

    let mut codes = [0; N];
    blockwise(report, "f32_to_i16", &mut F32ToI16::with_level(SCALAR), &real, &mut codes)?;
    report.integers(codes.map(i32::from))?;
    blockwise(report, "i16_to_f32", &mut I16ToF32::with_level(SCALAR), &codes, &mut y)?;
    report.floats(y)?;
    report.case("hann", N, || hann(some_mut(&mut y), black_box(true)))?;
    report.floats(y)?;
    report.case("kaiser", N, || {
        let _ = kaiser(some_mut(&mut y), black_box(8.6), black_box(false));
    })?;
    report.floats(y)?;
    sections::run(report, &real)?;
    filter::run(report, &real, &complex)?;
    fixed::run(report, &real)?;
    resample::run(report, &real, &complex)?;
    level::run(report, &complex)?;
    detect::run(report, &real)?;
    transform::run(report, &complex)
}

/// Kernels with feedback, where one rounding apart would show in all that follows.
fn loops(
    report: &mut Report<impl Write, impl FnMut() -> u32>,
    real: &[f32; N],
    complex: &[Complex<f32>; N],
) -> Result {
    let (real, complex, mut y) = (some(real), some(complex), [0.0; N]);
    let (freq, loop_bandwidth, damping) = black_box((0.01, 0.02, 0.7));
    if let Ok(mut pll) = Pll::new(freq, loop_bandwidth, damping) {
        let mut signal = [Complex::ZERO; N];
        report.case("pll", N, || {
            pll.steps(complex, (some_mut(&mut signal), some_mut(&mut y)));
        })?;
        report.complex(&signal)?;
        report.floats(y)?;
    }
    let (step_size, regularization) = black_box((0.5, 1e6));
    if let Ok(mut nlms) = FixedNlms::<f32, 16>::with_level(step_size, regularization, SCALAR) {
        let (past, present) = (real, real.get(1..).unwrap_or_default());
        report.case("nlms", N - 1, || {
            nlms.steps(past, present, some_mut(&mut y));
        })?;
        report.floats(y)?;
        report.floats(nlms.taps())?;
    }
    if let Ok(mut sync) = SymbolSync::<f32>::new(black_box(5.3), loop_bandwidth, damping) {
        let mut symbols = [0.0; N / 4];
        execute(report, "symbol_sync", &mut sync, real, &mut symbols)?;
        report.floats(symbols)?;
    }
    Ok(())
}

/// Saves a state and loads it again.
fn snapshot(report: &mut Report<impl Write, impl FnMut() -> u32>, kernel: &mut impl Snapshot) -> Result {
    let mut blob = [0; 64];
    let mut loaded = false;
    report.case("snapshot", 1, || {
        let saved = kernel.save(some_mut(&mut blob)).ok().and_then(|len| blob.get(..len));
        loaded = saved.is_some_and(|blob| kernel.load(blob).is_ok());
    })?;
    report.integers([i32::from(loaded)])?;
    report.integers(blob.map(i32::from))
}

fn blockwise<K: Blockwise>(
    report: &mut Report<impl Write, impl FnMut() -> u32>,
    name: &str,
    kernel: &mut K,
    x: &[K::Input],
    out: &mut [K::Output],
) -> Result {
    let (x, out) = (some(x), some_mut(out));
    report.case(name, x.len(), || {
        kernel.steps(x, out);
    })
}

fn generate(
    report: &mut Report<impl Write, impl FnMut() -> u32>,
    oscillator: &mut LocalOscillator,
) -> Result {
    let mut out = [Complex::ZERO; N];
    report.case("local_oscillator", N, || oscillator.generate(some_mut(&mut out)))?;
    report.complex(&out)?;
    // A retune in mid-stream computes its table anew.
    report.case("retune", 1, || {
        let _ = oscillator.set_freq(black_box(-0.377));
    })?;
    oscillator.generate(&mut out);
    report.complex(&out)
}

fn execute<K: VariableLength>(
    report: &mut Report<impl Write, impl FnMut() -> u32>,
    name: &str,
    kernel: &mut K,
    x: &[K::Input],
    out: &mut [K::Output],
) -> Result {
    let (x, out) = (some(x), some_mut(out));
    report.case(name, x.len(), || {
        // The promised counts are enough: everything is consumed, which the bits show.
        let _ = kernel.execute(x, out);
    })
}

fn detect(
    report: &mut Report<impl Write, impl FnMut() -> u32>,
    bursts: &mut BurstDetector<f32>,
    x: &[f32],
) -> Result {
    let (x, mut out) = (some(x), [Burst::default(); N]);
    let mut found = 0;
    report.case("burst_detector", x.len(), || {
        found = bursts.detect(x, some_mut(&mut out)).produced;
        found += bursts.flush(out.get_mut(found..).unwrap_or_default()).produced;
    })?;
    out.iter().take(found).try_for_each(|burst| {
        report.integers([burst.start as i32, burst.stop as i32])?;
        report.floats([burst.peak, burst.mean_power])
    })
}

/// All of `x`, with a length that the optimiser does not know.
fn some<T>(x: &[T]) -> &[T] {
    x.get(..black_box(x.len())).unwrap_or_default()
}

fn some_mut<T>(x: &mut [T]) -> &mut [T] {
    x.get_mut(..black_box(x.len())).unwrap_or_default()
}

/// Seeded codes over the whole range of 16 bits, as samples.
fn signal<T: Sample>(sample: impl Fn(i16) -> T) -> [T; N] {
    let mut seed = 1u32;
    core::array::from_fn(|_| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        sample((seed >> 16) as i16)
    })
}

/// A parabola as codes whose sum may exceed 32 bits.
const CODES: [Q15; TAPS] = parabola(1);
/// Codes whose sum cannot.
const QUIET: [Q15; TAPS] = parabola(64);

const fn parabola(divisor: usize) -> [Q15; TAPS] {
    let (mut taps, mut k) = ([Q15(0); TAPS], 0);
    while k < TAPS {
        taps[k] = Q15((32 * (k + 1) * (TAPS - k) / divisor) as i16);
        k += 1;
    }
    taps
}

/// Codes whose sum fits 64 bits, and codes whose sum may exceed them.
const FINE: [Q31; TAPS] = shifted(8);
const LOUD: [Q31; TAPS] = shifted(16);

const fn shifted(bits: u32) -> [Q31; TAPS] {
    let (mut taps, mut k) = ([Q31(0); TAPS], 0);
    while k < TAPS {
        taps[k] = Q31((CODES[k].0 as i32) << bits);
        k += 1;
    }
    taps
}

const FLOATS: [f32; TAPS] = {
    let (mut taps, mut k) = ([0.0; TAPS], 0);
    while k < TAPS {
        taps[k] = CODES[k].0 as f32 / 32768.0;
        k += 1;
    }
    taps
};
