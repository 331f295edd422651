//! Interpolation by polynomials through neighbouring samples.

pub(super) mod body;
#[cfg(feature = "testing")]
mod cases;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;
#[cfg(feature = "testing")]
pub(crate) use cases::interpolated;

use super::arbitrary_resampler::Interpolate;
use super::clock::run;
use super::pace::Pace;
use crate::scratch::{History, State};
use crate::shape::{ConfigError, Kernel, Progress, VariableLength};
use crate::simd::SimdLevel;
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};

/// A resampler to any rate by polynomials, `y[m] = p(m / ratio + phase - delay)`.
///
/// Between two inputs `p` is the polynomial of the chosen `order`, 1, 3, 5 or 7, that meets as many
/// inputs on either side (Lagrange). Each of its coefficients is a branch of fixed taps, and Horner's
/// rule puts them together for the time at hand, so that `ratio`, outputs per input, may be set at any
/// time and costs nothing: what a timing loop wants. Nothing is filtered. Signals have to be oversampled,
/// and below a ratio of 1 what lies above half of the output's rate aliases.
/// [`ArbitraryResampler`](super::ArbitraryResampler) filters as well, for several times the work.
///
/// A tone at `f` cycles per input sample comes with images at `1 - f`, `1 + f` and so on, the largest of
/// them below the tone by
///
/// | order | f = 0.05 | f = 0.1 | f = 0.2 |
/// | --- | --- | --- | --- |
/// | 1 | 51 dB | 38 dB | 25 dB |
/// | 3 | 85 dB | 60 dB | 36 dB |
/// | 5 | 119 dB | 82 dB | 46 dB |
/// | 7 | 152 dB | 104 dB | 56 dB |
///
/// * **Accuracy**: within a few roundings of the polynomial. The same bits at every level.
/// * **Counts**: time is kept in units of 2^-64 input samples, to which an output's period is
///   rounded up once: within 6e-11 samples after 10^9 outputs. After N inputs
///   `ceil((N - phase) ratio)` outputs have been given; `max_out` tells of each call before.
/// * **NaN and infinity** spread to the outputs whose polynomial meets them and no further.
/// * **Delay**: [`group_delay`](Self::group_delay), in input samples; given as `phase` it is taken off.
/// * **Cost**: `(order + 1)^2` multiply-adds per output, twice that where samples are complex. No
///   allocation.
///
/// C. W. Farrow, *A continuously variable digital delay element*, Proc. IEEE ISCAS (1988).
///
/// ```
/// use passband_kernels::resample::Farrow;
/// use passband_kernels::shape::VariableLength;
///
/// let mut twice = Farrow::<f64>::new(2.0, 3, 2.0)?;
/// let mut y = [0.0; 8];
/// assert_eq!(twice.execute(&[0.0, 1.0, 4.0, 9.0, 16.0, 25.0], &mut y).produced, 8);
/// assert_eq!(y[2..], [1.0, 2.25, 4.0, 6.25, 9.0, 12.25]);
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Farrow<X> {
    past: State<X, MOST_POINTS>,
    pace: Pace,
    order: usize,
    level: SimdLevel,
    /// What `reset` goes back to.
    start: Pace,
}

/// Samples of the polynomial of the highest order.
const MOST_POINTS: usize = 8;

const NO_ORDER: ConfigError = ConfigError { argument: "order", expected: "1, 3, 5 or 7" };

/// How outputs follow each other.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Course {
    pub(super) order: usize,
    /// From an output to the next, in 2^-64 of an input.
    pub(super) step: u128,
    pub(super) level: SimdLevel,
}

/// Refuses orders that no polynomial is laid out for.
pub(crate) const fn checked(order: usize) -> Result<(), ConfigError> {
    if matches!(order, 1 | 3 | 5 | 7) { Ok(()) } else { Err(NO_ORDER) }
}

impl<X: Interpolate> Farrow<X> {
    /// A resampler to `ratio` outputs per input, the first at the time `phase` in input samples, for
    /// the best level of this CPU.
    ///
    /// # Errors
    /// [`ConfigError`] for a ratio that is not from 1/1024 to 65536, an order that is not 1, 3, 5 or 7
    /// and a phase that is not from 0 to 2^20.
    pub fn new(ratio: f64, order: usize, phase: f64) -> Result<Self, ConfigError> {
        Self::with_level(ratio, order, phase, SimdLevel::best())
    }

    /// The same for a level.
    ///
    /// # Errors
    /// [`ConfigError`] for a ratio that is not from 1/1024 to 65536, an order that is not 1, 3, 5 or 7
    /// and a phase that is not from 0 to 2^20.
    pub fn with_level(ratio: f64, order: usize, phase: f64, level: SimdLevel) -> Result<Self, ConfigError> {
        checked(order)?;
        let start = Pace::new(ratio, phase)?;
        Ok(Self { past: State::new(order + 1)?, pace: start, order, level, start })
    }

    /// The delay in input samples, `(order + 1) / 2`, the same at every frequency and ratio.
    #[must_use]
    pub fn group_delay(&self) -> f64 {
        (self.order + 1) as f64 / 2.0
    }

    /// Outputs per input.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        self.pace.ratio()
    }

    /// Sets the outputs per input from the output after the next on: the next one stays where it is,
    /// so that no phase jumps.
    ///
    /// # Errors
    /// [`ConfigError`] for a ratio that is not from 1/1024 to 65536; nothing changes.
    pub fn set_ratio(&mut self, ratio: f64) -> Result<(), ConfigError> {
        self.pace.set_ratio(ratio)
    }
}

impl<X: Interpolate> Snapshot for Farrow<X> {
    fn kernel_id(&self) -> u32 {
        id::of(id::FARROW, X::CODE, X::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        // Ratio and phase are state.
        hash.u64(self.order as u64);
    }
    fn payload_len(&self) -> usize {
        Pace::PAYLOAD + size_of_val(self.past.samples())
    }
    fn write(&self, to: &mut Writer<'_>) {
        self.pace.write(to);
        to.samples(self.past.samples());
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        let pace = Pace::read(from)?;
        from.samples(self.past.samples_mut())?;
        self.pace = pace;
        Some(())
    }
}

impl<X: Interpolate> Kernel for Farrow<X> {
    fn reset(&mut self) {
        self.pace = self.start;
        self.past.samples_mut().fill(X::ZERO);
    }
}

impl<X: Interpolate> VariableLength for Farrow<X> {
    type Input = X;
    type Output = X;

    fn execute(&mut self, x: &[X], out: &mut [X]) -> Progress {
        let Self { past, pace, order, level, .. } = self;
        let rhythm = pace.rhythm();
        let course = Course { order: *order, step: rhythm.output, level: *level };
        run(&mut pace.clock, rhythm, past, x, out, |due, window, past, out| {
            X::follow(course, due, past, window, out);
        })
    }

    fn max_out(&self, n_in: usize) -> usize {
        self.pace.outputs(n_in)
    }

    fn max_in(&self, n_out: usize) -> usize {
        self.pace.inputs(n_out)
    }
}
