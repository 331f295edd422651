use super::*;
use crate::testing::Rng;
use core::f64::consts::{FRAC_1_SQRT_2, TAU};
use std::vec;
use std::vec::Vec;

fn run(pll: &mut Pll, x: &[Complex<f32>]) -> (Vec<Complex<f32>>, Vec<f32>) {
    let (mut signal, mut error) = (vec![Complex::ZERO; x.len()], vec![f32::NAN; x.len()]);
    assert_eq!(pll.steps(x, (&mut signal, &mut error)), x.len());
    (signal, error)
}

fn tone(freq: f64, phase: f64, len: usize) -> Vec<Complex<f32>> {
    let sample = |n: usize| {
        let (sin, cos) = (TAU * (freq * n as f64 + phase)).sin_cos();
        Complex::new(cos as f32, sin as f32)
    };
    (0..len).map(sample).collect()
}

#[test]
fn a_carrier_within_the_loop_bandwidth_locks_whatever_its_amplitude() {
    for (freq, amplitude) in [(-0.31, 1e-30), (-0.291, 1.0), (0.49, 1e30)] {
        for offset in [-0.01, 0.004, 0.01] {
            let x: Vec<_> = tone(freq + offset, 0.4, 2000).iter().map(|x| x * amplitude).collect();
            let mut pll = Pll::new(freq, 0.01, FRAC_1_SQRT_2).unwrap();
            let (signal, error) = run(&mut pll, &x);
            let off = pll.freq() - (freq + offset);
            assert!((off - off.round()).abs() < 1e-8, "{off:e}");
            assert!(error[1900..].iter().all(|error| error.abs() < 1e-5));
            assert!(signal[1900..].iter().all(|y| (y / amplitude - 1.0).l1_norm() < 1e-5));
            // No cycle slips: the error never comes near to turning over.
            assert!(error[400..].iter().all(|error| error.abs() < 0.1));
        }
    }
}

#[test]
fn noise_moves_the_phase_by_twice_the_loop_bandwidth() {
    let (mut rng, bandwidth) = (Rng::new(9), 0.005);
    let n = if cfg!(miri) { 100 } else { 400_000 };
    // Noise of a variance of 2/3 of 0.02 squared, half of which turns the phase.
    let noise = |x: &Complex<f32>| x + Complex::new(rng.unit() as f32, rng.unit() as f32) * 0.02;
    let x: Vec<_> = tone(0.0, 0.0, n).iter().map(noise).collect();
    let mut pll = Pll::new(0.0, bandwidth, FRAC_1_SQRT_2).unwrap();
    let turned = |x: &Complex<f32>| {
        pll.step(*x);
        let phase = pll.phase();
        (TAU * (phase - phase.round())).powi(2)
    };
    let ratio = x.iter().map(turned).sum::<f64>() / n as f64 / (0.02f64.powi(2) / 3.0);
    assert!(cfg!(miri) || (ratio / (2.0 * bandwidth) - 1.0).abs() < 0.05, "{ratio}");
}

#[test]
fn silence_and_what_is_no_number_let_the_loop_coast() {
    let mut pll = Pll::new(0.1, 0.01, 1.0).unwrap();
    run(&mut pll, &tone(0.101, 0.0, 3000));
    for bad in [0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let (mut locked, start, freq) = (pll.clone(), pll.phase, pll.freq);
        let (signal, error) = run(&mut locked, &[Complex::new(bad, -bad); 50]);
        assert!(error.iter().all(|error| *error == 0.0));
        assert!(signal.iter().all(|y| if bad == 0.0 { *y == Complex::ZERO } else { y.is_nan() }));
        assert_eq!(locked.freq, freq);
        assert_eq!(locked.phase, start.wrapping_add(freq.wrapping_mul(50)));
    }
}

#[test]
fn a_reset_goes_back_to_the_first_frequency_and_nonsense_is_refused() {
    let mut pll = Pll::new(-0.75, 0.02, 1.0).unwrap();
    assert_eq!(pll.freq(), 0.25);
    run(&mut pll, &tone(0.26, 0.1, 100));
    assert!(pll.freq() > 0.25);
    pll.reset();
    assert_eq!((pll.freq(), pll.phase()), (0.25, 0.0));
    let refused = |pll: Result<Pll, ConfigError>| pll.unwrap_err().argument;
    assert_eq!(refused(Pll::new(f64::NAN, 0.1, 1.0)), "freq");
    assert_eq!(refused(Pll::new(0.1, 0.0, 1.0)), "loop_bandwidth");
    assert_eq!(refused(Pll::new(0.1, 0.1, -1.0)), "damping");
}
