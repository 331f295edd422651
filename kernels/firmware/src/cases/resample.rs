//! Changes of rate.

use super::{FLOATS, N, TAPS, config, execute};
use crate::report::Report;
use core::fmt::{Result, Write};
use core::hint::black_box;
use passband_kernels::resample::{FixedRationalResampler, RationalResamplerConfig};

type Config = RationalResamplerConfig<f32, [f32; TAPS]>;
config!(INTERPOLATOR: Config = match Config::fixed(FLOATS, 2, 1, 0) {
    Ok(config) => config,
    Err(_) => panic!("the arguments make no sense"),
}, Config::with_level(FLOATS, 2, 1, 0, super::SCALAR));
config!(RESAMPLER: Config = match Config::fixed(FLOATS, 3, 4, 1) {
    Ok(config) => config,
    Err(_) => panic!("the arguments make no sense"),
}, Config::with_level(FLOATS, 3, 4, 1, super::SCALAR));

pub(super) fn run(report: &mut Report<impl Write, impl FnMut() -> u32>, real: &[f32; N]) -> Result {
    for (name, config) in [("fir_interpolator", &INTERPOLATOR), ("rational_resampler", &RESAMPLER)] {
        let mut y = [0.0; 2 * N];
        if let Ok(mut kernel) = FixedRationalResampler::<f32, f32, TAPS, 32>::fixed(black_box(config)) {
            execute(report, name, &mut kernel, real, &mut y)?;
        }
        report.floats(y.into_iter().step_by(5))?;
    }
    Ok(())
}
