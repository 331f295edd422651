//! From a band to samples around zero: a shift and a cascade of decimators.

#[cfg(feature = "testing")]
mod cases;
#[cfg(test)]
mod tests;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use crate::chain::{Chain, Steps};
use crate::sample::Sample;
use crate::shape::{ConfigError, Kernel, Progress, VariableLength};
use crate::simd::SimdLevel;
use crate::source::Mixed;
use crate::source::rotor::Rotor;
use crate::source::shift::Shift;
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
use num_complex::Complex;

/// A down-converter, `cascade(x[n] e^(-j 2 pi (phase + n freq)))`.
///
/// The band around `freq`, in cycles per input sample, comes to zero, and `cascade` filters it and lowers
/// its rate: a [`FirDecimator`](super::FirDecimator), half-band filters, or several of these in a
/// [`Chain`]. `X` is `Complex<f32>` or `f32`. Of a real tone half the amplitude is at `freq`, the other
/// half at `-freq`. `SCRATCH` samples at a time are mixed into a scratch on the stack and filtered from
/// there, so that no stream of the full rate passes through memory.
///
/// * **Accuracy**: the shift is that of [`Mixer`](crate::source::Mixer), within 3.5e-7 of each
///   component, whatever n; all else is as the cascade has it.
/// * **Counts**: those of the cascade.
/// * **Retuning** continues the phase. Samples that the cascade holds stay as they were shifted.
/// * **Delay**: that of the cascade.
/// * **Cost**: that of the cascade, ten operations per complex input or six per real one, and a table of
///   1 KiB that a retune computes again. No allocation.
///
/// F. J. Harris, *Multirate Signal Processing for Communication Systems*, section 6.
///
/// ```
/// use num_complex::Complex;
/// use passband_kernels::resample::{BoxedFirDecimator, Ddc};
/// use passband_kernels::shape::VariableLength;
///
/// let low_pass = BoxedFirDecimator::<Complex<f32>, f32>::new(&[0.25; 4], 4, 3)?;
/// let mut receiver: Ddc<f32, _> = Ddc::new(0.25, 0.0, low_pass)?;
/// let mut y = [Complex::default(); 2];
/// // A real tone of 1 at a quarter of the rate, of which half comes to zero.
/// assert_eq!(receiver.execute(&[1.0, 0.0, -1.0, 0.0, 1.0, 0.0, -1.0, 0.0], &mut y).produced, 2);
/// assert_eq!(y, [Complex::new(0.5, 0.0); 2]);
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ddc<X, C, const SCRATCH: usize = 256> {
    row: Chain<Steps<Shift<X, Complex<f32>>>, C, SCRATCH>,
}

impl<X, C, const SCRATCH: usize> Ddc<X, C, SCRATCH>
where
    X: Mixed<Complex<f32>>,
    C: VariableLength<Input = Complex<f32>>,
{
    /// A converter of the band around `freq` cycles per sample, whose oscillator starts at `phase` cycles,
    /// for the best level of this CPU.
    ///
    /// # Errors
    /// [`ConfigError`] for a frequency or phase that is not finite.
    pub fn new(freq: f64, phase: f64, cascade: C) -> Result<Self, ConfigError> {
        Self::with_level(freq, phase, cascade, SimdLevel::best())
    }

    /// The same with a shift for a level; the cascade has its own.
    ///
    /// # Errors
    /// [`ConfigError`] for a frequency or phase that is not finite.
    pub fn with_level(freq: f64, phase: f64, cascade: C, level: SimdLevel) -> Result<Self, ConfigError> {
        let shift = Shift::new(Rotor::new(-freq, -phase)?, level);
        Ok(Self { row: Chain::new(Steps(shift), cascade) })
    }

    /// The middle of the band in cycles per sample, in `(-0.5, 0.5]`.
    #[must_use]
    pub fn freq(&self) -> f64 {
        0.0 - self.row.first.0.rotor.freq()
    }

    /// Changes the middle of the band from the next sample on, without a jump of the phase.
    ///
    /// # Errors
    /// [`ConfigError`] for a frequency that is not finite; nothing changes.
    pub fn set_freq(&mut self, freq: f64) -> Result<(), ConfigError> {
        self.row.first.0.rotor.retune(-freq)
    }

    /// The cascade, for its settings.
    pub fn cascade(&mut self) -> &mut C {
        &mut self.row.second
    }
}

impl<X, C, const SCRATCH: usize> Snapshot for Ddc<X, C, SCRATCH>
where
    X: Mixed<Complex<f32>>,
    C: VariableLength<Input = Complex<f32>> + Snapshot,
{
    fn kernel_id(&self) -> u32 {
        id::of(id::DDC, X::CODE, C::Output::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        self.row.fingerprint(hash);
    }
    fn payload_len(&self) -> usize {
        self.row.payload_len()
    }
    fn write(&self, to: &mut Writer<'_>) {
        self.row.write(to);
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        self.row.read(from)
    }
}

impl<X, C, const SCRATCH: usize> Kernel for Ddc<X, C, SCRATCH>
where
    X: Mixed<Complex<f32>>,
    C: VariableLength<Input = Complex<f32>> + Kernel,
{
    fn reset(&mut self) {
        self.row.reset();
    }
}

impl<X, C, const SCRATCH: usize> VariableLength for Ddc<X, C, SCRATCH>
where
    X: Mixed<Complex<f32>>,
    C: VariableLength<Input = Complex<f32>>,
{
    type Input = X;
    type Output = C::Output;

    fn execute(&mut self, x: &[X], out: &mut [C::Output]) -> Progress {
        self.row.execute(x, out)
    }

    fn max_out(&self, n_in: usize) -> usize {
        self.row.max_out(n_in)
    }

    fn max_in(&self, n_out: usize) -> usize {
        self.row.max_in(n_out)
    }
}
