//! Whether every kernel of the catalog is in the firmware image, whose cases run here.

#![cfg(feature = "testing")]

use passband_kernels::catalog;
use std::collections::BTreeSet;

#[path = "../firmware/src/cases/mod.rs"]
mod cases;
#[path = "../firmware/src/inputs.rs"]
mod inputs;
#[path = "../firmware/src/report.rs"]
mod report;
#[path = "../firmware/src/shapes.rs"]
mod shapes;

#[test]
fn every_kernel_is_in_the_firmware_image() {
    let mut out = String::new();
    cases::run(&mut report::Report { out: &mut out, lap: &mut || 0 }).expect("arguments that make sense");
    let names: Vec<_> = out.lines().filter_map(|line| line.strip_prefix("case ")).collect();
    let (kernels, catalog) = (names.iter().filter_map(|name| name.split(' ').next()), catalog::all());
    let run: BTreeSet<_> = kernels.map(str::to_owned).collect();
    let all: BTreeSet<_> =
        catalog.iter().map(|case| format!("{}.{}", case.about.family, case.about.kernel)).collect();
    let missing: Vec<_> = all.difference(&run).collect();
    assert!(missing.is_empty(), "missing in kernels/firmware/src/cases: {missing:?}");
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "two cases have one name");
}
