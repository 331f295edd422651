//! Results of other implementations, from files that the scripts beside them wrote.

use passband_kernels::Complex;
use passband_kernels::detect::{Peak, PeakConditions, find_peaks, max_peaks};
use passband_kernels::math;
use std::collections::BTreeMap;

/// The conditions of a line `height LOW HIGH .. rel_height VALUE`, `None` for none.
fn conditions(words: &[&str]) -> PeakConditions {
    let value = |name: &str, place: usize, none: f64| {
        let at = words.iter().position(|word| *word == name).expect("every condition");
        words[at + place].parse().unwrap_or(none)
    };
    let limits = |name| (value(name, 1, f64::NEG_INFINITY), value(name, 2, f64::INFINITY));
    let [height, threshold, prominence, width] = ["height", "threshold", "prominence", "width"].map(limits);
    let conditions = PeakConditions::new()
        .height(height.0, height.1)
        .threshold(threshold.0, threshold.1)
        .prominence(prominence.0, prominence.1)
        .width(width.0, width.1);
    let conditions = conditions.distance(value("distance", 1, 1.0) as u64).unwrap();
    let conditions = conditions.rel_height(value("rel_height", 1, 0.5)).unwrap();
    match value("wlen", 1, 0.0) as usize {
        0 => conditions,
        samples => conditions.wlen(samples).unwrap(),
    }
}

#[test]
fn peaks_are_those_of_scipy_to_the_bit() {
    let numbers =
        |words: &[&str]| words.iter().map(|word| word.parse::<f64>().unwrap()).collect::<Vec<f64>>();
    let (mut x, mut found, mut compared) = (vec![], vec![], 0);
    for line in include_str!("golden/find_peaks.txt").lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words[0] {
            "signal" => x = numbers(&words[2..]),
            "conditions" => {
                assert!(found.is_empty(), "SciPy has fewer peaks: {found:?}");
                let mut out = vec![Peak::default(); max_peaks(x.len())];
                let count = find_peaks(&x, &conditions(&words), &mut out);
                out.truncate(count);
                found = out.into_iter().rev().collect();
            }
            _ => {
                let Peak { index, height, prominence, width } = found.pop().expect("as many as SciPy");
                assert_eq!(vec![index as f64, height, prominence, width], numbers(&words[1..]));
                compared += 1;
            }
        }
    }
    assert!(found.is_empty(), "SciPy has fewer peaks");
    assert!(compared > 300, "only {compared} peaks");
}

#[test]
fn elementary_functions_are_within_their_bounds_of_mpmath() {
    const BOUNDS: &[(&str, f64)] =
        &[("cos", 1.0), ("exp", 1.0), ("log", 1.3), ("phase", 2.4), ("power_to_db", 2.5), ("sin", 1.0)];
    let number = |word: &str| f64::from_bits(u64::from_str_radix(word, 16).expect("bits of a number"));
    let mut worst = BTreeMap::new();
    for line in include_str!("golden/elementary.txt").lines() {
        let [name, arguments @ .., nearest, rest] = &line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("a short line: {line}");
        };
        let x: Vec<f64> = arguments.iter().map(|word| number(word)).collect();
        let (nearest, rest) = (number(nearest), rest.parse::<f64>().expect("a number"));
        let mut y = [0.0];
        let made = match *name {
            "cos" => math::cos(&x, &mut y),
            "exp" => math::exp(&x, &mut y),
            "log" => math::log(&x, &mut y),
            "phase" => math::phase(&[Complex::new(x[0], x[1])], &mut y),
            "power_to_db" => math::power_to_db(&x, f64::NEG_INFINITY, &mut y),
            "sin" => math::sin(&x, &mut y),
            other => panic!("no function {other}"),
        };
        assert_eq!(made, 1);
        // A power of two has a larger unit above it than below it.
        let ulp = nearest.abs().next_up() - nearest.abs();
        let error = ((y[0] - nearest) / ulp - rest).abs();
        let (most, count) = worst.entry(*name).or_insert((0.0f64, 0));
        (*most, *count) = (most.max(error), *count + 1);
    }
    println!("{worst:?} ulp");
    assert!(worst.keys().eq(BOUNDS.iter().map(|(name, _)| name)));
    for (name, bound) in BOUNDS {
        assert!(worst[name].0 < *bound && worst[name].1 >= 490, "{name}: {:?}", worst[name]);
    }
}
