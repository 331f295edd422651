//! The two kinds of arena as classes, and what both can do.

use super::error::{named, raise};
use super::export::duplicate;
use super::reader::Reader;
use super::writer::Writer;
use crate::cuda::{self, Pending};
use crate::declare::stub_doc;
use crate::marshal::{flag, name, number, short_time, time_or_none};
use passband_arena::Options;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::os::fd::{IntoRawFd, RawFd};
use std::time::Duration;

/// The defaults of both kinds.
const ACQUIRE_TIMEOUT: Duration = Duration::from_mins(1);
const SPIN: Duration = Duration::from_micros(20);

#[doc = stub_doc!("Arena")]
#[pyclass(frozen, subclass, module = "passband._arena")]
pub(crate) struct Arena(passband_arena::Arena);

#[pymethods]
impl Arena {
    /// The arena behind a descriptor, which stays the caller's.
    #[classmethod]
    fn _attach<'py>(cls: &Bound<'py, PyType>, fd: RawFd) -> PyResult<Bound<'py, PyAny>> {
        let descriptor = duplicate(fd)?;
        attached(cls, || passband_arena::Arena::attach(descriptor))
    }

    #[doc = stub_doc!("Arena", ".attach")]
    #[classmethod]
    #[expect(clippy::needless_pass_by_value, reason = "extracted from Python")]
    fn attach<'py>(
        cls: &Bound<'py, PyType>,
        #[pyo3(from_py_with = name)] name: String,
    ) -> PyResult<Bound<'py, PyAny>> {
        attached(cls, || passband_arena::Arena::open(&name))
    }

    #[doc = stub_doc!("Arena", ".open_writer")]
    fn open_writer(&self, py: Python<'_>) -> PyResult<Writer> {
        self.0.open_writer().map(|writer| Writer::new(writer, &self.0)).map_err(|error| raise(py, &error))
    }

    #[doc = stub_doc!("Arena", ".open_reader")]
    fn open_reader(&self, py: Python<'_>) -> PyResult<Reader> {
        // It pins memory where that is asked for.
        let opened = py.detach(|| self.0.open_reader());
        opened.map(|reader| Reader::new(reader, &self.0)).map_err(|error| raise(py, &error))
    }

    #[doc = stub_doc!("Arena", ".shutdown_arena")]
    fn shutdown_arena(&self) {
        self.0.shut_down();
    }

    #[doc = stub_doc!("Arena", ".close")]
    fn close(&self) {
        self.0.close();
    }

    #[doc = stub_doc!("Arena", ".unlink")]
    fn unlink(&self) {
        self.0.unlink();
    }

    #[doc = stub_doc!("Arena", ".descriptor")]
    fn descriptor(&self, py: Python<'_>) -> PyResult<RawFd> {
        self.0.descriptor().map(IntoRawFd::into_raw_fd).map_err(|error| raise(py, &error))
    }

    /// The descriptor that the arena keeps, for a child to inherit.
    fn _fileno(&self, py: Python<'_>) -> PyResult<RawFd> {
        self.0.raw_descriptor().map_err(|error| raise(py, &error))
    }

    #[getter]
    fn name(&self) -> Option<String> {
        self.0.name()
    }

    #[getter]
    fn id(&self) -> String {
        self.0.id().to_string()
    }

    #[getter]
    fn acquire_timeout(&self) -> Option<f64> {
        self.0.options().acquire_timeout.map(|limit| limit.as_secs_f64())
    }

    #[getter]
    fn pin_memory(&self) -> bool {
        self.0.options().pin_memory
    }

    #[getter]
    #[expect(clippy::unused_self, reason = "what is pinned may outlive its arena")]
    fn pending(&self, py: Python<'_>) -> Vec<Pending> {
        cuda::pending(py)
    }

    #[doc = stub_doc!("Arena", ".retry_cleanup")]
    #[expect(clippy::unused_self, reason = "as above")]
    fn retry_cleanup(&self, py: Python<'_>) -> Vec<Pending> {
        cuda::retry_cleanup(py)
    }

    #[getter]
    fn published(&self, py: Python<'_>) -> PyResult<u64> {
        self.0.published().map_err(|error| raise(py, &error))
    }

    #[getter]
    fn closed(&self) -> bool {
        self.0.is_closed()
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    /// Closes and unlinks.
    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyAny>) {
        self.0.close();
        self.0.unlink();
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("passband.arena._pickling")?.call_method1("reduce", (slf,))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let arena = &slf.get().0;
        let size = arena.segment_size();
        let sizes = match arena.count() {
            0 => format!("capacity={size}"),
            count => format!("segment_size={size}, count={count}"),
        };
        let state = if arena.is_closed() { ", closed" } else { "" };
        Ok(format!("{}({sizes}{state})", slf.get_type().name()?))
    }
}

impl Arena {
    /// The part of an object that is common to both kinds.
    fn base(arena: passband_arena::Arena) -> PyClassInitializer<Self> {
        PyClassInitializer::from(Self(arena))
    }
}

#[doc = stub_doc!("SharedMemorySegmentPool")]
#[pyclass(frozen, extends = Arena, module = "passband._arena")]
pub(crate) struct SharedMemorySegmentPool;

