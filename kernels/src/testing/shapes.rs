//! From a kernel to a [`Case`](super::Case): one constructor per shape.
//!
//! Each takes what the kernel is, how to make it for a level, and an independent reference over
//! the input (of several, where it says so).

#![expect(clippy::missing_panics_doc, reason = "panics belong to `Case::run`, which documents them")]

mod functions;
mod other;
mod rate;
mod records;
mod steps;
mod stream;

pub use functions::{
    Value, function, function_of_three, function_of_two, function_to_two, running_function, value,
    value_of_two, window,
};
pub use other::{batch, generator, sink};
pub use rate::{buffered, data_dependent, variable_length};
pub use records::{detector, measure, record_function};
pub use steps::{blockwise, channels, in_place, two_input, two_output};
