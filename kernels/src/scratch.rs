//! The history of a stream and the one driver that walks kernels over `history ++ x`.
//!
//! Short calls and the start of a block go through a scratch that holds history and inputs side
//! by side; the bulk of a block is read where it lies. Kernels see windows and cannot tell which.

use crate::sample::Sample;
use crate::shape::ConfigError;
use core::ops::Range;

/// Storage for the last inputs of a stream, oldest first, with a scratch to run over them.
pub trait History<T: Sample> {
    /// The history.
    fn samples(&self) -> &[T];

    /// The history to overwrite.
    fn samples_mut(&mut self) -> &mut [T];

    /// Hands `body` every input of `x` once, in order, piece by piece, then takes the end of `x`
    /// into the history.
    ///
    /// `body(window, inputs)` gets the range of inputs that it is to handle; `window` starts
    /// [`samples`](Self::samples)`.len()` samples before the first of them and reaches at least
    /// to the next multiple of [`Sample::MAX_LANES`] inputs, what lies past the range being
    /// arbitrary.
    fn drive(&mut self, x: &[T], body: impl FnMut(&[T], Range<usize>));

    /// Hands `body` the history, with [`Sample::MAX_LANES`] arbitrary samples after it, for outputs
    /// that are still owed.
    fn look(&mut self, body: impl FnOnce(&[T]));
}

/// A history that does not belong to the taps at hand.
pub(crate) const WRONG_LENGTH: ConfigError =
    ConfigError { argument: "state", expected: "a history of one sample less than there are taps" };

/// History in an array, scratch on the stack: for firmware.
///
/// `HISTORY` is the most past samples it can hold, `SCRATCH` the scratch in samples.
#[derive(Clone, Debug)]
pub struct State<T, const HISTORY: usize, const SCRATCH: usize = 256> {
    samples: [T; HISTORY],
    len: usize,
}

/// Scratch of a short call, so that it does not have to zero the usual one.
const SHORT: usize = 64;

impl<T: Sample, const HISTORY: usize, const SCRATCH: usize> State<T, HISTORY, SCRATCH> {
    /// A history of `HISTORY - 1` zeros, what `HISTORY` taps look back on.
    #[must_use]
    pub const fn full() -> Self {
        const {
            assert!(SCRATCH >= HISTORY + T::MAX_LANES, "SCRATCH must hold HISTORY and one vector");
        };
        Self { samples: [T::ZERO; HISTORY], len: HISTORY - 1 }
    }

    /// A history of `len` zeros.
    ///
    /// # Errors
    /// [`ConfigError`] for `taps` when `len` exceeds `HISTORY`.
    pub const fn new(len: usize) -> Result<Self, ConfigError> {
        const {
            assert!(SCRATCH >= HISTORY + T::MAX_LANES, "SCRATCH must hold HISTORY and one vector");
        };
        if len > HISTORY {
            return Err(ConfigError { argument: "taps", expected: "no more samples than HISTORY" });
        }
        Ok(Self { samples: [T::ZERO; HISTORY], len })
    }
}

impl<T: Sample, const HISTORY: usize, const SCRATCH: usize> History<T> for State<T, HISTORY, SCRATCH> {
    fn samples(&self) -> &[T] {
        self.samples.get(..self.len).unwrap_or(&[])
    }

    fn samples_mut(&mut self) -> &mut [T] {
        self.samples.get_mut(..self.len).unwrap_or(&mut [])
    }

    #[inline]
    fn drive(&mut self, x: &[T], body: impl FnMut(&[T], Range<usize>)) {
        if self.len + x.len().next_multiple_of(T::MAX_LANES) <= SHORT {
            drive(self.samples_mut(), &mut [T::ZERO; SHORT], x, body);
        } else {
            drive(self.samples_mut(), &mut [T::ZERO; SCRATCH], x, body);
        }
    }

    #[inline]
    fn look(&mut self, body: impl FnOnce(&[T])) {
        look(self.samples(), &mut [T::ZERO; SCRATCH], body);
    }
}

