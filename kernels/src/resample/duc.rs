//! From samples around zero to a band: a cascade of interpolators and a shift.

#[cfg(feature = "testing")]
mod cases;

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

/// An up-converter, `u[m] e^(j 2 pi (phase + m freq))` with `u = cascade(x)`.
///
/// `cascade` raises the rate: an interpolating [`RationalResampler`](super::RationalResampler), half-band
/// filters, or several of these in a [`Chain`]. What comes out of it is shifted to `freq`, in cycles per
/// output sample. `Y` is `Complex<f32>`, or `f32` for the real part, as converters to analog take it.
/// `SCRATCH` samples at a time are interpolated into a scratch on the stack and shifted from there.
///
/// * **Accuracy**: the shift is that of [`Mixer`](crate::source::Mixer), within 3.5e-7 times the
///   magnitude, whatever m; all else is as the cascade has it.
/// * **Counts**: those of the cascade.
/// * **Retuning** continues the phase.
/// * **Delay**: that of the cascade.
/// * **Cost**: that of the cascade, ten operations per complex output or seven per real one, and a table
///   of 1 KiB that a retune computes again. No allocation.
///
/// F. J. Harris, *Multirate Signal Processing for Communication Systems*, section 6.
///
/// ```
/// use num_complex::Complex;
/// use passband_kernels::resample::{BoxedRationalResampler, Duc};
/// use passband_kernels::shape::VariableLength;
///
/// let hold = BoxedRationalResampler::<Complex<f32>, f32>::interpolator(&[1.0; 4], 4)?;
/// let mut transmitter: Duc<f32, _> = Duc::new(0.25, 0.0, hold)?;
/// let mut y = [0.0; 8];
/// let x = [Complex::new(1.0, 0.0), Complex::new(0.0, 2.0)];
/// assert_eq!(transmitter.execute(&x, &mut y).produced, 8);
/// assert_eq!(y, [1.0, 0.0, -1.0, 0.0, 0.0, -2.0, 0.0, 2.0]);
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Duc<Y, C, const SCRATCH: usize = 256> {
    row: Chain<C, Steps<Shift<Complex<f32>, Y>>, SCRATCH>,
}

impl<Y, C, const SCRATCH: usize> Duc<Y, C, SCRATCH>
where
    Y: Sample,
    Complex<f32>: Mixed<Y>,
    C: VariableLength<Output = Complex<f32>>,
{
    /// A converter to the band around `freq` cycles per output sample, whose oscillator starts at `phase`
    /// cycles, for the best level of this CPU.
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
        let shift = Shift::new(Rotor::new(freq, phase)?, level);
        Ok(Self { row: Chain::new(cascade, Steps(shift)) })
    }

    /// The middle of the band in cycles per output sample, in `[-0.5, 0.5)`.
    #[must_use]
    pub fn freq(&self) -> f64 {
        self.row.second.0.rotor.freq()
    }

    /// Changes the middle of the band from the next output on, without a jump of the phase.
    ///
    /// # Errors
    /// [`ConfigError`] for a frequency that is not finite; nothing changes.
    pub fn set_freq(&mut self, freq: f64) -> Result<(), ConfigError> {
        self.row.second.0.rotor.retune(freq)
    }

    /// The cascade, for its settings.
    pub fn cascade(&mut self) -> &mut C {
        &mut self.row.first
    }
}

impl<Y, C, const SCRATCH: usize> Snapshot for Duc<Y, C, SCRATCH>
where
    Y: Sample,
    Complex<f32>: Mixed<Y>,
    C: VariableLength<Output = Complex<f32>> + Snapshot + Clone,
{
    fn kernel_id(&self) -> u32 {
        id::of(id::DUC, C::Input::CODE, Y::CODE)
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

impl<Y, C, const SCRATCH: usize> Kernel for Duc<Y, C, SCRATCH>
where
    Y: Sample,
    Complex<f32>: Mixed<Y>,
    C: VariableLength<Output = Complex<f32>> + Kernel + Clone,
{
    fn reset(&mut self) {
        self.row.reset();
    }
}

impl<Y, C, const SCRATCH: usize> VariableLength for Duc<Y, C, SCRATCH>
where
    Y: Sample,
    Complex<f32>: Mixed<Y>,
    C: VariableLength<Output = Complex<f32>>,
{
    type Input = C::Input;
    type Output = Y;

    fn execute(&mut self, x: &[C::Input], out: &mut [Y]) -> Progress {
        self.row.execute(x, out)
    }

    fn max_out(&self, n_in: usize) -> usize {
        self.row.max_out(n_in)
    }

    fn max_in(&self, n_out: usize) -> usize {
        self.row.max_in(n_out)
    }
}
