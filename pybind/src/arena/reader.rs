//! The reading end.

use super::body::{self, Body, Form, form, name_of, split};
use super::error::{named, raise};
use super::export::{memoryview, new_bytearray, new_bytes, wrap};
use super::pool::not_a_ticket;
use super::ticket::Ticket;
use super::writer::{LONG, codec};
use crate::declare::stub_doc;
use crate::marshal::{Exclusive, Guard, busy, function, given, time_or_none, type_error, whole, word};
use passband_arena::{Arena, Carried, Error, Extent, Reader as Core, SLICE};
use pyo3::exceptions::PyTimeoutError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyList};
use std::mem::MaybeUninit;
use std::time::{Duration, Instant};

#[doc = stub_doc!("Reader")]
#[pyclass(frozen, module = "passband._arena")]
pub(crate) struct Reader {
    state: Exclusive<State>,
    arena: Arena,
}

struct State {
    core: Core,
    /// An envelope that the pipe gave before its record was there.
    early: Option<(Carried, Py<PyBytes>)>,
    /// A record whose envelope the pipe has yet to give.
    bare: Option<passband_arena::Delivery>,
}

#[doc = stub_doc!("Delivery")]
#[pyclass(frozen, get_all, module = "passband._arena")]
pub(crate) struct Delivery {
    kind: &'static str,
    ticket: Ticket,
    body: Py<PyBytes>,
    exports: Py<PyList>,
}

#[pymethods]
impl Reader {
    #[getter]
    fn zero_copy(&self) -> bool {
        self.arena.count() > 0
    }

    #[getter]
    fn delivered(&self) -> PyResult<u64> {
        Ok(self.take()?.core.delivered())
    }

    #[doc = stub_doc!("Reader.get")]
    #[pyo3(signature = (timeout=None, *, bytes_as=None, pipe=None),
        text_signature = "($self, timeout=None, *, bytes_as='view', pipe=None)")]
    fn get<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = time_or_none::timeout)] timeout: Option<Duration>,
        bytes_as: Option<&Bound<'py, PyAny>>,
        pipe: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let bytes_as = bytes_as.map_or(Ok("view"), |given| word("bytes_as", ["view", "copy"], given))?;
        let Some(arrived) = self.arrive(py, timeout, function("pipe", pipe)?)? else {
            let seconds = timeout.unwrap_or_default().as_secs_f64();
            return Err(PyTimeoutError::new_err(format!("timeout: nothing was sent for {seconds} s")));
        };
        match arrived {
            Arrived::Array(array) => Ok(array),
            Arrived::Delivery(Delivery { kind: "item", ticket, body, exports }) => {
                static LOADS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
                codec(py, &LOADS, "loads")?.call1((body, exports, self.zero_copy(), bytes_as, ticket))
            }
            Arrived::Delivery(other) => Err(named(
                py,
                "EndpointError",
                (format!("the writer sent '{}' of a pass, which get() does not take", other.kind),),
            )),
        }
    }

    /// The next record, with its binaries; its unit is ended. None when the time is over.
    #[pyo3(signature = (timeout=None, pipe=None))]
    fn _next(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = time_or_none::timeout)] timeout: Option<Duration>,
        pipe: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<Py<PyAny>>> {
        Ok(match self.arrive(py, timeout, function("pipe", pipe)?)? {
            Some(Arrived::Delivery(delivery)) => Some(Py::new(py, delivery)?.into_any()),
            Some(Arrived::Array(array)) => Some(array.unbind()),
            None => None,
        })
    }

    #[doc = stub_doc!("Reader.read_binary")]
    fn read_binary<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = whole::offset)] offset: usize,
        #[pyo3(from_py_with = whole::nbytes)] nbytes: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let core = &mut self.take()?.core;
        take_up(py, core)?;
        let extent = Extent { offset, nbytes };
        if self.zero_copy() {
            let export = core.export(extent).map_err(|error| raise(py, &error))?;
            return memoryview(&wrap(py, export)?);
        }
        let form = if core.is_pinned() { Form::Memory } else { Form::ByteArray };
        memoryview(&copied(py, core, extent, form)?)
    }

    #[doc = stub_doc!("Reader.end_unit")]
    #[pyo3(signature = (ticket, anchors=None))]
    fn end_unit(
        &self,
        py: Python<'_>,
        ticket: &Bound<'_, PyAny>,
        anchors: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        // Exports hold their storage by themselves.
        let _ = anchors;
        let core = &mut self.take()?.core;
        take_up(py, core)?;
        let given = if let Ok(ticket) = ticket.cast::<Ticket>() {
            ticket.get().0
        } else {
            // A bare span names the unit that is being read, if it has that many bytes.
            let nbytes: usize = ticket.extract().map_err(|_| not_a_ticket(ticket))?;
            let current = core.current().filter(|current| current.nbytes == nbytes);
            let text = || format!("no unit of {nbytes} bytes is being read");
            current.ok_or_else(|| named(py, "TicketError", (text(),)))?
        };
        core.end_unit(given).map_err(|error| raise(py, &error))
    }

    #[doc = stub_doc!("Reader.reset")]
    fn reset(&self, py: Python<'_>) -> PyResult<()> {
        let core = &mut self.take()?.core;
        match core.current() {
            Some(ticket) => core.end_unit(ticket).map_err(|error| raise(py, &error)),
            None => Ok(()),
        }
    }

    #[doc = stub_doc!("Reader.shutdown_arena")]
    fn shutdown_arena(&self) {
        self.arena.shut_down();
    }

    #[doc = stub_doc!("Reader.request_pass")]
    fn request_pass(&self, py: Python<'_>) -> PyResult<u64> {
        self.take()?.core.request_pass().map_err(|error| raise(py, &error))
    }

    #[doc = stub_doc!("Reader.starves_writer")]
    fn starves_writer(&self, py: Python<'_>) -> PyResult<bool> {
        self.take()?.core.starves_writer().map_err(|error| raise(py, &error))
    }

    #[doc = stub_doc!("Reader.held")]
    fn held(&self) -> PyResult<Vec<(u64, f64, usize)>> {
        let held = self.take()?.core.held();
        Ok(held.into_iter().map(|held| (held.unit, held.age.as_secs_f64(), held.exports)).collect())
    }
}

