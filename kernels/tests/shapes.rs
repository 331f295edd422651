//! The table of shapes in `docs/shapes.toml`, one test for each row: who owns what a call gives.

use num_complex::Complex;
use passband_kernels::delay::FixedDelayLine;
use passband_kernels::demod::FmDemod;
use passband_kernels::detect::{Burst, BurstDetector, Peak, PeakConditions, find_peaks, max_peaks};
use passband_kernels::filter::{FirConfig, FixedFir, FixedNlms};
use passband_kernels::fixed::dot;
use passband_kernels::level::{LevelMeter, PowerAverager};
use passband_kernels::resample::{FirDecimatorConfig, FixedFirDecimator};
use passband_kernels::sample::Q15;
use passband_kernels::shape::{
    Batch, Blockwise, Detector, Generator, InPlace, Kernel, Measure, MultiChannel, Progress, Sink, TwoInput,
    TwoOutput, VariableLength, Windowed,
};
use passband_kernels::source::{LocalOscillator, Mixer};
use passband_kernels::spectrum::hann;
use passband_kernels::state::Snapshot;
use passband_kernels::sync::Pll;
use passband_kernels::transform::{FftConfig, FixedFft};
use passband_kernels::{Chain, FixedChannels, Steps};

const ONE: Complex<f32> = Complex::ONE;
const J: Complex<f32> = Complex::I;

static TAPS: FirConfig<f32, [f32; 2]> = FirConfig::<f32, [f32; 2]>::fixed([0.5, 0.25]);
static FOUR: FftConfig<[Complex<f32>; 4]> = FftConfig::<[Complex<f32>; 4]>::fixed(false);
type Third = FirDecimatorConfig<f32, [f32; 2]>;
static THIRD: Third = match Third::fixed([1.0, 1.0], 3, 0) {
    Ok(config) => config,
    Err(_) => panic!("valid"),
};

fn fir() -> FixedFir<f32, f32, 2> {
    FixedFir::fixed(&TAPS)
}

fn decimator() -> FixedFirDecimator<f32, f32, 2> {
    FixedFirDecimator::fixed(&THIRD)
}

fn bursts() -> BurstDetector<f32> {
    BurstDetector::new(1.0, 1.0, 0, 1).unwrap()
}

#[test]
fn every_row_has_its_test_and_every_test_its_row() {
    let quoted = |line: &str| Some(line.strip_prefix("name = \"")?.strip_suffix('"')?.to_owned());
    let rows: Vec<_> = include_str!("../../docs/shapes.toml").lines().filter_map(quoted).collect();
    let rows: Vec<_> = rows.iter().map(|name| name.replace([' ', '-'], "_")).collect();
    let tests = include_str!("shapes.rs").split("#[test]\nfn ").skip(2);
    let tests: Vec<_> = tests.map(|text| text.split('(').next().unwrap()).collect();
    assert!(rows.len() > 10);
    assert_eq!(tests, rows, "in the order of docs/shapes.toml");
}

#[test]
fn scalar() {
    let mut y = [0.0; 2];
    fir().steps(&[1.0, 2.0], &mut y);
    let mut by_one = fir();
    assert_eq!([1.0, 2.0].map(|x| by_one.step(x)), y);
}

#[test]
fn blockwise() {
    let mut y = [-1.0; 4];
    assert_eq!(fir().steps(&[1.0, 2.0, 3.0], &mut y), 3);
    assert_eq!(y, [0.5, 1.25, 2.0, -1.0], "what lies beyond the input stays");
    assert_eq!(fir().steps(&[1.0, 2.0, 3.0], &mut y[..1]), 1, "the shorter length");
}

#[test]
fn in_place() {
    let mut io = [ONE; 2];
    Mixer::new(0.25, 0.0).unwrap().steps_in_place(&mut io);
    assert_eq!(io, [ONE, J]);
}

#[test]
fn two_inputs() {
    let mut nlms = FixedNlms::<f32, 2>::new(1.0, 0.0).unwrap();
    let mut error = [-1.0; 3];
    assert_eq!(nlms.steps(&[1.0, 0.0], &[0.5, 0.25, 9.0], &mut error), 2, "the shortest length");
    assert_eq!(error, [0.5, 0.25, -1.0]);
}

#[test]
fn generator() {
    let mut y = [ONE; 3];
    LocalOscillator::new(0.25, 0.0).unwrap().generate(&mut y);
    assert_eq!(y, [ONE, J, -ONE]);
}

#[test]
fn batch() {
    let mut spectra = [J; 11];
    assert_eq!(FixedFft::<f32, 4>::fixed(&FOUR).batch(&[ONE; 11], &mut spectra), 2, "whole frames");
    let spectrum = [ONE * 4.0, Complex::ZERO, Complex::ZERO, Complex::ZERO];
    assert_eq!((&spectra[..4], &spectra[4..8], &spectra[8..]), (&spectrum[..], &spectrum[..], &[J; 3][..]));
}

#[test]
fn channels() {
    let mut stereo = FixedChannels::<_, 2>::fixed(fir());
    let mut y = [-1.0; 5];
    assert_eq!(stereo.steps_interleaved(&[1.0, 10.0, 2.0, 20.0], &mut y), 2);
    assert_eq!(y, [0.5, 5.0, 1.25, 12.5, -1.0], "each as if it were alone");
}

