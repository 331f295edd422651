//! Tickets: what names a unit on its way through the user's own queue.

use passband_arena::ArenaId;
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::hash::{DefaultHasher, Hash, Hasher};

#[doc = crate::declare::stub_doc!("Ticket")]
#[pyclass(frozen, module = "passband._arena")]
#[derive(Clone, Copy)]
pub(crate) struct Ticket(pub(super) passband_arena::Ticket);

#[pymethods]
impl Ticket {
    #[getter]
    fn arena(&self) -> String {
        self.0.arena.to_string()
    }

    #[getter]
    fn pass_(&self) -> u64 {
        self.0.pass
    }

    #[getter]
    fn unit(&self) -> u64 {
        self.0.unit
    }

    #[getter]
    fn nbytes(&self) -> usize {
        self.0.nbytes
    }

    fn __int__(&self) -> usize {
        self.0.nbytes
    }

    fn __index__(&self) -> usize {
        self.0.nbytes
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().0 == self.0)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.0.arena, self.0.unit).hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        let passband_arena::Ticket { pass, unit, nbytes, .. } = self.0;
        format!("Ticket(unit={unit}, pass_={pass}, nbytes={nbytes})")
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let passband_arena::Ticket { arena, pass, unit, nbytes } = self.0;
        let parts = (arena.to_words(), pass, unit, nbytes);
        let make = py.get_type::<Self>().getattr("_from_parts")?;
        Ok((make, parts).into_pyobject(py)?.into_any())
    }

    #[classmethod]
    fn _from_parts(_: &Bound<'_, PyType>, arena: [u64; 2], pass: u64, unit: u64, nbytes: usize) -> Self {
        Self(passband_arena::Ticket { arena: ArenaId::from_words(arena), pass, unit, nbytes })
    }
}
