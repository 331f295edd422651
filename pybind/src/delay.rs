//! `passband.delay`.

use crate::declare::{Family, declare, stub_doc, typed};
use crate::marshal::{Erased, Kernel, MapShown, counted, room};
use num_complex::Complex;
use passband_kernels::delay::BoxedDelayLine;
use pyo3::prelude::*;

pub(crate) const FAMILY: Family =
    Family { name: "delay", doc: stub_doc!("delay"), at_top: true, items: &[DelayLine::ITEM] };

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
