//! Kernels in a row.

use crate::sample::Sample;
use crate::shape::{Blockwise, Kernel, Progress, VariableLength};
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};

/// Two kernels in a row with a stack scratch of `SCRATCH` samples between them.
///
/// Longer rows are chains of chains; [`Steps`] makes a stage of a blockwise kernel. A stage gets
/// no more inputs at a time than it is sure to consume, so that nothing is ever left over in the
/// scratch, and the result equals that of the kernels called one after the other, bit for bit.
///
/// * **Counts**: `max_out` is exact where both stages' are.
/// * **Cost**: that of its stages and `SCRATCH` samples of stack; no allocation.
/// * **Snapshots** hold the states of both stages; to load one copies the first stage.
///
/// ```
/// use num_complex::Complex;
/// use passband_kernels::demod::FmDemod;
/// use passband_kernels::shape::VariableLength;
/// use passband_kernels::source::Mixer;
/// use passband_kernels::{Chain, Steps};
///
/// let mut receiver: Chain<_, _> = Chain::new(Steps(Mixer::new(0.1, 0.0)?), Steps(FmDemod::new(1.0)?));
/// let mut y = [0.0; 3];
/// let _ = receiver.execute(&[Complex::new(1.0, 0.0); 3], &mut y);
/// assert!((y[2] - 0.2 * core::f32::consts::PI).abs() < 1e-6);
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Chain<A, B, const SCRATCH: usize = 256> {
    pub(crate) first: A,
    pub(crate) second: B,
}

impl<A, B, const SCRATCH: usize> Chain<A, B, SCRATCH> {
    /// Feeds the outputs of `first` to `second`.
    pub const fn new(first: A, second: B) -> Self {
        const { assert!(SCRATCH > 0, "SCRATCH must hold a sample") };
        Self { first, second }
    }

    /// The first stage, for its settings and its state.
    pub fn first(&mut self) -> &mut A {
        &mut self.first
    }

    /// The second stage, for its settings and its state.
    pub fn second(&mut self) -> &mut B {
        &mut self.second
    }
}

impl<A, B, const SCRATCH: usize> VariableLength for Chain<A, B, SCRATCH>
where
    A: VariableLength,
    B: VariableLength<Input = A::Output>,
{
    type Input = A::Input;
    type Output = B::Output;

    fn execute(&mut self, x: &[A::Input], out: &mut [B::Output]) -> Progress {
        let mut scratch = [A::Output::ZERO; SCRATCH];
        let (mut x, mut out, mut done) = (x, out, Progress::default());
        loop {
            let room = SCRATCH.min(self.second.max_in(out.len()));
            let Some(between) = scratch.get_mut(..room) else { return done };
            let first = self.first.execute(x, between);
            let Some(between) = between.get(..first.produced) else { return done };
            let second = self.second.execute(between, out);
            done.consumed += first.consumed;
            done.produced += second.produced;
            x = x.get(first.consumed..).unwrap_or(&[]);
            out = core::mem::take(&mut out).get_mut(second.produced..).unwrap_or(&mut []);
            // A stage that stopped for want of room goes on; one that had room is out of inputs.
            if first.produced < room || room == 0 {
                return done;
            }
        }
    }

    fn max_out(&self, n_in: usize) -> usize {
        self.second.max_out(self.first.max_out(n_in))
    }

    fn max_in(&self, n_out: usize) -> usize {
        self.first.max_in(self.second.max_in(n_out))
    }
}

