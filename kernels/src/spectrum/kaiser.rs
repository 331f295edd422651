//! The Kaiser window.

#[cfg(feature = "testing")]
mod cases;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use super::cosine::{Window, fill};
use crate::shape::ConfigError;

/// Fills `out` with a Kaiser window, `w[n] = I0(beta sqrt(1 - (2 n / D - 1)^2)) / I0(beta)`.
///
/// `beta`, at least 0, trades the width of the main lobe for the height of the side lobes: 0 is a
/// rectangle, 5 is near a Hamming and 8.6 near a Blackman window. `sym` makes it symmetric, `D =
/// len - 1`, as for the design of filters; otherwise it is one period of a periodic window, `D =
/// len`. A window of one sample is `[1]`.
///
/// * **Accuracy**: within 8e-16 of the exact value for every `beta`, `f32` rounded from that;
///   mirrored samples have the same bits. The same bits on every target.
/// * **Cost**: two exponentials, a square root and a series of about 25 terms per sample, no
///   allocation.
///
/// # Errors
/// [`ConfigError`] for a `beta` that is negative or not finite; nothing is written.
///
/// J. F. Kaiser, *Nonrecursive digital filter design using the I0-sinh window function*, Proc.
/// IEEE Int. Symp. Circuits and Systems (1974).
///
/// ```
/// use passband_kernels::spectrum::kaiser;
///
/// let mut w = [0.0f64; 3];
/// kaiser(&mut w, 5.0, true)?;
/// assert!((w[0] - 0.036_710_892_271_286_67).abs() < 1e-15);
/// assert_eq!(w[1], 1.0);
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
pub fn kaiser<T: Window>(out: &mut [T], beta: f64, sym: bool) -> Result<(), ConfigError> {
    if !beta.is_finite() || beta < 0.0 {
        return Err(ConfigError { argument: "beta", expected: "a finite number, at least 0" });
    }
    let peak = scaled_i0(beta);
    fill(out, sym, |n, period| at(n as f64, period as f64, beta, peak));
    Ok(())
}

/// The window between samples too: at `n` of a period, with `peak` the [`scaled_i0`] of `beta`.
pub(crate) fn at(n: f64, period: f64, beta: f64, peak: f64) -> f64 {
    // The ratio of exponentials from the difference of the arguments: each alone would turn the
    // rounding of a large argument into an error of the result.
    let middle = (period - 2.0 * n) / period;
    let root = 2.0 * libm::sqrt(n * (period - n)) / period;
    let below = beta * (middle * middle) / (1.0 + root);
    libm::exp(-below) * (scaled_i0(beta * root) / peak)
}

/// `e^-x I0(x)`, the modified Bessel function of order 0, for `x >= 0`.
///
/// The power series up to 8, where its conditioning is good; beyond, a Chebyshev series over `1 / x`
/// of the product with `sqrt(x)` (S. L. Moshier, *Methods and Programs for Mathematical Functions*,
/// 1989).
pub(crate) fn scaled_i0(x: f64) -> f64 {
    if x <= 8.0 {
        let square = x * x / 4.0;
        let series = (1..=22).rev().fold(1.0, |sum, k| 1.0 + square / f64::from(k * k) * sum);
        libm::exp(-x) * series
    } else {
        chebyshev(16.0 / x - 1.0, &SCALED_I0) / libm::sqrt(x)
    }
}

/// `sum c[k] T_k(t)` by Clenshaw's recurrence.
fn chebyshev(t: f64, coefficients: &[f64]) -> f64 {
    let (mut sum, mut last) = (0.0, 0.0);
    for c in coefficients.iter().skip(1).rev() {
        (sum, last) = (2.0 * t * sum - last + c, sum);
    }
    t * sum - last + coefficients.first().copied().unwrap_or_default()
}

/// `sqrt(x) e^-x I0(x) = sum c[k] T_k(16 / x - 1)`, `x >= 8`, computed in 40 digits.
const SCALED_I0: [f64; 27] = [
    0.402_245_205_507_054_4,
    0.003_369_116_478_255_694_3,
    6.889_758_346_916_825e-5,
    2.891_370_520_834_756_7e-6,
    2.048_918_589_469_063_8e-7,
    2.266_668_990_498_178e-8,
    3.396_232_025_708_386_5e-9,
    4.940_602_388_224_97e-10,
    1.188_914_710_784_643_9e-11,
    -3.149_916_527_963_241_6e-11,
    -1.321_581_184_044_771_3e-11,
    -1.794_178_531_506_806_2e-12,
    7.180_124_451_383_666e-13,
    3.852_778_382_742_142_6e-13,
    1.540_086_217_521_41e-14,
    -4.150_569_347_287_222e-14,
    -9.554_846_698_828_307e-15,
    3.811_680_669_352_622_4e-15,
    1.772_560_133_056_526_3e-15,
    -3.425_485_619_677_219e-16,
    -2.827_623_980_516_583_6e-16,
    3.461_222_867_697_461e-17,
    4.465_621_420_296_76e-17,
    -4.830_504_485_944_182e-18,
    -7.233_180_487_874_754e-18,
    9.921_475_412_173_699e-19,
    1.193_650_890_845_982e-18,
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;

    #[test]
    fn short_windows_and_a_rectangle_are_as_defined() {
        for sym in [false, true] {
            let mut w = vec![f64::NAN; 9];
            assert_eq!(kaiser(&mut w, 0.0, sym), Ok(()));
            assert_eq!(w, [1.0; 9]);
            assert_eq!(kaiser(&mut w[..1], 5.0, sym), Ok(()));
            assert_eq!(w[0], 1.0);
            assert_eq!(kaiser::<f64>(&mut [], 5.0, sym), Ok(()));
        }
    }

    #[test]
    fn a_beta_that_makes_no_sense_is_refused_and_nothing_written() {
        for beta in [-1e-300, f64::NAN, f64::INFINITY] {
            let mut w = [2.0f32; 4];
            assert_eq!(kaiser(&mut w, beta, true).map_err(|error| error.argument), Err("beta"));
            assert_eq!(w, [2.0; 4]);
        }
    }

    #[test]
    fn mirrored_samples_have_the_same_bits_and_ends_the_value_of_scipy() {
        let mut w = [0.0f64; 8];
        assert_eq!(kaiser(&mut w, 8.6, true), Ok(()));
        let half = [0.001_332_513_997_902_419_8, 0.091_136_512_928_265_36, 0.459_643_774_593_380_85];
        for (n, expected) in half.iter().enumerate() {
            assert!((w[n] - expected).abs() < 1e-15);
            assert_eq!(w[n].to_bits(), w[7 - n].to_bits());
        }
    }
}
