//! References in about twice the precision of `f64`.

use crate::sample::{FixedPoint, Sample};
use core::f64::consts::TAU;
use num_complex::Complex;
use std::vec::Vec;

/// `sum h[k] x[n - k]` for each input, real parts only (`components` 1) or complex (2).
#[must_use]
pub fn convolve<H: Sample, X: Sample>(taps: &[H], x: &[X], components: usize) -> Vec<f64> {
    let complex = |[re, im]: [f64; 2]| Complex::new(re, im);
    let h: Vec<_> = taps.iter().map(|tap| complex(tap.parts())).collect();
    let x: Vec<_> = x.iter().map(|x| complex(x.parts())).collect();
    let mut out = Vec::new();
    for n in 0..x.len() {
        let (mut re, mut im) = (Sum::default(), Sum::default());
        for (h, x) in h.iter().zip(x[..=n].iter().rev()) {
            re.add_product(h.re, x.re);
            re.add_product(-h.im, x.im);
            im.add_product(h.re, x.im);
            im.add_product(h.im, x.re);
        }
        out.extend([re.value(), im.value()].into_iter().take(components));
    }
    out
}

/// `sum h[k] x[n - k]` of codes for each input, rounded once, halves up, and saturated.
#[must_use]
pub fn convolve_exactly<Q: FixedPoint>(taps: &[Q], x: &[Q]) -> Vec<f64> {
    let end = 1i128 << Q::BITS;
    let code = |q: &Q| q.parts()[0] as i128;
    let output = |n: usize| {
        let sum: i128 = taps.iter().zip(x[..=n].iter().rev()).map(|(h, x)| code(h) * code(x)).sum();
        (sum + end / 2).div_euclid(end).clamp(-end, end - 1) as f64
    };
    (0..x.len()).map(output).collect()
}

/// `x` after sections of codes `[b0, b1, b2, a0, a1, a2]`: each sum divided by `a0`, rounded once, halves
/// up, and saturated.
#[must_use]
pub fn cascade_exactly<Q: FixedPoint>(sos: &[[f64; 6]], x: &[Q]) -> Vec<f64> {
    let end = 1i128 << Q::BITS;
    let mut samples: Vec<_> = x.iter().map(|x| x.parts()[0] as i128).collect();
    for row in sos {
        let [b0, b1, b2, a0, a1, a2] = row.map(|code| code as i128);
        let [mut x1, mut x2, mut y1, mut y2] = [0; 4];
        for sample in &mut samples {
            let sum = b0 * *sample + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2;
            let y = (2 * sum + a0).div_euclid(2 * a0).clamp(-end, end - 1);
            (x2, x1, y2, y1, *sample) = (x1, *sample, y1, y, y);
        }
    }
    samples.into_iter().map(|sample| sample as f64).collect()
}

/// The components of `a[n] b[n]`.
#[must_use]
pub fn products<X: Sample>(a: &[X], b: &[X]) -> Vec<f64> {
    a.iter().zip(b).flat_map(|(a, b)| inner_product(&[*a], &[*b], false)).collect()
}

/// The components of `sum a[n] b[n]`, or of `sum conj(a[n]) b[n]`.
#[must_use]
pub fn inner_product<X: Sample>(a: &[X], b: &[X], conjugating: bool) -> Vec<f64> {
    let (mut re, mut im) = (Sum::default(), Sum::default());
    for ([a, ja], [b, jb]) in a.iter().zip(b).map(|(a, b)| (a.parts(), b.parts())) {
        let ja = if conjugating { -ja } else { ja };
        re.add_product(a, b);
        re.add_product(-ja, jb);
        im.add_product(a, jb);
        im.add_product(ja, b);
    }
    [re.value(), im.value()].into_iter().take(X::COMPONENTS).collect()
}

/// The components of `x` after sections `[b0, b1, b2, 1, a1, a2]`, in direct form.
#[must_use]
pub fn cascade<X: Sample>(sos: &[[f64; 6]], x: &[X]) -> Vec<f64> {
    let mut samples: Vec<_> = x.iter().map(|x| x.parts().map(Double::from)).collect();
    for &[b0, b1, b2, _, a1, a2] in sos {
        let mut past = [[Double::default(); 4]; 2];
        for parts in &mut samples {
            for ([x1, x2, y1, y2], part) in past.iter_mut().zip(parts) {
                let x = *part;
                *part = x * b0 + *x1 * b1 + *x2 * b2 + *y1 * -a1 + *y2 * -a2;
                (*x2, *x1, *y2, *y1) = (*x1, x, *y1, *part);
            }
        }
    }
    samples.iter().flat_map(|parts| parts.iter().take(X::COMPONENTS)).map(|x| x.value()).collect()
}

/// The discrete Fourier transform of one frame, or the inverse one, by its definition.
#[must_use]
pub fn dft<X: Sample>(x: &[X], inverse: bool) -> Vec<f64> {
    let n = x.len();
    let direction = if inverse { 1.0 } else { -1.0 };
    let root = |k: usize| {
        // The angle's rounding error is small where the angle is.
        let quarter = (8 * k + n) / (2 * n);
        let angle = TAU * (4.0 * k as f64 - (quarter * n) as f64) / (4.0 * n as f64);
        let (sin, cos) = angle.sin_cos();
        let (re, im) = [(cos, sin), (-sin, cos), (-cos, -sin), (sin, -cos)][quarter % 4];
        [re, direction * im]
    };
    let roots: Vec<_> = (0..n).map(root).collect();
    let x: Vec<_> = x.iter().map(|x| x.parts()).collect();
    let scale = if inverse { 1.0 / n as f64 } else { 1.0 };
    let mut out = Vec::new();
    for k in 0..n {
        let (mut re, mut im) = (Sum::default(), Sum::default());
        for (m, [a, b]) in x.iter().enumerate() {
            let [c, d] = roots[k * m % n];
            re.add_product(*a, c);
            re.add_product(-b, d);
            im.add_product(*a, d);
            im.add_product(*b, c);
        }
        out.extend([scale * re.value(), scale * im.value()]);
    }
    out
}

/// A compensated sum of products (T. Ogita, S. Rump and S. Oishi, *Accurate Sum and Dot Product*,
/// 2005).
#[derive(Default)]
pub(crate) struct Sum {
    sum: f64,
    error: f64,
}

impl Sum {
    pub(crate) fn add_product(&mut self, a: f64, b: f64) {
        let product = a * b;
        let sum = self.sum + product;
        let added = sum - self.sum;
        self.error += a.mul_add(b, -product) + ((self.sum - (sum - added)) + (product - added));
        self.sum = sum;
    }

    pub(crate) fn value(&self) -> f64 {
        self.sum + self.error
    }
}

/// A number as the sum of two (T. J. Dekker, *A Floating-Point Technique for Extending the
/// Available Precision*, 1971).
#[derive(Clone, Copy, Default)]
struct Double {
    high: f64,
    low: f64,
}

impl Double {
    fn value(self) -> f64 {
        self.high + self.low
    }
}

impl From<f64> for Double {
    fn from(high: f64) -> Self {
        Self { high, low: 0.0 }
    }
}

impl core::ops::Add for Double {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let sum = self.high + other.high;
        let added = sum - self.high;
        let error = (self.high - (sum - added)) + (other.high - added) + (self.low + other.low);
        let high = sum + error;
        Self { high, low: error - (high - sum) }
    }
}

impl core::ops::Mul<f64> for Double {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        let product = self.high * factor;
        let error = self.high.mul_add(factor, -product) + self.low * factor;
        let high = product + error;
        Self { high, low: error - (high - product) }
    }
}
