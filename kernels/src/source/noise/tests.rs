use super::*;
use num_complex::Complex;
use std::vec;
use std::vec::Vec;

fn noise<Y: Float>(seed: u64, distribution: Distribution, n: usize) -> Vec<Y> {
    let mut y = vec![Y::ZERO; n];
    Noise::new(seed, distribution).generate(&mut y);
    y
}

fn mean(x: impl Iterator<Item = f64>) -> f64 {
    let (sum, n) = x.fold((0.0, 0.0), |(sum, n), x| (sum + x, n + 1.0));
    sum / n
}

const N: usize = 1 << 20;

#[test]
#[cfg_attr(miri, ignore = "statistics take many samples")]
fn moments_are_those_of_the_distributions() {
    use Distribution::{Gaussian, Uniform};
    for (distribution, moments, spread) in
        [(Gaussian, [1.0, 3.0, 15.0], [1.5, 10.0, 101.0]), (Uniform, [1.0 / 3.0, 0.2, 1.0 / 7.0], [0.3; 3])]
    {
        let y = noise::<f64>(3, distribution, N);
        for (k, (expected, spread)) in moments.into_iter().zip(spread).enumerate() {
            let order = 2 * k as i32 + 2;
            let found = mean(y.iter().map(|y| y.powi(order)));
            // Four and more standard deviations of the mean of so many powers.
            let allowed = 4.0 * spread / (N as f64).sqrt();
            assert!((found - expected).abs() < allowed, "moment {order} of {distribution:?}: {found}");
            let odd = mean(y.iter().map(|y| y.powi(order - 1)));
            assert!(odd.abs() < allowed * 2.0, "moment {} of {distribution:?}: {odd}", order - 1);
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "statistics take many samples")]
fn gaussian_numbers_fill_their_quantiles() {
    let y = noise::<f64>(9, Distribution::Gaussian, N);
    // The probabilities that a normal number exceeds these.
    for (limit, expected) in [(0.0, 0.5), (1.0, 0.158_655_25), (2.0, 0.022_750_13), (3.0, 0.001_349_898)] {
        let found = y.iter().filter(|y| **y > limit).count() as f64;
        let n = N as f64;
        assert!((found - n * expected).abs() < 4.0 * (n * expected).sqrt(), "beyond {limit}: {found}");
    }
}

#[test]
#[cfg_attr(miri, ignore = "statistics take many samples")]
fn noise_is_white() {
    let y = noise::<f64>(5, Distribution::Gaussian, N);
    for lag in [1, 2, 3, 4, 31, 32, 33, 64] {
        let correlation = mean(y.iter().zip(&y[lag..]).map(|(a, b)| a * b));
        assert!(correlation.abs() < 4.5 / (N as f64).sqrt(), "lag {lag}: {correlation}");
    }
}

#[test]
#[cfg_attr(miri, ignore = "statistics take many samples")]
fn complex_noise_has_power_1_and_parts_of_its_own() {
    let y = noise::<Complex<f32>>(7, Distribution::Gaussian, N);
    let allowed = 5.0 / (N as f64).sqrt();
    assert!((mean(y.iter().map(|y| y.norm_sqr().into())) - 1.0).abs() < allowed);
    assert!(mean(y.iter().map(|y| (y.re * y.im).into())).abs() < allowed);
}

#[test]
fn a_jump_leads_where_samples_do_until_a_reset() {
    let whole = noise::<Complex<f64>>(11, Distribution::Gaussian, 500);
    let mut noise = Noise::new(11, Distribution::Gaussian);
    let mut y = [Complex::default(); 100];
    noise.advance(333);
    noise.generate(&mut y);
    assert_eq!(y, whole[333..433]);
    noise.advance(u64::MAX - 432);
    noise.generate(&mut y);
    assert_eq!(y, whole[..100], "2^64 samples on");
    noise.advance(5);
    noise.reset();
    noise.generate(&mut y);
    assert_eq!(y, whole[..100]);
}

#[test]
fn seeds_give_other_noise() {
    let [a, b, c] = [1, 2, 1 << 32].map(|seed| noise::<f64>(seed, Distribution::Uniform, 1000));
    assert!(a.iter().zip(&b).all(|(a, b)| a != b) && a.iter().zip(&c).all(|(a, c)| a != c));
}
