use super::cases::reference;
use super::*;
use crate::testing::Rng;
use std::vec;
use std::vec::Vec;

fn peaks<T: Sample + PartialOrd + Into<f64>>(x: &[T], conditions: &PeakConditions) -> Vec<Peak> {
    let mut out = vec![Peak::default(); max_peaks(x.len())];
    let found = find_peaks(x, conditions, &mut out);
    out.truncate(found);
    out
}

fn indices(x: &[f64], conditions: &PeakConditions) -> Vec<i64> {
    peaks(x, conditions).iter().map(|peak| peak.index).collect()
}

/// Signals with plateaus, ties, nested peaks and ramps.
fn signal(kind: usize, n: usize, rng: &mut Rng) -> Vec<f64> {
    let mut sum = 0.0;
    let mut sample = |i: usize| {
        let steps = rng.below(5) as f64;
        sum += steps - 2.0;
        match kind {
            0 => steps,
            1 => sum,
            2 => rng.unit(),
            3 => (i as f64 * 0.7).sin() + i as f64 * 0.01,
            4 => ((i % 6) as f64 - 3.0).abs(),
            _ => (i as f64 * 0.05).sin() * 3.0 + steps * 0.25,
        }
    };
    (0..n).map(&mut sample).collect()
}

fn conditions(rng: &mut Rng) -> PeakConditions {
    let mut conditions = PeakConditions::new();
    let mut limits = |scale: f64| {
        let unit = rng.unit().abs();
        match rng.below(4) {
            0 => (scale * unit, f64::INFINITY),
            1 => (f64::NEG_INFINITY, 3.0 * scale * unit),
            _ => (f64::NEG_INFINITY, f64::INFINITY),
        }
    };
    let [height, threshold, prominence, width] = [1.0, 0.5, 2.0, 3.0].map(&mut limits);
    conditions = conditions.height(height.0, height.1).threshold(threshold.0, threshold.1);
    conditions = conditions.prominence(prominence.0, prominence.1).width(width.0, width.1);
    if rng.below(2) == 0 {
        conditions = conditions.distance(1 + rng.below(12) as u64).unwrap();
    }
    if rng.below(2) == 0 {
        conditions = conditions.wlen(2 + rng.below(40)).unwrap();
    }
    conditions.rel_height(rng.below(6) as f64 / 4.0).unwrap()
}

#[test]
fn peaks_are_those_of_the_definition_for_signals_of_every_kind() {
    let mut rng = Rng::new(1);
    let mut found = 0;
    for round in 0..if cfg!(miri) { 8 } else { 6000 } {
        let n = rng.below(150);
        let mut x = signal(round % 6, n, &mut rng);
        if n > 0 && rng.below(4) == 0 {
            x[rng.below(n)] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY][rng.below(3)];
        }
        let conditions = conditions(&mut rng);
        let (got, want) = (peaks(&x, &conditions), reference(&x, &conditions));
        let same = |(a, b): (&Peak, &Peak)| {
            let columns = |p: &Peak| [p.height, p.prominence, p.width];
            let pairs = columns(a).into_iter().zip(columns(b));
            a.index == b.index && pairs.into_iter().all(|(a, b)| a == b || a.is_nan() && b.is_nan())
        };
        assert!(
            got.len() == want.len() && got.iter().zip(&want).all(same),
            "{got:?}\n{want:?}\n{x:?}\n{conditions:?}"
        );
        found += got.len();
    }
    assert!(found > if cfg!(miri) { 5 } else { 5000 }, "only {found} peaks");
}

#[test]
fn plateaus_are_reported_at_their_middle_and_ends_are_no_peaks() {
    let none = PeakConditions::new();
    assert_eq!(indices(&[0.0, 1.0, 1.0, 0.0, 2.0, 2.0, 2.0, 1.0], &none), [1, 5]);
    assert_eq!(indices(&[3.0, 1.0, 1.0, 2.0, 2.0], &none), []);
    assert_eq!(indices(&[0.0, 1.0, 1.0, 2.0, 1.0], &none), [3]);
    for n in 0..3 {
        assert_eq!(indices(&vec![1.0; n], &none), []);
    }
    let comb: Vec<f64> = (0..21).map(|n| f64::from(n % 2)).collect();
    assert_eq!(indices(&comb, &none).len(), max_peaks(21));
}

#[test]
fn of_equal_peaks_that_are_too_close_the_later_remains() {
    let x = [0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0];
    let apart = |samples| PeakConditions::new().distance(samples).unwrap();
    assert_eq!(indices(&x, &apart(2)), [1, 3, 5, 7]);
    assert_eq!(indices(&x, &apart(3)), [3, 7]);
    assert_eq!(indices(&x, &apart(7)), [7]);
    assert_eq!(indices(&x, &apart(u64::MAX)), [7]);
}

#[test]
fn nan_and_its_neighbours_are_no_peaks_and_end_the_bases() {
    let nan = f64::NAN;
    let x = [-9.0, 1.0, nan, 1.0, -1.0, 3.0, 0.0, 2.0, nan, 4.0, -9.0];
    let found = peaks(&x, &PeakConditions::new());
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].index, found[0].prominence), (5, 3.0));
}

#[test]
fn with_too_little_room_only_the_first_peaks_count() {
    let x = [0.0, 1.0, 0.0, 2.0, 0.0, 3.0, 0.0];
    let mut out = [Peak::default(); 2];
    assert_eq!(find_peaks(&x, &PeakConditions::new(), &mut out), 2);
    assert_eq!(out.map(|peak| peak.index), [1, 3]);
    assert_eq!(find_peaks(&x, &PeakConditions::new().height(2.0, 9.0), &mut out), 2);
    assert_eq!(out.map(|peak| peak.index), [3, 5]);
    assert_eq!(find_peaks(&x, &PeakConditions::new(), &mut []), 0);
}

#[test]
fn conditions_that_make_no_sense_are_refused() {
    let none = PeakConditions::new();
    assert_eq!(none.distance(0).unwrap_err().argument, "distance");
    assert_eq!(none.wlen(1).unwrap_err().argument, "wlen");
    for rel_height in [-0.1, f64::NAN] {
        assert_eq!(none.rel_height(rel_height).unwrap_err().argument, "rel_height");
    }
}
