//! A delay of any time, which may change while the stream runs.

#[cfg(feature = "testing")]
mod cases;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use crate::filter::Taps;
use crate::filter::fir::tile;
use crate::resample::cardinal::Cardinal;
use crate::resample::farrow::checked;
use crate::resample::lagrange::Lagrange;
use crate::resample::{Interpolate, Stopband};
use crate::sample::{Float, Sample};
use crate::scratch::{History, State};
use crate::shape::{Blockwise, ConfigError, Kernel};
use crate::simd::SimdLevel;
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
use core::marker::PhantomData;

/// What is between two samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Between {
    /// The polynomial of this order, 1, 3, 5 or 7, through as many samples on either side: for signals
    /// that are oversampled.
    Lagrange(usize),
    /// A sine cardinal under a Kaiser window: within so many decibels up to 0.45 of the rate.
    Cardinal(Stopband),
}

impl Between {
    /// Taps of the filter.
    #[must_use]
    pub const fn taps(self) -> usize {
        match self {
            Self::Lagrange(order) => order.saturating_add(1),
            Self::Cardinal(stopband) => stopband.taps(),
        }
    }

    /// The shortest delay, of which half of the taps come before: in samples.
    #[must_use]
    pub const fn min_delay(self) -> usize {
        (self.taps() / 2).saturating_sub(1)
    }

    /// The samples of history that delays up to `max_delay` take.
    #[must_use]
    pub const fn history(self, max_delay: usize) -> usize {
        max_delay.saturating_add(self.taps() / 2)
    }
}

const NO_DELAY: ConfigError =
    ConfigError { argument: "delay", expected: "a time from min_delay to max_delay samples" };
const TOO_SHORT: ConfigError = ConfigError { argument: "max_delay", expected: "at least min_delay" };
const WRONG_TAPS: ConfigError = ConfigError { argument: "taps", expected: "room for `Between::taps`" };

/// A delay of any time, `y[n] = x(n - delay)` with `x[n < 0] = 0`.
///
/// Whole samples are a place in a line; the rest is a filter between samples, as [`Between`] says.
/// `delay`, in samples, may be set while the stream runs: from the next sample on the output is what it
/// would be had the delay always been that. `H` stores the taps and `S` the line, arrays for firmware
/// ([`FixedFractionalDelay`]) and boxes for hosts ([`BoxedFractionalDelay`]).
///
/// * **Accuracy**: the error of the filter, plus `taps * eps * sum |h[k] x[n - k]|`. A tone at `f` cycles
///   per sample is off by `(2 pi f)^(order + 1)` times 1/8, 1/43, 1/205 or 1/936 (order 1, 3, 5, 7), or by
///   the stop-band up to 0.45. Delays of whole samples are exact with polynomials. Floats differ between
///   levels in the last bits.
/// * **NaN and infinity** spread to the outputs whose taps meet them and no further.
/// * **Delay**: the one asked for, at every frequency that the filter is made for.
/// * **Cost**: a multiply-add per tap and sample, twice that where samples are complex; a call shorter
///   than the line also moves the line. A new delay computes the taps, with a sine and a Bessel function
///   each where they are cardinals. No allocation.
///
/// T. I. Laakso, V. Valimaki, M. Karjalainen and U. K. Laine, *Splitting the unit delay*, IEEE Signal
/// Processing Magazine 13 (1996).
///
/// ```
/// use passband_kernels::delay::{Between, FixedFractionalDelay};
/// use passband_kernels::shape::Blockwise;
///
/// // A cubic through 4 samples, delays up to 6: a line of 8.
/// let mut delay = FixedFractionalDelay::<f64, 4, 8>::fixed(2.5, Between::Lagrange(3))?;
/// let mut y = [0.0; 6];
/// delay.steps(&[0.0, 1.0, 4.0, 9.0, 16.0, 25.0], &mut y);
/// assert_eq!(y[4..], [2.25, 6.25]);
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FractionalDelay<X, H, S> {
    /// In the order of [`tile::position`].
    taps: H,
    line: S,
    between: Between,
    delay: f64,
    level: SimdLevel,
    /// What `reset` goes back to.
    first: f64,
    sample: PhantomData<X>,
}

/// A [`FractionalDelay`] of `TAPS` taps with a line of `HISTORY` samples, in arrays.
pub type FixedFractionalDelay<X, const TAPS: usize, const HISTORY: usize, const SCRATCH: usize = 256> =
    FractionalDelay<X, [<X as Sample>::Component; TAPS], State<X, HISTORY, SCRATCH>>;

/// A [`FractionalDelay`] with its taps and its line in boxes.
#[cfg(feature = "alloc")]
pub type BoxedFractionalDelay<X> =
    FractionalDelay<X, alloc::boxed::Box<[<X as Sample>::Component]>, crate::scratch::BoxedState<X>>;

