//! The filter of a resampler by any ratio: a windowed sine cardinal, in rows of samples of it.

use crate::sample::Float;
use crate::spectrum::kaiser;
use core::f64::consts::PI;

/// How far images and aliases are below what they come from.
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

    /// Taps at a ratio of at least 1, and rows between two inputs: the cubic between rows is off by
    /// `(pi / rows)^4 / 43` at most, which is below the stop-band.
    const fn size(self) -> (usize, usize) {
        match self {
            Self::Db60 => (48, 16),
            Self::Db100 => (80, 32),
            Self::Db140 => (112, 80),
        }
    }
}

/// Rows that a cubic takes.
pub(super) const POINTS: usize = 4;

/// Whole vectors of every type.
const MULTIPLE: usize = 16;

/// Where the filter of a resampler is sampled: rows of `taps` samples, one input apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    pub(super) taps: usize,
    /// Rows from an input to the next.
    pub(super) rows: usize,
}

impl Grid {
    /// Below a ratio of 1 the filter is stretched, and takes fewer rows.
    pub(super) const fn of(stopband: Stopband, ratio: f64) -> Self {
        let (taps, rows) = stopband.size();
        let narrow = if ratio < 1.0 { ratio } else { 1.0 };
        let taps = (taps as f64 / narrow) as usize;
        Self { taps: taps.next_multiple_of(MULTIPLE), rows: (rows as f64 * narrow) as usize + 2 }
    }

    /// Samples of all rows: one before the first and two after the last are for the cubic.
    pub(super) const fn len(self) -> usize {
        self.taps * (self.rows + POINTS - 1)
    }

    /// Fills the rows, each reversed, for outputs at `ratio` times the input's rate.
    pub(super) fn fill<T: Float<Double = f64>>(self, table: &mut [T], stopband: Stopband, ratio: f64) {
        let prototype = Prototype::new(self.taps as f64, stopband, ratio);
        for (row, samples) in table.chunks_exact_mut(self.taps).enumerate() {
            let part = (row as f64 - 1.0) / self.rows as f64;
            for (tap, sample) in samples.iter_mut().rev().enumerate() {
                *sample = T::from_double(prototype.at(tap as f64 + part));
            }
        }
    }
}

/// The impulse response in continuous time, in input samples.
struct Prototype {
    length: f64,
    /// The middle of the transition, in cycles per input sample.
    cutoff: f64,
    beta: f64,
    peak: f64,
}

impl Prototype {
    fn new(length: f64, stopband: Stopband, ratio: f64) -> Self {
        // Kaiser's formulas, asked for somewhat more than is promised.
        let attenuation = f64::from(stopband.decibels()) + 6.0;
        let beta = 0.1102 * (attenuation - 8.7);
        let transition = (attenuation - 7.95) / (14.36 * length);
        let cutoff = ratio.min(1.0) / 2.0 - transition / 2.0;
        Self { length, cutoff, beta, peak: kaiser::scaled_i0(beta) }
    }

    fn at(&self, time: f64) -> f64 {
        if time <= 0.0 || time >= self.length {
            return 0.0;
        }
        let turns = 2.0 * self.cutoff * (time - self.length / 2.0);
        let cardinal = if turns == 0.0 { 1.0 } else { libm::sin(PI * turns) / (PI * turns) };
        2.0 * self.cutoff * cardinal * kaiser::at(time, self.length, self.beta, self.peak)
    }
}
