//! Functions of single samples and of whole slices.

pub(crate) mod add;
pub(crate) mod atan2;
pub(crate) mod clamp;
pub(crate) mod conj;
pub(crate) mod decibel;
pub(crate) mod dot;
pub(crate) mod exp;
pub(crate) mod extremes;
pub(crate) mod lane_sums;
pub(crate) mod log;
pub(crate) mod mac;
pub(crate) mod magnitude;
pub(crate) mod map;
pub(crate) mod moments;
pub(crate) mod mul;
pub(crate) mod phase;
pub(crate) mod polynomial;
pub(crate) mod scale;
pub(crate) mod sqrt;
#[cfg(test)]
mod sweep;
pub(crate) mod total;
pub(crate) mod trig;
pub(crate) mod unit_circle;
pub(crate) mod unwrap;

pub use add::{Add, Sub, add, add_with, sub, sub_with};
pub use clamp::{Clamp, clamp, clamp_with};
pub use conj::{Conj, conj, conj_with};
pub use decibel::{
    AmplitudeToDb, PowerToDb, amplitude_to_db, amplitude_to_db_with, power_to_db, power_to_db_with,
};
pub use dot::{Dot, dot, dot_with, vdot, vdot_with};
pub use exp::{Exp, exp, exp_with};
pub use extremes::{Ordered, argmax, argmax_with, argmin, argmin_with, max, max_with, min, min_with};
pub use log::{Log, log, log_with};
pub use mac::{Mac, mac, mac_with};
pub(crate) use magnitude::NormSquared;
pub use magnitude::{
    Magnitude, MagnitudeSquared, magnitude, magnitude_squared, magnitude_squared_with, magnitude_with,
};
pub use moments::{Averaged, mean, mean_with, rms, rms_with, std_dev, std_dev_with, variance, variance_with};
pub use mul::{Mul, mul, mul_with};
pub use phase::{Phase, phase, phase_with};
pub use scale::{Scale, scale, scale_with};
pub use sqrt::{Sqrt, sqrt, sqrt_with};
pub use trig::{Cos, Sin, SinCos, cos, cos_with, sin, sin_with, sincos, sincos_with};
pub use unwrap::{Wrapped, unwrap, unwrap_with};
