//! Results of other implementations, from files that the scripts beside them wrote.

use passband_kernels::detect::{Peak, PeakConditions, find_peaks, max_peaks};

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
