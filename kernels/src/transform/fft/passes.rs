//! The passes of a transform: radix 16 along the frame, then radix 8 and 4 across it.
//!
//! T. G. Stockham's autosort algorithm (*High-speed convolution and correlation*, 1966), with
//! decimation in frequency: a pass of radix `R` over `s` interleaved frames of length `l` turns them
//! into `R s` frames of length `l / R`, and no pass permutes digits. Of one frame the first pass
//! makes sixteen, as many as the widest vector has lanes, so that all later passes work on whole
//! vectors at every level; it transposes its own results on the way.
//!
//! Between passes, real and imaginary parts lie in alternate vectors. The arithmetic of a sample
//! does not depend on the width of vectors.

use super::butterfly::{Butterfly, Cell, Pair};
use super::twiddles::{FIRST, SIXTEENTHS};
use crate::filter::product::load;
use crate::simd::{Body, Lanes, Lanes16};
use crate::transform::FftReal;
use num_complex::Complex;

/// Transforms as many frames of `twiddles.len()` samples as `x` and `out` hold.
pub struct Transform<'a, T> {
    /// As [`super::twiddles`] lays them out.
    pub(super) twiddles: &'a [Complex<T>],
    pub(super) inverse: bool,
    pub(super) x: &'a [Complex<T>],
    pub(super) out: &'a mut [Complex<T>],
    pub(super) scratch: &'a mut [Complex<T>],
}

impl<T: FftReal> Body<T> for Transform<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes<T> + Lanes16>(self, s: S) {
        let Self { twiddles, inverse, x, out, scratch } = self;
        let n = twiddles.len().max(1);
        let scale = s.splat(T::rounded(1.0 / n as f64));
        let passes = Passes { s, n, twiddles: bytemuck::must_cast_slice(twiddles), inverse, scale };
        let scratch = bytemuck::must_cast_slice_mut(scratch);
        for (x, out) in x.chunks_exact(n).zip(out.chunks_exact_mut(n)) {
            let (x, out) = (bytemuck::must_cast_slice(x), bytemuck::must_cast_slice_mut(out));
            // No step gives `None`; were one to, outputs would be missing, which conformance detects.
            let _ = match n {
                1 => passes.only_1(x, out),
                2 => passes.only_2(x, out),
                4 => passes.only_4(x, out),
                8 => passes.only_8(x, out),
                _ => passes.all(x, out, scratch),
            };
        }
    }
}

/// Multiplies each element of `io` by that of `by`, which are frames of the same length.
pub struct Products<'a, T> {
    pub(super) io: &'a mut [Complex<T>],
    pub(super) by: &'a [Complex<T>],
}

impl<T: FftReal> Body<T> for Products<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes<T> + Lanes16>(self, s: S) {
        let pair = 2 * <S as Lanes<T>>::WIDTH;
        let io = bytemuck::must_cast_slice_mut(self.io).chunks_mut(pair);
        let by = bytemuck::must_cast_slice(self.by).chunks(pair);
        for (io, by) in io.zip(by) {
            let product = Pair::from_samples(s, io).mul(s, Pair::from_samples(s, by));
            let cell = product.to_cell(s);
            io.iter_mut().zip(cell.iter().flat_map(AsRef::as_ref)).for_each(|(to, from)| *to = *from);
        }
    }
}

/// A frame of one butterfly, in the first lane.
macro_rules! only {
    ($name:ident, $r:literal: $($k:literal)*) => {
        #[inline(always)]
        fn $name(&self, x: &[T], out: &mut [T]) -> Option<()> {
            let a = [$(self.samples(x.get(2 * $k..2 * $k + 2)?)),*].transformed(self.s);
            $(
                let [cell, _] = self.interleaved(a[$k]);
                out.get_mut(2 * $k..)?.iter_mut().zip(cell.as_ref()).take(2).for_each(|(to, from)| *to = *from);
            )*
            Some(())
        }
    };
}

