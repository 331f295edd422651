//! The mean of the last samples.

#[cfg(feature = "testing")]
mod cases;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use crate::sample::{Float, Sample};
#[cfg(feature = "alloc")]
use crate::shape::ConfigError;
use crate::shape::{Blockwise, InPlace, Kernel, steps_over_copy};
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};

/// A moving average, `y[n] = (x[n] + x[n - 1] + .. + x[n - length + 1]) / length`.
///
/// Samples before the start are zero. Nothing is ever subtracted, so nothing drifts: the stream is
/// cut into blocks of `length` samples, and a window is the end of one block and the start of the
/// next, whose sums are kept. `S` stores `length` sums, `[X::Double; N]` or `Box<[X::Double]>`;
/// [`FixedMovingAverage`] and [`BoxedMovingAverage`] name these forms.
///
/// * **Accuracy**: sums are in double precision, so that `f32` is within 0.51 ulp of the exact mean
///   plus `length * 2e-17` times the mean of `|x|`; `f64` is within `(length / 8 + 12) * 1.2e-16`
///   times that mean. Sums above 1.8e308 overflow. The same bits at every level and on every target.
/// * **NaN and infinity** leave after `length` samples. Subnormals are computed as such.
/// * **Delay**: [`group_delay`](Self::group_delay), `(length - 1) / 2` samples.
/// * **Cost**: four additions and a division per sample whatever the length; the sample that ends a
///   block also waits for the block's sums, `length` additions. A Cortex-M4, whose double precision is
///   software, takes some 700 instructions per sample. No allocation after construction.
///
/// M. van Herk, *A fast algorithm for local minimum and maximum filters on rectangular and octagonal
/// kernels*, Pattern Recognition Letters 13 (1992), for sums in place of extremes.
///
/// ```
/// use passband_kernels::filter::FixedMovingAverage;
/// use passband_kernels::shape::Blockwise;
///
/// let mut mean = FixedMovingAverage::<f32, 3>::fixed();
/// let mut y = [0.0; 4];
/// assert_eq!(mean.steps(&[3.0, 6.0, 9.0, 0.0], &mut y), 4);
/// assert_eq!(y, [1.0, 3.0, 6.0, 5.0]);
/// ```
#[derive(Clone, Debug)]
pub struct MovingAverage<X: Float, S> {
    /// Up to `position` the samples of this block; from there on, sums of the samples of the last
    /// block that come after this place.
    sums: S,
    position: usize,
    /// The sums of this block's whole groups, and of the group that it is in.
    groups: X::Double,
    group: X::Double,
}

/// A [`MovingAverage`] of `N` samples, for firmware.
pub type FixedMovingAverage<X, const N: usize> = MovingAverage<X, [<X as Float>::Double; N]>;

/// A [`MovingAverage`] of any number of samples, for hosts.
#[cfg(feature = "alloc")]
pub type BoxedMovingAverage<X> = MovingAverage<X, alloc::boxed::Box<[<X as Float>::Double]>>;

/// Samples whose sum is taken on its own, so that groups need not wait for each other.
const GROUP: usize = 8;

impl<X: Float, const N: usize> FixedMovingAverage<X, N> {
    /// An average over `N` samples.
    #[must_use]
    pub const fn fixed() -> Self {
        const { assert!(N > 0, "length: expected at least 1 sample") };
        let zero = <X::Double as Sample>::ZERO;
        Self { sums: [zero; N], position: 0, groups: zero, group: zero }
    }
}

#[cfg(feature = "alloc")]
impl<X: Float> BoxedMovingAverage<X> {
    /// An average over `length` samples.
    ///
    /// # Errors
    /// [`ConfigError`] when `length` is 0.
    pub fn new(length: usize) -> Result<Self, ConfigError> {
        if length == 0 {
            return Err(ConfigError { argument: "length", expected: "at least 1 sample" });
        }
        let zero = X::Double::ZERO;
        let sums = alloc::vec![zero; length].into_boxed_slice();
        Ok(Self { sums, position: 0, groups: zero, group: zero })
    }
}

