//! The analytic signal of a real one.

mod body;
#[cfg(feature = "testing")]
mod cases;
#[cfg(test)]
mod tests;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use super::fir::Taps;
use crate::sample::Sample;
use crate::scratch::{History, State};
use crate::shape::{Blockwise, ConfigError, Kernel};
use crate::simd::SimdLevel;
use crate::spectrum::kaiser;
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
pub use body::Analytic;
use core::f64::consts::FRAC_2_PI;

/// A Hilbert transformer, `y[n] = x[n - centre] + j sum_m h[m] (x[n - centre - m] - x[n - centre + m])`.
///
/// The sum is over `m` = 1, 3, 5 .. `centre`, and `centre = (length - 1) / 2`. The taps are those of the
/// ideal transformer under a Kaiser window, `h[m] = 2 / (pi m) w[m]`; they are antisymmetric and zero at
/// even places, so that the real part is the input, delayed, and the imaginary one lags it by 90 degrees
/// at every frequency: of `cos` the output is `exp(j ..)`. `H` stores a tap per pair and `S` the past
/// samples; [`FixedHilbert`] and [`BoxedHilbert`] name the usual forms.
///
/// * **Images** (negative frequencies) lie `A = beta / 0.1102 + 8.7` dB below the signal, within 2 dB for
///   `beta` from 5 to 12 and from 31 taps on, at frequencies from `(A - 7.95) / (28.72 (length - 1))`
///   cycles per sample to half the sample rate less that. DC and half the sample rate have no imaginary
///   part.
/// * **Accuracy**: the real part is exact. The error of the imaginary part is below `length / 2 * eps` times
///   the sum of magnitudes. AVX2, AVX-512 and NEON fuse, so levels differ in the last bits.
/// * **NaN and infinity** spread to the outputs whose taps meet them, zeros not counted. Subnormals are
///   computed as such.
/// * **Delay**: [`group_delay`](Self::group_delay), `centre` samples.
/// * **Cost**: `(length + 1) / 4` subtractions and as many multiply-adds per sample; no allocation.
///
/// A. V. Oppenheim and R. W. Schafer, *Discrete-Time Signal Processing*, 3rd ed., section 12.4.2.
///
/// ```
/// use passband_kernels::filter::FixedHilbert;
/// use passband_kernels::shape::Blockwise;
///
/// let mut hilbert = FixedHilbert::<f32, 1, 3>::new(0.0)?;
/// let mut y = [Default::default(); 3];
/// assert_eq!(hilbert.steps(&[0.0, 1.0, 0.0], &mut y), 3);
/// assert_eq!(y.map(|y| y.re), [0.0, 0.0, 1.0]);
/// assert_eq!(y.map(|y| y.im), [0.0, -core::f32::consts::FRAC_2_PI, 0.0]);
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Hilbert<H, S> {
    beta: f64,
    level: SimdLevel,
    /// `h[1], h[3], h[5] ..`
    taps: H,
    state: S,
}

/// A [`Hilbert`] of `N` taps, of which `PAIRS` pairs are not zero, with everything in arrays;
/// `N` is `4 PAIRS - 1`.
pub type FixedHilbert<T, const PAIRS: usize, const N: usize, const SCRATCH: usize = 256> =
    Hilbert<[T; PAIRS], State<T, N, SCRATCH>>;

/// A [`Hilbert`] of any length.
#[cfg(feature = "alloc")]
pub type BoxedHilbert<T> = Hilbert<alloc::boxed::Box<[T]>, crate::scratch::BoxedState<T>>;

impl<T: Analytic, const PAIRS: usize, const N: usize, const SCRATCH: usize>
    FixedHilbert<T, PAIRS, N, SCRATCH>
{
    /// A transformer for the best level of this CPU.
    ///
    /// # Errors
    /// [`ConfigError`] for a `beta` that is negative or not finite.
    pub fn new(beta: f64) -> Result<Self, ConfigError> {
        Self::with_level(beta, SimdLevel::best())
    }

    /// A transformer for a level.
    ///
    /// # Errors
    /// [`ConfigError`] for a `beta` that is negative or not finite.
    pub fn with_level(beta: f64, level: SimdLevel) -> Result<Self, ConfigError> {
        const { assert!(PAIRS > 0 && N == 4 * PAIRS - 1, "N: expected 4 PAIRS - 1") };
        let mut taps = [T::ZERO; PAIRS];
        design(&mut taps, beta)?;
        Ok(Self { beta, level, taps, state: State::full() })
    }
}

