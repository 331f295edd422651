//! Demodulators.

use super::SCALAR;
use crate::inputs::{complex, unit};
use crate::report::Report;
use crate::shapes::made;
use core::fmt::Result;
use core::hint::black_box;
use passband_kernels::demod::{FmDemod, Unwrap};

pub(super) fn run(report: &mut Report) -> Result {
    fm_demod(report)?;
    unwrap(report)?;
    Ok(())
}

fn fm_demod(report: &mut Report) -> Result {
    let mut fm = made(FmDemod::with_level(black_box(0.5), SCALAR))?;
    report.blockwise("demod.FmDemod complex64", &mut fm, &complex())
}

fn unwrap(report: &mut Report) -> Result {
    let mut unwrap = made(Unwrap::<f32>::with_level(black_box(1.5), SCALAR))?;
    report.blockwise("demod.Unwrap float32", &mut unwrap, &unit())
}
