//! Sums of products, which do not depend on the level.

use crate::math::total::{LANES, ROWS, Total};
use crate::simd::{Body, Lanes, Lanes16};

/// Sums of the products of components, in double precision; component `n` belongs to lane `n mod 16`.
///
/// `KINDS` 1: of component by component. 2: also of each component by the other of its sample.
pub(super) struct Products<'a, T, const KINDS: usize> {
    pub(super) a: &'a [T],
    pub(super) b: &'a [T],
}

impl<T: Copy + Default + Into<f64>, const KINDS: usize> Body<f32> for Products<'_, T, KINDS> {
    /// Of each kind the sums over even and over odd components of `a`.
    type Output = [[f64; 2]; KINDS];

    #[inline(always)]
    fn run<S: Lanes<f32> + Lanes16>(self, _: S) -> [[f64; 2]; KINDS] {
        let n = self.a.len().min(self.b.len());
        let (a, b) = (self.a.get(..n).unwrap_or(self.a), self.b.get(..n).unwrap_or(self.b));
        let mut totals = [Total::ZERO; KINDS];
        for (a, b) in a.chunks(ROWS * LANES).zip(b.chunks(ROWS * LANES)) {
            let mut sums = [[0.0; LANES]; KINDS];
            let ((a, last_a), (b, last_b)) = (a.as_chunks(), b.as_chunks());
            for (a, b) in a.iter().zip(b) {
                add_products(&mut sums, a, b);
            }
            if !last_a.is_empty() {
                // Zeros times zeros add nothing.
                add_products(&mut sums, &filled_up(last_a), &filled_up(last_b));
            }
            for (total, sums) in totals.iter_mut().zip(&sums) {
                total.add(sums);
            }
        }
        totals.map(|total| total.halves())
    }
}

#[inline(always)]
fn add_products<T: Copy + Into<f64>, const KINDS: usize>(
    sums: &mut [[f64; LANES]; KINDS],
    a: &[T; LANES],
    b: &[T; LANES],
) {
    let [mut a_wide, mut b_wide] = [[0.0; LANES]; 2];
    for lane in 0..LANES {
        (a_wide[lane], b_wide[lane]) = (a[lane].into(), b[lane].into());
    }
    for (kind, sums) in sums.iter_mut().enumerate() {
        for lane in 0..LANES {
            sums[lane] += a_wide[lane] * b_wide[(lane ^ kind) % LANES];
        }
    }
}

#[inline(always)]
fn filled_up<T: Copy + Default>(x: &[T]) -> [T; LANES] {
    let mut row = [T::default(); LANES];
    row.iter_mut().zip(x).for_each(|(to, from)| *to = *from);
    row
}
