//! Classes of named tuples.

use passband_kernels::shape::Record;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

/// A class of named tuples, made when it is first asked for.
pub(crate) struct NamedTuple {
    module: &'static str,
    name: &'static str,
    doc: &'static str,
    fields: fn() -> Vec<&'static str>,
    class: PyOnceLock<Py<PyType>>,
}

impl NamedTuple {
    pub(crate) const fn new(
        module: &'static str,
        name: &'static str,
        doc: &'static str,
        fields: fn() -> Vec<&'static str>,
    ) -> Self {
        Self { module, name, doc, fields, class: PyOnceLock::new() }
    }

    /// One with the fields of a record.
    pub(crate) const fn of_record<R: Record>(
        module: &'static str,
        name: &'static str,
        doc: &'static str,
    ) -> Self {
        Self::new(module, name, doc, || R::FIELDS.iter().map(|field| field.name).collect())
    }

    pub(crate) fn class<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyType>> {
        let class = self.class.get_or_try_init(py, || {
            let options = PyDict::new(py);
            options.set_item("module", self.module)?;
            let arguments = (self.name, (self.fields)());
            let class = py.import("collections")?.call_method("namedtuple", arguments, Some(&options))?;
            class.setattr("__doc__", self.doc)?;
            PyResult::Ok(class.cast_into::<PyType>()?.unbind())
        })?;
        Ok(class.bind(py))
    }

    pub(crate) fn add(&self, module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add(self.name, self.class(module.py())?)
    }
}
