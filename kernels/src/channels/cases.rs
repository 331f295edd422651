//! What conformance, fuzzing and benches need to know of [`Channels`](super::Channels).

use super::BoxedChannels;
use crate::SimdLevel;
use crate::filter::sos::{butterworth, rows};
use crate::filter::{Fir, FirConfig, Section, Sos, SosConfig};
use crate::scratch::BoxedState;
use crate::testing::{About, Case, cascade, channels, convolve, signal};
use alloc::sync::Arc;
use num_complex::Complex;
use std::boxed::Box;
use std::string::ToString;
use std::vec;
use std::vec::Vec;

pub(crate) fn cases() -> Vec<Case> {
    vec![sos(), fir()]
}

const SECTIONS: usize = 4;

fn sos() -> Case {
    let about = About {
        family: "filter",
        kernel: "Sos",
        summary: "recursive filter of second-order sections",
        variant: "float32, 4 sections, 3 channels".to_string(),
        max_error: 3.0 * f64::from(f32::EPSILON),
        snr_db: 133.0,
        flops: 9.0 * SECTIONS as f64,
        bytes: 8.0,
        benched: true,
    };
    let design = || butterworth::<f32>(SECTIONS, 0.1);
    let make = move |level| {
        let config = SosConfig::<Box<[Section<f32>]>>::with_level(design().into(), level);
        let states: Box<[_]> = vec![[0.0; 4]; SECTIONS].into();
        let sos = Sos::over(Arc::new(config.expect("sections")), states).expect("a state for each section");
        BoxedChannels::new(sos, 3).expect("channels")
    };
    channels(about, make, move |x: &[f32]| cascade(&rows(&design()), x))
}

const TAPS: usize = 17;

fn fir() -> Case {
    let about = About {
        family: "filter",
        kernel: "Fir",
        summary: "finite impulse response filter",
        variant: "complex64, 17 taps float32, 2 channels".to_string(),
        max_error: 7.5 * f64::from(f32::EPSILON),
        snr_db: 141.0,
        flops: 4.0 * TAPS as f64,
        bytes: 16.0,
        benched: true,
    };
    let taps = || signal::<f32>(7, TAPS);
    let make = move |level: SimdLevel| {
        let config = FirConfig::<Complex<f32>, Box<[f32]>>::with_level(taps().into(), level);
        let fir = Fir::over(Arc::new(config.expect("taps")), BoxedState::new(TAPS - 1));
        BoxedChannels::new(fir.expect("a history of one less"), 2).expect("channels")
    };
    channels(about, make, move |x: &[Complex<f32>]| convolve(&taps(), x, 2))
}
