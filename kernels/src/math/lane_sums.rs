//! Sums of long streams in single precision that do not depend on how the stream is cut.

pub(crate) const LANES: usize = 16;

/// Sixteen compensated sums (Kahan) of numbers that are not negative; sample `n` belongs to lane
/// `n mod 16`.
///
/// The same order of additions whether samples come one by one or in blocks. A compensation is
/// folded into the next addition, so that a sum neither stagnates nor drifts: the relative error
/// stays below 2^-24 for a billion samples.
///
/// W. Kahan, *Further remarks on reducing truncation errors*, Comm. ACM 8 (1965).
#[derive(Clone, Debug)]
pub(crate) struct LaneSums {
    pub(crate) sums: [f32; LANES],
    /// By how much each sum is too large.
    pub(crate) excess: [f32; LANES],
}

impl LaneSums {
    pub(crate) const ZERO: Self = Self { sums: [0.0; LANES], excess: [0.0; LANES] };

    /// Adds sample `index` of a stream.
    #[inline(always)]
    pub(crate) fn add(&mut self, index: u64, x: f32) {
        let lane = index as usize % LANES;
        add(&mut self.sums[lane], &mut self.excess[lane], x);
    }

    /// Adds sixteen samples, the first of which has an index divisible by sixteen.
    #[inline(always)]
    pub(crate) fn add_block(&mut self, block: &[f32; LANES]) {
        for ((sum, excess), x) in self.sums.iter_mut().zip(&mut self.excess).zip(block) {
            add(sum, excess, *x);
        }
    }

    /// The sum over all lanes.
    pub(crate) fn total(&self) -> f64 {
        self.sums.iter().zip(&self.excess).map(|(sum, excess)| f64::from(*sum) - f64::from(*excess)).sum()
    }
}

#[inline(always)]
fn add(sum: &mut f32, excess: &mut f32, x: f32) {
    let corrected = x - *excess;
    let next = *sum + corrected;
    // An infinite sum has no rest that could be compensated.
    *excess = if next < f32::INFINITY { (next - *sum) - corrected } else { 0.0 };
    *sum = next;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_beyond_2_to_the_24_neither_stagnates_nor_drifts() {
        let (mut sums, block) = (LaneSums::ZERO, [0.1; LANES]);
        let n = if cfg!(miri) { 100 } else { 40_000_000 };
        (0..n).for_each(|_| sums.add_block(&block));
        let exact = f64::from(0.1f32) * f64::from(n) * LANES as f64;
        let error = (sums.total() / exact - 1.0).abs();
        std::println!("lane sums: {error:.2e}");
        assert!(error < 2e-8);
    }

    #[test]
    fn infinity_stays_infinity_and_nan_becomes_nan() {
        let total = |x: &[f32]| {
            let mut sums = LaneSums::ZERO;
            for x in x {
                sums.add(0, *x);
            }
            sums.total()
        };
        assert_eq!(total(&[1.0, f32::INFINITY, 2.0, 3.0]), f64::INFINITY);
        assert_eq!(total(&[f32::MAX, f32::MAX, 1.0]), f64::INFINITY);
        assert!(total(&[1.0, f32::NAN, 2.0]).is_nan());
        assert!(total(&[f32::INFINITY, f32::NAN, 2.0]).is_nan());
    }
}
