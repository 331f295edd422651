//! Functions of slices.

use super::SCALAR;
use crate::inputs::{real, unit, unit_complex};
use crate::report::Report;
use crate::shapes::{N, some};
use core::fmt::Result;
use core::hint::black_box;
use passband_kernels::math;

pub(super) fn run(report: &mut Report) -> Result {
    of_one(report)?;
    of_several(report)?;
    with_arguments(report)?;
    values(report)?;
    Ok(())
}

/// Functions of one slice.
fn of_one(report: &mut Report) -> Result {
    let positive = unit().map(f32::abs);
    macro_rules! functions {
        ($($name:literal: $x:expr, $function:ident;)*) => {$(
            let x = $x;
            report.function(concat!("math.", $name), N, |out| math::$function(SCALAR, some(&x), out))?;
        )*};
    }
    functions! {
        "conj complex64": unit_complex(), conj_with;
        "cos float32": turns(), cos_with;
        "exp float32": unit(), exp_with;
        "log float32": positive, log_with;
        "magnitude float32": unit(), magnitude_with;
        "magnitude complex64": unit_complex(), magnitude_with;
        "magnitude_squared float32": unit(), magnitude_squared_with;
        "magnitude_squared complex64": unit_complex(), magnitude_squared_with;
        "phase complex64": unit_complex(), phase_with;
        "sin float32": turns(), sin_with;
        "sqrt float32": positive, sqrt_with;
    }
    sincos(report, "math.sincos float32", &turns())?;
    sincos(report, "math.sincos float32, thousands of turns", &real())
}

/// Phases of several turns.
fn turns() -> [f32; N] {
    unit().map(|x| 10.0 * x)
}

fn sincos(report: &mut Report, name: &str, x: &[f32; N]) -> Result {
    let mut sines = [0.0; N];
    report.function(name, N, |out| math::sincos_with(SCALAR, some(x), &mut sines, out))?;
    report.samples(&sines)
}

/// Functions of two slices or three.
fn of_several(report: &mut Report) -> Result {
    macro_rules! functions {
        ($($name:literal: $x:expr, $function:ident;)*) => {$(
            let (a, mut b) = ($x, $x);
            b.reverse();
            report.function(concat!("math.", $name), N, |out| {
                math::$function(SCALAR, some(&a), some(&b), out)
            })?;
        )*};
    }
    functions! {
        "add float32": unit(), add_with;
        "add complex64": unit_complex(), add_with;
        "mul float32": unit(), mul_with;
        "mul complex64": unit_complex(), mul_with;
        "sub float32": unit(), sub_with;
        "sub complex64": unit_complex(), sub_with;
    }
    let (acc, a, b) = (unit(), unit_complex(), real());
    report.function("math.mac float32", N, |out| {
        math::mac_with(SCALAR, some(&acc), some(&acc), some(&b), out)
    })?;
    report.function("math.mac complex64", N, |out| math::mac_with(SCALAR, some(&a), some(&a), some(&a), out))
}

/// Functions of a slice and of numbers.
fn with_arguments(report: &mut Report) -> Result {
    let (low, high) = black_box((-0.5, 0.25));
    report
        .function("math.clamp float32", N, |out| math::clamp_with(SCALAR, some(&unit()), low, high, out))?;
    report.function("math.scale float32", N, |out| math::scale_with(SCALAR, some(&unit()), low, out))?;
    report.function("math.scale complex64", N, |out| {
        math::scale_with(SCALAR, some(&unit_complex()), low, out)
    })?;
    let full_scale = black_box(2.0);
    report.function("math.amplitude_to_db float32", N, |out| {
        math::amplitude_to_db_with(SCALAR, some(&unit()), full_scale, out)
    })?;
    report.function("math.amplitude_to_db complex64", N, |out| {
        math::amplitude_to_db_with(SCALAR, some(&unit_complex()), full_scale, out)
    })?;
    report.function("math.power_to_db float32", N, |out| {
        math::power_to_db_with(SCALAR, some(&unit()), full_scale, out)
    })?;
    let period = black_box(1.5);
    report.function("math.unwrap float32", N, |out| math::unwrap_with(SCALAR, some(&unit()), period, out))
}

/// Functions that give a number.
fn values(report: &mut Report) -> Result {
    let (x, z) = (unit(), unit_complex());
    let (mut past, mut before) = (x, z);
    past.reverse();
    before.reverse();
    report.value("math.dot float32", N, || math::dot_with(SCALAR, some(&x), some(&past)))?;
    report.value("math.dot complex64", N, || math::dot_with(SCALAR, some(&z), some(&before)))?;
    report.value("math.vdot float32", N, || math::vdot_with(SCALAR, some(&x), some(&past)))?;
    report.value("math.vdot complex64", N, || math::vdot_with(SCALAR, some(&z), some(&before)))?;
    report.value("math.mean float32", N, || math::mean_with(SCALAR, some(&x)))?;
    report.value("math.mean complex64", N, || math::mean_with(SCALAR, some(&z)))?;
    report.value("math.rms float32", N, || math::rms_with(SCALAR, some(&x)))?;
    report.value("math.rms complex64", N, || math::rms_with(SCALAR, some(&z)))?;
    let ddof = black_box(1);
    report.value("math.std_dev float32", N, || math::std_dev_with(SCALAR, some(&x), ddof))?;
    report.value("math.std_dev complex64", N, || math::std_dev_with(SCALAR, some(&z), ddof))?;
    report.value("math.variance float32", N, || math::variance_with(SCALAR, some(&x), ddof))?;
    report.value("math.variance complex64", N, || math::variance_with(SCALAR, some(&z), ddof))?;
    report.value("math.max float32", N, || math::max_with(SCALAR, some(&x)).unwrap_or_default())?;
    report.value("math.min float32", N, || math::min_with(SCALAR, some(&x)).unwrap_or_default())?;
    let place = |place: Option<usize>| place.map_or(-1, |place| place as i32);
    report.value("math.argmax float32", N, || place(math::argmax_with(SCALAR, some(&x))))?;
    report.value("math.argmin float32", N, || place(math::argmin_with(SCALAR, some(&x))))
}
