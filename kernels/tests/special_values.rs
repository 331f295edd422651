//! NaN, infinity and subnormals through the kernels that look back on many samples.

#![cfg(feature = "testing")]

use num_complex::Complex;
use passband_kernels::SimdLevel;
use passband_kernels::filter::BoxedFir;
use passband_kernels::resample::{BoxedFirDecimator, BoxedRationalResampler};
use passband_kernels::shape::{Blockwise, VariableLength};

const LEN: usize = 700;
const BAD: usize = 333;

fn decimate(taps: &[f32], factor: usize, level: SimdLevel, x: &[Complex<f32>]) -> Vec<Complex<f32>> {
    let mut decimator = BoxedFirDecimator::with_level(taps, factor, 0, level).unwrap();
    let mut out = vec![Complex::default(); decimator.max_out(x.len())];
    let _ = decimator.execute(x, &mut out);
    out
}

fn resample(taps: &[f32], [up, down]: [usize; 2], level: SimdLevel, x: &[Complex<f32>]) -> Vec<Complex<f32>> {
    let mut resampler = BoxedRationalResampler::with_level(taps, up, down, 0, level).unwrap();
    let mut out = vec![Complex::default(); resampler.max_out(x.len())];
    let _ = resampler.execute(x, &mut out);
    out
}

fn filter(taps: &[f32], level: SimdLevel, x: &[Complex<f32>]) -> Vec<Complex<f32>> {
    let mut out = vec![Complex::default(); x.len()];
    BoxedFir::with_level(taps, level).unwrap().steps(x, &mut out);
    out
}

/// Checks that a bad sample spoils the outputs whose taps meet it and no other, for tap counts
/// around every tile, with a zero tap in the middle.
#[test]
fn a_bad_sample_spoils_as_many_outputs_as_there_are_taps() {
    for level in SimdLevel::available() {
        for count in (1..40).chain([63, 64, 65, 127, 300]) {
            let mut taps = vec![1.0; count];
            taps[count / 2] = 0.0;
            for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                let mut x = vec![Complex::new(1.0, 1.0); LEN];
                x[BAD] = Complex::new(bad, 1.0);
                let spoils = |n: usize| (BAD..BAD + count).contains(&n);
                for (n, y) in filter(&taps, level, &x).iter().enumerate() {
                    assert_eq!(!y.re.is_finite(), spoils(n), "{level}, {count} taps, {bad}, output {n}");
                    assert!(y.im.is_finite());
                    let zero_tap = n == BAD + count / 2;
                    assert!(!spoils(n) || zero_tap || bad.is_nan() || y.re == bad);
                    assert!(!zero_tap || y.re.is_nan(), "zero times infinity");
                }
                for factor in [1, 3, 8] {
                    for (m, y) in decimate(&taps, factor, level, &x).iter().enumerate() {
                        let n = m * factor;
                        assert_eq!(!y.re.is_finite(), spoils(n), "{level}, {count} taps by {factor}, {n}");
                        assert!(y.im.is_finite());
                    }
                }
                for [up, down] in [[4, 1], [3, 2], [5, 9]] {
                    for (m, y) in resample(&taps, [up, down], level, &x).iter().enumerate() {
                        let tick = m * down;
                        let spoilt = (BAD * up..BAD * up + count).contains(&tick) && tick % up < count;
                        assert_eq!(!y.re.is_finite(), spoilt, "{level}, {count} taps, {up} / {down}, {m}");
                        assert!(y.im.is_finite());
                    }
                }
            }
        }
    }
}

#[test]
fn subnormal_samples_are_filtered_exactly() {
    // Small integers times the smallest subnormal: every sum is exact in f32.
    let tiny = f32::from_bits(1);
    let x: Vec<_> = (0..LEN).map(|n| Complex::new((n % 7) as f32 * tiny, -tiny)).collect();
    let taps: Vec<f32> = (0..33).map(|k| (k % 5) as f32).collect();
    let expected = |n: usize| {
        let past = taps.iter().zip((0..=n).rev());
        past.map(|(h, i)| h * ((i % 7) as f32)).sum::<f32>() * tiny
    };
    for level in SimdLevel::available() {
        for (n, y) in filter(&taps, level, &x).iter().enumerate() {
            assert_eq!(y.re.to_bits(), expected(n).to_bits(), "{level}, output {n}");
        }
        for (m, y) in decimate(&taps, 4, level, &x).iter().enumerate() {
            assert_eq!(y.re.to_bits(), expected(4 * m).to_bits(), "{level}, decimated output {m}");
        }
        for (n, y) in resample(&taps, [1, 1], level, &x).iter().enumerate() {
            assert_eq!(y.re.to_bits(), expected(n).to_bits(), "{level}, interpolated output {n}");
        }
        for (m, y) in resample(&taps, [1, 4], level, &x).iter().enumerate() {
            assert_eq!(y.re.to_bits(), expected(4 * m).to_bits(), "{level}, resampled output {m}");
        }
    }
}
