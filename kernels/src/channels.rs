//! Several streams through one config.

#[cfg(feature = "testing")]
mod cases;
#[cfg(all(test, feature = "testing"))]
mod tests;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use crate::sample::Sample;
use crate::shape::{Blockwise, Kernel, MultiChannel};
use crate::state::{Fingerprint, Reader, Snapshot, Writer};

/// Storage of kernels, one per channel: `[K; N]` or `Box<[K]>`.
pub trait Kernels: AsRef<[Self::Kernel]> + AsMut<[Self::Kernel]> {
    /// The kernel of a channel.
    type Kernel: Blockwise + Clone;
}

impl<K: Blockwise + Clone, const N: usize> Kernels for [K; N] {
    type Kernel = K;
}

#[cfg(feature = "alloc")]
impl<K: Blockwise + Clone> Kernels for alloc::boxed::Box<[K]> {
    type Kernel = K;
}

/// A blockwise kernel for each of several channels, which advance together.
///
/// Channels are copies of one kernel in its initial state. Where the kernel refers to its config, as
/// by `&'static` or `Arc`, all share that one. `S` stores the kernels; [`FixedChannels`] and
/// [`BoxedChannels`] name the usual forms. Interleaved samples pass through a scratch of `SCRATCH`
/// inputs and as many outputs on the stack, one channel after the other.
///
/// * **Results**: each channel gives the same bits as its kernel alone, so accuracy, NaN and delay
///   are the kernel's; no channel touches another.
/// * **Snapshots** hold all states and are refused by another number of channels. Loading one makes
///   a copy of one kernel for a trial.
/// * **Cost**: that of the kernel for each channel; interleaved, one more read and write per sample.
///   No allocation in calls.
///
/// ```
/// use passband_kernels::FixedChannels;
/// use passband_kernels::filter::{FirConfig, FixedFir};
/// use passband_kernels::shape::MultiChannel;
///
/// type Mean = FirConfig<f32, [f32; 2]>;
/// static MEAN: Mean = Mean::fixed([0.5, 0.5]);
/// let mut stereo = FixedChannels::<_, 2>::fixed(FixedFir::<f32, f32, 2>::fixed(&MEAN));
/// let mut y = [0.0; 4];
/// assert_eq!(stereo.steps_interleaved(&[2.0, 20.0, 4.0, 40.0], &mut y), 2);
/// assert_eq!(y, [1.0, 10.0, 3.0, 30.0]);
/// assert_eq!(stereo.steps_planar(&[6.0, 8.0, 60.0, 80.0], &mut y), 2);
/// assert_eq!(y, [5.0, 7.0, 50.0, 70.0]);
/// ```
#[derive(Clone, Debug)]
pub struct Channels<S, const SCRATCH: usize = 256> {
    kernels: S,
}

/// `N` [`Channels`] in an array.
pub type FixedChannels<K, const N: usize, const SCRATCH: usize = 256> = Channels<[K; N], SCRATCH>;

/// Any number of [`Channels`].
#[cfg(feature = "alloc")]
pub type BoxedChannels<K> = Channels<alloc::boxed::Box<[K]>, 1024>;

impl<K: Blockwise + Clone, const N: usize, const SCRATCH: usize> FixedChannels<K, N, SCRATCH> {
    /// `N` copies of `kernel`, each in its initial state.
    #[must_use]
    pub fn fixed(mut kernel: K) -> Self {
        const { assert!(N > 0 && SCRATCH > 0, "expected a channel, and a scratch that holds a sample") };
        kernel.reset();
        Self { kernels: core::array::from_fn(|_| kernel.clone()) }
    }
}

#[cfg(feature = "alloc")]
impl<K: Blockwise + Clone> BoxedChannels<K> {
    /// So many copies of `kernel`, each in its initial state.
    ///
    /// # Errors
    /// [`ConfigError`](crate::shape::ConfigError) when there are no channels.
    pub fn new(mut kernel: K, channels: usize) -> Result<Self, crate::shape::ConfigError> {
        if channels == 0 {
            return Err(crate::shape::ConfigError { argument: "channels", expected: "at least one" });
        }
        kernel.reset();
        Ok(Self { kernels: alloc::vec![kernel; channels].into() })
    }
}

impl<S: Kernels, const SCRATCH: usize> Channels<S, SCRATCH> {
    /// The kernels, one per channel.
    pub fn kernels(&self) -> &[S::Kernel] {
        self.kernels.as_ref()
    }
}

impl<S: Kernels, const SCRATCH: usize> Snapshot for Channels<S, SCRATCH> {
    fn kernel_id(&self) -> u32 {
        self.kernels().first().map_or(0, Snapshot::kernel_id)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        self.kernels().iter().take(1).for_each(|kernel| kernel.fingerprint(hash));
        hash.u64(self.kernels().len() as u64);
    }
    fn payload_len(&self) -> usize {
        self.kernels().iter().map(Snapshot::payload_len).sum()
    }
    fn write(&self, to: &mut Writer<'_>) {
        self.kernels().iter().for_each(|kernel| kernel.write(to));
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        let kernels = self.kernels.as_mut();
        // One that is refused must leave the others as they were.
        let (mut trial, mut again) = (kernels.first()?.clone(), from.clone());
        kernels.iter().try_for_each(|_| trial.read(&mut again))?;
        kernels.iter_mut().try_for_each(|kernel| kernel.read(from))
    }
}

impl<S: Kernels, const SCRATCH: usize> Kernel for Channels<S, SCRATCH> {
    fn reset(&mut self) {
        self.kernels.as_mut().iter_mut().for_each(Kernel::reset);
    }
}

impl<S: Kernels, const SCRATCH: usize> MultiChannel for Channels<S, SCRATCH> {
    type Input = <S::Kernel as Blockwise>::Input;
    type Output = <S::Kernel as Blockwise>::Output;

    fn channels(&self) -> usize {
        self.kernels().len()
    }

    fn steps_interleaved(&mut self, x: &[Self::Input], out: &mut [Self::Output]) -> usize {
        let kernels = self.kernels.as_mut();
        // Never 0, which the optimiser is to know.
        let count = kernels.len().max(1);
        let block = count.saturating_mul(SCRATCH).max(1);
        let (mut inputs, mut outputs) = ([Self::Input::ZERO; SCRATCH], [Self::Output::ZERO; SCRATCH]);
        for (x, out) in x.chunks(block).zip(out.chunks_mut(block)) {
            let n = x.len().min(out.len()) / count;
            let (Some(inputs), Some(outputs)) = (inputs.get_mut(..n), outputs.get_mut(..n)) else { break };
            for (c, kernel) in kernels.iter_mut().enumerate() {
                for (to, from) in inputs.iter_mut().zip(x.chunks_exact(count)) {
                    *to = from.get(c).copied().unwrap_or_default();
                }
                kernel.steps(inputs, outputs);
                for (to, from) in out.chunks_exact_mut(count).zip(&*outputs) {
                    if let Some(to) = to.get_mut(c) {
                        *to = *from;
                    }
                }
            }
        }
        x.len().min(out.len()) / count
    }

    fn steps_planar(&mut self, x: &[Self::Input], out: &mut [Self::Output]) -> usize {
        let kernels = self.kernels.as_mut();
        let count = kernels.len().max(1);
        let (len, room) = (x.len() / count, out.len() / count);
        let n = len.min(room);
        if n > 0 {
            let channels = x.chunks_exact(len).zip(out.chunks_exact_mut(room));
            for (kernel, (x, out)) in kernels.iter_mut().zip(channels) {
                kernel.steps(x, out);
            }
        }
        n
    }
}
