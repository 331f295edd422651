//! Windows.

use crate::report::Report;
use crate::shapes::N;
use core::fmt::{Error, Result};
use core::hint::black_box;
use passband_kernels::spectrum::{blackman, blackman_harris, flattop, hamming, hann, kaiser};

pub(super) fn run(report: &mut Report) -> Result {
    cosine(report)?;
    kaiser_window(report)?;
    Ok(())
}

type Window = fn(&mut [f32], bool);

fn cosine(report: &mut Report) -> Result {
    let windows: [(&str, Window); 5] = [
        ("spectrum.blackman float32", blackman),
        ("spectrum.blackman_harris float32", blackman_harris),
        ("spectrum.flattop float32", flattop),
        ("spectrum.hamming float32", hamming),
        ("spectrum.hann float32", hann),
    ];
    for (name, window) in windows {
        report.function(name, N, |out| {
            window(out.get_mut(..N).unwrap_or_default(), black_box(true));
            N
        })?;
    }
    Ok(())
}

fn kaiser_window(report: &mut Report) -> Result {
    let (beta, sym) = black_box((8.6, false));
    let mut valid = Err(Error);
    report.function::<f32>("spectrum.kaiser float32", N, |out| {
        valid = kaiser(out.get_mut(..N).unwrap_or_default(), beta, sym).map_err(|_| Error);
        N
    })?;
    valid
}
