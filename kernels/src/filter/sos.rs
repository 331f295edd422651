//! Recursive filters as a cascade of second-order sections.

#[cfg(feature = "testing")]
mod cases;
mod config;
mod fixed;
mod pipeline;
#[cfg(test)]
mod tests;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;
#[cfg(feature = "testing")]
pub use cases::{butterworth, rows};
pub use config::{Section, Sections, SosConfig};

use crate::sample::{Q15, Q31, Sample};
use crate::shape::{Blockwise, ConfigError, Configured, InPlace, Kernel, steps_over_copy};
use crate::simd::SimdLevel;
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
use num_complex::Complex;
use pipeline::Pipeline;

/// A sample type that sections can filter: `f32`, `f64`, their `Complex`, [`Q15`] and [`Q31`].
pub trait Recursive: Sample {
    #[doc(hidden)]
    fn filter(
        level: SimdLevel,
        sections: &[Section<Self::Component>],
        states: &mut [[Self; 4]],
        io: &mut [Self],
    );
}

macro_rules! recursive {
    ($($x:ty: $t:ty;)*) => {$(
        impl Recursive for $x {
            fn filter(
                level: SimdLevel,
                sections: &[Section<$t>],
                states: &mut [[Self; 4]],
                io: &mut [Self],
            ) {
                const C: usize = <$x as Sample>::COMPONENTS;
                let states = bytemuck::must_cast_slice_mut::<_, [[$t; C]; 4]>(states);
                let io = bytemuck::must_cast_slice_mut::<_, [$t; C]>(io);
                level.run(Pipeline { sections, states, io });
            }
        }
    )*};
}

recursive! {
    f32: f32;
    f64: f64;
    Complex<f32>: f32;
    Complex<f64>: f64;
}

macro_rules! fixed_point {
    ($($q:ident)*) => {$(
        impl Recursive for $q {
            fn filter(level: SimdLevel, sections: &[Section<Self>], states: &mut [[Self; 4]], io: &mut [Self]) {
                let fits = sections.iter().all(|section| $q::fits(&section.factors));
                level.without_avx512().run(fixed::Direct { sections, fits, states, io });
            }
        }
    )*};
}
fixed_point!(Q15 Q31);

/// Storage of states, one per section: `[[X; 4]; N]` or `Box<[[X; 4]]>`.
///
/// A state is `s[n - 1], s[n - 2], x[n - 1], x[n - 2]` of its section, in fixed point `x[n - 1],
/// x[n - 2], y[n - 1], y[n - 2]`.
pub trait States: AsRef<[[Self::Sample; 4]]> + AsMut<[[Self::Sample; 4]]> {
    /// The type of a sample.
    type Sample: Recursive;
}

impl<X: Recursive, const N: usize> States for [[X; 4]; N] {
    type Sample = X;
}

#[cfg(feature = "alloc")]
impl<X: Recursive> States for alloc::boxed::Box<[[X; 4]]> {
    type Sample = X;
}

/// A cascade of second-order sections, each
/// `y[n] = b0 x[n] + b1 x[n-1] + b2 x[n-2] - a1 y[n-1] - a2 y[n-2]` of the section before it.
///
/// Any number of sections with real coefficients, on real or complex samples; they are rounded
/// once, when given, and never padded. A section computes `y[n] = b0 x[n] + s[n]` with
/// `s[n] = -a1 s[n-1] + (-a2 s[n-2] + (c1 x[n-1] + c2 x[n-2]))` and `c[i] = b[i] - a[i] b0`: what
/// feeds back is one multiply-add long. Sections run at once, in the lanes of a vector, each four
/// samples behind the one before it, and are brought level at the end of a call. `C` is a
/// [`SosConfig`] or a reference to one, `S` the states; [`FixedSos`] and [`BoxedSos`] name the
/// usual forms.
///
/// [`Q15`] and [`Q31`] are filtered in direct form 1 by coefficients that are codes: a section's `a0`,
/// a power of two, is the code of 1 and so its scale. The sum of each section is exact, divided by `a0`,
/// rounded once, halves up, and saturates, which keeps overflows from oscillating. This is CMSIS-DSP's
/// `arm_biquad_cascade_df1_q15` and `arm_biquad_cascade_df1_q31` with a `postShift` of 15 or 31 less
/// the bits of `a0`, but for the rounding, by which those cut off, and for sums of Q31, which wrap there.
///
/// * **Accuracy**: rounding errors pass through the filter as its input does and are largest with
///   poles close to the unit circle. The signal to error of an 8th-order Butterworth low-pass in
///   `f32` is 135 dB at a cut-off of 0.1 cycles per sample, 99 dB at 0.005. AVX2, AVX-512 and NEON
///   fuse, so levels differ in the last bits; fixed point has the same bits everywhere.
/// * **NaN and infinity** stay: once one has entered, outputs are NaN until
///   [`reset`](Kernel::reset). Real and imaginary parts do not meet.
/// * **Subnormals** are computed as such. The answer of a filter decays into them after its input has
///   fallen silent and may stay there; x86 then takes about a hundred times as long per sample.
/// * **Delay**: [`SosConfig::group_delay`], different for each frequency. For zero phase, run
///   over a whole recording forwards and backwards with SciPy's `sosfiltfilt`.
/// * **Cost**: 9 operations per section and sample (twice that for complex samples), and per call
///   what some 50 samples cost; 12 in fixed point, twice that for Q31 where the magnitudes of a
///   section's codes add up to 2^32 or more, `a0` not counted. No allocation.
///
/// A. V. Oppenheim and R. W. Schafer, *Discrete-Time Signal Processing*, 3rd ed., section 6.3.
///
/// ```
/// use passband_kernels::filter::{FixedSos, Section, SosConfig};
/// use passband_kernels::shape::Blockwise;
///
/// // y[n] = x[n] + y[n-1] / 2, then the mean of two samples.
/// static SMOOTH: SosConfig<[Section<f32>; 2]> = match SosConfig::<[Section<f32>; 2]>::fixed([
///     [1.0, 0.0, 0.0, 1.0, -0.5, 0.0],
///     [0.5, 0.5, 0.0, 1.0, 0.0, 0.0],
/// ]) {
///     Ok(config) => config,
///     Err(_) => panic!("sections with an a0 of 1"),
/// };
/// let mut sos = FixedSos::<f32, 2>::fixed(&SMOOTH);
/// let mut y = [0.0; 3];
/// assert_eq!(sos.steps(&[4.0, 0.0, 0.0], &mut y), 3);
/// assert_eq!(y, [2.0, 3.0, 1.5]);
/// ```
#[derive(Clone, Debug)]
pub struct Sos<C, S> {
    config: C,
    states: S,
}

