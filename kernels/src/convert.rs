//! Conversions between the codes of converters and files and floating point.

pub(crate) mod float_to_int;
pub(crate) mod int_to_float;

pub use float_to_int::F32ToI16;
pub use int_to_float::{Code, I8ToF32, I16ToF32, IntToFloat, U8ToF32};
