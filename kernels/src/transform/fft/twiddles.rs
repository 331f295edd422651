//! The factors of a transform, in the order in which its passes read them.

use crate::math::unit_circle::unit_circle;

/// The radix of the first pass; shorter frames are one butterfly.
pub(super) const FIRST: usize = 16;

/// Component `index` of the table for `n` samples, a power of two.
///
/// With `R` the radix of the first pass, the table is a matrix of `R` rows by `n / R` roots of unity,
/// each row the real parts and then the imaginary ones. Row `k` has the factors of the first pass,
/// `e^(-j 2 pi k p / n)`. Row 0, which would be ones, has those of the later passes, `e^(-j 2 pi R p /
/// n)`.
pub(super) const fn twiddle(index: usize, n: usize) -> f64 {
    let radix = if n < FIRST { n } else { FIRST };
    let columns = n / radix;
    let (row, part, p) = (index / (2 * columns), index / columns % 2, index % columns);
    let turn = if row == 0 { radix * p } else { row * p };
    let [cos, sin] = unit_circle(turn as u64, n as u64);
    if part == 0 { cos } else { -sin }
}

/// `[cos, sin]` of `2 pi i k / 16`: between the two halves of the first pass.
pub(super) const SIXTEENTHS: [[[f64; 2]; 4]; 4] = {
    let (mut table, mut i) = ([[[0.0; 2]; 4]; 4], 0);
    while i < 16 {
        table[i / 4][i % 4] = unit_circle((i / 4 * (i % 4)) as u64, 16);
        i += 1;
    }
    table
};
