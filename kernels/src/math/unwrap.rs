//! Phases without jumps.

#[cfg(feature = "testing")]
mod cases;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;
#[cfg(feature = "testing")]
pub(crate) use cases::nearest;

use crate::sample::Float;
use crate::simd::{Body, Lanes, Lanes16, SimdLevel};

/// A sample type that [`unwrap`] takes: `f32` and `f64`.
pub trait Wrapped: Float<Double = f64> {
    #[doc(hidden)]
    fn unwrap(
        level: SimdLevel,
        period: f64,
        so_far: &mut Turned<Self>,
        x: &[Self],
        out: &mut [Self],
    ) -> usize;
}

/// Adds whole periods to each sample, so that no two neighbours are further apart than half of one,
/// and returns how many samples there were.
///
/// `out[n] = x[n] - period sum_{k <= n} round((x[k] - x[k - 1]) / period)`, halves towards zero, and
/// `out[0] = x[0]`. Takes as many samples as both slices hold. The period of phases in radians is
/// 2 pi; its sign does not matter. [`Unwrap`](crate::demod::Unwrap) does the same to a stream.
///
/// * **Accuracy**: periods are counted, not summed, so that errors do not grow. `f32` is computed in
///   double precision and rounded once, the period's own precision being double; `f64` is within one
///   rounding of the output and one of what is added. The same bits at every level and on every
///   target.
/// * **NaN and infinity**: all is NaN from either on, as in NumPy's `unwrap`. With a period that is
///   zero, infinite or NaN, nothing is a number after the first sample.
/// * **Cost**: a division and some ten operations per sample; no allocation.
///
/// K. Itoh, *Analysis of the phase unwrapping algorithm*, Applied Optics 21 (1982).
///
/// ```
/// use passband_kernels::math::unwrap;
///
/// let mut y = [0.0; 5];
/// assert_eq!(unwrap(&[0.0f32, 1.0, 2.0, -1.0, 0.0], 4.0, &mut y), 5);
/// assert_eq!(y, [0.0, 1.0, 2.0, 3.0, 4.0]);
/// ```
pub fn unwrap<X: Wrapped>(x: &[X], period: f64, out: &mut [X]) -> usize {
    unwrap_with(SimdLevel::best(), x, period, out)
}

/// [`unwrap`] at a level.
pub fn unwrap_with<X: Wrapped>(level: SimdLevel, x: &[X], period: f64, out: &mut [X]) -> usize {
    let mut from_rest = Turned::NEW;
    X::unwrap(level, period, &mut from_rest, x, out)
}

/// How far a stream has turned.
#[derive(Clone, Copy, Debug)]
pub struct Turned<X> {
    /// The last sample, if there was one.
    pub(crate) last: Option<X>,
    /// The periods that it has turned by itself, and that are taken off: a whole number.
    pub(crate) turns: f64,
}

impl<X> Turned<X> {
    pub(crate) const NEW: Self = Self { last: None, turns: 0.0 };
}

macro_rules! wrapped {
    ($($t:ty)*) => {$(
        impl Wrapped for $t {
            fn unwrap(
                level: SimdLevel,
                period: f64,
                so_far: &mut Turned<Self>,
                x: &[Self],
                out: &mut [Self],
            ) -> usize {
                level.run::<f32, _>(Continue { period, so_far, x, out })
            }
        }
    )*};
}
wrapped!(f32 f64);

struct Continue<'a, X> {
    period: f64,
    so_far: &'a mut Turned<X>,
    x: &'a [X],
    out: &'a mut [X],
}

/// Samples whose turns are counted in one go.
const BLOCK: usize = 64;

impl<X: Float<Double = f64>> Body<f32> for Continue<'_, X> {
    type Output = usize;

    /// Three loops over each block: the first and the last vectorise, between them is the sum.
    #[inline(always)]
    fn run<S: Lanes<f32> + Lanes16>(self, _: S) -> usize {
        let Self { period, so_far, x, out } = self;
        for (x, out) in x.chunks(BLOCK).zip(out.chunks_mut(BLOCK)) {
            let x = x.get(..out.len()).unwrap_or(x);
            let (Some(first), Some(last)) = (x.first(), x.last()) else { break };
            let mut turns = [0.0; BLOCK];
            let mut from = so_far.last.unwrap_or(*first).to_double();
            for (turn, x) in turns.iter_mut().zip(x) {
                let to = x.to_double();
                *turn = whole((to - from) / period);
                from = to;
            }
            for turn in turns.iter_mut().take(x.len()) {
                so_far.turns += *turn;
                *turn = so_far.turns;
            }
            for ((y, x), turn) in out.iter_mut().zip(x).zip(&turns) {
                *y = X::from_double(x.to_double() - period * turn);
            }
            so_far.last = Some(*last);
        }
        x.len().min(out.len())
    }
}

