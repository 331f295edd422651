//! The angle of a complex number without branches.

use crate::math::polynomial::polynomial;
use crate::source::phase::CYCLE;

/// What `PI` lacks to pi; half of it is what `FRAC_PI_2` lacks to pi/2.
const PI_REST: f32 = -8.742_278e-8;
const PI_REST_F64: f64 = 1.224_646_799_147_353_2e-16;

/// `atan(r) / r - 1` in powers of `r^2` over `[0, 1]`, of least relative error (1.7e-8).
const ATAN: [f32; 8] = [
    -0.333_331_53,
    0.199_937_67,
    -0.142_110_02,
    0.106_657_69,
    -0.075_516_52,
    0.043_204_42,
    -0.016_362_8,
    0.002_919_260_2,
];

/// `(atan(r) / r - 1) / r^2` in powers of `r^2` over `[0, tan(pi/8)]`, of least relative error
/// (2^-59).
const ATAN_F64: [f64; 11] = [
    -0.333_333_333_333_332,
    0.199_999_999_999_540_43,
    -0.142_857_142_802_443_2,
    0.111_111_107_859_161_03,
    -0.090_908_978_297_728_47,
    0.076_920_615_136_619_71,
    -0.066_631_189_326_539_86,
    0.058_479_980_390_242_416,
    -0.050_397_951_817_481_7,
    0.038_077_011_083_170_94,
    -0.017_920_812_888_073_29,
];