/// `R stride` frames of `length / R` from `stride` frames, `stride` in vectors.
macro_rules! middle {
    ($name:ident, $r:literal: $($k:literal)*) => {
        #[inline(always)]
        fn $name(
            &self,
            from: &[Cell<T, S>],
            to: &mut [Cell<T, S>],
            length: usize,
            stride: usize,
        ) -> Option<()> {
            let (s, rows) = (self.s, length / $r);
            let (re, im) = self.twiddles.split_at_checked(self.n / FIRST)?;
            for (p, to) in to.chunks_exact_mut(($r * stride).max(1)).enumerate() {
                let turn = p * (stride * S::WIDTH / FIRST);
                let w = [$(Pair { re: s.splat(*re.get(turn * $k)?), im: s.splat(*im.get(turn * $k)?) }),*];
                for q in 0..stride {
                    let first = q + stride * p;
                    let a = [
                        self.load(from.get(first)?),
                        $(self.load(from.get(first + stride * rows * $k)?)),*
                    ];
                    let a = a.transformed(s);
                    self.store(to.get_mut(q)?, a[0]);
                    $(self.store(to.get_mut(q + stride * $k)?, a[$k].mul(s, w[$k - 1]));)*
                }
            }
            Some(())
        }
    };
}

/// Frames of one sample each, which are the transform, from `stride` vectors of frames of `R`.
macro_rules! last {
    ($name:ident, $r:literal: $($k:literal)*) => {
        #[inline(always)]
        fn $name(&self, from: &[Cell<T, S>], out: &mut [Cell<T, S>], stride: usize) -> Option<()> {
            for q in 0..stride {
                let a = [$(self.load(from.get(q + stride * $k)?)),*].transformed(self.s);
                $(*out.get_mut(q + stride * $k)? = self.interleaved(a[$k]);)*
            }
            Some(())
        }
    };
}

struct Passes<'a, T, S: Lanes<T>> {
    s: S,
    n: usize,
    twiddles: &'a [T],
    inverse: bool,
    scale: S::Vector,
}

