//! The shapes of kernels: what a call takes, what it gives, and what it promises.
//!
//! One law holds for every kernel behind these traits:
//!
//! > A kernel never allocates, never panics, never writes outside `out`, and never loses a
//! > sample. It does as much as its slices allow and says how much it did.
//!
//! **Capacity.** A kernel sees `out.len()` and stops there. `max_out(n)` sizes buffers and does
//! nothing else.
//!
//! **Split invariance.** Feeding `a ++ b` in one call or in two gives the same bits on the same
//! [`SimdLevel`](crate::SimdLevel), for every split, including lengths 0 and 1. All NaNs count
//! as equal, since Rust leaves their bits open.
//!
//! **Ends.** A kernel that holds results back has `flush`; when everything has been emitted its
//! state equals that after `reset`.

use crate::sample::Sample;
use crate::state::Snapshot;
use core::fmt;

/// How far a call that may stop early has come.
#[must_use = "a call may stop before the end of its input"]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Inputs taken into the state; feed the rest again.
    pub consumed: usize,
    /// Outputs written at the start of `out`.
    pub produced: usize,
}

/// A constructor was given an argument that makes no sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The name of the argument.
    pub argument: &'static str,
    /// What the argument has to be.
    pub expected: &'static str,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}", self.argument, self.expected)
    }
}

impl core::error::Error for ConfigError {}

/// Access to a config that a kernel owns or borrows, so that one config serves many states.
///
/// A config gives itself; `&'static Config` from flash works the same, as does `Arc<Config>`.
pub trait Configured {
    /// The config behind this handle.
    type Config;
    /// Borrows the config.
    fn config(&self) -> &Self::Config;
}

impl<C: Configured> Configured for &C {
    type Config = C::Config;
    fn config(&self) -> &Self::Config {
        (*self).config()
    }
}

#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
impl<C: Configured> Configured for alloc::sync::Arc<C> {
    type Config = C::Config;
    fn config(&self) -> &Self::Config {
        (**self).config()
    }
}

/// Whatever has state: it can be put back to the state after construction, saved and loaded.
pub trait Kernel: Snapshot {
    /// Puts the state back to that of a new object; the config stays.
    fn reset(&mut self);
}

/// One output per input.
pub trait Blockwise: Kernel {
    /// The type of an input sample.
    type Input: Sample;
    /// The type of an output sample.
    type Output: Sample;

    /// Filters as many samples as both slices hold and returns how many that were.
    fn steps(&mut self, x: &[Self::Input], out: &mut [Self::Output]) -> usize;

    /// Filters one sample; the same bits as [`steps`](Self::steps) of one.
    fn step(&mut self, x: Self::Input) -> Self::Output {
        let mut out = [Self::Output::ZERO];
        self.steps(&[x], &mut out);
        out[0]
    }
}

/// A blockwise kernel that may overwrite its input.
pub trait InPlace: Blockwise {
    /// Replaces each sample by its output; the same bits as [`Blockwise::steps`].
    fn steps_in_place(&mut self, io: &mut [Self::Input]);
}

/// [`Blockwise::steps`] of a kernel that works in place: a copy of `x`, block by block, so that each
/// is still in a cache when it is filtered.
pub(crate) fn steps_over_copy<K>(kernel: &mut K, x: &[K::Input], out: &mut [K::Input]) -> usize
where
    K: InPlace + Blockwise<Output = <K as Blockwise>::Input>,
{
    const BLOCK: usize = 2048;
    for (x, out) in x.chunks(BLOCK).zip(out.chunks_mut(BLOCK)) {
        let mut n = 0;
        for (y, x) in out.iter_mut().zip(x) {
            *y = *x;
            n += 1;
        }
        kernel.steps_in_place(out.get_mut(..n).unwrap_or_default());
    }
    x.len().min(out.len())
}

/// One output per pair of inputs.
pub trait TwoInput: Kernel {
    /// The type of a sample of the first input.
    type Input: Sample;
    /// The type of a sample of the second input.
    type Second: Sample;
    /// The type of an output sample.
    type Output: Sample;

    /// Takes as many pairs as all three slices hold and returns how many that were.
    fn steps(&mut self, x: &[Self::Input], d: &[Self::Second], out: &mut [Self::Output]) -> usize;

    /// Takes one pair; the same bits as [`steps`](Self::steps) of one.
    fn step(&mut self, x: Self::Input, d: Self::Second) -> Self::Output {
        let mut out = [Self::Output::ZERO];
        self.steps(&[x], &[d], &mut out);
        out[0]
    }
}

/// Two outputs per input, which advance together.
pub trait TwoOutput: Kernel {
    /// The type of an input sample.
    type Input: Sample;
    /// The type of a sample of the first output.
    type First: Sample;
    /// The type of a sample of the second output.
    type Second: Sample;

    /// Takes as many samples as all three slices hold and returns how many that were.
    fn steps(&mut self, x: &[Self::Input], out: (&mut [Self::First], &mut [Self::Second])) -> usize;

    /// Takes one sample; the same bits as [`steps`](Self::steps) of one.
    fn step(&mut self, x: Self::Input) -> (Self::First, Self::Second) {
        let (mut first, mut second) = ([Self::First::ZERO], [Self::Second::ZERO]);
        self.steps(&[x], (&mut first, &mut second));
        (first[0], second[0])
    }
}

