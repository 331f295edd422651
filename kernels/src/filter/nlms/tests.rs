use super::*;
use crate::sample::Q15;
use crate::shape::TwoInput;
use crate::testing::{Random, convolve, signal};
use num_complex::Complex;
use std::vec;
use std::vec::Vec;

/// Vectors and a part of one, at every level.
const LENGTH: usize = if cfg!(miri) { 11 } else { 21 };

fn run<T: Adaptive>(nlms: &mut BoxedNlms<T>, x: &[T], d: &[T]) -> Vec<T> {
    let mut out = vec![T::ZERO; x.len()];
    assert_eq!(nlms.steps(x, d, &mut out), x.len());
    out
}

/// How far the weights are from `h` after learning it.
fn learnt<T: Adaptive + Random>(number: impl Fn([f64; 2]) -> T) -> f64 {
    let (h, x) = (signal::<T>(3, LENGTH), signal::<T>(4, if cfg!(miri) { 10 } else { 2000 }));
    let flat = convolve(&h, &x, T::COMPONENTS);
    let d: Vec<_> = flat.chunks(T::COMPONENTS).map(|y| number([y[0], *y.get(1).unwrap_or(&0.0)])).collect();
    let mut nlms = BoxedNlms::new(LENGTH, 1.0, 0.0).unwrap();
    run(&mut nlms, &x, &d);
    let off = nlms.taps().map(T::parts).zip(h.iter().map(|h| h.parts()));
    off.map(|(w, h)| (w[0] - h[0]).abs().max((w[1] - h[1]).abs())).fold(0.0, f64::max)
}

#[test]
fn it_learns_the_filter_between_its_inputs() {
    let off = [
        learnt(|[re, _]| re as f32),
        learnt(|[re, _]| re) * 1e8,
        learnt(|[re, im]| Complex::new(re as f32, im as f32)),
        learnt(|[re, im]| Complex::new(re, im)) * 1e8,
    ];
    assert!(cfg!(miri) || off.iter().all(|off| *off < 2e-6), "{off:?}");
}

#[test]
fn the_excess_error_is_what_the_step_size_says() {
    let n = if cfg!(miri) { 10 } else { 200_000 };
    let (x, noise) = (signal::<f64>(5, n), signal::<f64>(6, n));
    let mut nlms = BoxedNlms::new(64, 0.5, 0.0).unwrap();
    let errors = run(&mut nlms, &x, &noise);
    let power = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>() / x.len() as f64;
    let excess = power(&errors[n / 10..]) / power(&noise[n / 10..]) - 1.0;
    assert!(cfg!(miri) || (excess / (0.5 / 1.5) - 1.0).abs() < 0.1, "{excess}");
}

#[test]
fn silence_divides_by_nothing() {
    for regularization in [0.0, 1e-3] {
        let mut nlms = BoxedNlms::new(8, 1.0, regularization).unwrap();
        assert_eq!(run(&mut nlms, &[0.0f32; 20], &[1.0; 20]), [1.0; 20]);
        assert!(nlms.taps().all(|w| w == 0.0));
        let mut nlms = BoxedNlms::new(8, 1.0, regularization).unwrap();
        assert_eq!(run(&mut nlms, &[Q15(0); 20], &[Q15(9); 20]), [Q15(9); 20]);
        assert!(nlms.taps().all(|w| w == Q15(0)));
    }
}

#[test]
fn codes_of_any_size_and_regularization_have_steps() {
    for level in SimdLevel::available() {
        let first = |regularization, x, d| {
            let mut nlms = BoxedNlms::with_level(1, 1.0, regularization, level).unwrap();
            run(&mut nlms, &[Q15(x)], &[Q15(d)]);
            nlms.taps().next()
        };
        assert_eq!(first(0.0, i16::MIN, i16::MIN), Some(Q15(i16::MAX)));
        assert_eq!(first(0.0, i16::MIN, 16384), Some(Q15(-16384)));
        // A quotient that saturates, and one that a regularization leaves nothing of.
        assert_eq!(first(0.0, 2, 1), Some(Q15(2)));
        assert_eq!(first(1e12, i16::MAX, i16::MAX), Some(Q15(0)));
    }
}

#[test]
fn what_is_no_number_leaves_the_weights() {
    let n = if cfg!(miri) { LENGTH + 5 } else { 400 };
    let (x, d) = (signal::<f32>(7, n), signal::<f32>(8, n));
    for level in SimdLevel::available() {
        let mut nlms = BoxedNlms::with_level(LENGTH, 0.5, 0.1, level).unwrap();
        run(&mut nlms, &x, &d);
        let before: Vec<_> = nlms.taps().collect();
        for bad in [f32::NAN, f32::INFINITY] {
            let mut nlms = nlms.clone();
            let mut spoilt = x[..LENGTH + 5].to_vec();
            spoilt[0] = bad;
            let errors = run(&mut nlms, &spoilt[..LENGTH], &d[..LENGTH]);
            assert!(errors.iter().all(|e| !e.is_finite()));
            assert!(nlms.taps().eq(before.iter().copied()));
            assert!(run(&mut nlms, &spoilt[LENGTH..], &d[..5]).iter().all(|e| e.is_finite()));
            assert!(!TwoInput::step(&mut nlms, 1.0, bad).is_finite());
            assert!(nlms.taps().all(f32::is_finite));
        }
    }
}

#[test]
fn arguments_that_make_no_sense_are_named() {
    let refused = |length, step, regularization| {
        BoxedNlms::<f32>::new(length, step, regularization).map(|_| ()).unwrap_err().argument
    };
    assert_eq!(refused(0, 1.0, 0.0), "length");
    for step in [0.0, 2.0, f64::NAN] {
        assert_eq!(refused(1, step, 0.0), "step_size");
    }
    for regularization in [-1e-9, f64::NAN, f64::INFINITY] {
        assert_eq!(refused(1, 1.0, regularization), "regularization");
    }
    // What is in range in `f64`, and not in `f32`.
    for step in [1e-60, 1.999_999_999_999_9] {
        assert_eq!(refused(1, step, 0.0), "step_size");
        assert!(BoxedNlms::<f64>::new(1, step, 0.0).is_ok());
        assert!(FixedNlms::<Complex<f32>, 1>::new(step, 0.0).is_err());
    }
    assert_eq!(refused(1, 1.0, 1e300), "regularization");
    assert!(BoxedNlms::<Complex<f64>>::new(1, 1.0, 1e300).is_ok());
}
