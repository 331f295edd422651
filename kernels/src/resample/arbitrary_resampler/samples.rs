//! What samples a resampler by any ratio takes, and how each of them reaches the arithmetic.

use super::body::Interpolated;
use super::design::Grid;
use crate::filter::Filter;
use crate::resample::farrow::Course;
use crate::resample::farrow::body::Polynomials;
use crate::sample::{Float, Sample};
use crate::simd::SimdLevel;
use num_complex::Complex;

/// A sample type that a filter of real numbers can resample by any ratio.
pub trait Interpolate:
    Sample<Component: Float<Double = f64>> + Filter<<Self as Sample>::Component, Output = Self>
{
    #[doc(hidden)]
    fn interpolate(
        config: &Table<'_, Self::Component>,
        due: u128,
        past: usize,
        window: &[Self],
        out: &mut [Self],
    );

    #[doc(hidden)]
    fn follow(course: Course, due: u128, past: usize, window: &[Self], out: &mut [Self]);
}

/// A laid out filter, and the ticks from an output to the next.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Table<'a, T> {
    pub(super) values: &'a [T],
    pub(super) grid: Grid,
    pub(super) step: u128,
    pub(super) level: SimdLevel,
}

macro_rules! samples {
    ($($x:ty: $component:ty, $stride:literal;)*) => {$(
        impl Interpolate for $x {
            fn interpolate(
                config: &Table<'_, $component>,
                due: u128,
                past: usize,
                window: &[$x],
                out: &mut [$x],
            ) {
                let Table { values: table, grid, step, level } = *config;
                let (window, out) = (Sample::components(window), Sample::components_mut(out));
                macro_rules! by {
                    ($points:literal) => {
                        level.run(Interpolated::<$component, $stride, $points> {
                            table, grid, due, step, past, window, out,
                        })
                    };
                }
                match grid.points {
                    3 => by!(3),
                    4 => by!(4),
                    _ => by!(5),
                }
            }

            fn follow(course: Course, due: u128, past: usize, window: &[$x], out: &mut [$x]) {
                let Course { order, step, level } = course;
                let (window, out) = (Sample::components(window), Sample::components_mut(out));
                macro_rules! through {
                    ($points:literal) => {
                        level.run(Polynomials::<$component, $stride, $points> { due, step, past, window, out })
                    };
                }
                match order {
                    1 => through!(2),
                    3 => through!(4),
                    5 => through!(6),
                    _ => through!(8),
                }
            }
        }
    )*};
}

samples! {
    f32: f32, 1;
    f64: f64, 1;
    Complex<f32>: f32, 2;
    Complex<f64>: f64, 2;
}