impl<A, B, const SCRATCH: usize> Snapshot for Chain<A, B, SCRATCH>
where
    A: VariableLength + Snapshot + Clone,
    B: VariableLength<Input = A::Output> + Snapshot,
{
    fn kernel_id(&self) -> u32 {
        id::of(id::CHAIN, A::Input::CODE, B::Output::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        hash.u64(self.first.kernel_id().into());
        self.first.fingerprint(hash);
        hash.u64(self.second.kernel_id().into());
        self.second.fingerprint(hash);
    }
    fn payload_len(&self) -> usize {
        self.first.payload_len() + self.second.payload_len()
    }
    fn write(&self, to: &mut Writer<'_>) {
        self.first.write(to);
        self.second.write(to);
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        // The second stage may refuse what the first has taken.
        let mut first = self.first.clone();
        first.read(from)?;
        self.second.read(from)?;
        self.first = first;
        Some(())
    }
}

impl<A, B, const SCRATCH: usize> Kernel for Chain<A, B, SCRATCH>
where
    A: VariableLength + Kernel + Clone,
    B: VariableLength<Input = A::Output> + Kernel,
{
    fn reset(&mut self) {
        self.first.reset();
        self.second.reset();
    }
}

/// A blockwise kernel as a stage of a [`Chain`].
#[derive(Clone, Debug)]
pub struct Steps<K>(pub K);

impl<K: Blockwise> VariableLength for Steps<K> {
    type Input = K::Input;
    type Output = K::Output;

    fn execute(&mut self, x: &[K::Input], out: &mut [K::Output]) -> Progress {
        let n = self.0.steps(x, out);
        Progress { consumed: n, produced: n }
    }

    fn max_out(&self, n_in: usize) -> usize {
        n_in
    }

    fn max_in(&self, n_out: usize) -> usize {
        n_out
    }
}

impl<K: Snapshot> Snapshot for Steps<K> {
    fn kernel_id(&self) -> u32 {
        self.0.kernel_id()
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        self.0.fingerprint(hash);
    }
    fn payload_len(&self) -> usize {
        self.0.payload_len()
    }
    fn write(&self, to: &mut Writer<'_>) {
        self.0.write(to);
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        self.0.read(from)
    }
}

impl<K: Kernel> Kernel for Steps<K> {
    fn reset(&mut self) {
        self.0.reset();
    }
}

#[cfg(all(test, feature = "testing"))]
mod tests {
    use super::*;
    use crate::SimdLevel;
    use crate::filter::BoxedFir;
    use crate::resample::BoxedFirDecimator;
    use crate::testing::{Rng, signal};
    use std::vec;
    use std::vec::Vec;

    type Row =
        Chain<Chain<BoxedFirDecimator<f32, f32>, Steps<BoxedFir<f32, f32>>, 7>, BoxedFirDecimator<f32, f32>>;

    type Stages = (BoxedFirDecimator<f32, f32>, BoxedFir<f32, f32>, BoxedFirDecimator<f32, f32>);

    fn stages(level: SimdLevel) -> Stages {
        let decimator = |n, factor| {
            BoxedFirDecimator::with_level(&signal::<f32>(5, n), factor, factor - 1, level).unwrap()
        };
        (decimator(9, 3), BoxedFir::with_level(&signal::<f32>(6, 20), level).unwrap(), decimator(4, 2))
    }

    fn row(level: SimdLevel) -> Row {
        let (a, b, c) = stages(level);
        Chain::new(Chain::new(a, Steps(b)), c)
    }

    #[test]
    fn a_chain_equals_its_stages_for_every_split_and_room() {
        SimdLevel::available().for_each(a_chain_equals_its_stages);
    }

    fn a_chain_equals_its_stages(level: SimdLevel) {
        let (len, rounds) = if cfg!(miri) { (70, 1) } else { (2000, 200) };
        let x = signal::<f32>(1, len);
        let (mut a, mut b, mut c) = stages(level);
        let mut between = vec![0.0; a.max_out(x.len())];
        let _ = a.execute(&x, &mut between);
        let mut filtered = vec![0.0; between.len()];
        b.steps(&between, &mut filtered);
        let mut expected = vec![0.0; c.max_out(filtered.len())];
        let _ = c.execute(&filtered, &mut expected);

        let mut rng = Rng::new(2);
        for _ in 0..rounds {
            let (mut row, mut rest, mut result) = (row(level), &x[..], Vec::new());
            while !rest.is_empty() {
                let piece = &rest[..rng.below(60).min(rest.len())];
                let promised = row.max_out(piece.len());
                let room = rng.below(2 * promised + 2);
                let (mut out, sure) = (vec![f32::NAN; room], row.max_in(room));
                let progress = row.execute(piece, &mut out);
                assert_eq!(progress.produced, promised.min(room));
                assert!(progress.consumed >= sure.min(piece.len()));
                assert!(room < promised || progress.consumed == piece.len());
                assert!(room == 0 || piece.is_empty() || progress != Progress::default());
                result.extend_from_slice(&out[..progress.produced]);
                rest = &rest[progress.consumed..];
            }
            // What found no room yet comes with room.
            let mut out = vec![f32::NAN; row.max_out(0)];
            let progress = row.execute(&[], &mut out);
            result.extend_from_slice(&out[..progress.produced]);
            assert_eq!(result, expected);
        }
    }

    #[test]
    fn a_chain_continues_from_its_snapshot_and_resets() {
        let x = signal::<f32>(1, 400);
        let run = |row: &mut Row, x: &[f32]| {
            let mut y = vec![f32::NAN; row.max_out(x.len())];
            assert_eq!(row.execute(x, &mut y), Progress { consumed: x.len(), produced: y.len() });
            y
        };
        let (mut one, mut other) = (row(SimdLevel::best()), row(SimdLevel::best()));
        let whole = run(&mut one, &x);
        one.reset();
        let mut parts = run(&mut one, &x[..141]);
        let mut blob = vec![0; one.save_len()];
        one.save(&mut blob).unwrap();
        other.load(&blob).unwrap();
        parts.extend(run(&mut other, &x[141..]));
        assert_eq!(parts, whole);
    }
}
