//! Every kernel of the catalog at every SIMD level of this machine: against its reference, for
//! every length around the vector widths, cut anywhere, saved and resumed anywhere.
//!
//! Prints one line per level; the gate compares the levels with the CPU's flags. The environment
//! variable `PASSBAND_KERNEL` names the families or kernels to check instead of all: `filter.Fir`.

#![cfg(feature = "testing")]

use passband_kernels::testing::{About, Case, Deviation, Piece, Plan, Rng, SEED, same_bits};
use passband_kernels::{SimdLevel, catalog};

/// A length that no vector width divides, longer than every scratch.
const LONG: usize = 1531;

/// The cases to check.
fn cases() -> Vec<Case> {
    let only = std::env::var("PASSBAND_KERNEL").unwrap_or_default();
    let only: Vec<_> = only.split_whitespace().collect();
    let wanted = |case: &Case| {
        let About { family, kernel, .. } = case.about;
        only.is_empty() || only.contains(&family) || only.contains(&format!("{family}.{kernel}").as_str())
    };
    let cases: Vec<_> = catalog::all().into_iter().filter(wanted).collect();
    assert!(!cases.is_empty(), "PASSBAND_KERNEL: expected kernels of the catalog, given {only:?}");
    cases
}

/// Calls `check` with every case at every level and prints how many there were.
fn everywhere(what: &str, check: impl Fn(&Case, SimdLevel)) {
    let cases = cases();
    for level in SimdLevel::available() {
        for case in &cases {
            check(case, level);
        }
        println!("level {level}: {} cases, {what}, seed {SEED}", cases.len());
    }
}

/// Fails, naming the case, where two plans over one stream differ.
fn assert_same(case: &Case, whole: &[f64], plan: &Plan) {
    if let Some(at) = same_bits(&case.run(plan), whole) {
        panic!("{case} at {}: output {at} depends on the split\n{plan:?}", plan.level);
    }
}

#[test]
fn results_are_within_their_bounds() {
    let cases = cases();
    let mut worst = vec![Deviation::default(); cases.len()];
    for level in SimdLevel::available() {
        for (case, worst) in cases.iter().zip(&mut worst) {
            for len in (0..=4 * case.lanes + 1).chain([LONG]) {
                *worst = worst.with(case.deviation(&Plan::bounded(level, len)));
            }
        }
        println!("level {level}: {} cases, against the reference, seed {SEED}", cases.len());
    }
    let every_level = SimdLevel::available().count() == 4;
    let mut faults = vec![];
    for (case, worst) in cases.iter().zip(&worst) {
        let (error, snr, about) = (worst.max_error, worst.snr_db(), &case.about);
        println!(
            "{case}: error {error:.2e} of {:.2e}, SNR {snr:.1} of {:.1} dB",
            about.max_error, about.snr_db
        );
        if error > about.max_error || snr < about.snr_db {
            faults.push(format!("{case}: error {error:.2e} or SNR {snr:.1} dB out of bounds"));
        }
        // A bound far above what is measured would let a fault through.
        if every_level && (about.max_error > 2.0 * error || about.snr_db < snr - 6.0) {
            faults.push(format!("{case}: bounds are over twice the error {error:.2e} or SNR {snr:.1} dB"));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn every_single_cut_gives_the_same_bits() {
    everywhere("cut once everywhere", |case, level| {
        let plan = Plan::whole(level, SEED, 2 * case.lanes + 3);
        let whole = case.run(&plan);
        (0..=plan.len).for_each(|at| assert_same(case, &whole, &plan.cut(at)));
        let plan = Plan::whole(level, SEED, LONG);
        let whole = case.run(&plan);
        (0..=plan.len).step_by(37).for_each(|at| assert_same(case, &whole, &plan.cut(at)));
    });
}

#[test]
fn random_cuts_rooms_snapshots_and_alignments_give_the_same_bits() {
    everywhere("cut, resumed and misaligned at random", |case, level| {
        let mut rng = Rng::new(SEED);
        for len in [1, case.lanes + 1, 4 * case.lanes + 1, LONG] {
            let plan = Plan::whole(level, SEED, len);
            let whole = case.run(&plan);
            (0..12).for_each(|_| assert_same(case, &whole, &plan.shredded(&mut rng)));
        }
    });
}

#[test]
fn a_state_saved_at_one_level_continues_at_another() {
    let levels: Vec<_> = SimdLevel::available().collect();
    everywhere("resumed at every level", |case, level| {
        let whole = |level| case.run(&Plan::whole(level, SEED, LONG));
        let before = whole(level);
        for other in &levels {
            let mut plan = Plan::whole(level, SEED, LONG).cut(LONG / 2);
            plan.pieces.push(Piece { take: 0, room: None, resume: Some(*other) });
            let (resumed, after) = (case.run(&plan), whole(*other));
            // Up to the cut as one level gives it, from there on as the other does.
            let at = resumed.iter().zip(&before).take_while(|(a, b)| a.to_bits() == b.to_bits()).count();
            let exact = same_bits(&resumed[at..], &after[at..]).is_none();
            // Feedback keeps the roundings of the level it comes from: where levels round
            // differently the result is neither's, with at most the errors of both.
            let alike = same_bits(&before, &after).is_none();
            let good = case.deviation(&plan).max_error <= 2.0 * case.about.max_error;
            assert!(exact || (!alike && good), "{case}: saved at {level}, resumed at {other}");
        }
    });
}

#[test]
fn kernel_ids_name_one_kernel_each() {
    let mut seen = std::collections::BTreeMap::new();
    for case in catalog::all() {
        if let Some(id) = case.id {
            let first = seen.entry(id).or_insert(case.about.kernel);
            assert_eq!(*first, case.about.kernel, "id {id:#010x} is used twice");
            let name = passband_kernels::state::id::name(id).to_string();
            assert!(name.starts_with(case.about.kernel), "id {id:#010x} is called {name}");
        }
    }
}
