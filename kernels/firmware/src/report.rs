//! The report of a run: one case after another, in hexadecimal.
//!
//! Formatting a float brings panics into an image, formatting an integer in hexadecimal does not.

use core::fmt::{Result, Write};
use num_complex::Complex;

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

    /// Reports the bits of results.
    pub(crate) fn bits(&mut self, words: impl IntoIterator<Item = u32>) -> Result {
        for word in words {
            writeln!(self.out, "bits {word:08x}")?;
        }
        Ok(())
    }

    /// Reports the bits of complex samples.
    pub(crate) fn complex(&mut self, samples: &[Complex<f32>]) -> Result {
        self.bits(samples.iter().flat_map(|sample| [sample.re.to_bits(), sample.im.to_bits()]))
    }
}