/// History and scratch in boxes sized at run time: for hosts.
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub struct BoxedState<T> {
    samples: alloc::boxed::Box<[T]>,
    scratch: alloc::boxed::Box<[T]>,
}

#[cfg(feature = "alloc")]
impl<T: Sample> BoxedState<T> {
    /// An empty history of `len` zeros; the scratch holds it and as many inputs, at least 1 KiB.
    #[must_use]
    pub fn new(len: usize) -> Self {
        let block = len.max(1024 / size_of::<T>()).next_multiple_of(T::MAX_LANES);
        let zeros = |n| alloc::vec![T::ZERO; n].into_boxed_slice();
        Self { samples: zeros(len), scratch: zeros(len + block) }
    }
}

#[cfg(feature = "alloc")]
impl<T: Sample> History<T> for BoxedState<T> {
    fn samples(&self) -> &[T] {
        &self.samples
    }

    fn samples_mut(&mut self) -> &mut [T] {
        &mut self.samples
    }

    #[inline]
    fn drive(&mut self, x: &[T], body: impl FnMut(&[T], Range<usize>)) {
        drive(&mut self.samples, &mut self.scratch, x, body);
    }

    #[inline]
    fn look(&mut self, body: impl FnOnce(&[T])) {
        look(&self.samples, &mut self.scratch, body);
    }
}

#[inline]
fn look<T: Sample>(history: &[T], scratch: &mut [T], body: impl FnOnce(&[T])) {
    copy(scratch, history);
    body(scratch.get(..history.len() + T::MAX_LANES).unwrap_or(scratch));
}

#[inline]
fn drive<T: Sample>(history: &mut [T], scratch: &mut [T], x: &[T], mut body: impl FnMut(&[T], Range<usize>)) {
    // No step gives `None`; were one to, outputs would be missing, which conformance detects.
    let _ = pieces(history, scratch, x, &mut body);
    remember(history, x);
}

#[inline]
fn pieces<T: Sample>(
    history: &[T],
    scratch: &mut [T],
    x: &[T],
    body: &mut impl FnMut(&[T], Range<usize>),
) -> Option<()> {
    let (past, n) = (history.len(), x.len());
    let room = scratch.len().checked_sub(past)? / T::MAX_LANES * T::MAX_LANES;
    let mut done = 0;
    while done < n {
        let left = n - done;
        let count = if done >= past && left >= T::MAX_LANES {
            // The window lies in `x` whole.
            let count = left / T::MAX_LANES * T::MAX_LANES;
            body(x.get(done - past..)?.get(..past + count)?, done..done + count);
            count
        } else {
            let junction = past.saturating_sub(done).next_multiple_of(T::MAX_LANES);
            let count = if left <= room || junction == 0 { left } else { junction }.min(room);
            let (older, newer) = scratch.split_at_mut_checked(past.saturating_sub(done))?;
            copy(older, history.get(done.min(past)..)?);
            let first = done.saturating_sub(past);
            let (newer, _) = newer.split_at_mut_checked(done + count - first)?;
            copy(newer, x.get(first..done + count)?);
            body(scratch.get(..past + count.next_multiple_of(T::MAX_LANES))?, done..done + count);
            count
        };
        done += count;
    }
    Some(())
}

/// Moves the window of the past on by `x`.
#[inline]
pub(crate) fn remember<T: Sample>(history: &mut [T], x: &[T]) {
    let past = history.len();
    if let Some(end) = x.len().checked_sub(past).and_then(|first| x.get(first..)) {
        copy(history, end);
    } else {
        shift(history, x.len());
        if let Some(end) = history.get_mut(past - x.len()..) {
            copy(end, x);
        }
    }
}

/// Moves `history[by..]` to its start.
#[inline]
fn shift<T: Copy>(history: &mut [T], by: usize) {
    let cells = core::cell::Cell::from_mut(history).as_slice_of_cells();
    if let Some(from) = cells.get(by..) {
        cells.iter().zip(from).for_each(|(to, from)| to.set(from.get()));
    }
}

#[inline]
fn copy<T: Copy>(to: &mut [T], from: &[T]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
}
