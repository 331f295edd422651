//! The phase of complex samples.

use super::atan2;
use super::map::{Function, pointwise};
use num_complex::Complex;

pointwise! {
    /// Takes the phase of each sample in radians, `out[n] = atan2(im, re)` in `[-pi, pi]`, and
    /// returns how many.
    ///
    /// Takes as many samples as both slices hold.
    ///
    /// * **Accuracy**: within 2 ulp of `f32` and 2.4 ulp of `f64` over the whole range. The same bits
    ///   at every level and on every target.
    /// * **NaN and infinity**: NaN gives NaN; infinite parts count as IEEE 754 says of `atan2`. The
    ///   phase of zero is zero whatever the signs; that of an imaginary zero chooses between pi and
    ///   -pi where the real part is below zero.
    /// * **Cost**: a division and some thirty operations per sample; no allocation.
    ///
    /// ```
    /// use num_complex::Complex;
    /// use passband_kernels::math::phase;
    ///
    /// let mut y = [0.0; 2];
    /// assert_eq!(phase(&[Complex::new(0.0, 2.0), Complex::new(-1.0, 0.0)], &mut y), 2);
    /// assert_eq!(y, [core::f64::consts::FRAC_PI_2, core::f64::consts::PI]);
    /// ```
    phase, phase_with() of Phase: [Complex<f32> => f32, Complex<f64> => f64] Angle
}

struct Angle;

macro_rules! angles {
    ($($t:ident, $atan2:path;)*) => {$(
        impl Function<Complex<$t>> for Angle {
            type Output = $t;

            #[inline(always)]
            fn apply(&self, x: Complex<$t>) -> $t {
                // Two infinite parts are as large as each other.
                let diagonal = x.re.is_infinite() & x.im.is_infinite();
                let part = |part: $t| if diagonal { $t::copysign(1.0, part) } else { part };
                $atan2(part(x.im), part(x.re))
            }
        }
    )*};
}
angles! {
    f32, atan2::atan2;
    f64, atan2::atan2_f64;
}

#[cfg(feature = "testing")]
pub(crate) fn cases() -> std::vec::Vec<crate::testing::Case> {
    use super::map::case;
    let angle = |[re, im]: [f64; 2]| im.atan2(re);
    std::vec![
        case("phase", "phase in radians", 30.0, (3e-7, 147.0), phase_with::<Complex<f32>>, angle),
        case("phase", "phase in radians", 50.0, (8e-16, 323.0), phase_with::<Complex<f64>>, angle),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f64::consts::{FRAC_PI_4, PI};

    #[test]
    fn infinite_parts_have_the_angles_of_ieee_754() {
        const INF: f64 = f64::INFINITY;
        let x = [(INF, INF), (-INF, INF), (-INF, -INF), (INF, -1.0), (-INF, 1.0), (1.0, -INF)];
        let mut y = [0.0; 6];
        phase(&x.map(|(re, im)| Complex::new(re, im)), &mut y);
        assert_eq!(y, [FRAC_PI_4, 3.0 * FRAC_PI_4, -3.0 * FRAC_PI_4, -0.0, PI, -2.0 * FRAC_PI_4]);
        let mut single = [0.0; 6];
        phase(&x.map(|(re, im)| Complex::new(re as f32, im as f32)), &mut single);
        assert_eq!(single, y.map(|y| y as f32));
    }

    #[test]
    fn sizes_at_the_ends_of_the_range_have_their_angles() {
        let angles = |size: f64| {
            let mut y = [0.0; 3];
            let x = [(size, size), (-size, size), (size, size / 2.0)];
            phase(&x.map(|(re, im)| Complex::new(re, im)), &mut y);
            y
        };
        for size in [2f64.powi(1023), f64::MIN_POSITIVE, f64::from_bits(8)] {
            assert_eq!(angles(size), angles(1.0));
        }
        assert_eq!(angles(1.0)[..2], [FRAC_PI_4, 3.0 * FRAC_PI_4]);
    }

    #[test]
    fn zero_has_the_phase_zero_and_nan_none() {
        let mut y = [1.0f64; 4];
        let x = [(-0.0, 0.0), (-0.0, -0.0), (f64::NAN, 1.0), (f64::INFINITY, f64::NAN)];
        phase(&x.map(|(re, im)| Complex::new(re, im)), &mut y);
        assert_eq!(y[..2], [0.0, 0.0]);
        assert!(y[2].is_nan() && y[3].is_nan());
    }
}
