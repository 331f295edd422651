use super::*;
use crate::shape::{Kernel, TwoInput};
use crate::testing::{convolve, signal};
use num_complex::Complex;
use std::vec;
use std::vec::Vec;

const LENGTH: usize = 21;

fn run<T: Adaptive>(lms: &mut BoxedLms<T>, x: &[T], d: &[T]) -> Vec<T> {
    let mut out = vec![T::ZERO; x.len()];
    assert_eq!(lms.steps(x, d, &mut out), x.len());
    out
}

#[test]
fn it_learns_the_filter_between_its_inputs() {
    let (h, x) = (signal::<f64>(3, LENGTH), signal::<f64>(4, if cfg!(miri) { 10 } else { 5000 }));
    let mut lms = BoxedLms::new(LENGTH, 0.05).unwrap();
    run(&mut lms, &x, &convolve(&h, &x, 1));
    let off = lms.taps().zip(&h).map(|(w, h)| (w - h).abs()).fold(0.0, f64::max);
    assert!(cfg!(miri) || off < 1e-12, "{off}");
}

#[test]
fn the_step_size_decides_whether_it_converges() {
    let n = if cfg!(miri) { 50 } else { 5000 };
    let (x, d) = (signal::<f32>(5, n), signal::<f32>(6, n));
    // The signals have a power of 1/3.
    let bound = 2.0 * 3.0 / LENGTH as f64;
    let last = |step_size| {
        let mut lms = BoxedLms::new(LENGTH, step_size).unwrap();
        run(&mut lms, &x, &d)[n - 1].abs()
    };
    assert!(last(0.3 * bound) < 10.0);
    assert!(cfg!(miri) || last(3.0 * bound) > 1e6 || last(3.0 * bound).is_nan());
}

#[test]
fn what_is_no_number_leaves_the_weights() {
    let n = if cfg!(miri) { LENGTH + 5 } else { 400 };
    let (x, d) = (signal::<Complex<f32>>(7, n), signal::<Complex<f32>>(8, n));
    for level in SimdLevel::available() {
        let mut lms = BoxedLms::with_level(LENGTH, 0.02, level).unwrap();
        run(&mut lms, &x, &d);
        let before: Vec<_> = lms.taps().collect();
        let mut spoilt = x[..LENGTH + 5].to_vec();
        spoilt[0].im = f32::NAN;
        let errors = run(&mut lms, &spoilt[..LENGTH], &d[..LENGTH]);
        assert!(errors.iter().all(|e| !e.is_finite()));
        assert!(lms.taps().eq(before.iter().copied()));
        assert!(run(&mut lms, &spoilt[LENGTH..], &d[..5]).iter().all(|e| e.is_finite()));
        lms.reset();
        assert!(lms.taps().all(|w| w == Complex::ZERO));
    }
}

#[test]
fn codes_saturate_at_full_scale() {
    let (low, high) = (Q15(i16::MIN), Q15(i16::MAX));
    for level in SimdLevel::available() {
        let mut lms = BoxedLms::with_level(1, 1.5, level).unwrap();
        // An error, step and weight of full scale, then an error beyond it.
        assert_eq!(run(&mut lms, &[low, low], &[low, high]), [low, high]);
        assert!(lms.taps().eq([Q15(0)]));
    }
}

#[test]
fn codes_learn_as_numbers_do() {
    let (h, n) = ([8192, -4096, 2048].map(Q15), if cfg!(miri) { 10 } else { 2000 });
    let x = signal::<Q15>(9, n);
    let made = convolve(&h, &x, 1);
    let d: Vec<_> = made.iter().map(|y| Q15((y / 32768.0).round() as i16)).collect();
    let mut lms = BoxedLms::new(3, 0.5).unwrap();
    run(&mut lms, &x, &d);
    assert!(cfg!(miri) || lms.taps().zip(h).all(|(w, h)| w.0.abs_diff(h.0) < 8));
}

#[test]
fn arguments_that_make_no_sense_are_named() {
    let refused = |length, step| BoxedLms::<f32>::new(length, step).map(|_| ()).unwrap_err().argument;
    assert_eq!(refused(0, 1.0), "length");
    for step in [0.0, -1.0, 1e-60, 1e60, f64::NAN, f64::INFINITY] {
        assert_eq!(refused(1, step), "step_size");
    }
    assert!(FixedLms::<f64, 1>::new(1e-60).is_ok());
    for step in [1e-5, 1.99999, f64::INFINITY] {
        assert!(FixedLms::<Q15, 1>::new(step).is_err());
    }
    assert!(FixedLms::<Q15, 1>::new(1.99998).is_ok());
}
