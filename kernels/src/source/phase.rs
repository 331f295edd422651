//! Phases as 64-bit fractions of a cycle, and their points on the unit circle.

use crate::shape::ConfigError;
use num_complex::Complex;

/// The fraction of a cycle nearest to `x` cycles, in units of 2^-64; exact for every `x` that is
/// a multiple of that.
pub(super) fn from_cycles(x: f64) -> u64 {
    // Of a finite number the fraction is exact, and so is scaling by a power of two.
    let fraction = x - libm::trunc(x);
    let scaled = libm::rint(fraction.abs() * 18_446_744_073_709_551_616.0) as u128 as u64;
    if fraction < 0.0 { scaled.wrapping_neg() } else { scaled }
}

/// A phase in cycles, `[0, 1)`.
pub(super) fn to_cycles(phase: u64) -> f64 {
    // The last bits are cut off so that rounding cannot reach 1.
    (phase >> 11) as f64 / (1u64 << 53) as f64
}

/// Refuses what is not a number of cycles.
pub(super) const fn checked(x: f64, argument: &'static str) -> Result<f64, ConfigError> {
    if x.is_finite() { Ok(x) } else { Err(ConfigError { argument, expected: "a finite number" }) }
}

/// `e^(j 2 pi phase / 2^64)` with an error of each component below 1.3e-7.
///
/// The phase is reduced to the nearest quarter in integers, so that polynomials (S. L. Moshier,
/// Cephes, `sinf` and `cosf`) only see an eighth of a cycle either way. Plain arithmetic in a
/// fixed order: the same bits on every target.
#[inline(always)]
pub(super) fn phasor(phase: u64) -> Complex<f32> {
    const SCALE: f32 = core::f32::consts::TAU / 18_446_744_073_709_551_616.0;
    let quarter = phase.wrapping_add(1 << 61) >> 62;
    let rest = phase.wrapping_sub(quarter << 62) as i64;
    // Rounding to 32 bits first costs nothing that f32 could hold, and vectorises.
    let x = (rest >> 32) as i32 as f32 * (SCALE * 4_294_967_296.0);
    let z = x * x;
    let sin = x + x * z * (-1.666_665_5e-1 + z * (8.332_161e-3 - z * 1.951_529_6e-4));
    let cos = 1.0 - 0.5 * z + z * z * (4.166_664_6e-2 + z * (-1.388_731_6e-3 + z * 2.443_315_7e-5));
    match quarter {
        0 => Complex::new(cos, sin),
        1 => Complex::new(-sin, cos),
        2 => Complex::new(-cos, -sin),
        _ => Complex::new(sin, -cos),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Rng;

    #[test]
    fn cycles_convert_exactly() {
        assert_eq!(from_cycles(0.25), 1 << 62);
        assert_eq!(from_cycles(-0.25), 3 << 62);
        assert_eq!(from_cycles(7.0), 0);
        assert_eq!(from_cycles(-1e-19), u64::MAX - 1);
        assert_eq!(from_cycles(0.1), 1_844_674_407_370_955_264, "the f64 next to 0.1, times 2^64");
        assert_eq!(to_cycles(1 << 62), 0.25);
        assert!(to_cycles(u64::MAX) < 1.0);
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
