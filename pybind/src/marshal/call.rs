//! The order of a call, the same for every class.

use super::array::scalar;
use super::cell::{Exclusive, Guard};
use super::dtype::Dtype;
use super::erased::{Erased, Run};
use super::error::{busy, checked, overflow_error, overlaps, panicked, several, value_error};
use super::input::{convert, read_one};
use super::output::{self, Output};
use super::samples::{Samples, Slices};
use passband_kernels::shape::Progress;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Work beyond which a call releases the interpreter lock, which costs some 45 ns.
const LONG_NS: f64 = 10_000.0;

/// What a call has to know before it has the kernel.
pub(crate) struct Spec {
    /// The name of the class.
    pub(crate) name: &'static str,
    /// What the object is made of, for its `repr`: `63 taps`.
    pub(crate) parts: String,
    pub(crate) input: Dtype,
    pub(crate) output: Dtype,
    /// That of the second input or output; without one, of the output.
    pub(crate) second: Dtype,
    /// The fixed lengths of the two-dimensional arrays that it takes and gives.
    pub(crate) frame: Option<[usize; 2]>,
    /// How the types were chosen, for messages.
    pub(crate) hint: &'static str,
    /// The estimated work per input, of a generator per output; minus infinity where calls never
    /// release the interpreter lock.
    pub(crate) ns_per_sample: f64,
}

impl Spec {
    /// The estimated work of a call.
    fn work_ns(&self, samples: usize) -> f64 {
        samples as f64 * self.ns_per_sample
    }

    /// Converts the argument `x`.
    #[inline(always)]
    pub(super) fn input<'a, 'py>(&self, x: &'a Bound<'py, PyAny>) -> PyResult<Samples<'a, 'py>> {
        let x: Samples<'_, '_> = convert("x", x, &self.input, self.hint)?;
        if self.input.in_pairs && !x.len().is_multiple_of(2) {
            return Err(value_error("x", "an even number of codes: I, Q, I, Q, ...", x.len()));
        }
        Ok(x)
    }

    /// Runs the kernel over `samples`.
    #[inline(always)]
    pub(super) fn run<T: Send>(
        &self,
        py: Python<'_>,
        samples: usize,
        f: impl FnOnce() -> T + Send,
    ) -> PyResult<T> {
        guarded(py, self.name, self.work_ns(samples), f)
    }
}

/// Runs `f`, without the interpreter lock where the work is worth it; a panic, which the contract
/// of kernels rules out, becomes an ordinary error.
#[inline(always)]
pub(super) fn guarded<T: Send>(
    py: Python<'_>,
    name: &str,
    work_ns: f64,
    f: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let caught = || catch_unwind(AssertUnwindSafe(f));
    let result = if work_ns > LONG_NS { py.detach(caught) } else { caught() };
    result.map_err(|_| panicked(name))
}

/// Something that calls run on, one at a time.
pub(crate) trait Target {
    fn spec(&self) -> &Spec;

    /// Takes every busy flag that a run needs, or none, and calls `f`.
    fn locked<T>(&self, f: impl FnOnce(&mut dyn Run) -> PyResult<T>) -> PyResult<T>;
}

/// A kernel with its busy flag.
pub(crate) struct Kernel {
    pub(crate) spec: Spec,
    cell: Exclusive<Box<dyn Erased>>,
}

impl Kernel {
    pub(crate) fn new(py: Python<'_>, name: &'static str, kernel: Box<dyn Erased>) -> PyResult<Self> {
        let (input, output) = kernel.dtypes(py)?;
        let second = kernel.second(py)?.unwrap_or_else(|| output.clone_ref(py));
        let (frame, parts) = (kernel.frame(), String::new());
        let spec = Spec { name, parts, input, output, second, frame, hint: "", ns_per_sample: 1.0 };
        Ok(Self { spec, cell: Exclusive::new(kernel) })
    }

    /// Says what the object is made of, for its `repr`.
    pub(crate) fn of(mut self, parts: String) -> Self {
        self.spec.parts = parts;
        self
    }

    /// Says that the constructor's `dtype=` chose the type of the input.
    pub(crate) fn typed(mut self) -> Self {
        self.spec.hint = "; the constructor's dtype= chooses it";
        self
    }

