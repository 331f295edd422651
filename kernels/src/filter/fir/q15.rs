//! The Q15 body: exact sums, one rounding, one saturation.
//!
//! Pairs of taps meet pairs of samples in one 16-bit multiply-add, once for even and once for odd
//! outputs. Its 32-bit sums are used only where the sum of the taps' magnitudes proves that they
//! cannot wrap; other taps sum in 64 bits. Integers are exact in any order, so the result has the
//! same bits at every level and on every target.

use crate::sample::Q15;
use crate::simd::{Body, Lanes, Lanes16};

/// Whether `sum |taps| * 2^15 + 2^14` stays below `2^31`.
pub(crate) const fn fits_32_bits(taps: &[Q15]) -> bool {
    let (mut sum, mut i) = (0, 0);
    while i < taps.len() {
        sum += taps[i].0.unsigned_abs() as u64;
        i += 1;
    }
    sum * (1 << 15) + (1 << 14) < 1 << 31
}

/// `out[n] = sat(round(sum taps[k] * window[n + k] / 2^15))`, taps reversed.
pub(crate) struct Direct<'a> {
    pub(crate) taps: &'a [Q15],
    pub(crate) fits_32_bits: bool,
    pub(crate) window: &'a [i16],
    pub(crate) out: &'a mut [i16],
}

impl Body<f32> for Direct<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes<f32> + Lanes16>(self, s: S) {
        if self.fits_32_bits && self.taps.len() > 1 {
            let _ = self.sums_32(s);
        } else {
            self.sums_64();
        }
    }
}

impl Direct<'_> {
    #[inline(always)]
    fn sums_32<S: Lanes16>(self, s: S) -> Option<()> {
        let Self { taps, mut window, out, .. } = self;
        let (mut blocks, rest) = S::arrays_mut(out);
        while blocks.len() >= 4 {
            let (head, tail) = core::mem::take(&mut blocks).split_first_chunk_mut::<4>()?;
            *head = rows(s, taps, window)?;
            (blocks, window) = (tail, window.get(4 * S::WIDTH..)?);
        }
        for block in blocks {
            [*block] = rows(s, taps, window)?;
            window = window.get(S::WIDTH..)?;
        }
        if !rest.is_empty() {
            let [block] = rows::<S, 1>(s, taps, window)?;
            rest.iter_mut().zip(block.as_ref()).for_each(|(to, from)| *to = *from);
        }
        Some(())
    }

    #[inline(always)]
    fn sums_64(self) {
        for (y, window) in self.out.iter_mut().zip(self.window.windows(self.taps.len().max(1))) {
            let product = |(h, x): (&Q15, &i16)| i64::from(i32::from(h.0) * i32::from(*x));
            let sum: i64 = self.taps.iter().zip(window).map(product).sum();
            *y = ((sum + (1 << 14)) >> 15).clamp(i64::from(i16::MIN), i64::from(i16::MAX)) as i16;
        }
    }
}

/// `R` vectors of outputs at the start of `window`.
#[inline(always)]
fn rows<S: Lanes16, const R: usize>(s: S, taps: &[Q15], window: &[i16]) -> Option<[S::Array; R]> {
    let mut even = [s.zero_sums(); R];
    let mut odd = [s.zero_sums(); R];
    let (pairs, last) = taps.as_chunks::<2>();
    let mut x = window;
    for [first, second] in pairs {
        add(s, [first.0, second.0], x, &mut even, &mut odd)?;
        x = x.get(2..)?;
    }
    if let [last] = last {
        // Paired with the sample before it, whose tap is done: a window ends at its last tap.
        add(s, [0, last.0], window.get((2 * pairs.len()).checked_sub(1)?..)?, &mut even, &mut odd)?;
    }
    let mut out = [S::zeroed(); R];
    for i in 0..R {
        let (even, odd) = (s.sums(even[i]), s.sums(odd[i]));
        let (to, _) = out[i].as_mut().as_chunks_mut::<2>();
        for ((to, even), odd) in to.iter_mut().zip(even.as_ref()).zip(odd.as_ref()) {
            *to = [round(*even), round(*odd)];
        }
    }
    Some(out)
}

/// Adds a pair of taps to the sums of even and of odd outputs.
#[inline(always)]
fn add<S: Lanes16, const R: usize>(
    s: S,
    pair: [i16; 2],
    x: &[i16],
    even: &mut [S::Sums; R],
    odd: &mut [S::Sums; R],
) -> Option<()> {
    let pair = s.splat_pair(pair);
    let even_x = S::arrays(x).first_chunk::<R>()?;
    let odd_x = S::arrays(x.get(1..)?).first_chunk::<R>()?;
    for i in 0..R {
        even[i] = s.add_products(even[i], s.load(&even_x[i]), pair);
        odd[i] = s.add_products(odd[i], s.load(&odd_x[i]), pair);
    }
    Some(())
}

#[inline(always)]
fn round(sum: i32) -> i16 {
    ((sum + (1 << 14)) >> 15).clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_proof_of_32_bits_is_tight() {
        // 65535 * 32768 + 16384 < 2^31 <= 65536 * 32768 + 16384.
        assert!(fits_32_bits(&[Q15(-32768), Q15(32767)]));
        assert!(!fits_32_bits(&[Q15(-32768), Q15(-32768)]));
    }
}
