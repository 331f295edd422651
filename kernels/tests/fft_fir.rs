//! Fast convolution beyond what conformance covers: NaN, overflow, ends of streams, storage.

#![cfg(feature = "testing")]

use num_complex::Complex;
use passband_kernels::SimdLevel;
use passband_kernels::filter::{BoxedFftFir, BoxedFir, FftFilter, FftFirConfig, FixedFftFir};
use passband_kernels::sample::Sample;
use passband_kernels::shape::{Blockwise, Buffered, Progress, VariableLength};
use passband_kernels::state::Snapshot;
use passband_kernels::testing::{Random, convolve, same_bits, signal, values};

fn filtered<X: FftFilter<H>, H: Sample>(taps: &[H], level: SimdLevel, x: &[X]) -> Vec<X::Output> {
    let mut fir = BoxedFftFir::<X, H>::with_level(taps, level).unwrap();
    let mut y = vec![X::Output::ZERO; x.len()];
    let done = fir.execute(x, &mut y);
    assert_eq!(done.consumed, x.len());
    let rest = fir.flush(&mut y[done.produced..]);
    assert_eq!(done.produced + rest.produced, x.len(), "as many outputs as inputs");
    y
}

#[test]
fn one_nan_spoils_as_many_outputs_as_there_are_taps() {
    for level in SimdLevel::available() {
        for bad in [f32::NAN, f32::INFINITY] {
            let mut x = vec![1.0f32; 1000];
            x[100] = bad;
            for (n, y) in filtered(&[1.0f32; 17], level, &x).iter().enumerate() {
                if (100..=116).contains(&n) {
                    assert!(
                        y.to_bits() == bad.to_bits() || y.is_nan() && bad.is_nan(),
                        "{level}: output {n}"
                    );
                } else {
                    assert!((y - (n + 1).min(17) as f32).abs() < 1e-5, "{level}: output {n} is {y}");
                }
            }
        }
    }
}

#[test]
fn a_bad_sample_anywhere_spoils_what_fir_spoils() {
    for count in [1, 2, 5, 16, 33, 64] {
        let mut taps = signal::<f32>(1, count);
        taps[count / 2] = 0.0;
        for bad in (0..700).step_by(29) {
            let mut x = signal::<Complex<f32>>(2, 700);
            x[bad].re = f32::INFINITY;
            let mut direct = vec![Complex::ZERO; x.len()];
            BoxedFir::<Complex<f32>, f32>::new(&taps).unwrap().steps(&x, &mut direct);
            let fast = filtered(&taps, SimdLevel::best(), &x);
            for (n, (a, b)) in values(&direct).iter().zip(values(&fast)).enumerate() {
                let same = a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
                assert!(same || (a - b).abs() < 1e-5, "{count} taps, bad {bad}, component {n}: {a}, {b}");
            }
        }
    }
}

#[test]
fn samples_whose_transform_overflows_are_summed_directly() {
    let x = vec![3e38f32; 300];
    let y = filtered(&[0.5f32, 0.25], SimdLevel::best(), &x);
    assert!(y.iter().skip(1).all(|y| (y / 2.25e38 - 1.0).abs() < 1e-6), "no infinity");
}

/// The error in units of `eps |h| |x|`, of which `x` is the loudest block with its past.
fn relative_error<X: FftFilter<H> + Random, H: Random>(count: usize, seed: u64) -> f64 {
    let (taps, mut x) = (signal::<H>(seed, count), signal::<X>(!seed, 5000));
    // Silence around a loud stretch: its rounding errors reach into the silence of its block.
    x[..2400].fill(X::ZERO);
    x[2500..].fill(X::ZERO);
    let norm = |values: &[f64]| values.iter().map(|x| x * x).sum::<f64>().sqrt();
    let exact = convolve(&taps, &x, X::Output::COMPONENTS);
    let fast = values(&filtered(&taps, SimdLevel::best(), &x));
    let worst = exact.iter().zip(fast).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let eps = if size_of::<X::Component>() == 8 { f64::EPSILON } else { f32::EPSILON.into() };
    worst / (eps * norm(&values(&taps)) * norm(&values(&x)))
}

