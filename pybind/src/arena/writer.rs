//! The writing end.

use super::body::{Form, bare, coded, kind_named};
use super::error::raise;
use super::export::{Leaf, array_over, freeze, wrap};
use super::ticket::Ticket;
use super::unit::{Placement, Unit};
use crate::declare::stub_doc;
use crate::marshal::{Exclusive, Guard, busy, function, number, time, value_error, whole, whole_or_none};
use passband_arena::{Arena, Error, Extent, Kind, SLICE, Writer as Core, envelope_in_unit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyBytes;
use std::time::{Duration, Instant};

/// Copies of more bytes than this let other threads run.
pub(super) const LONG: usize = 1 << 18;

#[doc = stub_doc!("Writer")]
#[pyclass(frozen, module = "passband._arena")]
pub(crate) struct Writer {
    state: Exclusive<State>,
    arena: Arena,
}

pub(super) struct State {
    core: Core,
    is_pool: bool,
    /// The bytes of the largest unit.
    limit: usize,
    /// How many units were begun.
    begun: u64,
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
    fn begin_unit(
        slf: &Bound<'_, Self>,
        #[pyo3(from_py_with = whole_or_none::nbytes)] nbytes: Option<usize>,
    ) -> PyResult<Unit> {
        let mut state = slf.get().take()?;
        let nbytes = match nbytes {
            Some(nbytes) => nbytes,
            None if state.is_pool => state.limit,
            None => {
                return Err(value_error("nbytes", "the bytes of the unit, which a ring reserves", "None"));
            }
        };
        state.begin(slf.py(), nbytes)?;
        Ok(Unit::new(slf.clone().unbind(), state.begun))
    }

    #[doc = stub_doc!("Writer.empty")]
    #[pyo3(signature = (shape, dtype=None, order=None), text_signature = "($self, shape, dtype='float32', order='C')")]
    fn empty<'py>(
        &self,
        py: Python<'py>,
        shape: &Bound<'py, PyAny>,
        dtype: Option<&Bound<'py, PyAny>>,
        order: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let placement = Placement::of(py, shape, dtype, order)?;
        let mut state = self.take()?;
        if !state.core.has_unit() {
            state.core.check_placement().map_err(|error| raise(py, &error))?;
            // All of the segment, as others may follow.
            let nbytes = state.limit.max(placement.nbytes);
            state.begin(py, nbytes)?;
        }
        state.place(py, &placement)
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
        self.take()?.commit_unit(py, envelope)
    }

    #[doc = stub_doc!("Writer.abort_unit")]
    fn abort_unit(&self, py: Python<'_>) -> PyResult<()> {
        self.take()?.abort_unit(py)
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
        let (py, this, pipe) = (slf.py(), slf.get(), function("pipe", pipe)?);
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
        self.put_coded(py, body, &leaves, function("pipe", pipe)?)
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
        let pipe = function("pipe", pipe)?;
        self.take()?.send(py, kind, &coded(&[], body), pipe)
    }

    #[doc = stub_doc!("Writer.wanted_pass")]
    fn wanted_pass(&self, py: Python<'_>) -> PyResult<u64> {
        self.take()?.core.wanted_pass().map_err(|error| raise(py, &error))
    }

    #[doc = stub_doc!("Writer.wait_for_pass")]
    fn wait_for_pass(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = whole::after)] after: usize,
        #[pyo3(from_py_with = time::timeout)] timeout: Duration,
    ) -> PyResult<Option<u64>> {
        let (start, after) = (Instant::now(), after as u64);
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
    fn begin_pass(&self, py: Python<'_>, #[pyo3(from_py_with = whole::pass_)] pass_: usize) -> PyResult<()> {
        let mut state = self.take()?;
        state.core.begin_pass(pass_ as u64);
        state.revoke(py)
    }

    #[doc = stub_doc!("Writer.limit_ahead")]
    fn limit_ahead(&self, #[pyo3(from_py_with = number::items)] items: usize) -> PyResult<()> {
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
        let state = Exclusive::new(State { core, is_pool, limit, begun: 0, placed: Vec::new() });
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

    pub(super) fn take(&self) -> PyResult<Guard<'_, State>> {
        self.state.try_take().ok_or_else(|| busy("Writer"))
    }
}

impl State {
    /// Begins a unit, waiting for room while other threads run.
    fn begin(&mut self, py: Python<'_>, nbytes: usize) -> PyResult<()> {
        self.wait(py, nbytes, |core| core.try_begin(nbytes), |core, slice| core.wait(nbytes, slice))?;
        self.begun += 1;
        Ok(())
    }

    /// Whether the open unit is the one of this number.
    pub(super) fn has_begun(&self, number: u64) -> bool {
        self.begun == number && self.core.has_unit()
    }

    /// An array in the open unit.
    pub(super) fn place<'py>(
        &mut self,
        py: Python<'py>,
        placement: &Placement<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Placement { dtype, shape, strides, nbytes } = placement;
        let (_, export) = self.core.place(*nbytes).map_err(|error| raise(py, &error))?;
        let array = array_over(&wrap(py, export)?, dtype, shape, strides.as_deref(), 0, true)?;
        self.placed.push(array.clone().unbind());
        Ok(array)
    }

    pub(super) fn commit_unit(&mut self, py: Python<'_>, envelope: Option<&[u8]>) -> PyResult<Ticket> {
        let ticket = self.core.commit(envelope.unwrap_or_default()).map_err(|error| raise(py, &error))?;
        self.revoke(py)?;
        Ok(Ticket(ticket))
    }

    pub(super) fn abort_unit(&mut self, py: Python<'_>) -> PyResult<()> {
        self.core.abort();
        self.revoke(py)
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

    pub(super) fn write(&mut self, py: Python<'_>, leaf: &Leaf<'_>) -> PyResult<Extent> {
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
            let envelope = envelope_in_unit(leaves.len(), body.len());
            let inline = envelope == 0;
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
        let sent = match pipe {
            Some(pipe) => self.core.commit_by(&mut |envelope| carry(pipe, envelope), body),
            None => self.core.commit(body),
        };
        sent.map(Ticket).map_err(|error| raise(py, &error))
    }

    fn send(
        &mut self,
        py: Python<'_>,
        kind: Kind,
        body: &[u8],
        pipe: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Ticket> {
        let sent = std::cell::Cell::new(None);
        let attempt = |core: &mut Core| {
            let ticket = match pipe {
                Some(pipe) => core.try_send(kind, body, Some(&mut |envelope| carry(pipe, envelope))),
                None => core.try_send(kind, body, None),
            };
            sent.set(ticket?);
            Ok(sent.get().is_some())
        };
        self.wait(py, 0, attempt, |core, slice| core.wait_to_send(kind, slice))?;
        sent.get().map(Ticket).ok_or_else(|| busy("Writer"))
    }

    /// Makes the arrays of the unit that was sent or given up read-only, for good.
    fn revoke(&mut self, py: Python<'_>) -> PyResult<()> {
        for array in self.placed.drain(..) {
            let array = array.bind(py);
            freeze(&array.getattr(intern!(py, "base"))?);
            array.call_method1(intern!(py, "setflags"), (false,))?;
        }
        Ok(())
    }
}

/// Has an envelope carried by the user's pipe.
fn carry(pipe: &Bound<'_, PyAny>, envelope: &[u8]) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    pipe.call1((PyBytes::new(pipe.py(), envelope),))?;
    Ok(())
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
