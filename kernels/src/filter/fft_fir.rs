//! FIR filters by fast convolution.

mod block;
#[cfg(feature = "testing")]
mod cases;
mod config;

pub use block::FftFilter;
#[cfg(feature = "testing")]
pub(crate) use cases::cases;
pub use config::FftFirConfig;

use super::fir::Taps;
use crate::sample::Sample;
use crate::shape::{Buffered, ConfigError, Configured, Kernel, Progress, VariableLength};
use crate::simd::SimdLevel;
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
use crate::transform::FftTable;
use block::{Block, Layout};
use num_complex::Complex;

/// A finite impulse response filter by fast convolution, `y[n] = sum_k h[k] x[n - k]` with
/// `x[n < 0] = 0`.
///
/// The outputs are those of [`Fir`](super::Fir), at a cost per output that grows with the logarithm
/// of the number of taps; they come in blocks. A block starts at every [`block`](Self::block)th sample
/// since the start of the stream and is computed when its last input has come, so `flush` at the end
/// of a stream gives what is still owed: as many outputs as inputs in all. `C` is an [`FftFirConfig`]
/// or a reference to one, `W` stores a frame; [`FixedFftFir`] and [`BoxedFftFir`] name the usual forms.
///
/// * **Accuracy**: the error is below `0.8 eps |h| |x|`, of which `|h|` is the root of the sum of
///   squares of the taps and `|x|` that of the samples of one block and the taps before it: a loud
///   sample raises the error of its whole block. Subnormal numbers have an error of their own size. No
///   operation is fused, so every level and target gives the same bits.
/// * **NaN and infinity** spread to the outputs whose taps meet them and no further. Their block, and
///   one whose transform overflows, is summed tap by tap instead, which takes `len` products for each
///   output. Subnormals are computed as such, which many processors do slowly.
/// * **Delay**: [`FftFirConfig::group_delay`]; an output is given up to a block later than by `Fir`.
/// * **Cost**: two transforms per block, no allocation; `f32` overtakes `Fir` at about 50 taps without
///   vectors, 110 with SSE2, 200 with AVX2 and 300 with AVX-512. The config takes two frames of complex
///   numbers and the state four.
///
/// A. V. Oppenheim and R. W. Schafer, *Discrete-Time Signal Processing*, 3rd ed., section 8.7.3
/// (overlap-save).
///
/// ```
/// use passband_kernels::filter::FixedFftFir;
/// use passband_kernels::shape::{Buffered, VariableLength};
///
/// let mut fir = FixedFftFir::<f32, f32, 2, 16>::new([0.5, 0.5])?;
/// let mut y = [0.0; 3];
/// assert_eq!(fir.execute(&[1.0, 3.0, 5.0], &mut y).consumed, 3);
/// assert_eq!(fir.flush(&mut y).produced, 3);
/// assert!(y.iter().zip([0.5, 2.0, 4.0]).all(|(y, expected)| (y - expected).abs() < 1e-6));
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FftFir<C, W> {
    config: C,
    block: Block<W>,
    stage: Stage,
}

/// Between two calls: what the block is waiting for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// It has so many inputs, fewer than it takes.
    Filling(usize),
    /// Its outputs from `next` to `end` are owed, of the stream's `last` block or of another.
    Owing { next: usize, end: usize, last: bool },
}

/// An [`FftFir`] of `TAPS` taps that transforms frames of `N` samples in arrays.
pub type FixedFftFir<X, H, const TAPS: usize, const N: usize> = FftFir<
    FftFirConfig<X, [H; TAPS], [Complex<<X as Sample>::Component>; N]>,
    [Complex<<X as Sample>::Component>; N],
>;

/// An [`FftFir`] for any number of taps.
#[cfg(feature = "alloc")]
pub type BoxedFftFir<X, H> = FftFir<
    FftFirConfig<X, alloc::boxed::Box<[H]>, alloc::boxed::Box<[Complex<<X as Sample>::Component>]>>,
    alloc::boxed::Box<[Complex<<X as Sample>::Component>]>,
>;

