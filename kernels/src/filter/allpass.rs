//! Sections that change phases only.

#[cfg(feature = "testing")]
mod cases;
#[cfg(test)]
mod tests;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use super::first_order::continued;
use crate::sample::{Float, Sample};
use crate::shape::{Blockwise, ConfigError, InPlace, Kernel, steps_over_copy};
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
use num_complex::Complex;

/// An all-pass section of first or second order, which leaves every amplitude and turns the phase.
///
/// The first order is `y[n] = a1 (x[n] - y[n - 1]) + x[n - 1]`, the second
/// `y[n] = a2 (x[n] - y[n - 2]) + a1 (x[n - 1] - y[n - 1]) + x[n - 2]`, with zeros before the start:
/// `1, a1` or `1, a1, a2` are the denominator and, from behind, the numerator. From DC to half the
/// sample rate the phase falls by pi or 2 pi.
///
/// * **Accuracy**: computed in double precision. `f32` is within 0.51 ulp of the exact output plus
///   4e-16 times the largest output so far over the product of the poles' distances from the unit
///   circle, `f64` within 1.2e-16 plus that. Outputs below 1e-270 are taken as zero every eighth time,
///   so that the decay does not linger in subnormals. The same bits at every level and on every target.
/// * **NaN and infinity** stay in the recursion: all later outputs are NaN, until `reset`.
/// * **Delay**: [`group_delay`](Self::group_delay), in which frequencies differ.
/// * **Cost**: four operations per sample in first and seven in second order; each sample waits for a
///   product and a difference of the one before. No allocation.
///
/// P. A. Regalia, S. K. Mitra and P. P. Vaidyanathan, *The digital all-pass filter: a versatile signal
/// processing building block*, Proc. IEEE 76 (1988).
///
/// ```
/// use passband_kernels::filter::Allpass;
/// use passband_kernels::shape::Blockwise;
///
/// let mut allpass = Allpass::<f32>::first_order(0.5)?;
/// let mut y = [0.0; 4];
/// assert_eq!(allpass.steps(&[8.0, 0.0, 0.0, 0.0], &mut y), 4);
/// assert_eq!(y, [4.0, 6.0, -3.0, 1.5]);
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Allpass<X: Float> {
    a1: f64,
    /// Nothing in first order.
    a2: Option<f64>,
    state: State<X>,
}

/// The last inputs and outputs, the newest first.
#[derive(Clone, Copy, Debug)]
struct State<X: Float> {
    x: [X; 2],
    y: [X::Double; 2],
    /// Samples since outputs have been looked at for silence, less than [`GROUP`].
    position: usize,
}

const GROUP: usize = 8;

impl<X: Float> State<X> {
    const NEW: Self = Self { x: [X::ZERO; 2], y: [X::Double::ZERO; 2], position: 0 };
}

impl<X: Float> Allpass<X> {
    /// A section with a pole at `-a1`.
    ///
    /// # Errors
    /// [`ConfigError`] unless `-1 < a1 < 1`.
    pub const fn first_order(a1: f64) -> Result<Self, ConfigError> {
        if !(a1 > -1.0 && a1 < 1.0) {
            return Err(ConfigError { argument: "a1", expected: "a number above -1 and below 1" });
        }
        Ok(Self { a1, a2: None, state: State::NEW })
    }

    /// A section with poles where `z^2 + a1 z + a2` is 0: for a pair of radius `r` at `f` cycles per
    /// sample, `a1 = -2 r cos(2 pi f)` and `a2 = r^2`.
    ///
    /// # Errors
    /// [`ConfigError`] unless `-1 < a2 < 1` and `|a1| < 1 + a2`.
    pub const fn second_order(a1: f64, a2: f64) -> Result<Self, ConfigError> {
        if !(a2 > -1.0 && a2 < 1.0) {
            return Err(ConfigError { argument: "a2", expected: "a number above -1 and below 1" });
        }
        if a1.is_nan() || a1.abs() >= 1.0 + a2 {
            return Err(ConfigError { argument: "a1", expected: "a magnitude below 1 + a2" });
        }
        Ok(Self { a1, a2: Some(a2), state: State::NEW })
    }

    /// The delay in samples at `freq` cycles per sample.
    ///
    /// `sum (1 - |p|^2) / |1 - p e^(-j 2 pi freq)|^2` over the poles `p`.
    #[must_use]
    pub fn group_delay(&self, freq: f64) -> f64 {
        let (order, a2) = self.a2.map_or((1.0, 0.0), |a2| (2.0, a2));
        let (sin, cos) = libm::sincos(core::f64::consts::TAU * freq);
        let delay = Complex::new(cos, -sin);
        let (first, second) = (delay * self.a1, delay * delay * a2);
        // The numerator is the conjugate of the denominator, `order` samples later.
        let denominator = first + second + 1.0;
        let slope = first + second * 2.0;
        order - 2.0 * (slope * denominator.conj()).re / denominator.norm_sqr()
    }
}

impl<X: Float> Snapshot for Allpass<X> {
    fn kernel_id(&self) -> u32 {
        id::of(id::ALLPASS, X::CODE, X::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        hash.sample(self.a1);
        if let Some(a2) = self.a2 {
            hash.sample(a2);
        }
    }
    fn payload_len(&self) -> usize {
        8 + 2 * (size_of::<X>() + size_of::<X::Double>())
    }
    fn write(&self, to: &mut Writer<'_>) {
        to.u64(self.state.position as u64);
        to.samples(&self.state.x);
        to.samples(&self.state.y);
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        let position = usize::try_from(from.u64()?).ok().filter(|position| *position < GROUP)?;
        let (x, y) = ([from.sample()?, from.sample()?], [from.sample()?, from.sample()?]);
        self.state = State { x, y, position };
        Some(())
    }
}

impl<X: Float> Kernel for Allpass<X> {
    fn reset(&mut self) {
        self.state = State::NEW;
    }
}

impl<X: Float> Blockwise for Allpass<X> {
    type Input = X;
    type Output = X;

    fn steps(&mut self, x: &[X], out: &mut [X]) -> usize {
        steps_over_copy(self, x, out)
    }
}

impl<X: Float> InPlace for Allpass<X> {
    fn steps_in_place(&mut self, io: &mut [X]) {
        let a1 = self.a1;
        if let Some(a2) = self.a2 {
            // The last output comes last, so that the next waits for nothing else of it.
            self.state.run(io, |x, [x1, x2], [y1, y2]| ((x - y2) * a2 + x1 * a1 + x2) - y1 * a1);
        } else {
            self.state.run(io, |x, [x1, _], [y1, _]| (x * a1 + x1) - y1 * a1);
        }
    }
}

impl<X: Float> State<X> {
    /// Replaces each sample by the output that `section` makes of it and of the two before.
    #[inline(always)]
    fn run(
        &mut self,
        io: &mut [X],
        section: impl Fn(X::Double, [X::Double; 2], [X::Double; 2]) -> X::Double,
    ) {
        let Self { x: past, mut y, mut position } = *self;
        let mut x = past.map(X::to_double);
        for io in io {
            let next = io.to_double();
            y = [section(next, x, y), y[0]];
            x = [next, x[0]];
            *io = X::from_double(y[0]);
            position += 1;
            if position == GROUP {
                (y, position) = (y.map(continued), 0);
            }
        }
        *self = Self { x: x.map(X::from_double), y, position };
    }
}
