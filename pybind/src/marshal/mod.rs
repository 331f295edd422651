//! Everything between a Python call and a kernel: checks, conversion, allocation, `out=`, errors.
//!
//! A call converts `x` (which may run Python code), takes the kernel's busy flag, asks how many
//! outputs there will be, allocates or checks `out`, runs, trims, and releases the flag by a
//! guard. All that can be refused is refused before the kernel runs, so that a refused call
//! changes nothing. Kernels appear here as [`Erased`]: one virtual call on bytes of checked type.
//!
//! `unsafe` code is in `array` (memory of arrays) and `cell` (the busy flag) only.

mod argument;
mod array;
mod call;
mod cell;
mod dtype;
mod erased;
mod error;
mod function;
mod input;
mod output;
mod taps;

pub(crate) use argument::{flag, positive, ratio, real, shown, whole};
pub(crate) use call::{Kernel, Spec, Target, call, call_into, flush, generate, step};
pub(crate) use cell::Exclusive;
pub(crate) use dtype::{Dtype, chosen};
pub(crate) use erased::{Detect, Erased, Map, MapInPlace, Rate, Run, Source};
pub(crate) use error::{because, busy, given, refused, room, state_error, type_error, value_error};
pub(crate) use function::{fill, map};
pub(crate) use input::{floating, one_of};
pub(crate) use taps::{Taps, WithTaps};
