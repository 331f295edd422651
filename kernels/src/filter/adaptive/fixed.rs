//! The body over codes: sums are exact, and each result is rounded half up and saturates once.

use super::{Adaptive, Rates};
use crate::fixed::dot::Dot;
use crate::sample::{FixedPoint, Q15};
use crate::simd::{Body, Lanes, Lanes16, SimdLevel};
use crate::state::Fingerprint;

impl Adaptive for Q15 {
    fn hash(rate: f64, hash: &mut Fingerprint) {
        hash.sample(rate);
    }
    fn adapt(
        level: SimdLevel,
        rates: Rates,
        weights: &mut [Self],
        window: &[Self],
        d: &[Self],
        out: &mut [Self],
    ) {
        // Exact: both have been rounded to so many bits.
        let step_size = (rates.step_size * ONE) as i64;
        let regularization = rates.regularization.map(|power| (power * ONE * ONE) as i64);
        level.run::<f32, _>(Adapt { step_size, regularization, weights, window, d, out });
    }
}

const ONE: f64 = (1 << Q15::BITS) as f64;

/// One window after the other.
struct Adapt<'a> {
    /// As a code of more than 16 bits.
    step_size: i64,
    /// In units of products of codes, as are powers.
    regularization: Option<i64>,
    weights: &'a mut [Q15],
    window: &'a [Q15],
    d: &'a [Q15],
    out: &'a mut [Q15],
}

impl Body<f32> for Adapt<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes<f32> + Lanes16>(mut self, s: S) {
        for n in 0..self.d.len() {
            // A window too short would leave outputs unwritten; the driver's never is.
            let _ = self.step(s, n);
        }
    }
}

impl Adapt<'_> {
    #[inline(always)]
    fn step<S: Lanes<f32> + Lanes16>(&mut self, s: S, n: usize) -> Option<()> {
        let x = self.window.get(n..)?.get(..self.weights.len())?;
        let product = Dot { a: &*self.weights, b: x }.run(s);
        let error = saturated(i64::from(self.d.get(n)?.0) - i64::from(shifted(product)));
        *self.out.get_mut(n)? = Q15(error);
        let step = self.step_size * i64::from(error);
        let gain = match self.regularization {
            None => shifted(step),
            Some(regularization) => over(step, regularization.saturating_add(Dot { a: x, b: x }.run(s))),
        };
        for (Q15(w), Q15(x)) in self.weights.iter_mut().zip(x) {
            // No product of 16 bits and half a unit leaves 32.
            let moved = (i32::from(gain) * i32::from(*x) + (1 << (Q15::BITS - 1))) >> Q15::BITS;
            *w = (i32::from(*w) + moved).clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        }
        Some(())
    }
}

#[inline(always)]
fn saturated(code: i64) -> i16 {
    code.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

/// A code of a product of codes.
#[inline(always)]
fn shifted(product: i64) -> i16 {
    saturated(product.saturating_add(1 << (Q15::BITS - 1)) >> Q15::BITS)
}

/// The code of a quotient; 0 where nothing divides.
#[inline(always)]
fn over(product: i64, power: i64) -> i16 {
    // Above this nothing is left of any step, and the double fits.
    let power = power.min(1 << 61);
    let doubled = (product << (Q15::BITS + 1)) + power;
    saturated(doubled.checked_div_euclid(2 * power).unwrap_or(0))
}
