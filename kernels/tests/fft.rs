//! The fast Fourier transform beyond what conformance covers: long frames, storage, odd arguments.

#![cfg(feature = "testing")]

use num_complex::Complex;
use passband_kernels::SimdLevel;
use passband_kernels::shape::Batch;
use passband_kernels::testing::{Deviation, signal, values};
use passband_kernels::transform::{BoxedFft, Fft, FftConfig, FftReal, FixedFft};

fn transformed<T: FftReal>(x: &[Complex<T>], inverse: bool, level: SimdLevel) -> Vec<Complex<T>>
where
    Complex<T>: passband_kernels::sample::Sample,
{
    let mut fft = BoxedFft::with_level(x.len(), inverse, level).unwrap();
    let mut out = vec![Complex { re: T::ZERO, im: T::ZERO }; x.len()];
    assert_eq!(fft.batch(x, &mut out), 1);
    out
}

fn double(x: &[Complex<f32>]) -> Vec<Complex<f64>> {
    x.iter().map(|x| Complex::new(x.re.into(), x.im.into())).collect()
}

/// One bin by definition, the angle reduced in integers.
fn bin(x: &[Complex<f64>], k: usize) -> Complex<f64> {
    let n = x.len();
    let angle = |m: usize| -std::f64::consts::TAU * (k * m % n) as f64 / n as f64;
    x.iter().enumerate().map(|(m, x)| x * Complex::new(angle(m).cos(), angle(m).sin())).sum()
}

#[test]
fn long_frames_are_as_accurate_as_stated_and_come_back() {
    for bits in [11, 12, 13, 14, 17, 20] {
        let n = 1 << bits;
        let x = signal::<Complex<f32>>(bits, n);
        let exact = transformed(&double(&x), false, SimdLevel::best());
        let scale = (n as f64).sqrt();
        for k in [0, 1, 2, 7, n / 4 + 3, n / 2, n - 1] {
            let error = (bin(&double(&x), k) - exact[k]).l1_norm() / scale;
            assert!(error < 1e-13, "bin {k} of {n}: {error:e}");
        }
        let back = Deviation::between(&values(&transformed(&exact, true, SimdLevel::best())), &values(&x));
        assert!(back.snr_db() > 305.0, "{n} and back: {:.1} dB", back.snr_db());
        let first = transformed(&x, false, SimdLevel::SCALAR);
        let single = Deviation::between(&values(&first), &values(&exact));
        println!("n = 2^{bits}: SNR {:.1} dB, and back {:.1} dB", single.snr_db(), back.snr_db());
        assert!(single.snr_db() > 135.0, "{n}: {:.1} dB", single.snr_db());
        for level in SimdLevel::available() {
            assert_eq!(transformed(&x, false, level), first, "{n} at {level}");
        }
    }
}

#[test]
fn a_frame_of_one_is_its_own_transform_and_other_lengths_are_refused_by_name() {
    let x = [Complex::new(4.0f32, -0.5)];
    assert_eq!(transformed(&x, false, SimdLevel::best()), x);
    assert_eq!(transformed(&x, true, SimdLevel::best()), x);
    for n in [0, 3, 5, 7, 11, 12, 13, 17, 1000, 4099, 1 << 25, usize::MAX] {
        assert_eq!(BoxedFft::<f32>::new(n, false).map(|_| ()).unwrap_err().argument, "n", "{n}");
    }
    assert!(FftConfig::new([Complex::new(0.0f64, 0.0); 12], true).is_err());
    let config = FftConfig::new([Complex::new(0.0f32, 0.0); 8], false).unwrap();
    let short = Fft::over(&config, [Complex::new(0.0f32, 0.0); 4]).map(|_| ());
    assert_eq!(short.unwrap_err().argument, "scratch");
}

#[test]
fn short_frames_of_small_integers_have_the_known_transforms() {
    let pairs = |re: &[f32], im: &[f32]| -> Vec<_> {
        re.iter().zip(im).map(|(re, im)| Complex::new(*re, *im)).collect()
    };
    let cases = [
        (pairs(&[-4., -6.], &[5., -1.]), pairs(&[-10., 2.], &[4., 6.])),
        (
            pairs(&[-7., -6., 8., 4.], &[1., 0., -8., -7.]),
            pairs(&[-1., -8., 3., -22.], &[-14., 19., 0., -1.]),
        ),
        (
            pairs(&[5., -5., -2., 2., 9., 3., -3., -3.], &[-6., 0., 1., -9., 1., 7., 3., -1.]),
            pairs(
                &[6., -25.798_99, 36., -3.414_213_6, 12., 13.798_99, 2., -0.585_786_4],
                &[-4., -5.171_573, -8., -4.585_786_4, 2., -10.828_427, -10., -7.414_213_6],
            ),
        ),
    ];
    for level in SimdLevel::available() {
        for (x, expected) in &cases {
            let deviation = Deviation::between(&values(&transformed(x, false, level)), &values(expected));
            assert!(deviation.max_error < 4e-6, "{} at {level}: {:e}", x.len(), deviation.max_error);
        }
    }
}

#[test]
fn a_table_in_flash_is_the_twin_of_a_boxed_one() {
    static FORWARD: FftConfig<[Complex<f32>; 256]> = FftConfig::<[Complex<f32>; 256]>::fixed(false);
    static BACK: FftConfig<[Complex<f64>; 32]> = FftConfig::<[Complex<f64>; 32]>::fixed(true);
    let x = signal::<Complex<f32>>(1, 256);
    let mut y = vec![Complex::ZERO; 256];
    FixedFft::<f32, 256>::fixed(&FORWARD).batch(&x, &mut y);
    assert_eq!(y, transformed(&x, false, SimdLevel::COMPILED));
    let x = signal::<Complex<f64>>(1, 32);
    let mut y = vec![Complex::ZERO; 32];
    FixedFft::<f64, 32>::fixed(&BACK).batch(&x, &mut y);
    assert_eq!(y, transformed(&x, true, SimdLevel::COMPILED));
}

#[test]
fn a_bad_sample_stays_in_its_frame() {
    for level in SimdLevel::available() {
        let mut x = signal::<Complex<f32>>(3, 3 * 64);
        let clean = transformed(&x[..64], false, level);
        x.copy_within(..64, 128);
        x[100].im = f32::NAN;
        let mut y = vec![Complex::ZERO; x.len()];
        assert_eq!(BoxedFft::with_level(64, false, level).unwrap().batch(&x, &mut y), 3);
        assert_eq!((&y[..64], &y[128..]), (&clean[..], &clean[..]));
        assert!(y[64..128].iter().any(|y| y.re.is_nan() || y.im.is_nan()));
    }
}

#[test]
fn plans_made_and_run_in_threads_give_the_serial_answer() {
    let run = |bits: u64| transformed(&signal::<Complex<f32>>(bits, 1 << bits), false, SimdLevel::best());
    let serial: Vec<_> = (6..=12).map(run).collect();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| (6..=12).map(run).collect::<Vec<_>>())).collect();
        assert!(threads.into_iter().all(|thread| thread.join().unwrap() == serial));
    });
}