macro_rules! atan2 {
    ($(#[$doc:meta])* $atan2:ident, $t:ident, $acute:ident, $pi_rest:expr) => {
        $(#[$doc])*
        #[inline(always)]
        pub(crate) fn $atan2(y: $t, x: $t) -> $t {
            use core::$t::consts::{FRAC_PI_2, PI};
            let (acute, steep) = $acute(y, x);
            // The octants: pi/2 -+ acute where steep, pi - acute on the left, acute on the right.
            let left = x < 0.0;
            let turned = if steep == left { acute } else { -acute };
            let (base, rest) = if steep {
                (FRAC_PI_2, $pi_rest / 2.0)
            } else if left {
                (PI, $pi_rest)
            } else {
                (0.0, 0.0)
            };
            (base + (turned + rest)).copysign(y)
        }
    };
}

atan2! {
    /// The angle of `x + jy` in `[-pi, pi]`, within 2.5e-7 and within 2 ulp.
    ///
    /// The angle of zero is zero whatever the signs; the sign of a zero `y` chooses between pi and
    /// -pi where `x < 0`. NaN gives NaN, and so do two infinities.
    atan2, f32, acute, PI_REST
}

atan2! {
    /// [`atan2`] in double precision, within 2 ulp.
    atan2_f64, f64, acute_f64, PI_REST_F64
}

/// The angle of `x + jy` in units of 2^-64 cycles, within 8e-8 radians: quarters of a cycle are exact.
///
/// The angle of zero is zero; NaN gives an angle, too.
#[inline(always)]
pub(crate) fn atan2_cycles(y: f32, x: f32) -> u64 {
    const PER_RADIAN: f64 = CYCLE / core::f64::consts::TAU;
    const QUARTER: u64 = 1 << 62;
    let (acute, steep) = acute(y, x);
    let acute = ((f64::from(acute) * PER_RADIAN) as i64).cast_unsigned();
    let right = if steep { QUARTER - acute } else { acute };
    let upper = if x < 0.0 { 2 * QUARTER - right } else { right };
    if y < 0.0 { upper.wrapping_neg() } else { upper }
}

/// The angle to the nearer axis, and whether that is the axis of `y`.
#[inline(always)]
fn acute(y: f32, x: f32) -> (f32, bool) {
    let steep = y.abs() > x.abs();
    let (larger, smaller) = if steep { (y.abs(), x.abs()) } else { (x.abs(), y.abs()) };
    let ratio = smaller / if larger == 0.0 { 1.0 } else { larger };
    let square = ratio * ratio;
    let [c0, c1, c2, c3, c4, c5, c6, c7] = ATAN;
    let high = ((c7 * square + c6) * square + c5) * square + c4;
    let series = (((high * square + c3) * square + c2) * square + c1) * square + c0;
    (ratio + ratio * (square * series), steep)
}

/// [`acute`] in double precision: the tangent of the angle, or of what it lacks to pi/4.
#[inline(always)]
fn acute_f64(y: f64, x: f64) -> (f64, bool) {
    use core::f64::consts::{FRAC_PI_4, SQRT_2};
    let steep = y.abs() > x.abs();
    let (larger, smaller) = if steep { (y.abs(), x.abs()) } else { (x.abs(), y.abs()) };
    // So small that their sum stays finite.
    let scale = if larger > 1e300 { 0.25 } else { 1.0 };
    let (larger, smaller) = (larger * scale, smaller * scale);
    let past = smaller > (SQRT_2 - 1.0) * larger;
    let (rise, run) = if past { (smaller - larger, smaller + larger) } else { (smaller, larger) };
    let ratio = rise / if run == 0.0 { 1.0 } else { run };
    let square = ratio * ratio;
    let part = ratio + ratio * (square * polynomial(square, &ATAN_F64));
    (if past { FRAC_PI_4 + (part + PI_REST_F64 / 4.0) } else { part }, steep)
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f32::consts::{FRAC_PI_2, PI};
    use std::vec::Vec;

    /// Every octant, ratios down to 2^-60, and both sides of each border.
    fn points() -> Vec<(f32, f32)> {
        let mut points = Vec::new();
        let n = if cfg!(miri) { 400 } else { 40_000u32 };
        for i in 0..n {
            let angle = f64::from(i) / f64::from(n) * core::f64::consts::TAU;
            points.push((angle.sin() as f32, angle.cos() as f32));
            let small = 1.37 * 0.5f32.powi(i as i32 % 60);
            let near = 1.0 + (i % 17) as f32 / 16.0;
            points.extend([(small, near), (near, small), (small, -near), (-near, -small)]);
        }
        points
    }

    #[test]
    fn error_is_within_its_bounds_in_every_octant() {
        let (mut worst, mut ulps) = (0.0f64, 0.0f64);
        for (y, x) in points() {
            let exact = f64::from(y).atan2(f64::from(x));
            let ulp = (exact.abs() as f32).next_up() - (exact.abs() as f32);
            let error = (f64::from(atan2(y, x)) - exact).abs();
            worst = worst.max(error);
            ulps = ulps.max(error / f64::from(ulp));
        }
        std::println!("atan2: {worst:.3e} rad, {ulps:.3} ulp");
        assert!(worst < 2.5e-7 && ulps < 2.0);
    }

    #[test]
    fn error_in_cycles_is_within_its_bound_and_quarters_are_exact() {
        let mut worst = 0.0f64;
        for (y, x) in points() {
            let exact = f64::from(y).atan2(f64::from(x));
            let turns = atan2_cycles(y, x).cast_signed() as f64 / 2f64.powi(64);
            let error = turns - exact / core::f64::consts::TAU;
            worst = worst.max((error - error.round()).abs() * core::f64::consts::TAU);
        }
        std::println!("atan2_cycles: {worst:.3e} rad");
        assert!(worst < 8e-8);
        for (quarter, (y, x)) in (0..).zip([(0.0, 2.0), (2.0, 0.0), (0.0, -2.0), (-2.0, 0.0), (0.0, 0.0)]) {
            assert_eq!(atan2_cycles(y, x), (quarter % 4) << 62);
        }
    }

    #[test]
    fn axes_are_exact_and_zero_has_the_angle_zero() {
        assert_eq!(atan2(0.0, 3.0), 0.0);
        assert_eq!([atan2(0.0, -2.0), atan2(-0.0, -2.0)], [PI, -PI]);
        assert_eq!([atan2(5.0, 0.0), atan2(-5.0, -0.0)], [FRAC_PI_2, -FRAC_PI_2]);
        for (y, x) in [(0.0, 0.0), (0.0, -0.0), (-0.0, 0.0), (-0.0, -0.0)] {
            assert_eq!(atan2(y, x), 0.0);
        }
    }

    #[test]
    fn extremes_of_the_range_neither_overflow_nor_vanish() {
        for size in [f32::MAX, f32::MIN_POSITIVE, f32::from_bits(1)] {
            assert_eq!(atan2(size, size), atan2(1.0, 1.0));
            assert_eq!(atan2(size, -size), atan2(1.0, -1.0));
        }
        assert_eq!(atan2(f32::from_bits(1), 1.0), f32::from_bits(1));
    }

    #[test]
    fn nan_gives_nan_and_an_infinity_its_axis() {
        for (y, x) in [(f32::NAN, 1.0), (1.0, f32::NAN), (f32::NAN, 0.0), (0.0, f32::NAN)] {
            assert!(atan2(y, x).is_nan());
        }
        assert!(atan2(f32::INFINITY, f32::INFINITY).is_nan());
        assert_eq!(atan2(f32::NEG_INFINITY, 1.0), -FRAC_PI_2);
        assert_eq!(atan2(1.0, f32::NEG_INFINITY), PI);
    }
}
