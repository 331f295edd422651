//! The element types of kernels as NumPy knows them.

use super::error::{given, type_error};
use numpy::{PyArrayDescr, PyArrayDescrMethods};
use passband_kernels::sample::Sample;
use passband_kernels::shape::Record;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;

/// The type of the elements of one slice.
pub(crate) struct Dtype {
    /// The name in messages and of `dtype=`.
    pub(crate) name: &'static str,
    pub(super) size: usize,
    pub(super) align: usize,
    pub(super) descr: Py<PyArrayDescr>,
}

impl Dtype {
    /// The type of a sample.
    pub(crate) fn sample<T: Sample>(py: Python<'_>) -> PyResult<Self> {
        static CACHE: [PyOnceLock<Py<PyArrayDescr>>; 32] = [const { PyOnceLock::new() }; 32];
        let descr = CACHE[usize::from(T::CODE)].get_or_try_init(py, || {
            // A fixed-point sample is its code.
            let name = if T::NAME == "q15" { "int16" } else { T::NAME };
            PyArrayDescr::new(py, name).map(Bound::unbind)
        })?;
        let descr = descr.clone_ref(py);
        Ok(Self { name: T::NAME, size: size_of::<T>(), align: align_of::<T>(), descr })
    }

    /// The structured type of a record.
    pub(crate) fn record<R: Record>(py: Python<'_>) -> PyResult<Self> {
        let fields = R::FIELDS.iter();
        let columns = PyDict::new(py);
        columns.set_item("names", fields.clone().map(|field| field.name).collect::<Vec<_>>())?;
        columns.set_item("formats", fields.clone().map(|field| field.format).collect::<Vec<_>>())?;
        columns.set_item("offsets", fields.clone().map(|field| field.offset).collect::<Vec<_>>())?;
        columns.set_item("itemsize", size_of::<R>())?;
        let descr = PyArrayDescr::new(py, columns)?.unbind();
        Ok(Self { name: "record", size: size_of::<R>(), align: align_of::<R>(), descr })
    }

    pub(crate) fn is_fixed_point(&self) -> bool {
        self.name == "q15"
    }

    /// The kind of its numbers: `f`, `c`, `i`, `u`, or `V` for records.
    pub(super) fn kind(&self, py: Python<'_>) -> u8 {
        self.descr.bind(py).kind()
    }

    /// What messages say was expected.
    pub(super) fn describe(&self, py: Python<'_>) -> String {
        match self.name {
            "q15" => "q15 (int16 codes)".to_owned(),
            "record" => self.descr.bind(py).to_string(),
            name => name.to_owned(),
        }
    }
}

/// The one of `allowed` that the argument `dtype` names.
pub(crate) fn chosen(dtype: &Bound<'_, PyAny>, allowed: &[&'static str]) -> PyResult<&'static str> {
    let py = dtype.py();
    let asked = match dtype.extract::<&str>() {
        Ok("q15") => "q15".to_owned(),
        _ => PyArrayDescr::new(py, dtype.clone()).map_or_else(|_| String::new(), |d| d.to_string()),
    };
    allowed.iter().find(|name| **name == asked).copied().ok_or_else(|| {
        let hint = if asked == "int16" { "; codes of fixed point are dtype='q15'" } else { "" };
        type_error("dtype", &format!("one of {}", allowed.join(", ")), &format!("{}{hint}", given(dtype)))
    })
}
