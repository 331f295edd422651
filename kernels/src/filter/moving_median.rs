//! The median of the last samples.

#[cfg(feature = "testing")]
mod cases;
mod heaps;
#[cfg(test)]
mod tests;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use crate::sample::Float;
#[cfg(feature = "alloc")]
use crate::shape::ConfigError;
use crate::shape::{Blockwise, InPlace, Kernel, steps_over_copy};
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
use core::marker::PhantomData;
use heaps::{NAN, Node, from_key, key, key_of, middle, replace, start};

/// A moving median, `y[n] = median(x[n], x[n - 1], .. x[n - length + 1])`.
///
/// Samples before the start are zero. Of an even number it is the mean of both in the middle. The
/// window lies in two heaps, of the lower and of the upper half, in which each new sample takes the
/// place of the oldest. `S` stores `length` nodes of 16 bytes, `[Node; N]` or `Box<[Node]>`;
/// [`FixedMovingMedian`] and [`BoxedMovingMedian`] name these forms.
///
/// * **Accuracy**: exact, the mean of two rounded once. The same bits at every level and on every target.
/// * **NaN** makes the median of every window that holds it NaN, and leaves after `length` samples.
///   Infinities are the largest and smallest of numbers, and -0 lies below 0. Subnormals are numbers as
///   any other.
/// * **Delay**: [`group_delay`](Self::group_delay), `(length - 1) / 2` samples, by which monotone signals
///   and steps come later.
/// * **Cost**: at most `3 log2(length)` comparisons and exchanges per sample, fewer the smaller the
///   changes; no allocation after construction.
///
/// W. Härdle and W. Steiger, *Algorithm AS 296: Optimal median smoothing*, Applied Statistics 44 (1995).
///
/// ```
/// use passband_kernels::filter::FixedMovingMedian;
/// use passband_kernels::shape::Blockwise;
///
/// let mut median = FixedMovingMedian::<f32, 3>::fixed();
/// let mut y = [0.0; 5];
/// assert_eq!(median.steps(&[1.0, 2.0, 99.0, 3.0, 4.0], &mut y), 5);
/// assert_eq!(y, [0.0, 1.0, 2.0, 3.0, 4.0]);
/// ```
#[derive(Clone, Debug)]
pub struct MovingMedian<X, S> {
    /// Node `i` has sample `i` of the ring.
    nodes: S,
    /// The oldest sample in the ring.
    oldest: usize,
    /// How many samples of the window are NaN.
    bad: usize,
    sample: PhantomData<X>,
}

/// A [`MovingMedian`] of `N` samples, for firmware.
pub type FixedMovingMedian<X, const N: usize> = MovingMedian<X, [Node; N]>;

/// A [`MovingMedian`] of any number of samples, for hosts.
#[cfg(feature = "alloc")]
pub type BoxedMovingMedian<X> = MovingMedian<X, alloc::boxed::Box<[Node]>>;

impl<X: Float<Double = f64>, const N: usize> FixedMovingMedian<X, N> {
    /// A median over `N` samples.
    #[must_use]
    pub const fn fixed() -> Self {
        const { assert!(N > 0 && N < 1 << 31, "length: expected 1 to 2^31 - 1 samples") };
        let mut nodes = [Node::ZERO; N];
        start(&mut nodes);
        Self { nodes, oldest: 0, bad: 0, sample: PhantomData }
    }
}

#[cfg(feature = "alloc")]
impl<X: Float<Double = f64>> BoxedMovingMedian<X> {
    /// A median over `length` samples.
    ///
    /// # Errors
    /// [`ConfigError`] when `length` is 0 or above 2^31 - 1.
    pub fn new(length: usize) -> Result<Self, ConfigError> {
        if length == 0 || length >= 1 << 31 {
            return Err(ConfigError { argument: "length", expected: "1 to 2^31 - 1 samples" });
        }
        let mut nodes = alloc::vec![Node::ZERO; length].into_boxed_slice();
        start(&mut nodes);
        Ok(Self { nodes, oldest: 0, bad: 0, sample: PhantomData })
    }
}

impl<X: Float<Double = f64>, S: AsRef<[Node]> + AsMut<[Node]>> MovingMedian<X, S> {
    /// The samples that a median is taken of, at least one.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a median is never of nothing")]
    pub fn len(&self) -> usize {
        self.nodes.as_ref().len()
    }

    /// The delay in samples, `(length - 1) / 2`.
    #[must_use]
    pub fn group_delay(&self) -> f64 {
        (self.len() - 1) as f64 / 2.0
    }

    /// Puts a sample in the place of the oldest.
    #[inline(always)]
    fn push(&mut self, x: X) {
        let (new, nodes) = (key_of(x.to_double()), self.nodes.as_mut());
        // There is a node for every place of the ring.
        let old = replace(nodes, self.oldest, new).unwrap_or_default();
        self.bad = self.bad + usize::from(new == NAN) - usize::from(old == NAN);
        self.oldest = if self.oldest + 1 < nodes.len() { self.oldest + 1 } else { 0 };
    }

    /// The median of the window.
    #[inline(always)]
    fn median(&self) -> X {
        let [low, high] = middle(self.nodes.as_ref()).map(from_key);
        X::from_double(if self.bad > 0 { f64::NAN } else { low.midpoint(high) })
    }
}

impl<X: Float<Double = f64>, S: AsRef<[Node]> + AsMut<[Node]>> Snapshot for MovingMedian<X, S> {
    fn kernel_id(&self) -> u32 {
        id::of(id::MOVING_MEDIAN, X::CODE, X::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        hash.u64(self.len() as u64);
    }
    fn payload_len(&self) -> usize {
        self.len() * size_of::<X>()
    }
    /// The window, oldest sample first; heaps of the same window are all the same.
    fn write(&self, to: &mut Writer<'_>) {
        for index in (self.oldest..self.len()).chain(0..self.oldest) {
            let key = key(self.nodes.as_ref(), index).unwrap_or_default();
            to.samples(&[X::from_double(from_key(key))]);
        }
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        // Nothing is missing: the length has been checked.
        for _ in 0..self.len() {
            self.push(from.sample()?);
        }
        Some(())
    }
}

impl<X: Float<Double = f64>, S: AsRef<[Node]> + AsMut<[Node]>> Kernel for MovingMedian<X, S> {
    fn reset(&mut self) {
        start(self.nodes.as_mut());
        (self.oldest, self.bad) = (0, 0);
    }
}

impl<X: Float<Double = f64>, S: AsRef<[Node]> + AsMut<[Node]>> Blockwise for MovingMedian<X, S> {
    type Input = X;
    type Output = X;

    fn steps(&mut self, x: &[X], out: &mut [X]) -> usize {
        steps_over_copy(self, x, out)
    }
}

impl<X: Float<Double = f64>, S: AsRef<[Node]> + AsMut<[Node]>> InPlace for MovingMedian<X, S> {
    fn steps_in_place(&mut self, io: &mut [X]) {
        for io in io {
            self.push(*io);
            *io = self.median();
        }
    }
}
