//! The body in floating point: dot products and an update over the window of each sample.

use crate::filter::dot::dot;
use crate::filter::product::{ComplexTaps, Product, RealTaps};
use crate::sample::{FixedPoint, Q15, Sample};
use crate::simd::{Body, Lanes, Lanes16, SimdLevel};
use crate::state::Fingerprint;
use core::marker::PhantomData;
use core::ops::{Add, Div, Mul, Neg, Sub};
use num_complex::Complex;

/// How fast the weights move, in the precision of the samples.
#[derive(Clone, Copy, Debug)]
pub struct Rates {
    pub(in crate::filter) step_size: f64,
    /// Where steps are normalised: what is added to the power of the window.
    pub(in crate::filter) regularization: Option<f64>,
}

/// A rate in the precision of the components of `T`.
pub(in crate::filter) const fn rounded<T: Sample>(rate: f64) -> f64 {
    rounded_to::<T>(rate, Q15::BITS)
}

/// A power in the precision of the components of `T`, of fixed point in that of their products.
pub(in crate::filter) const fn rounded_power<T: Sample>(power: f64) -> f64 {
    rounded_to::<T>(power, 2 * Q15::BITS)
}

/// The nearest number of the components' precision, of fixed point with so many bits.
const fn rounded_to<T: Sample>(x: f64, bits: u32) -> f64 {
    // Numbers of this size have no bits below 1.
    const WHOLE: f64 = 1.5 / f64::EPSILON;
    let one = (1u64 << bits) as f64;
    match size_of::<T::Component>() {
        8 => x,
        4 => x as f32 as f64,
        _ => (x * one + WHOLE - WHOLE) / one,
    }
}

/// A sample type that adaptive filters take: `f32`, `f64`, `Complex` of them, and [`Q15`].
pub trait Adaptive: Sample {
    #[doc(hidden)]
    fn hash(rate: f64, hash: &mut Fingerprint);
    #[doc(hidden)]
    fn adapt(
        level: SimdLevel,
        rates: Rates,
        weights: &mut [Self],
        window: &[Self],
        d: &[Self],
        out: &mut [Self],
    );
}

macro_rules! adaptive {
    ($($x:ty: $component:ty, $weights:ty, $vectors:literal;)*) => {$(
        impl Adaptive for $x {
            fn hash(rate: f64, hash: &mut Fingerprint) {
                hash.sample(rate as $component);
            }
            fn adapt(
                level: SimdLevel,
                rates: Rates,
                weights: &mut [Self],
                window: &[Self],
                d: &[Self],
                out: &mut [Self],
            ) {
                let step_size = rates.step_size as $component;
                let regularization = rates.regularization.map(|power| power as $component);
                let product = PhantomData::<$weights>;
                level.run::<$component, _>(Adapt::<$x, $weights, $vectors> {
                    step_size, regularization, weights, window, d, out, product,
                });
            }
        }
    )*};
}

adaptive! {
    f32: f32, RealTaps<1>, 1;
    f64: f64, RealTaps<1>, 1;
    Complex<f32>: f32, ComplexTaps, 2;
    Complex<f64>: f64, ComplexTaps, 2;
}

trait Real:
    Sample
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    fn finite(self) -> bool;
}

macro_rules! real {
    ($($t:ty)*) => {$(
        impl Real for $t {
            #[inline(always)]
            fn finite(self) -> bool {
                self.is_finite()
            }
        }
    )*};
}
real!(f32 f64);

/// One window after the other; `V` vectors of samples to one of weights.
struct Adapt<'a, X: Sample, P, const V: usize> {
    step_size: X::Component,
    regularization: Option<X::Component>,
    weights: &'a mut [X],
    window: &'a [X],
    d: &'a [X],
    out: &'a mut [X],
    product: PhantomData<P>,
}

impl<T, X, P, const V: usize> Body<T> for Adapt<'_, X, P, V>
where
    T: Real,
    X: Sample<Component = T>,
    P: Product<T, Tap = X>,
{
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes<T> + Lanes16>(mut self, s: S) {
        for n in 0..self.d.len() {
            // A window too short would leave outputs unwritten; the driver's never is.
            let _ = self.step(s, n);
        }
    }
}

impl<T, X, P, const V: usize> Adapt<'_, X, P, V>
where
    T: Real,
    X: Sample<Component = T>,
    P: Product<T, Tap = X>,
{
    #[inline(always)]
    fn step<S: Lanes<T>>(&mut self, s: S, n: usize) -> Option<()> {
        let x = X::components(self.window.get(n..)?.get(..self.weights.len())?);
        let mut rate = self.step_size;
        if let Some(regularization) = self.regularization {
            let [energy] = dot::<RealTaps<1>, S, T, 1>(s, x, x)?;
            // Before the error is known, so that no division waits for it.
            rate = rate / (regularization + energy);
        }
        let product = dot::<P, S, T, V>(s, self.weights, x)?;
        let (mut error, mut gain) = ([*self.d.get(n)?], [T::ZERO; 2]);
        let parts = X::components_mut(&mut error).iter_mut().zip(product.as_ref());
        for ((error, product), gain) in parts.zip(&mut gain) {
            *error = *error - *product;
            *gain = rate * *error;
        }
        *self.out.get_mut(n)? = error[0];
        if gain[0].finite() && gain[1].finite() {
            update::<S, X>(s, X::components_mut(self.weights), x, gain);
        }
        Some(())
    }
}

/// `weights += gain conj x`.
#[inline(always)]
fn update<S: Lanes<X::Component>, X: Sample<Component: Real>>(
    s: S,
    weights: &mut [X::Component],
    x: &[X::Component],
    gain: [X::Component; 2],
) {
    let arrays = S::arrays(x);
    let last = x.get(arrays.len() * S::WIDTH..).unwrap_or(&[]);
    let (weights, last_weights) = S::arrays_mut(weights);
    for (w, x) in weights.iter_mut().zip(arrays) {
        let next = moved::<S, X>(s, s.load(w), s.load(x), gain);
        s.store(w, next);
    }
    if !last.is_empty() {
        let mut array = S::partial(last_weights);
        let next = moved::<S, X>(s, s.load(&array), s.load(&S::partial(last)), gain);
        s.store(&mut array, next);
        last_weights.iter_mut().zip(array.as_ref()).for_each(|(w, next)| *w = *next);
    }
}

#[inline(always)]
fn moved<S: Lanes<X::Component>, X: Sample<Component: Real>>(
    s: S,
    w: S::Vector,
    x: S::Vector,
    [re, im]: [X::Component; 2],
) -> S::Vector {
    if X::COMPONENTS == 1 {
        return s.mul_add(s.splat(re), x, w);
    }
    let [real, imaginary] = s.deinterleave(x, x);
    let [swapped, _] = s.interleave(imaginary, real);
    let [same, _] = s.interleave(s.splat(re), s.splat(-re));
    s.mul_add(s.splat(im), swapped, s.mul_add(same, x, w))
}
