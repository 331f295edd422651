//! The shapes as Python base classes: each method exists once, for every class of its shape.

use crate::declare::{Family, Item, stub_doc};
use crate::marshal::{self, Kernel as Cell, Spec, given, state_error, type_error, whole};
use passband_kernels::shape::Progress;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyType};

pub(crate) const FAMILY: Family = Family {
    name: "shape",
    doc: stub_doc!("shape"),
    at_top: false,
    items: &[
        base::<Kernel>("Kernel"),
        base::<Blockwise>("Blockwise"),
        base::<Generator>("Generator"),
        base::<VariableLength>("VariableLength"),
        base::<Detector>("Detector"),
        PROGRESS,
    ],
};

pub(crate) const PROGRESS: Item = Item {
    name: "Progress",
    shape: "base",
    examples: &[],
    add: |module| module.add("Progress", progress(module.py())?),
};

const fn base<T: pyo3::PyClass>(name: &'static str) -> Item {
    Item { name, shape: "base", examples: &[], add: |module| module.add_class::<T>() }
}

#[doc = stub_doc!("Kernel")]
#[pyclass(frozen, subclass, module = "passband.shape")]
pub(crate) struct Kernel {
    pub(crate) cell: Cell,
}

#[pymethods]
impl Kernel {
    fn __repr__(this: &Bound<'_, Self>) -> String {
        let Spec { name, input, output, .. } = &this.get().cell.spec;
        if this.is_instance_of::<Generator>() {
            format!("<{name}, {}>", output.name)
        } else {
            format!("<{name}, {} to {}>", input.name, output.name)
        }
    }

    #[doc = stub_doc!("Kernel.reset")]
    fn reset(&self) -> PyResult<()> {
        self.cell.take()?.state().reset();
        Ok(())
    }

    #[doc = stub_doc!("Kernel.get_state")]
    fn get_state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut kernel = self.cell.take()?;
        let state = kernel.state();
        PyBytes::new_with(py, state.save_len(), |blob| state.save(blob).map(drop).map_err(state_error))
    }

    #[doc = stub_doc!("Kernel.set_state")]
    fn set_state(&self, state: &Bound<'_, PyAny>) -> PyResult<()> {
        let blob: &[u8] = state.extract().map_err(|_| type_error("state", "bytes", &given(state)))?;
        self.cell.take()?.state().load(blob).map_err(state_error)
    }
}

/// A base class between [`Kernel`] and the classes of a shape.
macro_rules! shape {
    ($Shape:ident) => {
        #[doc = stub_doc!(stringify!($Shape))]
        #[pyclass(frozen, subclass, generic, extends = Kernel, module = "passband.shape")]
        pub(crate) struct $Shape;

        impl $Shape {
            pub(crate) fn base(cell: Cell) -> PyClassInitializer<Self> {
                PyClassInitializer::from(Kernel { cell }).add_subclass(Self)
            }

            #[inline]
            fn cell<'a>(this: &'a Bound<'_, Self>) -> &'a Cell {
                &this.as_super().get().cell
            }
        }
    };
}

shape!(Blockwise);
shape!(Generator);
shape!(VariableLength);
shape!(Detector);

#[pymethods]
impl Blockwise {
    #[doc = stub_doc!("Blockwise.steps")]
    #[pyo3(signature = (x, out=None))]
    fn steps<'py>(
        this: &Bound<'py, Self>,
        x: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        marshal::call(Self::cell(this), x, out)
    }

    #[doc = stub_doc!("Blockwise.step")]
    fn step<'py>(this: &Bound<'py, Self>, x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        marshal::step(Self::cell(this), x)
    }
}

#[pymethods]
impl Generator {
    #[doc = stub_doc!("Generator.steps")]
    #[pyo3(signature = (count, out=None))]
    fn steps<'py>(
        this: &Bound<'py, Self>,
        #[pyo3(from_py_with = whole::count)] count: usize,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        marshal::generate(this.py(), Self::cell(this), count, out)
    }
}

#[pymethods]
impl VariableLength {
    #[doc = stub_doc!("VariableLength.execute")]
    #[pyo3(signature = (x, out=None))]
    fn execute<'py>(
        this: &Bound<'py, Self>,
        x: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        marshal::call(Self::cell(this), x, out)
    }

    #[doc = stub_doc!("VariableLength.execute_into")]
    fn execute_into<'py>(
        this: &Bound<'py, Self>,
        x: &Bound<'py, PyAny>,
        out: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        named(x.py(), marshal::call_into(Self::cell(this), x, out)?)
    }

    #[doc = stub_doc!("VariableLength.max_out")]
    fn max_out(this: &Bound<'_, Self>, #[pyo3(from_py_with = whole::n)] n: usize) -> PyResult<usize> {
        Ok(Self::cell(this).take()?.max_out(n))
    }
}

#[pymethods]
impl Detector {
    #[doc = stub_doc!("Detector.detect")]
    #[pyo3(signature = (x, out=None))]
    fn detect<'py>(
        this: &Bound<'py, Self>,
        x: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        marshal::call(Self::cell(this), x, out)
    }

    #[doc = stub_doc!("Detector.detect_into")]
    fn detect_into<'py>(
        this: &Bound<'py, Self>,
        x: &Bound<'py, PyAny>,
        out: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        named(x.py(), marshal::call_into(Self::cell(this), x, out)?)
    }

    #[doc = stub_doc!("Detector.flush")]
    #[pyo3(signature = (out=None))]
    fn flush<'py>(this: &Bound<'py, Self>, out: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        marshal::flush(this.py(), Self::cell(this), out)
    }

    #[doc = stub_doc!("Detector.max_out")]
    fn max_out(this: &Bound<'_, Self>, #[pyo3(from_py_with = whole::n)] n: usize) -> PyResult<usize> {
        Ok(Self::cell(this).take()?.max_out(n))
    }

    #[doc = stub_doc!("Detector.max_flush")]
    fn max_flush(this: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(Self::cell(this).take()?.max_flush())
    }
}

/// The class `Progress`, a named tuple.
fn progress(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static PROGRESS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = PROGRESS.get_or_try_init(py, || {
        let options = PyDict::new(py);
        options.set_item("module", "passband.shape")?;
        let arguments = ("Progress", ("consumed", "produced"));
        let class = py.import("collections")?.call_method("namedtuple", arguments, Some(&options))?;
        class.setattr("__doc__", stub_doc!("Progress"))?;
        PyResult::Ok(class.cast_into::<PyType>()?.unbind())
    })?;
    Ok(class.bind(py))
}

/// Progress as Python's named tuple.
pub(crate) fn named(py: Python<'_>, made: Progress) -> PyResult<Bound<'_, PyAny>> {
    progress(py)?.call1((made.consumed, made.produced))
}
