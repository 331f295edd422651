//! Bounds of kernels over floats: the same in roundings of each type.

use crate::sample::Sample;

/// The bounds of results that are right to the bit: an error, and a signal to error in dB.
pub(crate) const EXACT: (f64, f64) = (0.0, f64::INFINITY);

/// The bounds for samples of `X`: an error in units of half an ulp of 1, and the signal to error in dB
/// that `f32` reaches.
pub(crate) fn float_bounds<X: Sample>(error: f64, snr_db: f64) -> (f64, f64) {
    if size_of::<X::Component>() == size_of::<f64>() {
        (error * f64::EPSILON / 2.0, snr_db + 173.0)
    } else {
        (error * f64::from(f32::EPSILON) / 2.0, snr_db)
    }
}

/// The bounds of a filter for each pair of sample and tap types.
#[derive(Clone, Copy)]
pub(crate) struct PairBounds {
    /// The error, as for [`float_bounds`], of real taps on real and on complex samples and of complex
    /// taps on complex and on real ones.
    pub(crate) errors: [f64; 4],
    /// The signal to error of `f32`.
    pub(crate) snr_db: f64,
}

impl PairBounds {
    /// The error of the pair of samples `X` and taps `H`.
    pub(crate) fn error<X: Sample, H: Sample>(&self) -> f64 {
        let [real, complex, complex_taps, complex_taps_of_real] = self.errors;
        match (X::COMPONENTS, H::COMPONENTS) {
            (1, 1) => real,
            (2, 1) => complex,
            (2, _) => complex_taps,
            _ => complex_taps_of_real,
        }
    }
}

/// The case that a function makes for each pair of float samples and taps, in an array.
macro_rules! float_pairs {
    ($case:ident($($argument:expr),*)) => {
        [
            $case::<f32, f32>($($argument),*),
            $case::<f64, f64>($($argument),*),
            $case::<num_complex::Complex<f32>, f32>($($argument),*),
            $case::<num_complex::Complex<f64>, f64>($($argument),*),
            $case::<num_complex::Complex<f32>, num_complex::Complex<f32>>($($argument),*),
            $case::<num_complex::Complex<f64>, num_complex::Complex<f64>>($($argument),*),
            $case::<f32, num_complex::Complex<f32>>($($argument),*),
            $case::<f64, num_complex::Complex<f64>>($($argument),*),
        ]
    };
}
pub(crate) use float_pairs;
