//! Saturating arithmetic on fixed-point fractions, the same bits on every level and target.

pub(crate) mod add;

pub use add::{Arithmetic, add, add_with};
