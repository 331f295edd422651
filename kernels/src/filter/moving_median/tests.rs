use super::*;
use crate::testing::signal;
use std::vec;
use std::vec::Vec;

fn medians<X: Float<Double = f64>>(length: usize, x: &[X]) -> Vec<X> {
    let mut y = vec![X::ZERO; x.len()];
    assert_eq!(BoxedMovingMedian::new(length).unwrap().steps(x, &mut y), x.len());
    y
}

#[test]
fn ramps_and_steps_come_later_by_half_the_length() {
    let ramp: Vec<f64> = (1..=100).map(f64::from).collect();
    for length in [1, 3, 4, 7, 32, 51] {
        let median = BoxedMovingMedian::<f64>::new(length).unwrap();
        let y = medians(length, &ramp);
        for (y, x) in y.iter().zip(&ramp).skip(length - 1) {
            assert_eq!(*y, x - median.group_delay(), "length {length}");
        }
    }
}

#[test]
fn few_values_many_times_keep_their_order() {
    let x = signal::<f64>(3, if cfg!(miri) { 60 } else { 3000 });
    let x: Vec<f64> = x.iter().map(|x| (3.0 * x).round()).collect();
    for length in [2, 5, 9, 40] {
        for (n, y) in medians(length, &x).into_iter().enumerate().skip(length) {
            let below = x[n + 1 - length..=n].iter().filter(|x| **x < y).count();
            let above = x[n + 1 - length..=n].iter().filter(|x| **x > y).count();
            assert!(below.max(above) <= length / 2, "length {length}, output {n}");
        }
    }
}

#[test]
fn a_nan_leaves_after_as_many_samples_as_the_window_has() {
    for length in [1, 2, 7, 8] {
        for bad in [f32::NAN, -f32::NAN] {
            let mut x: Vec<f32> = signal(5, 60);
            let clean = medians(length, &x);
            x[20] = bad;
            x[22] = bad;
            for (n, y) in medians(length, &x).into_iter().enumerate() {
                let inside = (20..20 + length).contains(&n) || (22..22 + length).contains(&n);
                assert!(if inside { y.is_nan() } else { y == clean[n] }, "length {length}, output {n}");
            }
        }
    }
}

#[test]
fn the_largest_numbers_and_infinity_are_numbers() {
    let (max, inf) = (f64::MAX, f64::INFINITY);
    let y = medians(2, &[max, max, inf, inf, -inf]);
    assert_eq!(y[..4], [max / 2.0, max, inf, inf]);
    assert!(y[4].is_nan());
    assert_eq!(medians(3, &[inf, -inf, 1.0]), [0.0, 0.0, 1.0]);
    assert_eq!(medians(2, &[f64::from_bits(1), f64::from_bits(1)])[1], f64::from_bits(1));
    assert!(medians(1, &[-0.0f32])[0].is_sign_negative());
}

#[test]
fn a_loaded_window_continues_in_other_heaps() {
    let x: Vec<f32> = signal(9, 200);
    let mut median = BoxedMovingMedian::<f32>::new(21).unwrap();
    let mut loaded = median.clone();
    for x in &x[..100] {
        median.step(*x);
    }
    let mut blob = [0; 200];
    let len = median.save(&mut blob).unwrap();
    loaded.load(&blob[..len]).unwrap();
    assert!(x[100..].iter().all(|x| median.step(*x) == loaded.step(*x)));
}

#[test]
fn lengths_of_nothing_and_beyond_the_index_are_refused() {
    for length in [0, 1 << 31] {
        assert_eq!(BoxedMovingMedian::<f32>::new(length).map(|_| ()).unwrap_err().argument, "length");
    }
    assert_eq!(FixedMovingMedian::<f64, 4>::fixed().group_delay(), 1.5);
}
