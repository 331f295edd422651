//! The fixed-point bodies: exact sums, one rounding, one saturation.
//!
//! Narrow sums of Q7 and Q15 take a pair of taps and pairs of samples in one 16-bit multiply-add, once
//! for even and once for odd outputs. Those of Q31 have an output per lane. Taps that are their own
//! mirror image are not folded: the sum of two samples would no longer fit the factor of a multiply-add.

use crate::fixed::sum::{Accumulator, Exact, Strided};
use crate::sample::{FixedPoint, Q7, Q15, Q31};
use crate::simd::{Body, Lanes, Lanes16};

/// `out[n] = round(sum taps[k] * window[n + k])`, taps reversed.
pub(crate) struct Direct<'a, Q> {
    pub(crate) taps: &'a [Q],
    /// Whether narrow sums fit.
    pub(crate) fits: bool,
    pub(crate) window: &'a [Q],
    pub(crate) out: &'a mut [Q],
}

impl<Q: Tiles> Body<f32> for Direct<'_, Q> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes<f32> + Lanes16>(self, s: S) {
        let Self { taps, fits, window, out } = self;
        if fits && taps.len() > 1 {
            // A window too short gives `None` and leaves outputs unwritten; the driver's never are.
            let _ = Q::outputs(s, taps, window, out);
        } else {
            Strided { taps, fits, factor: 1, window, out }.run(s);
        }
    }
}

/// A type with a body for narrow sums of two and more taps.
pub(crate) trait Tiles: Exact {
    fn outputs<S: Lanes16>(s: S, taps: &[Self], window: &[Self], out: &mut [Self]) -> Option<()>;
}

impl Tiles for Q31 {
    #[inline(always)]
    fn outputs<S: Lanes16>(_: S, taps: &[Self], mut window: &[Self], out: &mut [Self]) -> Option<()> {
        for out in out.chunks_mut(COLUMNS) {
            let sums = columns(taps, window)?;
            out.iter_mut().zip(sums).for_each(|(y, sum)| *y = sum.rounded(Self::BITS));
            window = window.get(COLUMNS..).unwrap_or(&[]);
        }
        Some(())
    }
}

/// Outputs at a time: no more than a window goes on after its last output.
const COLUMNS: usize = 16;

/// The sums of the outputs at the start of `window`.
#[inline(always)]
fn columns(taps: &[Q31], window: &[Q31]) -> Option<[i64; COLUMNS]> {
    let mut sums = [0; COLUMNS];
    for (k, h) in taps.iter().enumerate() {
        let x = window.get(k..)?.first_chunk::<COLUMNS>()?;
        for i in 0..COLUMNS {
            sums[i] += i64::product(*h, x[i]);
        }
    }
    Some(sums)
}

/// A type of codes that 16-bit vectors hold.
trait Short: Exact {
    fn code(self) -> i16;
    fn rounded(sum: i32) -> Self;
}

macro_rules! short {
    ($($q:ident)*) => {$(
        impl Short for $q {
            #[inline(always)]
            fn code(self) -> i16 {
                self.0.into()
            }
            #[inline(always)]
            fn rounded(sum: i32) -> Self {
                sum.rounded(Self::BITS)
            }
        }

        impl Tiles for $q {
            #[inline(always)]
            fn outputs<S: Lanes16>(s: S, taps: &[Self], window: &[Self], out: &mut [Self]) -> Option<()> {
                in_pairs(s, taps, window, out)
            }
        }
    )*};
}
short!(Q7 Q15);

#[inline(always)]
fn in_pairs<S: Lanes16, Q: Short>(s: S, taps: &[Q], mut window: &[Q], out: &mut [Q]) -> Option<()> {
    let mut tiles = out.chunks_exact_mut(4 * S::WIDTH);
    for tile in &mut tiles {
        rows::<S, Q, 4>(s, taps, window, tile)?;
        window = window.get(4 * S::WIDTH..)?;
    }
    for row in tiles.into_remainder().chunks_mut(S::WIDTH) {
        rows::<S, Q, 1>(s, taps, window, row)?;
        window = window.get(S::WIDTH..)?;
    }
    Some(())
}

/// Up to `R` vectors of outputs at the start of `window`.
#[inline(always)]
fn rows<S: Lanes16, Q: Short, const R: usize>(s: S, taps: &[Q], window: &[Q], out: &mut [Q]) -> Option<()> {
    let mut even = [s.zero_sums(); R];
    let mut odd = [s.zero_sums(); R];
    let (pairs, last) = taps.as_chunks::<2>();
    let mut x = window;
    for [first, second] in pairs {
        add(s, [first.code(), second.code()], x, &mut even, &mut odd)?;
        x = x.get(2..)?;
    }
    if let [last] = last {
        // Paired with the sample before it, whose tap is done: a window ends at its last tap.
        add(s, [0, last.code()], window.get((2 * pairs.len()).checked_sub(1)?..)?, &mut even, &mut odd)?;
    }
    for ((out, even), odd) in out.chunks_mut(S::WIDTH).zip(even).zip(odd) {
        let (even, odd) = (s.sums(even), s.sums(odd));
        for ((out, even), odd) in out.chunks_mut(2).zip(even.as_ref()).zip(odd.as_ref()) {
            out.iter_mut().zip([even, odd]).for_each(|(y, sum)| *y = Q::rounded(*sum));
        }
    }
    Some(())
}

/// Adds a pair of taps to the sums of even and of odd outputs.
#[inline(always)]
fn add<S: Lanes16, Q: Short, const R: usize>(
    s: S,
    pair: [i16; 2],
    x: &[Q],
    even: &mut [S::Sums; R],
    odd: &mut [S::Sums; R],
) -> Option<()> {
    let pair = s.splat_pair(pair);
    let (even_x, odd_x) = (x.get(..R * S::WIDTH)?, x.get(1..=R * S::WIDTH)?);
    for i in 0..R {
        even[i] = s.add_products(even[i], load(s, even_x.get(i * S::WIDTH..)?), pair);
        odd[i] = s.add_products(odd[i], load(s, odd_x.get(i * S::WIDTH..)?), pair);
    }
    Some(())
}

/// The vector of codes at the start of `x`.
#[inline(always)]
fn load<S: Lanes16, Q: Short>(s: S, x: &[Q]) -> S::Vector {
    let mut codes = S::zeroed();
    codes.as_mut().iter_mut().zip(x).for_each(|(code, x)| *code = x.code());
    s.load(&codes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::BoxedFir;
    use crate::filter::fir::Filter;
    use crate::shape::Blockwise;
    use crate::simd::SimdLevel;
    use std::vec;

    fn full_scale<Q: Filter<Q, Output = Q> + FixedPoint>() {
        let [least, most] = [-1.0, 1.0].map(Q::from_f64);
        for level in SimdLevel::available() {
            assert_eq!(BoxedFir::<Q, Q>::with_level(&[least], level).unwrap().step(least), most);
            for len in [2, 3, 40] {
                let mut fir = BoxedFir::<Q, Q>::with_level(&vec![least; len], level).unwrap();
                let mut y = vec![Q::ZERO; 100];
                assert_eq!(fir.steps(&[least; 100], &mut y), 100);
                assert_eq!(y, [most; 100]);
                fir.steps(&[most; 100], &mut y);
                assert_eq!(y[len..], [least; 100][len..]);
            }
        }
    }

    #[test]
    fn sums_of_full_scale_saturate() {
        full_scale::<Q7>();
        full_scale::<Q15>();
        full_scale::<Q31>();
    }
}
