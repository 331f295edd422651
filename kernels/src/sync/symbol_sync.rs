//! A loop that follows the clock of symbols.

#[cfg(feature = "testing")]
mod cases;
mod clock;
#[cfg(test)]
mod tests;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use crate::sample::Sample;
use crate::shape::{ConfigError, Kernel, Progress, VariableLength};
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
use clock::Clock;
use core::ops::{Add, Mul, Sub};
use num_complex::Complex;

/// A sample type that symbols come in: `f32` and `Complex<f32>`.
pub trait Symbol: Sample + Add<Output = Self> + Sub<Output = Self> + Mul<f32, Output = Self> {
    /// The real part of `self conj other`.
    #[doc(hidden)]
    #[must_use]
    fn dot(self, other: Self) -> f32;
}

impl Symbol for f32 {
    #[inline(always)]
    fn dot(self, other: Self) -> f32 {
        self * other
    }
}

impl Symbol for Complex<f32> {
    #[inline(always)]
    fn dot(self, other: Self) -> f32 {
        self.re * other.re + self.im * other.im
    }
}

/// Symbol timing recovery after Gardner: samples in, one value for each symbol out.
///
/// Between the samples the signal is the cubic through the four nearest (Lagrange, in Farrow's
/// form). With `y[k]` the value at symbol k and `m[k]` that half way before it, the timing error is
///
/// `e[k] = re(m[k] conj (y[k-1] - y[k])) / (|y[k-1]|^2 + |y[k]|^2 + 2 |m[k]|^2)`,
///
/// in `[-1/2, 1/2]` whatever the signal and its level. The next period is
/// `samples_per_symbol (1 + deviation + kp e[k])`, where `deviation` sums `ki e[k]` and is kept within
/// [`MAX_DEVIATION`](Self::MAX_DEVIATION). The gains follow from `loop_bandwidth`, the one-sided noise
/// bandwidth in cycles per symbol, and `damping`.
///
/// The gains take the mean of `e` as the offset in symbols. For random two-level symbols of
/// rectangular pulses through their matched filter, a
/// [`MovingAverage`](crate::filter::MovingAverage) over one symbol, it is 0.9 of that; the loop is
/// narrower by as much.
///
/// * **Accuracy**: symbols are within 4e-7 of the largest of their samples of the cubic at the
///   instant in question; instants are kept in `f64`, so that nothing drifts. The same bits on
///   every target; a loop is serial, so there are no levels.
/// * **NaN and infinity** reach the symbols whose four samples meet them. Errors that they spoil
///   count as 0, as does that of silence: the clock coasts. Squares beyond the range of `f32`
///   (magnitudes above 1e19 or below 1e-19) give the error 0, too.
/// * **Delay**: the first symbol is at the first sample; each comes out two samples after its
///   instant.
/// * **Cost**: some 50 operations per symbol, besides looking at each sample; no allocation.
///
/// F. M. Gardner, *A BPSK/QPSK Timing-Error Detector for Sampled Receivers*, IEEE Trans. Commun. 34
/// (1986); L. Erup, F. M. Gardner and R. A. Harris, *Interpolation in Digital Modems, Part II*, IEEE
/// Trans. Commun. 41 (1993); M. Rice, *Digital Communications: A Discrete-Time Approach*, chapter 8.
///
/// ```
/// use passband_kernels::shape::{Progress, VariableLength};
/// use passband_kernels::sync::SymbolSync;
///
/// let mut sync = SymbolSync::new(4.0, 0.01, 0.7)?;
/// let x = [1.0f32, 0.0, -1.0, 0.0].repeat(5);
/// let mut symbols = [0.0; 6];
/// assert_eq!(sync.execute(&x, &mut symbols), Progress { consumed: 20, produced: 5 });
/// assert_eq!(symbols[..5], [1.0; 5]);
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SymbolSync<X> {
    clock: Clock,
    /// The last four samples, oldest first.
    last: [X; 4],
    /// The last symbol, and the last value half way between two.
    symbol: X,
    middle: X,
}

impl<X: Symbol> SymbolSync<X> {
    /// The largest relative deviation of the mean period from the nominal one.
    pub const MAX_DEVIATION: f64 = clock::MAX_DEVIATION;

