//! The Hann window.

use crate::sample::Sample;
use core::f64::consts::PI;

/// A type that windows are made of: `f32` or `f64`.
pub trait Window: Sample {
    #[doc(hidden)]
    fn rounded(x: f64) -> Self;
}

impl Window for f32 {
    fn rounded(x: f64) -> Self {
        x as Self
    }
}

impl Window for f64 {
    fn rounded(x: f64) -> Self {
        x
    }
}

/// Fills `out` with a Hann window, `w[n] = sin^2(pi n / D) = 0.5 - 0.5 cos(2 pi n / D)`.
///
/// `sym` makes it symmetric, `D = len - 1`, as for the design of filters; otherwise it is one
/// period of a periodic window, `D = len`, as for spectra. A window of one sample is `[1]`.
///
/// * **Accuracy**: within 6e-16 of the exact value, `f32` rounded from that; mirrored samples
///   have the same bits. The same bits on every target.
/// * **Cost**: half a sine per sample, no allocation.
///
/// F. J. Harris, *On the use of windows for harmonic analysis with the discrete Fourier
/// transform*, Proc. IEEE 66 (1978).
///
/// ```
/// use passband_kernels::spectrum::hann;
///
/// let mut w = [0.0f64; 5];
/// hann(&mut w, true);
/// assert_eq!(w[0], 0.0);
/// assert_eq!(w[2], 1.0);
/// assert!((w[1] - 0.5).abs() < 1e-15);
/// ```
pub fn hann<T: Window>(out: &mut [T], sym: bool) {
    let len = out.len();
    if len == 1 {
        out.fill(T::rounded(1.0));
        return;
    }
    let period = len - usize::from(sym && len > 0);
    for (n, w) in out.iter_mut().enumerate() {
        // Both halves rise from their ends, where the sine is small and exact.
        let sine = libm::sin(PI * n.min(period - n) as f64 / period as f64);
        *w = T::rounded(sine * sine);
    }
}

#[cfg(feature = "testing")]
pub(crate) fn cases() -> std::vec::Vec<crate::testing::Case> {
    use crate::testing::{About, window};
    let about = |variant: &str, max_error, snr_db| About {
        family: "spectrum",
        kernel: "hann",
        summary: "Hann window, symmetric or periodic",
        variant: variant.into(),
        max_error,
        snr_db,
        flops: 30.0,
        bytes: 8.0,
        benched: true,
    };
    // The cosine near its zero, where the formula does not cancel.
    let reference = |period: usize, len: usize| {
        let quarter = |n| PI * (period as f64 / 4.0 - n as f64) * 2.0 / period as f64;
        let sample = |n| if len == 1 { 1.0 } else { 0.5 - 0.5 * quarter(n).sin() };
        (0..len).map(sample).collect()
    };
    let symmetric = move |len: usize| reference(len.saturating_sub(1), len);
    let periodic = move |len| reference(len, len);
    std::vec![
        window(about("float32, symmetric", 3e-8, 150.0), |w: &mut [f32]| hann(w, true), symmetric),
        window(about("float64, periodic", 6e-16, 310.0), |w: &mut [f64]| hann(w, false), periodic),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;
    use std::vec::Vec;

    fn window(len: usize, sym: bool) -> Vec<f64> {
        let mut w = vec![f64::NAN; len];
        hann(&mut w, sym);
        w
    }

    #[test]
    fn short_windows_are_as_defined() {
        assert_eq!(window(0, true), []);
        assert_eq!((window(1, true), window(1, false)), (vec![1.0], vec![1.0]));
        assert_eq!((window(2, true), window(2, false)), (vec![0.0, 0.0], vec![0.0, 1.0]));
        assert_eq!(window(3, true), [0.0, 1.0, 0.0]);
        let periodic = [0.0, 0.75, 0.75];
        assert!(window(3, false).iter().zip(periodic).all(|(w, p)| (w - p).abs() < 2e-16));
    }

    #[test]
    fn error_is_within_its_bound_and_halves_have_the_same_bits() {
        let mut worst = 0.0f64;
        let long: &[usize] = if cfg!(miri) { &[64] } else { &[255, 256, 1023, 4096, 10_007] };
        for len in (2..40).chain(long.iter().copied()) {
            for sym in [false, true] {
                let w = window(len, sym);
                let period = len - usize::from(sym);
                for n in 0..len {
                    // The cosine near its zero, where the formula does not cancel.
                    let quarter = PI * (period as f64 / 4.0 - n as f64) * 2.0 / period as f64;
                    worst = worst.max((w[n] - (0.5 - 0.5 * libm::sin(quarter))).abs());
                    assert!(n == 0 || period - n >= len || w[n].to_bits() == w[period - n].to_bits());
                }
                let mut single = vec![0.0f32; len];
                hann(&mut single, sym);
                assert!(single.iter().zip(&w).all(|(s, w)| *s == *w as f32));
            }
        }
        std::println!("hann: {worst:.2e}");
        assert!(worst < 6e-16);
    }
}