/// A [`Sos`] of `N` sections with its state in an array and its config in flash.
pub type FixedSos<X, const N: usize> =
    Sos<&'static SosConfig<[Section<<X as Sample>::Component>; N]>, [[X; 4]; N]>;

/// A [`Sos`] that owns its config, for any number of sections.
#[cfg(feature = "alloc")]
pub type BoxedSos<X> =
    Sos<SosConfig<alloc::boxed::Box<[Section<<X as Sample>::Component>]>>, alloc::boxed::Box<[[X; 4]]>>;

impl<X: Recursive, const N: usize> FixedSos<X, N> {
    /// A filter over a config in flash.
    #[must_use]
    pub const fn fixed(config: &'static SosConfig<[Section<X::Component>; N]>) -> Self {
        Self { config, states: [[X::ZERO; 4]; N] }
    }
}

#[cfg(feature = "alloc")]
impl<X: Recursive> BoxedSos<X> {
    /// A filter with its own copy of `sections`, for the best level of this CPU.
    ///
    /// # Errors
    /// [`ConfigError`] when there are no sections.
    pub fn new(sections: &[Section<X::Component>]) -> Result<Self, ConfigError> {
        Self::with_level(sections, SimdLevel::best())
    }

    /// A filter with its own copy of `sections`, for a level.
    ///
    /// # Errors
    /// [`ConfigError`] when there are no sections.
    pub fn with_level(sections: &[Section<X::Component>], level: SimdLevel) -> Result<Self, ConfigError> {
        let states = alloc::vec![[X::ZERO; 4]; sections.len()].into();
        Ok(Self { config: SosConfig::with_level(sections.into(), level)?, states })
    }
}

impl<C, S, H> Sos<C, S>
where
    C: Configured<Config = SosConfig<H>>,
    S: States,
    H: Sections<Coefficient = <S::Sample as Sample>::Component>,
{
    /// A filter over a config that it owns or borrows and a storage for its states, so that one
    /// config can serve many filters.
    ///
    /// # Errors
    /// [`ConfigError`] when there are not as many states as sections.
    pub fn over(config: C, states: S) -> Result<Self, ConfigError> {
        if states.as_ref().len() == config.config().sos().len() {
            let mut sos = Self { config, states };
            sos.reset();
            Ok(sos)
        } else {
            Err(ConfigError { argument: "states", expected: "as many as sections" })
        }
    }

    /// The config.
    pub fn config(&self) -> &SosConfig<H> {
        self.config.config()
    }
}

impl<C, S, H> Snapshot for Sos<C, S>
where
    C: Configured<Config = SosConfig<H>>,
    S: States,
    H: Sections<Coefficient = <S::Sample as Sample>::Component>,
{
    fn kernel_id(&self) -> u32 {
        id::of(id::SOS, S::Sample::CODE, H::Coefficient::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        hash.u64(self.config().sos().len() as u64);
        self.config().sos().flatten().for_each(|coefficient| hash.sample(coefficient));
    }
    fn payload_len(&self) -> usize {
        size_of_val(self.states.as_ref())
    }
    fn write(&self, to: &mut Writer<'_>) {
        to.samples(self.states.as_ref().as_flattened());
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        from.samples(self.states.as_mut().as_flattened_mut())
    }
}

impl<C, S, H> Kernel for Sos<C, S>
where
    C: Configured<Config = SosConfig<H>>,
    S: States,
    H: Sections<Coefficient = <S::Sample as Sample>::Component>,
{
    fn reset(&mut self) {
        self.states.as_mut().as_flattened_mut().fill(S::Sample::ZERO);
    }
}

impl<C, S, H> Blockwise for Sos<C, S>
where
    C: Configured<Config = SosConfig<H>>,
    S: States,
    H: Sections<Coefficient = <S::Sample as Sample>::Component>,
{
    type Input = S::Sample;
    type Output = S::Sample;

    fn steps(&mut self, x: &[S::Sample], out: &mut [S::Sample]) -> usize {
        steps_over_copy(self, x, out)
    }
}

impl<C, S, H> InPlace for Sos<C, S>
where
    C: Configured<Config = SosConfig<H>>,
    S: States,
    H: Sections<Coefficient = <S::Sample as Sample>::Component>,
{
    fn steps_in_place(&mut self, io: &mut [S::Sample]) {
        let SosConfig { sections, level } = self.config.config();
        S::Sample::filter(*level, sections.as_ref(), self.states.as_mut(), io);
    }
}