    /// A loop for symbols of `samples_per_symbol` samples, any real number.
    ///
    /// # Errors
    /// [`ConfigError`] unless `2 <= samples_per_symbol <= 2^32`, `0 < loop_bandwidth <= 0.5`, and
    /// `damping` is finite and above 0.
    pub const fn new(
        samples_per_symbol: f64,
        loop_bandwidth: f64,
        damping: f64,
    ) -> Result<Self, ConfigError> {
        match Clock::new(samples_per_symbol, loop_bandwidth, damping) {
            Ok(clock) => Ok(Self { clock, last: [X::ZERO; 4], symbol: X::ZERO, middle: X::ZERO }),
            Err(error) => Err(error),
        }
    }

    /// The mean period in samples per symbol, without the correction by the last error.
    #[must_use]
    pub fn period(&self) -> f64 {
        self.clock.period()
    }

    /// Takes samples up to the next instant, and returns how many.
    #[inline(always)]
    fn take(&mut self, x: &[X]) -> usize {
        let count = self.clock.pass(x.len());
        let taken = x.get(..count).unwrap_or(x);
        // Older ones than four are never looked at.
        for x in taken.get(count.saturating_sub(4)..).unwrap_or(taken) {
            let [_, b, c, d] = self.last;
            self.last = [b, c, d, *x];
        }
        count
    }

    /// The value at the instant that is due, which is done with thereby.
    #[inline(always)]
    fn strobe(&mut self) -> X {
        let y = cubic(self.last, self.clock.fraction() as f32);
        if self.clock.at_symbol() {
            let (before, middle) = (self.symbol, self.middle);
            let power = before.dot(before) + y.dot(y) + 2.0 * middle.dot(middle);
            let error = middle.dot(before - y) / power;
            self.clock.correct(if error.is_finite() { error } else { 0.0 });
            self.symbol = y;
        } else {
            self.middle = y;
        }
        self.clock.advance();
        y
    }
}

/// The cubic through `a, b, c, d` at the times -1, 0, 1, 2, at `t`.
#[inline(always)]
fn cubic<X: Symbol>([a, b, c, d]: [X; 4], t: f32) -> X {
    let first = c - a * (1.0 / 3.0) - b * 0.5 - d * (1.0 / 6.0);
    let second = (a + c) * 0.5 - b;
    let third = (d - a) * (1.0 / 6.0) + (b - c) * 0.5;
    ((third * t + second) * t + first) * t + b
}

impl<X: Symbol> Snapshot for SymbolSync<X> {
    fn kernel_id(&self) -> u32 {
        id::of(id::SYMBOL_SYNC, X::CODE, X::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        self.clock.fingerprint(hash);
    }
    fn payload_len(&self) -> usize {
        Clock::PAYLOAD + 6 * size_of::<X>()
    }
    fn write(&self, to: &mut Writer<'_>) {
        self.clock.write(to);
        to.samples(&self.last);
        to.samples(&[self.symbol, self.middle]);
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        let mut clock = self.clock.clone();
        clock.read(from)?;
        let mut samples = [X::ZERO; 6];
        from.samples(&mut samples)?;
        let [a, b, c, d, symbol, middle] = samples;
        *self = Self { clock, last: [a, b, c, d], symbol, middle };
        Some(())
    }
}

impl<X: Symbol> Kernel for SymbolSync<X> {
    fn reset(&mut self) {
        self.clock.reset();
        (self.last, self.symbol, self.middle) = ([X::ZERO; 4], X::ZERO, X::ZERO);
    }
}

impl<X: Symbol> VariableLength for SymbolSync<X> {
    type Input = X;
    type Output = X;

    fn execute(&mut self, mut x: &[X], out: &mut [X]) -> Progress {
        let mut progress = Progress::default();
        let mut out = out.iter_mut();
        loop {
            let count = self.take(x);
            progress.consumed += count;
            x = x.get(count..).unwrap_or(&[]);
            if !self.clock.is_due() {
                return progress;
            }
            if self.clock.at_symbol() {
                let Some(y) = out.next() else { return progress };
                *y = self.strobe();
                progress.produced += 1;
            } else {
                self.strobe();
            }
        }
    }

    /// A bound: that of the shortest periods that errors can make.
    fn max_out(&self, n_in: usize) -> usize {
        self.clock.max_out(n_in)
    }

    fn max_in(&self, n_out: usize) -> usize {
        self.clock.max_in(n_out)
    }
}
