//! Everything between a Python call and a kernel: checks, conversion, allocation, `out=`, errors.
//!
//! A call converts `x` (which may run Python code), takes the kernel's busy flag, asks how many
//! outputs there will be, allocates or checks `out`, runs, trims, and releases the flag by a
//! guard. All that can be refused is refused before the kernel runs, so that a refused call
//! changes nothing. Kernels appear here as [`Erased`]: one virtual call on bytes of checked type.
//!
//! `unsafe` code is in `array`, `samples`, `view` and `range` (memory of arrays), `dlpack` (memory of devices)
//! and `cell` (the busy flag) only.

mod argument;
mod array;
mod call;
mod cell;
mod dlpack;
mod dtype;
mod erased;
mod error;
mod function;
mod grid;
mod input;
mod named;
mod output;
mod range;
mod samples;
mod sections;
mod several;
mod snapshot;
mod taps;
mod value;
mod view;
mod wrap;

pub(crate) use argument::{
    axis, counted, endless, flag, function, lengths, limits, long, modulo_two, name, number, positive, power,
    ratio, real, real_or_none, register, seed, short_time, shown, strides, time, time_or_none, whole,
    whole_or_none, word,
};
pub(crate) use call::{Kernel, Spec, Target, call, call_into, flush, generate, max_out, step};
pub(crate) use cell::{Exclusive, Guard};
pub(crate) use dlpack::{CUDA, capsule};
pub(crate) use dtype::{Dtype, chosen};
pub(crate) use erased::{Erased, Run};
pub(crate) use error::{because, busy, given, made_in_room, refused, room, type_error, value_error};
pub(crate) use function::{fill, find, map, map_several, map_to_two, sample, value_of, value_of_two};
pub(crate) use grid::{Layout, call_grid};
pub(crate) use input::{complex, fixed_point, floating, numpy, one_of, real_numbers, three_of, two_of};
pub(crate) use named::NamedTuple;
pub(crate) use range::{device_range, foreign_stream, host_range, keep_all_from_now_on, whole_range};
pub(crate) use sections::Sections;
pub(crate) use several::{call_two_inputs, call_two_outputs, step_two_inputs, step_two_outputs};
pub(crate) use snapshot::{load, save};
pub(crate) use taps::{Taps, WithTaps};
pub(crate) use value::{measure, push, value, window_view};
pub(crate) use view::{memory_of, new_octets, new_view, number_type, plain_array};
pub(crate) use wrap::{
    Detect, Frames, Gauge, Map, MapInPlace, MapShown, Pushed, Rate, RateHeld, Source, TwoIn, TwoOut,
};
