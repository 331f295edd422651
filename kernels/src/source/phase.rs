//! Phases as 64-bit fractions of a cycle, and their points on the unit circle.

use crate::shape::ConfigError;
use num_complex::Complex;

/// A cycle in units of phases, 2^64.
pub(crate) const CYCLE: f64 = 18_446_744_073_709_551_616.0;

/// The fraction of a cycle nearest to `x` cycles, in units of 2^-64; 0 for NaN and infinity.
///
/// Exact for every `x` that is a multiple of 2^-64. The mantissa is shifted to its place, whole
/// cycles out at the top: integers only, which vectorise, and need no `f64` unit.
#[inline(always)]
pub(crate) const fn from_cycles(x: f64) -> u64 {
    let bits = x.to_bits();
    let mantissa = bits & ((1 << 52) - 1) | 1 << 52;
    let exponent = (bits >> 52 & 0x7ff) as u32;
    // A mantissa of exponent 1011 counts units. Of the two shifts one is out of range and gives 0.
    let above = mantissa.unbounded_shl(exponent.wrapping_sub(1011));
    let below = (mantissa.unbounded_shr(1010u32.wrapping_sub(exponent)) + 1) >> 1;
    let magnitude = above | below;
    if bits >> 63 == 1 { magnitude.wrapping_neg() } else { magnitude }
}

/// The fraction of a cycle in `x` cycles, in units of 2^-128, cut off below; 0 for NaN and infinity.
///
/// Exact for every `x` that is a multiple of 2^-128, as `f64` from 2^-76 on is.
pub(crate) const fn from_cycles_wide(x: f64) -> u128 {
    let bits = x.to_bits();
    let mantissa = (bits & ((1 << 52) - 1) | 1 << 52) as u128;
    let exponent = (bits >> 52 & 0x7ff) as u32;
    // A mantissa of exponent 947 counts units. Shifts out of range give 0.
    let magnitude = if exponent < 947 {
        mantissa.unbounded_shr(947 - exponent)
    } else {
        mantissa.unbounded_shl(exponent - 947)
    };
    if bits >> 63 == 1 { magnitude.wrapping_neg() } else { magnitude }
}

/// A phase in cycles, `[0, 1)`.
pub(crate) fn to_cycles(phase: u64) -> f64 {
    // The last bits are cut off so that rounding cannot reach 1.
    (phase >> 11) as f64 / (1u64 << 53) as f64
}

/// A frequency in cycles per sample, `[-0.5, 0.5)`.
pub(crate) fn to_signed_cycles(increment: u64) -> f64 {
    increment.cast_signed() as f64 / CYCLE
}

/// Refuses what is not a number of cycles.
pub(crate) const fn checked(x: f64, argument: &'static str) -> Result<f64, ConfigError> {
    if x.is_finite() { Ok(x) } else { Err(ConfigError { argument, expected: "a finite number" }) }
}

