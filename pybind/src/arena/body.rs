//! Bodies of envelopes: what a unit says about itself.
//!
//! The first byte tells a bare array, whose type and shape follow, from an object of the codec. Of the
//! latter each binary has a byte that tells what its bytes came from, so that a ring can copy them to
//! where they belong.

use super::export;
use crate::marshal::plain_array;
use numpy::PyArrayDescr;
use passband_arena::Kind;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};

const BARE: u8 = 1;
const CODED: u8 = 2;

/// The kinds of records, as Python knows them.
const KINDS: [(&str, Kind); 4] =
    [("item", Kind::Item), ("end", Kind::End), ("error", Kind::Error), ("started", Kind::Started)];

pub(super) fn kind_named(name: &str) -> Option<Kind> {
    KINDS.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind)
}

pub(super) fn name_of(kind: Kind) -> &'static str {
    KINDS.iter().find(|(_, known)| *known == kind).map_or("", |(name, _)| name)
}

/// What the bytes of a binary were in the writer's process.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Memory,
    Bytes,
    ByteArray,
}

impl Form {
    pub(super) fn of(leaf: &Bound<'_, PyAny>) -> Self {
        if leaf.is_exact_instance_of::<PyBytes>() {
            Self::Bytes
        } else if leaf.is_exact_instance_of::<PyByteArray>() {
            Self::ByteArray
        } else {
            Self::Memory
        }
    }
}

/// What an envelope holds.
pub(super) enum Body<'a> {
    /// The type and the shape of one array.
    Bare(&'a [u8]),
    /// The forms of the binaries, and the codec's own bytes.
    Coded(&'a [u8], &'a [u8]),
}

/// The parts of a body; none where it is not one.
pub(super) fn split(body: &[u8], binaries: usize) -> Option<Body<'_>> {
    match body.split_first()? {
        (&BARE, rest) if binaries == 1 => Some(Body::Bare(rest)),
        (&CODED, rest) => rest.split_at_checked(binaries).map(|(forms, rest)| Body::Coded(forms, rest)),
        _ => None,
    }
}

pub(super) fn form(code: u8) -> Form {
    match code {
        1 => Form::Bytes,
        2 => Form::ByteArray,
        _ => Form::Memory,
    }
}

/// The body of an object of the codec.
pub(super) fn coded(forms: &[Form], body: &[u8]) -> Vec<u8> {
    let mut whole = Vec::with_capacity(1 + forms.len() + body.len());
    whole.push(CODED);
    whole.extend(forms.iter().map(|form| *form as u8));
    whole.extend_from_slice(body);
    whole
}

/// The body for an array alone, if it is plain: its elements numbers in this machine's order, each after
/// the other in memory.
pub(super) fn bare(object: &Bound<'_, PyAny>) -> Option<Vec<u8>> {
    let (number, shape, writable) = plain_array(object)?;
    let mut body = Vec::with_capacity(3 + 8 * shape.len());
    body.extend([BARE, number, u8::from(writable)]);
    body.extend(shape.iter().flat_map(|len| len.to_le_bytes()));
    Some(body)
}

/// The array that a bare body describes, over its bytes.
pub(super) fn restore<'py>(base: &Bound<'py, PyAny>, body: &[u8]) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(([number, writable], lengths)) = body.split_first_chunk() else { return Ok(None) };
    let (lengths, rest) = lengths.as_chunks::<8>();
    if !rest.is_empty() || lengths.len() > 64 {
        return Ok(None);
    }
    let Some(dtype) = descr(base.py(), *number) else { return Ok(None) };
    let mut shape = [0; 64];
    for (len, bytes) in shape.iter_mut().zip(lengths) {
        *len = isize::from_le_bytes(*bytes);
    }
    export::array_over(base, &dtype, &shape[..lengths.len()], None, 0, *writable != 0).map(Some)
}

/// The descriptor of a type number that [`bare`] may write.
fn descr(py: Python<'_>, number: u8) -> Option<Bound<'_, PyArrayDescr>> {
    crate::marshal::number_type(py, number)
}