impl<X, H, const TAPS: usize, const N: usize> FixedFftFir<X, H, TAPS, N>
where
    X: FftFilter<H>,
    H: Sample,
{
    /// A filter in arrays, for the best level of this CPU.
    ///
    /// # Errors
    /// [`ConfigError`] without taps, and for an `N` that is not a power of two from 16 to 2^24, at
    /// least twice the taps.
    pub fn new(taps: [H; TAPS]) -> Result<Self, ConfigError> {
        Self::with_level(taps, SimdLevel::best())
    }

    /// A filter in arrays, for a level.
    ///
    /// # Errors
    /// [`ConfigError`] without taps, and for an `N` that is not a power of two from 16 to 2^24, at
    /// least twice the taps.
    pub fn with_level(taps: [H; TAPS], level: SimdLevel) -> Result<Self, ConfigError> {
        let zeros = [Complex { re: X::Component::ZERO, im: X::Component::ZERO }; N];
        Ok(Self::over(FftFirConfig::with_level(taps, zeros, level)?))
    }
}

#[cfg(feature = "alloc")]
impl<X: FftFilter<H>, H: Sample> BoxedFftFir<X, H> {
    /// A filter with its own copy of `taps`, for the best level of this CPU.
    ///
    /// The frame is the power of two from four times the taps on, at least 64.
    ///
    /// # Errors
    /// [`ConfigError`] without taps or with more than 2^22.
    pub fn new(taps: &[H]) -> Result<Self, ConfigError> {
        Self::with_level(taps, SimdLevel::best())
    }

    /// A filter with its own copy of `taps`, for a level.
    ///
    /// # Errors
    /// [`ConfigError`] without taps or with more than 2^22.
    pub fn with_level(taps: &[H], level: SimdLevel) -> Result<Self, ConfigError> {
        if taps.is_empty() || taps.len() > 1 << 22 {
            return Err(ConfigError { argument: "taps", expected: "1 to 2^22 taps" });
        }
        let n = (4 * taps.len()).next_power_of_two().max(64);
        let zero = Complex { re: X::Component::ZERO, im: X::Component::ZERO };
        let table = alloc::vec![zero; n].into_boxed_slice();
        Ok(Self::over(FftFirConfig::with_level(taps.into(), table, level)?))
    }
}

impl<C, W, X, H> FftFir<C, W>
where
    C: Configured<Config = FftFirConfig<X, H, W>>,
    X: FftFilter<H::Tap>,
    H: Taps,
    W: FftTable<Real = X::Component>,
{
    /// A filter over a config that it owns or borrows, so that one config can serve many filters.
    #[must_use]
    pub fn over(config: C) -> Self {
        let block = Block::new(&config.config().spectrum);
        Self { config, block, stage: Stage::Filling(0) }
    }

    /// The config.
    pub fn config(&self) -> &FftFirConfig<X, H, W> {
        self.config.config()
    }

    /// Inputs of a block: `frame - len + 1`, twice that where samples and taps are real.
    pub fn block(&self) -> usize {
        self.config().layout().inputs()
    }

    /// Computes the outputs of the block.
    fn compute(&mut self) {
        let FftFirConfig { taps, spectrum, fft, .. } = self.config.config();
        let layout = Layout::new(taps.as_ref().len(), fft.len(), X::HOPS);
        self.block.compute::<X, H::Tap>(layout, taps.as_ref(), spectrum.as_ref(), fft);
    }

    /// Emits what is owed; whether that was everything.
    fn emit(&mut self, out: &mut [X::Output], produced: &mut usize) -> bool {
        let layout = self.config().layout();
        let Stage::Owing { next, end, last } = self.stage else { return true };
        let room = out.get_mut(*produced..).unwrap_or_default();
        let count = room.len().min(end - next);
        self.block.take::<X, H::Tap>(layout, next, room.get_mut(..count).unwrap_or_default());
        *produced += count;
        if next + count < end {
            self.stage = Stage::Owing { next: next + count, end, last };
            return false;
        }
        if last {
            self.reset();
        } else {
            self.block.advance::<X, H::Tap>(layout);
            self.stage = Stage::Filling(0);
        }
        true
    }

    /// Outputs owed and inputs waiting.
    fn held(&self) -> (usize, usize) {
        match self.stage {
            Stage::Filling(filled) => (0, filled),
            Stage::Owing { next, end, .. } => (end - next, 0),
        }
    }
}