/// `e^(j 2 pi phase / 2^64)` with an error of each component below 1.3e-7.
///
/// The phase is reduced to the nearest quarter in integers, so that polynomials (S. L. Moshier,
/// Cephes, `sinf` and `cosf`) only see an eighth of a cycle either way. Plain arithmetic in a
/// fixed order, without branches: the same bits on every target.
#[inline(always)]
pub(crate) fn phasor(phase: u64) -> Complex<f32> {
    const SCALE: f32 = core::f32::consts::TAU / 4_294_967_296.0;
    // The lower half is below what f32 could hold.
    let phase = (phase >> 32) as u32;
    let quarter = phase.wrapping_add(1 << 29) >> 30;
    let x = phase.wrapping_sub(quarter << 30).cast_signed() as f32 * SCALE;
    let z = x * x;
    let sin = x + x * z * (-1.666_665_5e-1 + z * (8.332_161e-3 - z * 1.951_529_6e-4));
    let cos = 1.0 - 0.5 * z + z * z * (4.166_664_6e-2 + z * (-1.388_731_6e-3 + z * 2.443_315_7e-5));
    // Quarters 1 and 3 swap the components, 1 and 2 turn the sign of one, 2 and 3 of the other.
    let (re, im) = if quarter & 1 == 1 { (sin, cos) } else { (cos, sin) };
    let signed = |x: f32, quarter: u32| f32::from_bits(x.to_bits() ^ (quarter & 2) << 30);
    Complex::new(signed(re, quarter + 1), signed(im, quarter))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Rng;

    /// From here, 2^52, an `f64` has no halves. Written out: powers are not exact everywhere.
    const HALVES_END: f64 = 4_503_599_627_370_496.0;

    #[test]
    fn cycles_convert_exactly() {
        assert_eq!(from_cycles(0.25), 1 << 62);
        assert_eq!(from_cycles(-0.25), 3 << 62);
        assert_eq!(from_cycles(0.5), 1 << 63);
        assert_eq!(from_cycles(-1.5), 1 << 63);
        for whole in [0.0, -0.0, 1.0, 7.0, HALVES_END, -1e300, f64::NAN, f64::INFINITY] {
            assert_eq!(from_cycles(whole), 0, "{whole}");
        }
        assert_eq!(from_cycles(HALVES_END - 0.5), 1 << 63);
        assert_eq!(from_cycles(1.0 - f64::EPSILON / 2.0), 1u64.wrapping_neg() << 11);
        assert_eq!(from_cycles(-1e-19), u64::MAX - 1);
        assert_eq!(from_cycles(0.1), 1_844_674_407_370_955_264, "the f64 next to 0.1, times 2^64");
        assert_eq!(to_cycles(1 << 62), 0.25);
        assert!(to_cycles(u64::MAX) < 1.0);
    }

    #[test]
    fn wide_cycles_hold_all_that_a_number_does() {
        for x in [0.0, 0.25, -0.75, 0.1, -1.0 / 3.0, 1e-15, 123_456.789, 1e300, f64::NAN, f64::INFINITY] {
            let low = from_cycles_wide(x) << 64 >> 64;
            let high = (from_cycles_wide(x) >> 64) as u64;
            assert_eq!(high.wrapping_add((low >> 63) as u64), from_cycles(x), "{x}");
        }
        assert_eq!(from_cycles_wide(1.0 / (1u64 << 38) as f64 / (1u64 << 38) as f64), 1 << 52);
        assert_eq!(from_cycles_wide(-1.0 / CYCLE / CYCLE), u128::MAX);
    }

    #[test]
    fn cycles_are_rounded_to_the_nearest_unit() {
        let mut rng = Rng::new(4);
        for _ in 0..if cfg!(miri) { 100 } else { 100_000 } {
            let x = rng.unit() * 2f64.powi(rng.below(60) as i32 - 40);
            let nearest = (x.fract() * CYCLE).round() as i128;
            assert_eq!(from_cycles(x), nearest as u64, "{x:e}");
        }
    }

    #[test]
    fn phasors_are_within_their_bound_and_exact_at_quarters() {
        let mut rng = Rng::new(3);
        let mut worst = 0.0f64;
        let count: u64 = if cfg!(miri) { 100 } else { 200_000 };
        for i in 0..count {
            let phase = if i < 64 { i << 58 } else { rng.bits() };
            let (sin, cos) = (to_cycles(phase) * core::f64::consts::TAU).sin_cos();
            let p = phasor(phase);
            worst = worst.max((f64::from(p.re) - cos).abs()).max((f64::from(p.im) - sin).abs());
        }
        assert!(worst <= 1.3e-7, "{worst:e}");
        assert!(cfg!(miri) || worst > 0.65e-7, "a bound of twice what is measured: {worst:e}");
        assert_eq!(phasor(1 << 63), Complex::new(-1.0, 0.0));
    }
}
