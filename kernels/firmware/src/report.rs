//! The report of a run: one case after another, in hexadecimal.
//!
//! Formatting a float brings panics into an image, formatting an integer in hexadecimal does not.

use core::fmt::{Result, Write};
use passband_kernels::Complex;

/// Writes cases to `out`; `lap` gives the instructions since it was last called, where they are known.
pub(crate) struct Report<W, L> {
    out: W,
    lap: L,
}

impl<W: Write, L: FnMut() -> u32> Report<W, L> {
    pub(crate) fn new(out: W, lap: L) -> Self {
        Self { out, lap }
    }

    /// Runs `work` over `samples` inputs and reports its cost.
    pub(crate) fn case(&mut self, name: &str, samples: usize, work: impl FnOnce()) -> Result {
        (self.lap)();
        work();
        let cost = (self.lap)();
        writeln!(self.out, "case {name}\ncost {cost:x} {samples:x}")
    }

    /// Reports floats.
    pub(crate) fn floats(&mut self, values: impl IntoIterator<Item = f32>) -> Result {
        values.into_iter().try_for_each(|value| writeln!(self.out, "float {:08x}", value.to_bits()))
    }

    /// Reports integers.
    pub(crate) fn integers(&mut self, values: impl IntoIterator<Item = i32>) -> Result {
        values.into_iter().try_for_each(|value| writeln!(self.out, "int {value:08x}"))
    }

    /// Reports floats of double precision, the upper half of each first.
    pub(crate) fn doubles(&mut self, values: impl IntoIterator<Item = f64>) -> Result {
        let halves = |bits: u64| [(bits >> 32) as i32, bits as i32];
        self.integers(values.into_iter().flat_map(|value| halves(value.to_bits())))
    }

    /// Reports the components of complex samples.
    pub(crate) fn complex(&mut self, samples: &[Complex<f32>]) -> Result {
        self.floats(samples.iter().flat_map(|sample| [sample.re, sample.im]))
    }
}
