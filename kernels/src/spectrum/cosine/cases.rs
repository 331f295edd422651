//! What conformance, fuzzing and benches need to know of the windows that are sums of cosines.

use super::{Window, blackman, blackman_harris, flattop, hamming, hann};
use crate::testing::{About, Case, window};
use core::f64::consts::TAU;
use std::format;
use std::vec;
use std::vec::Vec;

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = vec![];
    for sym in [true, false] {
        cases.extend([
            case("hann", "Hann window", sym, hann::<f32>, &HANN),
            case("hann", "Hann window", sym, hann::<f64>, &HANN),
            case("hamming", "Hamming window", sym, hamming::<f32>, &HAMMING),
            case("hamming", "Hamming window", sym, hamming::<f64>, &HAMMING),
            case("blackman", "Blackman window", sym, blackman::<f32>, &BLACKMAN),
            case("blackman", "Blackman window", sym, blackman::<f64>, &BLACKMAN),
            case("blackman_harris", "Blackman-Harris window", sym, blackman_harris::<f32>, &HARRIS),
            case("blackman_harris", "Blackman-Harris window", sym, blackman_harris::<f64>, &HARRIS),
            case("flattop", "flat-top window", sym, flattop::<f32>, &FLATTOP),
            case("flattop", "flat-top window", sym, flattop::<f64>, &FLATTOP),
        ]);
    }
    cases
}

/// The cosines of a window, as published, and its bounds: the error and the signal to error.
struct Cosines {
    amplitudes: &'static [f64],
    single: [f64; 2],
    double: [f64; 2],
}

const HANN: Cosines = Cosines { amplitudes: &[0.5, 0.5], single: [3e-8, 150.0], double: [4e-16, 316.0] };
const HAMMING: Cosines = Cosines { amplitudes: &[0.54, 0.46], single: [3e-8, 150.0], double: [4e-16, 316.0] };
const BLACKMAN: Cosines =
    Cosines { amplitudes: &[0.42, 0.5, 0.08], single: [3e-8, 150.0], double: [5e-16, 314.0] };
const HARRIS: Cosines = Cosines {
    amplitudes: &[0.358_75, 0.488_29, 0.141_28, 0.011_68],
    single: [3e-8, 150.0],
    double: [5e-16, 310.0],
};
const FLATTOP: Cosines = Cosines {
    amplitudes: &[0.215_578_95, 0.416_631_58, 0.277_263_158, 0.083_578_947, 0.006_947_368],
    single: [5e-8, 150.0],
    double: [6e-16, 310.0],
};

fn case<T: Window>(
    kernel: &'static str,
    summary: &'static str,
    sym: bool,
    fill: fn(&mut [T], bool),
    cosines: &'static Cosines,
) -> Case {
    let [max_error, snr_db] = if size_of::<T>() == 4 { cosines.single } else { cosines.double };
    let about = About {
        family: "spectrum",
        kernel,
        summary,
        variant: format!("{}, {}", T::NAME, if sym { "symmetric" } else { "periodic" }),
        max_error,
        snr_db,
        flops: 30.0,
        bytes: size_of::<T>() as f64,
        benched: sym == (size_of::<T>() == 4),
    };
    let reference = move |len: usize| match len {
        1 => vec![1.0],
        _ => (0..len).map(|n| sum(cosines.amplitudes, n, len - usize::from(sym))).collect(),
    };
    window(about, move |w: &mut [T]| fill(w, sym), reference)
}

/// `sum (-1)^k a[k] cos(2 pi k n / period)`, each cosine from the sine around its zero.
fn sum(amplitudes: &[f64], n: usize, period: usize) -> f64 {
    let term = |(k, amplitude): (usize, &f64)| {
        let turn = k * n % period;
        let from_zero = period as f64 / 4.0 - turn.min(period - turn) as f64;
        let cosine = (TAU * from_zero / period as f64).sin();
        if k % 2 == 0 { amplitude * cosine } else { -amplitude * cosine }
    };
    amplitudes.iter().enumerate().map(term).sum()
}
