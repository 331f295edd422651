//! Long sums in double precision that do not depend on the level.

/// Numbers added side by side; number `n` of a stream belongs to lane `n mod 16`.
pub(crate) const LANES: usize = 16;
/// Additions to a lane before it goes into the compensated total.
pub(crate) const ROWS: usize = 64;

/// Sums with what rounding took from them (A. Neumaier, *Rundungsfehleranalyse einiger Verfahren zur
/// Summation endlicher Summen*, ZAMM 54 (1974); the branch-free form is D. Knuth's).
pub(crate) struct Total {
    sums: [f64; LANES],
    lost: [f64; LANES],
}

impl Total {
    pub(crate) const ZERO: Self = Self { sums: [0.0; LANES], lost: [0.0; LANES] };

    #[inline(always)]
    pub(crate) fn add(&mut self, block: &[f64; LANES]) {
        for ((sum, lost), x) in self.sums.iter_mut().zip(&mut self.lost).zip(block) {
            let next = *sum + *x;
            let added = next - *sum;
            *lost += (*sum - (next - added)) + (*x - added);
            *sum = next;
        }
    }

    /// The totals of the even and of the odd lanes.
    #[inline(always)]
    pub(crate) fn halves(&self) -> [f64; 2] {
        let (mut totals, lanes) = ([0.0; 2], self.sums.iter().zip(&self.lost));
        for (lane, (sum, lost)) in lanes.enumerate() {
            // An infinite sum has lost nothing that is a number.
            totals[lane % 2] += if lost.is_nan() { *sum } else { sum + lost };
        }
        totals
    }
}
