//! The filter of a resampler by any ratio: a windowed sine cardinal, as polynomials of time.

use crate::resample::cardinal::{Cardinal, Stopband};
use crate::sample::Float;

/// Taps, coefficients of a polynomial and polynomials between two inputs, at a ratio of at least 1.
///
/// What `pieces` polynomials of `points` coefficients are off by, `(pi / pieces)^points` over 125,
/// 2238 or 47806, is below the stop-band by far, with as few coefficients as leave the table in a
/// first cache.
const fn lengths(stopband: Stopband) -> (usize, usize, usize) {
    match stopband {
        Stopband::Db60 => (48, 3, 28),
        Stopband::Db100 => (80, 4, 12),
        Stopband::Db140 => (96, 5, 11),
    }
}

/// Taps whose coefficients of one power lie side by side: whole vectors of every type.
pub(super) const BLOCK: usize = 16;

/// How the filter of a resampler is laid out.
///
/// The response between two inputs is cut into pieces, for each of which each tap is a polynomial
/// of the time from the start of the piece to its end, 0 to 1. Pieces lie one after the other; each
/// holds its taps in blocks, reversed, and each block its coefficients power by power from 0 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    pub(super) taps: usize,
    pub(super) pieces: usize,
    /// Coefficients of a polynomial.
    pub(super) points: usize,
}

impl Grid {
    /// Below a ratio of 1 the filter is stretched, and takes fewer pieces.
    pub(super) const fn of(stopband: Stopband, ratio: f64) -> Self {
        let narrow = if ratio < 1.0 { ratio } else { 1.0 };
        let (taps, points, pieces) = lengths(stopband);
        let length = taps as f64 / narrow;
        let taps = if length as usize as f64 == length { length as usize } else { length as usize + 1 };
        let pieces = (pieces as f64 * narrow) as usize + 1;
        Self { taps: taps.next_multiple_of(BLOCK), pieces, points }
    }

    /// Values of all pieces.
    pub(super) const fn len(self) -> usize {
        self.taps * self.pieces * self.points
    }

    /// Fills the pieces for outputs at `ratio` times the input's rate.
    pub(super) fn fill<T: Float<Double = f64>>(self, table: &mut [T], stopband: Stopband, ratio: f64) {
        let response = Cardinal::low_pass(self.taps as f64, stopband, ratio);
        match self.points {
            3 => self.fill_with::<T, 3>(table, &response),
            4 => self.fill_with::<T, 4>(table, &response),
            _ => self.fill_with::<T, 5>(table, &response),
        }
    }

    fn fill_with<T: Float<Double = f64>, const POINTS: usize>(self, table: &mut [T], response: &Cardinal) {
        // The window begins and ends with a jump, which polynomials take from inside.
        let last = (self.taps as f64).next_down();
        let nodes = nodes::<POINTS>();
        // No taps at all would be a panic that firmware can reach.
        let taps = self.taps.max(1);
        for (index, block) in table.chunks_exact_mut(POINTS * BLOCK).enumerate() {
            let (piece, first) = (index * BLOCK / taps, index * BLOCK % taps);
            let (block, _) = block.as_chunks_mut::<BLOCK>();
            for lane in 0..BLOCK {
                let tap = taps - 1 - first - lane;
                let at = |node: f64| {
                    let time = tap as f64 + (piece as f64 + node) / self.pieces as f64;
                    response.at(time.max(f64::MIN_POSITIVE).min(last))
                };
                let powers = powers(nodes, nodes.map(at));
                block.iter_mut().zip(powers).for_each(|(values, power)| values[lane] = T::from_double(power));
            }
        }
    }
}

/// Where the polynomial of a piece meets the response: the zeros of a Chebyshev polynomial, spread
/// so that the outer ones are at both ends of the piece.
fn nodes<const POINTS: usize>() -> [f64; POINTS] {
    let angle = core::f64::consts::PI / (2 * POINTS) as f64;
    core::array::from_fn(|k| (1.0 - libm::cos((2 * k + 1) as f64 * angle) / libm::cos(angle)) / 2.0)
}

/// The coefficients, from power 0 on, of the polynomial through these values; Newton's divided
/// differences, multiplied out.
fn powers<const POINTS: usize>(nodes: [f64; POINTS], mut values: [f64; POINTS]) -> [f64; POINTS] {
    for order in 1..POINTS {
        for k in (order..POINTS).rev() {
            values[k] = (values[k] - values[k - 1]) / (nodes[k] - nodes[k - order]);
        }
    }
    for node in (0..POINTS - 1).rev() {
        for k in node..POINTS - 1 {
            values[k] -= nodes[node] * values[k + 1];
        }
    }
    values
}