impl<X: Interpolate, const TAPS: usize, const HISTORY: usize, const SCRATCH: usize>
    FixedFractionalDelay<X, TAPS, HISTORY, SCRATCH>
{
    /// A delay by `delay` samples for [`SimdLevel::COMPILED`]; the line of `HISTORY` samples makes
    /// `HISTORY - TAPS / 2` the longest.
    ///
    /// # Errors
    /// [`ConfigError`] for an order that is not 1, 3, 5 or 7, for `TAPS` that are not those of `between`,
    /// for a line that is too short, and for a delay that is out of range.
    pub fn fixed(delay: f64, between: Between) -> Result<Self, ConfigError> {
        let taps = [<X::Component>::ZERO; TAPS];
        Self::over(taps, State::new(HISTORY)?, delay, between, SimdLevel::COMPILED)
    }
}

#[cfg(feature = "alloc")]
impl<X: Interpolate> BoxedFractionalDelay<X> {
    /// A delay by `delay` samples that may be set to as much as `max_delay`, for the best level of this
    /// CPU.
    ///
    /// # Errors
    /// [`ConfigError`] for an order that is not 1, 3, 5 or 7, for a `max_delay` below the shortest delay,
    /// and for a delay that is out of range.
    pub fn new(delay: f64, max_delay: usize, between: Between) -> Result<Self, ConfigError> {
        Self::with_level(delay, max_delay, between, SimdLevel::best())
    }

    /// The same for a level.
    ///
    /// # Errors
    /// [`ConfigError`] for an order that is not 1, 3, 5 or 7, for a `max_delay` below the shortest delay,
    /// and for a delay that is out of range.
    pub fn with_level(
        delay: f64,
        max_delay: usize,
        between: Between,
        level: SimdLevel,
    ) -> Result<Self, ConfigError> {
        checked_range(between, max_delay, delay)?;
        let taps = alloc::vec![<X::Component>::ZERO; between.taps()].into_boxed_slice();
        Self::over(taps, crate::scratch::BoxedState::new(between.history(max_delay)), delay, between, level)
    }
}

/// Refuses delays that are out of range, and ranges that hold none.
fn checked_range(between: Between, max_delay: usize, delay: f64) -> Result<(), ConfigError> {
    if let Between::Lagrange(order) = between {
        checked(order)?;
    }
    if max_delay < between.min_delay() {
        return Err(TOO_SHORT);
    }
    let range = between.min_delay() as f64..=max_delay as f64;
    if range.contains(&delay) { Ok(()) } else { Err(NO_DELAY) }
}

impl<X: Interpolate, H: Taps<Tap = X::Component>, S: History<X>> FractionalDelay<X, H, S> {
    /// A delay over storage for taps, whatever is in it, and a line.
    ///
    /// # Errors
    /// [`ConfigError`] for an order that is not 1, 3, 5 or 7, for taps that have not the number of
    /// `between`, for a line that is too short, and for a delay that is out of range.
    pub fn over(
        taps: H,
        line: S,
        delay: f64,
        between: Between,
        level: SimdLevel,
    ) -> Result<Self, ConfigError> {
        if taps.as_ref().len() != between.taps() {
            return Err(WRONG_TAPS);
        }
        let mut made = Self { taps, line, between, delay, level, first: delay, sample: PhantomData };
        checked_range(between, made.max_delay(), delay)?;
        made.tune(delay);
        Ok(made)
    }

    /// What is between two samples.
    #[must_use]
    pub fn between(&self) -> Between {
        self.between
    }

    /// The longest delay that can be set, in samples.
    #[must_use]
    pub fn max_delay(&self) -> usize {
        self.line.samples().len().saturating_sub(self.between.taps() / 2)
    }

    /// The delay in samples.
    #[must_use]
    pub fn delay(&self) -> f64 {
        self.delay
    }

    /// Sets the delay in samples from the next output on.
    ///
    /// # Errors
    /// [`ConfigError`] for a delay that is not from [`Between::min_delay`] to
    /// [`max_delay`](Self::max_delay); nothing changes.
    pub fn set_delay(&mut self, delay: f64) -> Result<(), ConfigError> {
        checked_range(self.between, self.max_delay(), delay)?;
        self.tune(delay);
        Ok(())
    }

    /// Computes the taps of a delay.
    fn tune(&mut self, delay: f64) {
        self.delay = delay;
        let part = delay - libm::floor(delay);
        match self.between {
            Between::Lagrange(1) => self.lay_out(Lagrange::<2>::weights(part)),
            Between::Lagrange(3) => self.lay_out(Lagrange::<4>::weights(part)),
            Between::Lagrange(5) => self.lay_out(Lagrange::<6>::weights(part)),
            Between::Lagrange(_) => self.lay_out(Lagrange::<8>::weights(part)),
            Between::Cardinal(stopband) => {
                let response = Cardinal::full_band(stopband);
                let taps = 1..=stopband.taps();
                self.lay_out(taps.map(|tap| response.at(tap as f64 - part)));
            }
        }
    }