/// The integer nearest to `x`, halves towards zero; NaN of infinity.
#[inline(always)]
pub(crate) fn whole(x: f64) -> f64 {
    /// From here on all numbers are integers, and before it sums with it are.
    const INTEGERS: f64 = (1u64 << 52) as f64;
    let size = x.abs();
    let nearest = if size < INTEGERS { (size + INTEGERS) - INTEGERS } else { size };
    let towards_zero = if nearest - size == 0.5 { nearest - 1.0 } else { nearest };
    towards_zero.copysign(x) + 0.0 * x
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f64::consts::{PI, TAU};
    use std::vec;
    use std::vec::Vec;

    fn unwrapped<X: Wrapped>(x: &[X], period: f64) -> Vec<X> {
        let mut y = vec![X::from_double(f64::NAN); x.len()];
        assert_eq!(unwrap(x, period, &mut y), x.len());
        y
    }

    #[test]
    fn integers_are_the_nearest_ones() {
        const LARGE: f64 = (1u64 << 52) as f64;
        let near = [0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.5, 3.5, 1e9 + 0.5, LARGE - 0.5, LARGE + 1.0];
        let expected = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 3.0, 1e9, LARGE - 1.0, LARGE + 1.0];
        for sign in [1.0, -1.0] {
            assert_eq!(near.map(|x| whole(sign * x)), expected.map(|x| sign * x));
            assert_eq!(whole(sign * 0.5f64.next_up()), sign);
            assert!(whole(sign * f64::INFINITY).is_nan());
        }
    }

    #[test]
    fn sequences_of_integers_are_those_of_numpy() {
        assert_eq!(
            unwrapped(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0, 1.0, 2.0, 3.0], 6.0),
            [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]
        );
        assert_eq!(
            unwrapped(&[2.0, 3.0, 4.0, 5.0, 2.0, 3.0, 4.0, 5.0], -4.0),
            [2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]
        );
        // Half a period stays what it is, whichever its sign, and so does what comes first.
        assert_eq!(unwrapped(&[9.0, 7.0, 9.0, 15.0, 9.0], 4.0), [9.0, 7.0, 9.0, 11.0, 9.0]);
    }

    #[test]
    fn the_shorter_slice_counts() {
        let (x, mut y) = ([3.0f32; 200], [7.0; 200]);
        assert_eq!(unwrap(&x, TAU, &mut y[..130]), 130);
        assert_eq!(unwrap(&x[..65], TAU, &mut y[130..]), 65);
        assert!(y[..195] == x[..195] && y[195..] == [7.0; 5]);
    }

    #[test]
    fn a_phase_that_turns_for_long_stays_exact() {
        let n = if cfg!(miri) { 300 } else { 1_000_000 };
        let phase = |n: usize| 2.5 * n as f64;
        let wrapped = |n: usize| phase(n) - TAU * (phase(n) / TAU).round();
        let x: Vec<f64> = (0..n).map(wrapped).collect();
        for (n, y) in unwrapped(&x, TAU).into_iter().enumerate() {
            assert!((y - phase(n)).abs() <= 4e-16 * phase(n).max(1.0));
        }
        let x: Vec<f32> = x.into_iter().map(|x| x as f32).collect();
        for (n, y) in unwrapped(&x, TAU).into_iter().enumerate() {
            assert!((f64::from(y) - phase(n)).abs() <= 6e-8 * phase(n) + 2e-7);
        }
    }

    #[test]
    fn what_follows_nan_and_infinity_is_nan() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for at in [0, 1, 63, 64, 65] {
                let mut x = vec![1.0; 130];
                x[at] = bad;
                let y = unwrapped(&x, TAU);
                assert!(y[..at].iter().all(|y| *y == 1.0) && y[at..].iter().all(|y| y.is_nan()));
            }
        }
        for period in [0.0, f64::INFINITY, f64::NAN] {
            assert!(unwrapped(&[PI, -PI, 0.0, 1.0], period)[1..].iter().all(|y| y.is_nan()), "{period}");
        }
    }
}
