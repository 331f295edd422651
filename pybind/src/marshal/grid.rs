//! Calls on two-dimensional arrays: frames of a fixed length, and channels.

use super::call::{Kernel, first};
use super::erased::Erased;
use super::error::{checked, panicked, value_error};
use super::input::convert;
use super::output::Output;
use super::samples::Samples;
use passband_kernels::shape::Progress;
use pyo3::prelude::*;

/// What the axes of an array are.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Layout {
    /// Frames, one after the other, and the samples of each.
    Frames,
    /// Time, and one sample of each channel.
    Interleaved,
    /// Channels, and the samples of each.
    Planar,
}

impl Layout {
    /// That of channels with time along `axis`.
    pub(crate) fn with_time_along(axis: isize) -> PyResult<Self> {
        match axis {
            -1 | 1 => Ok(Self::Planar),
            -2 | 0 => Ok(Self::Interleaved),
            _ => Err(value_error("axis", "-2 to 1, that of time in two dimensions", axis)),
        }
    }

    /// The argument that has it.
    fn argument(self) -> &'static str {
        if self == Self::Frames { "frames" } else { "x" }
    }

    /// The axis along which arrays may have any length.
    fn time(self) -> usize {
        usize::from(self == Self::Planar)
    }

    fn expected(self, len: usize) -> String {
        match self {
            Self::Frames => format!("frames of {len} samples"),
            Self::Interleaved => format!("{len} channels along axis 1"),
            Self::Planar => format!("{len} channels along axis 0"),
        }
    }

    fn run(self, kernel: &mut dyn Erased, x: &[u8], out: &mut [u8]) -> Progress {
        if self == Self::Planar { kernel.run_planar(x, out) } else { kernel.run(x, out) }
    }
}

/// Feeds all of `x` and gives all that comes of it in the same layout, in `out` or a new array.
pub(crate) fn call_grid<'py>(
    kernel: &Kernel,
    layout: Layout,
    x: &Bound<'py, PyAny>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, spec) = (x.py(), &kernel.spec);
    let (name, time) = (layout.argument(), layout.time());
    let [takes, gives] = spec.frame.ok_or_else(|| panicked(spec.name))?;
    let x: Samples<'_, '_, 2> = convert(name, x, &spec.input, spec.hint)?;
    let (len, other) = (x.shape[time], x.shape[1 - time]);
    if other != takes {
        return Err(value_error(name, &layout.expected(takes), other));
    }
    let mut needed = [gives; 2];
    needed[time] = len;
    let mut taken = kernel.take()?;
    let kernel = &mut **taken;
    let mut out = Output::grid(py, out, &spec.output, needed, time)?;
    let ([from], [to]) = Samples::apart([(name, &x)], [&mut out.samples])?;
    // A longer `out` of channels has longer rows.
    let to = if layout == Layout::Planar { to } else { first(to, &spec.output, len * gives) };
    let progress = spec.run(py, x.len(), || layout.run(kernel, from, to))?;
    checked(spec.name, "unread inputs", x.len().saturating_sub(progress.consumed), 0)?;
    let produced = checked(spec.name, "outputs", progress.produced, len * gives)?;
    checked(spec.name, "missing outputs", len * gives - produced, 0)?;
    out.finish(&spec.output, needed)
}
