//! Windows that are sums of cosines.
//!
//! Such a sum cancels near its ends. Written as a polynomial in `s = sin^2(pi n / D)` it does not:
//! most windows have no negative coefficient, and those of the flat-top window are small where it
//! is.

#[cfg(feature = "testing")]
mod cases;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

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

/// Fills `out` with `value(n, period)`, where `n` counts from the nearer end.
///
/// Both halves are thus the same bits, and a window of one sample is `[1]`.
pub(super) fn fill<T: Window>(out: &mut [T], sym: bool, value: impl Fn(usize, usize) -> f64) {
    let len = out.len();
    if len == 1 {
        out.fill(T::rounded(1.0));
        return;
    }
    let period = len - usize::from(sym && len > 0);
    for (n, w) in out.iter_mut().enumerate() {
        *w = T::rounded(value(n.min(period - n), period));
    }
}

/// Fills `out` with a polynomial in `sin^2(pi n / D)`, coefficients from the constant up.
fn polynomial<T: Window>(out: &mut [T], sym: bool, coefficients: &[f64]) {
    fill(out, sym, |n, period| {
        let s = sine_squared(n, period);
        coefficients.iter().rev().fold(0.0, |sum, c| sum * s + c)
    });
}

/// `sin^2(pi n / period)`, `2 n <= period`, from the sine or cosine that is small: an angle's
/// rounding error grows with the angle.
fn sine_squared(n: usize, period: usize) -> f64 {
    if n <= period / 4 {
        let sine = libm::sin(PI * n as f64 / period as f64);
        sine * sine
    } else {
        let cosine = libm::sin(PI * (period - 2 * n) as f64 / (2.0 * period as f64));
        1.0 - cosine * cosine
    }
}

/// Fills `out` with a Hann window, `w[n] = 0.5 - 0.5 cos(2 pi n / D) = sin^2(pi n / D)`.
///
/// `sym` makes it symmetric, `D = len - 1`, as for the design of filters; otherwise it is one
/// period of a periodic window, `D = len`, as for spectra. A window of one sample is `[1]`.
///
/// * **Accuracy**: within 4e-16 of the exact value, `f32` rounded from that; mirrored samples
///   have the same bits. The same bits on every target.
/// * **Cost**: a sine per sample, no allocation.
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
    polynomial(out, sym, &[0.0, 1.0]);
}

/// Fills `out` with a Hamming window, `w[n] = 0.54 - 0.46 cos(2 pi n / D)`.
///
/// `D = len - 1` with `sym`, else `len`, as of [`hann`]; so are accuracy and cost. The highest side
/// lobe is at -43 dB.
///
/// F. J. Harris, *On the use of windows for harmonic analysis with the discrete Fourier
/// transform*, Proc. IEEE 66 (1978).
///
/// ```
/// use passband_kernels::spectrum::hamming;
///
/// let mut w = [0.0f32; 3];
/// hamming(&mut w, false);
/// assert_eq!(w, [0.08, 0.77, 0.77]);
/// ```
pub fn hamming<T: Window>(out: &mut [T], sym: bool) {
    polynomial(out, sym, &[0.08, 0.92]);
}

/// Fills `out` with a Blackman window, `w[n] = 0.42 - 0.5 cos(2 pi n / D) + 0.08 cos(4 pi n / D)`.
///
/// `D = len - 1` with `sym`, else `len`, as of [`hann`]; so are accuracy and cost. The highest side
/// lobe is at -58 dB.
///
/// F. J. Harris, *On the use of windows for harmonic analysis with the discrete Fourier
/// transform*, Proc. IEEE 66 (1978).
///
/// ```
/// use passband_kernels::spectrum::blackman;
///
/// let mut w = [0.0f32; 3];
/// blackman(&mut w, true);
/// assert_eq!(w, [0.0, 1.0, 0.0]);
/// ```
pub fn blackman<T: Window>(out: &mut [T], sym: bool) {
    polynomial(out, sym, &[0.0, 0.36, 0.64]);
}

