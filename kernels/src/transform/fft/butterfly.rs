//! Small transforms in registers: one sample of each of several interleaved frames per lane.
//!
//! Nothing is fused, so that every level and target gives the same bits.

use crate::filter::product::load;
use crate::simd::Lanes;
use crate::transform::FftReal;

/// Complex samples, a vector of real and one of imaginary parts.
pub(super) struct Pair<T, S: Lanes<T>> {
    pub(super) re: S::Vector,
    pub(super) im: S::Vector,
}

/// Vectors of real and of imaginary parts, or a vector's width of complex samples.
pub(super) type Cell<T, S> = [<S as Lanes<T>>::Array; 2];

impl<T, S: Lanes<T>> Clone for Pair<T, S> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, S: Lanes<T>> Copy for Pair<T, S> {}

impl<T, S: Lanes<T>> Pair<T, S> {
    #[inline(always)]
    pub(super) fn swapped(self) -> Self {
        Self { re: self.im, im: self.re }
    }
    #[inline(always)]
    fn add(self, s: S, b: Self) -> Self {
        Self { re: s.add(self.re, b.re), im: s.add(self.im, b.im) }
    }
    #[inline(always)]
    fn sub(self, s: S, b: Self) -> Self {
        Self { re: s.sub(self.re, b.re), im: s.sub(self.im, b.im) }
    }
    /// `self + j b`.
    #[inline(always)]
    fn add_turned(self, s: S, b: Self) -> Self {
        Self { re: s.sub(self.re, b.im), im: s.add(self.im, b.re) }
    }
    /// `self - j b`.
    #[inline(always)]
    fn sub_turned(self, s: S, b: Self) -> Self {
        Self { re: s.add(self.re, b.im), im: s.sub(self.im, b.re) }
    }
    #[inline(always)]
    pub(super) fn scaled(self, s: S, factor: S::Vector) -> Self {
        Self { re: s.mul(self.re, factor), im: s.mul(self.im, factor) }
    }
    /// `[a0, b0, a1, b1, ..]`, the first half and the second.
    #[inline(always)]
    pub(super) fn interleave(self, s: S, b: Self) -> [Self; 2] {
        let ([re, more_re], [im, more_im]) = (s.interleave(self.re, b.re), s.interleave(self.im, b.im));
        [Self { re, im }, Self { re: more_re, im: more_im }]
    }
    #[inline(always)]
    pub(super) fn mul(self, s: S, w: Self) -> Self {
        Self {
            re: s.sub(s.mul(self.re, w.re), s.mul(self.im, w.im)),
            im: s.add(s.mul(self.re, w.im), s.mul(self.im, w.re)),
        }
    }
}

impl<T: FftReal, S: Lanes<T>> Pair<T, S> {
    /// A vector's width of complex samples, zeros where there are fewer.
    #[inline(always)]
    pub(super) fn from_samples(s: S, x: &[T]) -> Self {
        let (low, high) = x.split_at_checked(S::WIDTH).unwrap_or((x, &[]));
        let [re, im] = s.deinterleave(load(s, low), load(s, high));
        Self { re, im }
    }
    /// The samples, real and imaginary parts interleaved.
    #[inline(always)]
    pub(super) fn to_cell(self, s: S) -> Cell<T, S> {
        let [first, second] = s.interleave(self.re, self.im);
        let mut cell = [S::zeroed(); 2];
        s.store(&mut cell[0], first);
        s.store(&mut cell[1], second);
        cell
    }
    /// Times `e^(-j pi / 4)`.
    #[inline(always)]
    fn eighth(self, s: S) -> Self {
        let sum = Self { re: s.add(self.re, self.im), im: s.sub(self.im, self.re) };
        sum.scaled(s, s.splat(T::rounded(core::f64::consts::FRAC_1_SQRT_2)))
    }
    /// Times `-j`.
    #[inline(always)]
    fn quarter(self, s: S) -> Self {
        Self { re: self.im, im: s.sub(s.splat(T::ZERO), self.re) }
    }
}

/// The forward transform of `R` samples.
pub(super) trait Butterfly<T, S: Lanes<T>> {
    fn transformed(self, s: S) -> Self;
}

impl<T: FftReal, S: Lanes<T>> Butterfly<T, S> for [Pair<T, S>; 1] {
    #[inline(always)]
    fn transformed(self, _: S) -> Self {
        self
    }
}

impl<T: FftReal, S: Lanes<T>> Butterfly<T, S> for [Pair<T, S>; 2] {
    #[inline(always)]
    fn transformed(self, s: S) -> Self {
        [self[0].add(s, self[1]), self[0].sub(s, self[1])]
    }
}

impl<T: FftReal, S: Lanes<T>> Butterfly<T, S> for [Pair<T, S>; 4] {
    #[inline(always)]
    fn transformed(self, s: S) -> Self {
        let [a, b] = [self[0], self[2]].transformed(s);
        let [c, d] = [self[1], self[3]].transformed(s);
        [a.add(s, c), b.sub_turned(s, d), a.sub(s, c), b.add_turned(s, d)]
    }
}

impl<T: FftReal, S: Lanes<T>> Butterfly<T, S> for [Pair<T, S>; 8] {
    #[inline(always)]
    fn transformed(self, s: S) -> Self {
        let [a, b, c, d, e, f, g, h] = self;
        let even = [a, c, e, g].transformed(s);
        let odd = [b, d, f, h].transformed(s);
        let (first, third) = (odd[1].eighth(s), odd[3].eighth(s).quarter(s));
        [
            even[0].add(s, odd[0]),
            even[1].add(s, first),
            even[2].sub_turned(s, odd[2]),
            even[3].add(s, third),
            even[0].sub(s, odd[0]),
            even[1].sub(s, first),
            even[2].add_turned(s, odd[2]),
            even[3].sub(s, third),
        ]
    }
}
