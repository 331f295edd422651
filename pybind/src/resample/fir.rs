//! FIR filters between two rates whose ratio is that of whole numbers.

use super::{Delayed, INPUTS, WITH_FIXED_POINT, filter_class};
use crate::marshal::{Erased, Rate, WithTaps};
use passband_kernels::resample::{BoxedFirDecimator, BoxedRationalResampler, Decimate, Resample};
use passband_kernels::sample::Sample;
use passband_kernels::shape::ConfigError;

struct MakeDecimator {
    factor: usize,
    phase: usize,
}

impl MakeDecimator {
    fn of<X: Decimate<H>, H: Sample>(&self, taps: &[H]) -> Result<Delayed, ConfigError> {
        let kernel = BoxedFirDecimator::<X, H>::new(taps, self.factor, self.phase)?;
        let delay = kernel.config().group_delay();
        Ok((Rate(kernel).boxed(), delay))
    }
}

impl WithTaps for MakeDecimator {
    const INPUTS: &'static [&'static str] = WITH_FIXED_POINT;
    type Made = Delayed;

    fn make<X: Decimate<H>, H: Sample>(self, taps: &[H]) -> Result<Delayed, ConfigError> {
        self.of::<X, H>(taps)
    }

    fn make_fixed<Q: Decimate<Q>>(self, taps: &[Q]) -> Result<Delayed, ConfigError> {
        self.of::<Q, Q>(taps)
    }
}

filter_class! {
    FirDecimator(taps, factor, *, phase=0, dtype=None) = (factor: ratio, phase: whole)
        => (MakeDecimator { factor, phase }, 1.0 / factor as f64);
    examples {
        "[0.5, 0.25, -0.125], 3": "float64" => "float64",
        "[0.5, 0.25, -0.125], 1": "float64" => "float64",
        "[0.5, 0.25, -0.125], 2, phase=1, dtype='float32'": "float32" => "float32",
        "[0.5, 0.25, -0.125], 7, dtype='complex64'": "complex64" => "complex64",
        "[0.5, 0.25, -0.125], 2, dtype='complex128'": "complex128" => "complex128",
        "[0.5, 0.25j], 2, dtype='float32'": "float32" => "complex64",
        "[0.5, 0.25j], 2, dtype='float64'": "float64" => "complex128",
        "[0.5, 0.25j], 2, dtype='complex64'": "complex64" => "complex64",
        "[0.5, 0.25j], 2": "complex128" => "complex128",
        "[64, 32, -16], 3, dtype='q7'": "int8" => "int8",
        "[16384, 8192, -4096], 2, phase=1, dtype='q15'": "int16" => "int16",
        "[1 << 30, 1 << 29, -(1 << 28)], 3, dtype='q31'": "int32" => "int32",
    }
}

struct MakeInterpolator {
    factor: usize,
}

impl WithTaps for MakeInterpolator {
    const INPUTS: &'static [&'static str] = INPUTS;
    type Made = Delayed;

    fn make<X: Resample<H>, H: Sample>(self, taps: &[H]) -> Result<Delayed, ConfigError> {
        let kernel = BoxedRationalResampler::<X, H>::interpolator(taps, self.factor)?;
        let delay = kernel.config().group_delay();
        Ok((Rate(kernel).boxed(), delay))
    }
}

filter_class! {
    FirInterpolator(taps, factor, *, dtype=None) = (factor: ratio) => (MakeInterpolator { factor }, 1.0);
    examples {
        "[0.5, 1.0, 0.5], 2": "float64" => "float64",
        "[0.5, 1.0, 0.25, 2.0, -1.0], 3, dtype='float32'": "float32" => "float32",
        "[1.0, 0.25], 5, dtype='complex64'": "complex64" => "complex64",
        "[0.5, 0.25, 0.125], 2, dtype='complex128'": "complex128" => "complex128",
        "[0.5, 0.25j], 2, dtype='float32'": "float32" => "complex64",
        "[0.5, 0.25j], 1, dtype='float64'": "float64" => "complex128",
        "[0.5, 0.25j, 1.0], 2, dtype='complex64'": "complex64" => "complex64",
        "[0.5, 0.25j, 1.0], 2": "complex128" => "complex128",
    }
}

struct MakeResampler {
    up: usize,
    down: usize,
    phase: usize,
}

impl WithTaps for MakeResampler {
    const INPUTS: &'static [&'static str] = INPUTS;
    type Made = Delayed;

    fn make<X: Resample<H>, H: Sample>(self, taps: &[H]) -> Result<Delayed, ConfigError> {
        let kernel = BoxedRationalResampler::<X, H>::new(taps, self.up, self.down, self.phase)?;
        let delay = kernel.config().group_delay();
        Ok((Rate(kernel).boxed(), delay))
    }
}

filter_class! {
    RationalResampler(taps, up, down, *, phase=0, dtype=None) = (up: ratio, down: ratio, phase: whole)
        => (MakeResampler { up, down, phase }, 1.0 / down as f64);
    examples {
        "[0.5, 1.0, 0.5], 2, 3": "float64" => "float64",
        "[0.5, 1.0, 0.25, 2.0, -1.0], 3, 2, phase=1, dtype='float32'": "float32" => "float32",
        "[1.0, 0.25], 5, 7, dtype='complex64'": "complex64" => "complex64",
        "[0.5, 0.25, 0.125], 4, 6, phase=5, dtype='complex128'": "complex128" => "complex128",
        "[0.5, 0.25j], 2, 1, dtype='float32'": "float32" => "complex64",
        "[0.5, 0.25j], 1, 3, dtype='float64'": "float64" => "complex128",
        "[0.5, 0.25j, 1.0], 2, 5, dtype='complex64'": "complex64" => "complex64",
        "[0.5, 0.25j, 1.0], 5, 2": "complex128" => "complex128",
    }
}
