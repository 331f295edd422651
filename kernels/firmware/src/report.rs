//! The report of a run: one case after another, in hexadecimal.
//!
//! Formatting a float brings panics into an image, formatting an integer in hexadecimal does not.

use core::fmt::{Result, Write};
use passband_kernels::sample::Sample;

/// Writes cases to `out`; `lap` gives the instructions since it was last called, where they are known.
pub(crate) struct Report<'a> {
    pub(crate) out: &'a mut dyn Write,
    pub(crate) lap: &'a mut dyn FnMut() -> u32,
}

impl Report<'_> {
    /// Runs `work` over `inputs` samples and reports its cost. The name begins with that of the kernel,
    /// as in `filter.Fir q15, 63 taps`.
    pub(crate) fn case(&mut self, name: &str, inputs: usize, work: impl FnOnce()) -> Result {
        (self.lap)();
        work();
        let cost = (self.lap)();
        writeln!(self.out, "case {name}\ncost {cost:x} {inputs:x}")
    }

    /// Reports numbers; doubles hold those of every sample type.
    pub(crate) fn numbers(&mut self, numbers: impl IntoIterator<Item = f64>) -> Result {
        numbers.into_iter().try_for_each(|number| writeln!(self.out, "{:x}", number.to_bits()))
    }

    /// Reports samples, of complex ones both parts.
    pub(crate) fn samples<T: Sample>(&mut self, samples: &[T]) -> Result {
        self.numbers(samples.iter().flat_map(|sample| sample.parts().into_iter().take(T::COMPONENTS)))
    }
}
