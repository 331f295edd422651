//! One block of a fast convolution: its samples, transform and outputs.

use crate::sample::Sample;
use crate::transform::{FftConfig, FftReal, FftTable};
use core::ops::Add;
use num_complex::Complex;

/// A sample type that taps of type `H` can filter by transforms.
pub trait FftFilter<H: Sample>: Sample<Component: FftReal> {
    /// Complex if samples or taps are.
    type Output: Sample + Add<Output = Self::Output>;

    /// Stretches of samples per transform: where samples and taps are real, a second one takes the
    /// place of the imaginary part.
    #[doc(hidden)]
    const HOPS: usize;
    #[doc(hidden)]
    fn tap(tap: H) -> Complex<Self::Component>;
    #[doc(hidden)]
    fn product(self, tap: H) -> Self::Output;
    #[doc(hidden)]
    fn set(cell: &mut Complex<Self::Component>, second: bool, x: Self);
    #[doc(hidden)]
    fn get(cell: Complex<Self::Component>, second: bool) -> Self;
    #[doc(hidden)]
    fn set_output(cell: &mut Complex<Self::Component>, second: bool, y: Self::Output);
    #[doc(hidden)]
    fn output(cell: Complex<Self::Component>, second: bool) -> Self::Output;
}

macro_rules! filters {
    ($($t:ident)*) => {$(
        impl FftFilter<$t> for $t {
            type Output = $t;
            const HOPS: usize = 2;
            #[inline]
            fn tap(tap: $t) -> Complex<$t> {
                Complex { re: tap, im: 0.0 }
            }
            #[inline]
            fn product(self, tap: $t) -> $t {
                self * tap
            }
            #[inline]
            fn set(cell: &mut Complex<$t>, second: bool, x: $t) {
                *(if second { &mut cell.im } else { &mut cell.re }) = x;
            }
            #[inline]
            fn get(cell: Complex<$t>, second: bool) -> $t {
                if second { cell.im } else { cell.re }
            }
            #[inline]
            fn set_output(cell: &mut Complex<$t>, second: bool, y: $t) {
                <Self as FftFilter<$t>>::set(cell, second, y);
            }
            #[inline]
            fn output(cell: Complex<$t>, second: bool) -> $t {
                <Self as FftFilter<$t>>::get(cell, second)
            }
        }
        filters!($t: $t, Complex<$t>, tap => tap, x => Complex { re: x, im: 0.0 }, cell => cell.re);
        filters!($t: Complex<$t>, $t, tap => Complex { re: tap, im: 0.0 }, x => x, cell => cell);
        filters!($t: Complex<$t>, Complex<$t>, tap => tap, x => x, cell => cell);
    )*};
    ($t:ident: $x:ty, $h:ty, $tap:ident => $from_tap:expr, $sample:ident => $to_cell:expr,
     $cell:ident => $from_cell:expr) => {
        impl FftFilter<$h> for $x {
            type Output = Complex<$t>;
            const HOPS: usize = 1;
            #[inline]
            fn tap($tap: $h) -> Complex<$t> {
                $from_tap
            }
            #[inline]
            fn product(self, tap: $h) -> Complex<$t> {
                self * tap
            }
            #[inline]
            fn set(cell: &mut Complex<$t>, _: bool, $sample: $x) {
                *cell = $to_cell;
            }
            #[inline]
            fn get($cell: Complex<$t>, _: bool) -> $x {
                $from_cell
            }
            #[inline]
            fn set_output(cell: &mut Complex<$t>, _: bool, y: Complex<$t>) {
                *cell = y;
            }
            #[inline]
            fn output(cell: Complex<$t>, _: bool) -> Complex<$t> {
                cell
            }
        }
    };
}
filters!(f32 f64);

/// Where samples and outputs lie in a frame: the past, which the taps look back on, then the inputs
/// of the first stretch, then of the second. The second stretch has a past of its own, the end of the
/// first.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    past: usize,
    hop: usize,
    hops: usize,
}

impl Layout {
    pub(super) fn new(taps: usize, frame: usize, hops: usize) -> Self {
        let past = taps.saturating_sub(1);
        Self { past, hop: frame.saturating_sub(past), hops }
    }

    pub(super) fn past(self) -> usize {
        self.past
    }

    /// Inputs of a block, as many as outputs.
    pub(super) fn inputs(self) -> usize {
        self.hops * self.hop
    }

    /// The past and the inputs.
    pub(super) fn samples(self) -> usize {
        self.past + self.inputs()
    }
}