/// What came: an array alone, where that was asked for, or anything else.
enum Arrived<'py> {
    Array(Bound<'py, PyAny>),
    Delivery(Delivery),
}

impl Reader {
    pub(super) fn new(core: Core, arena: &Arena) -> Self {
        let state = Exclusive::new(State { core, early: None, bare: None });
        Self { state, arena: arena.clone() }
    }

    fn take(&self) -> PyResult<Guard<'_, State>> {
        self.state.try_take().ok_or_else(|| busy("Reader"))
    }

    fn arrive<'py>(
        &self,
        py: Python<'py>,
        timeout: Option<Duration>,
        pipe: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Arrived<'py>>> {
        let mut state = self.take()?;
        let delivery = loop {
            let Some(delivery) = state.next(py, timeout, pipe)? else { return Ok(None) };
            if delivery.ticket.pass == state.core.pass() {
                break delivery;
            }
            state.core.end_unit(delivery.ticket).map_err(|error| raise(py, &error))?;
        };
        let arrived = self.unpack(py, &state.core, &delivery);
        // Also after an error: what escaped of the unit holds it by itself.
        state.core.end_unit(delivery.ticket).map_err(|error| raise(py, &error))?;
        arrived.map(Some)
    }

    fn unpack<'py>(
        &self,
        py: Python<'py>,
        core: &Core,
        delivery: &passband_arena::Delivery,
    ) -> PyResult<Arrived<'py>> {
        let corrupt = || named(py, "ArenaCorrupt", ("the body of an envelope says what cannot be",));
        let extents = core.extents();
        match split(core.body(), extents.len()).ok_or_else(corrupt)? {
            Body::Bare(described) => {
                let base = self.binary(py, core, extents[0], Form::Memory)?;
                let array = body::restore(&base, described)?.ok_or_else(corrupt)?;
                Ok(Arrived::Array(array))
            }
            Body::Coded(forms, coded) => {
                let exports = PyList::empty(py);
                for (extent, code) in extents.iter().zip(forms) {
                    exports.append(self.binary(py, core, *extent, form(*code))?)?;
                }
                let kind = name_of(delivery.kind);
                let (ticket, body) = (Ticket(delivery.ticket), PyBytes::new(py, coded).unbind());
                Ok(Arrived::Delivery(Delivery { kind, ticket, body, exports: exports.unbind() }))
            }
        }
    }

    /// A binary of the unit being read: where it lies in a pool, copied once from a ring.
    fn binary<'py>(
        &self,
        py: Python<'py>,
        core: &Core,
        extent: Extent,
        form: Form,
    ) -> PyResult<Bound<'py, PyAny>> {
        if self.zero_copy() {
            wrap(py, core.export(extent).map_err(|error| raise(py, &error))?)
        } else {
            copied(py, core, extent, form)
        }
    }
}