/// Fills `out` with the four-term Blackman-Harris window of the lowest side lobes, -92 dB.
///
/// `w[n] = 0.35875 - 0.48829 cos a + 0.14128 cos 2a - 0.01168 cos 3a`, `a = 2 pi n / D`. `D =
/// len - 1` with `sym`, else `len`, and the cost is that of [`hann`]; within 5e-16 of the exact value.
///
/// F. J. Harris, *On the use of windows for harmonic analysis with the discrete Fourier
/// transform*, Proc. IEEE 66 (1978).
///
/// ```
/// use passband_kernels::spectrum::blackman_harris;
///
/// let mut w = [0.0f32; 3];
/// blackman_harris(&mut w, true);
/// assert_eq!(w, [0.00006, 1.0, 0.00006]);
/// ```
pub fn blackman_harris<T: Window>(out: &mut [T], sym: bool) {
    polynomial(out, sym, &[0.000_06, 0.056_58, 0.5696, 0.373_76]);
}

/// Fills `out` with a flat-top window, which shows the amplitude of a sine wherever it lies
/// between two bins, to 0.01 dB.
///
/// `w[n] = 0.21557895 - 0.41663158 cos a + 0.277263158 cos 2a - 0.083578947 cos 3a + 0.006947368
/// cos 4a`, `a = 2 pi n / D`. `D = len - 1` with `sym`, else `len`, as of [`hann`]; so is the cost. The
/// accuracy is 6e-16.
///
/// G. D'Antona and A. Ferrero, *Digital Signal Processing for Measurement Systems*, Springer
/// (2006), p. 70.
///
/// ```
/// use passband_kernels::spectrum::flattop;
///
/// let mut w = [0.0f32; 3];
/// flattop(&mut w, true);
/// assert_eq!(w, [-0.000421051, 1.0, -0.000421051]);
/// ```
pub fn flattop<T: Window>(out: &mut [T], sym: bool) {
    let coefficients = [-0.000_421_051, -0.102_736_834, -0.682_105_312, 0.896_000_096, 0.889_263_104];
    polynomial(out, sym, &coefficients);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;
    use std::vec::Vec;

    type Fill = fn(&mut [f64], bool);

    /// Each window and the value at its ends.
    const WINDOWS: [(Fill, f64); 5] = [
        (hann, 0.0),
        (hamming, 0.08),
        (blackman, 0.0),
        (blackman_harris, 0.000_06),
        (flattop, -0.000_421_051),
    ];

    fn window(fill: Fill, len: usize, sym: bool) -> Vec<f64> {
        let mut w = vec![f64::NAN; len];
        fill(&mut w, sym);
        w
    }

    #[test]
    fn short_windows_are_as_defined() {
        for (fill, end) in WINDOWS {
            assert_eq!(window(fill, 0, true), []);
            assert_eq!(window(fill, 0, false), []);
            assert_eq!((window(fill, 1, true), window(fill, 1, false)), (vec![1.0], vec![1.0]));
            assert_eq!(window(fill, 2, true), [end; 2]);
            let peak = if end < 0.0 { 1.000_000_003 } else { 1.0 };
            assert!((window(fill, 2, false)[1] - peak).abs() < 3e-16);
            assert!((window(fill, 3, true)[1] - peak).abs() < 3e-16);
            assert_eq!((window(fill, 2, false)[0], window(fill, 3, true)[2]), (end, end));
        }
        let periodic = |fill| window(fill, 3, false);
        assert!(periodic(hann)[1..].iter().all(|w| (w - 0.75).abs() < 2e-16));
        assert!(periodic(hamming)[1..].iter().all(|w| (w - 0.77).abs() < 2e-16));
    }

    #[test]
    fn mirrored_samples_have_the_same_bits_and_single_is_rounded_double() {
        for len in (2..40).chain([255, 1024]) {
            for sym in [false, true] {
                let w = window(flattop, len, sym);
                let period = len - usize::from(sym);
                let mirrored = |n: usize| w.get(period - n).is_none_or(|m| m.to_bits() == w[n].to_bits());
                assert!((0..len).all(mirrored));
                let mut single = vec![0.0f32; len];
                flattop(&mut single, sym);
                assert!(single.iter().zip(&w).all(|(s, w)| *s == *w as f32));
            }
        }
    }
}