impl<X: Float, S: AsRef<[X::Double]>> MovingAverage<X, S> {
    /// The samples that a mean is taken of, at least one.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "an average is never empty")]
    pub fn len(&self) -> usize {
        self.sums.as_ref().len()
    }

    /// The delay in samples, `(length - 1) / 2`.
    #[must_use]
    pub fn group_delay(&self) -> f64 {
        (self.len() - 1) as f64 / 2.0
    }
}

impl<X: Float, S: AsRef<[X::Double]> + AsMut<[X::Double]>> Snapshot for MovingAverage<X, S> {
    fn kernel_id(&self) -> u32 {
        id::of(id::MOVING_AVERAGE, X::CODE, X::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        hash.u64(self.len() as u64);
    }
    fn payload_len(&self) -> usize {
        8 + size_of_val(self.sums.as_ref())
    }
    fn write(&self, to: &mut Writer<'_>) {
        to.u64(self.position as u64);
        to.samples(self.sums.as_ref());
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        let position = usize::try_from(from.u64()?).ok().filter(|position| *position < self.len())?;
        from.samples(self.sums.as_mut())?;
        self.position = position;
        (self.groups, self.group) = (X::Double::ZERO, X::Double::ZERO);
        for (index, x) in self.sums.as_ref().iter().take(position).enumerate() {
            add::<X>(index, *x, &mut self.groups, &mut self.group);
        }
        Some(())
    }
}

impl<X: Float, S: AsRef<[X::Double]> + AsMut<[X::Double]>> Kernel for MovingAverage<X, S> {
    fn reset(&mut self) {
        self.sums.as_mut().fill(X::Double::ZERO);
        (self.position, self.groups, self.group) = (0, X::Double::ZERO, X::Double::ZERO);
    }
}

impl<X: Float, S: AsRef<[X::Double]> + AsMut<[X::Double]>> Blockwise for MovingAverage<X, S> {
    type Input = X;
    type Output = X;

