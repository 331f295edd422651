//! What conformance, fuzzing and benches need to know of the averages.

use super::{Averaged, mean_with, rms_with, std_dev_with, variance_with};
use crate::math::map::about;
use crate::testing::{About, Case, Random, Sum, value, values};
use num_complex::Complex;
use std::vec;
use std::vec::Vec;

pub(crate) fn cases() -> Vec<Case> {
    let [a, b] = [of::<f32>(true), of::<Complex<f32>>(true)];
    let [c, d] = [of::<f64>(false), of::<Complex<f64>>(false)];
    [a, b, c, d].into_iter().flatten().collect()
}

fn of<X: Averaged + Random>(single: bool) -> Vec<Case> {
    let about = |kernel, summary, of_single, of_double| {
        let bounds = if single { of_single } else { of_double };
        About { flops: 5.0 * X::COMPONENTS as f64, ..about::<X, ()>(kernel, summary, 0.0, bounds) }
    };
    let mean = about("mean", "mean", (2.8e-8, 150.0), (4e-17 * X::COMPONENTS as f64, 322.0));
    let variance = about("variance", "variance", (2.8e-8, 150.0), (2e-16, 317.0));
    let std_dev = about("std_dev", "standard deviation", (5e-8, 149.0), (2e-16, 320.0));
    let rms = about("rms", "root mean square", (5e-8, 149.0), (2e-16, 318.0));
    vec![
        value(mean, mean_with::<X>, |x| means(x)),
        value(variance, |level, x: &[X]| variance_with(level, x, 1), |x| vec![spread(x)]),
        value(std_dev, |level, x: &[X]| std_dev_with(level, x, 1), |x| vec![spread(x).sqrt()]),
        value(rms, rms_with::<X>, |x| vec![(sum_of_squares(&values(x)) / x.len() as f64).sqrt()]),
    ]
}

fn sum_of_squares(x: &[f64]) -> f64 {
    let mut sum = Sum::default();
    for x in x {
        sum.add_product(*x, *x);
    }
    sum.value()
}

/// The mean of each component.
fn means<X: Random>(x: &[X]) -> Vec<f64> {
    let mut sums: Vec<Sum> = (0..X::COMPONENTS).map(|_| Sum::default()).collect();
    for x in x {
        sums.iter_mut().zip(x.parts()).for_each(|(sum, part)| sum.add_product(part, 1.0));
    }
    sums.iter().map(|sum| sum.value() / x.len() as f64).collect()
}

/// The variance of what is drawn, from twice the precision: sums of squares and squares of sums.
fn spread<X: Random>(x: &[X]) -> f64 {
    let mut sum = Sum::default();
    for (component, mean) in means(x).iter().enumerate() {
        x.iter().map(|x| x.parts()[component] - mean).for_each(|x| sum.add_product(x, x));
    }
    if x.len() < 2 { f64::NAN } else { sum.value() / (x.len() - 1) as f64 }
}
