//! The limits that a kernel runs against, measured in turn with the kernel.
//!
//! Machines are shared and change their clock, so a rate means little by itself. What a benchmark
//! reports is the fraction of the limit that binds: the arithmetic of the level in use or the
//! memory that its working set lies in, each timed right beside the kernel.

use passband_kernels::SimdLevel;
use passband_kernels::testing::{Arithmetic, Case};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The shortest times of one call of a kernel, of its arithmetic alone and of its traffic alone.
pub struct Limits {
    arithmetic: Arithmetic,
    level: SimdLevel,
    /// Operations and bytes of one call.
    flops: f64,
    bytes: f64,
    from: Vec<u8>,
    to: Vec<u8>,
    kernel: f64,
    operation: f64,
    byte: f64,
}

impl Limits {
    /// Limits of `case` at `level` over calls of `len` inputs.
    #[must_use]
    pub fn new(case: &Case, level: SimdLevel, len: usize) -> Self {
        let bytes = case.about.bytes * len as f64;
        let half = vec![0; (bytes / 2.0).ceil().max(1.0) as usize];
        Self {
            arithmetic: case.arithmetic,
            level,
            flops: case.about.flops * len as f64,
            bytes,
            from: half.clone(),
            to: half,
            kernel: f64::INFINITY,
            operation: f64::INFINITY,
            byte: f64::INFINITY,
        }
    }

    /// Times `calls` of the kernel, then the limits for about a tenth as long.
    pub fn measure(&mut self, calls: u64, mut kernel: impl FnMut()) -> Duration {
        let start = Instant::now();
        for _ in 0..calls {
            kernel();
        }
        let elapsed = start.elapsed();
        self.kernel = self.kernel.min(elapsed.as_secs_f64() / calls as f64);
        self.measure_limits();
        elapsed
    }

    fn measure_limits(&mut self) {
        const ROUNDS: usize = 2000;
        for _ in 0..8 {
            let start = Instant::now();
            let operations = self.arithmetic.exercise(self.level, black_box(ROUNDS));
            self.operation = self.operation.min(start.elapsed().as_secs_f64() / operations);
        }
        let copies = (200_000 / self.from.len()).clamp(1, 1000);
        for _ in 0..4 {
            let start = Instant::now();
            for _ in 0..copies {
                black_box(&mut self.to).copy_from_slice(black_box(&self.from));
            }
            let bytes = (2 * copies * self.from.len()) as f64;
            self.byte = self.byte.min(start.elapsed().as_secs_f64() / bytes);
        }
    }

    /// The shortest time of one call in seconds.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.kernel
    }

    /// The limit that takes longer for one call, and the fraction of it that the kernel reached.
    #[must_use]
    pub fn binding(&self) -> (&'static str, f64) {
        let (arithmetic, memory) = (self.flops * self.operation, self.bytes * self.byte);
        if arithmetic > memory {
            ("arithmetic", arithmetic / self.kernel)
        } else {
            ("memory", memory / self.kernel)
        }
    }
}