#[test]
fn variable_length() {
    let mut kernel = decimator();
    let (room, mut y) = (kernel.max_out(4), [-1.0; 3]);
    assert_eq!(room, 2);
    assert_eq!(kernel.execute(&[1.0, 2.0, 3.0, 4.0], &mut y), Progress { consumed: 4, produced: room });
    assert_eq!(y, [1.0, 7.0, -1.0]);
}

#[test]
fn multi_output() {
    let mut pll = Pll::new(0.0, 0.02, 0.7).unwrap();
    let (mut signal, mut error) = ([ONE; 2], [-1.0; 3]);
    assert_eq!(pll.steps(&[J; 4], (&mut signal, &mut error)), 2, "the shortest length");
    assert!((signal[0] - J).l1_norm() < 1e-6 && (error[0] - core::f32::consts::FRAC_PI_2).abs() < 1e-6);
    assert_eq!(error[2], -1.0, "both advance together");
}

#[test]
fn other_output_type() {
    let mut y = [0.0f32; 2];
    assert_eq!(FmDemod::new(1.0).unwrap().steps(&[ONE, J], &mut y), 2);
    assert_eq!(y, [0.0, core::f32::consts::FRAC_PI_2]);
}

#[test]
fn records() {
    let mut kernel = bursts();
    let mut found = [Burst::default(); 2];
    assert!(kernel.max_out(5) <= 3);
    assert_eq!(kernel.detect(&[0.0, 2.0, 2.0, 0.0, 0.0], &mut found), Progress { consumed: 5, produced: 1 });
    assert_eq!((found[0].start, found[0].stop, found[1]), (1, 3, Burst::default()));
}

#[test]
fn end_of_a_stream() {
    let mut kernel = bursts();
    let mut found = [Burst::default()];
    let _ = kernel.detect(&[0.0, 2.0], &mut []);
    assert_eq!(kernel.max_flush(), 1);
    assert_eq!(kernel.flush(&mut found).produced, 1);
    assert_eq!((found[0].start, kernel.max_flush()), (1, 0));
}

#[test]
fn single_record() {
    let level = LevelMeter::<f32>::new(1.0).unwrap().measure(&[0.5, -1.0, 0.5, -1.0]);
    assert_eq!((level.peak, level.clip_count), (1.0, 2));
}

#[test]
fn sink() {
    let mut power = PowerAverager::<f32>::new();
    power.push(&[1.0, -3.0]);
    assert_eq!(power.value(), 5.0);
    power.push(&[0.0; 2]);
    assert_eq!(power.value(), 2.5, "over all of the stream");
}

#[test]
fn pure_function() {
    let mut window = [0.0; 3];
    hann(&mut window, true);
    assert_eq!(window, [0.0, 1.0, 0.0]);
}

#[test]
fn function_giving_a_number() {
    assert_eq!(dot(&[Q15(1), Q15(2), Q15(3)], &[Q15(3); 3]), 18);
}

#[test]
fn function_giving_records() {
    let x = [0.0f32, 2.0, 0.0, 1.0, 3.0, 0.0];
    let mut found = [Peak::default(); 3];
    assert!(max_peaks(x.len()) <= found.len());
    assert_eq!(find_peaks(&x, &PeakConditions::new(), &mut found), 2);
    assert_eq!((found[0].index, found[1].index, found[1].height), (1, 4, 3.0));
}

#[test]
fn state_copy() {
    assert_eq!(fir().config().taps().collect::<Vec<_>>(), [0.5, 0.25]);
}

#[test]
fn state_view() {
    let mut line = FixedDelayLine::<f32, 2>::fixed();
    let at = line.window().as_ptr();
    line.steps(&[1.0, 2.0, 3.0], &mut [0.0; 3]);
    assert_eq!((line.window(), line.window().as_ptr()), (&[2.0, 3.0][..], at));
}

#[test]
fn bytes() {
    let (mut kernel, mut blob) = (fir(), [0; 64]);
    kernel.step(1.0);
    let len = kernel.save(&mut blob).unwrap();
    assert_eq!(len, kernel.save_len());
    assert!(kernel.save(&mut [0; 3]).is_err(), "the caller has to bring the room");
    let next = kernel.step(2.0);
    kernel.reset();
    kernel.load(&blob[..len]).unwrap();
    assert_eq!(kernel.step(2.0), next);
}

#[test]
fn caller_required() {
    let (mut kernel, mut x, mut y) = (decimator(), &[1.0; 12][..], [0.0; 1]);
    let mut total = 0;
    while !x.is_empty() {
        let progress = kernel.execute(x, &mut y);
        assert!(progress.consumed > 0, "room for one output makes progress");
        (x, total) = (&x[progress.consumed..], total + progress.produced);
    }
    assert_eq!(total, 4);
}

#[test]
fn composer() {
    let mut chain: Chain<_, _> = Chain::new(Steps(fir()), decimator());
    let (mut whole, mut parts, mut between) = ([0.0; 3], [0.0; 3], [0.0; 9]);
    let x = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];
    assert_eq!(chain.execute(&x, &mut whole), Progress { consumed: 9, produced: 3 });
    fir().steps(&x, &mut between);
    let _ = decimator().execute(&between, &mut parts);
    assert_eq!(whole, parts);
}
