//! The shapes as Python base classes: each method exists once, for every class of its shape.

mod grid;
mod several;
mod value;

pub(crate) use grid::{Batch, MultiChannel};
pub(crate) use several::{TwoInput, TwoOutput};
pub(crate) use value::{Measure, Sink, Windowed};

use crate::declare::{Family, Item, stub_doc};
use crate::marshal::{self, Kernel as Cell, NamedTuple, Spec, whole};
use passband_kernels::shape::Progress;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

pub(crate) const FAMILY: Family = Family {
    name: "shape",
    doc: stub_doc!("shape"),
    at_top: false,
    items: &[
        base::<Kernel>("Kernel"),
        base::<Blockwise>("Blockwise"),
        base::<Windowed>("Windowed"),
        base::<MultiChannel>("MultiChannel"),
        base::<TwoInput>("TwoInput"),
        base::<TwoOutput>("TwoOutput"),
        base::<Batch>("Batch"),
        base::<Generator>("Generator"),
        base::<VariableLength>("VariableLength"),
        base::<Buffered>("Buffered"),
        base::<Detector>("Detector"),
        base::<Sink>("Sink"),
        base::<Measure>("Measure"),
        PROGRESS,
    ],
};

static PROGRESS_CLASS: NamedTuple =
    NamedTuple::new("passband.shape", "Progress", stub_doc!("Progress"), || vec!["consumed", "produced"]);

pub(crate) const PROGRESS: Item = Item::named_tuple("Progress", |module| PROGRESS_CLASS.add(module));

const fn base<T: pyo3::PyClass>(name: &'static str) -> Item {
    Item { name, shape: "base", examples: &[], add: |module| module.add_class::<T>() }
}

/// Progress as Python's named tuple.
pub(crate) fn named(py: Python<'_>, made: Progress) -> PyResult<Bound<'_, PyAny>> {
    PROGRESS_CLASS.class(py)?.call1((made.consumed, made.produced))
}

#[doc = stub_doc!("Kernel")]
#[pyclass(frozen, subclass, module = "passband.shape")]
pub(crate) struct Kernel {
    pub(crate) cell: Cell,
}

#[pymethods]
impl Kernel {
    fn __repr__(this: &Bound<'_, Self>) -> String {
        let Spec { name, parts, input, output, second, .. } = &this.get().cell.spec;
        let (input, output, second) = (input.name, output.name, second.name);
        let of = if parts.is_empty() { String::new() } else { format!(" of {parts}") };
        let types = if this.is_instance_of::<Generator>() {
            output.to_owned()
        } else if this.is_instance_of::<TwoInput>() {
            format!("{input} and {second} to {output}")
        } else if this.is_instance_of::<TwoOutput>() {
            format!("{input} to {output} and {second}")
        } else {
            format!("{input} to {output}")
        };
        format!("<{name}{of}, {types}>")
    }

    #[doc = stub_doc!("Kernel.reset")]
    fn reset(&self) -> PyResult<()> {
        self.cell.take()?.state().reset();
        Ok(())
    }

    #[doc = stub_doc!("Kernel.get_state")]
    fn get_state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        marshal::save(py, &self.cell)
    }

    #[doc = stub_doc!("Kernel.set_state")]
    fn set_state(&self, state: &Bound<'_, PyAny>) -> PyResult<()> {
        marshal::load(&self.cell, state)
    }
}

impl Kernel {
    pub(crate) fn base(cell: Cell) -> PyClassInitializer<Self> {
        Self { cell }.into()
    }

    #[inline]
    pub(crate) fn cell<'a>(this: &'a Bound<'_, Self>) -> &'a Cell {
        &this.get().cell
    }
}

/// A base class between its parent and the classes of a shape.
macro_rules! shape {
    ($Shape:ident: $Parent:ident $(, $made:ident)?) => {
        #[doc = stub_doc!(stringify!($Shape))]
        #[pyclass(frozen, subclass, generic, extends = $Parent, module = "passband.shape")]
        pub(crate) struct $Shape;

        impl $Shape {
            pub(crate) fn base(cell: Cell) -> PyClassInitializer<Self> {
                $Parent::base(cell$(.$made())?).add_subclass(Self)
            }

            #[inline]
            pub(crate) fn cell<'a>(this: &'a Bound<'_, Self>) -> &'a Cell {
                $Parent::cell(this.as_super())
            }
        }
    };
}

use shape;

shape!(Blockwise: Kernel);
shape!(Generator: Kernel);
shape!(VariableLength: Kernel);
shape!(Buffered: VariableLength);
shape!(Detector: Kernel);

#[pymethods]
impl Blockwise {
    #[doc = stub_doc!("Blockwise.steps")]
    #[pyo3(signature = (x, out=None))]
    fn steps<'py>(
        this: &Bound<'py, Self>,
        x: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        marshal::call(Self::cell(this).of_one_stream("steps")?, x, out)
    }

    #[doc = stub_doc!("Blockwise.step")]
    fn step<'py>(this: &Bound<'py, Self>, x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        marshal::step(Self::cell(this).of_one_stream("step")?, x)
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
        marshal::max_out(Self::cell(this), n)
    }
}

#[pymethods]
impl Buffered {
    #[doc = stub_doc!("Buffered.flush")]
    #[pyo3(signature = (out=None))]
    fn flush<'py>(this: &Bound<'py, Self>, out: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        marshal::flush(this.py(), Self::cell(this), out)
    }

    #[doc = stub_doc!("Buffered.max_flush")]
    fn max_flush(this: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(Self::cell(this).take()?.max_flush())
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
        marshal::max_out(Self::cell(this), n)
    }

    #[doc = stub_doc!("Detector.max_flush")]
    fn max_flush(this: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(Self::cell(this).take()?.max_flush())
    }
}