#[cfg(feature = "alloc")]
impl<T: Analytic> BoxedHilbert<T> {
    /// A transformer of `length` taps for the best level of this CPU.
    ///
    /// # Errors
    /// [`ConfigError`] for a `length` other than 3, 7, 11 and so on, and for a `beta` that is negative
    /// or not finite.
    pub fn new(length: usize, beta: f64) -> Result<Self, ConfigError> {
        Self::with_level(length, beta, SimdLevel::best())
    }

    /// A transformer of `length` taps for a level.
    ///
    /// # Errors
    /// [`ConfigError`] for a `length` other than 3, 7, 11 and so on, and for a `beta` that is negative
    /// or not finite.
    pub fn with_level(length: usize, beta: f64, level: SimdLevel) -> Result<Self, ConfigError> {
        if length % 4 != 3 {
            return Err(ConfigError { argument: "length", expected: "3, 7, 11, .. taps" });
        }
        let mut taps = alloc::vec![T::ZERO; length / 4 + 1].into_boxed_slice();
        design(&mut taps, beta)?;
        Ok(Self { beta, level, taps, state: crate::scratch::BoxedState::new(length - 1) })
    }
}

/// Windows the ideal taps.
fn design<T: Analytic>(taps: &mut [T], beta: f64) -> Result<(), ConfigError> {
    if !beta.is_finite() || beta < 0.0 {
        return Err(ConfigError { argument: "beta", expected: "a finite number, at least 0" });
    }
    let (centre, peak) = (2 * taps.len() - 1, kaiser::scaled_i0(beta));
    for (pair, tap) in taps.iter_mut().enumerate() {
        let apart = 2 * pair + 1;
        let window = kaiser::at((centre + apart) as f64, 2.0 * centre as f64, beta, peak);
        *tap = T::from_double(FRAC_2_PI / apart as f64 * window);
    }
    Ok(())
}

impl<H: Taps<Tap: Analytic>, S> Hilbert<H, S> {
    /// The taps of the imaginary part, `(sum_k taps[k] x[n - k])`, zeros included.
    pub fn taps(&self) -> impl Iterator<Item = H::Tap> {
        let (pairs, centre) = (self.taps.as_ref(), self.centre());
        (0..=2 * centre).map(move |k| {
            let apart = k.abs_diff(centre);
            match (pairs.get(apart / 2), apart % 2) {
                (Some(tap), 1) if k < centre => -*tap,
                (Some(tap), 1) => *tap,
                _ => H::Tap::ZERO,
            }
        })
    }

    /// The delay in samples, `(length - 1) / 2`.
    #[must_use]
    pub fn group_delay(&self) -> f64 {
        self.centre() as f64
    }

    fn centre(&self) -> usize {
        2 * self.taps.as_ref().len() - 1
    }
}

impl<H: Taps<Tap: Analytic>, S: History<H::Tap>> Snapshot for Hilbert<H, S> {
    fn kernel_id(&self) -> u32 {
        id::of(id::HILBERT, H::Tap::CODE, <H::Tap as Analytic>::Complex::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        hash.u64(self.state.samples().len() as u64 + 1);
        hash.sample(self.beta);
    }
    fn payload_len(&self) -> usize {
        size_of_val(self.state.samples())
    }
    fn write(&self, to: &mut Writer<'_>) {
        to.samples(self.state.samples());
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        from.samples(self.state.samples_mut())
    }
}

impl<H: Taps<Tap: Analytic>, S: History<H::Tap>> Kernel for Hilbert<H, S> {
    fn reset(&mut self) {
        self.state.samples_mut().fill(H::Tap::ZERO);
    }
}

impl<H: Taps<Tap: Analytic>, S: History<H::Tap>> Blockwise for Hilbert<H, S> {
    type Input = H::Tap;
    type Output = <H::Tap as Analytic>::Complex;

    fn steps(&mut self, x: &[H::Tap], out: &mut [Self::Output]) -> usize {
        let Self { level, taps, state, .. } = self;
        let n = x.len().min(out.len());
        state.drive(x.get(..n).unwrap_or(x), |window, inputs| {
            if let Some(out) = out.get_mut(inputs) {
                H::Tap::analytic(*level, taps.as_ref(), window, out);
            }
        });
        n
    }
}