/// Frames of one block.
#[derive(Clone, Debug)]
pub(super) struct Block<W> {
    window: W,
    work: W,
    scratch: W,
    result: W,
}

impl<W: FftTable> Block<W> {
    /// Frames as long as `like`, without samples.
    pub(super) fn new(like: &W) -> Self {
        let frame = || like.clone();
        let mut block = Self { window: frame(), work: frame(), scratch: frame(), result: frame() };
        block.clear();
        block
    }

    pub(super) fn clear(&mut self) {
        self.window.as_mut().fill(Complex { re: W::Real::ZERO, im: W::Real::ZERO });
    }

    /// Writes samples from number `t` on.
    pub(super) fn put<X, H>(&mut self, layout: Layout, t: usize, x: &[X])
    where
        X: FftFilter<H, Component = W::Real>,
        H: Sample,
    {
        let window = self.window.as_mut();
        let cells = window.get_mut(t..).unwrap_or_default();
        cells.iter_mut().zip(x).for_each(|(cell, x)| X::set(cell, false, *x));
        if X::HOPS == 2 {
            let cells = window.get_mut(t.saturating_sub(layout.hop)..).unwrap_or_default();
            let x = x.get(layout.hop.saturating_sub(t)..).unwrap_or_default();
            cells.iter_mut().zip(x).for_each(|(cell, x)| X::set(cell, true, *x));
        }
    }

    /// Sample number `t`.
    pub(super) fn sample<X, H>(&self, layout: Layout, t: usize) -> X
    where
        X: FftFilter<H, Component = W::Real>,
        H: Sample,
    {
        let window = self.window.as_ref();
        let second = t >= window.len();
        let cell = window.get(if second { t - layout.hop } else { t });
        cell.map_or(X::ZERO, |cell| X::get(*cell, second))
    }

    /// Reads outputs from number `t` on.
    pub(super) fn take<X, H>(&self, layout: Layout, t: usize, out: &mut [X::Output])
    where
        X: FftFilter<H, Component = W::Real>,
        H: Sample,
    {
        let outputs = |t: usize| self.result.as_ref().get(layout.past + t..).unwrap_or_default();
        let first = layout.hop.saturating_sub(t).min(out.len());
        let (head, tail) = out.split_at_mut_checked(first).unwrap_or_default();
        head.iter_mut().zip(outputs(t)).for_each(|(y, cell)| *y = X::output(*cell, false));
        let cells = outputs((t + first).saturating_sub(layout.hop));
        tail.iter_mut().zip(cells).for_each(|(y, cell)| *y = X::output(*cell, true));
    }

    /// Makes the last samples the past of the next block.
    pub(super) fn advance<X, H>(&mut self, layout: Layout)
    where
        X: FftFilter<H, Component = W::Real>,
        H: Sample,
    {
        for t in 0..layout.past {
            let x = self.sample::<X, H>(layout, layout.inputs() + t);
            self.put::<X, H>(layout, t, &[x]);
        }
    }

    /// Computes the outputs from the samples.
    pub(super) fn compute<X, H>(
        &mut self,
        layout: Layout,
        taps: &[H],
        spectrum: &[Complex<W::Real>],
        fft: &FftConfig<W>,
    ) where
        X: FftFilter<H, Component = W::Real>,
        H: Sample,
    {
        let Self { window, work, scratch, result } = self;
        fft.run(false, window.as_ref(), work.as_mut(), scratch.as_mut());
        fft.multiply(work.as_mut(), spectrum);
        fft.run(true, work.as_ref(), result.as_mut(), scratch.as_mut());
        let outputs = result.as_ref().get(layout.past..).unwrap_or_default();
        if !W::Real::are_finite(bytemuck::must_cast_slice(outputs)) {
            self.compute_directly::<X, H>(layout, taps);
        }
    }

    /// Sums tap by tap: a transform would spread NaN and infinity over the whole block.
    fn compute_directly<X, H>(&mut self, layout: Layout, taps: &[H])
    where
        X: FftFilter<H, Component = W::Real>,
        H: Sample,
    {
        for t in 0..layout.inputs() {
            let newest = layout.past + t;
            let products =
                taps.iter().enumerate().map(|(k, tap)| self.sample::<X, H>(layout, newest - k).product(*tap));
            let sum = products.fold(X::Output::ZERO, |sum, product| sum + product);
            let second = t >= layout.hop;
            let place = layout.past + if second { t - layout.hop } else { t };
            if let Some(cell) = self.result.as_mut().get_mut(place) {
                X::set_output(cell, second, sum);
            }
        }
    }
}
