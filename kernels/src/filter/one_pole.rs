//! Smoothing by the mean that forgets exponentially.

use super::first_order::{Feed, FirstOrder};
use crate::sample::Float;
use crate::shape::ConfigError;
use crate::state::{Fingerprint, id};

/// An exponential smoother, `y[n] = y[n - 1] + alpha (x[n] - y[n - 1])` with `y[-1] = 0`.
///
/// A low-pass of first order with a gain of 1 at DC and of `alpha / (2 - alpha)` at half the sample
/// rate. It follows a step to 1/e in a time constant of `-1 / ln(1 - alpha)` samples, so that `alpha`
/// is `1 - exp(-1 / tau)` for a time constant of `tau` samples. White noise leaves with
/// `alpha / (2 - alpha)` of its power.
///
/// * **Accuracy**: computed in double precision, from the pole `1 - alpha` once that is rounded. `f32`
///   is within 0.51 ulp of the exact output plus 2e-16 / `alpha` times the largest input so far, `f64`
///   within 1.2e-16 plus that. Outputs below 1e-270 are taken as zero in the recursion, so that its
///   decay never becomes subnormal and slow. The same bits at every level and on every target.
/// * **NaN and infinity** stay in the recursion: all later outputs are NaN or infinite, until `reset`.
/// * **Delay**: `(1 - alpha) / alpha` samples for slow signals; faster ones are delayed less.
/// * **Cost**: five operations per sample; eight samples wait for the last eight, instead of each for
///   the last. No allocation.
///
/// R. G. Lyons, *Understanding Digital Signal Processing*, 3rd ed., section 11.5.
///
/// ```
/// use passband_kernels::filter::OnePole;
/// use passband_kernels::shape::Blockwise;
///
/// let mut smooth = OnePole::<f32>::new(0.5)?;
/// let mut y = [0.0; 4];
/// assert_eq!(smooth.steps(&[8.0; 4], &mut y), 4);
/// assert_eq!(y, [4.0, 6.0, 7.0, 7.5]);
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
pub type OnePole<X> = FirstOrder<X, Weighted>;

/// The new sample by its weight.
#[derive(Clone, Debug)]
pub struct Weighted {
    alpha: f64,
    /// `alpha` as the rounded pole leaves it, so that the gain at DC is 1.
    weight: f64,
}

impl<X: Float> OnePole<X> {
    /// A smoother that gives each new sample the weight `alpha`; 1 passes samples as they are.
    ///
    /// # Errors
    /// [`ConfigError`] unless `2^-32 <= alpha <= 1`.
    pub const fn new(alpha: f64) -> Result<Self, ConfigError> {
        const LEAST: f64 = 1.0 / (1u64 << 32) as f64;
        if !(alpha >= LEAST && alpha <= 1.0) {
            return Err(ConfigError { argument: "alpha", expected: "a weight from 2^-32 to 1" });
        }
        let pole = 1.0 - alpha;
        Ok(Self::with_pole(Weighted { alpha, weight: 1.0 - pole }, pole))
    }
}

impl Feed for Weighted {
    const ID: u16 = id::ONE_POLE;

    fn fingerprint(&self, hash: &mut Fingerprint) {
        hash.sample(self.alpha);
    }
    #[inline(always)]
    fn feed<X: Float>(&self, x: X::Double, _: X::Double) -> X::Double {
        x * self.weight
    }
}

#[cfg(feature = "testing")]
pub(crate) fn cases() -> std::vec::Vec<crate::testing::Case> {
    use crate::testing::{EXACT, float_bounds};
    use num_complex::Complex;
    std::vec![
        case::<f32>(1.0, EXACT),
        case::<f32>(0.5, float_bounds::<f32>(0.6, 149.0)),
        case::<f32>(0.005, float_bounds::<f32>(0.05, 149.0)),
        case::<f64>(0.005, float_bounds::<f64>(0.5, 126.0)),
        case::<Complex<f32>>(0.1, float_bounds::<f32>(0.4, 149.0)),
        case::<Complex<f64>>(0.1, float_bounds::<f64>(2.0, 133.0)),
    ]
}

#[cfg(feature = "testing")]
fn case<X: Float + crate::testing::Random>(
    alpha: f64,
    (max_error, snr_db): (f64, f64),
) -> crate::testing::Case {
    let about = crate::testing::About {
        family: "filter",
        kernel: "OnePole",
        summary: "exponential smoother",
        variant: std::format!("{}, alpha {alpha}", X::NAME),
        max_error,
        snr_db,
        flops: 5.0 * X::COMPONENTS as f64,
        bytes: 2.0 * size_of::<X>() as f64,
        benched: alpha < 0.2,
    };
    let make = move || OnePole::<X>::new(alpha).expect("a weight");
    super::first_order::case(about, make, [alpha, 0.0, 1.0 - alpha])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Blockwise, InPlace, Kernel};
    use std::vec;

    #[test]
    fn a_constant_is_reached_whatever_the_weight() {
        for (alpha, n) in [(1.0, 1), (0.3, 150), (1e-3, if cfg!(miri) { 0 } else { 60_000 })] {
            let mut smooth = OnePole::<f64>::new(alpha).unwrap();
            let mut x = vec![3.0; n];
            smooth.steps_in_place(&mut x);
            assert!(x.last().is_none_or(|y| (y / 3.0 - 1.0).abs() < 3e-16 / alpha), "{alpha}");
        }
    }

    #[test]
    fn the_power_of_white_noise_falls_as_documented() {
        let x = crate::testing::signal::<f64>(1, if cfg!(miri) { 10 } else { 200_000 });
        let mut y = vec![0.0; x.len()];
        OnePole::new(0.2).unwrap().steps(&x, &mut y);
        let power = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
        assert!(cfg!(miri) || (power(&y) / power(&x) * 9.0 - 1.0).abs() < 0.02);
    }

    #[test]
    fn what_is_no_number_stays_until_reset() {
        let mut smooth = OnePole::<f32>::new(0.25).unwrap();
        let mut x = [1.0; 30];
        x[3] = f32::NAN;
        smooth.steps_in_place(&mut x);
        assert!(x[..3].iter().all(|y| y.is_finite()) && x[3..].iter().all(|y| y.is_nan()));
        smooth.reset();
        assert_eq!(smooth.step(1.0), 0.25);
    }

    #[test]
    fn weights_that_forget_nothing_or_too_much_are_refused() {
        for alpha in [0.0, 2e-10, 1.0001, -0.5, f64::NAN] {
            assert_eq!(OnePole::<f32>::new(alpha).map(|_| ()).unwrap_err().argument, "alpha");
        }
    }
}
