//! Synchronisation: loops that follow a carrier or a symbol clock.

mod loop_filter;
pub(crate) mod pll;
pub(crate) mod symbol_sync;

pub use pll::Pll;
pub use symbol_sync::{Symbol, SymbolSync};
