//! Sine and cosine of an angle, by its distance from the nearest multiple of pi/2.

use crate::math::polynomial::polynomial;

/// A number as an angle.
pub(super) trait Turning: Sized {
    /// Where [`small_sin_cos`](Self::small_sin_cos) ends.
    const LARGE: Self;
    /// `[sin x, cos x]` for `|x| < LARGE`, without branches.
    fn small_sin_cos(self) -> [Self; 2];
    /// `[sin x, cos x]` for all `x`.
    fn large_sin_cos(self) -> [Self; 2];
}

/// Parts of pi/2, the first four of 11 bits each: their multiples by less than 2^13 are exact.
const PARTS_F32: [f32; 5] = [1.570_312_5, 0.000_483_751_3, 7.549_533_6e-8, 2.563_283e-12, 6.123_234e-17];
/// `(sin r / r - 1) / r^2` and `(cos r - 1 + r^2 / 2) / r^4` in powers of `r^2`, of least error in
/// the sine (2^-28) and the cosine (2^-33).
const SIN_F32: [f32; 3] = [-0.166_666_55, 0.008_332_173, -0.000_195_166_55];
const COS_F32: [f32; 3] = [0.041_666_646, -0.001_388_736_2, 2.443_773_2e-5];

impl Turning for f32 {
    const LARGE: Self = 8192.0;

    #[inline(always)]
    fn small_sin_cos(self) -> [Self; 2] {
        /// So large that its last bit counts ones.
        const COUNTER: f32 = 1.5 * (1 << 23) as f32;
        let x = self.abs();
        let counted = x * core::f32::consts::FRAC_2_PI + COUNTER;
        let k = counted - COUNTER;
        let [p0, p1, p2, p3, p4] = PARTS_F32;
        // What the third part loses to rounding is added with the rest.
        let second = (x - k * p0) - k * p1;
        let third = second - k * p2;
        let r = third + (((second - third) - k * p2) - (k * p3 + k * p4));
        let z = r * r;
        let sin = r + r * (z * polynomial(z, &SIN_F32));
        // What 1 - z / 2 loses is added again.
        let (half, near) = (0.5 * z, 1.0 - 0.5 * z);
        let cos = near + (((1.0 - near) - half) + z * (z * polynomial(z, &COS_F32)));

        let quadrant = counted.to_bits();
        let (sin, cos) = if quadrant & 1 == 0 { (sin, cos) } else { (cos, sin) };
        let turned = |y: f32, sign: u32| f32::from_bits(y.to_bits() ^ (sign & (1 << 31)));
        [turned(sin, (quadrant << 30) ^ self.to_bits()), turned(cos, quadrant.wrapping_add(1) << 30)]
    }

    fn large_sin_cos(self) -> [Self; 2] {
        let [sin, cos] = f64::from(self).large_sin_cos();
        [sin as f32, cos as f32]
    }
}

/// Parts of pi/2, the first three of 33 bits each: their multiples by less than 2^20 are exact.
const PARTS_F64: [f64; 4] = [
    1.570_796_326_734_125_6,
    6.077_100_506_303_966e-11,
    2.022_266_248_711_166_5e-21,
    8.478_427_660_368_9e-32,
];
/// `S1..` and `C1..` of fdlibm.
#[expect(clippy::excessive_precision, reason = "as published")]
const SIN_F64: [f64; 6] = [
    -1.666_666_666_666_663_243_48e-1,
    8.333_333_333_322_489_461_24e-3,
    -1.984_126_982_985_794_931_34e-4,
    2.755_731_370_707_006_767_89e-6,
    -2.505_076_025_340_686_341_95e-8,
    1.589_690_995_211_550_102_21e-10,
];
#[expect(clippy::excessive_precision, reason = "as published")]
const COS_F64: [f64; 6] = [
    4.166_666_666_666_660_190_37e-2,
    -1.388_888_888_887_410_957_49e-3,
    2.480_158_728_947_672_941_78e-5,
    -2.755_731_435_139_066_330_35e-7,
    2.087_572_321_298_174_827_9e-9,
    -1.135_964_755_778_819_482_65e-11,
];

impl Turning for f64 {
    const LARGE: Self = 1.6e6;

    #[inline(always)]
    fn small_sin_cos(self) -> [Self; 2] {
        /// So large that its last bit counts ones.
        const COUNTER: f64 = 1.5 * (1u64 << 52) as f64;
        let x = self.abs();
        let counted = x * core::f64::consts::FRAC_2_PI + COUNTER;
        let k = counted - COUNTER;
        // The rest after each part, and what it lost to rounding.
        let [p0, p1, p2, p3] = PARTS_F64;
        let first = x - k * p0;
        let second = first - k * p1;
        let third = second - k * p2;
        let lost = ((first - second) - k * p1) + ((second - third) - k * p2) - k * p3;
        let r = third + lost;
        let tail = (third - r) + lost;

        let z = r * r;
        let [s0, s @ ..] = SIN_F64;
        let cube = z * r;
        let sin = r - ((z * (0.5 * tail - cube * polynomial(z, &s)) - tail) - cube * s0);
        // What 1 - z / 2 loses is added again.
        let (half, near) = (0.5 * z, 1.0 - 0.5 * z);
        let cos = near + (((1.0 - near) - half) + (z * (z * polynomial(z, &COS_F64)) - r * tail));

        let quadrant = counted.to_bits();
        let (sin, cos) = if quadrant & 1 == 0 { (sin, cos) } else { (cos, sin) };
        let turned = |y: f64, sign: u64| f64::from_bits(y.to_bits() ^ (sign & (1 << 63)));
        [turned(sin, (quadrant << 62) ^ self.to_bits()), turned(cos, quadrant.wrapping_add(1) << 62)]
    }

    fn large_sin_cos(self) -> [Self; 2] {
        let (sin, cos) = libm::sincos(self);
        [sin, cos]
    }
}
