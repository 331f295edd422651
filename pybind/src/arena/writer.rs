//! The writing end.

use super::body::{Form, bare, coded, kind_named};
use super::error::{named, raise};
use super::export::{Leaf, array_over, freeze, wrap};
use super::ticket::Ticket;
use super::{dtype_of, nbytes_of, shape_of};
use crate::declare::stub_doc;
use crate::marshal::{Exclusive, Guard, busy, value_error};
use passband_arena::{Arena, Error, Extent, Kind, SLICE, Writer as Core};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyBytes;
use std::time::{Duration, Instant};

/// Copies of more bytes than this let other threads run.
pub(super) const LONG: usize = 1 << 18;
/// The bytes of an envelope that need no room in a unit, less what a body adds.
const INLINE: usize = 900;

#[doc = stub_doc!("Writer")]
#[pyclass(frozen, module = "passband._arena")]
pub(crate) struct Writer {
    state: Exclusive<State>,
    arena: Arena,
}

struct State {
    core: Core,
    is_pool: bool,
    /// The bytes of the largest unit.
    limit: usize,
    /// The arrays that `empty` gave out in the open unit.
    placed: Vec<Py<PyAny>>,
}

#[pymethods]
impl Writer {
    #[getter]
    fn zero_copy(&self) -> bool {
        self.arena.count() > 0
    }

    #[getter]
    fn has_unit(&self) -> PyResult<bool> {
        Ok(self.take()?.core.has_unit())
    }

    #[getter]
    fn published(&self) -> PyResult<u64> {
        Ok(self.take()?.core.published())
    }

    #[getter]
    fn reclaimed(&self, py: Python<'_>) -> PyResult<u64> {
        self.take()?.core.reclaimed().map_err(|error| raise(py, &error))
    }

    #[doc = stub_doc!("Writer.begin_unit")]
    #[pyo3(signature = (nbytes=None))]
    fn begin_unit(slf: &Bound<'_, Self>, nbytes: Option<usize>) -> PyResult<Unit> {
        let (py, this) = (slf.py(), slf.get());
        let mut state = this.take()?;
        let nbytes = match nbytes {
            Some(nbytes) => nbytes,
            None if this.arena.count() > 0 => 0,
            None => {
                return Err(value_error("nbytes", "the bytes of the unit, which a ring reserves", "None"));
            }
        };
        state.begin(py, nbytes)?;
        Ok(Unit(slf.clone().unbind()))
    }

