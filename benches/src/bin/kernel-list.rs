//! Prints the list of kernels as a Markdown page, from the catalog.

use passband_kernels::catalog;
use std::collections::BTreeMap;

fn main() {
    println!("# Kernels\n");
    println!("| kernel | what it does | shape | samples | error | signal to error |");
    println!("| --- | --- | --- | --- | --- | --- |");
    let mut rows = BTreeMap::new();
    for case in catalog::all() {
        let about = &case.about;
        let samples = about.samples_and_size().0.to_owned();
        let row: &mut Row = rows.entry((about.family, about.kernel)).or_insert_with(|| Row {
            summary: about.summary,
            shape: case.shape.to_string(),
            samples: vec![],
            max_error: 0.0,
            snr_db: f64::INFINITY,
        });
        if !row.samples.contains(&samples) {
            row.samples.push(samples);
        }
        row.max_error = row.max_error.max(about.max_error);
        row.snr_db = row.snr_db.min(about.snr_db);
    }
    for ((family, kernel), row) in rows {
        let Row { summary, shape, samples, max_error, snr_db } = row;
        let samples = samples.join(", ");
        let (error, snr) = if max_error == 0.0 {
            ("exact".into(), "exact".into())
        } else {
            (format!("{max_error:.1e}"), format!("{snr_db:.0} dB"))
        };
        println!("| `{family}.{kernel}` | {summary} | {shape} | {samples} | {error} | {snr} |");
    }
    println!("\nErrors are the bounds that tests assert at every SIMD level, the largest over a kernel's");
    println!("sample types and sizes, for random inputs and coefficients in [-1, 1).");
}

struct Row {
    summary: &'static str,
    shape: String,
    samples: Vec<String>,
    max_error: f64,
    snr_db: f64,
}
