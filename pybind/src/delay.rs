//! `passband.delay`.

use crate::declare::{Family, declare, stub_doc, typed};
use crate::marshal::{Erased, Kernel, Map, MapShown, counted, real, refused, room, shown, value_error};
use crate::resample::stopband as attenuation;
use crate::shape::Blockwise;
use num_complex::Complex;
use passband_kernels::delay::{Between, BoxedDelayLine, BoxedFractionalDelay};
use pyo3::prelude::*;

pub(crate) const FAMILY: Family = Family {
    name: "delay",
    doc: stub_doc!("delay"),
    at_top: true,
    items: &[DelayLine::ITEM, FractionalDelay::ITEM],
};

declare! {
    "passband.delay" DelayLine: Windowed {}
    new(length, *, dtype=None) as "(length, *, dtype='float32')"
        = |py, length: usize = whole, dtype: Option<&Bound<'_, PyAny>>| {
        room::<Complex<f64>>(length)?;
        let kernel = typed!(dtype, "float32", [
            "float64": f64, "complex64": Complex<f32>, "complex128": Complex<f64>, "float32": f32
        ], X => MapShown(BoxedDelayLine::<X>::new(length)).boxed());
        let kernel = Kernel::new(py, "DelayLine", kernel)?.of(counted(length, "sample"));
        Ok((kernel.typed(), Self {}))
    }
    examples {
        "3": "float32" => "float32",
        "0, dtype='float64'": "float64" => "float64",
        "100, dtype='complex64'": "complex64" => "complex64",
        "1, dtype='complex128'": "complex128" => "complex128",
    }
}

/// `$make` for the sample type of a kernel.
macro_rules! by_type {
    ($this:ident, $X:ident => |$kernel:ident| $what:expr) => {{
        let cell = Blockwise::cell($this.as_super());
        let name = cell.spec.input.name;
        typed!(by name, [
            "float64": f64, "complex64": Complex<f32>, "complex128": Complex<f64>, "float32": f32
        ], $X => cell.with(|$kernel: &mut BoxedFractionalDelay<$X>| $what))
    }};
}

declare! {
    "passband.delay" FractionalDelay: Blockwise {}
    new(delay, *, max_delay=None, order=3, stopband=None, dtype=None)
        as "(delay, *, max_delay=None, order=3, stopband=None, dtype='float32')"
        = |py, delay: f64 = real, max_delay: Option<usize> = whole_or_none, order: usize = whole,
           stopband: Option<usize> = whole_or_none, dtype: Option<&Bound<'_, PyAny>>| {
        if !delay.is_finite() {
            return Err(value_error("delay", "a finite number of samples", shown(delay)));
        }
        let between = match stopband {
            Some(decibels) => Between::Cardinal(attenuation(decibels)?),
            // Of an order beyond those there are, no memory is asked for.
            None => Between::Lagrange(order.min(8)),
        };
        let max_delay = max_delay.unwrap_or(between.min_delay().max(delay.ceil() as usize));
        // The history, and a scratch twice as long.
        room::<Complex<f64>>(between.history(max_delay).saturating_mul(3))?;
        let kernel = typed!(dtype, "float32", [
            "float64": f64, "complex64": Complex<f32>, "complex128": Complex<f64>, "float32": f32
        ], X => BoxedFractionalDelay::<X>::new(delay, max_delay, between).map(|kernel| Map(kernel).boxed()));
        let kernel = kernel.map_err(|error| {
            refused(error, &[("delay", &shown(delay)), ("max_delay", &max_delay), ("order", &order)])
        })?;
        let kernel = Kernel::new(py, "FractionalDelay", kernel)?.of(counted(between.taps(), "tap"));
        Ok((kernel.typed().ns_per_sample(0.5 + 0.02 * between.taps() as f64), Self {}))
    }
    examples {
        "2.5": "float32" => "float32",
        "0.25, max_delay=3, order=1, dtype='float64'": "float64" => "float64",
        "30.25, stopband=60, dtype='complex64'": "complex64" => "complex64",
        "3.75, max_delay=100, order=5, dtype='complex128'": "complex128" => "complex128",
    }
    #[doc = stub_doc!("FractionalDelay.delay")]
    #[getter]
    fn delay(this: &Bound<'_, Self>) -> PyResult<f64> {
        by_type!(this, X => |kernel| kernel.delay())
    }
    #[setter]
    fn set_delay(this: &Bound<'_, Self>, #[pyo3(from_py_with = real::delay)] delay: f64) -> PyResult<()> {
        by_type!(this, X => |kernel| kernel.set_delay(delay))?
            .map_err(|error| refused(error, &[("delay", &shown(delay))]))
    }
    #[doc = stub_doc!("FractionalDelay.min_delay")]
    #[getter]
    fn min_delay(this: &Bound<'_, Self>) -> PyResult<usize> {
        by_type!(this, X => |kernel| kernel.between().min_delay())
    }
    #[doc = stub_doc!("FractionalDelay.max_delay")]
    #[getter]
    fn max_delay(this: &Bound<'_, Self>) -> PyResult<usize> {
        by_type!(this, X => |kernel| kernel.max_delay())
    }
}