impl<C, W, X, H> Snapshot for FftFir<C, W>
where
    C: Configured<Config = FftFirConfig<X, H, W>>,
    X: FftFilter<H::Tap>,
    H: Taps,
    W: FftTable<Real = X::Component>,
{
    fn kernel_id(&self) -> u32 {
        id::of(id::FFT_FIR, X::CODE, H::Tap::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        hash.u64(self.config().taps().len() as u64);
        self.config().taps().iter().for_each(|tap| hash.sample(*tap));
        hash.u64(self.config().frame() as u64);
    }
    fn payload_len(&self) -> usize {
        3 * size_of::<u64>() + self.config().layout().samples() * size_of::<X>()
    }
    fn write(&self, to: &mut Writer<'_>) {
        let words = match self.stage {
            Stage::Filling(filled) => [0, filled, 0],
            Stage::Owing { next, end, last } => [1 + usize::from(last), next, end],
        };
        for word in words {
            to.u64(word as u64);
        }
        let layout = self.config().layout();
        for t in 0..layout.samples() {
            to.samples(&[self.block.sample::<X, H::Tap>(layout, t)]);
        }
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        let (layout, inputs) = (self.config().layout(), self.block());
        let mut word = || usize::try_from(from.u64()?).ok();
        let stage = match [word()?, word()?, word()?] {
            [0, filled, 0] if filled < inputs => Stage::Filling(filled),
            [1, next, end] if next < end && end == inputs => Stage::Owing { next, end, last: false },
            [2, next, end] if next < end && end <= inputs => Stage::Owing { next, end, last: true },
            _ => return None,
        };
        for t in 0..layout.samples() {
            self.block.put::<X, H::Tap>(layout, t, &[from.sample()?]);
        }
        self.stage = stage;
        // Outputs that are owed are computed anew: the same bits at every level.
        if let Stage::Owing { .. } = stage {
            self.compute();
        }
        Some(())
    }
}

impl<C, W, X, H> Kernel for FftFir<C, W>
where
    C: Configured<Config = FftFirConfig<X, H, W>>,
    X: FftFilter<H::Tap>,
    H: Taps,
    W: FftTable<Real = X::Component>,
{
    fn reset(&mut self) {
        self.block.clear();
        self.stage = Stage::Filling(0);
    }
}

impl<C, W, X, H> VariableLength for FftFir<C, W>
where
    C: Configured<Config = FftFirConfig<X, H, W>>,
    X: FftFilter<H::Tap>,
    H: Taps,
    W: FftTable<Real = X::Component>,
{
    type Input = X;
    type Output = X::Output;

    fn execute(&mut self, x: &[X], out: &mut [X::Output]) -> Progress {
        let layout = self.config().layout();
        let (mut rest, mut produced) = (x, 0);
        while self.emit(out, &mut produced) {
            let Stage::Filling(filled) = self.stage else { break };
            let count = rest.len().min(layout.inputs() - filled);
            let (head, tail) = rest.split_at_checked(count).unwrap_or((rest, &[]));
            self.block.put::<X, H::Tap>(layout, layout.past() + filled, head);
            rest = tail;
            if filled + count < layout.inputs() {
                self.stage = Stage::Filling(filled + count);
                break;
            }
            self.compute();
            self.stage = Stage::Owing { next: 0, end: layout.inputs(), last: false };
        }
        Progress { consumed: x.len() - rest.len(), produced }
    }

    fn max_out(&self, n_in: usize) -> usize {
        let ((owed, filled), inputs) = (self.held(), self.block());
        let blocks = n_in.saturating_add(filled) / inputs.max(1);
        blocks.saturating_mul(inputs).saturating_add(owed)
    }

    fn max_in(&self, n_out: usize) -> usize {
        let ((owed, filled), inputs) = (self.held(), self.block());
        let Some(room) = n_out.checked_sub(owed) else { return 0 };
        // The block that has no room for its outputs is filled, too.
        (room / inputs.max(1)).saturating_add(1).saturating_mul(inputs) - filled
    }
}

impl<C, W, X, H> Buffered for FftFir<C, W>
where
    C: Configured<Config = FftFirConfig<X, H, W>>,
    X: FftFilter<H::Tap>,
    H: Taps,
    W: FftTable<Real = X::Component>,
{
    fn flush(&mut self, out: &mut [X::Output]) -> Progress {
        match &mut self.stage {
            Stage::Owing { last, .. } => *last = true,
            Stage::Filling(0) => self.reset(),
            &mut Stage::Filling(filled) => {
                let layout = self.config().layout();
                for t in layout.past() + filled..layout.samples() {
                    self.block.put::<X, H::Tap>(layout, t, &[X::ZERO]);
                }
                self.compute();
                self.stage = Stage::Owing { next: 0, end: filled, last: true };
            }
        }
        let mut produced = 0;
        self.emit(out, &mut produced);
        Progress { consumed: 0, produced }
    }

    fn max_flush(&self) -> usize {
        let (owed, filled) = self.held();
        owed + filled
    }
}
