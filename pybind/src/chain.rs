//! `passband.Chain`: kernels in a row, in constant memory.

use crate::declare::{Example, Item, stub_doc};
use crate::marshal::{
    self, Dtype, Erased, Exclusive, Run, Spec, Target, because, busy, given, room, type_error, value_error,
    whole,
};
use crate::shape::{Blockwise, Buffered, Kernel, VariableLength, named};
use passband_kernels::shape::Progress;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Samples between two stages: enough that calls cost little, few enough for the second-level cache.
const SCRATCH: usize = 4096;

/// Runs nest as deep as there are stages.
const MOST_STAGES: usize = 64;

pub(crate) const CHAIN: Item = Item {
    name: "Chain",
    shape: "Chain",
    examples: &[
        Example {
            arguments: "[passband.Mixer(0.1), passband.FirDecimator([0.5, 0.5], 3, dtype='complex64'), \
                        passband.FmDemod()]",
            input: "complex64",
            output: "float32",
        },
        Example {
            arguments: "[passband.U8ToF32(iq=True), passband.Fir([0.5, 0.25], dtype='complex64')]",
            input: "uint8",
            output: "complex64",
        },
    ],
    add: |module| module.add_class::<Chain>(),
};

#[doc = stub_doc!("Chain")]
#[pyclass(frozen, module = "passband")]
struct Chain {
    spec: Spec,
    stages: Vec<Py<Kernel>>,
    /// One scratch behind each stage but the last; `u128` aligns it for any sample.
    scratch: Exclusive<Vec<Vec<u128>>>,
}

#[pymethods]
impl Chain {
    #[new]
    fn new(py: Python<'_>, stages: &Bound<'_, PyAny>) -> PyResult<Self> {
        let not_a_row = || type_error("stages", "a sequence of kernels", &given(stages));
        let objects = stages.extract::<Vec<Bound<'_, PyAny>>>();
        let objects = objects.map_err(|raised| because(py, raised, not_a_row()))?;
        if objects.len() > MOST_STAGES {
            return Err(value_error("stages", &format!("at most {MOST_STAGES} kernels"), objects.len()));
        }
        let kernels = objects.into_iter().enumerate().map(stage).collect::<PyResult<Vec<_>>>()?;
        let specs: Vec<&Spec> = kernels.iter().map(|kernel| kernel.get().cell.spec()).collect();
        for (i, pair) in specs.windows(2).enumerate() {
            let (given, wanted) = (&pair[0].output, &pair[1].input);
            if !given.feeds(wanted) {
                let described = |dtype: &Dtype| {
                    let pairs = if dtype.in_pairs { "pairs of " } else { "" };
                    format!("{pairs}{}", dtype.describe(py))
                };
                let wanted = described(wanted);
                let expected = format!("{wanted} from stage {i} for {} behind it", pair[1].name);
                let given = format!("{} of {}", described(given), pair[0].name);
                return Err(type_error("stages", &expected, &given));
            }
        }
        for (i, kernel) in kernels.iter().enumerate() {
            if kernels[..i].iter().any(|other| other.is(kernel)) {
                return Err(value_error("stages", "each object once", format!("{} twice", specs[i].name)));
            }
        }
        let (Some(first), Some(last)) = (specs.first(), specs.last()) else {
            return Err(value_error("stages", "at least one kernel", 0));
        };
        let spec = Spec {
            name: "Chain",
            parts: format!("{} stages", specs.len()),
            input: first.input.clone_ref(py),
            output: last.output.clone_ref(py),
            second: last.output.clone_ref(py),
            frame: None,
            hint: "; the first stage takes it",
            ns_per_sample: specs.iter().map(|spec| spec.ns_per_sample).sum(),
        };
        let between = specs.iter().take(specs.len() - 1);
        let scratch = between.map(|spec| {
            let len = spec.output.bytes(SCRATCH).div_ceil(16);
            let mut scratch = room(len)?;
            scratch.resize(len, 0);
            Ok(scratch)
        });
        let scratch = scratch.collect::<PyResult<_>>()?;
        let stages = kernels.into_iter().map(Bound::unbind).collect();
        Ok(Self { spec, stages, scratch: Exclusive::new(scratch) })
    }

    #[doc = stub_doc!("Chain.execute")]
    #[pyo3(signature = (x, out=None))]
    fn execute<'py>(
        &self,
        x: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        marshal::call(self, x, out)
    }

    #[doc = stub_doc!("Chain.execute_into")]
    fn execute_into<'py>(
        &self,
        x: &Bound<'py, PyAny>,
        out: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        named(x.py(), marshal::call_into(self, x, out)?)
    }

    #[doc = stub_doc!("Chain.stages")]
    #[getter]
    fn stages<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.stages.iter().map(|stage| stage.bind(py)))
    }

    #[doc = stub_doc!("Chain.reset")]
    fn reset(&self) -> PyResult<()> {
        // All of them or none.
        let taken = self.stages.iter().map(|stage| stage.get().cell.take());
        let mut taken = taken.collect::<PyResult<Vec<_>>>()?;
        for kernel in &mut taken {
            kernel.state().reset();
        }
        Ok(())
    }

    fn __repr__(&self) -> String {
        let Spec { name, parts, input, output, .. } = &self.spec;
        format!("<{name} of {parts}, {} to {}>", input.name, output.name)
    }

    #[doc = stub_doc!("Chain.max_out")]
    fn max_out(&self, #[pyo3(from_py_with = whole::n)] n: usize) -> PyResult<usize> {
        marshal::max_out(self, n)
    }
}

