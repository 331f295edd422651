//! Removing the mean of a stream.

use super::first_order::{Feed, FirstOrder};
use crate::sample::Float;
use crate::shape::ConfigError;
use crate::state::{Fingerprint, id};

/// A DC blocker, `y[n] = x[n] - x[n - 1] + pole y[n - 1]` with `x[-1] = y[-1] = 0`.
///
/// A zero at DC and a pole near it: a high-pass of first order whose gain is `2 / (1 + pole)` at half
/// the sample rate and 3 dB less near `(1 - pole) / (2 pi)` cycles per sample. A step at its input
/// decays by 1/e in `1 / (1 - pole)` samples.
///
/// * **Accuracy**: computed in double precision. `f32` is within 0.51 ulp of the exact output plus
///   2e-16 times the largest output so far `/ (1 - pole)`, `f64` within 1.2e-16 plus that. Outputs
///   below 1e-270 are taken as zero in the recursion, so that its decay never becomes subnormal and
///   slow. The same bits at every level and on every target.
/// * **NaN and infinity** stay in the recursion: all later outputs are NaN, until `reset`.
/// * **Delay**: none for frequencies well above the pole's; phase is not linear near it.
/// * **Cost**: seven operations per sample; eight samples wait for the last eight, instead of each
///   for the last. A Cortex-M4, whose double precision is software, takes some 550 instructions. No
///   allocation.
///
/// J. O. Smith, *Introduction to Digital Filters with Audio Applications*, section B.3.
///
/// ```
/// use passband_kernels::filter::DcBlocker;
/// use passband_kernels::shape::Blockwise;
///
/// let mut blocker = DcBlocker::<f32>::new(0.5)?;
/// let mut y = [0.0; 4];
/// assert_eq!(blocker.steps(&[8.0; 4], &mut y), 4);
/// assert_eq!(y, [8.0, 4.0, 2.0, 1.0]);
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
pub type DcBlocker<X> = FirstOrder<X, Difference>;

/// The difference of neighbours; remembers the pole.
#[derive(Clone, Debug)]
pub struct Difference {
    pole: f64,
}

impl<X: Float> DcBlocker<X> {
    /// A blocker; `pole` is 0.9 to 0.9999 in most uses.
    ///
    /// # Errors
    /// [`ConfigError`] unless `0 < pole < 1`.
    pub const fn new(pole: f64) -> Result<Self, ConfigError> {
        if !(pole > 0.0 && pole < 1.0) {
            return Err(ConfigError { argument: "pole", expected: "a number above 0 and below 1" });
        }
        Ok(Self::with_pole(Difference { pole }, pole))
    }
}

impl Feed for Difference {
    const ID: u16 = id::DC_BLOCKER;

    fn fingerprint(&self, hash: &mut Fingerprint) {
        hash.sample(self.pole);
    }
    #[inline(always)]
    fn feed<X: Float>(&self, x: X::Double, last: X::Double) -> X::Double {
        x - last
    }
}

#[cfg(feature = "testing")]
pub(crate) fn cases() -> std::vec::Vec<crate::testing::Case> {
    use num_complex::Complex;
    std::vec![
        case::<f32>(0.5, 1e-7, 150.0),
        case::<f32>(0.995, 1e-7, 150.0),
        case::<f64>(0.995, 2e-15, 300.0),
        case::<Complex<f32>>(0.995, 1e-7, 150.0),
        case::<Complex<f64>>(0.9, 6e-16, 311.0),
    ]
}

#[cfg(feature = "testing")]
fn case<X: Float + crate::testing::Random>(pole: f64, max_error: f64, snr_db: f64) -> crate::testing::Case {
    let about = crate::testing::About {
        family: "filter",
        kernel: "DcBlocker",
        summary: "first-order high-pass that removes the mean",
        variant: std::format!("{}, pole {pole}", X::NAME),
        max_error,
        snr_db,
        flops: 7.0 * X::COMPONENTS as f64,
        bytes: 2.0 * size_of::<X>() as f64,
        benched: pole > 0.99,
    };
    let make = move || DcBlocker::<X>::new(pole).expect("a pole");
    super::first_order::case(about, make, [1.0, -1.0, pole])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Blockwise, InPlace, Kernel};
    use num_complex::Complex;
    use std::vec;

    #[test]
    fn a_constant_decays_to_exact_silence_and_never_becomes_subnormal() {
        let (pole, n) = if cfg!(miri) { (0.5, 1200) } else { (0.9f64, 8000) };
        let mut blocker = DcBlocker::<f64>::new(pole).unwrap();
        let mut x = vec![1.0; n];
        blocker.steps_in_place(&mut x);
        assert_eq!(x[0], 1.0);
        assert!((x[100] / pole.powi(100) - 1.0).abs() < 1e-13);
        assert!(x.iter().all(|y| *y == 0.0 || y.is_normal()));
        assert_eq!(x[n - 1], 0.0);
    }

    #[test]
    fn nan_and_infinity_stay_until_reset_and_in_their_component() {
        for bad in [f32::NAN, f32::INFINITY] {
            for at in 0..20 {
                let mut blocker = DcBlocker::new(0.9).unwrap();
                let mut x = [Complex::new(1.0f32, 1.0); 40];
                x[at].im = bad;
                blocker.steps_in_place(&mut x);
                assert!(x.iter().all(|y| y.re.is_finite()));
                assert!(x[..at].iter().all(|y| y.im.is_finite()));
                assert!(x[at + 1..].iter().all(|y| y.im.is_nan()), "{bad} at {at}");
                blocker.reset();
                assert_eq!(blocker.step(Complex::ONE), Complex::ONE);
            }
        }
    }

    #[test]
    fn poles_on_or_beyond_the_unit_circle_are_refused() {
        for pole in [0.0, 1.0, -0.5, 1.5, f64::NAN] {
            assert_eq!(DcBlocker::<f32>::new(pole).map(|_| ()).unwrap_err().argument, "pole");
        }
    }
}
