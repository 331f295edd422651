//! Loops, in which one rounding apart would show in all that follows.

use crate::inputs::{complex, real};
use crate::report::Report;
use crate::shapes::made;
use core::fmt::Result;
use core::hint::black_box;
use passband_kernels::Complex;
use passband_kernels::sync::{Pll, SymbolSync};

pub(super) fn run(report: &mut Report) -> Result {
    pll(report)?;
    symbol_sync(report)?;
    Ok(())
}

fn pll(report: &mut Report) -> Result {
    let (freq, loop_bandwidth, damping) = black_box((0.01, 0.02, 0.7));
    let mut pll = made(Pll::new(freq, loop_bandwidth, damping))?;
    report.two_output("sync.Pll complex64", &mut pll, &complex())?;
    report.numbers([pll.freq(), pll.phase()])
}

fn symbol_sync(report: &mut Report) -> Result {
    let (samples_per_symbol, loop_bandwidth, damping) = black_box((5.3, 0.02, 0.7));
    let mut sync = made(SymbolSync::<f32>::new(samples_per_symbol, loop_bandwidth, damping))?;
    report.variable_length("sync.SymbolSync float32", &mut sync, &real())?;
    report.numbers([sync.period()])?;
    let mut sync = made(SymbolSync::<Complex<f32>>::new(samples_per_symbol, loop_bandwidth, damping))?;
    report.variable_length("sync.SymbolSync complex64", &mut sync, &complex())
}
