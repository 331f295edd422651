//! quick
#![allow(clippy::all, clippy::pedantic)]
use passband_kernels::{SimdLevel, catalog};
use std::time::Instant;
fn main() {
    let want = std::env::args().nth(1).unwrap_or_default();
    for case in catalog::all().iter().filter(|c| c.about.benched && c.to_string().contains(&want)) {
        for level in SimdLevel::available() {
            for n in [1usize, 4096, 65536] {
                let mut f = case.bench(level, n);
                let inner = (2_000_000 / (n * case.about.flops as usize + 300)).max(1);
                let mut best = f64::MAX;
                for _ in 0..60 {
                    let t = Instant::now();
                    for _ in 0..inner {
                        f();
                    }
                    best = best.min(t.elapsed().as_secs_f64() / inner as f64);
                }
                print!(
                    "{case} {level:8} n={n:6} {:9.1} MSa/s {:6.1} GFLOP/s {:7.1} ns | ",
                    n as f64 / best / 1e6,
                    n as f64 * case.about.flops / best / 1e9,
                    best * 1e9
                );
            }
            println!();
        }
    }
}