impl State {
    /// Takes the next record up, with its envelope, waiting for both while other threads run. None when
    /// the time is over: what has come by then is kept for the next call.
    fn next(
        &mut self,
        py: Python<'_>,
        timeout: Option<Duration>,
        pipe: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<passband_arena::Delivery>> {
        let raise = |error: Error| raise(py, &error);
        let mut since = None;
        loop {
            let rested = if let Some(delivery) = self.take_up().map_err(raise)? {
                if delivery.aside.is_none() || self.accept(py, &delivery, pipe)? {
                    self.early = None;
                    return Ok(Some(delivery));
                }
                true
            } else {
                self.take_early(py, pipe)?
            };
            // Only who waits looks at the clock.
            let waited = since.get_or_insert_with(Instant::now).elapsed();
            let left = timeout.map_or(SLICE, |limit| limit.saturating_sub(waited));
            if left.is_zero() {
                return Ok(None);
            }
            // A pipe waits by itself.
            if !rested {
                let core = &mut self.core;
                py.detach(|| core.wait(left.min(SLICE))).map_err(raise)?;
            }
            py.check_signals()?;
        }
    }

    /// The next record if it is there, which may be the one that lacks its envelope.
    fn take_up(&mut self) -> Result<Option<passband_arena::Delivery>, Error> {
        let known = self.bare.filter(|bare| self.core.current() == Some(bare.ticket));
        let delivery = if known.is_some() { known } else { self.core.try_next()? };
        self.bare = delivery.filter(|delivery| delivery.aside.is_some());
        Ok(delivery)
    }

    /// Empties the pipe while the writer fills it: only then its call ends, and the record is sent. False
    /// where it carries nothing new.
    fn take_early(&mut self, py: Python<'_>, pipe: Option<&Bound<'_, PyAny>>) -> PyResult<bool> {
        let Some(pipe) = pipe else { return Ok(false) };
        let Some(carried) = self.core.carried().map_err(|error| raise(py, &error))? else { return Ok(false) };
        if self.early.as_ref().is_some_and(|(early, _)| *early == carried) {
            return Ok(false);
        }
        self.early = received(pipe)?.map(|envelope| (carried, envelope.unbind()));
        Ok(true)
    }

    /// Completes a record that had no room for its envelope; false where the pipe has not brought all of
    /// it yet. One that is not the record's ends its unit.
    fn accept(
        &mut self,
        py: Python<'_>,
        delivery: &passband_arena::Delivery,
        pipe: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<bool> {
        let mut fits = |envelope: &Bound<'_, PyBytes>| self.core.accept(envelope.as_bytes());
        // That of an attempt that failed does not fit.
        if self.early.take().is_some_and(|(_, early)| fits(early.bind(py)).is_ok()) {
            return Ok(true);
        }
        let Some(pipe) = pipe else {
            let text = "the envelope of this unit comes by a way of its own: give the pipe";
            return Err(named(py, "EndpointError", (text,)));
        };
        let Some(envelope) = received(pipe)? else { return Ok(false) };
        if let Err(error) = fits(&envelope) {
            self.core.end_unit(delivery.ticket).map_err(|error| raise(py, &error))?;
            return Err(raise(py, &error));
        }
        Ok(true)
    }
}

/// What a pipe gives, none where that is not whole yet.
fn received<'py>(pipe: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let envelope = pipe.call0()?;
    if envelope.is_none() {
        return Ok(None);
    }
    let refused = || type_error("pipe", "a function that gives bytes", &given(&envelope));
    envelope.cast::<PyBytes>().cloned().map(Some).map_err(|_| refused())
}

/// Takes the next unit up where none is being read, if there is one: whoever has a ticket knows that it was
/// sent.
fn take_up(py: Python<'_>, core: &mut Core) -> PyResult<()> {
    if core.current().is_none() {
        core.try_next().map_err(|error| raise(py, &error))?;
    }
    Ok(())
}

/// A copy of a binary, in memory of the kind that it came from.
fn copied<'py>(py: Python<'py>, core: &Core, extent: Extent, form: Form) -> PyResult<Bound<'py, PyAny>> {
    let fill = |target: &mut [MaybeUninit<u8>]| {
        let mut copy = || core.read(extent.offset, target);
        let copied = if extent.nbytes > LONG { py.detach(copy) } else { copy() };
        copied.map_err(|error| raise(py, &error))
    };
    // Before there is memory for it: an extent outside the unit may have any size.
    core.locates(extent).map_err(|error| raise(py, &error))?;
    match form {
        Form::Memory if core.is_pinned() => {
            let read = py.detach(|| core.read_pinned(extent));
            wrap(py, read.map_err(|error| raise(py, &error))?)
        }
        Form::Bytes => Ok(new_bytes(py, extent.nbytes, fill)?.into_any()),
        Form::ByteArray => Ok(new_bytearray(py, extent.nbytes, fill)?.into_any()),
        Form::Memory => crate::marshal::new_octets(py, extent.nbytes, fill),
    }
}