    /// Estimates the work per sample; 1 ns without.
    pub(crate) fn ns_per_sample(mut self, ns: f64) -> Self {
        self.spec.ns_per_sample = ns;
        self
    }

    /// Keeps the interpreter lock during calls, because arrays show its state to Python.
    pub(crate) fn keeping_the_lock(self) -> Self {
        self.ns_per_sample(f64::NEG_INFINITY)
    }

    /// The kernel, unless it runs on several channels: `method` takes one stream.
    #[inline(always)]
    pub(crate) fn of_one_stream(&self, method: &str) -> PyResult<&Self> {
        match self.spec.frame {
            None => Ok(self),
            Some([channels, _]) => Err(several(method, channels)),
        }
    }

    /// Takes the busy flag; never waits.
    #[inline(always)]
    pub(crate) fn take(&self) -> PyResult<Guard<'_, Box<dyn Erased>>> {
        self.cell.try_take().ok_or_else(|| busy(self.spec.name))
    }

    /// Calls `f` on the kernel itself; `K` is the type that it was made with.
    pub(crate) fn with<K: 'static, T>(&self, f: impl FnOnce(&mut K) -> T) -> PyResult<T> {
        let mut kernel = self.take()?;
        kernel.any().downcast_mut().map(f).ok_or_else(|| panicked(self.spec.name))
    }
}

impl Target for Kernel {
    fn spec(&self) -> &Spec {
        &self.spec
    }
    #[inline(always)]
    fn locked<T>(&self, f: impl FnOnce(&mut dyn Run) -> PyResult<T>) -> PyResult<T> {
        let mut kernel = self.take()?;
        f(&mut **kernel)
    }
}

/// Feeds all of `x` and gives all that comes of it, in `out` or a new array.
#[inline]
pub(crate) fn call<'py>(
    target: &impl Target,
    x: &Bound<'py, PyAny>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let spec = target.spec();
    let x = spec.input(x)?;
    target.locked(|kernel| {
        if is_state(&x, kernel) {
            return feed_copy(spec, kernel, &x, out);
        }
        feed(spec, kernel, &x, out)
    })
}

/// Whether the samples are state that the kernel shows to Python, and changes as it runs.
#[inline(always)]
fn is_state(x: &Samples<'_, '_>, kernel: &dyn Run) -> bool {
    x.is_read_only() && kernel.shows(x.bytes())
}

/// Feeds a copy of samples that are the kernel's own state.
#[cold]
fn feed_copy<'py>(
    spec: &Spec,
    kernel: &mut dyn Run,
    x: &Samples<'_, 'py>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    feed(spec, kernel, &x.copied(&spec.input)?, out)
}

#[inline(always)]
fn feed<'py>(
    spec: &Spec,
    kernel: &mut dyn Run,
    x: &Samples<'_, 'py>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, n) = (x.object.py(), spec.input.samples(x.len()));
    let needed = spec.output.elements(kernel.max_out(n));
    let mut out = Output::new(py, out, &spec.output, needed)?;
    let progress = match Samples::slices(x, &mut out.samples)? {
        Slices::Apart(x, to) => {
            let to = first(to, &spec.output, needed);
            Some(spec.run(py, n, || kernel.run(x, to))?)
        }
        Slices::Same(io) => spec.run(py, n, || kernel.run_in_place(io))?,
        Slices::Overlapping => None,
    };
    let Some(progress) = progress else {
        return Err(overlaps("x"));
    };
    checked(spec.name, "unread inputs", n.saturating_sub(progress.consumed), 0)?;
    let produced = spec.output.elements(progress.produced);
    out.finish(&spec.output, checked(spec.name, "outputs", produced, needed)?)
}

/// Feeds as much of `x` as `out` has room for, whatever its length.
pub(crate) fn call_into(
    target: &impl Target,
    x: &Bound<'_, PyAny>,
    out: &Bound<'_, PyAny>,
) -> PyResult<Progress> {
    let (py, spec) = (x.py(), target.spec());
    let x = spec.input(x)?;
    let n = spec.input.samples(x.len());
    target.locked(|kernel| {
        let copy;
        let x = if is_state(&x, kernel) {
            copy = x.copied(&spec.input)?;
            &copy
        } else {
            &x
        };
        let mut out: Samples<'_, '_> = output::checked("out", out, &spec.output)?;
        let room = out.len();
        let Slices::Apart(from, to) = Samples::slices(x, &mut out)? else {
            return Err(overlaps("x"));
        };
        let progress = spec.run(py, n, || kernel.run(from, to))?;
        let consumed = spec.input.elements(checked(spec.name, "inputs", progress.consumed, n)?);
        let produced = checked(spec.name, "outputs", spec.output.elements(progress.produced), room)?;
        Ok(Progress { consumed, produced })
    })
}

