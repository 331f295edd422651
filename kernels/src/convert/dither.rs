//! Noise that makes rounding errors independent of the signal.

/// Triangular noise of two codes' width, a function of the seed and of where in the stream it is.
///
/// Number `n` is the difference of the halves of number `n` of `SplitMix64`, each a fraction of one
/// code. G. L. Steele, D. Lea and C. H. Flood, *Fast splittable pseudorandom number generators*,
/// OOPSLA 2014.
#[derive(Clone, Copy, Debug)]
pub struct Dither {
    pub(super) seed: u64,
    /// Numbers taken since the start of the stream.
    pub(super) position: u64,
}

impl Dither {
    pub(super) const fn new(seed: u64) -> Self {
        Self { seed, position: 0 }
    }

    /// The noise `n` numbers on, in codes: between -1 and 1.
    #[inline(always)]
    pub(super) fn noise(&self, n: u64) -> f64 {
        const UNIT: f64 = 1.0 / (1u64 << 32) as f64;
        let n = self.position.wrapping_add(n).wrapping_add(1);
        let z = self.seed.wrapping_add(n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        let z = z ^ z >> 31;
        (f64::from((z >> 32) as u32) - f64::from(z as u32)) * UNIT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_those_of_the_published_generator() {
        // The first numbers of SplitMix64 for the seed 1234567.
        let published = [6_457_827_717_110_365_317u64, 3_203_168_211_198_807_973];
        for (n, bits) in published.into_iter().enumerate() {
            let halves = (bits >> 32) as f64 - (bits & 0xffff_ffff) as f64;
            assert_eq!(Dither::new(1_234_567).noise(n as u64), halves / 2f64.powi(32));
        }
    }

    #[test]
    fn the_density_is_triangular() {
        let n = if cfg!(miri) { 2000 } else { 1_000_000 };
        let dither = Dither::new(1);
        let (mut mean, mut square, mut fourth, mut beyond) = (0.0, 0.0, 0.0, 0);
        for i in 0..n {
            let x = dither.noise(i);
            assert!((-1.0..=1.0).contains(&x));
            (mean, square, fourth) = (mean + x, square + x * x, fourth + x.powi(4));
            beyond += u64::from(x.abs() > 0.5);
        }
        let n = n as f64;
        // Of the density 1 - |x|: moments 0, 1/6 and 1/15, a quarter beyond one half.
        for (found, expected) in
            [(mean / n, 0.0), (square / n, 1.0 / 6.0), (fourth / n, 1.0 / 15.0), (beyond as f64 / n, 0.25)]
        {
            assert!((found - expected).abs() < 2.0 / n.sqrt(), "{found}, expected {expected}");
        }
    }
}
