use super::*;
use crate::resample::BoxedFirDecimator;
use crate::shape::Blockwise;
use crate::source::Mixer;
use crate::state::{StateError, forged};
use crate::testing::signal;
use std::vec;
use std::vec::Vec;

type Receiver = Ddc<Complex<f32>, BoxedFirDecimator<Complex<f32>, f32>>;

fn receiver(freq: f64, phase: f64, taps: &[f32], factor: usize) -> Receiver {
    Ddc::new(freq, phase, BoxedFirDecimator::new(taps, factor, 0).unwrap()).unwrap()
}

/// What an oscillator that is shifted out leaves of ones.
fn run(receiver: &mut Receiver, count: usize) -> Vec<Complex<f32>> {
    let mut y = vec![Complex::default(); receiver.max_out(count)];
    let x = vec![Complex::new(1.0, 0.0); count];
    assert_eq!(receiver.execute(&x, &mut y), Progress { consumed: count, produced: y.len() });
    y
}

fn near(y: Complex<f32>, turns: f64) {
    let (sin, cos) = (-turns * core::f64::consts::TAU).sin_cos();
    assert!((f64::from(y.re) - cos).abs() < 3e-7 && (f64::from(y.im) - sin).abs() < 3e-7, "{y} at {turns}");
}

#[test]
fn it_is_a_mixer_and_its_cascade_to_the_bit() {
    let (taps, x) = (signal::<f32>(7, 30), signal::<Complex<f32>>(1, 1000));
    for level in SimdLevel::available() {
        let decimator = || BoxedFirDecimator::<Complex<f32>, f32>::with_level(&taps, 5, 2, level).unwrap();
        let mut shifted = vec![Complex::default(); 1000];
        Mixer::with_level(0.123, -0.25, level).unwrap().steps(&x, &mut shifted);
        let (mut expected, mut y) = (vec![Complex::default(); 200], vec![Complex::default(); 200]);
        let _ = decimator().execute(&shifted, &mut expected);
        let mut ddc = Ddc::<_, _>::with_level(-0.123, 0.25, decimator(), level).unwrap();
        assert_eq!(ddc.execute(&x, &mut y), Progress { consumed: 1000, produced: 200 });
        assert_eq!(y, expected);
    }
}

#[test]
fn the_phase_is_right_after_a_billion_samples() {
    const FREQ: u64 = 123_456_789;
    const NUMBER: u64 = 1_000_000_005;
    // Frequencies in 2^-30 cycles, of which 2^-64 are what states hold.
    let mut receiver = receiver(FREQ as f64 / (1u64 << 30) as f64, 0.25, &[1.0], 1);
    let increment = (FREQ << 34).wrapping_neg();
    let start = increment.wrapping_mul(NUMBER - NUMBER % 64).wrapping_add(3 << 62);
    forged::load(&mut receiver, &[start, increment, NUMBER % 64, 0]).unwrap();
    for (n, y) in (NUMBER..).zip(run(&mut receiver, 100)) {
        near(y, 0.25 + (n * FREQ % (1 << 30)) as f64 / (1u64 << 30) as f64);
    }
}

#[test]
fn a_retune_continues_the_phase() {
    let mut receiver = receiver(0.1, 0.0, &[1.0], 1);
    run(&mut receiver, 99);
    receiver.set_freq(-0.37).unwrap();
    assert!((receiver.freq() + 0.37).abs() < 1e-15);
    for (n, y) in run(&mut receiver, 80).into_iter().enumerate() {
        near(y, (99.0 * 0.1 - 0.37 * n as f64).fract());
    }
    assert_eq!(receiver.set_freq(f64::INFINITY).unwrap_err().argument, "freq");
    receiver.set_freq(0.5).unwrap();
    assert_eq!(receiver.freq(), 0.5);
    receiver.reset();
    assert!((receiver.freq() - 0.1).abs() < 1e-15);
}

#[test]
fn a_state_that_the_cascade_refuses_leaves_the_shift_as_it_was() {
    let mut receiver = receiver(0.1, 0.0, &[1.0, 1.0], 3);
    run(&mut receiver, 10);
    let save = |receiver: &Receiver| {
        let mut blob = vec![0; receiver.save_len()];
        receiver.save(&mut blob).unwrap();
        blob
    };
    let before = save(&receiver);
    // Three inputs before the next output are too many.
    assert_eq!(forged::load(&mut receiver, &[7, 7, 7, 3, 0]), Err(StateError::Payload));
    assert_eq!(save(&receiver), before);
    assert_eq!(forged::load(&mut receiver, &[7, 7, 7, 2, 0]), Ok(()));
    assert_ne!(save(&receiver), before);
}
