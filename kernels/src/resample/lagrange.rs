//! Polynomials through neighbouring samples (Lagrange), by powers of the time between two of them.

use crate::sample::Float;
use core::ops::{Add, Mul, Sub};

/// What times and weights are made of.
pub(crate) trait Real:
    Float<Double = f64> + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
}

impl Real for f32 {}
impl Real for f64 {}

/// The polynomial through `P` samples, one apart: time 0 is at sample `P / 2 - 1`, 1 at the next.
pub(crate) struct Lagrange<const P: usize>;

impl<const P: usize> Lagrange<P> {
    /// The branches of a Farrow structure: for each power of the time, from 0 on, the weights of the
    /// samples in its coefficient.
    pub(crate) const BRANCHES: [[f64; P]; P] = {
        let (mut branches, mut sample) = ([[0.0; P]; P], 0);
        while sample < P {
            // The product of (t - node) over the nodes of all other samples, exact in integers.
            let (mut product, mut divisor) = ([0; P], 1);
            product[0] = 1i64;
            let mut other = 0;
            while other < P {
                if other != sample {
                    let node = other as i64 - (P as i64 / 2 - 1);
                    let mut power = P - 1;
                    while power > 0 {
                        product[power] = product[power - 1] - node * product[power];
                        power -= 1;
                    }
                    product[0] *= -node;
                    divisor *= sample as i64 - other as i64;
                }
                other += 1;
            }
            let mut power = 0;
            while power < P {
                branches[power][sample] = (product[power] * divisor.signum()) as f64 / divisor.abs() as f64;
                power += 1;
            }
            sample += 1;
        }
        branches
    };

    /// The weights of the samples at `time`, from 0 to 1; those of 0 are exact.
    #[inline(always)]
    pub(crate) fn weights<E: Real>(time: E) -> [E; P] {
        let mut weights = [E::ZERO; P];
        for branch in Self::BRANCHES.iter().rev() {
            for (weight, coefficient) in weights.iter_mut().zip(branch) {
                *weight = *weight * time + E::from_double(*coefficient);
            }
        }
        weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meets_its_polynomial<const P: usize>() {
        // Of degree P - 1, by its roots.
        let polynomial = |t: f64| (1..P).map(|root| t - 0.7 * root as f64 + 1.3).product::<f64>();
        for time in [0.0, 0.125, 0.5, 0.875, 1.0] {
            let weights = Lagrange::<P>::weights(time);
            let points = (0..P).map(|i| polynomial(i as f64 - (P as f64 / 2.0 - 1.0)));
            let met: f64 = weights.iter().zip(points).map(|(w, y)| w * y).sum();
            assert!((met - polynomial(time)).abs() < 1e-12, "{P} points at {time}: {met}");
        }
    }

    #[test]
    fn polynomials_through_the_points_are_met() {
        meets_its_polynomial::<2>();
        meets_its_polynomial::<4>();
        meets_its_polynomial::<6>();
        meets_its_polynomial::<8>();
    }

    #[test]
    fn at_a_sample_only_that_sample_counts() {
        assert_eq!(Lagrange::<4>::weights(0.0), [0.0, 1.0, 0.0, 0.0]);
        assert_eq!(Lagrange::<8>::weights(0.0f32), [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
    }
}
