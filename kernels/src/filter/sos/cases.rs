//! What conformance, fuzzing and benches need to know of [`Sos`](super::Sos).

use super::{BoxedSos, Recursive, Section};
use crate::sample::{FixedPoint, Q15, Q31, Sample};
use crate::testing::{About, Case, EXACT, Random, cascade, cascade_exactly, float_bounds, in_place};
use core::f64::consts::PI;
use num_complex::Complex;
use std::format;
use std::vec::Vec;

/// Filters: their sections and their cut-off in cycles per sample, the last one with poles close to
/// the unit circle. Each with its bounds: the error of real and of complex samples in ulps of 1, and
/// the signal to error of `f32`.
const FILTERS: [(usize, f64, Bounds); 5] = [
    (1, 0.1, Bounds { real: 1.2, complex: 1.3, snr_db: 139.0 }),
    (2, 0.1, Bounds { real: 2.2, complex: 2.2, snr_db: 136.0 }),
    (4, 0.1, Bounds { real: 3.0, complex: 3.0, snr_db: 133.0 }),
    (7, 0.1, Bounds { real: 4.5, complex: 4.5, snr_db: 128.0 }),
    (4, 0.005, Bounds { real: 15.0, complex: 22.0, snr_db: 98.0 }),
];

#[derive(Clone, Copy)]
struct Bounds {
    real: f64,
    complex: f64,
    snr_db: f64,
}

pub(crate) fn cases() -> Vec<Case> {
    let cases = |(sections, cutoff, bounds)| {
        [
            case::<f32>(sections, cutoff, bounds),
            case::<f64>(sections, cutoff, bounds),
            case::<Complex<f32>>(sections, cutoff, bounds),
            case::<Complex<f64>>(sections, cutoff, bounds),
        ]
    };
    let fixed = [
        fixed("1 section", || butterworth::<Q15>(1, 0.1)),
        fixed("4 sections", || butterworth::<Q15>(4, 0.1)),
        fixed("3 sections, loud", loud::<Q15>),
        fixed("1 section", || butterworth::<Q31>(1, 0.1)),
        fixed("4 sections", || butterworth::<Q31>(4, 0.1)),
        fixed("3 sections, loud", loud::<Q31>),
    ];
    FILTERS.into_iter().flat_map(cases).chain(fixed).collect()
}

/// A coefficient type that tests can design for.
pub trait Designed: Sized {
    /// The section with these coefficients, rounded.
    fn section(row: [f64; 6]) -> Section<Self>;
}

macro_rules! designed {
    ($($t:ident)*) => {$(
        impl Designed for $t {
            fn section(row: [f64; 6]) -> Section<$t> {
                Section::<$t>::new(row.map(|c| c as $t)).expect("finite coefficients")
            }
        }
    )*};
}
designed!(f32 f64);

macro_rules! scaled {
    ($($q:ident)*) => {$(
        impl Designed for $q {
            fn section(row: [f64; 6]) -> Section<$q> {
                Section::<$q>::new(row.map(|c| $q::from_f64(c / 4.0))).expect("an a0 of a quarter")
            }
        }
    )*};
}
scaled!(Q15 Q31);

/// Sections whose coefficients are as large as codes can be, so that outputs saturate all the time.
fn loud<Q: Designed>() -> Vec<Section<Q>> {
    [[-4.0, 3.9, 3.9, 1.0, -4.0, 3.9], [3.9, -4.0, 0.0, 1.0, -1.0, 0.5], [-4.0, -4.0, -4.0, 1.0, 0.0, -4.0]]
        .map(Q::section)
        .into()
}

/// A Butterworth low-pass by the bilinear transform, cut off at so many cycles per sample.
#[must_use]
pub fn butterworth<T: Designed>(sections: usize, cutoff: f64) -> Vec<Section<T>> {
    let w = (PI * cutoff).tan();
    let section = |k: usize| {
        let damping = 2.0 * (PI * (2 * k + 1) as f64 / (4 * sections) as f64).cos();
        let scale = 1.0 / (1.0 + damping * w + w * w);
        let b = w * w * scale;
        T::section([b, 2.0 * b, b, 1.0, 2.0 * (w * w - 1.0) * scale, (1.0 - damping * w + w * w) * scale])
    };
    (0..sections).rev().map(section).collect()
}

/// The coefficients of sections as they were rounded.
#[must_use]
pub fn rows<T: Sample>(sections: &[Section<T>]) -> Vec<[f64; 6]> {
    sections.iter().map(|section| section.row.map(|c| c.parts()[0])).collect()
}

fn case<X>(sections: usize, cutoff: f64, bounds: Bounds) -> Case
where
    X: Recursive<Component: Designed> + Random,
{
    let ulps = if X::COMPONENTS == 2 { bounds.complex } else { bounds.real };
    let (max_error, snr_db) = float_bounds::<X>(2.0 * ulps, bounds.snr_db);
    let design = move || butterworth::<X::Component>(sections, cutoff);
    let about = About {
        family: "filter",
        kernel: "Sos",
        summary: "recursive filter of second-order sections",
        variant: format!("{}, {sections} sections, cut-off {cutoff}", X::NAME),
        max_error,
        snr_db,
        flops: (9 * sections * X::COMPONENTS) as f64,
        bytes: (2 * size_of::<X>()) as f64,
        benched: sections == 4 && cutoff == 0.1,
    };
    in_place(
        about,
        move |level| BoxedSos::<X>::with_level(&design(), level).expect("sections"),
        move |x: &[X]| cascade(&rows(&design()), x),
    )
}

fn fixed<Q>(name: &str, design: fn() -> Vec<Section<Q>>) -> Case
where
    Q: Recursive<Component = Q> + FixedPoint + Random,
{
    let (max_error, snr_db) = EXACT;
    let sections = design().len();
    let about = About {
        family: "filter",
        kernel: "Sos",
        summary: "recursive filter of second-order sections",
        variant: format!("{}, {name}", Q::NAME),
        max_error,
        snr_db,
        flops: (12 * sections) as f64,
        bytes: (2 * size_of::<Q>()) as f64,
        benched: sections == 4,
    };
    in_place(
        about,
        move |level| BoxedSos::<Q>::with_level(&design(), level).expect("sections"),
        move |x: &[Q]| cascade_exactly(&rows(&design()), x),
    )
}