/// A stage, if it is of a shape that can be one.
fn stage((i, object): (usize, Bound<'_, PyAny>)) -> PyResult<Bound<'_, Kernel>> {
    let refused = |why: &str, object: &Bound<'_, PyAny>| {
        type_error("stages", EXPECTED, &format!("{} as stage {i}{why}", given(object)))
    };
    let fits = object.is_instance_of::<Blockwise>() || object.is_instance_of::<VariableLength>();
    let kernel = object.cast_into::<Kernel>().map_err(|error| refused("", &error.into_inner()))?;
    if kernel.is_instance_of::<Buffered>() {
        return Err(refused(", which holds samples back for flush()", &kernel));
    }
    if kernel.get().cell.spec.frame.is_some() {
        return Err(refused(", which takes channels", &kernel));
    }
    if fits { Ok(kernel) } else { Err(refused("", &kernel)) }
}

const EXPECTED: &str =
    "kernels that are Blockwise or VariableLength, of one stream and with nothing to flush";

impl Target for Chain {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn locked<T>(&self, f: impl FnOnce(&mut dyn Run) -> PyResult<T>) -> PyResult<T> {
        let mut scratch = self.scratch.try_take().ok_or_else(|| busy(self.spec.name))?;
        let cells: Vec<_> = self.stages.iter().map(|stage| &stage.get().cell).collect();
        let mut taken = cells.iter().map(|cell| cell.take()).collect::<PyResult<Vec<_>>>()?;
        let stages = taken.iter_mut().zip(&cells).map(|(kernel, cell)| Stage {
            kernel: &mut ***kernel,
            input: cell.spec().input.bytes(1),
            output: cell.spec().output.bytes(1),
        });
        f(&mut Row { stages: stages.collect(), scratch: &mut scratch })
    }
}

/// A stage whose busy flag is taken, with the bytes of a sample.
struct Stage<'a> {
    kernel: &'a mut dyn Erased,
    input: usize,
    output: usize,
}

/// All stages, ready to run.
struct Row<'a> {
    stages: Vec<Stage<'a>>,
    scratch: &'a mut [Vec<u128>],
}

impl Run for Row<'_> {
    fn max_out(&self, n_in: usize) -> usize {
        self.stages.iter().fold(n_in, |n, stage| stage.kernel.max_out(n))
    }

    fn shows(&self, x: &[u8]) -> bool {
        self.stages.iter().any(|stage| stage.kernel.shows(x))
    }

    fn run(&mut self, x: &[u8], out: &mut [u8]) -> Progress {
        feed(&mut self.stages, self.scratch, x, out)
    }
}

/// Runs a row of stages.
///
/// A stage gets no more samples at a time than it and those behind it are sure to consume, so that
/// nothing is ever left over in a scratch.
fn feed(stages: &mut [Stage<'_>], scratch: &mut [Vec<u128>], x: &[u8], out: &mut [u8]) -> Progress {
    let (Some((stage, behind)), Some((between, further))) =
        (stages.split_first_mut(), scratch.split_first_mut())
    else {
        let last = stages.first_mut();
        return last.map_or_else(Progress::default, |stage| stage.kernel.run(x, out));
    };
    let output = behind.last().map_or(1, |last| last.output);
    let between: &mut [u8] = bytemuck::cast_slice_mut(between);
    let (mut x, mut out, mut done) = (x, out, Progress::default());
    loop {
        let sure = behind.iter().rev().fold(out.len() / output, |n, stage| stage.kernel.max_in(n));
        let room = sure.min(between.len() / stage.output);
        let to = between.get_mut(..room * stage.output).unwrap_or_default();
        let made = stage.kernel.run(x, to);
        let from = to.get(..made.produced * stage.output).unwrap_or_default();
        let passed = feed(behind, further, from, out);
        done.consumed += made.consumed;
        done.produced += passed.produced;
        x = x.get(made.consumed * stage.input..).unwrap_or_default();
        out = out.get_mut(passed.produced * output..).unwrap_or_default();
        // A stage that stopped for want of room goes on; one that had room is out of inputs, and
        // so is one that just filled it with all that it had.
        let drained = x.is_empty() && stage.kernel.max_out(0) == 0;
        if made.produced < room || room == 0 || drained {
            return done;
        }
    }
}
