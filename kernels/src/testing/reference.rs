//! References in about twice the precision of `f64`.

use crate::sample::Sample;
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

/// A compensated sum of products (T. Ogita, S. Rump and S. Oishi, *Accurate Sum and Dot Product*,
/// 2005).
#[derive(Default)]
struct Sum {
    sum: f64,
    error: f64,
}

impl Sum {
    fn add_product(&mut self, a: f64, b: f64) {
        let product = a * b;
        let sum = self.sum + product;
        let added = sum - self.sum;
        self.error += a.mul_add(b, -product) + ((self.sum - (sum - added)) + (product - added));
        self.sum = sum;
    }

    fn value(&self) -> f64 {
        self.sum + self.error
    }
}
