//! Second-order sections, alone and for two channels.

#[cfg(not(target_os = "none"))]
use super::SCALAR;
use super::{N, blockwise, config, some, some_mut};
use crate::report::Report;
use core::fmt::{Result, Write};
use core::hint::black_box;
use passband_kernels::FixedChannels;
use passband_kernels::filter::{FixedSos, Section, SosConfig};
use passband_kernels::shape::MultiChannel;

/// A low-pass, a resonance and a first-order high-pass.
const SOS: [[f32; 6]; 3] = [
    [0.0625, 0.125, 0.0625, 1.0, -1.25, 0.5],
    [0.75, 0.0, -0.5, 1.0, -1.5, 0.875],
    [1.0, -1.0, 0.0, 1.0, -0.96875, 0.0],
];

type Sections = SosConfig<[Section<f32>; 3]>;
config!(SECTIONS: Sections = match Sections::fixed(SOS) {
    Ok(config) => config,
    Err(_) => panic!("the arguments make no sense"),
}, Sections::with_level(SOS.map(|row| Section::<f32>::new(row).expect("the rows of the board")), SCALAR));

pub(super) fn run(report: &mut Report<impl Write, impl FnMut() -> u32>, real: &[f32; N]) -> Result {
    let mut y = [0.0; N];
    let sos = FixedSos::<f32, 3>::fixed(black_box(&SECTIONS));
    blockwise(report, "sos", &mut sos.clone(), real, &mut y)?;
    report.floats(y)?;

    let mut stereo = FixedChannels::<_, 2, 64>::fixed(sos);
    report.case("sos_interleaved", N, || {
        stereo.steps_interleaved(some(real), some_mut(&mut y));
    })?;
    report.floats(y)?;
    report.case("sos_planar", N, || {
        stereo.steps_planar(some(real), some_mut(&mut y));
    })?;
    report.floats(y)
}
