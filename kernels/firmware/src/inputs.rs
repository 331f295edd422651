//! What the cases are fed, and taps.

use crate::shapes::N;
use passband_kernels::Complex;
use passband_kernels::sample::{Q7, Q15, Q31, Sample};

pub(crate) const TAPS: usize = 63;

/// Seeded codes over the whole range of 16 bits, as samples.
pub(crate) fn signal<T: Sample>(sample: impl Fn(i16) -> T) -> [T; N] {
    let mut seed = 1u32;
    core::array::from_fn(|_| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        sample((seed >> 16) as i16)
    })
}

/// Samples as large as codes.
pub(crate) fn real() -> [f32; N] {
    signal(f32::from)
}

pub(crate) fn complex() -> [Complex<f32>; N] {
    signal(|code| Complex::new(f32::from(code), 9999.0))
}

/// Samples from -1 to 1.
pub(crate) fn unit() -> [f32; N] {
    signal(|code| f32::from(code) / 32768.0)
}

pub(crate) fn unit_complex() -> [Complex<f32>; N] {
    signal(|code| Complex::new(f32::from(code) / 32768.0, 0.25))
}

pub(crate) fn q7() -> [Q7; N] {
    signal(|code| Q7((code >> 8) as i8))
}

pub(crate) fn q15() -> [Q15; N] {
    signal(Q15)
}

pub(crate) fn q31() -> [Q31; N] {
    signal(|code| Q31(i32::from(code) << 16))
}

/// A parabola as codes whose sum may exceed 32 bits.
pub(crate) const CODES: [Q15; TAPS] = parabola(1);
/// Codes whose sum cannot.
pub(crate) const QUIET: [Q15; TAPS] = parabola(64);
/// The same in eight bits.
pub(crate) const SHORT: [Q7; TAPS] = {
    let (mut taps, mut k) = ([Q7(0); TAPS], 0);
    while k < TAPS {
        taps[k] = Q7((CODES[k].0 >> 8) as i8);
        k += 1;
    }
    taps
};

const fn parabola(divisor: usize) -> [Q15; TAPS] {
    let (mut taps, mut k) = ([Q15(0); TAPS], 0);
    while k < TAPS {
        taps[k] = Q15((32 * (k + 1) * (TAPS - k) / divisor) as i16);
        k += 1;
    }
    taps
}

/// Codes whose sum fits 64 bits, and codes whose sum may exceed them.
pub(crate) const FINE: [Q31; TAPS] = shifted(8);
pub(crate) const LOUD: [Q31; TAPS] = shifted(16);

const fn shifted(bits: u32) -> [Q31; TAPS] {
    let (mut taps, mut k) = ([Q31(0); TAPS], 0);
    while k < TAPS {
        taps[k] = Q31((CODES[k].0 as i32) << bits);
        k += 1;
    }
    taps
}

pub(crate) const FLOATS: [f32; TAPS] = {
    let (mut taps, mut k) = ([0.0; TAPS], 0);
    while k < TAPS {
        taps[k] = CODES[k].0 as f32 / 32768.0;
        k += 1;
    }
    taps
};

/// Taps of which each has a phase of its own.
pub(crate) const COMPLEX: [Complex<f32>; TAPS] = {
    let (mut taps, mut k) = ([Complex { re: 0.0, im: 0.0 }; TAPS], 0);
    while k < TAPS {
        taps[k] = Complex { re: FLOATS[k], im: FLOATS[TAPS - 1 - k] - FLOATS[k / 2] };
        k += 1;
    }
    taps
};
