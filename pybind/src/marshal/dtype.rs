//! The element types of kernels as NumPy knows them.

use super::error::{because, given, type_error};
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
    /// Bytes of an element of an array.
    pub(crate) size: usize,
    pub(super) align: usize,
    /// Whether a sample takes two elements: I and Q as codes, for which NumPy has no type.
    pub(crate) in_pairs: bool,
    pub(super) descr: Py<PyArrayDescr>,
}

impl Dtype {
    /// The type of a sample.
    pub(crate) fn sample<T: Sample>(py: Python<'_>) -> PyResult<Self> {
        static CACHE: [PyOnceLock<Py<PyArrayDescr>>; 32] = [const { PyOnceLock::new() }; 32];
        let in_pairs = T::COMPONENTS == 2 && !T::NAME.starts_with("complex");
        let name = if in_pairs { T::Component::NAME } else { T::NAME };
        let descr = CACHE[usize::from(T::CODE)]
            .get_or_try_init(py, || PyArrayDescr::new(py, codes(name).unwrap_or(name)).map(Bound::unbind))?;
        let size = if in_pairs { size_of::<T>() / 2 } else { size_of::<T>() };
        Ok(Self { name, size, align: align_of::<T>(), in_pairs, descr: descr.clone_ref(py) })
    }

    /// The samples in `elements` of an array.
    #[inline]
    pub(crate) fn samples(&self, elements: usize) -> usize {
        elements >> u32::from(self.in_pairs)
    }

    /// The elements of an array that `samples` take.
    #[inline]
    pub(crate) fn elements(&self, samples: usize) -> usize {
        if self.in_pairs { samples.saturating_mul(2) } else { samples }
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
        Ok(Self { name: "record", size: size_of::<R>(), align: align_of::<R>(), in_pairs: false, descr })
    }

    /// The bytes of `samples`.
    pub(crate) fn bytes(&self, samples: usize) -> usize {
        self.elements(samples) * self.size
    }

    /// Whether a kernel that takes `input` can follow one that gives this.
    pub(crate) fn feeds(&self, input: &Self) -> bool {
        self.descr.is(&input.descr) && self.in_pairs == input.in_pairs
    }

    /// Another handle to the same type.
    pub(crate) fn clone_ref(&self, py: Python<'_>) -> Self {
        Self { descr: self.descr.clone_ref(py), ..*self }
    }

    pub(super) fn is_fixed_point(&self) -> bool {
        codes(self.name).is_some()
    }

    /// The kind of its numbers: `f`, `c`, `i`, `u`, or `V` for records.
    pub(super) fn kind(&self, py: Python<'_>) -> u8 {
        self.descr.bind(py).kind()
    }

    /// What messages say was expected.
    pub(crate) fn describe(&self, py: Python<'_>) -> String {
        match (self.name, codes(self.name)) {
            (name, Some(codes)) => format!("{name} ({codes} codes)"),
            ("record", None) => self.descr.bind(py).to_string(),
            (name, None) => name.to_owned(),
        }
    }
}

/// The type of the codes that samples of fixed point are.
pub(super) fn codes(name: &str) -> Option<&'static str> {
    match name {
        "q7" => Some("int8"),
        "q15" => Some("int16"),
        "q31" => Some("int32"),
        _ => None,
    }
}

/// The one of `allowed` that the argument `dtype` names.
pub(crate) fn chosen(dtype: &Bound<'_, PyAny>, allowed: &[&'static str]) -> PyResult<&'static str> {
    let py = dtype.py();
    let error = |hint: &str| {
        type_error("dtype", &format!("one of {}", allowed.join(", ")), &format!("{}{hint}", given(dtype)))
    };
    let asked = match dtype.extract::<&str>() {
        Ok(fixed) if codes(fixed).is_some() => fixed.to_owned(),
        _ => {
            PyArrayDescr::new(py, dtype.clone()).map_err(|raised| because(py, raised, error("")))?.to_string()
        }
    };
    let hint = |fixed: &&str| format!("; codes of fixed point are dtype='{fixed}'");
    allowed.iter().find(|name| **name == asked).copied().ok_or_else(|| {
        let of_codes = allowed.iter().find(|name| codes(name).is_some_and(|codes| codes == asked));
        error(&of_codes.map(hint).unwrap_or_default())
    })
}
