//! Shared memory for blocks of samples: the home of pools, rings and leases.
//!
//! The arena lets one process write a block of samples and another read it in place. It will hold
//! segments of shared memory (anonymous, named and file-backed), pools of equal units, single-producer
//! rings, leases that count the readers of a unit, and recovery after the death of a process. It
//! requires `std` and an operating system.
//!
//! The arena knows nothing of signal processing. A kernel of `passband-kernels` meets it only where the
//! kernel's `out` slice lies in a unit of the arena.
//!
//! This version of the crate has no public items.