    fn steps(&mut self, x: &[X], out: &mut [X]) -> usize {
        steps_over_copy(self, x, out)
    }
}

impl<X: Float, S: AsRef<[X::Double]> + AsMut<[X::Double]>> InPlace for MovingAverage<X, S> {
    fn steps_in_place(&mut self, mut io: &mut [X]) {
        let Self { sums, position, groups, group } = self;
        let sums = sums.as_mut();
        let length = sums.len();
        while !io.is_empty() {
            let count = io.len().min(length - *position);
            let Some((now, later)) = io.split_at_mut_checked(count) else { return };
            let Some(sums_now) = sums.get_mut(*position..).and_then(|sums| sums.get_mut(..count)) else {
                return;
            };
            within_block::<X>(length as f64, sums_now, now, *position, groups, group);
            *position += count;
            io = later;
            if *position == length {
                end_block::<X>(sums);
                (*position, *groups, *group) = (0, X::Double::ZERO, X::Double::ZERO);
            }
        }
    }
}

/// Takes samples of one block; the first is sample `position` of the block.
#[inline(always)]
fn within_block<X: Float>(
    length: f64,
    sums: &mut [X::Double],
    io: &mut [X],
    position: usize,
    groups: &mut X::Double,
    group: &mut X::Double,
) {
    let to_grid = (position.wrapping_neg() % GROUP).min(io.len());
    let (Some((io_head, io)), Some((sums_head, sums))) =
        (io.split_at_mut_checked(to_grid), sums.split_at_mut_checked(to_grid))
    else {
        return;
    };
    let mut one_by_one = |sums: &mut [X::Double], io: &mut [X], groups: &mut X::Double, first: usize| {
        for (index, (sum, io)) in sums.iter_mut().zip(io).enumerate() {
            let x = io.to_double();
            // The end of a group moves its sum into that of the groups, as `add` does.
            let start = *groups;
            let within = add::<X>(first + index, x, groups, group);
            *io = X::from_double((within + start + *sum) / length);
            *sum = x;
        }
    };
    one_by_one(sums_head, io_head, groups, position);
    let (sums, sums_tail) = sums.as_chunks_mut::<GROUP>();
    let (io, io_tail) = io.as_chunks_mut::<GROUP>();
    for (sums, io) in sums.iter_mut().zip(io) {
        let mut within = [X::Double::ZERO; GROUP];
        let mut sum = X::Double::ZERO;
        for (within, x) in within.iter_mut().zip(&*io) {
            sum = sum + x.to_double();
            *within = sum;
        }
        for ((io, sum), within) in io.iter_mut().zip(sums).zip(within) {
            let x = io.to_double();
            *io = X::from_double((within + *groups + *sum) / length);
            *sum = x;
        }
        *groups = *groups + sum;
    }
    one_by_one(sums_tail, io_tail, groups, 0);
}

/// Adds sample `index` of a block to the sum of its group, which it returns.
#[inline(always)]
fn add<X: Float>(index: usize, x: X::Double, groups: &mut X::Double, group: &mut X::Double) -> X::Double {
    let sum = *group + x;
    (*groups, *group) =
        if index % GROUP == GROUP - 1 { (*groups + sum, X::Double::ZERO) } else { (*groups, sum) };
    sum
}

/// Replaces each sample of a block by the sum of those after it.
#[inline(always)]
fn end_block<X: Float>(sums: &mut [X::Double]) {
    let mut after = X::Double::ZERO;
    let (rest, groups) = sums.as_rchunks_mut::<GROUP>();
    for group in groups.iter_mut().rev() {
        let mut sum = X::Double::ZERO;
        for sample in group.iter_mut().rev() {
            (sum, *sample) = (sum + *sample, sum + after);
        }
        after = after + sum;
    }
    for sample in rest.iter_mut().rev() {
        (after, *sample) = (after + *sample, after);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::iter;
    use std::vec;
    use std::vec::Vec;

    fn averages<X: Float>(length: usize, x: &[X]) -> Vec<X> {
        let mut y = vec![X::ZERO; x.len()];
        assert_eq!(BoxedMovingAverage::new(length).unwrap().steps(x, &mut y), x.len());
        y
    }

    #[test]
    fn means_of_integers_are_exact_for_every_length() {
        let x: Vec<f64> =
            (0..if cfg!(miri) { 70 } else { 200 }).map(|n| f64::from(n * n % 101 - 50)).collect();
        let up_to = x.iter().scan(0.0, |sum, x| {
            *sum += x;
            Some(*sum)
        });
        let sums: Vec<_> = iter::once(0.0).chain(up_to).collect();
        for length in (1..40).step_by(if cfg!(miri) { 19 } else { 1 }).chain([64, 100, 199, 200, 1000]) {
            for (n, y) in averages(length, &x).into_iter().enumerate() {
                let sum = sums[n + 1] - sums[(n + 1).saturating_sub(length)];
                assert_eq!(y, sum / length as f64, "length {length}, output {n}");
            }
        }
    }

    #[test]
    fn nothing_drifts_after_loud_samples() {
        let (n, loud) = if cfg!(miri) { (400, 150) } else { (5000, 1000) };
        let mut x = vec![0.1f32; n];
        x[..loud].fill(3e37);
        let y = averages(100, &x);
        assert!(y[loud + 100..].iter().all(|y| *y == 0.1));
    }

    #[test]
    fn a_bad_sample_leaves_after_as_many_samples_as_the_average_has() {
        let lengths: &[usize] = if cfg!(miri) { &[1, 9, 30] } else { &[1, 2, 7, 8, 9, 30, 64] };
        for &length in lengths {
            for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                for at in (100..170).step_by(if cfg!(miri) { 70 } else { 1 }) {
                    let mut x = vec![1.0; if cfg!(miri) { at + length + 10 } else { 300 }];
                    x[at] = bad;
                    for (n, y) in averages(length, &x).into_iter().enumerate().skip(length) {
                        assert_eq!(y != 1.0, (at..at + length).contains(&n), "{bad} at {at}, output {n}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_delay_is_half_the_length_and_a_length_of_zero_is_refused() {
        assert_eq!(FixedMovingAverage::<f32, 4>::fixed().group_delay(), 1.5);
        let error = BoxedMovingAverage::<f32>::new(0).map(|_| ()).unwrap_err();
        assert_eq!(error.argument, "length");
    }
}
