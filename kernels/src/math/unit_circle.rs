//! Points on the unit circle, also at compile time, so that tables of them can lie in flash.

use core::f64::consts::FRAC_PI_4;

/// `[cos a, sin a]` of the angle `a = 2 pi k / n`, within 1 ulp where `n` is a power of two;
/// `k < n < 2^60`.
///
/// Symmetries reduce the angle in integers to an eighth of a turn, where the Taylor series are
/// short. Plain arithmetic in a fixed order: the same bits on every target.
pub(crate) const fn unit_circle(k: u64, n: u64) -> [f64; 2] {
    let (octant, past) = (8 * k / n, 8 * k % n);
    // In odd octants from the far end.
    let eighths = if octant % 2 == 0 { past } else { n - past };
    let x = FRAC_PI_4 * (eighths as f64 / n as f64);
    let z = x * x;
    let (sin, cos) = (x * series(z, 1), series(z, 0));
    match octant {
        0 => [cos, sin],
        1 => [sin, cos],
        2 => [-sin, cos],
        3 => [-cos, sin],
        4 => [-cos, -sin],
        5 => [-sin, -cos],
        6 => [sin, -cos],
        _ => [cos, -sin],
    }
}

/// `1 - z / ((1 + odd) (2 + odd)) + ..`: the cosine of `sqrt(z)`, or with `odd` 1 its sine over itself.
const fn series(z: f64, odd: u32) -> f64 {
    let (mut sum, mut i) = (1.0, 2 * TERMS + odd);
    while i > odd {
        sum = 1.0 - z / (i * (i - 1)) as f64 * sum;
        i -= 2;
    }
    sum
}

/// Enough for an eighth of a turn: the next term is below 2^-57.
const TERMS: u32 = 8;

#[cfg(test)]
mod tests {
    use super::*;
    use core::f64::consts::TAU;

    #[test]
    fn points_are_within_their_bound_and_exact_at_quarters() {
        let mut worst = 0.0f64;
        for n in [1u64, 2, 4, 8, 16, 1 << 10, 1 << 14] {
            for k in 0..n {
                let [cos, sin] = unit_circle(k, n);
                // The library's own, with the angle reduced to where its rounding does not matter.

                let turns = k as f64 / n as f64;
                let (near, quarter) = ((turns * 4.0).round(), (turns * 4.0).round() as i64);
                let (s, c) = (TAU * (turns - near / 4.0)).sin_cos();
                let [x, y] = [[c, s], [-s, c], [-c, -s], [s, -c]][quarter.rem_euclid(4) as usize];
                for (got, exact) in [(cos, x), (sin, y)] {
                    let error = (got - exact).abs();
                    worst = worst.max(if exact == 0.0 { error } else { error / exact.abs() });
                }
            }
        }
        std::println!("unit_circle: {worst:.2e}");
        assert!(worst < 4e-16, "{worst:e}");
        assert_eq!(
            [0, 1, 2, 3].map(|k| unit_circle(k, 4)),
            [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]
        );
    }
}