/// The outputs of the next `n` inputs, or the most.
pub(crate) fn max_out(target: &impl Target, n: usize) -> PyResult<usize> {
    let Spec { input, output, .. } = target.spec();
    let outputs = target.locked(|kernel| Ok(output.elements(kernel.max_out(input.samples(n)))))?;
    if isize::try_from(outputs).is_err() {
        return Err(overflow_error("n", &format!("inputs of at most {} outputs", isize::MAX), n));
    }
    Ok(outputs)
}

/// Gives the next `count` outputs.
pub(crate) fn generate<'py>(
    py: Python<'py>,
    kernel: &Kernel,
    count: usize,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (spec, mut taken) = (&kernel.spec, kernel.take()?);
    let kernel = &mut **taken;
    output::possible("count", count, out, &spec.output)?;
    fill(py, spec, count, out, |to| kernel.run(&[], to))
}

/// Ends the stream and gives what the kernel held back.
pub(crate) fn flush<'py>(
    py: Python<'py>,
    kernel: &Kernel,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (spec, mut taken) = (&kernel.spec, kernel.take()?);
    let kernel = &mut **taken;
    fill(py, spec, kernel.max_flush(), out, |to| kernel.flush(to))
}

fn fill<'py>(
    py: Python<'py>,
    spec: &Spec,
    needed: usize,
    out: Option<&Bound<'py, PyAny>>,
    f: impl FnOnce(&mut [u8]) -> Progress + Send,
) -> PyResult<Bound<'py, PyAny>> {
    let mut out = Output::new(py, out, &spec.output, needed)?;
    let to = first(out.samples.bytes_mut(), &spec.output, needed);
    let progress = spec.run(py, needed, || f(to))?;
    out.finish(&spec.output, checked(spec.name, "outputs", progress.produced, needed)?)
}

/// One sample in, one NumPy scalar out; of I and Q in turn, an array of both.
#[inline]
pub(crate) fn step<'py>(kernel: &Kernel, x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let (py, spec) = (x.py(), &kernel.spec);
    if spec.output.in_pairs {
        return step_of_pairs(kernel, x);
    }
    // A `u128` aligns the bytes for any sample.
    let (mut from, mut to) = ([0u128; 1], [0u128; 1]);
    let from = first(bytemuck::cast_slice_mut(&mut from), &spec.input, spec.input.elements(1));
    let to = first(bytemuck::cast_slice_mut(&mut to), &spec.output, 1);
    read_one("x", x, &spec.input, spec.hint, from)?;
    let mut taken = kernel.take()?;
    let kernel = &mut **taken;
    let progress = spec.run(py, 1, || kernel.run(from, to))?;
    checked(spec.name, "outputs", progress.produced, 1)?;
    scalar(py, &spec.output, to)
}

#[cold]
fn step_of_pairs<'py>(kernel: &Kernel, x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let (py, spec) = (x.py(), &kernel.spec);
    let mut from = [0u128; 1];
    let from = first(bytemuck::cast_slice_mut(&mut from), &spec.input, spec.input.elements(1));
    read_one("x", x, &spec.input, spec.hint, from)?;
    let mut taken = kernel.take()?;
    let kernel = &mut **taken;
    let needed = spec.output.elements(1);
    fill(py, spec, needed, None, |to| {
        let Progress { consumed, produced } = kernel.run(from, to);
        Progress { consumed, produced: spec.output.elements(produced) }
    })
}

/// The bytes of the first `count` elements.
#[inline(always)]
pub(super) fn first<'a>(bytes: &'a mut [u8], dtype: &Dtype, count: usize) -> &'a mut [u8] {
    bytes.get_mut(..count * dtype.size).unwrap_or_default()
}