#[test]
fn the_error_is_within_its_bound_for_loud_and_quiet_stretches() {
    let mut worst = 0.0f64;
    for count in [1, 3, 20, 100, 700] {
        for seed in 0..4 {
            worst = worst.max(relative_error::<f32, f32>(count, seed));
            worst = worst.max(relative_error::<f32, Complex<f32>>(count, seed));
            worst = worst.max(relative_error::<Complex<f32>, f32>(count, seed));
            worst = worst.max(relative_error::<Complex<f64>, Complex<f64>>(count, seed));
        }
    }
    println!("error {worst:.2} eps |h| |x|");
    assert!(worst < 0.8, "{worst}");
}

#[test]
fn what_is_owed_comes_first_also_after_a_flush_that_had_no_room() {
    let mut fir = BoxedFftFir::<f32, f32>::new(&[1.0]).unwrap();
    let (block, x) = (fir.block(), signal::<f32>(5, 300));
    assert_eq!(block, 128, "two frames of 64");
    let mut y = vec![0.0; 300];
    assert_eq!(fir.max_in(0), block);
    let first = fir.execute(&x, &mut y[..1]);
    assert_eq!(first, Progress { consumed: block, produced: 1 });
    assert_eq!((fir.max_out(0), fir.max_in(126), fir.max_in(127)), (127, 0, block));
    let second = fir.execute(&x[block..130], &mut y[1..]);
    assert_eq!(second, Progress { consumed: 2, produced: 127 });
    assert_eq!((fir.max_flush(), fir.flush(&mut y[128..129]).produced, fir.max_flush()), (2, 1, 1));
    // A new stream begins behind the end of the old one.
    let third = fir.execute(&x[..block], &mut y[129..]);
    assert_eq!(third, Progress { consumed: block, produced: 1 + block });
    let expected = x[..130].iter().chain(&x[..block]);
    assert!(y.iter().zip(expected).all(|(y, x)| (y - x).abs() < 1e-6));
    assert_eq!(fir.flush(&mut []), Progress::default());
}

#[test]
fn a_filter_in_arrays_is_the_twin_of_a_boxed_one() {
    let taps = signal::<f32>(4, 16);
    let mut fixed = FixedFftFir::<f32, f32, 16, 64>::new(taps.clone().try_into().unwrap()).unwrap();
    let mut boxed = BoxedFftFir::<f32, f32>::new(&taps).unwrap();
    assert_eq!((fixed.config().frame(), fixed.block()), (64, 98));
    for len in [10, 0, 200, 1, 97] {
        let x = signal::<f32>(len as u64, len);
        let (mut a, mut b) = ([0.0; 300], [0.0; 300]);
        assert_eq!(fixed.execute(&x, &mut a), boxed.execute(&x, &mut b));
        assert_eq!(same_bits(&values(&a), &values(&b)), None);
        let (mut a, mut b) = (vec![0; fixed.save_len()], vec![0; boxed.save_len()]);
        assert_eq!((fixed.save(&mut a).is_ok(), boxed.save(&mut b).is_ok()), (true, true));
        assert_eq!(a, b);
    }
}

#[test]
fn arguments_that_make_no_sense_are_refused_by_name() {
    assert_eq!(BoxedFftFir::<f32, f32>::new(&[]).unwrap_err().argument, "taps");
    assert_eq!(FixedFftFir::<f32, f32, 0, 16>::new([]).map(|_| ()).unwrap_err().argument, "taps");
    assert_eq!(FixedFftFir::<f32, f32, 9, 16>::new([0.0; 9]).map(|_| ()).unwrap_err().argument, "n");
    assert_eq!(FixedFftFir::<f32, f32, 2, 24>::new([0.0; 2]).map(|_| ()).unwrap_err().argument, "n");
    let config = FftFirConfig::<Complex<f32>, _, _>::new([1.0f32, 2.0, 1.0], [Complex::ZERO; 16]).unwrap();
    assert_eq!((config.group_delay(), config.taps()), (Some(1.0), &[1.0, 2.0, 1.0][..]));
}
