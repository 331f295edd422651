//! What tests, fuzz targets and benches share: cases, seeded signals, guarded buffers, comparers.
//!
//! A [`Case`] is one kernel over one set of sample types with everything that a check needs and
//! nothing that depends on those types, so that one table drives all checks. Build one with the
//! function of its shape: [`blockwise`], [`variable_length`], [`detector`], [`function`] and so on.

mod bounds;
mod case;
mod compare;
mod guard;
mod peak;
mod plan;
pub mod planted;
mod reference;
mod shapes;
mod signal;

pub use crate::filter::sos::{butterworth, rows};
pub(crate) use bounds::{EXACT, PairBounds, float_bounds, float_pairs};
pub use case::{About, Case, Shape};
pub use compare::{Deviation, same_bits, values};
pub use guard::{Guarded, misaligned};
pub use peak::Arithmetic;
pub use plan::{Damage, Piece, Plan, SEED};
pub(crate) use reference::Sum;
pub use reference::{cascade, cascade_exactly, convolve, convolve_exactly, dft, inner_product, products};
pub use shapes::{
    Value, batch, blockwise, buffered, channels, data_dependent, detector, function, function_of_three,
    function_of_two, function_to_two, generator, in_place, measure, record_function, running_function, sink,
    two_input, two_output, value, value_of_two, variable_length, window,
};
pub use signal::{Random, Rng, signal};
use signal::{second_signal, third_signal};
