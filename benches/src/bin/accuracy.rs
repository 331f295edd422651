//! Measures every kernel of the catalog at every SIMD level of this machine against its reference, and
//! prints the errors beside their bounds as a Markdown page.

use passband_kernels::testing::{Case, Deviation, Plan};
use passband_kernels::{SimdLevel, catalog};
use std::collections::BTreeMap;
use std::thread;

/// Lengths that the tests hold against the bounds.
const LENGTHS: [usize; 4] = [1, 17, 33, 1531];

/// The cases of a kernel over one type of samples.
#[derive(Default)]
struct Row {
    cases: usize,
    /// The largest error at each level.
    errors: Vec<f64>,
    /// The largest bound of the cases.
    bound: f64,
    /// The case with the largest error, and that error.
    worst: (String, f64),
}

fn main() {
    let levels: Vec<_> = SimdLevel::available().collect();
    let cases = catalog::all();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let measured: Vec<Vec<f64>> = thread::scope(|scope| {
        let share = cases.len().div_ceil(cores);
        let parts: Vec<_> = cases
            .chunks(share)
            .map(|part| scope.spawn(|| part.iter().map(errors).collect::<Vec<_>>()))
            .collect();
        parts.into_iter().flat_map(|part| part.join().expect("a kernel within its contract")).collect()
    });

    let mut rows: BTreeMap<_, Row> = BTreeMap::new();
    for (case, errors) in cases.iter().zip(measured) {
        let (samples, size) = case.about.samples_and_size();
        let row = rows.entry((case.about.family, case.about.kernel, samples)).or_default();
        let worst = errors.iter().copied().fold(0.0, f64::max);
        row.cases += 1;
        row.errors.resize(levels.len(), 0.0);
        row.errors.iter_mut().zip(&errors).for_each(|(most, error)| *most = most.max(*error));
        row.bound = row.bound.max(case.about.max_error);
        if worst > row.worst.1 {
            row.worst = (size.to_owned(), worst);
        }
    }
    print(&levels, &rows);
}

/// The largest error of a case at each level.
fn errors(case: &Case) -> Vec<f64> {
    let mut errors = vec![];
    for level in SimdLevel::available() {
        let deviation = |len| case.deviation(&Plan::bounded(level, len));
        errors.push(LENGTHS.map(deviation).into_iter().fold(Deviation::default(), Deviation::with).max_error);
    }
    errors
}

fn print(levels: &[SimdLevel], rows: &BTreeMap<(&str, &str, &str), Row>) {
    let cases: usize = rows.values().map(|row| row.cases).sum();
    let exact = rows.values().filter(|row| row.bound == 0.0).count();
    println!(include_str!("accuracy.md"), cases = cases, rows = rows.len(), exact = exact);
    let heads: Vec<_> = levels.iter().map(SimdLevel::to_string).collect();
    println!("| kernel | samples | cases | {} | bound | worst case |", heads.join(" | "));
    println!("|{}", " --- |".repeat(5 + levels.len()));
    for ((family, kernel, samples), row) in rows {
        let figure = |error: &f64| if *error == 0.0 { "exact".into() } else { format!("{error:.1e}") };
        let errors: Vec<_> = row.errors.iter().map(figure).collect();
        let (errors, bound) = (errors.join(" | "), figure(&row.bound));
        println!(
            "| `{family}.{kernel}` | {samples} | {} | {errors} | {bound} | {} |",
            row.cases, row.worst.0
        );
    }
}