/// Frames of a fixed length in, frames of a fixed length out; no frame depends on another.
pub trait Batch: Kernel {
    /// The type of an input sample.
    type Input: Sample;
    /// The type of an output sample.
    type Output: Sample;

    /// Samples of an input frame, at least 1.
    fn frame_in(&self) -> usize;

    /// Samples of an output frame, at least 1.
    fn frame_out(&self) -> usize;

    /// Takes as many whole frames, one after the other, as both slices hold and returns how many
    /// frames that were.
    fn batch(&mut self, frames: &[Self::Input], out: &mut [Self::Output]) -> usize;
}

/// One config and a state per channel: several streams that advance together.
///
/// Channel `c` gives the same bits as an object of one channel.
pub trait MultiChannel: Kernel {
    /// The type of an input sample.
    type Input: Sample;
    /// The type of an output sample.
    type Output: Sample;

    /// The number of channels, at least 1.
    fn channels(&self) -> usize;

    /// Takes one sample of each channel after the other, `x[n * channels + c]`, as many whole sets
    /// as both slices hold, and returns how many that were.
    fn steps_interleaved(&mut self, x: &[Self::Input], out: &mut [Self::Output]) -> usize;

    /// Takes one channel after the other, `x[c * len + n]` with `len = x.len() / channels`, in `out`
    /// likewise; the shorter length of both from each channel's start, which it returns.
    fn steps_planar(&mut self, x: &[Self::Input], out: &mut [Self::Output]) -> usize;
}

/// Outputs from nothing but state.
pub trait Generator: Kernel {
    /// The type of an output sample.
    type Output: Sample;

    /// Fills `out` with the next samples.
    fn generate(&mut self, out: &mut [Self::Output]);

    /// Gives the next sample; the same bits as [`generate`](Self::generate) of one.
    fn step(&mut self) -> Self::Output {
        let mut out = [Self::Output::ZERO];
        self.generate(&mut out);
        out[0]
    }
}

/// Outputs at another rate than inputs.
pub trait VariableLength {
    /// The type of an input sample.
    type Input: Sample;
    /// The type of an output sample.
    type Output: Sample;

    /// Takes inputs until the next output has no room.
    ///
    /// An input is consumed once it is in the state. Outputs that the state still owes come
    /// first in the next call, even with an empty `x`. `out.len() >= 1` always makes progress;
    /// `out.len() >= max_out(x.len())` consumes everything and leaves nothing owed.
    fn execute(&mut self, x: &[Self::Input], out: &mut [Self::Output]) -> Progress;

    /// The most outputs that a call with `n_in` inputs can give from the current state.
    fn max_out(&self, n_in: usize) -> usize;

    /// The number of inputs that a call is sure to consume when `out` has room for `n_out`.
    fn max_in(&self, n_out: usize) -> usize;
}

/// A variable-length kernel that holds samples back, to be had at the end of the stream.
pub trait Buffered: VariableLength + Kernel {
    /// Ends the stream: emits what is still held, then resets.
    ///
    /// Without room for everything the rest stays for the next call.
    fn flush(&mut self, out: &mut [Self::Output]) -> Progress;

    /// The number of outputs that [`flush`](Self::flush) would give now.
    fn max_flush(&self) -> usize;
}

/// Inputs that end in the state, from which a value can be had at any time.
pub trait Sink: Kernel {
    /// The type of an input sample.
    type Input: Sample;
    /// What is known of the stream so far.
    type Value: Sample;

    /// Takes all of `x`.
    fn push(&mut self, x: &[Self::Input]);

    /// The value over everything since the start of the stream; changes nothing.
    fn value(&self) -> Self::Value;
}

/// One record of one block of samples; no block depends on another.
pub trait Measure: Kernel {
    /// The type of an input sample.
    type Input: Sample;
    /// What is measured.
    type Record: Record;

    /// Measures a block.
    fn measure(&mut self, x: &[Self::Input]) -> Self::Record;
}

/// A kernel whose state is a window of samples that others may look at.
pub trait Windowed: Kernel {
    /// The type of a sample in the window.
    type Sample: Sample;

    /// The window, oldest sample first. Its address and length stay the same for the life of the
    /// kernel's storage.
    fn window(&self) -> &[Self::Sample];
}

/// Records out of a stream of samples.
pub trait Detector: Kernel {
    /// The type of an input sample.
    type Input: Sample;
    /// What is found; its indices count samples since the start of the stream.
    type Record: Record;

    /// Takes inputs until the next record has no room.
    fn detect(&mut self, x: &[Self::Input], out: &mut [Self::Record]) -> Progress;

    /// The most records that a call with `n_in` inputs can give from the current state.
    fn max_out(&self, n_in: usize) -> usize;

    /// Ends the stream: emits what is still open, then resets.
    ///
    /// Without room for everything the rest stays for the next call.
    fn flush(&mut self, out: &mut [Self::Record]) -> Progress;

    /// The number of records that [`flush`](Self::flush) would give now.
    fn max_flush(&self) -> usize;
}

/// A result row: plain data without padding bytes.
pub trait Record: bytemuck::Pod + Default + fmt::Debug + PartialEq + Send + Sync {
    /// The fields in the order of their offsets.
    const FIELDS: &'static [Field];
}

/// One column of a [`Record`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name of the column.
    pub name: &'static str,
    /// The array interface's name of its type: `i8`, `f4`.
    pub format: &'static str,
    /// Bytes from the start of the record.
    pub offset: usize,
}
