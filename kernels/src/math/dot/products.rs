//! Sums of products, which do not depend on the level.

use crate::math::total::{LANES, ROWS, Total};
use crate::simd::{Body, Lanes, Lanes16};

/// A component, whose products are summed in double precision.
pub(super) trait Component: Copy + Default + Into<f64> {
    /// Whether products are exact in double precision, so that fusing them with an addition changes
    /// no bit.
    const EXACT: bool;
}

impl Component for f32 {
    const EXACT: bool = true;
}

impl Component for f64 {
    const EXACT: bool = false;
}

/// Sums of the products of components, in double precision; component `n` belongs to lane `n mod 16`.
///
/// `KINDS` 1: of component by component. 2: also of each component by the other of its sample.
pub(super) struct Products<'a, T, const KINDS: usize> {
    pub(super) a: &'a [T],
    pub(super) b: &'a [T],
}

/// Vectors of all lanes; wider ones leave some of them idle.
type Row<V> = [V; LANES / 2];

impl<T: Component, const KINDS: usize> Body<f64> for Products<'_, T, KINDS> {
    /// Of each kind the sums over even and over odd components of `a`.
    type Output = [[f64; 2]; KINDS];

    #[inline(always)]
    fn run<S: Lanes<f64> + Lanes16>(self, s: S) -> [[f64; 2]; KINDS] {
        let n = self.a.len().min(self.b.len());
        let (a, b) = (self.a.get(..n).unwrap_or(self.a), self.b.get(..n).unwrap_or(self.b));
        let mut totals = [Total::ZERO; KINDS];
        for (a, b) in a.chunks(ROWS * LANES).zip(b.chunks(ROWS * LANES)) {
            let mut sums = [[s.splat(0.0); LANES / 2]; KINDS];
            let ((a, last_a), (b, last_b)) = (a.as_chunks(), b.as_chunks());
            for (a, b) in a.iter().zip(b) {
                add_products(s, &mut sums, a, b);
            }
            if !last_a.is_empty() {
                // Zeros times zeros add nothing.
                add_products(s, &mut sums, &filled_up(last_a), &filled_up(last_b));
            }
            for (total, sums) in totals.iter_mut().zip(sums) {
                let mut lanes = [0.0; LANES];
                S::arrays_mut(&mut lanes).0.iter_mut().zip(sums).for_each(|(array, v)| s.store(array, v));
                total.add(&lanes);
            }
        }
        totals.map(|total| total.halves())
    }
}

#[inline(always)]
fn add_products<S: Lanes<f64>, T: Component, const KINDS: usize>(
    s: S,
    sums: &mut [Row<S::Vector>; KINDS],
    a: &[T; LANES],
    b: &[T; LANES],
) {
    let (a, b): ([f64; LANES], [f64; LANES]) = (a.map(T::into), b.map(T::into));
    let a = loaded(s, &a);
    for (kind, sums) in sums.iter_mut().enumerate() {
        let b = loaded(s, &core::array::from_fn(|lane| b[(lane ^ kind) % LANES]));
        for i in 0..LANES / S::WIDTH {
            sums[i] =
                if T::EXACT { s.mul_add(a[i], b[i], sums[i]) } else { s.add(s.mul(a[i], b[i]), sums[i]) };
        }
    }
}

#[inline(always)]
fn loaded<S: Lanes<f64>>(s: S, lanes: &[f64; LANES]) -> Row<S::Vector> {
    let mut row = [s.splat(0.0); LANES / 2];
    row.iter_mut().zip(S::arrays(lanes)).for_each(|(v, array)| *v = s.load(array));
    row
}

#[inline(always)]
fn filled_up<T: Copy + Default>(x: &[T]) -> [T; LANES] {
    let mut row = [T::default(); LANES];
    row.iter_mut().zip(x).for_each(|(to, from)| *to = *from);
    row
}
