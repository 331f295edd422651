//! Kernels behind one trait on bytes: each shape's wrapper makes any kernel of it [`Erased`].
//!
//! The bytes were checked for type and alignment where they were borrowed, so that the casts
//! back to samples cannot fail.

use super::dtype::Dtype;
use bytemuck::{cast_slice, cast_slice_mut};
use passband_kernels::shape::{Blockwise, Detector, Generator, InPlace, Kernel, Progress, VariableLength};
use pyo3::prelude::*;
use std::any::Any;

/// What a call runs.
pub(crate) trait Run: Send {
    /// The number of outputs that `n_in` inputs give now, or the most.
    fn max_out(&self, n_in: usize) -> usize;

    /// Takes inputs until the next output has no room.
    fn run(&mut self, x: &[u8], out: &mut [u8]) -> Progress;

    /// Runs over the input, where the kernel can; otherwise changes nothing.
    fn run_in_place(&mut self, _io: &mut [u8]) -> Option<Progress> {
        None
    }
}

/// A kernel of any shape and type.
pub(crate) trait Erased: Run {
    /// The types of input and output; a generator's input is its output.
    fn dtypes(&self, py: Python<'_>) -> PyResult<(Dtype, Dtype)>;

    /// The number of inputs that a call is sure to consume with room for `n_out` outputs.
    fn max_in(&self, n_out: usize) -> usize;

    /// Ends the stream.
    fn flush(&mut self, _out: &mut [u8]) -> Progress {
        Progress::default()
    }

    /// The number of outputs of [`flush`](Self::flush).
    fn max_flush(&self) -> usize {
        0
    }

    /// Its state: reset, save, load.
    fn state(&mut self) -> &mut dyn Kernel;

    /// The kernel itself.
    fn any(&mut self) -> &mut dyn Any;
}

/// One output per input.
pub(crate) struct Map<K>(pub(crate) K);
/// One output per input, also over the input.
pub(crate) struct MapInPlace<K>(pub(crate) K);
/// Outputs from nothing.
pub(crate) struct Source<K>(pub(crate) K);
/// Outputs at another rate.
pub(crate) struct Rate<K>(pub(crate) K);
/// Records.
pub(crate) struct Detect<K>(pub(crate) K);

fn steps<K: Blockwise>(kernel: &mut K, x: &[u8], out: &mut [u8]) -> Progress {
    let produced = kernel.steps(cast_slice(x), cast_slice_mut(out));
    Progress { consumed: produced, produced }
}

macro_rules! state {
    () => {
        fn state(&mut self) -> &mut dyn Kernel {
            &mut self.0
        }
        fn any(&mut self) -> &mut dyn Any {
            &mut self.0
        }
    };
}

macro_rules! blockwise {
    ($Wrapper:ident: $bound:path { $($in_place:item)? }) => {
        impl<K: $bound + Send> Run for $Wrapper<K> {
            fn max_out(&self, n_in: usize) -> usize {
                n_in
            }
            fn run(&mut self, x: &[u8], out: &mut [u8]) -> Progress {
                steps(&mut self.0, x, out)
            }
            $($in_place)?
        }

        impl<K: $bound + Send + 'static> Erased for $Wrapper<K> {
            fn dtypes(&self, py: Python<'_>) -> PyResult<(Dtype, Dtype)> {
                Ok((Dtype::sample::<K::Input>(py)?, Dtype::sample::<K::Output>(py)?))
            }
            fn max_in(&self, n_out: usize) -> usize {
                n_out
            }
            state!();
        }
    };
}

blockwise!(Map: Blockwise {});
blockwise!(MapInPlace: InPlace {
    fn run_in_place(&mut self, io: &mut [u8]) -> Option<Progress> {
        let samples: &mut [K::Input] = cast_slice_mut(io);
        let n = samples.len();
        self.0.steps_in_place(samples);
        Some(Progress { consumed: n, produced: n })
    }
});

impl<K: Generator + Send> Run for Source<K> {
    fn max_out(&self, n_in: usize) -> usize {
        n_in
    }
    fn run(&mut self, _x: &[u8], out: &mut [u8]) -> Progress {
        let out: &mut [K::Output] = cast_slice_mut(out);
        let produced = out.len();
        self.0.generate(out);
        Progress { consumed: 0, produced }
    }
}

impl<K: Generator + Send + 'static> Erased for Source<K> {
    fn dtypes(&self, py: Python<'_>) -> PyResult<(Dtype, Dtype)> {
        Ok((Dtype::sample::<K::Output>(py)?, Dtype::sample::<K::Output>(py)?))
    }
    fn max_in(&self, n_out: usize) -> usize {
        n_out
    }
    state!();
}

impl<K: VariableLength + Send> Run for Rate<K> {
    fn max_out(&self, n_in: usize) -> usize {
        self.0.max_out(n_in)
    }
    fn run(&mut self, x: &[u8], out: &mut [u8]) -> Progress {
        self.0.execute(cast_slice(x), cast_slice_mut(out))
    }
}

impl<K: VariableLength + Kernel + Send + 'static> Erased for Rate<K> {
    fn dtypes(&self, py: Python<'_>) -> PyResult<(Dtype, Dtype)> {
        Ok((Dtype::sample::<K::Input>(py)?, Dtype::sample::<K::Output>(py)?))
    }
    fn max_in(&self, n_out: usize) -> usize {
        self.0.max_in(n_out)
    }
    state!();
}

impl<K: Detector + Send> Run for Detect<K> {
    fn max_out(&self, n_in: usize) -> usize {
        self.0.max_out(n_in)
    }
    fn run(&mut self, x: &[u8], out: &mut [u8]) -> Progress {
        self.0.detect(cast_slice(x), cast_slice_mut(out))
    }
}

impl<K: Detector + Send + 'static> Erased for Detect<K> {
    fn dtypes(&self, py: Python<'_>) -> PyResult<(Dtype, Dtype)> {
        Ok((Dtype::sample::<K::Input>(py)?, Dtype::record::<K::Record>(py)?))
    }
    fn max_in(&self, n_out: usize) -> usize {
        n_out
    }
    fn flush(&mut self, out: &mut [u8]) -> Progress {
        self.0.flush(cast_slice_mut(out))
    }
    fn max_flush(&self) -> usize {
        self.0.max_flush()
    }
    state!();
}
