//! Sine cardinals under a Kaiser window: filters between samples, in continuous time.

use crate::spectrum::kaiser;
use core::f64::consts::PI;

/// How far what a windowed sine cardinal gets wrong is below the signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopband {
    /// 60 dB
    Db60,
    /// 100 dB
    Db100,
    /// 140 dB, which takes samples in double precision to see
    Db140,
}

impl Stopband {
    /// The attenuation in decibels.
    #[must_use]
    pub const fn decibels(self) -> u32 {
        match self {
            Self::Db60 => 60,
            Self::Db100 => 100,
            Self::Db140 => 140,
        }
    }

    /// The length in samples of a filter of all frequencies to 0.45 of the rate: 48, 80 or 112.
    #[must_use]
    pub const fn taps(self) -> usize {
        match self {
            Self::Db60 => 48,
            Self::Db100 => 80,
            Self::Db140 => 112,
        }
    }
}

/// An impulse response in continuous time, in samples.
pub(crate) struct Cardinal {
    length: f64,
    /// The middle of the transition, in cycles per sample.
    cutoff: f64,
    beta: f64,
    peak: f64,
}

impl Cardinal {
    /// A low-pass that is flat to 0.4 of the rate, or of `ratio` times it, and down by the stop-band
    /// from 0.5 of it on.
    pub(super) fn low_pass(length: f64, stopband: Stopband, ratio: f64) -> Self {
        Self::new(length, f64::from(stopband.decibels()) + 5.0, 0.45 * ratio.min(1.0))
    }

    /// All frequencies, right but for a transition below half of the rate.
    pub(crate) fn full_band(stopband: Stopband) -> Self {
        Self::new(stopband.taps() as f64, f64::from(stopband.decibels()) + 6.0, 0.5)
    }

    /// Kaiser's formula is asked for somewhat more decibels than are promised.
    fn new(length: f64, decibels: f64, cutoff: f64) -> Self {
        let beta = 0.1102 * (decibels - 8.7);
        Self { length, cutoff, beta, peak: kaiser::scaled_i0(beta) }
    }

    pub(crate) fn at(&self, time: f64) -> f64 {
        if time <= 0.0 || time >= self.length {
            return 0.0;
        }
        let turns = 2.0 * self.cutoff * (time - self.length / 2.0);
        let cardinal = if turns == 0.0 { 1.0 } else { libm::sin(PI * turns) / (PI * turns) };
        2.0 * self.cutoff * cardinal * kaiser::at(time, self.length, self.beta, self.peak)
    }
}