    fn lay_out(&mut self, weights: impl IntoIterator<Item = f64>) {
        let (taps, lanes) = (self.taps.as_mut(), X::lanes(self.level));
        let len = taps.len();
        for (index, weight) in weights.into_iter().enumerate() {
            if let Some(tap) = taps.get_mut(tile::position(index, len, lanes)) {
                *tap = <X::Component>::from_double(weight);
            }
        }
    }
}

impl<X: Interpolate, H: Taps<Tap = X::Component>, S: History<X>> Snapshot for FractionalDelay<X, H, S> {
    fn kernel_id(&self) -> u32 {
        id::of(id::FRACTIONAL_DELAY, X::CODE, X::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        // The delay is state.
        let (kind, size) = match self.between {
            Between::Lagrange(order) => (0, order as u64),
            Between::Cardinal(stopband) => (1, stopband.decibels().into()),
        };
        hash.u64(kind);
        hash.u64(size);
        hash.u64(self.max_delay() as u64);
    }
    fn payload_len(&self) -> usize {
        size_of::<f64>() + size_of_val(self.line.samples())
    }
    fn write(&self, to: &mut Writer<'_>) {
        to.samples(&[self.delay]);
        to.samples(self.line.samples());
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        let delay = from.sample()?;
        checked_range(self.between, self.max_delay(), delay).ok()?;
        from.samples(self.line.samples_mut())?;
        self.tune(delay);
        Some(())
    }
}

impl<X: Interpolate, H: Taps<Tap = X::Component>, S: History<X>> Kernel for FractionalDelay<X, H, S> {
    fn reset(&mut self) {
        self.tune(self.first);
        self.line.samples_mut().fill(X::ZERO);
    }
}

impl<X: Interpolate, H: Taps<Tap = X::Component>, S: History<X>> Blockwise for FractionalDelay<X, H, S> {
    type Input = X;
    type Output = X;

    fn steps(&mut self, x: &[X], out: &mut [X]) -> usize {
        let (n, taps) = (x.len().min(out.len()), self.taps.as_ref());
        // The oldest sample that the taps of an output meet, and that of the longest delay.
        let oldest = self.delay as usize + taps.len() / 2;
        let skip = self.line.samples().len().saturating_sub(oldest);
        self.line.drive(x.get(..n).unwrap_or(x), |window, inputs| {
            if let (Some(window), Some(out)) = (window.get(skip..), out.get_mut(inputs)) {
                X::filter(self.level, taps, false, window, out);
            }
        });
        n
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::signal;
    use std::vec;

    #[test]
    fn whole_samples_are_exact_and_the_line_is_as_long_as_it_says() {
        let x = signal::<f64>(3, 100);
        for order in [1, 3, 5, 7] {
            let between = Between::Lagrange(order);
            for delay in between.min_delay()..=20 {
                let mut kernel = BoxedFractionalDelay::new(delay as f64, 20, between).unwrap();
                let mut y = vec![f64::NAN; 100];
                kernel.steps(&x, &mut y);
                assert_eq!(y[delay..], x[..100 - delay]);
                assert!(y[..delay].iter().all(|y| *y == 0.0));
            }
        }
    }

    #[test]
    fn a_new_delay_is_as_if_it_had_always_been() {
        let x = signal::<f32>(4, 200);
        let run = |delays: [f64; 2]| {
            let mut kernel =
                BoxedFractionalDelay::new(delays[0], 70, Between::Cardinal(Stopband::Db60)).unwrap();
            let mut y = vec![0.0; 200];
            kernel.steps(&x[..77], &mut y);
            kernel.set_delay(delays[1]).unwrap();
            kernel.steps(&x[77..], &mut y[77..]);
            y
        };
        let (changed, old, new) = (run([40.25, 66.75]), run([40.25, 40.25]), run([66.75, 66.75]));
        assert_eq!(changed[..77], old[..77]);
        assert_eq!(changed[77..], new[77..]);
    }

    #[test]
    fn what_no_line_can_delay_is_refused_and_nothing_changes() {
        let refused = |delay, max_delay, between| {
            BoxedFractionalDelay::<f32>::new(delay, max_delay, between).unwrap_err().argument
        };
        assert_eq!(refused(2.0, 8, Between::Lagrange(2)), "order");
        assert_eq!(refused(1.0, 8, Between::Lagrange(5)), "delay");
        assert_eq!(refused(8.5, 8, Between::Lagrange(3)), "delay");
        assert_eq!(refused(f64::NAN, 8, Between::Lagrange(3)), "delay");
        assert_eq!(refused(22.0, 22, Between::Cardinal(Stopband::Db60)), "max_delay");
        let mut kernel = FixedFractionalDelay::<f32, 2, 8>::fixed(3.5, Between::Lagrange(1)).unwrap();
        assert_eq!(kernel.max_delay(), 7);
        assert_eq!(kernel.set_delay(7.5).unwrap_err().argument, "delay");
        assert_eq!(kernel.delay(), 3.5);
        let error = FixedFractionalDelay::<f32, 4, 8>::fixed(3.5, Between::Lagrange(1)).unwrap_err();
        assert_eq!(error.argument, "taps");
    }
}
