use super::*;
use core::f64::consts::TAU;
use num_complex::Complex;
use std::vec;
use std::vec::Vec;

fn phasor(angle: f64) -> Complex<f64> {
    Complex::new(angle.cos(), angle.sin())
}

/// The power gain of the whole filter at `freq` cycles per sample, negative ones included.
fn gain(hilbert: &BoxedHilbert<f64>, freq: f64) -> f64 {
    let delayed = |k: f64| phasor(-TAU * freq * k);
    let imaginary: Complex<f64> = hilbert.taps().enumerate().map(|(k, tap)| delayed(k as f64) * tap).sum();
    (delayed(hilbert.group_delay()) + Complex::<f64>::I * imaginary).norm_sqr()
}

#[test]
fn images_lie_as_deep_as_documented() {
    for (length, beta) in [(31, 5.0), (63, 8.0), (255, 8.0), (127, 12.0)] {
        let hilbert = BoxedHilbert::new(length, beta).unwrap();
        let depth = beta / 0.1102 + 8.7;
        let edge = (depth - 7.95) / (28.72 * (length as f64 - 1.0));
        for step in 0..=100 {
            let freq = edge + (0.5 - 2.0 * edge) * f64::from(step) / 100.0;
            let image = 10.0 * libm::log10(gain(&hilbert, -freq) / gain(&hilbert, freq));
            assert!(image < 2.0 - depth, "{length} taps, beta {beta}, {freq}: {image} dB");
        }
    }
}

#[test]
fn a_cosine_turns_forwards() {
    let mut hilbert = BoxedHilbert::<f64>::new(63, 8.0).unwrap();
    let n = if cfg!(miri) { 70 } else { 300 };
    let x: Vec<f64> = (0..n).map(|n| (TAU * 0.1 * f64::from(n)).cos()).collect();
    let mut y = vec![Complex::ZERO; x.len()];
    hilbert.steps(&x, &mut y);
    for (n, y) in y.iter().enumerate().skip(62) {
        assert!((y - phasor(TAU * 0.1 * (n as f64 - 31.0))).norm_sqr().sqrt() < 2e-4);
    }
}

#[test]
fn a_bad_sample_meets_only_taps_that_are_not_zero() {
    let length = 31;
    for level in SimdLevel::available() {
        let mut hilbert = BoxedHilbert::<f32>::with_level(length, 8.0, level).unwrap();
        let mut x = [1.0; 100];
        x[40] = f32::NAN;
        let mut y = [Complex::ZERO; 100];
        hilbert.steps(&x, &mut y);
        for (n, y) in y.iter().enumerate() {
            let later = n.wrapping_sub(40);
            assert_eq!(y.re.is_nan(), later == 15, "{n} at {level}");
            assert_eq!(y.im.is_nan(), later < length && later.is_multiple_of(2), "{n} at {level}");
        }
    }
}

#[test]
fn both_forms_have_the_same_taps_and_answers() {
    let mut boxed = BoxedHilbert::<f32>::new(15, 6.0).unwrap();
    let mut fixed = FixedHilbert::<f32, 4, 15>::new(6.0).unwrap();
    assert!(fixed.taps().eq(boxed.taps()));
    let x = crate::testing::signal::<f32>(1, 50);
    let mut y = [[Complex::ZERO; 50]; 2];
    boxed.steps(&x, &mut y[0]);
    fixed.steps(&x, &mut y[1]);
    assert_eq!(y[0], y[1]);
}

#[test]
fn arguments_that_make_no_sense_are_named() {
    let refused = |length, beta| BoxedHilbert::<f32>::new(length, beta).map(|_| ()).unwrap_err().argument;
    for length in [0, 1, 2, 4, 5, 64] {
        assert_eq!(refused(length, 8.0), "length");
    }
    for beta in [-1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(refused(7, beta), "beta");
        assert!(FixedHilbert::<f32, 1, 3>::new(beta).is_err());
    }
}
