//! Second-order sections, alone and for two channels.

#[cfg(not(target_os = "none"))]
use super::SCALAR;
use super::{N, blockwise, config, signal, some, some_mut};
use crate::report::Report;
use core::fmt::{Result, Write};
use core::hint::black_box;
use passband_kernels::FixedChannels;
use passband_kernels::filter::{FixedSos, Section, SosConfig};
use passband_kernels::sample::{FixedPoint, Q15, Q31};
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

/// The same as codes, of which a half is 1.
macro_rules! codes {
    ($name:ident: $q:ident) => {
        const $name: [[$q; 6]; 3] = {
            let (mut codes, mut k) = ([[$q(0); 6]; 3], 0);
            while k < 18 {
                let one = (1u64 << ($q::BITS - 1)) as f32;
                codes[k / 6][k % 6] = $q((SOS[k / 6][k % 6] * one) as _);
                k += 1;
            }
            codes
        };
    };
}
codes!(SHORT: Q15);
codes!(LONG: Q31);

type ShortSections = SosConfig<[Section<Q15>; 3]>;
config!(SHORT_SECTIONS: ShortSections = match ShortSections::fixed(SHORT) {
    Ok(config) => config,
    Err(_) => panic!("the arguments make no sense"),
}, ShortSections::with_level(SHORT.map(|row| Section::<Q15>::new(row).expect("a half")), SCALAR));
type LongSections = SosConfig<[Section<Q31>; 3]>;
config!(LONG_SECTIONS: LongSections = match LongSections::fixed(LONG) {
    Ok(config) => config,
    Err(_) => panic!("the arguments make no sense"),
}, LongSections::with_level(LONG.map(|row| Section::<Q31>::new(row).expect("a half")), SCALAR));

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
    report.floats(y)?;

    let mut y = [Q15(0); N];
    let mut short = FixedSos::<Q15, 3>::fixed(black_box(&SHORT_SECTIONS));
    blockwise(report, "sos_q15", &mut short, &signal(Q15), &mut y)?;
    report.integers(y.map(|y| y.0.into()))?;

    let mut y = [Q31(0); N];
    let mut long = FixedSos::<Q31, 3>::fixed(black_box(&LONG_SECTIONS));
    blockwise(report, "sos_q31", &mut long, &signal(|code| Q31(i32::from(code) << 16)), &mut y)?;
    report.integers(y.map(|y| y.0))
}
