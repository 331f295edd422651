//! The mean power of a stream.

use super::power_sum::{LANES, Metered, PowerSums, add, total};
use crate::shape::{Kernel, Sink};
use crate::simd::{Body, Lanes, Lanes16, SimdLevel};
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};

/// The mean of `|x|^2` over everything pushed since the start or the last `reset`.
///
/// The value of nothing is 0. Takes `f32`, `f64` and `Complex` of them.
///
/// * **Accuracy**: squares and sums are in double precision, in sixteen sums that take samples in
///   turn. The relative error of the value is below `(n / 16 + 18) * 1.2e-16` after `n` samples and in
///   practice about the root of that. Powers of `f64` above 1.8e308 are infinite, those below
///   2.2e-308 lose precision. The same bits at every level and on every target.
/// * **NaN and infinity** stay until `reset`. Subnormals are computed as such.
/// * **Cost**: two operations per component; on a Cortex-M4, whose double precision is software, some
///   200 instructions. No allocation.
///
/// ```
/// use num_complex::Complex;
/// use passband_kernels::level::PowerAverager;
/// use passband_kernels::shape::Sink;
///
/// let mut power = PowerAverager::new();
/// power.push(&[Complex::new(3.0f32, 4.0)]);
/// power.push(&[Complex::ZERO]);
/// assert_eq!(power.value(), 12.5);
/// ```
#[derive(Clone, Debug)]
pub struct PowerAverager<X: Metered<Power = f64>> {
    count: u64,
    sums: PowerSums<X>,
    level: SimdLevel,
}

impl<X: Metered<Power = f64>> PowerAverager<X> {
    /// An averager for the best level of this CPU.
    #[must_use]
    pub fn new() -> Self {
        Self::with_level(SimdLevel::best())
    }

    /// An averager for a level.
    #[must_use]
    pub const fn with_level(level: SimdLevel) -> Self {
        Self { count: 0, sums: [0.0; LANES], level }
    }
}

impl<X: Metered<Power = f64>> Default for PowerAverager<X> {
    fn default() -> Self {
        Self::new()
    }
}

impl<X: Metered<Power = f64>> Snapshot for PowerAverager<X> {
    fn kernel_id(&self) -> u32 {
        id::of(id::POWER_AVERAGER, X::CODE, 0)
    }
    fn fingerprint(&self, _: &mut Fingerprint) {
        // There is nothing to construct one with.
    }
    fn payload_len(&self) -> usize {
        8 + size_of_val(&self.sums)
    }
    fn write(&self, to: &mut Writer<'_>) {
        to.u64(self.count);
        to.samples(&self.sums);
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        let (count, mut sums) = (from.count()?, [0.0; LANES]);
        from.samples(&mut sums)?;
        let of_some = |sum: &f64| *sum >= 0.0 || sum.is_nan();
        let possible = if count == 0 { sums == [0.0; LANES] } else { sums.iter().all(of_some) };
        possible.then(|| (self.count, self.sums) = (count, sums))
    }
}

impl<X: Metered<Power = f64>> Kernel for PowerAverager<X> {
    fn reset(&mut self) {
        (self.count, self.sums) = (0, [0.0; LANES]);
    }
}

impl<X: Metered<Power = f64>> Sink for PowerAverager<X> {
    type Input = X;
    type Value = f64;

    fn push(&mut self, x: &[X]) {
        let lane = self.count as usize % LANES;
        self.level.run::<f32, _>(Push { lane, sums: &mut self.sums, x });
        self.count += x.len() as u64;
    }

    fn value(&self) -> f64 {
        if self.count == 0 { 0.0 } else { total::<X>(&self.sums) / self.count as f64 }
    }
}

struct Push<'a, X: Metered> {
    lane: usize,
    sums: &'a mut PowerSums<X>,
    x: &'a [X],
}

impl<X: Metered> Body<f32> for Push<'_, X> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes<f32> + Lanes16>(self, _: S) {
        let Self { lane, sums, x } = self;
        let to_grid = lane.wrapping_neg() % LANES;
        let (head, rest) = x.split_at_checked(to_grid).unwrap_or((x, &[]));
        add(sums.iter_mut().skip(lane), head);
        let (blocks, tail) = rest.as_chunks::<LANES>();
        let mut lanes = *sums;
        for block in blocks {
            add(&mut lanes, block);
        }
        *sums = lanes;
        add(sums, tail);
    }
}

#[cfg(feature = "testing")]
pub(crate) fn cases() -> std::vec::Vec<crate::testing::Case> {
    use num_complex::Complex;
    std::vec![
        case::<f32>(3e-16, 313.0),
        case::<f64>(2e-16, 313.0),
        case::<Complex<f32>>(2e-16, 316.0),
        case::<Complex<f64>>(2e-16, 318.0),
    ]
}

#[cfg(feature = "testing")]
fn case<X: Metered<Power = f64> + crate::testing::Random>(
    max_error: f64,
    snr_db: f64,
) -> crate::testing::Case {
    use crate::testing::{About, convolve, sink};
    let about = About {
        family: "level",
        kernel: "PowerAverager",
        summary: "mean power since the start",
        variant: X::NAME.into(),
        max_error,
        snr_db,
        flops: 2.0 * X::COMPONENTS as f64,
        bytes: size_of::<X>() as f64,
        benched: true,
    };
    // The last output of the components filtered by themselves, reversed.
    let reference = |x: &[X]| {
        let components: std::vec::Vec<f64> = x.iter().flat_map(|x| x.parts()).collect();
        let reversed: std::vec::Vec<f64> = components.iter().rev().copied().collect();
        let power = convolve(&reversed, &components, 1).pop().unwrap_or(0.0);
        std::vec![power / x.len().max(1) as f64]
    };
    sink(about, PowerAverager::<X>::with_level, reference)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_of_nothing_is_zero_and_reset_forgets_nan() {
        let mut power = PowerAverager::<f32>::new();
        assert_eq!(power.value(), 0.0);
        power.push(&[1.0, f32::NAN]);
        power.push(&[1.0; 100]);
        assert!(power.value().is_nan());
        power.reset();
        assert_eq!(power.value(), 0.0);
        power.push(&[2.0; 3]);
        assert_eq!(power.value(), 4.0);
    }

    #[test]
    fn squares_of_single_precision_neither_overflow_nor_vanish() {
        let mut power = PowerAverager::<f32>::new();
        power.push(&[f32::MAX; 40]);
        assert_eq!(power.value(), f64::from(f32::MAX) * f64::from(f32::MAX));
        power.reset();
        let tiny = f32::from_bits(1);
        power.push(&[tiny; 40]);
        assert_eq!(power.value(), f64::from(tiny) * f64::from(tiny));
    }

    #[test]
    fn a_count_that_no_stream_reaches_is_refused() {
        let mut power = PowerAverager::<f32>::new();
        for (count, taken) in [((1 << 62) - 1, true), (1 << 62, false), (u64::MAX, false)] {
            let given = PowerAverager { count, ..PowerAverager::<f32>::new() };
            let mut blob = [0; 256];
            let len = given.save(&mut blob).unwrap();
            assert_eq!(power.load(&blob[..len]).is_ok(), taken, "{count}");
        }
    }
}
