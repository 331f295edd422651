//! Synchronisation: loops that follow a carrier or a symbol clock.

mod loop_filter;
pub(crate) mod pll;

pub use pll::Pll;
