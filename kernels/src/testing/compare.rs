//! Comparing results with each other and with references, as `f64`.

use crate::sample::Sample;
use std::vec::Vec;

/// The components of samples as numbers; exact, since every component type fits an `f64`.
#[must_use]
pub fn values<T: Sample>(samples: &[T]) -> Vec<f64> {
    samples.iter().flat_map(|sample| sample.parts().into_iter().take(T::COMPONENTS)).collect()
}

/// The first place where two results differ in their bits; all NaNs are equal.
#[must_use]
pub fn same_bits(a: &[f64], b: &[f64]) -> Option<usize> {
    let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
    let differs = a.iter().zip(b).position(|pair| !same(pair));
    differs.or_else(|| (a.len() != b.len()).then(|| a.len().min(b.len())))
}

/// How far a result is from a reference.
#[derive(Clone, Copy, Debug, Default)]
pub struct Deviation {
    /// The largest absolute difference; infinite where lengths or non-finite values differ.
    pub max_error: f64,
    signal: f64,
    noise: f64,
}

impl Deviation {
    /// Compares a result with its reference.
    #[must_use]
    pub fn between(result: &[f64], reference: &[f64]) -> Self {
        let mut all = Self::default();
        if result.len() != reference.len() {
            all.max_error = f64::INFINITY;
        }
        for (y, r) in result.iter().zip(reference) {
            let error = if y.to_bits() == r.to_bits() || (y.is_nan() && r.is_nan()) {
                0.0
            } else if y.is_finite() && r.is_finite() {
                (y - r).abs()
            } else {
                f64::INFINITY
            };
            all.max_error = all.max_error.max(error);
            all.signal += if r.is_finite() { r * r } else { 0.0 };
            all.noise += error * error;
        }
        all
    }

    /// Takes in another comparison.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self {
            max_error: self.max_error.max(other.max_error),
            signal: self.signal + other.signal,
            noise: self.noise + other.noise,
        }
    }

    /// Signal to error, in decibels; infinite for exact results.
    #[must_use]
    pub fn snr_db(self) -> f64 {
        if self.noise == 0.0 { f64::INFINITY } else { 10.0 * (self.signal / self.noise).log10() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_signs_of_zero_and_bits_count_but_nans_are_equal() {
        assert_eq!(same_bits(&[1.0, f64::NAN], &[1.0, -f64::NAN]), None);
        assert_eq!(same_bits(&[1.0, 0.0], &[1.0, -0.0]), Some(1));
        assert_eq!(same_bits(&[1.0], &[1.0, 2.0]), Some(1));
    }

    #[test]
    fn deviation_is_infinite_for_a_lost_sample_and_exact_for_equal_ones() {
        assert_eq!(Deviation::between(&[1.0], &[1.0, 2.0]).max_error, f64::INFINITY);
        assert_eq!(Deviation::between(&[f64::NAN], &[0.0]).max_error, f64::INFINITY);
        let exact = Deviation::between(&[f64::INFINITY, 1.0], &[f64::INFINITY, 1.0]);
        assert_eq!((exact.max_error, exact.snr_db()), (0.0, f64::INFINITY));
        let off = Deviation::between(&[1.001], &[1.0]);
        assert!((off.snr_db() - 60.0).abs() < 1e-6);
    }
}
