//! Second-order sections, alone and for two channels.

#[cfg(not(target_os = "none"))]
use super::SCALAR;
use super::config;
use crate::inputs::{complex, q15, q31, real};
use crate::report::Report;
use core::fmt::Result;
use core::hint::black_box;
use passband_kernels::filter::{FixedSos, Section, SosConfig};
use passband_kernels::sample::{FixedPoint, Q15, Q31};
use passband_kernels::{Complex, FixedChannels};

/// A low-pass, a resonance and a first-order high-pass.
const SOS: [[f32; 6]; 3] = [
    [0.0625, 0.125, 0.0625, 1.0, -1.25, 0.5],
    [0.75, 0.0, -0.5, 1.0, -1.5, 0.875],
    [1.0, -1.0, 0.0, 1.0, -0.96875, 0.0],
];

type Sections = SosConfig<[Section<f32>; 3]>;
config!(SECTIONS: Sections = valid Sections::fixed(SOS), {
    Sections::with_level(SOS.map(|row| Section::<f32>::new(row).expect("the rows of the board")), SCALAR)
});

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
config!(SHORT_SECTIONS: ShortSections = valid ShortSections::fixed(SHORT), {
    ShortSections::with_level(SHORT.map(|row| Section::<Q15>::new(row).expect("a half")), SCALAR)
});
type LongSections = SosConfig<[Section<Q31>; 3]>;
config!(LONG_SECTIONS: LongSections = valid LongSections::fixed(LONG), {
    LongSections::with_level(LONG.map(|row| Section::<Q31>::new(row).expect("a half")), SCALAR)
});

pub(super) fn run(report: &mut Report) -> Result {
    let mut sos = FixedSos::<f32, 3>::fixed(black_box(&SECTIONS));
    report.blockwise("filter.Sos float32, 3 sections", &mut sos, &real())?;
    report.in_place("filter.Sos float32, in place", &mut sos, &real())?;
    let mut stereo = FixedChannels::<_, 2, 64>::fixed(sos);
    let names = ["filter.Sos float32, interleaved", "filter.Sos float32, planar"];
    report.channels(names, &mut stereo, &real())?;

    let mut sos = FixedSos::<Complex<f32>, 3>::fixed(black_box(&SECTIONS));
    report.blockwise("filter.Sos complex64, 3 sections", &mut sos, &complex())?;
    let mut sos = FixedSos::<Q15, 3>::fixed(black_box(&SHORT_SECTIONS));
    report.blockwise("filter.Sos q15, 3 sections", &mut sos, &q15())?;
    let mut sos = FixedSos::<Q31, 3>::fixed(black_box(&LONG_SECTIONS));
    report.blockwise("filter.Sos q31, 3 sections", &mut sos, &q31())
}
