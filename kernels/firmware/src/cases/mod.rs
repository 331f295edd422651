//! What the board and the host run: every kernel over a seeded input, by family.
//!
//! Arguments and configs pass through `black_box`: no panic is ruled out for these values only.

mod convert;
mod delay;
mod demod;
mod detect;
mod filter;
mod fixed;
mod level;
mod math;
mod resample;
mod source;
mod spectrum;
mod sync;
mod transform;

use crate::report::Report;
use core::fmt::Result;
use passband_kernels::SimdLevel;

const SCALAR: SimdLevel = SimdLevel::SCALAR;

/// A config: on the board laid out at compile time and in flash, on the host for the scalar level.
/// `valid` stands before a constructor on the board that refuses arguments.
macro_rules! config {
    ($name:ident: $config:ty = valid $board:expr, $host:expr) => {
        config!($name: $config = match $board {
            Ok(config) => config,
            Err(_) => panic!("the arguments make no sense"),
        }, $host);
    };
    ($name:ident: $config:ty = $board:expr, $host:expr) => {
        #[cfg(target_os = "none")]
        static $name: $config = $board;
        #[cfg(not(target_os = "none"))]
        static $name: std::sync::LazyLock<$config> =
            std::sync::LazyLock::new(|| $host.expect("the arguments of the board"));
    };
}
use config;

/// Runs and reports every case.
pub(crate) fn run(report: &mut Report) -> Result {
    convert::run(report)?;
    delay::run(report)?;
    demod::run(report)?;
    detect::run(report)?;
    filter::run(report)?;
    fixed::run(report)?;
    level::run(report)?;
    math::run(report)?;
    resample::run(report)?;
    source::run(report)?;
    spectrum::run(report)?;
    sync::run(report)?;
    transform::run(report)?;
    Ok(())
}