    #[doc = stub_doc!("Writer.empty")]
    #[pyo3(signature = (shape, dtype=None, order="C"), text_signature = "($self, shape, dtype='float32', order='C')")]
    fn empty<'py>(
        &self,
        py: Python<'py>,
        shape: &Bound<'py, PyAny>,
        dtype: Option<&Bound<'py, PyAny>>,
        order: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let dtype = match dtype {
            Some(dtype) => dtype_of(dtype)?,
            None => numpy::dtype::<f32>(py),
        };
        let shape = shape_of(shape)?;
        let nbytes = nbytes_of(&shape, &dtype)?;
        let strides = match order {
            "C" => None,
            "F" => Some(fortran(&shape, nbytes)),
            _ => return Err(value_error("order", "'C' or 'F'", format!("'{order}'"))),
        };
        let mut state = self.take()?;
        if !state.core.has_unit() {
            state.begin(py, nbytes)?;
        }
        let (_, export) = state.core.place(nbytes).map_err(|error| raise(py, &error))?;
        let array = array_over(&wrap(py, export)?, &dtype, &shape, strides.as_deref(), 0, true)?;
        state.placed.push(array.clone().unbind());
        Ok(array)
    }

    #[doc = stub_doc!("Writer.write_binary")]
    fn write_binary(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<(usize, usize)> {
        let leaf = Leaf::of(data)?;
        let extent = self.take()?.write(py, &leaf)?;
        Ok((extent.offset, extent.nbytes))
    }

    #[doc = stub_doc!("Writer.commit_unit")]
    #[pyo3(signature = (envelope=None), text_signature = "($self, envelope=b'')")]
    fn commit_unit(&self, py: Python<'_>, envelope: Option<&[u8]>) -> PyResult<Ticket> {
        let mut state = self.take()?;
        let ticket = state.core.commit(envelope.unwrap_or_default()).map_err(|error| raise(py, &error))?;
        state.revoke(py)?;
        Ok(Ticket(ticket))
    }

    #[doc = stub_doc!("Writer.abort_unit")]
    fn abort_unit(&self, py: Python<'_>) -> PyResult<()> {
        let mut state = self.take()?;
        state.core.abort();
        state.revoke(py)
    }

    #[doc = stub_doc!("Writer.reset")]
    fn reset(&self, py: Python<'_>) -> PyResult<()> {
        self.abort_unit(py)
    }

    #[doc = stub_doc!("Writer.shutdown_arena")]
    fn shutdown_arena(&self) {
        self.arena.shut_down();
    }

    #[doc = stub_doc!("Writer.put")]
    #[pyo3(signature = (obj, *, pipe=None))]
    fn put(
        slf: &Bound<'_, Self>,
        obj: &Bound<'_, PyAny>,
        pipe: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Ticket> {
        static DUMPS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let (py, this) = (slf.py(), slf.get());
        if let Some(body) = bare(obj) {
            return this.take()?.put(py, &body, std::slice::from_ref(obj), pipe);
        }
        let coded = codec(py, &DUMPS, "dumps")?.call1((obj, slf))?;
        let (body, leaves): (Bound<'_, PyBytes>, Vec<Bound<'_, PyAny>>) = coded.extract()?;
        this.put_coded(py, body.as_bytes(), &leaves, pipe)
    }

    /// Whether the open unit has these bytes.
    fn _holds(&self, address: usize, nbytes: usize) -> PyResult<bool> {
        Ok(self.take()?.core.offset_of(address, nbytes).is_some())
    }

    /// Sends a body of the codec and its binaries.
    #[pyo3(signature = (body, leaves, pipe=None))]
    #[expect(clippy::needless_pass_by_value, reason = "extracted from Python")]
    fn _put(
        &self,
        py: Python<'_>,
        body: &[u8],
        leaves: Vec<Bound<'_, PyAny>>,
        pipe: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Ticket> {
        self.put_coded(py, body, &leaves, pipe)
    }

    /// Sends a record without a unit.
    #[pyo3(signature = (kind, body, pipe=None))]
    fn _send(
        &self,
        py: Python<'_>,
        kind: &str,
        body: &[u8],
        pipe: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Ticket> {
        let Some(kind) = kind_named(kind).filter(|kind| *kind != Kind::Item) else {
            return Err(value_error("kind", "'end', 'error' or 'started'", format!("'{kind}'")));
        };
        self.take()?.send(py, kind, &coded(&[], body), pipe)
    }

    #[doc = stub_doc!("Writer.wanted_pass")]
    fn wanted_pass(&self, py: Python<'_>) -> PyResult<u64> {
        self.take()?.core.wanted_pass().map_err(|error| raise(py, &error))
    }

    #[doc = stub_doc!("Writer.wait_for_pass")]
    fn wait_for_pass(&self, py: Python<'_>, after: u64, timeout: f64) -> PyResult<Option<u64>> {
        let (start, timeout) = (Instant::now(), super::pool::duration("timeout", timeout)?);
        let mut state = self.take()?;
        loop {
            let wanted = state.core.wanted_pass().map_err(|error| raise(py, &error))?;
            let left = timeout.saturating_sub(start.elapsed());
            if wanted != after || left.is_zero() {
                return Ok((wanted != after).then_some(wanted));
            }
            let slice = left.min(SLICE);
            py.detach(|| state.core.wait_for_pass(after, slice)).map_err(|error| raise(py, &error))?;
            py.check_signals()?;
        }
    }

    #[doc = stub_doc!("Writer.begin_pass")]
    fn begin_pass(&self, py: Python<'_>, pass_: u64) -> PyResult<()> {
        let mut state = self.take()?;
        state.core.begin_pass(pass_);
        state.revoke(py)
    }

    #[doc = stub_doc!("Writer.limit_ahead")]
    fn limit_ahead(&self, items: usize) -> PyResult<()> {
        self.take()?.core.limit_ahead(items);
        Ok(())
    }

    #[doc = stub_doc!("Writer.be_patient")]
    fn be_patient(&self) -> PyResult<()> {
        self.take()?.core.be_patient();
        Ok(())
    }
}

impl Writer {
    pub(super) fn new(core: Core, arena: &Arena) -> Self {
        let (is_pool, limit) = (arena.count() > 0, arena.segment_size());
        let state = Exclusive::new(State { core, is_pool, limit, placed: Vec::new() });
        Self { state, arena: arena.clone() }
    }

    fn put_coded(
        &self,
        py: Python<'_>,
        body: &[u8],
        leaves: &[Bound<'_, PyAny>],
        pipe: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Ticket> {
        let forms: Vec<_> = leaves.iter().map(Form::of).collect();
        self.take()?.put(py, &coded(&forms, body), leaves, pipe)
    }

    fn take(&self) -> PyResult<Guard<'_, State>> {
        self.state.try_take().ok_or_else(|| busy("Writer"))
    }
}

impl State {
    /// Begins a unit, waiting for room while other threads run.
    fn begin(&mut self, py: Python<'_>, nbytes: usize) -> PyResult<()> {
        self.wait(py, nbytes, |core| core.try_begin(nbytes), |core, slice| core.wait(nbytes, slice))
    }

    fn wait(
        &mut self,
        py: Python<'_>,
        nbytes: usize,
        attempt: impl Fn(&mut Core) -> passband_arena::Result<bool>,
        wait: impl Fn(&mut Core, Duration) -> passband_arena::Result<()> + Sync,
    ) -> PyResult<()> {
        let raise = |error: Error| raise(py, &error);
        let mut since = None;
        while !attempt(&mut self.core).map_err(raise)? {
            // Only who waits looks at the clock.
            let waited = since.get_or_insert_with(Instant::now).elapsed();
            let Some(slice) = self.core.slice(waited).map_err(raise)? else {
                return Err(raise(self.core.full(nbytes, waited)));
            };
            let core = &mut self.core;
            py.detach(|| wait(core, slice)).map_err(raise)?;
            py.check_signals()?;
        }
        Ok(())
    }

    fn write(&mut self, py: Python<'_>, leaf: &Leaf<'_>) -> PyResult<Extent> {
        let (core, source) = (&mut self.core, leaf.source());
        let written =
            if leaf.nbytes() > LONG { py.detach(|| core.write(source)) } else { core.write(source) };
        written.map_err(|error| raise(py, &error))
    }

    /// Sends an item: its binaries by where they lie in the open unit, or else copied into it.
    fn put(
        &mut self,
        py: Python<'_>,
        body: &[u8],
        leaves: &[Bound<'_, PyAny>],
        pipe: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Ticket> {
        let leaves = leaves.iter().map(Leaf::of).collect::<PyResult<Vec<_>>>()?;
        if !self.core.has_unit() {
            let binaries = leaves.iter().fold(0, |end: usize, leaf| end.next_multiple_of(64) + leaf.nbytes());
            let envelope = body.len() + 16 * leaves.len();
            let inline = envelope <= INLINE;
            let whole = if inline { binaries } else { binaries.next_multiple_of(8) + envelope };
            let piped = pipe.is_some() && whole > self.limit;
            // A segment is for binaries; in a ring there is room for a long envelope, too.
            if leaves.is_empty() && (inline || piped || pipe.is_some() && self.is_pool) {
                return self.send(py, Kind::Item, body, pipe);
            }
            self.begin(py, if piped { binaries } else { whole })?;
        }
        let sent = self.fill(py, &leaves).and_then(|()| self.commit(py, body, pipe));
        if sent.is_err() {
            self.core.abort();
        }
        self.revoke(py)?;
        sent
    }

    fn fill(&mut self, py: Python<'_>, leaves: &[Leaf<'_>]) -> PyResult<()> {
        let mut extents = Vec::with_capacity(leaves.len());
        for leaf in leaves {
            extents.push(match self.core.offset_of(leaf.address(), leaf.nbytes()) {
                Some(offset) => Extent { offset, nbytes: leaf.nbytes() },
                None => self.write(py, leaf)?,
            });
        }
        self.core.tell_of(extents).map_err(|error| raise(py, &error))
    }

    fn commit(&mut self, py: Python<'_>, body: &[u8], pipe: Option<&Bound<'_, PyAny>>) -> PyResult<Ticket> {
        let raise = |error: Error| raise(py, &error);
        let Some(pipe) = pipe else { return self.core.commit(body).map(Ticket).map_err(raise) };
        let (ticket, aside) = self.core.commit_or_flag(body).map_err(raise)?;
        self.deliver(py, ticket, Some(pipe).filter(|_| aside))
    }

    fn send(
        &mut self,
        py: Python<'_>,
        kind: Kind,
        body: &[u8],
        pipe: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Ticket> {
        if pipe.is_none() && body.len() > INLINE {
            let text =
                format!("{} bytes for a record, which has room for {INLINE} without a pipe", body.len());
            return Err(named(py, "UnitTooLarge", (text,)));
        }
        let sent = std::cell::Cell::new(None);
        let attempt = |core: &mut Core| {
            sent.set(core.try_send(kind, body)?);
            Ok(sent.get().is_some())
        };
        self.wait(py, 0, attempt, |core, slice| core.wait_to_send(kind, slice))?;
        let Some((ticket, aside)) = sent.get() else { return Err(busy("Writer")) };
        self.deliver(py, ticket, pipe.filter(|_| aside))
    }

    /// The ticket of what was sent, whose envelope goes through the pipe where there is one.
    fn deliver(
        &self,
        py: Python<'_>,
        ticket: passband_arena::Ticket,
        pipe: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Ticket> {
        if let Some(pipe) = pipe {
            pipe.call1((PyBytes::new(py, self.core.envelope()),))?;
        }
        Ok(Ticket(ticket))
    }

    /// Makes the arrays of the unit that was sent or given up read-only, for good.
    fn revoke(&mut self, py: Python<'_>) -> PyResult<()> {
        for array in self.placed.drain(..) {
            let array = array.bind(py);
            freeze(&array.getattr("base")?);
            array.call_method1("setflags", (false,))?;
        }
        Ok(())
    }
}

#[doc = stub_doc!("Unit")]
#[pyclass(frozen, module = "passband._arena")]
pub(crate) struct Unit(Py<Writer>);

#[pymethods]
impl Unit {
    #[doc = stub_doc!("Unit.empty")]
    #[pyo3(signature = (shape, dtype=None, order="C"), text_signature = "($self, shape, dtype='float32', order='C')")]
    fn empty<'py>(
        &self,
        py: Python<'py>,
        shape: &Bound<'py, PyAny>,
        dtype: Option<&Bound<'py, PyAny>>,
        order: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.0.get().empty(py, shape, dtype, order)
    }

    #[doc = stub_doc!("Unit.write")]
    fn write(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<(usize, usize)> {
        self.0.get().write_binary(py, data)
    }

    #[doc = stub_doc!("Unit.commit")]
    #[pyo3(signature = (envelope=None), text_signature = "($self, envelope=b'')")]
    fn commit(&self, py: Python<'_>, envelope: Option<&[u8]>) -> PyResult<Ticket> {
        self.0.get().commit_unit(py, envelope)
    }

    #[doc = stub_doc!("Unit.abort")]
    fn abort(&self, py: Python<'_>) -> PyResult<()> {
        self.0.get().abort_unit(py)
    }
}

/// The strides of an array in Fortran's order.
fn fortran(shape: &[isize], nbytes: usize) -> Vec<isize> {
    let elements = shape.iter().product::<isize>().max(1);
    let mut stride = nbytes as isize / elements;
    let mut strides = Vec::with_capacity(shape.len());
    for &len in shape {
        strides.push(stride);
        stride *= len.max(1);
    }
    strides
}

/// A function of the codec.
pub(super) fn codec<'py>(
    py: Python<'py>,
    cache: &'static PyOnceLock<Py<PyAny>>,
    name: &str,
) -> PyResult<&'py Bound<'py, PyAny>> {
    let found = cache.get_or_try_init(py, || {
        Ok::<_, PyErr>(py.import("passband.arena._codec")?.getattr(name)?.unbind())
    })?;
    Ok(found.bind(py))
}
