//! Half-band filters.

use super::{Delayed, WITH_FIXED_POINT, filter_class};
use crate::marshal::{Erased, Rate, WithTaps};
use passband_kernels::resample::{BoxedHalfbandDecimator, BoxedHalfbandInterpolator, Halve};
use passband_kernels::sample::Sample;
use passband_kernels::shape::ConfigError;

/// A class, with what an input costs beside an output of a filter of all taps, and how many inputs
/// a sample at the high rate is.
macro_rules! halfband {
    ($Class:ident by $Make:ident: $Boxed:ident, $work:literal, $inputs_per_sample:literal) => {
        struct $Make;

        impl $Make {
            fn of<X: Halve<H>, H: Sample>(taps: &[H]) -> Result<Delayed, ConfigError> {
                let kernel = $Boxed::<X, H>::new(taps)?;
                let delay = kernel.config().group_delay().map(|delay| delay * $inputs_per_sample);
                Ok((Rate(kernel).boxed(), delay))
            }
        }

        impl WithTaps for $Make {
            const INPUTS: &'static [&'static str] = WITH_FIXED_POINT;
            type Made = Delayed;

            fn make<X: Halve<H>, H: Sample>(self, taps: &[H]) -> Result<Delayed, ConfigError> {
                Self::of::<X, H>(taps)
            }

            fn make_fixed<Q: Halve<Q>>(self, taps: &[Q]) -> Result<Delayed, ConfigError> {
                Self::of::<Q, Q>(taps)
            }
        }

        filter_class! {
            $Class(taps, *, dtype=None) = () => ($Make, $work);
            examples {
                "[0.25, 0.5, 0.25]": "float64" => "float64",
                "[-0.0625, 0, 0.25, 0.5, 0.25, 0, -0.0625], dtype='float32'": "float32" => "float32",
                "[0.25, 0.5, 0.25], dtype='complex64'": "complex64" => "complex64",
                "[0.5, 1.0, 0.25], dtype='complex128'": "complex128" => "complex128",
                "[0.5, 1.0, 0.25j], dtype='float32'": "float32" => "complex64",
                "[0.5, 1.0, 0.25j], dtype='float64'": "float64" => "complex128",
                "[0.5, 1.0, 0.25j], dtype='complex64'": "complex64" => "complex64",
                "[0.5, 1.0, 0.25j]": "complex128" => "complex128",
                "[32, 64, 32], dtype='q7'": "int8" => "int8",
                "[-2048, 0, 8192, 16384, 8192, 0, -2048], dtype='q15'": "int16" => "int16",
                "[1 << 29, 1 << 30, 1 << 29], dtype='q31'": "int32" => "int32",
            }
        }
    };
}

halfband!(HalfbandDecimator by MakeDecimator: BoxedHalfbandDecimator, 0.25, 1.0);
halfband!(HalfbandInterpolator by MakeInterpolator: BoxedHalfbandInterpolator, 0.5, 0.5);
