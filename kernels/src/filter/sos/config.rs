//! The coefficients of a cascade: checked, rounded, and ready for a `static`.

use crate::sample::{Q15, Q31, Sample};
use crate::shape::{ConfigError, Configured};
use crate::simd::SimdLevel;
use num_complex::Complex;

/// One second-order section, `(b0 + b1/z + b2/z^2) / (a0 + a1/z + a2/z^2)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Section<T> {
    /// As given: `b0, b1, b2, a0, a1, a2`.
    pub(super) row: [T; 6],
    /// As used: `b0, c1, c2, -a1, -a2` with `c[i] = b[i] - a[i] b0`; of fixed point `b0, b1, b2, a1, a2`.
    pub(super) factors: [T; 5],
    /// Fractional bits of the coefficients in fixed point.
    pub(super) bits: u32,
}

pub(super) const NOT_NORMALISED: ConfigError =
    ConfigError { argument: "sos", expected: "sections with an a0 of 1" };
pub(super) const NOT_FINITE: ConfigError =
    ConfigError { argument: "sos", expected: "finite coefficients, also `b[i] - a[i] b0`" };
pub(super) const NOT_SCALED: ConfigError =
    ConfigError { argument: "sos", expected: "sections with an a0 of 2, 4, 8 or another power of two" };
pub(super) const NO_SECTIONS: ConfigError = ConfigError { argument: "sos", expected: "at least one section" };

/// The coefficient types of floats. The `c[i]` are computed in `f64` and rounded once.
macro_rules! floats {
    ($($t:ident)*) => {$(
        impl Section<$t> {
            /// A section from a row `[b0, b1, b2, a0, a1, a2]`, as filter design gives it.
            ///
            /// # Errors
            /// [`ConfigError`] when `a0` is not 1, or coefficients or `b[i] - a[i] b0` are not finite.
            pub const fn new(row: [$t; 6]) -> Result<Self, ConfigError> {
                let [b0, b1, b2, a0, a1, a2] = row;
                if a0 != 1.0 {
                    return Err(NOT_NORMALISED);
                }
                let c1 = (b1 as f64 - a1 as f64 * b0 as f64) as $t;
                let c2 = (b2 as f64 - a2 as f64 * b0 as f64) as $t;
                // Each coefficient is one of these or a term of one.
                if b0.is_finite() && c1.is_finite() && c2.is_finite() && a1.is_finite() && a2.is_finite() {
                    Ok(Self { row, factors: [b0, c1, c2, -a1, -a2], bits: 0 })
                } else {
                    Err(NOT_FINITE)
                }
            }
        }
    )*};
}
floats!(f32 f64);

/// The coefficient types of fixed point.
macro_rules! fixed_point {
    ($($q:ident)*) => {$(
        impl Section<$q> {
            /// A section from a row of codes `[b0, b1, b2, a0, a1, a2]` at one scale: `a0`, a power of
            /// two, is the code of 1. Halving the scale doubles the range of the coefficients.
            ///
            /// # Errors
            /// [`ConfigError`] when `a0` is not a power of two above 1.
            pub const fn new(row: [$q; 6]) -> Result<Self, ConfigError> {
                let [b0, b1, b2, $q(a0), a1, a2] = row;
                if a0 > 1 && a0 & (a0 - 1) == 0 {
                    Ok(Self { row, factors: [b0, b1, b2, a1, a2], bits: a0.trailing_zeros() })
                } else {
                    Err(NOT_SCALED)
                }
            }
        }
    )*};
}
fixed_point!(Q15 Q31);

/// The constructor that can fill a `static`.
macro_rules! fixed {
    ($($t:ident)*) => {$(
        impl<const N: usize> SosConfig<[Section<$t>; N]> {
            /// Sections from rows `[b0, b1, b2, a0, a1, a2]` at compile time, for
            /// [`SimdLevel::COMPILED`].
            ///
            /// # Errors
            /// [`ConfigError`] for a row that [`Section::new`] refuses.
            pub const fn fixed(sos: [[$t; 6]; N]) -> Result<Self, ConfigError> {
                const { assert!(N > 0, "sos: expected at least one section") };
                let mut sections = [Section { row: [$t::ZERO; 6], factors: [$t::ZERO; 5], bits: 0 }; N];
                let mut k = 0;
                while k < N {
                    sections[k] = match Section::<$t>::new(sos[k]) {
                        Ok(section) => section,
                        Err(error) => return Err(error),
                    };
                    k += 1;
                }
                Ok(Self { sections, level: SimdLevel::COMPILED })
            }
        }
    )*};
}
fixed!(f32 f64 Q15 Q31);

/// The sections of a [`Sos`](super::Sos) and the level to run them at.
///
/// `H` stores them: `[Section<T>; N]`, which may be a `static` in flash, or `Box<[Section<T>]>`.
/// One config serves many filters, of real and of complex samples.
#[derive(Clone, Debug)]
pub struct SosConfig<H> {
    pub(super) sections: H,
    pub(super) level: SimdLevel,
}

/// Storage of sections: `[Section<T>; N]` or `Box<[Section<T>]>`.
pub trait Sections: AsRef<[Section<Self::Coefficient>]> {
    /// The type of a coefficient.
    type Coefficient: Sample;
}

impl<T: Sample, const N: usize> Sections for [Section<T>; N] {
    type Coefficient = T;
}

#[cfg(feature = "alloc")]
impl<T: Sample> Sections for alloc::boxed::Box<[Section<T>]> {
    type Coefficient = T;
}

impl<H: Sections> SosConfig<H> {
    /// Sections for the best level of this CPU.
    ///
    /// # Errors
    /// [`ConfigError`] when there are no sections.
    pub fn new(sections: H) -> Result<Self, ConfigError> {
        Self::with_level(sections, SimdLevel::best())
    }

    /// Sections for a level.
    ///
    /// # Errors
    /// [`ConfigError`] when there are no sections.
    pub fn with_level(sections: H, level: SimdLevel) -> Result<Self, ConfigError> {
        if sections.as_ref().is_empty() { Err(NO_SECTIONS) } else { Ok(Self { sections, level }) }
    }

    /// The sections as they were given, rows of `b0, b1, b2, a0, a1, a2`.
    pub fn sos(&self) -> impl ExactSizeIterator<Item = [H::Coefficient; 6]> {
        self.sections.as_ref().iter().map(|section| section.row)
    }

    /// The level that the sections run at.
    #[must_use]
    pub fn level(&self) -> SimdLevel {
        self.level
    }

    /// The delay in samples at a frequency in cycles per sample, `-d(phase)/d(omega)` of all
    /// sections; NaN at a zero on the unit circle, where nothing passes.
    #[must_use]
    pub fn group_delay(&self, freq: f64) -> f64 {
        let omega = core::f64::consts::TAU * freq;
        let turn = |k: f64| Complex::new(libm::cos(k * omega), -libm::sin(k * omega));
        // Of a polynomial in 1/z: the mean of the powers, weighted with their terms.
        let delay = |coefficients: [H::Coefficient; 3]| {
            let [p0, p1, p2] = coefficients.map(|p| p.parts()[0]);
            let (p1, p2) = (turn(1.0) * p1, turn(2.0) * p2);
            ((p1 + p2 * 2.0) / (p1 + p2 + p0)).re
        };
        self.sos().map(|[b0, b1, b2, a0, a1, a2]| delay([b0, b1, b2]) - delay([a0, a1, a2])).sum()
    }
}

impl<H> Configured for SosConfig<H> {
    type Config = Self;
    fn config(&self) -> &Self {
        self
    }
}
