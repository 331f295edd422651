//! Sums of deviations and of their squares, which do not depend on the level.

use crate::math::total::{LANES, ROWS, Total};
use crate::simd::{Body, Lanes, Lanes16};

/// The sum of deviations from a centre, and that of their squares.
pub struct PowerSums<D> {
    pub(super) first: D,
    pub(super) second: f64,
}

/// What is taken off the even and the odd components.
pub(super) struct Centre(pub(super) [f64; 2]);

/// Sums over components, in double precision; component `n` belongs to lane `n mod 16`.
pub(super) struct Sums<'a, T> {
    pub(super) x: &'a [T],
    pub(super) centre: Centre,
}

impl<T: Copy + Into<f64>> Body<f32> for Sums<'_, T> {
    type Output = [[f64; 2]; 2];

    #[inline(always)]
    fn run<S: Lanes<f32> + Lanes16>(self, _: S) -> [[f64; 2]; 2] {
        let Centre([even, odd]) = self.centre;
        let mut centre = [even; LANES];
        centre.iter_mut().skip(1).step_by(2).for_each(|lane| *lane = odd);
        let [mut first, mut second] = [Total::ZERO, Total::ZERO];
        for block in self.x.chunks(ROWS * LANES) {
            let [mut deviations, mut squares] = [[0.0; LANES]; 2];
            let (rows, rest) = block.as_chunks::<LANES>();
            for row in rows {
                for lane in 0..LANES {
                    let deviation = row[lane].into() - centre[lane];
                    deviations[lane] += deviation;
                    squares[lane] += deviation * deviation;
                }
            }
            let lanes = deviations.iter_mut().zip(&mut squares).zip(&centre);
            for (((sum, square), centre), x) in lanes.zip(rest) {
                let deviation = (*x).into() - centre;
                *sum += deviation;
                *square += deviation * deviation;
            }
            first.add(&deviations);
            second.add(&squares);
        }
        [first.halves(), second.halves()]
    }
}
