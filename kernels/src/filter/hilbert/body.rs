//! The body: neighbouring outputs in lanes, one pair of taps after the other.

use crate::sample::{Float, Sample};
use crate::simd::{Body, Lanes, Lanes16, SimdLevel};
use core::ops::Neg;
use num_complex::Complex;

/// A sample type that [`Hilbert`](super::Hilbert) makes complex: `f32` and `f64`.
pub trait Analytic: Float<Double = f64> + Neg<Output = Self> {
    /// The complex type of the same precision.
    type Complex: Sample;

    #[doc(hidden)]
    fn analytic(level: SimdLevel, taps: &[Self], window: &[Self], out: &mut [Self::Complex]);
}

macro_rules! analytic {
    ($($x:ty)*) => {$(
        impl Analytic for $x {
            type Complex = Complex<$x>;

            fn analytic(level: SimdLevel, taps: &[$x], window: &[$x], out: &mut [Complex<$x>]) {
                level.run::<$x, _>(Pairs { taps, window, out: Sample::components_mut(out) });
            }
        }
    )*};
}
analytic!(f32 f64);

/// Outputs over a window that starts `4 taps.len() - 2` samples before the first input.
struct Pairs<'a, T> {
    taps: &'a [T],
    window: &'a [T],
    out: &'a mut [T],
}

impl<T: Sample> Body<T> for Pairs<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes<T> + Lanes16>(self, s: S) {
        // A window too short would leave outputs unwritten; the driver's never is.
        let _ = self.tiles(s);
    }
}

/// Vectors of outputs that share a load of each tap.
const TILE: usize = 4;

impl<T: Sample> Pairs<'_, T> {
    #[inline(always)]
    fn tiles<S: Lanes<T>>(self, s: S) -> Option<()> {
        let Self { taps, mut window, out } = self;
        let mut tiles = out.chunks_exact_mut(2 * TILE * S::WIDTH);
        for out in &mut tiles {
            let parts = parts::<S, T, TILE>(s, taps, window)?;
            let pairs = S::arrays_mut(out).0.as_chunks_mut().0;
            for (pair, parts) in pairs.iter_mut().zip(parts) {
                interleave::<S, T>(s, parts, pair);
            }
            window = window.get(TILE * S::WIDTH..)?;
        }
        for out in tiles.into_remainder().chunks_mut(2 * S::WIDTH) {
            let ([parts], mut pair) = (parts::<S, T, 1>(s, taps, window)?, [S::zeroed(); 2]);
            interleave::<S, T>(s, parts, &mut pair);
            let outputs = pair.iter().flat_map(AsRef::as_ref);
            out.iter_mut().zip(outputs).for_each(|(to, part)| *to = *part);
            window = window.get(S::WIDTH..).unwrap_or(&[]);
        }
        Some(())
    }
}

/// The real and imaginary parts of `R` vectors of outputs.
#[inline(always)]
fn parts<S: Lanes<T>, T: Sample, const R: usize>(
    s: S,
    taps: &[T],
    window: &[T],
) -> Option<[[S::Vector; 2]; R]> {
    let centre = (2 * taps.len()).checked_sub(1)?;
    let mut parts = [[s.splat(T::ZERO); 2]; R];
    for ([real, _], x) in parts.iter_mut().zip(vectors::<S, T, R>(window, centre)?) {
        *real = s.load(x);
    }
    for (pair, tap) in taps.iter().enumerate() {
        let (tap, apart) = (s.splat(*tap), 2 * pair + 1);
        let older = vectors::<S, T, R>(window, centre.checked_sub(apart)?)?;
        let newer = vectors::<S, T, R>(window, centre + apart)?;
        for (([_, imaginary], older), newer) in parts.iter_mut().zip(older).zip(newer) {
            *imaginary = s.mul_add(tap, s.sub(s.load(older), s.load(newer)), *imaginary);
        }
    }
    Some(parts)
}

/// The vectors of a window from a sample on.
#[inline(always)]
fn vectors<S: Lanes<T>, T, const R: usize>(window: &[T], from: usize) -> Option<&[S::Array; R]> {
    S::arrays(window.get(from..)?).first_chunk()
}

#[inline(always)]
fn interleave<S: Lanes<T>, T>(s: S, [real, imaginary]: [S::Vector; 2], to: &mut [S::Array; 2]) {
    let [first, second] = s.interleave(real, imaginary);
    s.store(&mut to[0], first);
    s.store(&mut to[1], second);
}
