//! A run of a kernel of each shape: its call, its snapshot into a kernel that was reset, and its call
//! from there.
//!
//! Lengths pass through `black_box`: no panic is ruled out for these only.

use crate::report::Report;
use core::fmt::{Error, Result};
use core::hint::black_box;
use passband_kernels::sample::Sample;
use passband_kernels::shape::{
    Batch, Blockwise, Buffered, ConfigError, Detector, Generator, InPlace, Kernel, Measure, MultiChannel,
    Sink, TwoInput, TwoOutput, VariableLength,
};

/// Inputs of a case.
pub(crate) const N: usize = 512;
/// Outputs that there is room for.
const ROOM: usize = 4 * N;
/// Outputs of the second call that are reported.
const FEW: usize = 8;
/// Bytes of the longest snapshot.
const BLOB: usize = 2048;

impl Report<'_> {
    pub(crate) fn blockwise<K: Blockwise>(&mut self, name: &str, kernel: &mut K, x: &[K::Input]) -> Result {
        self.run(name, kernel, x.len(), |kernel, out| kernel.steps(some(x), out))
    }

    pub(crate) fn in_place<K: InPlace>(&mut self, name: &str, kernel: &mut K, x: &[K::Input]) -> Result {
        self.run(name, kernel, x.len(), |kernel, io: &mut [K::Input]| {
            let io = io.get_mut(..x.len()).unwrap_or_default();
            io.iter_mut().zip(x).for_each(|(io, x)| *io = *x);
            kernel.steps_in_place(io);
            io.len()
        })
    }

    pub(crate) fn two_input<K: TwoInput>(
        &mut self,
        name: &str,
        kernel: &mut K,
        x: &[K::Input],
        d: &[K::Second],
    ) -> Result {
        self.run(name, kernel, d.len(), |kernel, out| kernel.steps(some(x), some(d), out))
    }

    /// Reports the second outputs; the first ones are computed from them.
    pub(crate) fn two_output<K: TwoOutput>(&mut self, name: &str, kernel: &mut K, x: &[K::Input]) -> Result {
        self.run(name, kernel, x.len(), |kernel, out| kernel.steps(some(x), (&mut [K::First::ZERO; N], out)))
    }

    pub(crate) fn batch<K: Batch>(&mut self, name: &str, kernel: &mut K, frames: &[K::Input]) -> Result {
        self.run(name, kernel, frames.len(), |kernel, out| {
            kernel.batch(some(frames), out) * kernel.frame_out()
        })
    }

    pub(crate) fn channels<K: MultiChannel>(
        &mut self,
        [interleaved, planar]: [&str; 2],
        kernel: &mut K,
        x: &[K::Input],
    ) -> Result {
        self.run(interleaved, kernel, x.len(), |kernel, out| {
            kernel.steps_interleaved(some(x), out) * kernel.channels()
        })?;
        // Rows of the output are as long as those of the input.
        self.run(planar, kernel, x.len(), |kernel, out| {
            let out = out.get_mut(..x.len()).unwrap_or_default();
            kernel.steps_planar(some(x), out) * kernel.channels()
        })
    }

    pub(crate) fn generator<K: Generator>(&mut self, name: &str, kernel: &mut K) -> Result {
        self.run(name, kernel, N, |kernel, out| {
            let out = out.get_mut(..N).unwrap_or_default();
            kernel.generate(out);
            out.len()
        })
    }

    pub(crate) fn variable_length<K>(&mut self, name: &str, kernel: &mut K, x: &[K::Input]) -> Result
    where
        K: VariableLength + Kernel,
    {
        self.run(name, kernel, x.len(), |kernel, out| {
            let most = kernel.max_out(x.len());
            // The promised room is enough: all is consumed.
            kernel.execute(some(x), out.get_mut(..most).unwrap_or_default()).produced
        })
    }

    pub(crate) fn buffered<K: Buffered>(&mut self, name: &str, kernel: &mut K, x: &[K::Input]) -> Result {
        self.run(name, kernel, x.len(), |kernel, out| {
            let given = kernel.execute(some(x), out).produced;
            given + kernel.flush(out.get_mut(given..).unwrap_or_default()).produced
        })
    }

    pub(crate) fn detector<K: Detector, const FIELDS: usize>(
        &mut self,
        name: &str,
        detector: &mut K,
        x: &[K::Input],
        fields: fn(&K::Record) -> [f64; FIELDS],
    ) -> Result {
        let (mut records, mut found) = ([K::Record::default(); N], 0);
        self.case(name, x.len(), || {
            found = detector.detect(some(x), some_mut(&mut records)).produced;
            found += detector.flush(records.get_mut(found..).unwrap_or_default()).produced;
        })?;
        self.numbers(records.iter().take(found).flat_map(fields))?;
        carry(detector)
    }

    pub(crate) fn sink<K: Sink>(&mut self, name: &str, kernel: &mut K, x: &[K::Input]) -> Result {
        self.case(name, x.len(), || kernel.push(some(x)))?;
        carry(kernel)?;
        self.samples(&[kernel.value()])
    }

    pub(crate) fn measure<K: Measure, const FIELDS: usize>(
        &mut self,
        name: &str,
        kernel: &mut K,
        x: &[K::Input],
        fields: fn(K::Record) -> [f64; FIELDS],
    ) -> Result {
        let mut record = K::Record::default();
        self.case(name, x.len(), || record = kernel.measure(some(x)))?;
        self.numbers(fields(record))?;
        carry(kernel)
    }

    /// A function of slices of `inputs` samples, which says how many outputs it gives.
    pub(crate) fn function<Y: Sample>(
        &mut self,
        name: &str,
        inputs: usize,
        call: impl FnOnce(&mut [Y]) -> usize,
    ) -> Result {
        let (mut out, mut given) = ([Y::ZERO; ROOM], 0);
        self.case(name, inputs, || given = call(some_mut(&mut out)))?;
        self.samples(out.get(..given).unwrap_or_default())
    }

    /// A function that gives one number.
    pub(crate) fn value<Y: Sample>(&mut self, name: &str, inputs: usize, call: impl FnOnce() -> Y) -> Result {
        self.function(name, inputs, |out| {
            let value = call();
            out.first_mut().map_or(0, |out| {
                *out = value;
                1
            })
        })
    }

    fn run<K: Kernel, Y: Sample>(
        &mut self,
        name: &str,
        kernel: &mut K,
        inputs: usize,
        mut call: impl FnMut(&mut K, &mut [Y]) -> usize,
    ) -> Result {
        self.function(name, inputs, |out| call(kernel, out))?;
        carry(kernel)?;
        let mut out = [Y::ZERO; ROOM];
        let given = call(kernel, some_mut(&mut out));
        self.samples(out.get(..given.min(FEW)).unwrap_or_default())
    }
}

/// Carries the state over into the kernel, reset.
fn carry(kernel: &mut impl Kernel) -> Result {
    let mut blob = [0; BLOB];
    let saved = kernel.save(some_mut(&mut blob)).map_err(|_| Error)?;
    kernel.reset();
    kernel.load(blob.get(..saved).unwrap_or_default()).map_err(|_| Error)
}

/// A kernel whose arguments make sense.
pub(crate) fn made<K>(kernel: core::result::Result<K, ConfigError>) -> core::result::Result<K, Error> {
    kernel.map_err(|_| Error)
}

/// All of `x`, with a length that the optimiser does not know.
pub(crate) fn some<T>(x: &[T]) -> &[T] {
    x.get(..black_box(x.len())).unwrap_or_default()
}

/// The same to write to.
pub(crate) fn some_mut<T>(x: &mut [T]) -> &mut [T] {
    x.get_mut(..black_box(x.len())).unwrap_or_default()
}
