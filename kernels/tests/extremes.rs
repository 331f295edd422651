//! The largest and the smallest samples that the kernels are tested with.
//!
//! A kernel is homogeneous where inputs times a power of two give the same digits times a power of
//! that: linear kernels have degree 1, powers degree 2, angles degree 0. What such a kernel does with
//! samples around 1, which conformance compares with a reference, it then does with samples of any
//! size. The others are compared with their references once more.

#![cfg(feature = "testing")]

use passband_kernels::testing::{Arithmetic, Case, Deviation, Plan, same_bits};
use passband_kernels::{SimdLevel, catalog};
use std::collections::BTreeSet;

const SEED: u64 = 20_260_201;
/// A length that no vector width divides.
const LEN: usize = 517;

/// The exponents of the smallest and of the largest samples, for what is linear; a square has half of
/// them. Random numbers go down to a millionth, coefficients to a billionth of that, and sums up.
const SINGLE: [i32; 2] = [-70, 110];
const DOUBLE: [i32; 2] = [-880, 990];

/// Kernels of degree 1 that square their inputs on the way.
const SQUARING: [&str; 3] = ["SymbolSync", "rms", "std_dev"];

/// Kernels that are not homogeneous, and the exponents between which they follow their reference.
///
/// Thresholds, clipping and curves set a scale, as does the precision of an angle, which is turns in
/// an absolute measure. Outside of these exponents a result is beyond its type: `Lms` diverges with
/// a step size that is too large for the power of its input, `exp` and products overflow, and a
/// frequency in cycles per sample has no digits left behind the point.
const INHOMOGENEOUS: &[(&str, [i32; 2])] = &[
    ("Adc", [-126, 126]),
    ("BurstDetector", [-126, 60]),
    ("FloatToInt", [-126, 126]),
    ("LevelMeter", [-126, 126]),
    ("Lms", [-126, 0]),
    ("Nco", [-126, 10]),
    ("Nlms", [-126, 40]),
    ("Pid", [-120, 126]),
    ("Pll", [-100, 50]),
    ("PulseSlicer", [-126, 126]),
    ("Unwrap", [-126, 40]),
    ("amplitude_to_db", [-126, 126]),
    ("clamp", [-126, 126]),
    ("cos", [-126, 126]),
    ("exp", [-126, 6]),
    ("find_peaks", [-126, 126]),
    ("log", [-126, 126]),
    ("mac", [-126, 60]),
    ("power_to_db", [-126, 126]),
    ("sin", [-126, 126]),
    ("sincos", [-126, 126]),
    ("sqrt", [-126, 126]),
    ("to_fixed", [-126, 126]),
    ("unwrap", [-126, 40]),
];

fn plan(level: SimdLevel, exponent: i32) -> Plan {
    Plan { exponent, ..Plan::whole(level, SEED, LEN) }
}

fn scaled(values: &[f64], exponent: i32) -> Vec<f64> {
    values.iter().map(|value| libm::ldexp(*value, exponent)).collect()
}

/// The power of two that outputs grow by when inputs double, where all their digits stay.
fn degree(case: &Case, level: SimdLevel) -> Option<i32> {
    let [eighth, one, eight] = [-3, 0, 3].map(|exponent| case.run(&plan(level, exponent)));
    let holds = |many: &[f64], exponent| same_bits(many, &scaled(&one, exponent)).is_none();
    (0..=2).find(|degree| holds(&eighth, -3 * degree) && holds(&eight, 3 * degree))
}

fn follows_reference(case: &Case, level: SimdLevel, exponent: i32) -> bool {
    let plan = plan(level, exponent);
    let (result, reference) = (case.run(&plan), case.reference(&plan));
    let deviation = Deviation::between(&result, &reference);
    let peak = reference.iter().fold(1.0, |peak: f64, r| peak.max(r.abs()));
    deviation.snr_db() >= case.about.snr_db - 6.0 || deviation.max_error <= 2.0 * case.about.max_error * peak
}

#[test]
fn samples_of_any_size_are_as_exact_as_those_around_one() {
    let (mut others, mut faults) = (BTreeSet::new(), vec![]);
    for level in SimdLevel::available() {
        let mut count = 0;
        for case in catalog::all() {
            let kernel = case.about.kernel;
            if let Some(degree) = degree(&case, level) {
                let one = case.run(&plan(level, 0));
                let exponents = if case.arithmetic == Arithmetic::F64 { DOUBLE } else { SINGLE };
                let power = if SQUARING.contains(&kernel) { 2 } else { degree.max(1) };
                for exponent in exponents.map(|exponent| exponent / power) {
                    let many = case.run(&plan(level, exponent));
                    let at = same_bits(&many, &scaled(&one, degree * exponent));
                    if at.is_some() {
                        faults.push(format!("{case} at {level}: other digits for samples of 2^{exponent}"));
                    }
                }
                count += 1;
            } else {
                let entry = INHOMOGENEOUS.iter().find(|(name, _)| *name == kernel);
                let [least, most] = entry.map_or([0, 0], |(_, exponents)| *exponents);
                for exponent in [least, -40, -10, 10, 40, most].into_iter().filter(|k| *k <= most) {
                    if !follows_reference(&case, level, exponent) {
                        faults.push(format!("{case} at {level}: no reference for samples of 2^{exponent}"));
                    }
                }
                others.insert(kernel);
            }
        }
        println!(
            "level {level}: {count} cases keep their digits for samples of 2^-70 to 2^110, or 2^-880 to 2^990"
        );
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    let listed: BTreeSet<_> = INHOMOGENEOUS.iter().map(|(kernel, _)| *kernel).collect();
    assert_eq!(others, listed, "kernels that are not homogeneous, and the list of them");
}
