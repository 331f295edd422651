//! The filter of a resampler by any ratio: a windowed sine cardinal, in rows of samples of it.

use crate::resample::cardinal::{Cardinal, Stopband};
use crate::sample::Float;

/// Rows between two inputs at a ratio of at least 1: the cubic between rows is off by
/// `(pi / rows)^4 / 43` at most, which is below the stop-band.
const fn rows(stopband: Stopband) -> usize {
    match stopband {
        Stopband::Db60 => 16,
        Stopband::Db100 => 32,
        Stopband::Db140 => 80,
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
        let narrow = if ratio < 1.0 { ratio } else { 1.0 };
        let taps = (stopband.taps() as f64 / narrow) as usize;
        Self { taps: taps.next_multiple_of(MULTIPLE), rows: (rows(stopband) as f64 * narrow) as usize + 2 }
    }

    /// Samples of all rows: one before the first and two after the last are for the cubic.
    pub(super) const fn len(self) -> usize {
        self.taps * (self.rows + POINTS - 1)
    }

    /// Fills the rows, each reversed, for outputs at `ratio` times the input's rate.
    pub(super) fn fill<T: Float<Double = f64>>(self, table: &mut [T], stopband: Stopband, ratio: f64) {
        let response = Cardinal::low_pass(self.taps as f64, stopband, ratio);
        for (row, samples) in table.chunks_exact_mut(self.taps.max(1)).enumerate() {
            let part = (row as f64 - 1.0) / self.rows as f64;
            for (tap, sample) in samples.iter_mut().rev().enumerate() {
                *sample = T::from_double(response.at(tap as f64 + part));
            }
        }
    }
}
