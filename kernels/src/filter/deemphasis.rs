//! De-emphasis of FM broadcasts.

use super::first_order::{Feed, FirstOrder};
use crate::sample::Float;
use crate::shape::ConfigError;
use crate::state::{Fingerprint, id};
use core::f64::consts::FRAC_PI_2;

/// A de-emphasis, the low-pass `1 / (1 + s time_constant)` as `y[n] = b0 x[n] + b1 x[n - 1] + pole y[n - 1]`.
///
/// Times are in samples: 75 us (in the Americas and South Korea) or 50 us (elsewhere), times the sample
/// rate. The pole is that of the analogue filter, `exp(-1 / time_constant)`, and so are the gains at DC
/// and at a quarter of the sample rate, from which come `b0 + b1 = 1 - pole` and
/// `(b0 - b1)^2 = 2 (1 + pole^2) / (1 + (pi time_constant / 2)^2) - (1 - pole)^2`. The bilinear
/// transform, for comparison, has no gain at half the sample rate.
///
/// * **Match**: within 0.04 dB of the analogue gain up to a quarter of the sample rate, 0.15 dB up to
///   5/16 (15 kHz of 48 kHz) and 1 dB up to 0.42.
/// * **Accuracy**: computed in double precision. `f32` is within 0.51 ulp of the exact output plus
///   2e-16 (`time_constant` + 1) times the largest input so far, `f64` within 1.2e-16 plus that.
///   Outputs below 1e-270 are taken as zero in the recursion, so that its decay never becomes subnormal
///   and slow. The same bits at every level and on every target.
/// * **NaN and infinity** stay in the recursion: all later outputs are NaN or infinite, until `reset`.
/// * **Delay**: about `time_constant` samples for slow signals, as of the analogue filter; faster ones
///   are delayed less.
/// * **Cost**: seven operations per sample; eight samples wait for the last eight, instead of each for
///   the last. No allocation.
///
/// ITU-R BS.450, *Transmission standards for FM sound broadcasting at VHF*. M. Vicanek, *Matched second
/// order digital filters* (2016), for matching pole and gains.
///
/// ```
/// use passband_kernels::filter::Deemphasis;
/// use passband_kernels::shape::Blockwise;
///
/// let mut deemphasis = Deemphasis::<f32>::new(50e-6 * 240e3)?;
/// let mut y = [0.0; 200];
/// assert_eq!(deemphasis.steps(&[1.0; 200], &mut y), 200);
/// assert!((y[11] - 0.632).abs() < 0.02 && (y[199] - 1.0).abs() < 1e-6);
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
pub type Deemphasis<X> = FirstOrder<X, Matched>;

/// The taps of the zero that matches the gains.
#[derive(Clone, Debug)]
pub struct Matched {
    time_constant: f64,
    b0: f64,
    b1: f64,
}

/// `b0`, `b1` and the pole.
fn matched(time_constant: f64) -> [f64; 3] {
    let pole = libm::exp(-1.0 / time_constant);
    let angle = FRAC_PI_2 * time_constant;
    let sum = 1.0 - pole;
    let difference = libm::sqrt(2.0 * (1.0 + pole * pole) / (1.0 + angle * angle) - sum * sum);
    [0.5 * (sum + difference), 0.5 * (sum - difference), pole]
}

impl<X: Float> Deemphasis<X> {
    /// A de-emphasis; `time_constant` is in samples.
    ///
    /// # Errors
    /// [`ConfigError`] unless `time_constant` is above 0 and at most 2^20 samples.
    pub fn new(time_constant: f64) -> Result<Self, ConfigError> {
        if !(time_constant > 0.0 && time_constant <= f64::from(1 << 20)) {
            let expected = "a time above 0 and of at most 2^20 samples";
            return Err(ConfigError { argument: "time_constant", expected });
        }
        let [b0, b1, pole] = matched(time_constant);
        Ok(Self::with_pole(Matched { time_constant, b0, b1 }, pole))
    }
}

impl Feed for Matched {
    const ID: u16 = id::DEEMPHASIS;

    fn fingerprint(&self, hash: &mut Fingerprint) {
        hash.sample(self.time_constant);
    }
    #[inline(always)]
    fn feed<X: Float>(&self, x: X::Double, last: X::Double) -> X::Double {
        x * self.b0 + last * self.b1
    }
}

#[cfg(feature = "testing")]
pub(crate) fn cases() -> std::vec::Vec<crate::testing::Case> {
    use num_complex::Complex;
    std::vec![
        case::<f32>(0.05, 0.6, 150.0),
        case::<f32>(3.6, 0.6, 149.0),
        case::<f64>(12.0, 1.2, 137.0),
        case::<Complex<f32>>(18.0, 0.4, 149.0),
        case::<Complex<f64>>(2.4, 1.5, 142.0),
    ]
}

#[cfg(feature = "testing")]
fn case<X: Float + crate::testing::Random>(time: f64, error: f64, snr_db: f64) -> crate::testing::Case {
    let (max_error, snr_db) = crate::testing::float_bounds::<X>(error, snr_db);
    let about = crate::testing::About {
        family: "filter",
        kernel: "Deemphasis",
        summary: "de-emphasis of FM, one pole matched to the analogue one",
        variant: std::format!("{}, time constant {time}", X::NAME),
        max_error,
        snr_db,
        flops: 7.0 * X::COMPONENTS as f64,
        bytes: 2.0 * size_of::<X>() as f64,
        benched: time > 2.0,
    };
    let make = move || Deemphasis::<X>::new(time).expect("a time");
    super::first_order::case(about, make, matched(time))
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f64::consts::TAU;
    use num_complex::Complex;

    /// Decibels by which the filter is louder than the analogue one at `freq` cycles per sample.
    fn louder(time_constant: f64, freq: f64) -> f64 {
        let [b0, b1, pole] = matched(time_constant);
        let (sin, cos) = (TAU * freq).sin_cos();
        let delay = Complex::new(cos, -sin);
        let digital = (delay * b1 + b0) / (Complex::<f64>::ONE - delay * pole);
        let analogue = Complex::new(1.0, TAU * freq * time_constant).inv();
        10.0 * libm::log10(digital.norm_sqr() / analogue.norm_sqr())
    }

    #[test]
    fn gains_are_those_of_the_analogue_filter() {
        for time in [0.1, 0.5, 1.0, 2.4, 3.6, 12.0, 18.0, 1000.0, f64::from(1 << 20)] {
            assert!(louder(time, 0.25).abs() < 1e-6, "{time}");
            for n in 0..=42 {
                let freq = f64::from(n) / 100.0;
                let bound = if freq <= 0.25 {
                    0.04
                } else if freq <= 0.3125 {
                    0.15
                } else {
                    1.0
                };
                assert!(louder(time, freq).abs() < bound, "{time} at {freq}: {}", louder(time, freq));
            }
        }
    }

    #[test]
    fn times_that_no_filter_has_are_refused() {
        for time in [0.0, -1.0, 2e6, f64::NAN, f64::INFINITY] {
            assert_eq!(Deemphasis::<f32>::new(time).map(|_| ()).unwrap_err().argument, "time_constant");
        }
    }
}