#[pymethods]
impl SharedMemorySegmentPool {
    #[new]
    #[pyo3(signature = (segment_size, count, *, acquire_timeout=Some(ACQUIRE_TIMEOUT), pin_memory=false,
        named=false, readonly=false, prefault=true, max_ahead=3, spin_us=SPIN, debug=false),
        text_signature = "(segment_size, count, *, acquire_timeout=60.0, pin_memory=False, named=False, \
        readonly=False, prefault=True, max_ahead=3, spin_us=20, debug=False)")]
    #[expect(clippy::too_many_arguments, clippy::fn_params_excessive_bools, reason = "as in Python")]
    fn new(
        py: Python<'_>,
        #[pyo3(from_py_with = number::segment_size)] segment_size: usize,
        #[pyo3(from_py_with = number::count)] count: usize,
        #[pyo3(from_py_with = time_or_none::acquire_timeout)] acquire_timeout: Option<Duration>,
        #[pyo3(from_py_with = flag::pin_memory)] pin_memory: bool,
        #[pyo3(from_py_with = flag::named)] named: bool,
        #[pyo3(from_py_with = flag::readonly)] readonly: bool,
        #[pyo3(from_py_with = flag::prefault)] prefault: bool,
        #[pyo3(from_py_with = number::max_ahead)] max_ahead: usize,
        #[pyo3(from_py_with = short_time::spin_us)] spin_us: Duration,
        #[pyo3(from_py_with = flag::debug)] debug: bool,
    ) -> PyResult<PyClassInitializer<Self>> {
        let options = Options {
            acquire_timeout,
            max_ahead,
            spin: spin_us,
            prefault,
            readonly,
            debug,
            named,
            pin_memory,
        };
        let made = py.detach(|| passband_arena::SharedMemorySegmentPool::new(segment_size, count, options));
        made.map(|arena| Arena::base(arena).add_subclass(Self)).map_err(|error| raise(py, &error))
    }

    #[getter]
    fn segment_size(slf: &Bound<'_, Self>) -> usize {
        slf.as_super().get().0.segment_size()
    }

    #[getter]
    fn count(slf: &Bound<'_, Self>) -> usize {
        slf.as_super().get().0.count()
    }
}

#[doc = stub_doc!("SharedMemoryRingBuffer")]
#[pyclass(frozen, extends = Arena, module = "passband._arena")]
pub(crate) struct SharedMemoryRingBuffer;

#[pymethods]
impl SharedMemoryRingBuffer {
    #[new]
    #[pyo3(signature = (capacity, *, acquire_timeout=Some(ACQUIRE_TIMEOUT), pin_memory=false, named=false,
        prefault=true, spin_us=SPIN),
        text_signature = "(capacity, *, acquire_timeout=60.0, pin_memory=False, named=False, \
        prefault=True, spin_us=20)")]
    fn new(
        py: Python<'_>,
        #[pyo3(from_py_with = number::capacity)] capacity: usize,
        #[pyo3(from_py_with = time_or_none::acquire_timeout)] acquire_timeout: Option<Duration>,
        #[pyo3(from_py_with = flag::pin_memory)] pin_memory: bool,
        #[pyo3(from_py_with = flag::named)] named: bool,
        #[pyo3(from_py_with = flag::prefault)] prefault: bool,
        #[pyo3(from_py_with = short_time::spin_us)] spin_us: Duration,
    ) -> PyResult<PyClassInitializer<Self>> {
        let options =
            Options { acquire_timeout, spin: spin_us, prefault, named, pin_memory, ..Options::default() };
        let made = py.detach(|| passband_arena::SharedMemoryRingBuffer::new(capacity, options));
        made.map(|arena| Arena::base(arena).add_subclass(Self)).map_err(|error| raise(py, &error))
    }

    #[getter]
    fn capacity(slf: &Bound<'_, Self>) -> usize {
        slf.as_super().get().0.segment_size()
    }
}

/// An arena that is attached, as an object of its own kind, which must be one of `cls`.
fn attached<'py>(
    cls: &Bound<'py, PyType>,
    attach: impl FnOnce() -> passband_arena::Result<passband_arena::Arena> + Send,
) -> PyResult<Bound<'py, PyAny>> {
    let py = cls.py();
    let arena = py.detach(attach).map_err(|error| raise(py, &error))?;
    let (is_ring, base) = (arena.count() == 0, Arena::base(arena));
    let arena = if is_ring {
        Bound::new(py, base.add_subclass(SharedMemoryRingBuffer))?.into_any()
    } else {
        Bound::new(py, base.add_subclass(SharedMemorySegmentPool))?.into_any()
    };
    if !arena.is_instance(cls)? {
        let text = format!("this arena is a {}: attach it as one", arena.get_type().name()?);
        return Err(named(py, "EndpointError", (text,)));
    }
    Ok(arena)
}

/// What a method gets that needs a descriptor of a kind of its own.
#[cold]
pub(super) fn not_a_ticket(given: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!("ticket: expected a Ticket, given {}", crate::marshal::given(given)))
}
