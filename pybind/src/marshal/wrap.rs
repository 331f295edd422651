//! Each shape's wrapper, which makes any kernel of it [`Erased`].
//!
//! The bytes were checked for type and alignment where they were borrowed, so that the casts
//! back to samples cannot fail.

use super::dtype::Dtype;
use super::erased::{Erased, Run};
use super::named::NamedTuple;
use super::value::RecordRoom;
use bytemuck::{bytes_of, cast_slice, cast_slice_mut};
use passband_kernels::shape::{
    Batch, Blockwise, Buffered, Detector, Generator, InPlace, Kernel, Measure, MultiChannel, Progress, Sink,
    TwoInput, TwoOutput, VariableLength, Windowed,
};
use pyo3::prelude::*;
use std::any::Any;

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
/// Outputs at another rate, held back to the end.
pub(crate) struct RateHeld<K>(pub(crate) K);
/// One output per input, and state to look at.
pub(crate) struct MapShown<K>(pub(crate) K);
/// One output per pair of inputs.
pub(crate) struct TwoIn<K>(pub(crate) K);
/// Two outputs per input.
pub(crate) struct TwoOut<K>(pub(crate) K);
/// Frames of a fixed length.
pub(crate) struct Frames<K>(pub(crate) K);
/// A state per channel.
pub(crate) struct Channels<K>(pub(crate) K);
/// Inputs that end in the state.
pub(crate) struct Pushed<K>(pub(crate) K);
/// A record of a block, and its class.
pub(crate) struct Gauge<K>(pub(crate) K, pub(crate) &'static NamedTuple);

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

/// The types of a kernel whose inputs and outputs are samples.
macro_rules! samples {
    () => {
        fn dtypes(&self, py: Python<'_>) -> PyResult<(Dtype, Dtype)> {
            Ok((Dtype::sample::<K::Input>(py)?, Dtype::sample::<K::Output>(py)?))
        }
    };
}

/// As many outputs as inputs.
macro_rules! one_for_one {
    () => {
        fn max_in(&self, n_out: usize) -> usize {
            n_out
        }
    };
}

macro_rules! blockwise {
    ($Wrapper:ident: $bound:path { $($run:item)? } $({ $($erased:item)* })?) => {
        impl<K: Blockwise + $bound + Send> Run for $Wrapper<K> {
            fn max_out(&self, n_in: usize) -> usize {
                n_in
            }
            fn run(&mut self, x: &[u8], out: &mut [u8]) -> Progress {
                steps(&mut self.0, x, out)
            }
            $($run)?
        }

        impl<K: Blockwise + $bound + Send + 'static> Erased for $Wrapper<K> {
            samples!();
            one_for_one!();
            state!();
            $($($erased)*)?
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
blockwise!(MapShown: Windowed {
    fn shows(&self, x: &[u8]) -> bool {
        let window: &[u8] = cast_slice(self.0.window());
        let (x, window) = (x.as_ptr_range(), window.as_ptr_range());
        x.start < window.end && window.start < x.end
    }
} {
    fn window(&self) -> &[u8] {
        cast_slice(self.0.window())
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
    one_for_one!();
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
    samples!();
    fn max_in(&self, n_out: usize) -> usize {
        self.0.max_in(n_out)
    }
    state!();
}

impl<K: Buffered + Send> Run for RateHeld<K> {
    fn max_out(&self, n_in: usize) -> usize {
        self.0.max_out(n_in)
    }
    fn run(&mut self, x: &[u8], out: &mut [u8]) -> Progress {
        self.0.execute(cast_slice(x), cast_slice_mut(out))
    }
}

impl<K: Buffered + Send + 'static> Erased for RateHeld<K> {
    samples!();
    fn max_in(&self, n_out: usize) -> usize {
        self.0.max_in(n_out)
    }
    fn flush(&mut self, out: &mut [u8]) -> Progress {
        self.0.flush(cast_slice_mut(out))
    }
    fn max_flush(&self) -> usize {
        self.0.max_flush()
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
    one_for_one!();
    fn flush(&mut self, out: &mut [u8]) -> Progress {
        self.0.flush(cast_slice_mut(out))
    }
    fn max_flush(&self) -> usize {
        self.0.max_flush()
    }
    state!();
}

/// A kernel that calls of its own shape run: what others see of it is nothing.
macro_rules! run_by_its_shape {
    ($Wrapper:ident: $bound:path) => {
        impl<K: $bound + Send> Run for $Wrapper<K> {
            fn max_out(&self, n_in: usize) -> usize {
                n_in
            }
            fn run(&mut self, _x: &[u8], _out: &mut [u8]) -> Progress {
                Progress::default()
            }
        }
    };
}

run_by_its_shape!(TwoIn: TwoInput);
run_by_its_shape!(TwoOut: TwoOutput);

impl<K: TwoInput + Send + 'static> Erased for TwoIn<K> {
    samples!();
    fn second(&self, py: Python<'_>) -> PyResult<Option<Dtype>> {
        Dtype::sample::<K::Second>(py).map(Some)
    }
    one_for_one!();
    fn run_two_inputs(&mut self, x: &[u8], d: &[u8], out: &mut [u8]) -> Progress {
        let produced = self.0.steps(cast_slice(x), cast_slice(d), cast_slice_mut(out));
        Progress { consumed: produced, produced }
    }
    state!();
}

impl<K: TwoOutput + Send + 'static> Erased for TwoOut<K> {
    fn dtypes(&self, py: Python<'_>) -> PyResult<(Dtype, Dtype)> {
        Ok((Dtype::sample::<K::Input>(py)?, Dtype::sample::<K::First>(py)?))
    }
    fn second(&self, py: Python<'_>) -> PyResult<Option<Dtype>> {
        Dtype::sample::<K::Second>(py).map(Some)
    }
    one_for_one!();
    fn run_two_outputs(&mut self, x: &[u8], [first, second]: [&mut [u8]; 2]) -> Progress {
        let produced = self.0.steps(cast_slice(x), (cast_slice_mut(first), cast_slice_mut(second)));
        Progress { consumed: produced, produced }
    }
    state!();
}

impl<K: Batch + Send> Run for Frames<K> {
    fn max_out(&self, n_in: usize) -> usize {
        n_in / self.0.frame_in() * self.0.frame_out()
    }
    fn run(&mut self, x: &[u8], out: &mut [u8]) -> Progress {
        let frames = self.0.batch(cast_slice(x), cast_slice_mut(out));
        Progress { consumed: frames * self.0.frame_in(), produced: frames * self.0.frame_out() }
    }
}

impl<K: Batch + Send + 'static> Erased for Frames<K> {
    samples!();
    fn frame(&self) -> Option<[usize; 2]> {
        Some([self.0.frame_in(), self.0.frame_out()])
    }
    fn max_in(&self, n_out: usize) -> usize {
        n_out / self.0.frame_out() * self.0.frame_in()
    }
    state!();
}

impl<K: MultiChannel> Channels<K> {
    /// The samples of all channels in `sets` of one of each.
    fn progress(&self, sets: usize) -> Progress {
        let samples = sets * self.0.channels();
        Progress { consumed: samples, produced: samples }
    }
}

impl<K: MultiChannel + Send> Run for Channels<K> {
    fn max_out(&self, n_in: usize) -> usize {
        n_in
    }
    fn run(&mut self, x: &[u8], out: &mut [u8]) -> Progress {
        let sets = self.0.steps_interleaved(cast_slice(x), cast_slice_mut(out));
        self.progress(sets)
    }
}

impl<K: MultiChannel + Send + 'static> Erased for Channels<K> {
    samples!();
    fn frame(&self) -> Option<[usize; 2]> {
        Some([self.0.channels(); 2])
    }
    one_for_one!();
    fn run_planar(&mut self, x: &[u8], out: &mut [u8]) -> Progress {
        let sets = self.0.steps_planar(cast_slice(x), cast_slice_mut(out));
        self.progress(sets)
    }
    state!();
}

impl<K: Sink + Send> Run for Pushed<K> {
    fn max_out(&self, _n_in: usize) -> usize {
        0
    }
    fn run(&mut self, x: &[u8], _out: &mut [u8]) -> Progress {
        let x: &[K::Input] = cast_slice(x);
        self.0.push(x);
        Progress { consumed: x.len(), produced: 0 }
    }
}

impl<K: Sink + Send + 'static> Erased for Pushed<K> {
    fn dtypes(&self, py: Python<'_>) -> PyResult<(Dtype, Dtype)> {
        Ok((Dtype::sample::<K::Input>(py)?, Dtype::sample::<K::Value>(py)?))
    }
    one_for_one!();
    fn value(&self, to: &mut [u8]) {
        to.copy_from_slice(bytes_of(&self.0.value()));
    }
    state!();
}

impl<K: Measure + Send> Run for Gauge<K> {
    fn max_out(&self, _n_in: usize) -> usize {
        1
    }
    fn run(&mut self, x: &[u8], out: &mut [u8]) -> Progress {
        const { assert!(size_of::<K::Record>() <= size_of::<RecordRoom>()) }
        let x: &[K::Input] = cast_slice(x);
        out.copy_from_slice(bytes_of(&self.0.measure(x)));
        Progress { consumed: x.len(), produced: 1 }
    }
}

impl<K: Measure + Send + 'static> Erased for Gauge<K> {
    fn dtypes(&self, py: Python<'_>) -> PyResult<(Dtype, Dtype)> {
        Ok((Dtype::sample::<K::Input>(py)?, Dtype::record::<K::Record>(py)?))
    }
    one_for_one!();
    fn named(&self) -> Option<&'static NamedTuple> {
        Some(self.1)
    }
    state!();
}
