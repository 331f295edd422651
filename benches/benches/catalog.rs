//! Every kernel of the catalog at every SIMD level, in cache and out of it.
//!
//! `cargo bench` times each with criterion and prints samples per second, the level, and the
//! fraction of the limit that binds. `cargo bench -- NAME` picks by name; `PASSBAND_RECORD=FILE`
//! writes the lines as CSV.

use criterion::{Criterion, Throughput};
use passband_benches::Limits;
use passband_kernels::testing::Case;
use passband_kernels::{SimdLevel, catalog};
use std::fmt::Write;
use std::time::Duration;

const LENGTHS: [usize; 2] = [4096, 65536];

fn main() {
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(400))
        .sample_size(20)
        .without_plots()
        .configure_from_args();
    let mut record = "kernel,variant,level,inputs,samples_per_second,limit,fraction\n".to_owned();
    for case in catalog::all().iter().filter(|case| case.about.benched) {
        for level in SimdLevel::available() {
            for len in LENGTHS {
                record.push_str(&bench(&mut criterion, case, level, len));
            }
        }
    }
    criterion.final_summary();
    if let Some(path) = std::env::var_os("PASSBAND_RECORD") {
        std::fs::write(path, record).expect("PASSBAND_RECORD: a file to write to");
    }
}

/// Times one case and prints its line; the line as CSV, or nothing where the name was not asked for.
fn bench(criterion: &mut Criterion, case: &Case, level: SimdLevel, len: usize) -> String {
    let about = &case.about;
    let kernel = format!("{}.{}", about.family, about.kernel);
    let mut limits = Limits::new(case, level, len);
    let mut call = case.bench(level, len);
    let mut group = criterion.benchmark_group(&kernel);
    group.throughput(Throughput::Elements(len as u64));
    group.bench_function(format!("{}/{level}/{len}", about.variant), |bencher| {
        bencher.iter_custom(|calls| limits.measure(calls, &mut call));
    });
    group.finish();
    let mut line = String::new();
    if limits.seconds().is_finite() {
        let (limit, fraction) = limits.binding();
        let rate = len as f64 / limits.seconds();
        println!("{case}, {len} inputs: {rate:.3e} samples/s, {level}, {fraction:.2} of {limit}\n");
        let variant = about.variant.replace(',', ";");
        writeln!(line, "{kernel},{variant},{level},{len},{rate:.4e},{limit},{fraction:.3}")
            .expect("a string");
    }
    line
}