impl<T: FftReal, S: Lanes<T>> Passes<'_, T, S> {
    /// A frame of several passes.
    #[inline(always)]
    fn all(&self, x: &[T], out: &mut [T], scratch: &mut [T]) -> Option<()> {
        let (out, scratch) = (cells::<T, S>(out), cells::<T, S>(scratch));
        let (mut length, mut stride) = (self.n / FIRST, FIRST / S::WIDTH);
        // The last pass goes from the scratch to `out`, the others to and fro before it.
        let (mut from, mut to) = if passes(length) % 2 == 1 { (scratch, out) } else { (out, scratch) };
        self.first(x, from)?;
        while radix(length) < length {
            match radix(length) {
                4 => self.middle_4(from, to, length, stride)?,
                _ => self.middle_8(from, to, length, stride)?,
            }
            (length, stride) = (length / radix(length), stride * radix(length));
            (from, to) = (to, from);
        }
        match length {
            1 => self.last_1(from, to, stride),
            2 => self.last_2(from, to, stride),
            4 => self.last_4(from, to, stride),
            _ => self.last_8(from, to, stride),
        }
    }

    /// Sixteen frames from one, as four by four butterflies over a vector's width of samples of each.
    #[inline(always)]
    fn first(&self, x: &[T], to: &mut [Cell<T, S>]) -> Option<()> {
        let (s, rows) = (self.s, self.n / FIRST);
        let mut sixteenths = [[Pair { re: self.scale, im: self.scale }; 4]; 4];
        for (roots, values) in sixteenths.iter_mut().zip(&SIXTEENTHS) {
            for (root, [cos, sin]) in roots.iter_mut().zip(values) {
                *root = Pair { re: s.splat(T::rounded(*cos)), im: s.splat(T::rounded(-sin)) };
            }
        }
        let mut buffer = [[[S::zeroed(); 2]; 4]; 4];
        for (start, to) in (0..rows).step_by(S::WIDTH).zip(to.chunks_mut(FIRST)) {
            for (i, (row, w)) in buffer.iter_mut().zip(&sixteenths).enumerate() {
                let sample = |j: usize| Some(self.samples(x.get(2 * (rows * (i + 4 * j) + start)..)?));
                let a = [sample(0)?, sample(1)?, sample(2)?, sample(3)?].transformed(s);
                self.store(&mut row[0], a[0]);
                self.store(&mut row[1], a[1].mul(s, w[1]));
                self.store(&mut row[2], a[2].mul(s, w[2]));
                self.store(&mut row[3], a[3].mul(s, w[3]));
            }
            for k in 0..4 {
                let [a, b, c, d] = &buffer;
                let mut a =
                    [self.load(&a[k]), self.load(&b[k]), self.load(&c[k]), self.load(&d[k])].transformed(s);
                if k > 0 {
                    a[0] = a[0].mul(s, self.factor(k * rows, start)?);
                }
                a[1] = a[1].mul(s, self.factor((k + 4) * rows, start)?);
                a[2] = a[2].mul(s, self.factor((k + 8) * rows, start)?);
                a[3] = a[3].mul(s, self.factor((k + 12) * rows, start)?);
                let a = interleave_4(s, a);
                for (row, a) in buffer.iter_mut().zip(a) {
                    self.store(&mut row[k], a);
                }
            }
            for (to, row) in to.chunks_mut(4).zip(&buffer) {
                let a = interleave_4(
                    s,
                    [self.load(&row[0]), self.load(&row[1]), self.load(&row[2]), self.load(&row[3])],
                );
                to.iter_mut().zip(a).for_each(|(to, a)| self.store(to, a));
            }
        }
        Some(())
    }

    /// Factors of the first pass, from `start` of the row at `row` on.
    #[inline(always)]
    fn factor(&self, row: usize, start: usize) -> Option<Pair<T, S>> {
        let re = load(self.s, self.twiddles.get(2 * row + start..)?);
        let im = load(self.s, self.twiddles.get(2 * row + self.n / FIRST + start..)?);
        Some(Pair { re, im })
    }

    only!(only_1, 1: 0);
    only!(only_2, 2: 0 1);
    only!(only_4, 4: 0 1 2 3);
    only!(only_8, 8: 0 1 2 3 4 5 6 7);
    last!(last_1, 1: 0);
    last!(last_2, 2: 0 1);
    last!(last_4, 4: 0 1 2 3);
    last!(last_8, 8: 0 1 2 3 4 5 6 7);
    middle!(middle_4, 4: 1 2 3);
    middle!(middle_8, 8: 1 2 3 4 5 6 7);

    /// The inverse transform is the forward one with the parts of its input and output swapped.
    #[inline(always)]
    fn samples(&self, x: &[T]) -> Pair<T, S> {
        let a = Pair::from_samples(self.s, x);
        if self.inverse { a.swapped() } else { a }
    }

    #[inline(always)]
    fn interleaved(&self, a: Pair<T, S>) -> Cell<T, S> {
        let a = if self.inverse { a.swapped().scaled(self.s, self.scale) } else { a };
        a.to_cell(self.s)
    }

    #[inline(always)]
    fn load(&self, cell: &Cell<T, S>) -> Pair<T, S> {
        Pair { re: self.s.load(&cell[0]), im: self.s.load(&cell[1]) }
    }

    #[inline(always)]
    fn store(&self, cell: &mut Cell<T, S>, a: Pair<T, S>) {
        self.s.store(&mut cell[0], a.re);
        self.s.store(&mut cell[1], a.im);
    }
}

#[inline(always)]
fn cells<T, S: Lanes<T>>(buffer: &mut [T]) -> &mut [Cell<T, S>] {
    S::arrays_mut(buffer).0.as_chunks_mut().0
}

/// Elements `[a0, b0, c0, d0, a1, ..]`.
#[inline(always)]
fn interleave_4<T: FftReal, S: Lanes<T>>(s: S, [a, b, c, d]: [Pair<T, S>; 4]) -> [Pair<T, S>; 4] {
    let ([a, c], [b, d]) = (a.interleave(s, c), b.interleave(s, d));
    let ([a, b], [c, d]) = (a.interleave(s, b), c.interleave(s, d));
    [a, b, c, d]
}

/// The radix of the next pass over frames of `length`, a power of two; the last one's is `length`.
const fn radix(length: usize) -> usize {
    match length.trailing_zeros() {
        0 => 1,
        1 => 2,
        bits if bits % 3 == 0 => 8,
        _ => 4,
    }
}

/// The passes over frames of `length`, the last one included.
const fn passes(mut length: usize) -> usize {
    let mut count = 1;
    while radix(length) < length {
        length /= radix(length);
        count += 1;
    }
    count
}
